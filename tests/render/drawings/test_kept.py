"""Drawings that are kept: within their bytes, and never another's."""

import pytest
from support.moor import scene, wording

from referee.render.drawings.kept import Kept
from referee.render.drawings.picture import Picture, grounds
from referee.value import replace

pytestmark = pytest.mark.fast


def test_the_longest_unused_go_first_when_bytes_are_many() -> None:
    """What is kept never has more than its bytes; what was used again stays."""
    kept, made = Kept(20), list[str]()

    def get(key: str) -> None:
        kept.get(key, lambda: (made.append(key), 8))

    for key in "abacab":
        get(key)
    assert made == ["a", "b", "c", "b"]
    assert kept.size <= 20


def test_a_ground_that_is_kept_is_as_drawn_anew() -> None:
    """The same spaces share a ground; one space of another ground has one of its own."""
    first, board = Picture(scene(), wording()).layers(), scene()
    assert Picture(scene(), wording()).layers() == first
    cell = board.cells[0]
    other = next(space.ground for space in board.cells if space.ground != cell.ground)
    turned = replace(board, cells=(replace(cell, ground=other), *board.cells[1:]))
    drawn = Picture(turned, wording()).layers()
    assert drawn.ground != first.ground
    grounds.clear()
    assert Picture(turned, wording()).layers() == drawn
    assert Picture(scene(), wording()).layers() == first
