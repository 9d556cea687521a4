"""Every game ships its rules in short, in every language its players read."""

from __future__ import annotations

import pytest

from referee.games.game import LANGUAGES, AnyGame
from referee.render.words.rules import rules_blocks
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast


def test_a_game_has_short_rules_in_every_language(game: AnyGame) -> None:
    """They have the same headings and lists in each, and fit into a mail."""
    found = {language: rules_blocks(Wording(game, language)) for language in LANGUAGES}
    shapes = [[(each.kind, len(each.texts)) for each in blocks] for blocks in found.values()]
    assert all(shape == shapes[0] for shape in shapes)
    assert "heading" in {kind for kind, _ in shapes[0]}
    for blocks in found.values():
        assert 200 < sum(len(text) for each in blocks for text in each.texts) < 10_000
    assert len(set(found.values())) == len(LANGUAGES)
