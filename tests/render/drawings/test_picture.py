"""Pictures of boards: whole, sound, within their bounds, for every game and a bare one."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from support.moor import scene, table, wording
from support.tables import random_game, tables

from referee.games.game import (
    LANGUAGES,
    Area,
    Cell,
    Figure,
    Ground,
    Mark,
    Move,
    Place,
    Scene,
    Track,
)
from referee.render.composer import BoardSheet
from referee.render.drawings import labels
from referee.render.drawings.changes import NOTHING, Changes
from referee.render.drawings.picture import EDGE, GOLD, NAME_SIZE, STRIP, WIDE, Picture
from referee.render.drawings.pieces import SHAPES, ink_of
from referee.render.words.wording import Wording
from referee.value import replace

pytestmark = pytest.mark.fast

SVG = "{http://www.w3.org/2000/svg}"
KNOWN = set("svg g defs use symbol clipPath rect circle ellipse path text title".split())  # noqa: SIM905


def picture(shown: Scene, worded: Wording, changes: Changes = NOTHING) -> str:
    """Return a picture as one drawing."""
    return Picture(shown, worded, changes).layers().svg()


def read(drawn: str) -> ET.Element:
    """Return a picture as XML."""
    return ET.fromstring(drawn)


def pieces(shown: Scene, worded: Wording) -> list[str]:
    """Return the spaces to which pieces are moved."""
    drawn = Picture(shown, worded)
    moved = {(stamp.right, stamp.down) for stamp in drawn.layers().stamps}
    return [
        space
        for space, (row, column) in drawn.at.items()
        if (EDGE + column * drawn.unit, EDGE + row * drawn.unit) in moved
    ]


def test_a_table_for_cards_has_a_name_at_every_place() -> None:
    """The rank of a card is the reader's letter, and no line parts one place from another."""
    root = read(picture(table("blue"), wording("de")))
    assert [text.text for text in root.iter(f"{SVG}text") if text.text] == ["Rot", "D", "Blau"]
    assert "dasharray" not in ET.tostring(root, "unicode")


def test_the_sheet_of_the_composer_has_the_hand_below_the_table() -> None:
    """Cards are called as orders call them, and lie below the last row of places."""
    sheet = BoardSheet(table(), wording())
    *places, (card, x, y) = sheet.spots()
    assert [cell.space for cell, _, _ in places] == ["red", "blue"]
    assert card.space == "Red has 3 stones left"
    assert (x, y) == (0, sheet.unit + EDGE)
    assert y + sheet.unit + 2 * EDGE == sheet.layers().high
    assert BoardSheet(scene(), wording()).hand == []


@pytest.mark.parametrize(("kind", "shown"), [("dice", True), ("pieces", True), ("steps", False)])
def test_the_sheet_of_the_composer_has_the_tracks_that_one_chooses_by(
    kind: Any, shown: bool
) -> None:
    """A roll and what is in hand decide what may be ordered; a scoring does not."""
    bare = replace(scene(), tracks=())
    track = Track(kind, "tower", (Place("", (Mark("R", "stone", "red"),)),))
    high = BoardSheet(replace(bare, tracks=(track,)), wording()).high
    assert (high > BoardSheet(bare, wording()).high) is shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", tables(), ids=lambda table: str(table.name))
def test_any_game_is_drawn_whole(table: Any, language: str) -> None:
    """Every occupied space has its pieces; only simple elements are used, without style sheets."""
    game = table.game
    view = game.scene(game.view(random_game(table, 1).end, None))
    worded = Wording(game, language)
    root = read(picture(view, worded))
    assert {element.tag for element in root.iter()} <= {SVG + name for name in KNOWN}
    assert not any(
        "style" in element.attrib or "class" in element.attrib for element in root.iter()
    )
    # The state of an area is drawn once for all its spaces.
    states = {area.state for area in view.areas}
    standing = [cell for cell in view.cells if {mark.word for mark in cell.marks} - states]
    assert pieces(view, worded) == [cell.space for cell in standing]
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    assert wide <= WIDE
    assert high > 0


def test_a_game_that_supplies_nothing_has_a_picture() -> None:
    """Without grounds, shapes or areas, cells have the colours of the palette and round pieces."""
    root = read(picture(scene(), wording()))
    fills = {rect.get("fill") for rect in root.iter(f"{SVG}rect")}
    assert {"#d6ebf7", "#cfe8c8"} <= fills
    assert pieces(scene(), wording()) == ["A1", "B3"]


