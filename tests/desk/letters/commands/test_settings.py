"""Settings by mail: addresses, which say yes themselves, and parts of mails."""

from __future__ import annotations

import pytest
from support.club import Club, letter
from support.moving import ALICE, BOB, SEATS, begun, moves, told, who

from referee.store.people import players

NEW, MALLORY = "new@example.test", "mallory@example.test"


def test_a_new_address_must_say_yes_itself(club: Club) -> None:
    """Until then it is nobody's; then mail goes there, letters come from there, the old is told."""
    report = begun(club)
    moves(club, report, NEW)
    assert f"A mail has gone to {NEW}" in told(club, ALICE)
    asked = club.last(NEW)
    assert "alice.miller, who plays here" in " ".join(asked.text.split())
    club.put(letter(NEW, "matches"))
    assert club.mails(NEW) == []
    club.answer(asked, "yes", ALICE)
    assert "from that address" in told(club, ALICE)
    with club.desk.store.reading() as connection:
        assert players.by_address(connection, NEW) is None
    club.answer(asked, "yes please\nyes", NEW)
    assert f"{NEW} is confirmed" in told(club, NEW)
    assert f"Your mails go to {NEW}" in " ".join(club.mails(ALICE)[-1].text.split())
    club.answer(report, "help", NEW)
    assert "You can write these commands" in told(club, NEW)
    moves(club, report, ALICE.upper(), NEW)
    assert f"your mails go to {ALICE}" in told(club, ALICE)


def test_no_code_suffices_to_move_an_account(club: Club) -> None:
    """However fresh: the old address is asked, and only its yes has the new one asked."""
    report = begun(club)
    club.answer(report, f"set address {NEW}", ALICE)
    question = club.last(ALICE, "answer")
    assert "Nothing has been done yet" in question.text
    assert f"· set address {NEW}" in question.text
    assert club.mails(NEW) == []
    with club.desk.store.reading() as connection:
        assert players.find_address(connection, NEW) is None
    club.answer(question, "yes", ALICE)
    assert len(club.mails(NEW)) == 1


def test_an_address_of_long_standing_is_asked_for_at_the_other_too(club: Club) -> None:
    """Somebody may have taken it over meanwhile."""
    report = begun(club)
    with club.desk.store.writing() as connection:
        owner = who(connection, ALICE).id
        players.give_address(connection, owner, NEW, now=club.clock[0])
    club.answer(report, f"set address {NEW}", NEW)
    assert club.mails(NEW) == []
    with club.desk.store.reading() as connection:
        assert players.address_for(connection, owner) == ALICE
    club.answer(club.last(ALICE, "answer"), "yes", ALICE)
    with club.desk.store.reading() as connection:
        assert players.address_for(connection, owner) == NEW


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (BOB, "cannot be yours here"),
        ("referee@example.test", "cannot be yours here"),
        ("nonsense", "“nonsense” is no mail address"),
    ],
)
def test_an_address_that_cannot_be_is_not_mailed(club: Club, value: str, said: str) -> None:
    """Nobody else hears of it."""
    report = begun(club)
    club.mails(BOB)
    club.answer(report, f"set address {value}", ALICE)
    assert said in told(club, ALICE)
    assert club.mails(BOB) == []


def test_one_player_mails_only_so_many_strangers(club: Club) -> None:
    """Three new addresses a day."""
    report = begun(club)
    for number in range(4):
        moves(club, report, f"n{number}@example.test", number=number)
    assert [len(club.mails(f"n{number}@example.test")) for number in range(4)] == [1, 1, 1, 0]
    assert "several new addresses today" in told(club, ALICE)


def test_a_wish_for_an_address_keeps_nobody_from_it(club: Club) -> None:
    """Its owner becomes a player with it all the same; so does whom the organiser seats."""
    report = begun(club)
    moves(club, report, NEW)
    club.new_match("pebbles", f"red={NEW}", f"blue={BOB}")
    with club.desk.store.reading() as connection:
        assert who(connection, NEW).name == "new"


@pytest.mark.parametrize("wanted", ["text", "html", "both"])
def test_mails_have_the_parts_a_player_wants(club: Club, wanted: str) -> None:
    """One of two, or both; attachments as ever."""
    club.answer(begun(club), f"set format {wanted}", ALICE)
    club.mails(ALICE)
    club.put(letter(ALICE, "show"))
    message = club.last(ALICE).message
    kinds = {part.get_content_type() for part in message.walk() if not part.is_multipart()}
    assert kinds == {
        "text": {"text/plain"}, "html": {"text/html"}, "both": {"text/plain", "text/html"},
    }[wanted]  # fmt: skip


def test_an_answer_to_a_mail_without_text_plays(club: Club) -> None:
    """Who gets HTML alone answers as anybody."""
    club.answer(begun(club), "set format html", ALICE)
    club.put(letter(BOB, "help"))
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    club.put(letter(ALICE, "pass", answers=report.message["Message-ID"]))
    assert club.match("pebbles-2").to_act == "blue"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("set language fr", "Possible are, for example: en and de"),
        ("set zone berlin", "Europe/Berlin"),
        ("set zone Europe/Berln", "Europe/Berlin"),
        ("set format pdf", "text, html and both"),
        ("set digest weekly", "daily and off"),
        ("set name Bob", "somebody else goes by the name"),
    ],
)
def test_what_cannot_be_set_is_said_with_what_could(club: Club, line: str, said: str) -> None:
    """At once, with a code or without."""
    report = begun(club)
    club.answer(report, line, ALICE)
    assert said in told(club, ALICE)
    club.put(letter(ALICE, line))
    assert said in told(club, ALICE)
