"""A trial: orders tried at any position, as a match would play them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from referee.games.game import CHANCE, AnyGame, Fact, Order, Refusal, Seat
from referee.games.play import refusal
from referee.matches.log import AnyMatch, match_at, play_chance, play_order
from referee.matches.match import settle_match
from referee.matches.terms import Terms
from referee.value import Value

MATCH: Final = "try"
"""The name of the match; chance is drawn from it."""

STARTED: Final = "2000-01-01T00:00:00Z"
"""The moment of all its orders; no rule knows the time."""


class Trial(Value):
    """The outcome of the orders: the position reached, and the facts on the way.

    ``refusal`` is the reason why the order of number ``at`` could not be played.
    """

    position: Any
    facts: tuple[Fact, ...]
    refusal: Refusal | None = None
    at: int = 0


def run_trial(
    game: AnyGame, position: Any, orders: Sequence[Order], seat: Seat | None, seed: int
) -> Trial:
    """Play orders as a match would, of one seat or any (None).

    Chance is drawn from the seed whenever it is due, unless the order itself is one of its
    outcomes; forced orders are played after the last one given.
    """
    match, facts = begin_match_at(game, position, seed), list[Fact]()
    for number, order in enumerate(orders):
        due = seat is None and match.to_act == CHANCE
        outcomes = match.game.chance(match.position) if due else ()
        if seat != CHANCE and not any(order == outcome for outcome, _ in outcomes):
            match = _drawn(match, facts)
        if seat is not None and match.to_act not in (None, seat):
            return Trial(position, (), Refusal("not-your-turn", "", {"seat": match.to_act}), number)
        if why := refusal(match.game, match.position, order):
            return Trial(position, (), why, number)
        match, logged = play_order(match, game.canonical(match.position, order), STARTED)
        facts += logged.facts
    match = _drawn(match, facts)
    if orders:
        match, settled = settle_match(match, STARTED)
        facts += [fact for logged in settled for fact in logged.facts]
    return Trial(match.position, tuple(facts))


def begin_match_at(game: AnyGame, position: Any, seed: int) -> AnyMatch:
    """Return a practice match that begins at a position."""
    secret = hashlib.sha256(f"{MATCH} {seed}".encode()).digest()
    terms = Terms(
        match=MATCH, game=game.name, edition=game.edition, board={},
        seats=tuple(game.points(position)), options={}, commitment="", practice=True, words={},
        started=STARTED,
    )  # fmt: skip
    return match_at(game, terms, secret, position)


def _drawn(match: AnyMatch, facts: list[Fact]) -> AnyMatch:
    """Draw while chance is due; add the facts and return the match."""
    while match.to_act == CHANCE:
        match, logged = play_chance(match)
        facts += logged.facts
    return match
