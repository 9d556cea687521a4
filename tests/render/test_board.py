"""How a board is drawn as text and as a table."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html
from support.moor import scene, wording
from support.thorough import examples

from referee.games.game import Cell, Mark, Scene
from referee.render.drawings.board import html_board, text_board
from referee.render.layout import WIDTH, width

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
    signs = sum(line[2:].count("h") + line[2:].count("~") for line in drawn)
    assert (len(drawn) % rows, signs) == (0, rows * columns)


def test_a_large_board_is_named_at_both_ends() -> None:
    """Nobody has to follow a row or a column across the whole board for its name."""
    lines = text_board(replace(scene(10, 10), legend=()), wording())
    assert (lines[0], lines[10]) == (lines[11], "J h   h   h   h   h   h   h   h   h   ~   J")


def test_marks_that_do_not_fit_leave_a_plus() -> None:
    """A cell too narrow for all its letters says that there is more."""
    assert text_board(scene(1, 20, crowded=True), wording())[1].startswith("A ~B+hB+")


def test_a_mark_that_looks_like_its_ground_is_drawn_once() -> None:
    """A ground that is a thing itself is not shown twice."""
    cell = Cell("A1", 0, 0, "heath", "#", (Mark("#", "tower"), Mark("R", "stone", "red")))
    drawn = Scene(1, 1, (cell,), (), {"heath": "#ffffff"}, ())
    assert text_board(drawn, wording()) == ("  1", "A #R", "")


def test_the_table_tells_each_cell_in_words() -> None:
    """A cell bears its space, ground and marks as its title, and letters as its text."""
    table = html.fromstring(html_board(scene(2, 3), wording("de"), frozenset({"A1"})))
    cells = {cell.get("title"): cell.text_content() for cell in table.iter("td")}
    assert cells["A1 offenes Wasser: Stein (Rot), verändert"] == "~R!"
    assert cells["B3 Heide: Turm"] == "hT"
    assert len(cells) == 6


def test_spaces_off_the_board_are_empty_cells() -> None:
    """A board need not be a rectangle."""
    whole = scene(2, 2)
    holed = Scene(2, 2, whole.cells[1:], (), whole.palette, ())
    assert "<td></td>" in html_board(holed, wording())
    assert text_board(holed, wording())[1] == "A     h"
