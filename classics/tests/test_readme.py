"""The README's list of games: all of them, with moves that are read."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytestmark = pytest.mark.fast

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")

ROW = re.compile(r"^\| .+ \| `([a-z0-9]+)` \| (.+) \| (.+) \|$", re.MULTILINE)


def test_every_game_is_listed_with_moves_that_it_reads():
    """A row of the list names a game, its seats if they are two, and ways to write a move."""
    games = {
        entry.name.partition("-")[0]: entry.load()
        for entry in entry_points(group="referee.games")
        if entry.value.startswith("referee_classics")
    }
    rows = {name: (seats, about) for name, seats, about in ROW.findall(README)}
    assert rows.keys() == games.keys()
    for name, (seats, about) in rows.items():
        assert len(games[name].colours) > 2 or seats == ", ".join(games[name].colours)
        for line in re.findall("`(.+?)`", about):
            assert games[name].parse(line, "en")
