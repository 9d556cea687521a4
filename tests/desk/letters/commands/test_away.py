"""Days away by mail and by command: what they stop, what they cost, and who reads of them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from support.club import ALICE, BOB, NOON, SEATS, Club, Mail, letter

from referee.desk.matches.time import away
from referee.errors import RefereeError
from referee.store.people import players
from referee.store.tables.people import AwayRow, PlayerRow

DAY = timedelta(days=1)


@pytest.fixture
def begun(club: Club) -> Club:
    """Return a club with a match in which alice is to act, seven days from NOON."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.mails("nobody@example.test")
    return club


def player(club: Club, address: str = ALICE) -> PlayerRow:
    """Return a player."""
    with club.desk.store.reading() as connection:
        found = players.by_address(connection, address)
    assert found is not None
    return found


def noted(club: Club, address: str = ALICE) -> tuple[AwayRow, ...]:
    """Return the days a player has noted."""
    with club.desk.store.reading() as connection:
        return players.away_of(connection, player(club, address).id)


def report(club: Club) -> Mail:
    """Return the last report alice got."""
    club.taken.clear()
    return club.last(ALICE, "report")


def write(club: Club, text: str) -> str:
    """Let alice answer her report; return the answer she gets, on one line."""
    club.answer(report(club), text, ALICE)
    return club.last(ALICE, "answer").flat


@pytest.mark.parametrize(
    "line",
    [
        "away 2026-11-25 to 2026-11-27",
        "Away 2026-11-25 until 2026-11-27.",
        "abwesend 25.11.2026 bis 27.11.2026",
        "away 2026-11-25 – 2026-11-27",
        "away Nov 25 to November 27th",
        "away 25 Nov - 27 Nov",
        "abwesend 25.11. bis 27.11.",
        "abwesend 25. November bis zum 27. Nov.",
    ],
)
def test_days_away_stop_the_clock(begun: Club, line: str) -> None:
    """Three whole days more, and the answer says what is left of the year's days."""
    said = write(begun, line)
    assert "away from Wed 25 Nov 2026 to Fri 27 Nov 2026" in said
    assert "Of the days of 2026 on which you may be away 27 are left" in said
    assert begun.match("pebbles-1").due == NOON + 10 * DAY


@pytest.mark.parametrize(
    "line",
    [
        "abwesend vom 25.11. bis 27.11.",
        "abwesend vom 25. bis 27. November",
        "Pause vom 25.11. bis 27.11.",
        "away from Nov 25 to Nov 27",
    ],
)
def test_days_away_in_a_sentence_are_proposed(begun: Club, line: str) -> None:
    """So begin the notes of robots, too."""
    assert "Did you mean “away 2026-11-25 to 2026-11-27”?" in write(begun, line)


@pytest.mark.fast
def test_a_day_without_a_year_is_the_one_that_came_next_when_it_was_written(begun: Club) -> None:
    """A late yes notes no day of the next year."""
    begun.put(letter(ALICE, "away 24.11.", number=1))
    asked = begun.last(ALICE, "answer")
    assert "away 2026-11-24 to 2026-11-24" in asked.flat
    begun.later(days=4)
    begun.answer(asked, "yes", ALICE)
    assert noted(begun) == ()


def test_one_day_is_one_day(begun: Club) -> None:
    """A single date is both ends."""
    assert "away on Wed 25 Nov 2026" in write(begun, "away 2026-11-25")
    assert "All you have noted: · 1: Wed 25 Nov 2026" in " ".join(write(begun, "away").split())
    assert begun.match("pebbles-1").due == NOON + 8 * DAY


def test_the_others_read_who_is_away_and_until_when(begun: Club) -> None:
    """In their reports, before and while it is so; the player reads it of himself."""
    write(begun, "away 2026-11-25 to 2026-11-27")
    begun.later(hours=1)
    begun.answer(report(begun), report(begun).turn_file["legal"][0], ALICE)
    begun.work()
    said = begun.last(BOB, "report").flat
    assert "Red (alice) is away from Wed 25 Nov 2026 to Fri 27 Nov 2026" in said
    mine = begun.last(ALICE, "report").flat
    assert "You are away from Wed 25 Nov 2026" in mine


def test_today_does_not_bring_back_what_was_used_today(begun: Club) -> None:
    """From the moment it is noted the clock stands, until midnight."""
    begun.later(hours=6)
    write(begun, "away 2026-11-21")
    assert begun.match("pebbles-1").due == datetime(2026, 11, 22, tzinfo=UTC) + 6.75 * DAY


