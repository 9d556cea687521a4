"""What every test may ask for, and how patient all of them are."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support import room
from support.thorough import examples

from referee.games import registry

# How long an example takes says more about what else the machine does than about our code.
settings.register_profile(
    "busy",
    deadline=None,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("busy")

pytest_plugins = ["support.servers", "support.unclosed"]

# The games of classics/ are many and long: what holds for any game is asked of them apart.
_CLASSICS = os.environ.get("TESTED_GAMES") == "classics"
_installed = registry.entry_points
registry.entry_points = lambda group: [
    entry
    for entry in _installed(group=group)
    if entry.value.startswith("referee_classics") == _CLASSICS
]

# Read when the first test asks for a folder.
os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(room.place()))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out modules without a fast test where only those are wanted.

    To import them takes a tenth of the time that the fast tests take.
    """
    alone = config.getoption("markexpr") == "fast" and collection_path.match("test_*.py")
    return (alone and "mark.fast" not in collection_path.read_text(encoding="utf-8")) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that may take long: none is left to run alone at the end."""
    items.sort(key=lambda each: each.get_closest_marker("timeout") is None)
