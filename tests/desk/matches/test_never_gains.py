"""Whatever happens at the desk, nobody's time grows but by what stands in the log or calendar."""

from __future__ import annotations

import json
import tempfile
from datetime import date, timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from support.club import ALICE, BOB, open_club
from support.thorough import examples

from referee.desk import health
from referee.desk.matches.time import away, clock, outages
from referee.desk.matches.time.outages import ClockWatch
from referee.desk.plans.match import Extend, Pause, Resume
from referee.desk.work import ORGANISER, Work
from referee.matches.events import EXTEND
from referee.matches.time.calendar import parse_days_off
from referee.store.people import players
from referee.store.play import matches

MATCH = "pebbles-1"
DAY = timedelta(days=1)


class Desk(RuleBasedStateMachine):
    """A match of two days a turn whose first turn never ends; beside it what was left last."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.club = open_club(Path(self.folder.name))
        self.counter = 0.0
        self.ticking = ClockWatch(self.club.desk, lambda: self.counter)
        self.ticking.begin()
        seats = f"red={ALICE}", f"blue={BOB}"
        off = parse_days_off("weekends")
        self.club.new_match("pebbles", *seats, per_turn=2 * DAY, days_off=off)
        self.club.work()
        self.club.mails("nobody@example.test")
        self.left, self.logged = 2 * DAY, 0

    def teardown(self) -> None:
        """Close the store and remove its folder."""
        self.club.desk.store.close()
        self.folder.cleanup()

    @rule(hours=st.integers(1, 60), polls=st.booleans())
    def time_passes(self, hours: int, polls: bool) -> None:
        """Let hours go by, with polls all the while, or without one."""
        self.club.later(hours=hours)
        self.counter += hours * 3600
        self.ticking.look()
        if polls:
            health.note_poll(self.club.desk, self.club.desk.now())
            self.club.work()

    @rule(hours=st.integers(-9000, 9000))
    def the_clock_jumps(self, hours: int) -> None:
        """Let a poll succeed, then put the clock forward or back, which is noticed."""
        self._poll()
        self.club.later(hours=hours)
        self.ticking.look()

    @rule()
    def somebody_says_it_is_right(self) -> None:
        """End the alarm, if there is one."""
        with self.club.desk.writing() as change:
            outages.clock_is_right(change)

    @rule(hours=st.integers(1, 30))
    def more_time_is_given(self, hours: int) -> None:
        """Extend the turn by command."""
        self._act(Extend(MATCH, hours * 3_600))

    @rule()
    def the_match_is_paused_or_goes_on(self) -> None:
        """Pause it, or resume it."""
        paused = self.club.match(MATCH).state == "paused"
        self._act(Resume(MATCH) if paused else Pause(MATCH))

    @rule(first=st.integers(0, 3), days=st.integers(0, 3))
    def she_is_away(self, first: int, days: int) -> None:
        """Note days away, if they can be noted."""
        with self.club.desk.writing() as change:
            player = players.by_address(change.connection, ALICE)
            assert player is not None
            begins: date = self.club.desk.now().date() + first * DAY
            if away.away_fault(change, player, begins, begins + days * DAY) is None:
                away.note_away(change, player, begins, begins + days * DAY)

    @rule(zone=st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]))
    def she_moves(self, zone: str) -> None:
        """Change her time zone."""
        with self.club.desk.writing() as change:
            player = players.by_address(change.connection, ALICE)
            assert player is not None
            with clock.calendar_change(change, clock.rows_of(change.connection, player.id)):
                players.update_player(change.connection, player.id, zone=zone)

    @invariant()
    def time_grows_by_the_log_alone(self) -> None:
        """Compare what is left with what was left, and with the grants of the log since."""
        with self.club.desk.reading() as change:
            row = self.club.match(MATCH)
            left = clock.clock_of(change, row).left
            details = [
                json.loads(each.body)["details"]
                for each in matches.events(change.connection, row.id)
                if each.kind == EXTEND
            ]
        assert left is not None
        logged = sum(each["seconds"] for each in details)
        given = timedelta(seconds=logged - self.logged)
        assert timedelta(0) <= left <= self.left + given
        self.left, self.logged = left, logged

    def _act(self, act: Extend | Pause | Resume) -> None:
        with self.club.desk.writing() as change:
            act.carry_out(Work(change, MATCH, ORGANISER, "why not"))
        self.club.work()

    def _poll(self) -> None:
        self.ticking.look()
        outages.note_outage(self.club.desk, self.club.desk.now())
        health.note_poll(self.club.desk, self.club.desk.now())
        self.club.work()


TestNobodyGains = Desk.TestCase
TestNobodyGains.settings = settings(
    max_examples=examples(10), stateful_step_count=12, deadline=None
)
