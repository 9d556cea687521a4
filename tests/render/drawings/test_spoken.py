"""Positions in sentences: changes first, pieces by seat and ground, every piece once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.moor import scene, table, wording
from support.tables import random_game, tables

from referee.games.game import LANGUAGES, Area, Cell, Ground, Mark, Place, Row, Scene, Table, Track
from referee.render.drawings.changes import Changes
from referee.render.drawings.spoken import spoken
from referee.render.words.wording import Wording
from referee.value import replace

pytestmark = pytest.mark.fast


def test_a_small_position_is_spoken_like_this() -> None:
    """Pieces of seats come before those of nobody, then grounds by region, the commonest last.

    No line break parts a seat from its pieces.
    """
    assert spoken(scene(), wording()) == (
        "Red,\N{NO-BREAK SPACE}stone on A1 (open water).",
        "Tower on B3 (heath).",
        "Open water: A1; B2; C3; D4.",
        "Everything else is heath.",
    )


def test_whoever_waits_hears_of_pieces_alone() -> None:
    """A scene without a legend is for a reader who knows the board."""
    known = replace(scene(), legend=())
    assert spoken(known, wording()) == (
        "Red,\N{NO-BREAK SPACE}stone on A1 (open water).",
        "Tower on B3 (heath).",
    )


def test_what_a_table_tells_in_sentences_is_not_told_twice() -> None:
    """A table with a panel of its title stands beside the board for hearers as well."""
    told = replace(scene(), tables=(Table("stock", ("", ""), (Row(("A1", 1), "A1"),)),))
    assert spoken(told, wording())[0] == "Tower on B3 (heath)."


def test_changes_come_first_and_tell_who_left() -> None:
    """A space that is empty now says so, and who stood there."""
    changes = Changes({"A1": (1,), "B2": (2,)}, {"B2": (Mark("B", "stone", "blue"),)})
    assert spoken(scene(), wording("de"), changes)[:2] == (
        "Verändert: A1 (offenes Wasser), Stein (Rot).",
        "Verändert: B2 (offenes Wasser), nun leer, verlassen von Stein (Blau).",
    )


def test_of_a_mere_pattern_nothing_is_told() -> None:
    """Nobody needs to hear which squares of a chequered board are dark."""
    marks = (Mark("R", "stone", "red"),)
    cells = tuple(
        Cell(f"a{n + 1}", 0, n, ("light", "dark")[n % 2], ".", marks if n < 2 else ())
        for n in range(4)
    )
    grounds = {key: Ground(key, told=False) for key in ("light", "dark")}
    drawn = Scene(1, 4, cells, (), {}, (("R", "seat", "red"),), grounds=grounds)
    assert spoken(drawn, wording(), Changes({"a1": (1,)})) == (
        "Changed: a1, stone (red).",
        "Red,\N{NO-BREAK SPACE}stone on a1 and a2.",
    )


def test_cards_on_a_table_are_told_by_their_seats() -> None:
    """Places where nothing lies are passed over."""
    assert spoken(table("blue"), wording("de")) == ("Blau: Pik-Dame.",)


def test_several_pieces_alike_on_a_space_are_counted() -> None:
    """Nobody hears of the same space five times."""
    stones = (Mark("R", "stone", "red"),) * 5
    cells = (Cell("A1", 0, 0, "heath", "h", stones), Cell("A2", 0, 1, "heath", "h", stones[:1]))
    assert spoken(Scene(1, 2, cells, (), {}, ()), wording(), Changes({"A1": (1,)})) == (
        "Changed: A1 (heath), stone (red, 5).",
        "Red,\N{NO-BREAK SPACE}stone on A1 (5) and A2 (heath).",
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
    assert spoken(drawn, wording()) == ("open water, tower: red on A1 (3).",)


def test_tracks_are_told_up_to_the_next_place() -> None:
    """Places still to come are left out."""
    places = (Place("2", (Mark("R", "stone", "red"),), "done"), Place("4", (), "next"), Place("6"))
    drawn = Scene(0, 0, (), (), {}, (), tracks=(Track("places", "stock", places),))
    assert spoken(drawn, wording()) == ("In stock: 2: stone (red); next is 4.",)


def test_pieces_beside_the_board_are_told_by_their_panel() -> None:
    """Not once more with the board, with or without a legend."""
    row = Track("pieces", "stock", (Place("×2", (Mark("R", "stone", "red"),)),))
    assert spoken(Scene(0, 0, (), (), {}, (), tracks=(row,)), wording()) == ()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", tables(), ids=lambda table: str(table.name))
def test_every_occupied_space_of_any_game_is_spoken(table: Any, language: str) -> None:
    """Whoever hears the position misses no piece, and hears no picture made of characters."""
    game = table.game
    view = game.scene(game.view(random_game(table, 2).end, table.seats[0]))
    words = Wording(game, language)
    lines = spoken(view, words)
    # What panels tell of spaces in sentences of their own is not told twice.
    panels = [words.sentence(sentence) for panel in view.panels for sentence in panel.sentences]
    told = set(re.findall(r"\b[A-Z]\d+\b", " ".join([*lines, *panels])))
    alone = {area.state for area in view.areas}
    assert told >= {
        cell.space for cell in view.cells if any(mark.word not in alone for mark in cell.marks)
    }
    assert all(line.endswith(".") and "  " not in line for line in lines)
