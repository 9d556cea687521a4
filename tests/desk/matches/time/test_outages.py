"""Outages and clock jumps: what they stop, and what is given back."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from support.club import NOON, Club
from support.timed import ALICE, BOB, DAY, HOUR, MATCH, SEATS, bank, begin, leave, left, play, poll

from referee.desk.matches.time import outages
from referee.desk.matches.time.outages import ClockWatch
from referee.desk.plans.match import SetRight
from referee.desk.plans.plan import apply_act, propose
from referee.desk.plans.seat import HandOver
from referee.errors import RefereeError
from referee.matches.events import EXTEND
from referee.store.database.errors import StoreLocked
from referee.store.play import matches
from referee.store.post import outbox

pytestmark = pytest.mark.fast


def grants(club: Club) -> list[dict[str, Any]]:
    """Return the details of every grant in the log."""
    with club.desk.store.reading() as connection:
        rows = matches.events(connection, club.match(MATCH).id)
    return [json.loads(each.body)["details"] for each in rows if each.kind == EXTEND]


def test_an_outage_across_a_deadline_is_given_back_publicly(club: Club) -> None:
    """An event says who gave how much; both players read it in their next report."""
    begin(club, per_turn=DAY, late="idle")
    poll(club)
    club.later(days=3)
    poll(club)
    assert club.match(MATCH).to_act == "red"
    assert club.match(MATCH).due == NOON + 4 * DAY
    (given,) = grants(club)
    assert (given["by"], given["seconds"]) == ("referee", 3 * 86_400)
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    club.work()
    said = club.last(BOB, "report").flat
    assert "could not be reached from Sat 21 Nov 2026, 12:00 (UTC) to" in said
    assert "Red was given 3 days for it." in said


def test_a_letter_after_an_outage_is_charged_without_it(club: Club) -> None:
    """It is handled before the agenda comes to its match; the grant stands before its order."""
    begin(club, per_turn=None, bank=10 * DAY)
    poll(club)
    club.later(days=3)
    outages.note_outage(club.desk, club.desk.now())
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    assert bank(club, "red") == 10 * 86_400
    assert len(grants(club)) == 1
    club.work()
    assert len(grants(club)) == 1


def test_a_short_silence_is_no_outage(club: Club) -> None:
    """A quarter of an hour without a poll is nobody's loss."""
    begin(club, per_turn=DAY)
    poll(club)
    club.later(minutes=15)
    poll(club)
    assert grants(club) == []
    assert club.match(MATCH).due == NOON + DAY


@pytest.mark.parametrize(("minutes", "given"), [(16, []), (17, [17 * 60])])
def test_a_silence_is_an_outage_a_quarter_of_an_hour_after_the_next_poll(
    club: Club, minutes: int, given: list[int]
) -> None:
    """It is given back as a whole, the pause between two polls included."""
    club.settle(poll_seconds=60)
    begin(club, per_turn=DAY)
    poll(club)
    club.later(minutes=minutes)
    poll(club)
    assert [grant["seconds"] for grant in grants(club)] == given


@pytest.mark.parametrize(("minutes", "jumps"), [(4, False), (-4, False), (6, True), (-6, True)])
def test_more_than_five_minutes_are_a_jump(club: Club, minutes: int, *, jumps: bool) -> None:
    """Less is what a clock goes wrong by itself, or is set by."""
    begin(club)
    counter = [0.0]
    ticking = ClockWatch(club.desk, lambda: counter[0])
    ticking.begin()
    club.later(hours=1, minutes=minutes)
    counter[0] += 3600
    ticking.look()
    with club.desk.store.reading() as connection:
        assert (outages.lasting_outage(connection) is not None) == jumps


@pytest.mark.parametrize("jump", [HOUR, -HOUR, 365 * DAY, -365 * DAY])
def test_a_jump_stops_deadlines_until_it_is_put_right(club: Club, jump: timedelta) -> None:
    """Nothing is played for anybody, letters are; then the clock goes on with what was left."""
    begin(club, per_turn=DAY, late="idle")
    report = club.last(ALICE, "report")
    counter = [0.0]
    ticking = ClockWatch(club.desk, lambda: counter[0])
    ticking.begin()
    poll(club)
    ticking.look()
    club.later(hours=6)
    counter[0] += 6 * 3600
    ticking.look()
    club.clock[0] += jump
    counter[0] += 1
    ticking.look()
    poll(club)
    club.later(days=2)
    counter[0] += 2 * 86_400
    ticking.look()
    poll(club)
    assert club.match(MATCH).to_act == "red"
    assert left(club) == 18 * HOUR
    play(club, ALICE, report)
    assert club.match(MATCH).to_act == "blue"
    club.work()
    leave(club)
    with club.desk.writing() as change:
        assert outages.clock_is_right(change) is not None
    poll(club)
    assert left(club) == DAY
    assert club.match(MATCH).due == club.desk.now() + DAY
    told = [each["cause"] for each in grants(club)]
    assert told == (["jump"] if club.desk.now() > NOON else [])


