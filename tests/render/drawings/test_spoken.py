"""Positions in sentences: changes first, pieces by seat and ground, every piece once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.moor import scene, wording
from support.tables import random_game, tables

from referee.games.game import LANGUAGES, Area, Cell, Mark, Place, Scene, Track
from referee.render.drawings.changes import Changes
from referee.render.drawings.spoken import spoken
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast


def test_a_small_position_is_spoken_like_this() -> None:
    """Pieces of seats come before those of nobody; empty spaces are not told."""
    assert spoken(scene(), wording()) == (
        "Red, stone: open water A1.",
        "Tower: heath B3.",
    )


def test_changes_come_first_and_tell_who_left() -> None:
    """A space that is empty now says so, and who stood there."""
    changes = Changes({"A1": (1,), "B2": (2,)}, {"B2": (Mark("B", "stone", "blue"),)})
    assert spoken(scene(), wording("de"), changes)[:2] == (
        "Verändert: A1 (offenes Wasser), Stein (Rot).",
        "Verändert: B2 (offenes Wasser), nun leer, verlassen von Stein (Blau).",
    )


def test_counted_pieces_tell_their_number_and_areas_their_state_once() -> None:
    """Marks that only show the state of an area are not told space by space."""
    star, men = Mark("*", "tower", corner=True), Mark("R", "stone", "red", "count", 3)
    cells = (
        Cell("A1", 0, 0, "heath", "h", (men, star)),
        Cell("A2", 0, 1, "heath", "h", (star,)),
    )
    areas = (Area("water", ("A1", "A2"), state="tower"),)
    drawn = Scene(1, 2, cells, (), {}, (), areas=areas)
    assert spoken(drawn, wording()) == ("Red, stone: open water A1 (3).", "Tower: open water.")


def test_tracks_are_told_up_to_the_next_place() -> None:
    """Places still to come are left out."""
    places = (Place("2", (Mark("R", "stone", "red"),), "done"), Place("4", (), "next"), Place("6"))
    drawn = Scene(0, 0, (), (), {}, (), tracks=(Track("places", "stock", places),))
    assert spoken(drawn, wording()) == ("In stock: 2 stone (red); 4 (next).",)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", tables(), ids=lambda table: str(table.name))
def test_every_occupied_space_of_any_game_is_spoken(table: Any, language: str) -> None:
    """Whoever hears the position misses no piece, and hears no picture made of characters."""
    game = table.game
    view = game.scene(game.view(random_game(table, 2).end, table.seats[0]))
    lines = spoken(view, Wording(game, language))
    told = set(re.findall(r"\b[A-Z]\d+\b", " ".join(lines)))
    alone = {each.state for each in view.areas}
    assert told >= {
        cell.space for cell in view.cells if any(mark.word not in alone for mark in cell.marks)
    }
    assert all(line.endswith(".") and "  " not in line for line in lines)
