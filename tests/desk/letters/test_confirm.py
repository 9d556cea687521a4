"""Questions that wait for a yes: what they show, when they lapse, and whose yes counts."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from support.archived import club_in
from support.club import Club, letter
from support.moving import ALICE, BOB, begun, moves, told, who

from referee.desk import health
from referee.desk.letters.confirm import told_line
from referee.desk.letters.words.keywords import read_command
from referee.desk.service import chores
from referee.render.layout import clean
from referee.render.words.wording import Catalogue
from referee.store.people import players

NEW, MALLORY = "new@example.test", "mallory@example.test"
EVIL = "see evil.test " * 9


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (f"set name {EVIL}", f"set name {clean(EVIL, 40)}"),
        ("set zone europe/berlin", "set zone Europe/Berlin"),
        ("set grace YES", "set grace yes"),
        ("set address EVE@Evil.test", "set address eve@evil.test"),
    ],
)
def test_a_question_shows_what_would_be_set(club: Club, line: str, shown: str) -> None:
    """Not what somebody wrote in a player's name."""
    begun(club)
    club.put(letter(ALICE, line))
    lines = [each for each in club.last(ALICE, "answer").text.splitlines() if "· set" in each]
    assert [each.strip(" ·") for each in lines] == [shown]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("resign", "kapituliere pebbles-1"),
        ("leave pebbles-1", "verlassen pebbles-1"),
        ("watch pebbles-2", "zuschauen pebbles-2"),
        ("away 20.12.2026", "abwesend 2026-12-20 bis 2026-12-20"),
        ("away 2026-12-20 to 2027-01-03", "abwesend 2026-12-20 bis 2027-01-03"),
        ("set name Anna Off", "einstellung name Anna Off"),
        ("set zone europe/berlin", "einstellung zeitzone Europe/Berlin"),
        ("set reminders off", "einstellung erinnerungen aus"),
        ("set quiet 22-7", "einstellung ruhe 22:00-07:00"),
        ("set grace 10m", "einstellung widerrufsfrist 10m"),
        ("set grace yes", "einstellung widerrufsfrist ja"),
        ("set talk 30m", "einstellung gespräch 30m"),
        ("set address neu@example.org", "einstellung adresse neu@example.org"),
    ],
)
def test_a_question_is_put_in_its_readers_language(club: Club, line: str, shown: str) -> None:
    """Sent as it stands there, it asks the same: it is one question, with one code."""
    begun(club)
    club.new_match("pebbles", "red=carol@example.test", f"blue={BOB}")
    with club.desk.store.writing() as connection:
        players.update_player(connection, who(connection, ALICE).id, language="de")
    club.put(letter(ALICE, line))
    text = club.last(ALICE, "answer").text
    (asked,) = [each for each in text.splitlines() if each.startswith("·")]
    assert asked.strip(" ·") == shown
    club.put(letter(ALICE, shown, number=2))
    assert club.last(ALICE, "answer").text == text


@pytest.mark.parametrize("line", ["stopp pebbles-2", "abwesend streiche 1", "abwesend"])
def test_a_command_is_told_as_it_was_written(line: str) -> None:
    """In its writer's language, in words that are read alike."""
    command = read_command(line)
    assert command is not None
    assert told_line(command, Catalogue("de")) == line


def test_orders_a_question_is_about_are_told_in_its_readers_language(club: Club) -> None:
    """Where a yes was nearly said."""
    report = begun(club)
    with club.desk.store.writing() as connection:
        players.update_player(connection, who(connection, ALICE).id, language="de")
    club.answer(report, "put 1 A1?", ALICE)
    club.answer(club.last(ALICE, "receipt"), "ja, wenn Bob das auch findet", ALICE)
    assert "in ihr geht es um: lege 1 A1. Schreib" in told(club, ALICE)


def test_a_resignation_of_no_match_is_answered_in_its_readers_language(club: Club) -> None:
    """The keyword shown is one of it."""
    begun(club)
    begun(club)
    with club.desk.store.writing() as connection:
        players.update_player(connection, who(connection, ALICE).id, language="de")
    club.put(letter(ALICE, "resign"))
    assert "hinter „kapituliere“" in told(club, ALICE)


def test_a_question_about_a_seat_shows_no_words_for_chance(club: Club) -> None:
    """They came before the terms were seen, and do not count; so nobody reads them."""
    begun(club)
    club.new_match("pebbles", "red=open", "blue=open", begins=False)
    club.put(letter(ALICE, "join pebbles-2\nluck go to evil dot example"))
    question = club.last(ALICE, "answer")
    assert "Your words for the seed of chance were not kept" in question.flat
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
    assert chores.do_chores(club.desk) == 2, "more than strangers and bytes of long ago went"
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


def test_who_accepts_a_draw_does_not_resign(club: Club) -> None:
    """A question is answered by a yes that speaks of nothing else."""
    begun(club)
    club.put(letter(ALICE, "resign pebbles-1"))
    club.answer(club.last(ALICE), "ok draw", ALICE)
    assert club.match("pebbles-1").state == "running"


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


def test_a_question_put_again_waits_as_long_as_its_mail_says(club: Club) -> None:
    """Seven days from then on."""
    begun(club)
    club.put(letter(ALICE, "set name Anna", number=1))
    club.later(days=6)
    club.put(letter(ALICE, "set name Anna", number=2))
    asked = club.last(ALICE, "answer")
    club.later(days=5)
    club.answer(asked, "yes", ALICE)
    assert "Anna" in told(club, ALICE)
    with club.desk.store.reading() as connection:
        player = players.by_address(connection, ALICE)
    assert player is not None
    assert player.name == "Anna"


def test_who_was_asked_is_not_asked_again_the_same_day(club: Club) -> None:
    """However often it is wished; the player hears the same answer."""
    report = begun(club)
    for number in range(3):
        moves(club, report, NEW, number=number)
        assert f"A mail has gone to {NEW}" in told(club, ALICE)
    assert len(club.mails(NEW)) == 1
