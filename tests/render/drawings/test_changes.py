"""Differences of two scenes: what changed, and who left."""

import pytest
from support.moor import scene

from referee.games.game import Mark, Place, Track
from referee.render.drawings.changes import NOTHING, arrived, changes_between
from referee.value import replace

pytestmark = pytest.mark.fast

RED, BLUE = Mark("R", "stone", "red"), Mark("B", "stone", "blue")


def with_marks(**marks: tuple[Mark, ...]):
    """Return the moor with other marks on some spaces."""
    drawn = scene()
    cells = tuple(replace(cell, marks=marks.get(cell.space, cell.marks)) for cell in drawn.cells)
    return replace(drawn, cells=cells)


def test_equal_scenes_have_no_changes() -> None:
    """A space that looks as before is not changed, whatever is told of it."""
    assert changes_between(scene().cells, scene().cells, {"A1": [1], "B2": [2]}) == NOTHING


def test_a_changed_space_bears_the_numbers_of_the_lines_that_name_it() -> None:
    """One that no line names is changed all the same."""
    after = with_marks(A2=(RED,), A3=(BLUE,))
    found = changes_between(scene().cells, after.cells, {"A2": [1, 2], "D4": [3]})
    assert dict(found.numbers) == {"A2": (1, 2), "A3": ()}
    assert found.gone == {}


def test_a_piece_that_left_is_gone_unless_another_took_its_place() -> None:
    """A ghost stands on empty spaces alone."""
    before = with_marks(A2=(RED,), A3=(RED,))
    found = changes_between(before.cells, with_marks(A2=(), A3=(BLUE,)).cells, {})
    assert set(found.numbers) == {"A2", "A3"}
    assert dict(found.gone) == {"A2": (RED,)}


def test_a_changed_ground_is_a_change() -> None:
    """What lies under the pieces counts as well."""
    drawn = scene()
    cells = (replace(drawn.cells[0], ground="heath"), *drawn.cells[1:])
    assert set(changes_between(drawn.cells, cells, {}).numbers) == {"A1"}


def test_a_space_that_is_new_is_not_changed() -> None:
    """A board that grew, as when an organiser set another one, is not marked all over."""
    assert changes_between(scene(2, 2).cells, scene(4, 5).cells, {}).numbers == {}


def test_places_of_tracks_where_a_piece_has_come_are_changed() -> None:
    """Not those that one has left, nor those of a track that was not there."""
    empty, red, blue = Place("2"), Place("2", (RED,)), Place("2", (BLUE,))
    then = Track("places", "boat", (red, empty, red, red))
    now = Track("places", "boat", (red, red, blue, empty))
    assert arrived([then], [now]) == {("boat", 1), ("boat", 2)}
    assert arrived([], [now]) == set()
