"""How long the list of ten thousand matches takes."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.given import GIVEN
from support.storing import NOW

from referee.store.people import players
from referee.store.play import matches
from referee.store.store import open_store

pytestmark = [pytest.mark.soak, pytest.mark.timeout(600)]


def filled(folder: Path, count: int) -> None:
    """Add matches with a board and a header as large as those of real ones."""
    with open_store(f"sqlite:///{folder / 'referee.db'}") as store, store.writing() as connection:
        player = players.insert_player(
            connection,
            name="alice",
            language="en",
            zone="UTC",
            address="alice@example.test",
            now=NOW,
        )
        for number in range(count):
            match = matches.add_match(
                connection,
                name=f"pebbles-{number + 1}",
                game="pebbles",
                edition=1,
                options={},
                clock={},
                board=None,
                seed=bytes(32),
                commitment="a",
                practice=False,
                time_per_turn=86_400,
                created=NOW,
            )
            matches.add_seat(connection, match, "red", 0, player_id=player)
            large = "x" * 3000
            matches.change_match(
                connection,
                match,
                board={"a": large},
                header=large,
                header_hash="a",
                state="running",
                started=NOW,
                seq=10,
                head="a",
                draws=3,
                turn=4,
                to_act="red",
                turn_began_seq=9,
                turn_began_at=NOW,
                due=NOW,
                agenda_at=None,
            )


def seconds(folder: Path, *words: str) -> float:
    """Return how much processor time a list takes, the least of four runs."""
    command = [sys.executable, "-m", "referee", "match", "list", *words]

    def once() -> float:
        before = spent()
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return spent() - before

    return min(once() for _ in range(4))


def spent() -> float:
    """Return the processor time of all that has been run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_ten_thousand_matches_are_listed_in_half_a_second(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    """Beyond what an empty list takes, as text and as JSON."""
    assert run("init", tmp_path, *GIVEN).status == 0
    filled(tmp_path, 10_000)
    empty = seconds(tmp_path, "--state", "abandoned")
    assert seconds(tmp_path) - empty < 0.5
    assert seconds(tmp_path, "--json") - empty < 0.5
