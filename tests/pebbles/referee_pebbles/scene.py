"""A view of Pebbles, described for drawing."""

from __future__ import annotations

from typing import Any, Final

from referee.games.game import Cell, Ground, Mark, Panel, Scene, Sentence, View
from referee_pebbles.position import ROWS

PALETTE: Final = {"sand": "#f3e9d2"}
DRAWN: Final = {"sand": Ground("desert")}


def scene(view: View) -> Scene:
    """Return the scene of a view."""
    seen: Any = view.document
    rows, columns = seen["board"]["rows"], seen["board"]["columns"]
    cells = [_cell(seen, row, column) for row in range(rows) for column in range(columns)]
    colours = [(seat[0].upper(), "seat", seat) for seat in seen["seats"]]
    return Scene(rows, columns, tuple(cells), _panels(view), PALETTE, tuple(colours), grounds=DRAWN)


def _cell(seen: Any, row: int, column: int) -> Cell:
    space = f"{ROWS[row]}{column + 1}"
    stone = seen["stones"].get(space)
    marks: tuple[Mark, ...] = ()
    if stone is not None:
        letter = f"{stone['seat'][0].upper()}{stone['weight']}"
        marks = (Mark(letter, f"weight-{stone['weight']}", stone["seat"], "ring"),)
    return Cell(space, row, column, "sand", ".", marks)


def _panels(view: View) -> tuple[Panel, ...]:
    seen: Any = view.document
    stock = [
        Sentence("out" if seat in seen["passed"] else "holds", {"seat": seat, "held": held})
        for seat, held in seen["held"].items()
    ]
    stock.append(Sentence("deck", {"left": seen["deck"]}))
    if asked := seen.get("asked"):
        stock.append(Sentence("asked", {"seat": seen["turn"], "at": asked}, pending=True))
    panels = [Panel("stock", tuple(stock))]
    own = [Sentence("own", {"hand": seen["own"]})] if seen["own"] else []
    if seen["seen"] and seen["seen"]["hand"]:
        own.append(Sentence("remembered", seen["seen"]))
    return (*panels, Panel("own", tuple(own))) if own else tuple(panels)