def test_changed_spaces_have_frames_with_numbers() -> None:
    """A pill at the frame's corner names the lines that tell of the change."""
    plain = picture(scene(), wording())
    drawn = picture(scene(), wording(), Changes({"A1": (1, 2)}))
    assert "1 2" in [text.text for text in read(drawn).iter(f"{SVG}text")]
    assert drawn.count("#ffc21a") > plain.count("#ffc21a")


def test_pieces_that_left_are_ghosts_and_ways_are_arrows() -> None:
    """A dashed piece stands where one was, and an arrow in its colour leads to where it is."""
    gone = Changes({"B1": (1,)}, {"B1": (Mark("R", "stone", "red"),)}, (Move("red", ("B1", "B3")),))
    drawn = picture(scene(), wording(), gone)
    assert 'opacity=".45" stroke-dasharray' in drawn
    assert drawn.count("#b3261e") > picture(scene(), wording()).count("#b3261e")


def test_a_figure_fills_its_space_and_so_does_its_ghost() -> None:
    """It stands in the middle; names of rows and columns are those its game gives."""
    shape = Figure("M10 90H90L50 10Z")
    cell = Cell("a1", 0, 0, "heath", ".", (Mark("k", "stone", "red", shape),))
    drawn = Scene(1, 1, (cell,), (), {}, (), row_names=("1",), column_names=("a",))
    whole = picture(drawn, wording())
    (place,) = re.findall(r"translate\(([\d.]+) ([\d.]+)\) scale\(", whole)
    assert place == ("3.84", "3.84")
    assert [text.text for text in read(whole).iter(f"{SVG}text")] == ["a", "a", "1", "1"]
    left = Scene(1, 1, (replace(cell, marks=()),), (), {}, ())
    assert "translate(3.84 3.84)" in picture(
        left, wording(), Changes({"a1": ()}, {"a1": cell.marks})
    )


def test_on_crossings_stones_stand_on_lines_without_letters() -> None:
    """All neighbours are joined, or those that the game names; the frame of a change is round."""
    stone = Mark("X", "stone", "black", "stone")
    cells = tuple(
        Cell(f"{'ab'[column]}{row}", row, column, "heath", "+.."[row], (stone,) if row == 1 else ())
        for row in range(2)
        for column in range(2)
    )
    drawn = Scene(2, 2, cells, (), {}, (), lattice="crossings")
    whole = picture(drawn, wording(), Changes({"a1": (1,)}))
    assert "M48 48l96 0M48 48l0 96M144 48l0 96M48 144l96 0" in whole
    assert whole.count(f'<circle cx="48" cy="48" r="{0.1 * 96:g}"') == 1
    assert f'r="{0.97 * 48:g}" fill="none" stroke="{GOLD}"' in whole
    # Its number stands outside of it, at the corner of the space.
    (pill,) = (box for box in read(whole).iter(f"{SVG}rect") if box.get("fill") == GOLD)
    left, wide = (float(pill.get(name, "")) for name in ("x", "width"))
    assert left + wide / 2 == pytest.approx(96)
    assert not [text for text in read(whole).iter(f"{SVG}text") if text.text == "X"]
    named = replace(drawn, lines=(("a0", "b1"), ("b0", "nowhere")))
    assert 'd="M48 48L144 144M144 48"' in picture(named, wording())


def test_lines_of_a_seat_lie_upon_the_board_in_its_colour() -> None:
    """They change while the ground stays, and pieces stand upon them."""
    stone = (Mark("X", "stone", "red", "stone"),)
    cells = tuple(Cell(f"a{row}", row, 0, "heath", ".", stone) for row in range(2))
    board = Scene(2, 1, cells, (), {}, (), lattice="crossings", lines=(("a0",),))
    linked = replace(board, lines=(("a0",), Move("red", ("a0", "a1", "nowhere"))))
    assert Picture(linked, wording()).ground() == Picture(board, wording()).ground()
    line, *stones = Picture(linked, wording()).layers().stamps
    assert f'd="M48 48L48 144" fill="none" stroke="{ink_of("red").paper}"' in line.svg
    assert len(stones) == 2


def test_a_name_stands_in_the_corner_of_its_space() -> None:
    """A piece on the space is a little smaller than elsewhere, or it would hide it."""
    stone = (Mark("X", "stone", "red", "stone"),)
    cells = (Cell("31", 0, 0, "heath", ".", stone, "31"), Cell("2", 0, 1, "heath", ".", stone))
    drawn = Picture(Scene(1, 2, cells, (), {}, (), row_names=("",)), wording())
    assert ">31</text>" in drawn.ground()
    sizes = [re.findall(r"scale\(([\d.]+)\)", stamp.svg) for stamp in drawn.layers().stamps]
    assert [float(size) for [size] in sizes] == [0.768, 0.8832]


