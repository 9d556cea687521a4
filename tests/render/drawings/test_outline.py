"""Outlines around sets of cells: closed, clockwise, holes the other way, corners apart."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.render.drawings import outline

pytestmark = pytest.mark.fast


CELLS = st.sets(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1)


def corners(loop) -> list[tuple[int, int]]:
    """Return the corners of a loop."""
    return [corner for corner, _ in loop]


def enclosed(points: list[tuple[int, int]]) -> float:
    """Return the signed area within corners (row, column); positive if clockwise on screen."""
    pairs = zip(points, points[1:] + points[:1], strict=True)
    return sum(x0 * y1 - x1 * y0 for (y0, x0), (y1, x1) in pairs) / 2


def test_one_cell_has_four_corners() -> None:
    """A run of cells has one edge for each side, however long."""
    assert corners(next(outline.loops({(0, 0)}))) == [(0, 0), (0, 1), (1, 1), (1, 0)]
    assert len(next(outline.loops({(0, 0), (0, 1), (0, 2)}))) == 4


def test_cells_that_touch_at_a_corner_stay_apart() -> None:
    """A region is what hangs together by sides."""
    cells = {(0, 0), (1, 1)}
    assert len(list(outline.loops(cells))) == 2
    assert len(list(outline.regions(cells))) == 2


@given(CELLS)
def test_loops_enclose_as_much_as_there_are_cells(cells: set[tuple[int, int]]) -> None:
    """Holes run the other way, so all areas together are those of the cells."""
    found = sum(enclosed(corners(loop)) for loop in outline.loops(cells))
    assert found == len(cells)


@given(CELLS)
def test_regions_are_a_partition(cells: set[tuple[int, int]]) -> None:
    """Each cell lies in one region, and no two regions touch by a side."""
    found = list(outline.regions(cells))
    assert sorted(spot for region in found for spot in region) == sorted(cells)
    for one in found:
        assert outline.between(one, cells - one, 1) == ""


def test_a_path_is_closed_rounded_and_moved_inwards() -> None:
    """Corners are curves of the radius; an inset makes the outline smaller on every side."""
    assert outline.path({(0, 0)}, 10) == "M0 0L10 0L10 10L0 10Z"
    assert outline.path({(0, 0)}, 10, inset=2) == "M2 2L8 2L8 8L2 8Z"
    rounded = outline.path({(1, 1)}, 10, radius=3)
    assert re.findall(r"[MLQZ]", rounded) == ["M", "Q", "L", "Q", "L", "Q", "L", "Q", "Z"]


def test_between_draws_the_shared_sides() -> None:
    assert outline.between({(0, 0)}, {(0, 1), (5, 5)}, 10) == "M10 0l0 10"


def test_corners_that_stand_out_are_those_of_a_rounded_outline() -> None:
    """One cell has four; a corner that runs inwards has none."""
    assert outline.corners({(0, 0)}, 10, 3).count("M") == 4
    assert outline.corners({(0, 0), (0, 1), (1, 0)}, 10, 3).count("M") == 5


def test_a_web_joins_the_middles_of_neighbours_alone() -> None:
    """A line goes as far as there are cells, and a cell alone has none."""
    cells = {(0, 0), (0, 1), (0, 2), (1, 1), (3, 3)}
    assert outline.web(cells, 10) == "M5 5l20 0M15 5l0 10"


def test_a_hexagon_is_as_wide_as_a_space() -> None:
    """It stands on a corner, so that those of one row touch."""
    assert outline.hexagon(5, 6, 10) == "M5.0 0.2l5.0 2.9v5.8l-5.0 2.9l-5.0 -2.9v-5.8z"
