"""Boards of pages and charts as SVG: every cell once, texts escaped, nothing lost at the edges."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from support.tables import tables

from referee.games.game import LANGUAGES, Cell, Mark, Scene
from referee.games.play import complete_options
from referee.render.drawings import charts
from referee.render.drawings.charts import Curve
from referee.render.site.course import Course, PackedCourse
from referee.render.templates import inline_file
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

SVG = "{http://www.w3.org/2000/svg}"


def read(text: str) -> ET.Element:
    """Return a drawing as XML."""
    return ET.fromstring(text.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", tables(), ids=lambda table: str(table.name))
def test_every_cell_is_drawn_once(table: Any, language: str) -> None:
    """The board of any game has a group for each cell, in its place, with its words and pieces."""
    game = table.game
    position = game.start(table.seats, complete_options(game))
    scene = game.scene(game.view(position, None))
    packed = PackedCourse(Course(scene, {}, (), whole=True), Wording(game, language))
    drawing = read(packed.picture("a board"))
    drawn = {element.attrib["id"]: element for element in drawing.iter() if "id" in element.attrib}
    places = set()
    for number, cell in enumerate(scene.cells):
        title, use = drawn[f"c{number}"]
        name, *place = packed.document()["spaces"][number]
        assert (title.text or "").startswith(f"{cell.space} ")
        assert name == cell.space
        assert [float(use.attrib[axis]) for axis in ("x", "y")] == pytest.approx(place, abs=1)
        look = drawn[use.attrib["href"].removeprefix("#")]
        assert bool(len(look)) == bool(cell.marks)
        told = "".join(look.itertext())
        assert [mark for mark in cell.marks if mark.seat and mark.letter not in told] == []
        places.add(tuple(place))
    assert len(places) == len(scene.cells)


def test_foreign_texts_are_escaped() -> None:
    """Signs, letters, labels and names that look like markup stay text."""
    game = tables()[0].game
    first = game.scene(game.view(game.start(tables()[0].seats, tables()[0].options), None))
    cell = first.cells[0]
    odd = Cell("<&>", 0, 0, cell.ground, "<", (Mark('"<', next(iter_marks(first)), None),))
    scene = Scene(1, 1, (odd,), (), first.palette, ())
    drawing = read(
        PackedCourse(Course(scene, {}, (), whole=True), Wording(game, "en")).picture('<"&')
    )
    assert drawing.attrib["aria-label"] == '<"&'
    (group,) = (element for element in drawing.iter() if element.attrib.get("id") == "c0")
    assert (group[0].text or "").startswith("<&>")
    chart = read(charts.svg_chart([Curve("<b>&", [(0, 1)], "red", "<")], "x"))
    assert [title.text for title in chart.iter(f"{SVG}title")] == ["<b>&"]
    assert "<" in [text.text for text in chart.iter(f"{SVG}text")]


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
    drawing = read(charts.svg_chart(lines, "points"))
    paths = [line.attrib["points"].split() for line in drawing.iter(f"{SVG}polyline")]
    points = [tuple(map(float, point.split(","))) for path in paths for point in path]
    assert min(x for x, _ in points) == charts.LEFT
    assert max(x for x, _ in points) == charts.WIDE - charts.RIGHT
    assert min(y for _, y in points) == charts.ABOVE
    assert max(y for _, y in points) == charts.HIGH - charts.BELOW
    looks = [line.attrib["class"] for line in drawing.iter(f"{SVG}polyline")]
    assert looks == ["d0 k-0", "d1 k-red"]


def test_names_at_the_ends_do_not_lie_upon_each_other() -> None:
    """Lines that end at the same height have their names one below the other, none outside."""
    drawing = read(charts.svg_chart([Curve(f"p{n}", [(0, 0), (1, 0)]) for n in range(5)], "x"))
    names = [text for text in drawing.iter(f"{SVG}text") if (text.text or "").startswith("p")]
    heights = sorted(float(text.attrib["y"]) for text in names)
    assert all(b - a >= charts.LABEL_ROOM for a, b in pairwise(heights))
    assert heights[-1] <= charts.HIGH


@pytest.mark.parametrize("lines", [[], [Curve("one", [])]])
def test_nothing_to_draw_is_no_chart(lines: list[Curve]) -> None:
    assert charts.svg_chart(lines, "x") == ""


def test_lines_of_seats_have_steps_and_stages_are_numbered() -> None:
    """Points stay level until the turn they rise in; each stage has its number at its turn."""
    lines = [Curve("Red", [(0, 0), (10, 0), (20, 10), (40, 10)], "red", "R")]
    drawing = read(charts.svg_chart(lines, "points", [10, 40]))
    (path,) = (line.attrib["points"] for line in drawing.iter(f"{SVG}polyline"))
    points = [tuple(map(float, point.split(","))) for point in path.split()]
    assert [one[0] == to[0] or one[1] == to[1] for one, to in pairwise(points)] == [True] * 3
    marked = [
        circle for circle in drawing.iter(f"{SVG}circle") if circle.attrib.get("class") == "stage"
    ]
    assert [float(circle.attrib["cx"]) for circle in marked] == [166.0, charts.WIDE - charts.RIGHT]
    # Each stands in the chart, above all that the lines reach.
    edges = [float(circle.attrib["cy"]) + side for circle in marked for side in (-10, 10)]
    assert min(edges) >= 0
    assert max(edges) <= min(y for _, y in points)
    texts = [text.text for text in drawing.iter(f"{SVG}text")]
    assert {"1", "2", "R", "10"} <= set(texts)


def test_a_long_name_has_room_or_is_told_to_the_pointer() -> None:
    """Names of players are up to forty characters long, and none runs out of the chart."""
    names = [
        "Eva",
        "Maximilian Hubert",
        "a name of twenty-two",
        "Annegret von der Weiden-Hohenstein",
    ]
    lines = [Curve(name, [(0, 0), (9, n)]) for n, name in enumerate(names)]
    drawing = read(charts.svg_chart(lines, "x"))
    told = [text for text in drawing.iter(f"{SVG}text") if "k-" in text.attrib["class"]]
    shown = ["".join(text.itertext()) for text in told]
    assert shown[:3] == names[:3]
    (title,) = told[3]
    assert (title.text, title.tail) == (names[3], "Annegret von der…")
    starts = {float(text.attrib["x"]) for text in told}
    assert max(starts) + charts.COLUMN * charts.LONGEST_NAME <= charts.WIDE
    short = read(charts.svg_chart(lines[:1], "x"))
    (text,) = (text for text in short.iter(f"{SVG}text") if "k-" in text.attrib["class"])
    assert float(text.attrib["x"]) == charts.WIDE - charts.RIGHT + 6


def test_a_picture_has_the_dashes_and_inks_of_pages() -> None:
    """Lines of seats without colours of their own differ in a mail as they do on a page."""
    lines = [Curve(seat, [(0, 0), (9, 1)], seat, seat[0]) for seat in ("north", "east", "red")]
    drawn, page = charts.chart_picture(lines, []), inline_file("site/style.css").text
    classes = [line.attrib["class"] for line in ET.fromstring(drawn).iter(f"{SVG}polyline")]
    assert classes == ["d0 k-0", "d1 k-1", "d2 k-red"]
    for name, ink in (("0", "#1c2126"), ("1", "#5b2a86"), ("red", "#a8201a")):
        assert f"polyline.k-{name}{{stroke:{ink}}}" in drawn
        assert f"--k-{name}:{ink};" in page
    for number, (dashes, ink) in enumerate(zip(charts.DASHES, charts.INKS, strict=True)):
        assert f".d{number}{{stroke-dasharray:{dashes or 'none'}}}" in page
        assert re.search(rf"--k-{number}:{ink}[;}}]", page)
