"""Matches as values, and the one way to add events to them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeAlias, TypeVar

from referee.games.game import (
    CHANCE,
    LANGUAGES,
    AnyGame,
    Document,
    Fact,
    Game,
    Order,
    Result,
    Scene,
    Seat,
    View,
)
from referee.games.play import position_digest
from referee.matches import croupier
from referee.matches.events import ANNOTATIONS, CHANCE_EVENT, END, ORDER, Event, LoggedDraw, seal
from referee.matches.terms import Terms
from referee.value import Value, asdict, replace

P = TypeVar("P")

LOG_LANGUAGE: Final = LANGUAGES[0]
"""The language orders are logged in."""

DECLARED: Final = "declared"
"""How a match ended whose result somebody said, an organiser or a file."""

LATE: Final = "late"
"""The ending of a match in which a seat resigned by agreement, as its time was up."""


class Turn(Value):
    """A turn: its seat, its number, and where it began.

    ``number`` counts from 1; it is 0 while the set-up is drawn. ``seat`` is None then and when the
    match is ``over``. ``began`` is the seq of the event it began after, 0 at the beginning.
    """

    number: int
    seat: Seat | None
    began: int
    over: bool


@dataclass(frozen=True, slots=True)
class Match(Generic[P]):
    """One match after its event ``seq``; ``head`` is that event's hash.

    ``draws`` counts the draws of the current line. ``ended`` holds the result when an organiser
    or a resignation ended the match; otherwise the game knows it.
    """

    game: Game[P]
    terms: Terms
    seed: bytes = field(repr=False)
    position: P
    seq: int
    head: str
    draws: int
    turn: Turn
    ended: Result | None = None
    # Mails of one match share them: a view is a copy of the position, and a scene drawn from it.
    _views: dict[Seat | None, View] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _scenes: dict[Seat | None, Scene] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def key(self) -> bytes:
        """The key of the match's draws and salts."""
        return croupier.chance_key(self.seed, self.terms.words)

    @property
    def to_act(self) -> Seat | None:
        """The seat that acts now, CHANCE, or None after the end."""
        # A match ended by hand stands in a position in which the game would go on.
        return None if self.turn.over else self.game.to_act(self.position)

    @property
    def result(self) -> Result | None:
        """The result of the match; None while it runs."""
        return self.ended or self.game.result(self.position)

    def view(self, seat: Seat | None) -> View:
        """Return the view of a seat (None: a spectator)."""
        if seat not in self._views:
            self._views[seat] = self.game.view(self.position, seat)
        return self._views[seat]

    def scene(self, seat: Seat | None) -> Scene:
        """Return the view of a seat (None: a spectator) described for drawing.

        After the end, sentences about a next act are left out.
        """
        if seat not in self._scenes:
            scene = self.game.scene(self.view(seat))
            if self.turn.over:
                panels = (
                    replace(
                        panel, sentences=tuple(said for said in panel.sentences if not said.pending)
                    )
                    for panel in scene.panels
                )
                scene = replace(scene, panels=tuple(panel for panel in panels if panel.sentences))
            self._scenes[seat] = scene
        return self._scenes[seat]


AnyMatch: TypeAlias = Match[Any]
"""A match of any game."""


class Logged(Value):
    """An event written, and the facts it brought about."""

    event: Event
    facts: tuple[Fact, ...] = ()


def open_log(game: AnyGame, terms: Terms, seed: bytes) -> AnyMatch:
    """Return a match before its first event. Raises ValueError when the terms do not fit."""
    return match_at(game, terms, seed, game.start(terms.seats, terms.options, terms.board))


def match_at(game: AnyGame, terms: Terms, seed: bytes, position: Any) -> AnyMatch:
    """Return a match that begins at a position."""
    turn = turn_after(Turn(0, None, 0, over=False), game.to_act(position), 0)
    return Match(game, terms, seed, position, 0, terms.header_hash(), 0, turn)


def play_order(
    match: AnyMatch,
    order: Order,
    arrival: str | None,
    *,
    forced: bool = False,
    draw: LoggedDraw | None = None,
) -> tuple[AnyMatch, Logged]:
    """Play a legal order of the seat to act, or what chance has drawn, and log it."""
    game = match.game
    position, facts = game.apply(match.position, order)
    next_seat = game.to_act(position)
    turn = turn_after(match.turn, next_seat, match.seq + 1)
    event = next_event(
        match,
        kind=ORDER if draw is None else CHANCE_EVENT,
        seat=game.to_act(match.position),
        order=game.format(order, LOG_LANGUAGE),
        forced=forced,
        arrival=arrival,
        draw=draw,
        # Only where a turn ends: a digest after every step would slow down each replay.
        digest=None if turn == match.turn else position_digest(game, position),
    )
    return step_match(match, position, event, turn), Logged(event, facts)


