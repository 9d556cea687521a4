"""Whatever an organiser does to a match, no seat's time grows but by a logged grant or a turn."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import Connection
from support.club import open_club
from support.thorough import examples

from referee.desk import health
from referee.desk.desk import Change
from referee.desk.matches import ledger
from referee.desk.matches.time import away, outages
from referee.desk.matches.time import clock as matches_clock
from referee.desk.plans import person
from referee.desk.plans.act import OnMatch
from referee.desk.plans.board import Acting, Fix, Redo, Undo
from referee.desk.plans.match import Extend, Pause, Resume
from referee.desk.plans.seat import HandOver, SitIn
from referee.desk.players import BadPlayer, add_player
from referee.desk.work import ORGANISER, Refused, Work
from referee.matches.events import EXTEND
from referee.matches.time.calendar import parse_days_off
from referee.store.people import players
from referee.store.play import matches
from referee.store.tables.play import MatchRow, SeatRow

MATCH = "pebbles-1"
DAY, NONE = timedelta(days=1), timedelta(0)
BANK, INCREMENT = timedelta(hours=40), timedelta(hours=20)
ZONES = {
    "alice": "Europe/Berlin", "bob": "America/New_York", "carol": "Australia/Lord_Howe",
    "erin": "UTC", "teal": "Asia/Kolkata",
}  # fmt: skip
MEMBERS, SEATS = st.sampled_from(sorted(ZONES)), st.sampled_from(["red", "blue"])


def at(name: str) -> str:
    """Return the address of a member."""
    return f"{name}@example.test"


class Mending(RuleBasedStateMachine):
    """A match in which everything is mended all the time; beside it what each seat had last."""

    pace: ClassVar[dict[str, Any]]

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.club = open_club(Path(self.folder.name))
        with self.club.desk.writing() as change:
            for name, zone in ZONES.items():
                add_player(
                    change, at(name), name=name, language="en", zone=zone,
                    format="html",
                )  # fmt: skip
        off = parse_days_off("sun")
        seats = f"red={at('alice')}", f"blue={at('bob')}"
        self.club.new_match("pebbles", *seats, days_off=off, **self.pace)
        self._settle()
        self.had = self._time()

    def teardown(self) -> None:
        """Close the store and remove its folder."""
        self.club.desk.store.close()
        self.folder.cleanup()

    @rule(hours=st.integers(1, 100), polls=st.booleans())
    def time_passes(self, hours: int, polls: bool) -> None:
        """Let hours go by, with polls all the while, or with the referee out."""
        self.club.later(hours=hours)
        if polls:
            health.note_poll(self.club.desk, self.club.desk.now())
        self._settle()

    @rule(choice=st.integers(0, 99))
    def an_order_is_given(self, choice: int) -> None:
        """Play for the seat to act."""
        with self.club.desk.reading() as change:
            live = ledger.load_match(change, self._row).live
        if live.turn.seat is not None and not live.turn.over:
            legal = list(live.game.orders(live.position))
            order = live.game.format(legal[choice % len(legal)], "en")
            self._act(Acting(MATCH, live.turn.seat, [order]))

    @rule(turn=st.none() | st.integers(1, 6))
    def it_is_taken_back(self, turn: int | None) -> None:
        """Undo the last turn, or several."""
        self._act(Undo(MATCH, turn, revealed=True))

    @rule()
    def it_is_done_again(self) -> None:
        """Redo, if there is anything."""
        self._act(Redo(MATCH))

    @rule(choice=st.integers(0, 9), seat=SEATS)
    def it_is_fixed(self, choice: int, seat: str) -> None:
        """Deal anew what is hidden, or let another seat be on turn."""
        with self.club.desk.reading() as change:
            live = ledger.load_match(change, self._row).live
        other: Any = live.game.dump(live.game.redeal(live.position, None, Random(choice)))
        self._act(Fix(MATCH, {**other, "turn": seat} if choice % 2 else other))

    @rule(seat=SEATS, who=MEMBERS | st.sampled_from(["bot", "nobody"]))
    def a_seat_is_given_away(self, seat: str, who: str) -> None:
        """Give it to a player, a bot, or nobody."""
        address = None if who in {"bot", "nobody"} else at(who)
        self._act(HandOver(MATCH, seat, address, "greedy" if who == "bot" else None))

    @rule(seat=SEATS, who=MEMBERS, first=st.integers(0, 2), days=st.integers(0, 3))
    def somebody_sits_in(self, seat: str, who: str, first: int, days: int) -> None:
        """Let a member sit for the player of a seat for some days."""
        begins = self._today + first * DAY
        self._act(SitIn(MATCH, seat, begins, begins + days * DAY, at(who)))

    @rule(old=MEMBERS, new=MEMBERS)
    def two_turn_out_to_be_one(self, old: str, new: str) -> None:
        """Merge two players, if they may be."""
        with self.club.desk.writing() as change:
            found = [players.by_address(change.connection, at(each)) for each in (old, new)]
            if found[0] and found[1]:
                with suppress(BadPlayer):
                    person.merge_players(change, found[0], found[1])

    @rule(who=MEMBERS, first=st.integers(0, 3), days=st.integers(0, 3))
    def somebody_is_away(self, who: str, first: int, days: int) -> None:
        """Note days away, if they can be noted."""
        with self.club.desk.writing() as change:
            player = players.by_address(change.connection, at(who))
            begins = self._today + first * DAY
            ends = begins + days * DAY
            if player and away.away_fault(change, player, begins, ends) is None:
                away.note_away(change, player, begins, ends)

    @rule()
    def it_is_paused_or_goes_on(self) -> None:
        """Pause the match, or resume it."""
        self._act(Resume(MATCH) if self._row.state == "paused" else Pause(MATCH))

    @rule(seat=SEATS, hours=st.integers(1, 30))
    def more_time_is_given(self, seat: str, hours: int) -> None:
        """Extend a turn, or a bank."""
        self._act(Extend(MATCH, hours * 3_600, seat))

    @invariant()
    def time_grows_by_the_log_alone(self) -> None:
        """Compare what each seat has, without what it was given, with what it had so."""
        has = self._time()
        for key in has.keys() & self.had.keys():
            assert has[key] <= self.had[key], key
        self.had = has

    @property
    def _row(self) -> MatchRow:
        return self.club.match(MATCH)

    @property
    def _today(self) -> date:
        return self.club.desk.now().date()

    def _act(self, act: OnMatch) -> None:
        with suppress(Refused), self.club.desk.writing() as change:
            act.carry_out(Work(change, MATCH, ORGANISER, "why not"))
        self._settle()

    def _settle(self) -> None:
        outages.note_outage(self.club.desk, self.club.desk.now())
        health.note_poll(self.club.desk, self.club.desk.now())
        self.club.work()
        self.club.mails("nobody@example.test")

    def _time(self) -> dict[Any, timedelta]:
        """Return the time everybody has, without what he was given since the match began."""
        with self.club.desk.store.reading() as connection:
            return self._own(connection, self._row)

    def _own(self, connection: Connection, row: MatchRow) -> dict[Any, timedelta]:
        """Return the time each seat has of its own: of its bank, or of the turn."""
        raise AssertionError("each kind of clock says this for itself")

    def _granted(self, connection: Connection, row: MatchRow) -> list[tuple[str | None, int, int]]:
        """Return seat, event and seconds of every grant in the log."""
        found = [each for each in matches.events(connection, row.id) if each.kind == EXTEND]
        return [(e.seat, e.seq, json.loads(e.body)["details"]["seconds"]) for e in found]


class Banked(Mending):
    """Each seat has a bank: all that stands in it came with a turn that stands, or a grant."""

    pace: ClassVar[dict[str, Any]] = {
        "per_turn": None, "bank": BANK, "increment": INCREMENT,
    }  # fmt: skip

    def _own(self, connection: Connection, row: MatchRow) -> dict[Any, timedelta]:
        turns = matches.turns(connection, row.id)
        begun = Counter(each.seat for each in turns if each.state != "undone")
        granted: Counter[str | None] = Counter()
        for seat, _, seconds in self._granted(connection, row):
            granted[seat] += seconds
        clock = matches_clock.clock_of(Change(self.club.desk, connection), row)

        def own(seat: SeatRow) -> timedelta:
            now = BANK if seat.bank is None else timedelta(seconds=seat.bank)
            if seat.seat == row.to_act and clock.run is not None and clock.left is not None:
                now = clock.left - clock.run.owed
            given = begun[seat.seat] * INCREMENT + timedelta(seconds=granted[seat.seat])
            return now - given

        return {each.seat: own(each) for each in matches.seats(connection, row.id)}


class PerTurn(Mending):
    """Each turn has its time, and nothing but a grant adds to it."""

    pace: ClassVar[dict[str, Any]] = {"per_turn": 2 * DAY}

    def _own(self, connection: Connection, row: MatchRow) -> dict[Any, timedelta]:
        left = matches_clock.clock_of(Change(self.club.desk, connection), row).left
        if left is None:
            return {}
        began = row.turn_began_seq
        given = sum(each[2] for each in self._granted(connection, row) if each[1] > began)
        own = left - timedelta(seconds=given)
        assert own <= 2 * DAY
        return {(row.turn, began): own}


TestNoBankGrows = Banked.TestCase
TestNoTurnGrows = PerTurn.TestCase
TestNoBankGrows.settings = settings(
    max_examples=examples(14), stateful_step_count=25, deadline=None
)
TestNoTurnGrows.settings = TestNoBankGrows.settings
