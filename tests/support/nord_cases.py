"""Small positions of Nord written by hand, and what the game makes of orders on them."""

from __future__ import annotations

from typing import Any

from support.cases import Cases, Doc

from referee.games.nord import GAME

CASES = Cases(GAME)
load, order, texts, legal = CASES.load, CASES.order, CASES.texts, CASES.legal
after, position_after = CASES.after, CASES.position_after
settled, dealt, outcomes = CASES.settled, CASES.dealt, CASES.outcomes
refused, allowed = CASES.refused, CASES.allowed

ACTIONS = {
    "gold": "negotiator",
    "hammer": "negotiator",
    "goblet": "two regions",
    "axe": "two regions",
    "helmet": "many workers",
    "sword": "many workers",
}
"""What a tile does, by its symbol; §1."""


def document(*rows: str, **fields: Any) -> Doc:
    """Return a position document on a map; two seats unless said otherwise."""
    base: Doc = {"game": "nord", "edition": 1, "board": {"map": list(rows)}}
    return base | {"seats": ["red", "green"]} | fields


def posted(**warriors: int) -> Doc:
    """Return a settlement with warriors and no jarl."""
    return {"warriors": warriors}


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
