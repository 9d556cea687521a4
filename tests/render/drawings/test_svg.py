"""Boards and charts as SVG: every cell once, every text escaped, nothing lost at the edges."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from support.tables import tables

from referee.games.game import LANGUAGES, Cell, Mark, Scene
from referee.games.play import complete_options
from referee.render.drawings import svg
from referee.render.drawings.board import visible_marks
from referee.render.drawings.svg import Curve
from referee.render.wording import Wording

pytestmark = pytest.mark.fast

SVG = "{http://www.w3.org/2000/svg}"


def read(text: str) -> ET.Element:
    """Return a drawing as XML."""
    return ET.fromstring(text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def numbers(element: ET.Element, *names: str) -> list[float]:
    """Return coordinates of an element."""
    return [float(element.attrib[name]) for name in names]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", tables(), ids=lambda table: str(table.name))
def test_every_cell_is_drawn_once(table: Any, language: str) -> None:
    """The board of any game has a group for each cell, inside its bounds, with sign and marks."""
    game = table.game
    position = game.start(table.seats, complete_options(game))
    scene, wording = game.scene(game.view(position, None)), Wording(game, language)
    drawing = read(svg.svg_board(scene, wording, "a board"))
    _, _, wide, high = map(float, drawing.attrib["viewBox"].split())
    groups = drawing.findall(f"{SVG}g")
    assert [each.attrib["id"] for each in groups] == [f"c{n}" for n in range(len(scene.cells))]
    places = set()
    for group, cell in zip(groups, scene.cells, strict=True):
        title, rect, sign, marks = group
        x, y, width, height = numbers(rect, "x", "y", "width", "height")
        assert 0 <= x <= wide - width
        assert 0 <= y <= high - height
        places.add((x, y))
        assert (title.text or "").startswith(cell.space)
        assert (sign.text or "") == cell.sign
        assert "".join(marks.itertext()) == "".join(mark.letter for mark in visible_marks(cell))
    assert len(places) == len(scene.cells)


def test_foreign_texts_are_escaped() -> None:
    """Signs, letters, labels and names that look like markup stay text."""
    game = tables()[0].game
    first = game.scene(game.view(game.start(tables()[0].seats, tables()[0].options), None))
    cell = first.cells[0]
    odd = Cell("<&>", 0, 0, cell.ground, "<", (Mark('"', next(iter_marks(first)), None),))
    scene = Scene(1, 1, (odd,), (), first.palette, ())
    drawing = read(svg.svg_board(scene, Wording(game, "en"), '<"&'))
    assert drawing.attrib["aria-label"] == '<"&'
    assert next(drawing.iter(f"{SVG}title")).text.startswith("<&>")  # type: ignore[union-attr]
    chart = read(svg.svg_chart([Curve("<b>&", [(0, 1)])], "x"))
    assert [each.text for each in chart.iter(f"{SVG}text")][-1] == "<b>&"


def iter_marks(scene: Scene) -> Any:
    """Yield the words of marks on a scene, and of its legend."""
    yield from (mark.word for cell in scene.cells for mark in cell.marks)
    yield from (key for _, section, key in scene.legend if section == "mark")


def test_lines_stay_within_the_chart() -> None:
    """Highest and lowest points of all lines lie inside, the first left, the last right."""
    lines = [
        Curve("one", [(0, -5), (3, 40)]),
        Curve("two", [(1, 12.5), (7, 0)], "red"),
        Curve("", []),
    ]
    drawing = read(svg.svg_chart(lines, "points"))
    paths = [each.attrib["points"].split() for each in drawing.iter(f"{SVG}polyline")]
    points = [tuple(map(float, each.split(","))) for path in paths for each in path]
    assert min(x for x, _ in points) == svg.LEFT
    assert max(x for x, _ in points) == svg.WIDE - svg.RIGHT
    assert min(y for _, y in points) == svg.ABOVE
    assert max(y for _, y in points) == svg.HIGH - svg.BELOW
    looks = [each.attrib["class"] for each in drawing.iter(f"{SVG}polyline")]
    assert looks == ["d0 k-0", "d1 k-red"]


def test_names_at_the_ends_do_not_lie_upon_each_other() -> None:
    """Lines that end at the same height have their names one below the other, none outside."""
    drawing = read(svg.svg_chart([Curve(f"p{n}", [(0, 0), (1, 0)]) for n in range(5)], "x"))
    names = [each for each in drawing.iter(f"{SVG}text") if (each.text or "").startswith("p")]
    heights = sorted(float(each.attrib["y"]) for each in names)
    assert all(b - a >= svg.LABEL_ROOM for a, b in pairwise(heights))
    assert heights[-1] <= svg.HIGH


@pytest.mark.parametrize("lines", [[], [Curve("one", [])]])
def test_nothing_to_draw_is_no_chart(lines: list[Curve]) -> None:
    """Without points there is no chart."""
    assert svg.svg_chart(lines, "x") == ""
