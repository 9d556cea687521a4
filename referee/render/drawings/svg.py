"""Boards and charts of points drawn as SVG, for self-contained pages.

Colours of the page come from its style sheet by class; only grounds and inks stand in the drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import ceil, floor
from typing import Final, TypeAlias

from referee.games.game import Cell, Scene
from referee.render.drawings.board import axis_names, mark_words, visible_marks
from referee.render.drawings.pieces import SEATS, ink_of
from referee.render.wording import Wording

CELL: Final = 30
"""The side of a cell, in units of the drawing."""

EDGE: Final = 22
"""Room for the names of rows and columns."""

MOST_LINES: Final = 6
"""Lines of a chart that the style sheet tells apart."""

WIDE, HIGH, LEFT, BELOW, RIGHT, ABOVE = 640, 240, 40, 26, 96, 10

Scale: TypeAlias = Callable[[float, float], tuple[float, float]]
"""Maps a point of a chart to its place in the drawing."""

GRID: Final = 4
"""Lines across a chart."""

LABEL_ROOM: Final = 15
"""The least distance between the names at the ends of two lines."""


@dataclass(frozen=True, slots=True)
class Look:
    """The appearance of a cell: colour, sign, inked marks, words."""

    ground: str
    sign: str
    marks: tuple[tuple[str, str], ...]
    title: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A line of a chart: its name, points, and colour. The colour is a seat's, if any."""

    name: str
    points: Sequence[tuple[float, float]]
    seat: str | None = None


def cell_look(cell: Cell, palette: Mapping[str, str], wording: Wording) -> Look:
    """Return how a cell looks."""
    title = f"{cell.space} {wording.word('ground', cell.ground)}"
    if cell.marks:
        title += ": " + wording.catalogue.joined(mark_words(cell, wording))
    marks = tuple((each.letter, ink_of(each.seat).paper) for each in visible_marks(cell))
    return Look(palette.get(cell.ground, "#ffffff"), cell.sign, marks, title)


def svg_board(scene: Scene, wording: Wording, label: str) -> str:
    """Return the board as SVG.

    Cell n of the scene is the group ``c<n>``, for scripts that change it.
    """
    rows, columns = axis_names(scene)
    wide, high = scene.columns * CELL + 2 * EDGE, scene.rows * CELL + 2 * EDGE
    parts = [
        (
            f'<svg class="board" id="board" viewBox="0 0 {wide} {high}" role="img" '
            f'aria-label="{escape(label)}">'
        ),
        *_edges(rows, columns, scene.rows, scene.columns),
    ]
    for number, cell in enumerate(scene.cells):
        parts.append(_cell(number, cell, cell_look(cell, scene.palette, wording)))
    return "".join([*parts, "</svg>"])


def _edges(rows: Sequence[str], columns: Sequence[str], high: int, wide: int) -> Iterator[str]:
    for n, name in enumerate(columns):
        for y in (EDGE - 7, EDGE + high * CELL + 15):
            yield f'<text class="e" x="{EDGE + n * CELL + CELL // 2}" y="{y}">{escape(name)}</text>'
    for n, name in enumerate(rows):
        for x in (EDGE // 2, EDGE + wide * CELL + EDGE // 2):
            yield f'<text class="e" x="{x}" y="{EDGE + n * CELL + 20}">{escape(name)}</text>'


def _cell(number: int, cell: Cell, seen: Look) -> str:
    x, y = EDGE + cell.column * CELL, EDGE + cell.row * CELL
    marks = "".join(f'<tspan fill="{ink}">{escape(letter)}</tspan>' for letter, ink in seen.marks)
    return (
        f'<g id="c{number}"><title>{escape(seen.title)}</title>'
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{escape(seen.ground)}"/>'
        f'<text class="s" x="{x + 3}" y="{y + 8}">{escape(seen.sign)}</text>'
        f'<text class="m" x="{x + CELL // 2}" y="{y + 25}">{marks}</text></g>'
    )


def svg_chart(lines: Sequence[Curve], label: str) -> str:
    """Return a chart of lines through points ``(x, y)``. Each line ends with its name."""
    lines = [line for line in lines if line.points]
    points = [point for line in lines for point in line.points]
    if not points:
        return ""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    # Zero is always on the chart, or small differences would look large.
    low, high = floor(min(0, *(y for _, y in points))), ceil(max(1, *(y for _, y in points)))

    def place(x: float, y: float) -> tuple[float, float]:
        # A match of a single turn has no width to divide by.
        across = (x - left) / (right - left or 1) * (WIDE - LEFT - RIGHT)
        up = (y - low) / (high - low) * (HIGH - ABOVE - BELOW)
        return round(LEFT + across, 1), round(HIGH - BELOW - up, 1)

    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(label)}">',
        *_grid(low, high, left, right, place),
    ]
    ends = _apart([place(*line.points[-1])[1] for line in lines])
    for number, (line, end) in enumerate(zip(lines, ends, strict=True)):
        path = " ".join(f"{x},{y}" for x, y in (place(*point) for point in line.points))
        # Lines differ by dashes as well as by ink, for readers who see no colours.
        dash = number % MOST_LINES
        ink = line.seat if line.seat in SEATS else str(dash)
        x = place(*line.points[-1])[0] + 6
        parts.append(f'<polyline class="d{dash} k-{ink}" points="{path}"/>')
        parts.append(f'<text class="k-{ink}" x="{x}" y="{end + 4}">{escape(line.name)}</text>')
    return "".join([*parts, "</svg>"])


def _grid(low: int, high: int, left: float, right: float, place: Scale) -> Iterator[str]:
    """Yield horizontal lines at whole numbers, and marks for both ends."""
    one, other = place(left, 0)[0], place(right, 0)[0]
    for value in range(low, high + 1, max(1, ceil((high - low) / GRID))):
        y = place(0, value)[1]
        yield f'<line class="grid" x1="{one}" x2="{other}" y1="{y}" y2="{y}"/>'
        yield f'<text class="e" x="{LEFT - 18}" y="{y + 4}">{value}</text>'
    for x, end in ((one, left), (other, right)):
        yield f'<text class="e" x="{x}" y="{HIGH - 8}">{end:g}</text>'


def _apart(heights: Sequence[float]) -> list[float]:
    """Return heights moved apart, so that the labels there do not overlap."""
    found = list(heights)
    order = sorted(range(len(found)), key=lambda n: found[n])
    for one, other in pairwise(order):
        found[other] = max(found[other], found[one] + LABEL_ROOM)
    # Labels pushed below the chart move up together, which keeps their distances.
    over = max(found, default=0) - (HIGH - BELOW)
    return [each - max(over, 0) for each in found]