def test_a_jump_that_cannot_be_noted_is_seen_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database was locked just then; the next look tells it all the same."""
    begin(club)
    counter = [0.0]
    ticking = ClockWatch(club.desk, lambda: counter[0])
    ticking.begin()
    club.later(days=1)
    counter[0] += 1

    def note_jump(*given: object) -> None:
        raise StoreLocked("locked")

    with monkeypatch.context() as broken:
        broken.setattr(outages, "note_jump", note_jump)
        with pytest.raises(StoreLocked):
            ticking.look()
    ticking.look()
    with club.desk.store.reading() as connection:
        assert outages.lasting_outage(connection) is not None


def test_a_jump_ahead_puts_off_nothing(club: Club) -> None:
    """Whatever waits is due by the clock before it too, which the other daemons may have."""
    begin(club)
    last = club.desk.now()
    club.later(days=1)
    outages.note_jump(club.desk, last)
    assert club.match(MATCH).agenda_at == last


def test_an_outage_right_after_a_clock_was_put_right_is_given_back(club: Club) -> None:
    """No poll has succeeded between the organiser's word and the days the referee was out."""
    begin(club, per_turn=DAY, late="idle")
    poll(club)
    outages.note_jump(club.desk, club.desk.now())
    with club.desk.writing() as change:
        outages.clock_is_right(change)
    club.work()
    club.later(days=3)
    poll(club)
    assert (club.match(MATCH).to_act, left(club)) == ("red", DAY)


def test_a_clock_that_is_earlier_than_what_was_kept_is_noticed_at_the_start(club: Club) -> None:
    """A daemon that begins a year before its last poll raises the alarm."""
    begin(club)
    poll(club)
    club.later(days=-365)
    ClockWatch(club.desk, lambda: 0.0).begin()
    with club.desk.store.reading() as connection:
        jump = outages.lasting_outage(connection)
    assert jump is not None
    assert "referee clock --is-right" in outages.jump_line(jump)


def test_no_match_is_changed_by_a_clock_that_is_behind_until_that_is_noticed(club: Club) -> None:
    """A turn begun by it would lose the time until it is right; an alarm lets every clock stand."""
    begin(club)
    poll(club)
    club.later(hours=-50)
    act = HandOver(MATCH, "blue", bot="random")
    for change in (
        lambda: propose(club.desk, act, "why"),
        lambda: apply_act(club.desk, act, "why"),
        lambda: club.new_match("pebbles", *SEATS),
    ):
        with pytest.raises(
            RefereeError, match="which lies in the future: set this machine's clock"
        ):
            change()
    ClockWatch(club.desk, lambda: 0.0).begin()
    assert apply_act(club.desk, act, "why").state == "applied"


def test_an_organiser_may_say_that_the_clock_is_right_where_no_daemon_can_run(club: Club) -> None:
    """As of a copy restored on another machine, which has no log-in yet."""
    begin(club)
    poll(club)
    club.later(hours=-50)
    assert apply_act(club.desk, SetRight(), "the old one was wrong").state == "applied"
    assert apply_act(club.desk, HandOver(MATCH, "blue", bot="random"), "why").state == "applied"


def test_players_letters_change_a_match_while_the_clock_is_behind(club: Club) -> None:
    """What all agree to, such as a takeback, is no act of the organiser's."""
    begin(club)
    club.answer(club.last(ALICE, "report"), "pass", ALICE)
    club.work()
    club.answer(club.last(ALICE, "report"), "undo", ALICE)
    poll(club)
    club.later(hours=-50)
    assert club.answer(club.last(BOB), "agree", BOB).state == "handled"
    assert club.match(MATCH).to_act == "red"


def test_mail_that_waits_for_a_moment_put_back_leaves_at_once(club: Club) -> None:
    """A report written by a clock that was a year ahead is not kept back for a year."""
    club.later(days=365)
    club.new_match("pebbles", *SEATS)
    club.work()
    club.later(days=-365)
    outages.note_jump(club.desk, NOON + 365 * DAY)
    with club.desk.store.reading() as connection:
        assert len(outbox.due_mails(connection, club.desk.now())) == 2
