"""Boards as text: cells, names, changes, and what is done where they do not fit."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.moor import scene, table, wording
from support.thorough import examples

from referee.games.game import Cell, Figure, Ground, Mark, Scene
from referee.render.drawings.board import phone_board, picture_key, text_board
from referee.render.drawings.changes import Changes
from referee.render.drawings.drawing import draw_scene
from referee.render.layout import WIDTH
from referee.text import width
from referee.value import replace

pytestmark = pytest.mark.fast


def test_a_small_board_reads_like_this() -> None:
    """Columns are numbered, rows lettered; a cell shows its ground and its marks."""
    assert text_board(scene(3, 4), wording()) == (
        "  1   2   3   4",
        "A ~R  h   h   h",
        "B h   ~   hT  h",
        "C h   h   ~   h",
        "",
        "Signs: ~ open water; h heath; R red",
    )


def test_a_table_for_cards_names_its_seats() -> None:
    """Cards bear the letters of the reader's language, in text and on a phone."""
    assert text_board(table("blue"), wording())[0] == " red –   blue Q♠"
    assert text_board(table("blue"), wording("de"))[0] == " Rot –   Blau D♠"
    assert phone_board(table("red"), wording("de"), 30)[0] == " Rot D♠ Blau –"
    assert phone_board(table("red"), wording("de"), 12)[:3] == (" Rot D♠", "", " Blau –")


def test_a_broad_board_has_narrow_cells_and_tens_above_units() -> None:
    """Where numbers of two digits leave no gap, the tens stand in a line of their own."""
    lines = text_board(scene(1, 26), wording())
    assert lines[:2] == (
        "                    1                   2",
        "  1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6",
    )


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(1, 26), st.integers(1, 60), st.booleans(), st.integers(30, WIDTH))
def test_every_board_fits_and_shows_every_space(
    rows: int, columns: int, crowded: bool, most: int
) -> None:
    """However large, no line is too wide, and every row appears in every band."""
    lines = text_board(replace(scene(rows, columns, crowded), legend=()), wording(), most)
    assert max(map(width, lines)) <= most
    drawn = [line for line in lines if line[:1].isalpha() and line[1:2] == " "]
    shown, ends = 0, False
    for line in drawn:
        # No cell shows an A, so the first row tells whether rows are named at both ends.
        ends = line.endswith("A") if line.startswith("A") else ends
        shown += len(line.split()) - 1 - ends
    assert (len(drawn) % rows, shown) == (0, rows * columns)


def test_a_large_board_is_named_at_both_ends() -> None:
    """Nobody has to follow a row or a column across the whole board for its name."""
    lines = text_board(replace(scene(10, 10), legend=()), wording())
    assert (lines[0], lines[10]) == (lines[11], "J h   h   h   h   h   h   h   h   h   ~   J")


def test_marks_that_do_not_fit_leave_a_plus() -> None:
    """A cell too narrow for all its letters says that there is more."""
    assert text_board(scene(1, 20, crowded=True), wording())[1].startswith("A B+ B+ ")


def test_a_mark_that_looks_like_its_ground_is_drawn_once() -> None:
    """A ground that is a thing itself is not shown twice."""
    cell = Cell("A1", 0, 0, "heath", "#", (Mark("#", "tower"), Mark("R", "stone", "red")))
    drawn = Scene(1, 1, (cell,), (), {"heath": "#ffffff"}, ())
    assert text_board(drawn, wording()) == ("  1", "A #R", "")


def test_on_a_ground_that_is_a_pattern_a_piece_stands_in_place_of_its_sign() -> None:
    """A dot before a number would make it a fraction; a ground that is told of keeps its sign."""
    cell = Cell("A1", 0, 0, "heath", ".", (Mark("6", "stone"),))
    for told, shown in ((False, "A 6"), (True, "A .6")):
        ground = Ground(fill="#ffffff", told=told)
        drawn = Scene(1, 1, (cell,), (), {}, (), grounds={"heath": ground})
        assert text_board(drawn, wording()) == ("  1", shown, "")


def test_a_changed_space_bears_its_sign_and_the_small_letter_that_left() -> None:
    """Changes stand in the blank between two cells, so that columns stay where they are."""
    changes = Changes({"A1": (1,), "B2": (2,)}, {"B2": (Mark("B", "stone", "blue"),)})
    lines = text_board(replace(scene(2, 3), legend=()), wording(), changes=changes)
    assert lines[1:3] == ("A ~R! h   h", "B h   ~b! hT")


