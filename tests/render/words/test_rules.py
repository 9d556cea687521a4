"""What the short rules of a game say of how long a match takes."""

from __future__ import annotations

import pytest

from referee.games import registry
from referee.games.game import Option
from referee.games.play import opening_order
from referee.render.words import rules
from referee.render.words.wording import Wording
from referee.resources import FALLBACK

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(("swap", "turns"), [(True, "30"), (False, "40")])
def test_an_option_of_yes_or_no_may_make_a_match_longer(
    monkeypatch: pytest.MonkeyPatch, *, swap: bool, turns: str
) -> None:
    """With its usual value a match takes what all take of as many seats."""
    game = registry.find_installed("pebbles")
    monkeypatch.setattr(type(game), "options", {**game.options, "swap": Option(True, "a swap")})
    monkeypatch.setattr(rules, "game_resource", lambda *_: '{"2": 30, "2 swap=False": 40}')
    options = {"hand": 2, "swap": swap}
    order = opening_order(game, game.colours[:2], options)
    *_, told = rules.introduction(Wording(game, FALLBACK), order, 2, options)
    assert turns in told.texts[0]
