"""Playthroughs: random games as text, compared line by line."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from referee.games.game import CHANCE, LANGUAGES, AnyGame, Options, Seat
from referee.games.play import canonical_json, position_digest, random_play

VIEWS_EVERY: Final = 25
"""A playthrough shows everybody's view after so many steps."""


def playthrough(game: AnyGame, seats: Sequence[Seat], options: Options, seed: int) -> str:
    """Return a random game as a text to compare line by line.

    It holds options and board, each order with how many were legal and what happened, digests
    when the turn changes, everybody's view now and then, and the result.
    """
    rng = Random(seed)
    # The same generator for board and play: one number names the whole playthrough.
    board = game.board(seats, options, None, rng)
    position = game.start(seats, options, board)
    lines = [
        f"game {game.name} edition {game.edition}",
        f"seats {' '.join(seats)}",
        f"options {canonical_json(dict(options))}",
        f"board {canonical_json(board)}",
        f"start {position_digest(game, position)}",
    ]
    for number, step in enumerate(random_play(game, position, rng), start=1):
        position = step.after
        chance = step.seat == CHANCE
        legal = len(game.chance(step.position) if chance else game.orders(step.position))
        forced = "" if chance or game.forced(step.position) != step.order else " forced"
        text = game.format(step.order, LANGUAGES[0])
        lines.append(f"{number} {step.seat} {text} (of {legal}){forced}")
        for fact in step.facts:
            known = "all" if fact.audience is None else " ".join(sorted(fact.audience)) or "nobody"
            news = ", news" if fact.news else ""
            lines.append(f"  {fact.fact} {canonical_json(dict(fact.fields))} to {known}{news}")
        if game.to_act(position) != step.seat:
            lines.append(f"  digest {position_digest(game, position)}")
        if number % VIEWS_EVERY == 0:
            lines += _told_views(game, seats, position)
    lines += _told_views(game, seats, position)
    result = game.result(position)
    if result is None:
        lines.append(f"unfinished {canonical_json(dict(game.points(position)))}")
    else:
        outcome = {"places": dict(result.places), "points": dict(result.points)}
        lines.append(f"result {result.ending} {canonical_json(outcome)}")
    return "\n".join(lines) + "\n"


def _told_views(game: AnyGame, seats: Sequence[Seat], position: Any) -> list[str]:
    views = [game.view(position, seat) for seat in (*seats, None)]
    return [f"view {view.seat or 'spectator'} {canonical_json(view.document)}" for view in views]