def chequered() -> Scene:
    """Return a board of nine squares with a figure of each seat, in the middle and on its left."""
    shape = Figure("M10 90H90L50 10Z")
    men = {"b2": Mark("K", "stone", "red", shape), "a2": Mark("k", "stone", "blue", shape)}
    cells = tuple(
        Cell(space, row, column, ("light", "dark")[(row + column) % 2], ".", marks)
        for row in range(3)
        for column in range(3)
        for space in [f"{'abc'[column]}{3 - row}"]
        for marks in [(men[space],) if space in men else ()]
    )
    grounds = {key: Ground(key, told=False) for key in ("light", "dark")}
    legend = (("K", "mark", "stone"),)
    return Scene(
        3, 3, cells, (), {}, legend,
        grounds=grounds, row_names=("3", "2", "1"), column_names=("a", "b", "c"),
    )  # fmt: skip


def test_a_board_with_names_of_its_own_reads_as_its_players_know_it() -> None:
    """A figure is its letter alone, whose case tells whose it is; what left leaves a sign alone."""
    changes = Changes(
        {"b2": (1,), "b3": (1,)}, {"b3": (Mark("K", "stone", "red", Figure("M0 0")),)}
    )
    board = (
        "3 . .!.",
        "2 k K!.",
        "1 . . .",
        "  a b c",
        "",
        "Signs: K stone; small letters: blue",
    )
    assert text_board(chequered(), wording(), changes=changes) == board
    # A phone shows it whole as well: empty edges belong to it.
    assert phone_board(chequered(), wording(), 38, changes) == board
    assert picture_key(chequered(), wording()) == ""
    one = replace(chequered(), legend=(("K", "seat", "red"), ("k", "seat", "blue")))
    alone = tuple(cell for cell in one.cells if not any(mark.seat == "blue" for mark in cell.marks))
    for cells in (alone, tuple(replace(cell, marks=()) for cell in one.cells)):
        assert picture_key(replace(one, cells=cells), wording()) == ""


def numbered() -> Scene:
    """Return two spaces of draughts with their numbers, on one of them a man."""
    man = Mark("r", "stone", "red", "stone")
    cells = (
        Cell("31", 0, 0, "heath", ".", (man,), "31"),
        Cell("b", 0, 1, "heath", " "),
        Cell("32", 0, 2, "heath", ".", name="32"),
    )
    legend = (("r", "seat", "red"),)
    return Scene(1, 3, cells, (), {}, legend, row_names=("",), column_names=("", "", ""))


def test_a_name_stands_on_its_space_before_the_piece() -> None:
    """Small letters that the legend explains are not explained twice."""
    lines = text_board(numbered(), wording(), changes=Changes({"32": ()}))
    assert lines == (" 31r     32!", "", "Signs: r red")
    assert phone_board(numbered(), wording(), 38)[0] == " 31r     32"


def slanted(*spaces: str) -> Scene:
    """Return a board of hexagons, of which some spaces hold a stone."""
    cells = tuple(
        Cell(
            name,
            row,
            column,
            "heath",
            ".",
            (Mark("R", "stone", "red", "stone"),) * (name in spaces),
        )
        for row in range(3)
        for column in range(3)
        for name in [f"{'abc'[column]}{row + 1}"]
    )
    return Scene(
        3, 3, cells, (), {}, (),
        row_names=("1", "2", "3"), column_names=("a", "b", "c"), lattice="hexes",
    )  # fmt: skip


def test_rows_of_hexagons_are_shifted_by_one_column_each() -> None:
    """Columns are named above and below, along their slant."""
    assert text_board(slanted("b2"), wording()) == (
        " a b c",
        "1 . . .",
        " 2 . R .",
        "  3 . . .",
        "     a b c",
        "",
    )


def test_a_gap_in_a_row_of_hexagons_keeps_its_room() -> None:
    """What stands behind it stays in its column."""
    whole = slanted("c2")
    kept = tuple(cell for cell in whole.cells if cell.space != "b2")
    assert text_board(replace(whole, cells=kept), wording())[2] == " 2 .   R"


def test_hexagons_stand_in_one_band_where_their_spaces_fit() -> None:
    """Only their own width counts, and not that of all rows and columns together."""
    cells = tuple(
        Cell(f"{chr(ord('a') + column)}{row + 1}", row, column, "heath", ".")
        for row in range(20)
        for column in range(20)
        if 19 <= 2 * column + row < 39
    )
    lines = text_board(Scene(20, 20, cells, (), {}, (), lattice="hexes"), wording())
    assert len(lines) == 23
    assert max(map(len, lines)) <= WIDTH