def test_checkers_are_stacked_on_points() -> None:
    """The first stands at the board's edge, the last one visible bears the number of all."""
    checkers = (Mark("X", "stone", "red", "stone"),) * 3
    cells = (Cell("2", 0, 0, "heath", ".", checkers), Cell("1", 1, 0, "heath", ".", checkers[:1]))
    names = {"row_names": ("", ""), "column_names": ("2", "1")}
    board = Scene(2, 1, cells, (), {}, (), grounds={"heath": Ground("point", "#7d4a2e")}, tall=2)
    drawn = Picture(replace(board, **names), wording())
    assert drawn.board == 2 * 2 * 96 + 2 * EDGE
    upper, lower = drawn.layers().stamps
    heights = [re.findall(r"translate\([\d.]+ ([\d.]+)\)", stamp.svg) for stamp in (upper, lower)]
    assert [[round(float(y)) for y in found] for found in heights] == [[3, 91], [101]]
    assert [stamp.svg.count(">3</text>") for stamp in (upper, lower)] == [1, 0]
    root = read(drawn.layers().svg())
    assert [text.text for text in root.iter(f"{SVG}text")][:2] == ["2", "1"]
    assert drawn.ground().count('fill="#7d4a2e"') == 2
    left = Changes({"1": ()}, {"1": checkers[:1]})
    assert f"translate(3.84 {192 - 2.88 - 0.92 * 96:g})" in picture(
        replace(board, **names), wording(), left
    )


def test_rows_of_hexagons_are_shifted_by_half_a_space() -> None:
    """A picture is as wide as its rows together, and its pieces stand where spaces are."""
    stone = (Mark("X", "stone", "red", "stone"),)
    cells = tuple(Cell(f"A{n}", n, 0, "heath", ".", stone) for n in range(3))
    drawn = Picture(Scene(3, 1, cells, (), {}, (), lattice="hexes"), wording())
    assert (drawn.unit, drawn.wide) == (96, 2 * 96 + 2 * EDGE)
    corners = [(stamp.right - EDGE, stamp.down - EDGE) for stamp in drawn.layers().stamps]
    assert [x for x, _ in corners] == [0, 48, 96]
    assert corners[1][1] - corners[0][1] == pytest.approx(96 * 0.866, abs=0.01)
    read(drawn.layers().svg())


def named(drawn: str) -> list[tuple[float, float, float, str]]:
    """Return the names beside a board: the point each stands around, its size, its text."""
    (group,) = (part for part in read(drawn).iter(f"{SVG}g") if part.get("font-size"))
    size = float(group.get("font-size", ""))
    return [
        (float(text.get("x", "")), float(text.get("y", "")), size, text.text or "")
        for text in group
    ]


def test_names_beside_a_board_of_hexagons_never_touch() -> None:
    """At a corner a row's name stands alone, and that of the column at its other end."""
    cells = tuple(
        Cell(f"{'abcdefghijklm'[column]}{row + 1}", row, column, "heath", ".")
        for row in range(13)
        for column in range(13 - row)
    )
    axes = {"row_names": tuple(map(str, range(1, 14))), "column_names": tuple("abcdefghijklm")}
    names = named(picture(Scene(13, 13, cells, (), {}, (), lattice="hexes", **axes), wording()))
    assert {name for *_, name in names} == {*axes["row_names"], *axes["column_names"]}
    for (x, y, size, name), (right, down, _, other) in combinations(names, 2):
        halves = size * (labels.width(name) + labels.width(other)) / 2
        assert abs(x - right) >= halves or abs(y - down) >= size, (name, other)


@pytest.mark.parametrize("columns", [8, 24])
def test_names_beside_a_board_are_as_large_as_they_fit(columns: int) -> None:
    """Those of many narrow columns fill the room they have, and a phone shows a third of each."""
    cells = tuple(Cell(f"A{n + 1}", 0, n, "heath", ".") for n in range(columns))
    drawn = Picture(Scene(1, columns, cells, (), {}, ()), wording())
    for _, _, size, name in named(drawn.layers().svg()):
        assert 20 < size <= NAME_SIZE
        assert size * labels.width(name) <= drawn.unit


