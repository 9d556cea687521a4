"""Small positions of Nord written by hand, and what the game makes of orders on them."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.games import play
from referee.games.game import CHANCE, Refusal
from referee.games.nord import GAME

Doc = dict[str, Any]


def document(*rows: str, **fields: Any) -> Doc:
    """Return a position document on a map; two seats unless said otherwise."""
    base: Doc = {"game": "nord", "edition": 1, "board": {"map": list(rows)}}
    return base | {"seats": ["red", "green"]} | fields


def posted(**warriors: int) -> Doc:
    """Return a settlement with warriors and no jarl."""
    return {"warriors": warriors}


def load(given: Doc) -> Any:
    """Return the position a document describes."""
    return GAME.load(given)


def order(line: str) -> Any:
    """Return the order an English line holds."""
    return GAME.parse(line, "en")


def after(given: Doc, *lines: str) -> Doc:
    """Return the document after orders, all of which must be legal."""
    return GAME.dump(position_after(given, *lines))


def position_after(given: Doc, *lines: str) -> Any:
    """Return the position after orders, all of which must be legal."""
    played = play.play(GAME, load(given), [order(line) for line in lines])
    assert played.refusal is None, (lines[len(played.orders)], played.refusal)
    return played.position


def settled(given: Doc, *lines: str, seed: int = 0) -> Doc:
    """Return the document after orders and after all that chance owes."""
    return GAME.dump(dealt(position_after(given, *lines), seed))


def dealt(position: Any, seed: int = 0) -> Any:
    """Return the position once chance has done all it owes."""
    rng = Random(seed)
    while GAME.to_act(position) == CHANCE:
        outcomes = [o for o, weight in GAME.chance(position) for _ in range(weight)]
        position, _ = GAME.apply(position, rng.choice(outcomes))
    return position


def refused(given: Doc, *lines: str) -> Refusal:
    """Return the refusal of the last order; those before it must be legal."""
    position = position_after(given, *lines[:-1])
    refusal = play.refusal(GAME, position, order(lines[-1]))
    assert refusal is not None, f"{lines[-1]} is allowed"
    return refusal


def allowed(given: Doc, *lines: str) -> bool:
    """Tell whether the last order is legal; those before it must be."""
    position = position_after(given, *lines[:-1])
    return play.refusal(GAME, position, order(lines[-1])) is None


def legal(given: Doc, *lines: str) -> set[str]:
    """Return every legal order as a line, after orders."""
    return texts(position_after(given, *lines))


def texts(position: Any) -> set[str]:
    """Return every legal order of a position as a line."""
    return {GAME.format(each, "en") for each in GAME.orders(position)}


def laid(position: Any) -> dict[str, int]:
    """Return what chance may do as lines, with weights."""
    return {GAME.format(each, "en"): weight for each, weight in GAME.chance(position)}


def warriors(given: Doc, space: str) -> dict[str, int]:
    """Return the warriors in a settlement, by seat, without zeros."""
    there = given["settlements"][space].get("warriors", {})
    return {seat: number for seat, number in there.items() if number}


def tiles(given: Doc) -> dict[str, int]:
    """Return a heap of tiles without zeros."""
    return {symbol: number for symbol, number in given.items() if number}


def boat(given: Doc) -> list[str]:
    """Return what stands on the large boat, from the lowest place."""
    return [place for place in given["large_boat"] if place]


def points(given: Doc) -> dict[str, int]:
    """Return everybody's points."""
    return dict(given["points"])
