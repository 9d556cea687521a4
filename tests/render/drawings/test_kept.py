"""Drawings that are kept: within their bytes, and never another's."""

import pytest
from support.moor import scene, wording

from referee.games.game import Ground
from referee.render.drawings import picture
from referee.render.drawings.drawing import draw_scene
from referee.render.drawings.kept import Kept
from referee.render.drawings.picture import Picture
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


def test_a_ground_that_is_kept_is_as_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same spaces share a ground; one space of another ground has one of its own."""
    first, board = Picture(scene(), wording()).layers(), scene()
    assert Picture(scene(), wording()).layers() == first
    cell = board.cells[0]
    other = next(space.ground for space in board.cells if space.ground != cell.ground)
    turned = replace(board, cells=(replace(cell, ground=other), *board.cells[1:]))
    drawn = Picture(turned, wording()).layers()
    assert drawn.ground != first.ground
    monkeypatch.setattr(picture, "grounds", Kept(4_000_000))
    assert Picture(turned, wording()).layers() == drawn
    assert Picture(scene(), wording()).layers() == first


def test_a_table_is_shared_by_none_whose_grounds_look_otherwise() -> None:
    """Scenes that differ in nothing but the colour of a ground have tables of their own."""
    board = scene()
    key = board.cells[0].ground
    dry = replace(board, grounds={key: Ground("plain", "#ffffff")})
    wet = replace(board, grounds={key: Ground("plain", "#112233")})
    first, second = (draw_scene(drawn, wording()).html for drawn in (dry, wet))
    assert "#112233" not in first
    assert "#112233" in second
