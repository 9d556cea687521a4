"""Matches played again from their logs, trusted or recomputed in full."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from referee.games.game import CHANCE, AnyGame, Order, Unreadable
from referee.games.play import canonical_json
from referee.matches import croupier, events, takeback
from referee.matches.events import BrokenLog, Event
from referee.matches.log import (
    LOG_LANGUAGE,
    AnyMatch,
    Logged,
    annotate,
    conclude,
    open_log,
    play_chance,
    play_order,
    result_from_document,
    step_match,
    turn_after,
)
from referee.matches.terms import Terms
from referee.matches.time.moments import parse_moment

CHECKED_LAST: Final = ("digest", "hash")
"""Fields compared last: they differ whenever another does, and that one is to be named."""


def restore_match(game: AnyGame, terms: Terms, seed: bytes, log: Sequence[Event]) -> AnyMatch:
    """Return the match its complete log describes. Raises BrokenLog."""
    return at_event(game, terms, seed, log, len(log))


def walk_events(
    match: AnyMatch, events: Iterable[Event], *, check: bool = False
) -> Iterator[tuple[AnyMatch, Logged]]:
    """Yield a match after each event of its log, with the event and its facts.

    ``match`` is the one before them, with the last seed of its log. ``check``: every event is
    played as if it were new and compared. Raises BrokenLog.
    """
    log = list(events)
    replay = Replay.of(match, log)
    for event in log:
        logged = replay.follow(event, check=check)
        yield replay.match, logged


def at_turn(game: AnyGame, terms: Terms, seed: bytes, log: Sequence[Event], turn: int) -> AnyMatch:
    """Return a match as it stood when a current turn began, or as it is if that is yet to come."""
    start = events.turn_start(log, turn)
    return at_event(game, terms, seed, log, len(log) if start is None else start)


def at_event(game: AnyGame, terms: Terms, seed: bytes, log: Sequence[Event], seq: int) -> AnyMatch:
    """Return a match as it stood after an event, 0 for before the first. Raises KeyError."""
    replay = Replay.of(open_log(game, terms, seed), log)
    for event in log[:seq]:
        replay.follow(event)
    return replay.stages[seq]


@dataclass(slots=True)
class Replay:
    """A match played again, with the state after each event.

    ``seeds`` are those it was reopened with, the first of them next.
    """

    match: AnyMatch
    seeds: list[bytes]
    log: list[Event] = field(default_factory=list)
    stages: dict[int, AnyMatch] = field(default_factory=dict)

    @classmethod
    def of(cls, match: AnyMatch, log: Iterable[Event]) -> Replay:
        """Return the replay of a match that stands before a log and bears its last seed.

        The seeds before that stand in the log's reopenings, and the match begins with the first.
        """
        seeds: list[bytes] = []
        for event in log:
            if event.kind == events.REOPEN:
                try:
                    seeds.append(bytes.fromhex(str(event.details.get("seed"))))
                except ValueError:
                    raise BrokenLog(event.seq, "seed is not hexadecimal") from None
        own, *later = [*seeds, match.seed]
        first = dataclasses.replace(match, seed=own)
        return cls(first, later, stages={match.seq: first})

    def follow(self, event: Event, *, check: bool = False) -> Logged:
        """Play the next event, trusting it, or checking all of it, hash, draw and salt included.

        Raises BrokenLog naming the first difference and the expected value.
        """
        match = self.match
        if check:
            if event.seq != match.seq + 1:
                raise BrokenLog(event.seq, f"seq is {event.seq}, expected {match.seq + 1}")
            if event.previous != match.head:
                raise BrokenLog(event.seq, f"previous is {event.previous}, expected {match.head}")
            after, logged = self._again(event)
            expected = logged.event
            # True equals 1, but whoever reads a log has refused the one in place of the other.
            if event != expected:
                one, other = event.to_document(), expected.to_document()
                # Those from which others follow come first.
                for name in sorted(one, key=lambda name: name in CHECKED_LAST):
                    was, should = canonical_json(one[name]), canonical_json(other[name])
                    if was != should:
                        raise BrokenLog(event.seq, f"{name} is {was}, expected {should}")
        elif event.kind in events.BOARD_KINDS:
            position, facts = match.game.apply(match.position, _order_of(match, event))
            turn = turn_after(match.turn, match.game.to_act(position), event.seq)
            after, logged = step_match(match, position, event, turn), Logged(event, facts)
        else:
            said, _ = self._again(event)
            after, logged = dataclasses.replace(said, head=event.hash), Logged(event)
        self.match = after
        self.log.append(event)
        self.stages[event.seq] = after
        return logged

    def _again(self, event: Event) -> tuple[AnyMatch, Logged]:
        """Do again what an event says, as if it were new. Raises BrokenLog if that cannot be."""
        match, actor = self.match, self.match.to_act or "nobody"
        if event.kind == events.CHANCE_EVENT:
            if actor != CHANCE:
                raise BrokenLog(event.seq, f"chance does not act here, but {actor}")
            return play_chance(match)
        if event.kind == events.ORDER:
            if match.to_act != event.seat or event.seat in (None, CHANCE):
                raise BrokenLog(event.seq, f"an order of {event.seat}, expected one of {actor}")
            order = _order_of(match, event)
            refused = match.game.refusal(match.position, order)
            if refused is not None:
                why = " ".join(filter(None, (refused.code, refused.rule)))
                raise BrokenLog(event.seq, f"the order {event.order!r} is not legal here: {why}")
            # A choice must not be passed off as the only order there was.
            if event.forced and match.game.forced(match.position) != order:
                raise BrokenLog(event.seq, f"the order {event.order!r} was not forced")
            order = match.game.canonical(match.position, order)
            return play_order(match, order, _moment(event), forced=event.forced)
        seats = match.terms.seats
        if event.seat is not None and event.seat not in seats:
            raise BrokenLog(event.seq, f"seat is {event.seat}, expected one of {', '.join(seats)}")
        by, doers = event.details.get("by"), (*events.DOERS, *seats)
        if by is not None and by not in doers:
            told = canonical_json(by)
            raise BrokenLog(event.seq, f"by is {told}, expected one of {', '.join(doers)}")
        if event.kind in events.SETTING:
            return self._mended(event)
        kind, seat, details = event.kind, event.seat, event.details
        if kind in events.ANNOTATIONS:
            return annotate(match, kind, _moment(event), seat=seat, details=details)
        if kind != events.END:
            raise BrokenLog(event.seq, f"an event of kind {kind!r} cannot be replayed")
        try:
            return conclude(match, result_from_document(details), _moment(event), seat=seat)
        except ValueError as error:
            raise BrokenLog(event.seq, str(error)) from None

    def _mended(self, event: Event) -> tuple[AnyMatch, Logged]:
        """Mend the match again as an event says. Raises BrokenLog when it cannot have been."""
        match, moment, details = self.match, _moment(event), event.details
        by, why = str(details.get("by")), str(details.get("why"))
        try:
            if event.kind == events.FIX:
                patch: Any = details["patch"]
                return takeback.fix_position(match, patch, moment, by=by, why=why)
            to = events.base_of(event)
            if event.kind == events.REDO:
                if to != events.redo_goal(self.log):
                    raise BrokenLog(event.seq, f"nothing was taken back that led to event {to}")
            elif not any(events.base_of(past) == to for past in events.current_events(self.log)):
                raise BrokenLog(event.seq, f"event {to} is none that led to event {match.seq}")
            earlier = self.stages[to]
            if event.kind != events.REOPEN:
                return takeback.stand_again(match, event.kind, earlier, moment, by=by, why=why)
            seed = self.seeds.pop(0) if self.seeds else b""
            if croupier.commitment(seed) != details.get("commitment"):
                raise BrokenLog(event.seq, "commitment is not that of the seed that follows")
            return takeback.reopen(match, earlier, seed, moment, by=by, why=why)
        except takeback.UNUSABLE as error:
            raise BrokenLog(event.seq, f"this {event.kind} cannot be: {error}") from None


def _order_of(match: AnyMatch, event: Event) -> Order:
    try:
        return match.game.parse(event.order or "", LOG_LANGUAGE)
    except Unreadable as error:
        raise BrokenLog(
            event.seq, f"the order {event.order!r} cannot be read: {error.code}"
        ) from None


def _moment(event: Event) -> str:
    try:
        parse_moment(event.arrival or "")
    except ValueError as error:
        raise BrokenLog(event.seq, f"arrival: {error}") from None
    return event.arrival or ""