def play_chance(match: AnyMatch) -> tuple[AnyMatch, Logged]:
    """Draw an outcome of chance, play it, and log it with all possible outcomes."""
    outcomes = match.game.chance(match.position)
    number = match.draws + 1
    weights = [weight for _, weight in outcomes]
    # The number of the draw goes into the hash, so that no two draws of a match are related.
    order, _ = outcomes[croupier.draw_outcome(match.key, match.terms.match, number, weights)]
    # Logged with all their weights, because a verifier must see what could have been drawn.
    texts = tuple((match.game.format(drawn, LOG_LANGUAGE), weight) for drawn, weight in outcomes)
    return play_order(match, order, None, draw=LoggedDraw(number, texts))


def annotate(
    match: AnyMatch, kind: str, arrival: str, *, seat: Seat | None = None, details: Document
) -> tuple[AnyMatch, Logged]:
    """Log an event such as a pause, which changes neither position nor turn.

    Raises ValueError for a kind that would change them.
    """
    if kind not in ANNOTATIONS:
        raise ValueError(f"an event of kind {kind!r} is no annotation")
    event = next_event(match, kind=kind, seat=seat, arrival=arrival, details=details)
    return dataclasses.replace(match, seq=event.seq, head=event.hash), Logged(event)


def conclude(
    match: AnyMatch, result: Result, arrival: str, *, seat: Seat | None = None
) -> tuple[AnyMatch, Logged]:
    """End a match otherwise than by its rules.

    ``seat`` is the one that resigned, if that ended it. Raises ValueError when it is over already,
    or the points are not those on the board, or a seat has no place.
    """
    if match.turn.over:
        raise ValueError(f"{match.terms.match} is over already")
    # Otherwise a record could be closed by any result its referee likes.
    if result.points != match.game.points(match.position):
        raise ValueError("the points of an end are those on the board")
    if set(result.places) != set(match.terms.seats):
        raise ValueError("the end of a match gives every seat a place")
    event = next_event(
        match,
        kind=END,
        seat=seat,
        arrival=arrival,
        details=asdict(result),
        digest=position_digest(match.game, match.position),
    )
    turn = Turn(match.turn.number, None, event.seq, over=True)
    after = dataclasses.replace(match, seq=event.seq, head=event.hash, turn=turn, ended=result)
    return after, Logged(event)


def result_from_document(document: Mapping[str, Any]) -> Result:
    """Return the result a document holds. Raises ValueError when it holds none."""
    if set(document) != {"ending", "points", "places"}:
        raise ValueError("a result has the keys ending, points and places")
    return Result(document["ending"], dict(document["points"]), dict(document["places"]))


def step_match(match: Match[P], position: P, event: Event, turn: Turn) -> Match[P]:
    """Return the match after an event that played one order."""
    # Written out, for this is done for each order of a replay and ``replace`` takes three times
    # as long.
    return Match(
        match.game,
        match.terms,
        match.seed,
        position,
        event.seq,
        event.hash,
        match.draws + (event.draw is not None),
        turn,
        match.ended,
    )


def next_event(
    match: AnyMatch,
    *,
    kind: str,
    seat: Seat | None,
    arrival: str | None,
    turn: int | None = None,
    order: str | None = None,
    forced: bool = False,
    draw: LoggedDraw | None = None,
    details: Document | None = None,
    digest: str | None = None,
) -> Event:
    """Return a match's next event, sealed, by default in this turn."""
    seq = match.seq + 1
    return seal(
        Event(
            seq=seq,
            kind=kind,
            turn=match.turn.number if turn is None else turn,
            seat=seat,
            order=order,
            forced=forced,
            arrival=arrival,
            draw=draw,
            previous=match.head,
            # Without the salt a hidden draw could be found out by hashing the few possible ones.
            salt=croupier.salt(match.key, seq),
            details=details or {},
            digest=digest,
        )
    )


def turn_after(turn: Turn, next_seat: Seat | None, seq: int) -> Turn:
    """Return the turn after an event. Chance in between belongs to the seat that acted before."""
    if next_seat is None:
        return Turn(turn.number, None, seq, over=True)
    # A seat that acts again after a draw is still in the same turn.
    if next_seat in (CHANCE, turn.seat):
        return turn
    return Turn(turn.number + 1, next_seat, seq, over=False)
