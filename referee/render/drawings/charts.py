"""Charts of points drawn as SVG, for self-contained pages and as pictures in mails.

On a page colours and dashes come from its style sheet by class, and only pieces bring their own; a
picture brings all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain, pairwise
from math import ceil, floor
from typing import Final

from referee.games.game import Mark
from referee.render.drawings.pieces import FONT, SEATS, letters, piece
from referee.render.layout import wrap_whole
from referee.text import width
from referee.value import Value

MOST_LINES: Final = 6
"""Lines of a chart that the style sheet tells apart."""

WIDE, HIGH, LEFT, BELOW, RIGHT, ABOVE = 640, 260, 40, 26, 96, 12

CROWN: Final = 26
"""Room above a chart for the numbers of stages."""

GRID, TICKS = 5, 8
"""The most lines across a chart, and the most numbers below it."""

LABEL_ROOM: Final = 22
"""The least distance between the names at the ends of two lines."""

LONGEST_NAME: Final = 20
"""Columns of a name at the end of a line; of a longer one the rest is told to the pointer."""

COLUMN: Final = 7.5
"""Width of a column of a name, generous so that capitals have room."""


class Curve(Value):
    """A line of a chart: its name and points.

    A seat's has the colour of the seat, and ends with its letter on a piece and its last number.
    """

    name: str
    points: Sequence[tuple[float, float]]
    seat: str | None = None
    letter: str = ""


def svg_chart(lines: Sequence[Curve], label: str, stages: Sequence[float] = ()) -> str:
    """Return a chart of lines through points ``(x, y)``. Each line ends with its name.

    ``stages`` are numbered and marked across the chart. Lines of seats have steps.
    """
    lines = [line for line in lines if line.points]
    points = [point for line in lines for point in line.points]
    if not points:
        return ""
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    # Zero is always on the chart, or small differences would look large.
    low, high = floor(min(0, *(y for _, y in points))), ceil(max(1, *(y for _, y in points)))
    top = ABOVE + (CROWN if stages else 0)
    # Names of players may be long, where seats end in a piece and a number.
    names = [width(_shortened(line.name)) for line in lines if not line.letter]
    beside = max([RIGHT, *(ceil(6 + COLUMN * columns) for columns in names)])

    def place(x: float, y: float) -> tuple[float, float]:
        # A match of a single turn has no width to divide by.
        across = (x - left) / (right - left or 1) * (WIDE - LEFT - beside)
        up = (y - low) / (high - low) * (HIGH - top - BELOW)
        return round(LEFT + across, 1), round(HIGH - BELOW - up, 1)

    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{escape(label)}">',
    ]
    start, end = place(left, 0)[0], place(right, 0)[0]
    for value in _ticks(low, high, GRID):
        y = place(0, value)[1]
        parts.append(f'<line class="grid" x1="{start}" x2="{end}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="e" x="{LEFT - 18}" y="{y + 4}">{value}</text>')
    for value in _ticks(left, right, TICKS):
        x = place(value, 0)[0]
        parts.append(f'<text class="e" x="{x}" y="{HIGH - 8}">{value}</text>')
    for number, at in enumerate(stages, start=1):
        x = place(at, 0)[0]
        parts += [
            f'<line class="stage" x1="{x}" x2="{x}" y1="{top - 8}" y2="{HIGH - BELOW}"/>',
            f'<circle class="stage" cx="{x}" cy="{top - 18}" r="10"/>',
            letters(x, top - 18, 13, str(number), "#2b2100"),
        ]
    # Labels at the ends of lines are moved apart, so that they do not overlap.
    heights = [place(*line.points[-1])[1] for line in lines]
    for one, other in pairwise(sorted(range(len(lines)), key=heights.__getitem__)):
        heights[other] = max(heights[other], heights[one] + LABEL_ROOM)
    # Those pushed below the chart move up together, which keeps their distances.
    over = max(max(heights) - (HIGH - BELOW), 0)
    for number, line in enumerate(lines):
        height = heights[number] - over
        # Lines differ by dashes as well as by ink, for readers who see no colours.
        dash = number % MOST_LINES
        ink = line.seat if line.seat and line.seat in SEATS else str(dash)
        places = [place(*point) for point in line.points]
        x, name = places[-1][0] + 6, escape(line.name)
        shown = escape(_shortened(line.name))
        whole = f"<title>{name}</title>" if shown != name else ""
        told = f'<text class="k-{ink}" x="{x}" y="{height + 4}">{whole}{shown}</text>'
        if line.letter:
            # A seat's line stays level until it rises.
            steps = (
                ((x, before), (x, y)) for (_, before), (x, y) in pairwise(places) if y != before
            )
            places = [places[0], *chain.from_iterable(steps), places[-1]]
            token = piece(Mark(line.letter, "", line.seat, "token"), x + 10, height, 22)
            last = f"{line.points[-1][1]:g}"
            shown = f'<text class="k-{ink} b" x="{x + 26}" y="{height + 5}">{last}</text>'
            told = f"<g><title>{name}</title>{token}{shown}</g>"
        drawn = " ".join(f"{x},{y}" for x, y in places)
        parts += [f'<polyline class="d{dash} k-{ink}" points="{drawn}"/>', told]
    return "".join([*parts, "</svg>"])


def _shortened(name: str) -> str:
    """Return a name, or as much of it as the end of a line has room for."""
    if width(name) <= LONGEST_NAME:
        return name
    return wrap_whole([name], columns=LONGEST_NAME - 1).partition("\n")[0] + "…"


DASHES: Final = ("", "8 4", "2.5 3", "10 3 2 3", "4 4", "12 4")
INKS: Final = ("#1c2126", "#5b2a86", "#00606a", "#8a3c00", "#7a0050", "#444")
"""The dashes of lines, and the inks of those of no seat with a colour, as pages have them."""


def chart_picture(lines: Sequence[Curve], stages: Sequence[float]) -> str:
    """Return a chart as a picture, with colours of its own."""
    drawn = svg_chart(lines, "", stages)
    if not drawn:
        return ""
    inks = {seat: ink.paper for seat, ink in SEATS.items()}
    inks |= {str(number): ink for number, ink in enumerate(INKS)}
    style = [
        f".chart>text,.chart>g>text{{font-family:{FONT};font-weight:bold;font-size:13px}}",
        ".e{fill:#55606a;text-anchor:middle}.grid{stroke:#d5d0c5}.chart .b{font-size:15px}",
        "polyline{fill:none;stroke-width:2.6;stroke:#1c2126}",
        ".stage{fill:#ffc21a;stroke:#2b2100}line.stage{stroke:#a07800;stroke-dasharray:5 3}",
        *(f".d{n}{{stroke-dasharray:{dashes}}}" for n, dashes in enumerate(DASHES) if dashes),
        *(f"polyline.k-{name}{{stroke:{ink}}}" for name, ink in inks.items()),
        *(f"text.k-{name}{{fill:{ink}}}" for name, ink in inks.items()),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{HIGH}" '
    ground = f'<rect width="{WIDE}" height="{HIGH}" fill="#ffffff"/>'
    start, end, rest = drawn.replace("<svg ", head, 1).partition(">")
    return f"{start}{end}<style>{''.join(style)}</style>{ground}{rest}"


def _ticks(low: float, high: float, most: int) -> Iterator[int]:
    """Yield round numbers between two, at equal distances."""
    steps = (round_ * 10**power for power in range(9) for round_ in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= most)
    yield from range(ceil(low / step) * step, floor(high) + 1, step)
