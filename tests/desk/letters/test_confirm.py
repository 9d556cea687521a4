"""Questions that wait for a yes: what they show, when they lapse, and whose yes counts."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from support.archived import club_in
from support.club import Club, letter
from support.moving import ALICE, BOB, begun, moves, told, who

from referee.desk import health
from referee.desk.service import chores
from referee.render.layout import clean
from referee.store.people import players

NEW, MALLORY = "new@example.test", "mallory@example.test"
EVIL = "see evil.test " * 9


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (f"set name {EVIL}", f"set name {clean(EVIL, 40)}"),
        ("set zone europe/berlin", "set zone Europe/Berlin"),
        ("set confirm ON", "set confirm on"),
        ("set address EVE@Evil.test", "set address eve@evil.test"),
    ],
)
def test_a_question_shows_what_would_be_set(club: Club, line: str, shown: str) -> None:
    """Not what somebody wrote in a player's name."""
    begun(club)
    club.put(letter(ALICE, line))
    lines = [each for each in club.last(ALICE, "answer").text.splitlines() if "· set" in each]
    assert [each.strip(" ·") for each in lines] == [shown]


def test_a_question_about_a_seat_shows_no_words_for_chance(club: Club) -> None:
    """They came before the terms were seen, and do not count; so nobody reads them."""
    begun(club)
    club.new_match("pebbles", "red=open", "blue=open", begins=False)
    club.put(letter(ALICE, "join pebbles-2\nluck go to evil dot example"))
    question = club.last(ALICE, "answer")
    assert "Your words for the seed of chance were not kept" in " ".join(question.text.split())
    assert "evil" not in question.text


def test_an_address_that_never_answers_is_forgotten(club: Club) -> None:
    """After a week, and a late yes does nothing; asked anew, it has its week again."""
    report = begun(club)
    moves(club, report, NEW)
    asked = club.last(NEW)
    club.later(days=8)
    health.note_poll(club.desk, club.desk.now())
    assert chores.do_chores(club.desk)
    club.answer(asked, "yes", NEW)
    with club.desk.store.reading() as connection:
        assert players.find_address(connection, NEW) is None
    moves(club, report, NEW, number=2)
    club.answer(club.last(NEW), "yes", NEW)
    with club.desk.store.reading() as connection:
        assert who(connection, NEW).name == "alice.miller"


def test_a_yes_of_a_new_address_counts_by_its_arrival(club: Club) -> None:
    """It lay in the mailbox while the referee was out, and nothing was forgotten meanwhile."""
    report = begun(club)
    moves(club, report, NEW)
    question = club.last(NEW).message["Message-ID"]
    club.later(days=8)
    assert chores.do_chores(club.desk) == 1, "more than the strangers of long ago were forgotten"
    club.put(letter(NEW, "yes", answers=question), arrived=club.desk.now() - timedelta(days=2))
    with club.desk.store.reading() as connection:
        assert who(connection, NEW).name == "alice.miller"


def test_a_join_is_no_yes_of_a_new_address(club: Club) -> None:
    """Whoever reads its mail may mean to play themselves."""
    report = begun(club)
    moves(club, report, NEW)
    club.answer(club.last(NEW), "join", NEW)
    with club.desk.store.reading() as connection:
        assert players.by_address(connection, NEW) is None


def test_an_address_is_his_to_whom_it_said_yes(club: Club) -> None:
    """Even if somebody else asked for it after him."""
    report = begun(club)
    moves(club, report, NEW)
    asked = club.last(NEW)
    moves(club, club.last(BOB), NEW, BOB)
    club.answer(asked, "yes", NEW)
    with club.desk.store.reading() as connection:
        assert who(connection, NEW).id == who(connection, ALICE).id
        assert players.address_for(connection, who(connection, BOB).id) == BOB


def test_an_address_that_is_his_no_more_confirms_nothing(club: Club) -> None:
    """A question that went there while it was his is void."""
    begun(club)
    club.put(letter(ALICE, "resign pebbles-1"))
    asked = club.last(ALICE)
    with club.desk.store.writing() as connection:
        owner = who(connection, ALICE).id
        players.drop_address(connection, ALICE)
        players.give_address(connection, owner, NEW, now=club.clock[0], preferred=True)
    club.answer(asked, "yes", ALICE)
    assert club.match("pebbles-1").state == "running"
    with club.desk.store.reading() as connection:
        assert players.by_address(connection, ALICE) is None


def test_a_question_put_again_after_a_restore_bears_the_same_code(tmp_path: Path) -> None:
    """The letter that caused it is read again hours later; a yes to the first mail still holds."""
    boxes = []
    for hours in (0, 5):
        with club_in(tmp_path / str(hours)) as club:
            begun(club)
            club.later(hours=hours)
            club.put(letter(ALICE, "resign pebbles-1"))
            boxes += [each for each in club.last(ALICE).text.splitlines() if "=== request" in each]
    assert len(boxes) == 2
    assert boxes[0] == boxes[1]


def test_who_was_asked_is_not_asked_again_the_same_day(club: Club) -> None:
    """However often it is wished; the player hears the same answer."""
    report = begun(club)
    for number in range(3):
        moves(club, report, NEW, number=number)
        assert f"A mail has gone to {NEW}" in told(club, ALICE)
    assert len(club.mails(NEW)) == 1
