"""A view of Haggle, described for drawing: the row of prizes, and what has been played."""

from __future__ import annotations

from typing import Any, Final

from referee.games.game import (
    Cell,
    Ground,
    Mark,
    Panel,
    Row,
    Scene,
    Sentence,
    Table,
    View,
    Word,
)

PALETTE: Final = {"taken": "#ffffff", "offered": "#ffe9a8", "waiting": "#f3e9d2"}
SIGNS: Final = {"taken": ".", "offered": ">", "waiting": "?"}
DRAWN: Final = {"taken": Ground("plain"), "offered": Ground("field"), "waiting": Ground("light")}


def scene(view: View) -> Scene:
    """Return the scene of a view."""
    seen: Any = view.document
    prizes = seen["board"]["prizes"]
    cells = tuple(_cell(seen, column, worth) for column, worth in enumerate(prizes))
    signs = [(sign, "ground", ground) for ground, sign in SIGNS.items()]
    seats = [(seat[0].upper(), "seat", seat) for seat in seen["seats"]]
    panels = (_played(seen), _players(seen), _own(view, seen))
    tables = (_standing(seen),)
    legend = (*signs, *seats)
    return Scene(1, len(prizes), cells, panels, PALETTE, legend, grounds=DRAWN, tables=tables)


def _cell(seen: Any, column: int, worth: int) -> Cell:
    winners, marks = seen["winners"], [Mark(str(worth), "prize")]
    if column < len(winners):
        marks.append(Mark(winners[column][0].upper(), "taken", winners[column], "ring"))
    taken = "taken" if column < len(winners) else "waiting"
    ground = "offered" if column == len(winners) else taken
    return Cell(f"A{column + 1}", 0, column, ground, SIGNS[ground], tuple(marks))


def _played(seen: Any) -> Panel:
    lines = [Sentence("played", {"seat": s, "card": card}) for s, card in seen["table"].items()]
    if seen["spent"]:
        lines.append(Sentence("spent", {"cards": seen["spent"]}))
    return Panel("played", tuple(lines))


def _players(seen: Any) -> Panel:
    lines = [
        Sentence("player", {"seat": seat, "points": points, "cards": seen["held"][seat]})
        for seat, points in seen["points"].items()
    ]
    return Panel("players", tuple(lines))


def _own(view: View, seen: Any) -> Panel:
    hand = seen["hands"].get(view.seat)
    return Panel("own", (Sentence("own", {"cards": hand}),) if hand else ())


def _standing(seen: Any) -> Table:
    """Return the players in columns; shown in place of the panel of the same title."""
    held, told = seen["held"], seen["points"].items()
    rows = (Row((Word("seat", seat), points, held[seat])) for seat, points in told)
    heads = (Word("column", each) for each in ("player", "points", "cards"))
    return Table("players", tuple(heads), tuple(rows))