def test_who_is_late_stays_late(begun: Club) -> None:
    """Days away give nothing back of a turn that has run out."""
    begun.later(days=8)
    write(begun, "away 2026-11-29 to 2026-12-05")
    due = begun.match("pebbles-1").due
    assert due is not None
    assert due <= begun.desk.now()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("away 2026-11-27 to 2026-11-25", "Wed 25 Nov 2026 comes before Fri 27 Nov 2026"),
        ("away 2026-11-19 to 2026-11-25", "Thu 19 Nov 2026 is over: where you are it is Sat 21"),
        ("away 19 Nov to 25 Nov", "Thu 19 Nov 2026 is over: where you are it is Sat 21"),
        ("away 2026-02-30 to 2026-12-01", "there is no day “2026-02-30”"),
        ("away 2029-01-01 to 2029-01-02", "more than two years ahead"),
        ("away 2026-12-01 to 2027-01-10", "31 of these days are in 2026"),
        ("away cancel 7", "no days away with the number 7"),
    ],
)
def test_what_cannot_be_noted_is_answered_clearly(begun: Club, line: str, answer: str) -> None:
    """Nothing is noted, and the clock runs as before."""
    said = write(begun, line)
    assert "Nothing was noted" in said
    assert answer in said
    assert begun.match("pebbles-1").due == NOON + 7 * DAY


def test_days_that_overlap_are_refused(begun: Club) -> None:
    """The answer says which are noted already and how to take them back."""
    write(begun, "away 2026-12-01 to 2026-12-05")
    said = write(begun, "away 2026-12-05 to 2026-12-08")
    assert "away from Tue 1 Dec 2026 to Sat 5 Dec 2026" in said
    assert f"“away cancel {noted(begun)[0].id}”" in said


def test_days_to_come_can_be_taken_back(begun: Club) -> None:
    """The rest of a stay away goes, what has passed or begun of it counts."""
    write(begun, "away 2026-11-22 to 2026-11-30")
    begun.later(days=3)
    write(begun, f"away cancel {noted(begun)[0].id}")
    (row,) = noted(begun)
    assert (row.first_day, row.last_day) == ("2026-11-22", "2026-11-24")
    assert begun.match("pebbles-1").due == begun.desk.now() + 7 * DAY


def test_a_day_that_has_begun_is_not_taken_back(begun: Club) -> None:
    """Else a clock could stand still day after day, and no day of the year would be used up."""
    write(begun, "away 2026-11-21")
    before = begun.match("pebbles-1").due
    begun.later(hours=8)
    said = write(begun, f"away cancel {noted(begun)[0].id}")
    assert "no days away with the number" in said
    assert [each.first_day for each in noted(begun)] == ["2026-11-21"]
    assert begun.match("pebbles-1").due == before


def test_away_alone_lists_what_is_noted(begun: Club) -> None:
    """With its numbers."""
    write(begun, "away 2026-12-01 to 2026-12-05")
    said = write(begun, "away")
    assert f"{noted(begun)[0].id}: from Tue 1 Dec 2026 to Sat 5 Dec 2026" in said


def test_prose_about_being_away_is_no_command(begun: Club) -> None:
    """Only dates make it one."""
    begun.answer(report(begun), "away for a while, sorry!", ALICE)
    assert noted(begun) == ()


def test_without_a_code_the_referee_asks_back(begun: Club) -> None:
    """Anybody can write anybody's address on a mail."""
    begun.put(letter(ALICE, "away 2026-12-01 to 2026-12-05", number=9))
    assert noted(begun) == ()
    begun.answer(begun.last(ALICE, "answer"), "yes", ALICE)
    assert len(noted(begun)) == 1


def test_each_year_has_its_own_allowance(begun: Club) -> None:
    """Twelve days of December and twenty of January are within thirty each."""
    assert "away from" in write(begun, "away 2026-12-20 to 2027-01-20")
    with begun.desk.reading() as change:
        assert away.left_of(change, player(begun), 2026) == 18
        assert away.left_of(change, player(begun), 2027) == 10


def test_an_organiser_may_note_more_than_the_allowance(begun: Club) -> None:
    """The fault is named, and it binds him not."""
    first, last = date(2026, 12, 1), date(2026, 12, 31)
    with begun.desk.writing() as change:
        fault = away.away_fault(change, player(begun), first, last)
        away.note_away(change, player(begun), first, last)
    assert fault is not None
    assert fault.why == "allowance"
    assert len(noted(begun)) == 1


def test_an_entry_of_somebody_else_cannot_be_cleared(begun: Club) -> None:
    """Numbers count for all players together."""
    write(begun, "away 2026-12-01")
    bob, number = player(begun, BOB), noted(begun)[0].id
    with begun.desk.writing() as change, pytest.raises(RefereeError, match="no days away"):
        away.cancel_away(change, bob, number)
