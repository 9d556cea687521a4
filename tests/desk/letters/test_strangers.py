"""What somebody hears whom the referee does not know."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import Connection
from support.club import Club, letter

from referee.desk.letters import intake, strangers
from referee.desk.service import chores
from referee.mail.incoming.letter import MOST_CODES
from referee.store.people import questions
from referee.store.play import matches
from referee.store.post import letters, outbox
from referee.store.post import strangers as post_strangers

EVE = "eve@example.test"


@pytest.fixture
def house(club: Club) -> Club:
    """Return a club that is open to strangers."""
    club.settle(open=True)
    return club


@pytest.mark.parametrize(
    "text", ["help", "Help!", "hilfe", "join nord", "join\n\nI am Eve", "JOIN nord-7 as red"]
)
def test_who_asks_is_told_who_answers(house: Club, text: str) -> None:
    """One mail that repeats nothing he wrote; the code in it is good for his yes alone."""
    verdict = house.put(letter(EVE, text, Subject2="x"))
    assert verdict.state == "ignored"
    mail = house.last(EVE, "answer")
    assert mail.message["Auto-Submitted"] == "auto-replied"
    assert mail.message["In-Reply-To"] is None
    assert mail.message["References"] is None
    assert "eve-0" not in mail.raw.decode()
    assert "nord" not in mail.text
    with house.desk.store.reading() as connection:
        code = outbox.latest_mails(connection)[0].code or ""
        assert matches.find_code(connection, code) is None
        assert questions.find_question(connection, code) is not None


def without_code(text: str) -> str:
    """Return a mail without the line that bears its code."""
    return re.sub(r"^=== request-[0-9]+ · [0-9A-Z-]+ ===$", "", text, flags=re.MULTILINE)


def test_the_mail_is_always_the_same(house: Club) -> None:
    """Whatever was asked by whom, the text does not depend on it."""
    house.put(letter(EVE, "join nord"))
    house.put(letter("mallory@example.test", "help\nplease, I am <b>Mallory</b>"))
    one, other = house.last(EVE).text, house.last("mallory@example.test").text
    assert len(one) == len(other)
    assert without_code(one) == without_code(other)


@pytest.mark.parametrize(
    "text",
    ["hello", "help me to understand", "place D6", "buy now\nhelp", "> help\nnothing", "joining"],
)
def test_who_does_not_ask_hears_nothing(house: Club, text: str) -> None:
    """Only the first line written freely counts."""
    assert house.put(letter(EVE, text)).state == "ignored"
    assert house.mails(EVE) == []


def test_a_closed_referee_is_silent(club: Club) -> None:
    """So it is unless told otherwise."""
    club.put(letter(EVE, "help"))
    assert club.mails(EVE) == []


def test_one_answer_a_day(house: Club) -> None:
    """Each address has its own; on the next day there is one more."""
    for number in range(3):
        house.put(letter(EVE, "help", number=number))
    house.put(letter("mallory@example.test", "help"))
    assert len(house.mails(EVE)) == 1
    assert len(house.mails("mallory@example.test")) == 1
    house.later(days=1)
    house.put(letter(EVE, "help", number=4))
    assert len(house.mails(EVE)) == 1


def test_an_answer_is_due_though_he_wrote_otherwise_before(house: Club) -> None:
    """A letter that was met with silence does not use up the day's answer."""
    house.put(letter(EVE, "hello", number=1))
    house.put(letter(EVE, "help", number=2))
    assert len(house.mails(EVE)) == 1


