"""Names of areas, fitted into the strip that their spaces keep free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from operator import itemgetter
from typing import Final

from referee.render.drawings.outline import EAST, Spot, run_from
from referee.value import Value

SIZE: Final = 0.25
"""The height of a name, in parts of a space."""

SMALLER: Final = 0.87
"""The size at which a name is tried a second time."""

_SIGN: Final = 0.68
"""Where in the strip of a space a sign beside a name begins."""

_WIDTHS: Final = {**dict.fromkeys("ijlI/ ", 0.28), "M": 0.83, "W": 0.94}
"""Widths of bold letters that differ much from the others, in parts of their size."""


class Label(Value):
    """A text in its place; all in parts of a space."""

    row: float
    column: float
    size: float
    text: str


def width(text: str) -> float:
    """Return roughly how wide a bold text of size 1 is."""
    return sum(_WIDTHS.get(letter, 0.72 if letter.isupper() else 0.58) for letter in text)


def runs(cells: AbstractSet[Spot]) -> list[tuple[Spot, int]]:
    """Return where a name can stand in an area: the first of spaces in a row, and their number.

    The widest run comes first; equal ones from the top.
    """
    lengths = {spot: run_from(cells, spot, EAST) for spot in sorted(cells)}
    return sorted(filter(itemgetter(1), lengths.items()), key=itemgetter(1), reverse=True)


def fitted(cells: AbstractSet[Spot], name: str, values: str, code: str) -> tuple[Label, ...]:
    """Return an area's name and values where they fit, or its code.

    Tried in turn: one run at full size, one a little smaller, two runs, the words of the name on
    two runs.
    """
    places = runs(cells)
    whole = f"{name.upper()} {values}".strip()
    tries: list[tuple[float, tuple[str, ...]]] = [
        (SIZE, (whole,)),
        (SIZE * SMALLER, (whole,)),
        (SIZE, tuple(filter(None, (name.upper(), values)))),
        (SIZE, tuple(name.upper().split())),
    ]
    for size, texts in tries:
        placed = tuple(_placed(places, size, texts))
        if len(placed) == len(texts):
            return placed
    return tuple(_placed(places, SIZE * SMALLER, (f"{code} {values}".strip(),)))


def _placed(places: list[tuple[Spot, int]], size: float, texts: tuple[str, ...]) -> Iterator[Label]:
    # From top to bottom, so that two parts of a name are read in their order.
    for ((row, column), length), text in zip(sorted(places[: len(texts)]), texts, strict=False):
        if width(text) * size <= length - 0.1:
            yield Label(row, column + 0.06, size, text)


def spot_beside(spots: AbstractSet[Spot], labels: Sequence[Label]) -> Spot:
    """Return the spot of an area whose strip its name leaves free, if possible in its row."""
    free = {
        (row, column)
        for row, column in spots
        if not any(
            label.row == row
            and label.column < column + 1
            and column + _SIGN < label.column + width(label.text) * label.size
            for label in labels
        )
    }
    beside = {spot for spot in free if spot[0] in {label.row for label in labels}}
    return max(beside or free or spots)