@pytest.mark.parametrize(("columns", "whole"), [(31, True), (30, True), (29, False)])
def test_hexagons_that_just_fit_stand_in_one_band(columns: int, whole: bool) -> None:
    """The blank behind the last space of a row needs no room."""
    cells = tuple(
        Cell(f"{chr(ord('a') + column)}{row + 1}", row, column, "heath", ".")
        for row in range(20)
        for column in range(24)
        if 19 <= 2 * column + row < 47
    )
    board = Scene(20, 24, cells, (), {}, (), lattice="hexes")
    lines = text_board(board, wording(), width=columns)
    assert max(map(len, lines)) <= columns
    assert any(line.count(".") == 14 for line in lines) is whole


def test_a_board_of_hexagons_may_be_a_hexagon_itself() -> None:
    """Each row begins with its name, right before its first space."""
    whole = slanted("a2")
    kept = tuple(cell for cell in whole.cells if 0 < cell.row + cell.column < 4)
    assert text_board(replace(whole, cells=kept), wording()) == (
        "  b c",
        " 1 . .",
        "2 R . .",
        " 3 . .",
        "    a b",
        "",
    )


def points() -> Scene:
    """Return a board of four tall points, on which three checkers and two stand."""
    checker, other = (
        Mark(letter, "stone", seat, "stone") for letter, seat in (("X", "red"), ("O", "blue"))
    )
    cells = (
        Cell("3", 0, 0, "heath", ".", (checker,) * 3),
        Cell("4", 0, 1, "water", "."),
        Cell("2", 1, 0, "water", ".", (other,) * 2),
        Cell("1", 1, 1, "heath", "."),
    )
    grounds = {"heath": Ground("point"), "water": Ground("point", "#7d4a2e")}
    return Scene(
        2, 2, cells, (), {}, (("X", "seat", "red"),),
        grounds=grounds, row_names=("", ""), column_names=("3", "4", "2", "1"), tall=2,
    )  # fmt: skip


def test_pieces_are_stacked_on_tall_spaces_from_the_edge_of_the_board() -> None:
    """A number tells how many there are where they are more; both edges have names of their own.

    Who left a point altogether leaves the sign of a change alone.
    """
    left = {"4": (Mark("X", "stone", "red", "stone"),)}
    lines = text_board(points(), wording(), changes=Changes({"2": (), "4": ()}, left))
    assert lines == (
        " 3 4",
        " X .!",
        " 3",
        "",
        " O",
        " O!.",
        " 2 1",
        "",
        "Signs: X red",
    )
    # What phones tell of crowded spaces elsewhere, the number has told.
    assert phone_board(points(), wording(), 38)[:3] == (" 3 4", " X .", " 3")
    assert picture_key(points(), wording()) == ""


def test_the_number_of_ten_or_more_pieces_on_a_tall_space_is_whole() -> None:
    """Also on a phone, whose cells have room for one sign and that of a change."""
    board = points()
    marks = board.cells[0].marks[:1]
    cells = (replace(board.cells[0], marks=marks * 12), *board.cells[1:])
    for lines in (text_board, phone_board):
        drawn = lines(replace(board, cells=cells), wording(), 38, Changes({"3": ()}))
        assert drawn[:3] == (" 3 4", " X!.", " 12")


def test_a_board_too_wide_for_a_phone_stands_close() -> None:
    """Better without blanks than in two halves; what is changed stands below it."""
    cells = tuple(Cell(f"x{n}", 0, n, "heath", "+", ()) for n in range(30))
    drawn = Scene(1, 30, cells, (), {}, (), row_names=("1",), column_names=("x",) * 30)
    wide, close = (text_board(drawn, wording(), n, Changes({"x2": ()})) for n in (72, 38))
    assert wide[0] == "1 + + +!" + "+ " * 27 + "1"
    assert close == ("1 " + "+" * 30, "  " + "x" * 30, "")


def test_a_settlement_shows_its_banner_and_the_sum_of_its_counts() -> None:
    """Counted pieces are one number; where no letter stands before it, there is a dash."""
    counts = tuple(Mark(seat[0].upper(), "man", seat, "count", 2) for seat in ("red", "blue"))
    jarl = Mark("G", "jarl", "green", "banner")
    cells = (Cell("A1", 0, 0, "town", "#", (jarl, *counts)), Cell("A2", 0, 1, "town", "#", counts))
    assert text_board(Scene(1, 2, cells, (), {}, ()), wording())[1] == "A #G4 #-4"