def test_only_so_many_codes_of_a_letter_are_looked_up(
    house: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many heads of boxes it has."""
    looked: list[str] = []

    def find(connection: Connection, code: str) -> None:
        del connection
        looked.append(code)

    monkeypatch.setattr(questions, "find_question", find)
    heads = [f"=== request-1 · {number:04d}-2345 ===" for number in range(2000, 6000)]
    house.put(letter(EVE, "\n".join(heads)))
    assert 0 < len(looked) <= 2 * MOST_CODES


def test_machines_are_not_answered(house: Club) -> None:
    """Not even when they ask for help."""
    house.put(letter(EVE, "help", Auto_Submitted="auto-replied"))
    house.put(letter(EVE, "help", number=1, List_Id="<games.example.test>"))
    assert house.mails(EVE) == []


def test_many_forged_names_get_only_so_many_answers(
    house: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is a bound for a day, whoever writes."""
    monkeypatch.setattr(strangers, "MOST_A_DAY", 3)
    for number in range(6):
        house.put(letter(f"e{number}@example.test", "help"))
    with house.desk.store.reading() as connection:
        assert len(outbox.latest_mails(connection)) == 3


def test_a_german_asks_and_is_answered_in_german(house: Club) -> None:
    """The word tells the language; the installation's is used otherwise."""
    house.put(letter(EVE, "Hilfe"))
    assert "Brettspiele" in house.last(EVE).text
    house.settle(language="de")
    house.put(letter("max@example.test", "help"))
    assert "Brettspiele" in house.last("max@example.test").text


def kept(club: Club) -> list[bytes | None]:
    """Return what is kept of every letter, the first first."""
    with club.desk.store.reading() as connection:
        rows = reversed(letters.latest_letters(connection))
        return [_bytes(connection, row.id) for row in rows]


def _bytes(connection: Connection, number: int) -> bytes | None:
    try:
        return letters.raw_letter(connection, number)
    except KeyError:
        return None


@pytest.mark.parametrize(
    "raw",
    [
        letter(EVE, "secret"),
        letter(EVE, "secret").replace(b"\n", b"\r\n"),
        letter(EVE, "help me", Auto_Submitted="auto-replied").replace(b"me", b"secret"),
        letter("alice@example.test, bob@example.test", "secret"),
        letter(EVE, "secret", X_Padding="x " * 50_000),
    ],
)
def test_of_what_strangers_write_the_headers_are_kept(house: Club, raw: bytes) -> None:
    """Their text is gone once it is judged, and long headers are cut."""
    house.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    assert house.put(raw).state == "ignored"
    assert house.put(raw).state == "repeat"
    for data in kept(house):
        assert data is not None
        assert data.startswith(b"From: ")
        assert b"secret" not in data
        assert len(data) <= intake.KEPT_BYTES


def test_what_a_player_writes_is_kept_whole(club: Club) -> None:
    """The organiser may have to look at it."""
    club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    raw = letter("alice@example.test", "hello")
    club.put(raw)
    assert kept(club) == [raw]


def test_strangers_are_forgotten_after_thirty_days(club: Club) -> None:
    """Headers and counts go; that letters came stays, and what players wrote, if it is kept."""
    club.settle(keep_days=365)
    club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    club.put(letter("alice@example.test", "hello"))
    chores.do_chores(club.desk)
    for number in range(3):
        club.put(letter(EVE, "hello", number=number))
        club.later(days=1)
    club.later(days=29, minutes=-1)
    chores.do_chores(club.desk)
    assert [each is None for each in kept(club)] == [False, True, True, False]
    with club.desk.store.reading() as connection:
        first = post_strangers.day_of(club.desk.now() - timedelta(days=40))
        days = post_strangers.strangers_between(connection, first, "9999-01-01")
    assert len(days) == 1
    assert chores.do_chores(club.desk) == 0
    club.later(days=1)
    chores.do_chores(club.desk)
    assert [each is None for each in kept(club)] == [False, True, True, True]


def test_who_wrote_is_forgotten_too(club: Club) -> None:
    """Of a stranger's letter no address stays, and of one that was read late nothing either."""
    club.put(letter(EVE, "hello"))
    club.later(days=31)
    chores.do_chores(club.desk)
    club.put(letter(EVE, "late", number=2), arrived=club.desk.now() - timedelta(days=40))
    club.later(days=1)
    chores.do_chores(club.desk)
    with club.desk.store.reading() as connection:
        rows = letters.latest_letters(connection)
    assert [each.sender for each in rows] == [None, None]
    assert kept(club) == [None, None]


def test_of_a_stranger_so_many_bytes_are_read(house: Club) -> None:
    """What stands behind them is as if it were not there; of a player's letter all is read."""
    house.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    quoted = "> " + "x" * 61 + "\n"
    for count, heard in ((900, True), (intake.STRANGERS_BYTES // len(quoted), False)):
        text = quoted * count + "\nhelp"
        house.put(letter(EVE, text, number=count))
        assert bool(house.mails(EVE)) is heard
    house.put(letter("alice@example.test", text))
    assert [each.kind for each in house.mails("alice@example.test")][-1] == "answer"


def test_whether_a_letter_is_fetched_whole_is_told_by_its_headers(club: Club) -> None:
    """One sender, whose address is a player's or asked for by one; nothing in the text counts."""
    club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    known = letter("alice@example.test", "hello")
    with club.desk.store.reading() as connection:
        assert intake.names_player(connection, known)
        assert not intake.names_player(connection, letter(EVE, "From: alice@example.test"))
        assert not intake.names_player(connection, b"From: eve@example.test\n" + known)
        assert not intake.names_player(connection, known.replace(b"From", b"Reply-To"))
