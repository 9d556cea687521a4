"""The match of a demo."""

import pytest

from referee.demo.play import demo_setup
from referee.games import registry

pytestmark = pytest.mark.fast


def test_a_demo_begins_with_a_game_that_came_along(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another's game stands behind, whatever its name; asked for, it is played."""
    monkeypatch.setattr(registry, "game_names", lambda: ["pebbles", "origo", "nord"])
    assert demo_setup(None, None).game.name == "origo"
    assert demo_setup("pebbles", None).game.name == "pebbles"