def test_the_sides_of_a_board_of_hexagons_are_in_the_colours_of_their_seats() -> None:
    """Along each lie two sides of each of its spaces; at two corners one belongs to both seats."""
    spots = [(row, column) for row in range(3) for column in range(3)]
    cells = tuple(Cell(f"A{row}{column}", row, column, "heath", ".") for row, column in spots)
    rows = [tuple(cell.space for cell in cells if cell.row == edge) for edge in (0, 2)]
    columns = [tuple(cell.space for cell in cells if cell.column == edge) for edge in (0, 2)]
    sides = [*(Move("red", row) for row in rows), *(Move("blue", column) for column in columns)]
    board = Scene(3, 3, cells, (), {}, (), lattice="hexes", lines=tuple(sides))
    drawn = Picture(board, wording())
    found = [
        re.findall(r"M([\d.-]+ [\d.-]+)L([\d.-]+ [\d.-]+)", stamp.svg)
        for stamp in drawn.layers().stamps
    ]
    assert list(map(len, found)) == [6] * 4
    assert len({frozenset(side) for sides in found for side in sides}) == 24 - 2
    heights = [float(end.split()[1]) for side in found[0] for end in side]
    assert max(heights) < 96 / 2


def test_a_pattern_of_grounds_has_no_borders() -> None:
    """Between the squares of a chequered board are thin lines, and no more."""
    cells = tuple(Cell(f"a{n}", 0, n, ("light", "dark")[n % 2], ".") for n in range(4))
    told = Scene(
        1, 4, cells, (), {}, (), grounds={"light": Ground("light"), "dark": Ground("dark")}
    )
    pattern = {key: Ground(key, told=False) for key in ("light", "dark")}
    thick, dashes = f'stroke-width="{0.04 * 96:g}"', "stroke-dasharray"
    assert thick in picture(told, wording())
    drawn = picture(replace(told, grounds=pattern), wording())
    assert drawn.count("<path") < picture(told, wording()).count("<path")
    assert dashes not in drawn


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 9])
def test_pieces_that_share_a_space_stay_in_it(number: int) -> None:
    """However many there are, they lie side by side within their space."""
    marks = tuple(Mark(str(n), "stone", "red") for n in range(number))
    cell = Cell("A1", 0, 0, "heath", "h", marks)
    drawn = read(picture(Scene(1, 1, (cell,), (), {}, ()), wording()))
    shifts = [group.get("transform", "") for group in drawn.iter(f"{SVG}g")]
    places = [re.findall(r"[\d.-]+", shift) for shift in shifts if "scale" in shift]
    boxes = [(float(x), float(y), 100 * float(scale)) for x, y, scale in places]
    assert len(boxes) == number
    assert all(x >= -1 and y >= -1 and max(x, y) + size <= 97 for x, y, size in boxes)
    for one, other in combinations(boxes, 2):
        assert max(abs(one[0] - other[0]), abs(one[1] - other[1])) >= one[2] - 1


def test_areas_have_their_names() -> None:
    """A label is drawn last, in the reader's language."""
    drawn = scene()
    row = tuple(cell.space for cell in drawn.cells if cell.row == 0)
    named = Scene(
        drawn.rows,
        drawn.columns,
        drawn.cells,
        (),
        drawn.palette,
        (),
        areas=(Area("heath", row, "3/1", "HEA"),),
    )
    texts = [text.text for text in read(picture(named, wording("de"))).iter(f"{SVG}text")]
    assert "HEIDE 3/1" in texts


def test_the_state_of_an_area_is_shown_once_and_numbers_keep_off_names() -> None:
    """One star for all spaces of an area; the pill of a change stands below the strip for names."""
    star = Mark("*", "tower", shape="star", corner=True)
    cells = tuple(Cell(f"A{n + 1}", 0, n, "heath", "h", (star,)) for n in range(3))
    area = Area("heath", ("A1", "A2", "A3"), "3/1", "HEA", state="tower")
    drawn = Scene(1, 3, cells, (), {}, (), areas=(area,))
    assert picture(drawn, wording()).count(SHAPES["star"](star, ink_of(None))) == 1
    root = read(picture(drawn, wording(), Changes({"A2": (1,)})))
    (pill,) = (rect for rect in root.iter(f"{SVG}rect") if rect.get("fill") == GOLD)
    assert float(pill.get("y", 0)) >= STRIP * 96 - 1


def test_a_board_of_one_space_and_one_of_many_have_bounds() -> None:
    """Spaces are neither tiny nor huge."""
    one, many = read(picture(scene(1, 1), wording())), read(picture(scene(26, 22), wording()))
    assert one.attrib["viewBox"] == "0 0 156 156"
    assert many.attrib["viewBox"].split()[2] == str(22 * 38 + 60)
