"""How a turn's clock stands and goes, and that it never gains time by itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from support.thorough import examples

from referee.matches.time.calendar import NONE, Calendar, parse_days_off
from referee.matches.time.turn_clock import UNTOLD, Outage, TurnClock, known_now, through_outages
from referee.value import replace

pytestmark = pytest.mark.fast

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ALWAYS = Calendar()
TOLD = TurnClock(1, 0, 3 * DAY, 3 * DAY).released(UNTOLD, NOON)


def test_a_clock_stands_until_its_player_is_told() -> None:
    """Before that it is not due, and nothing of it is used."""
    clock = TurnClock(1, 0, DAY, DAY)
    assert clock.due(ALWAYS) is None
    assert clock.left_at(NOON + 9 * DAY, ALWAYS) == DAY
    assert clock.released(UNTOLD, NOON).due(ALWAYS) == NOON + DAY


def test_a_stopped_clock_goes_on_with_what_was_left() -> None:
    """A day used, ten days of rest, two days to go."""
    stopped = TOLD.stopped("paused", NOON + DAY, ALWAYS)
    assert stopped.due(ALWAYS) is None
    assert stopped.released("paused", NOON + 11 * DAY).due(ALWAYS) == NOON + 13 * DAY


def test_a_clock_with_two_reasons_to_stand_needs_both_gone() -> None:
    """Paused and out of reach: only when neither holds does it go on."""
    stopped = TOLD.stopped("paused", NOON, ALWAYS).stopped("unreachable", NOON + DAY, ALWAYS)
    assert stopped.released("paused", NOON + DAY).due(ALWAYS) is None
    both = stopped.released("paused", NOON + DAY).released("unreachable", NOON + 2 * DAY)
    assert both.due(ALWAYS) == NOON + 5 * DAY


def test_who_is_late_has_what_he_is_given_from_now_on() -> None:
    """Nothing is taken off for the days he was late."""
    assert TOLD.given(DAY, NOON + 9 * DAY, ALWAYS).due(ALWAYS) == NOON + 10 * DAY


def test_an_outage_is_given_back() -> None:
    """A deadline that fell into it comes as long after its end as it was after its beginning."""
    outage = Outage(1, NOON + 2 * DAY, NOON + 5 * DAY, "outage")
    clock, gains = through_outages(TOLD, [outage], ALWAYS)
    assert clock.due(ALWAYS) == NOON + 6 * DAY
    assert gains == ((outage, 3 * DAY),)
    assert through_outages(clock, [outage], ALWAYS) == (clock, ())


def test_a_weekend_in_an_outage_is_given_once() -> None:
    """A day off stops the clock anyway: only the rest of the outage is given back."""
    weekends = Calendar(days_off=parse_days_off("weekends"))
    friday = NOON + 2 * DAY
    outage = Outage(1, friday, friday + 3 * DAY, "outage")
    clock, gains = through_outages(TOLD, [outage], weekends)
    assert gains == ((outage, DAY),)
    assert clock.due(weekends) == friday + 4 * DAY


def test_who_was_late_before_an_outage_stays_late() -> None:
    """His clock did not run in it."""
    outage = Outage(1, NOON + 4 * DAY, NOON + 5 * DAY, "outage")
    assert through_outages(TOLD, [outage], ALWAYS)[0].due(ALWAYS) == NOON + 3 * DAY


def test_a_clock_that_started_in_an_outage_gets_only_its_own_part() -> None:
    """The report left while the mailbox could not be read."""
    outage = Outage(1, NOON - DAY, NOON + DAY, "outage")
    clock, gains = through_outages(TOLD, [outage], ALWAYS)
    assert gains == ((outage, DAY),)
    assert clock.due(ALWAYS) == NOON + 4 * DAY


@pytest.mark.parametrize("off", [-366 * DAY, -HOUR, HOUR, 366 * DAY])
def test_a_jump_leaves_what_was_left(off: timedelta) -> None:
    """An hour or a year, either way: what was left before the jump is left after it."""
    before = NOON + DAY
    lasting = Outage(1, before, None, "jump")
    assert known_now(before + off, [lasting]) == before
    clock, _ = through_outages(TOLD, [replace(lasting, ended=before + off)], ALWAYS)
    assert clock.left_at(before + off, ALWAYS) == 2 * DAY
    assert clock.due(ALWAYS) == before + off + 2 * DAY


def test_who_was_late_is_late_after_a_clock_was_put_back() -> None:
    """A year less on the calendar gives nobody a year."""
    outage = Outage(1, NOON + 4 * DAY, NOON - 366 * DAY, "jump")
    clock, gains = through_outages(TOLD, [outage], ALWAYS)
    assert clock.left_at(NOON - 366 * DAY, ALWAYS) == NONE
    assert gains == ()


def test_a_clock_is_kept_as_json() -> None:
    """It reads back the same, running or not."""
    for clock in (TOLD, TOLD.stopped("paused", NOON + HOUR, ALWAYS)):
        assert TurnClock.from_document(clock.document()) == clock


class NeverGains(RuleBasedStateMachine):
    """Whatever happens to a clock, what it has comes from its allowance and from what was granted.

    Beside it stands what may have been used at least: the running time that passed while it ran.
    """

    def __init__(self) -> None:
        super().__init__()
        self.now = NOON
        self.calendar = Calendar(days_off=parse_days_off("weekends"))
        self.clock = TurnClock(1, 0, 3 * DAY, 3 * DAY)
        self.granted, self.last = NONE, 3 * DAY
        self.outages: list[Outage] = []

    @property
    def at(self) -> datetime:
        """The moment the clock goes by."""
        return known_now(self.now, self.outages)

    @rule(seconds=st.integers(0, 5 * 86_400))
    def time_passes(self, seconds: int) -> None:
        """Use the clock up, unless it is a day off."""
        self.now += timedelta(seconds=seconds)

    @rule(why=st.sampled_from([UNTOLD, "paused", "unreachable"]))
    def it_stops(self, why: str) -> None:
        """Let it stand for one more reason."""
        self.clock = self.clock.stopped(why, self.at, self.calendar)

    @rule(why=st.sampled_from([UNTOLD, "paused", "unreachable"]))
    def it_goes_on(self, why: str) -> None:
        """Let it go on as far as that reason goes."""
        self.clock = self.clock.released(why, self.at)

    @rule(seconds=st.integers(1, 86_400))
    def it_is_granted(self, seconds: int) -> None:
        """Give it the one way to more time."""
        self.clock = self.clock.given(timedelta(seconds=seconds), self.at, self.calendar)
        self.granted += timedelta(seconds=seconds)
        self.last += timedelta(seconds=seconds)

    @rule(seconds=st.integers(-400 * 86_400, 400 * 86_400))
    def the_clock_jumps(self, seconds: int) -> None:
        """Put it forward or back; until somebody says that it is right, no time passes."""
        if all(each.ended for each in self.outages):
            number = len(self.outages) + 1
            self.outages.append(Outage(number, self.now, None, "jump"))
            self.now += timedelta(seconds=seconds)

    @rule()
    def it_is_said_to_be_right(self) -> None:
        """End the outage; what it took is given back, once."""
        for outage in self.outages:
            if outage.ended is None:
                self.outages[-1] = replace(outage, ended=self.now)
        self.clock, _ = through_outages(self.clock, self.outages, self.calendar)

    @invariant()
    def nothing_is_gained(self) -> None:
        """See that what is left grows by grants alone, and never falls below nothing."""
        clock, _ = through_outages(self.clock, self.outages, self.calendar)
        left = clock.left_at(self.at, self.calendar)
        assert NONE <= left <= self.last
        assert left <= 3 * DAY + self.granted
        self.last = left


TestNeverGains = NeverGains.TestCase
TestNeverGains.settings = settings(max_examples=examples(60), stateful_step_count=30, deadline=None)
