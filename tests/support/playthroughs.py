"""The playthrough files: one random game per table, kept to be compared line by line.

``PYTHONPATH=tests python -m support.playthroughs`` writes them anew, for the games named on the
command line or for all; review the difference before keeping it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from support.tables import Table, tables

from referee.games.playthrough import playthrough

FOLDER = Path(__file__).parent.parent / "playthroughs"
SEED = 7


def file_of(table: Table) -> Path:
    """Return where the playthrough of a table is kept."""
    return FOLDER / f"{table.name}.txt"


def text_of(table: Table) -> str:
    """Return the playthrough of a table as the game plays now."""
    return playthrough(table.game, table.seats, table.options, SEED)


def write(names: Sequence[str]) -> list[Path]:
    """Write the playthroughs of the games named, or of all."""
    FOLDER.mkdir(exist_ok=True)
    wanted = [table for table in tables() if not names or table.game.name in names]
    for table in wanted:
        file_of(table).write_text(text_of(table), encoding="utf-8")
    return [file_of(table) for table in wanted]


if __name__ == "__main__":
    for path in write(sys.argv[1:]):
        print(path)  # noqa: T201 - says what was written