def test_a_piece_afloat_is_told_from_one_on_land() -> None:
    """At sea, where the ground is a dot, a wave stands before the piece."""
    ship = Mark("R", "man", "red", afloat=True)
    cells = (Cell("A1", 0, 0, "sea", ".", (ship,)), Cell("A2", 0, 1, "sea", "."))
    assert text_board(Scene(1, 2, cells, (), {}, ()), wording())[1] == "A ~R  ."


def test_the_legend_tells_every_sign_drawn_and_no_other() -> None:
    """Signs of the renderer's own are told beside the game's, each where it occurs."""
    ship, men = Mark("R", "stone", "red", afloat=True), Mark("B", "stone", "blue", "count", 2)
    grounds = (("sea", "."), ("town", "#"), ("heath", "h"))
    marks: tuple[tuple[Mark, ...], ...] = ((ship,), (men,), ())
    cells = tuple(
        Cell(f"A{n + 1}", 0, n, ground, sign, pieces)
        for n, ((ground, sign), pieces) in enumerate(zip(grounds, marks, strict=True))
    )
    drawn = Scene(1, 3, cells, (), {}, (("R", "seat", "red"),))
    changes = Changes({"A3": (1,)}, {"A3": (Mark("B", "stone", "blue"),)})
    assert text_board(drawn, wording(), changes=changes)[1:] == (
        "A ~R  #-2 hb!",
        "",
        "Signs: R red; number: stone; b gone; ~ piece at sea; - nobody's",
    )
    shown = draw_scene(drawn, wording(), changes)
    assert shown.text[-2:] == (text_board(drawn, wording(), changes=changes)[-1], "! changed: A3")
    assert shown.legend == "Signs: R red; number: stone; b gone; ! changed: A3"
    bare = replace(drawn, cells=cells[2:])
    assert text_board(bare, wording())[-1] == "Signs: R red"


def test_spaces_off_the_board_are_blank() -> None:
    """A board need not be a rectangle."""
    whole = scene(2, 2)
    holed = Scene(2, 2, whole.cells[1:], (), whole.palette, ())
    assert text_board(holed, wording())[1] == "A     h"


def test_a_phone_gets_ground_and_piece_of_every_space_and_no_empty_edge() -> None:
    """Whatever a small cell has no room for stands below the board."""
    men = (Mark("R", "stone", "red", "count", 2), Mark("B", "stone", "blue", "count", 1))
    marked = {(2, 3): men, (3, 3): (Mark("R", "stone", "red"), Mark("T", "tower", corner=True))}
    cells = tuple(
        Cell(
            f"{chr(65 + row)}{column + 1}", row, column, ground, sign, marked.get((row, column), ())
        )
        for row in range(6)
        for column in range(14)
        for ground, sign in [("heath", "h") if 1 < column < 12 and 1 < row < 5 else ("water", ".")]
    )
    drawn = Scene(6, 14, cells, (), {}, ())
    lines = phone_board(drawn, wording(), 38, Changes({"D4": (1,)}))
    assert lines[:3] == (
        "  3  4  5  6  7  8  9  10 11 12",
        "C h  -3 h  h  h  h  h  h  h  h  C",
        "D h  hR!h  h  h  h  h  h  h  h  D",
    )
    assert lines[-2:] == ("Also there: C4 R2 B1; D4 T", "Around it: open water.")


def test_a_key_tells_what_the_shapes_of_a_picture_mean() -> None:
    """Shapes in words, letters that their seats' names do not begin with; no legend, no key."""
    marks = (Mark("K", "stone", "red", "shield"), Mark("?", "tower", shape="tile", hidden=True))
    drawn = Scene(1, 1, (Cell("A1", 0, 0, "heath", "h", marks),), (), {}, (("K", "seat", "red"),))
    key = picture_key(drawn, wording())
    assert key == "Shield: stone. Dark tile with ?: tower. K red."
    assert picture_key(replace(drawn, legend=()), wording()) == ""
    for gone in (True, False):
        key = picture_key(drawn, wording(), Changes({"A1": ()}, {"A1": ()} if gone else {}))
        assert ("Dashed: what has gone." in key) == gone


def test_a_shape_that_has_the_name_of_its_piece_is_not_explained_by_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nouns may have a capital letter, as German ones do."""
    cell = Cell("A1", 0, 0, "heath", "h", (Mark("T", "tower", shape="star"),))
    drawn = Scene(1, 1, (cell,), (), {}, (("h", "ground", "heath"),))
    capital = wording()
    # Other tests share this wording.
    monkeypatch.setattr(capital, "word", lambda section, key: "STAR")
    assert picture_key(drawn, capital) == ""
