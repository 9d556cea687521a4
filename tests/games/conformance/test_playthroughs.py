"""Every registered game plays as its kept playthrough says, line by line."""

from __future__ import annotations

import pytest
from support.playthroughs import FOLDER, file_of, text_of
from support.tables import Table, tables

pytestmark = pytest.mark.fast


def test_a_game_plays_as_it_always_did(table: Table) -> None:
    """The game's playthrough is there, and played anew it has the same lines."""
    path = file_of(table)
    assert path.is_file(), "write it: PYTHONPATH=tests python -m support.playthroughs"
    assert text_of(table).splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_no_playthrough_is_left_of_a_game_that_is_gone() -> None:
    """Every kept file of a registered game belongs to one of its tables."""
    names = {table.game.name for table in tables()}
    kept = {path for path in FOLDER.glob("*.txt") if path.name.split("-")[0] in names}
    assert kept <= {file_of(table) for table in tables()}
