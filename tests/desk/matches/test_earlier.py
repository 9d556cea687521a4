"""Earlier positions of matches, kept in memory by all threads of a process."""

from __future__ import annotations

import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from referee.desk.matches import earlier
from referee.games.game import Scene

pytestmark = pytest.mark.fast


class Yielding(OrderedDict[str, Any]):
    """A mapping that lets other threads run after each position it takes in."""

    def __setitem__(self, key: str, value: object) -> None:
        """Take in a position, then let others run."""
        super().__setitem__(key, value)
        time.sleep(0.001)


def test_threads_keep_positions_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of them stumbles over a position that another has just let go."""
    kept = Yielding()
    monkeypatch.setattr(earlier, "MOST_KEPT", 1)
    monkeypatch.setattr(earlier, "_KEPT", kept)

    def seen(_: object) -> Scene:
        return Scene(1, 1, (), (), {}, ())

    def keep(thread: int) -> None:
        for number in range(20):
            live = SimpleNamespace(head=f"{thread}-{number}", position=number, scene=seen)
            loaded: Any = SimpleNamespace(live=live)
            earlier.keep_position(loaded, None)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(keep, range(4)))
    assert len(kept) == 1
