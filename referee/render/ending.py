"""The end of a match: the parts of everybody's points, and a chart of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.games import play
from referee.games.game import CellValue, Result, Scoresheet, Seat, Word
from referee.render.drawings.raster import DrawnPicture, draw_picture
from referee.render.drawings.svg import chart_picture
from referee.render.grids import Letters
from referee.render.site.course import Course
from referee.render.words.wording import Wording

Parts = Mapping[CellValue, Mapping[Seat, int]]
"""The points of each seat by their origin."""

MOST_PARTS: Final = 5
"""Origins a table has room for on a phone."""

WIDE: Final = 900
"""Width of the chart in pixels."""


def parts_of(course: Course, result: Result, wording: Wording) -> Parts:
    """Return the origins of all points: scorings, and the rest.

    Empty where no scoring was told, or where they have too many parts.
    """
    parts: dict[CellValue, dict[Seat, int]] = {}
    for sheet in play.with_sheets(wording.game, course.facts):
        if not isinstance(sheet, Scoresheet):
            continue
        rows = [row for row in sheet.rows if isinstance(row[0], Word)]
        if sheet.part is not None:
            rows = [(sheet.part, sheet.sums[0][1])] if sheet.sums else []
        for origin, numbers in rows:
            gained = parts.setdefault(origin, {})
            for seat, number in zip(sheet.seats, numbers, strict=True):
                gained[seat] = gained.get(seat, 0) + (number or 0)
    if not parts or len(parts) > MOST_PARTS:
        return {}
    rest = {
        seat: points - sum(gained.get(seat, 0) for gained in parts.values())
        for seat, points in result.points.items()
    }
    return {**parts, wording.catalogue.say("report.rest"): rest} if any(rest.values()) else parts


def chart_of(course: Course, letters: Letters, wording: Wording) -> DrawnPicture | None:
    """Return the points after each turn as a picture; None if it cannot be drawn."""
    letters = {seat: letters.get(seat, wording.seat(seat)[:1].upper()) for seat in course.points}
    curves = course.curves(letters, wording)
    drawing = chart_picture(curves, [turn for _, turn in course.scorings])
    return draw_picture(drawing, WIDE, wording.catalogue.say("report.chart")) if drawing else None
