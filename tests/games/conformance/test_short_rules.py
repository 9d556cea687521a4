"""Every game ships its rules in short, in every language its players read."""

from __future__ import annotations

import json

import pytest
from support.tables import Table, tables_of

from referee.games.game import LANGUAGES, AnyGame
from referee.games.play import opening_order
from referee.render.layout import WIDTH, wrap
from referee.render.words.rules import AN_ORDER, introduction, rules_blocks
from referee.render.words.wording import Wording
from referee.resources import FALLBACK, game_resource, game_rules

pytestmark = pytest.mark.fast

MOST_LINES = 10
"""Lines of text in which a mail says what the game is."""


def test_a_game_has_short_rules_in_every_language(game: AnyGame) -> None:
    """They have the same headings and lists in each, and fit into a mail."""
    table = tables_of(game)[0]
    order = opening_order(game, table.seats, table.options)
    found = {language: rules_blocks(Wording(game, language), order) for language in LANGUAGES}
    shapes = [[(each.kind, len(each.texts)) for each in blocks] for blocks in found.values()]
    assert all(shape == shapes[0] for shape in shapes)
    assert shapes[0][0] == ("heading", 1)
    for blocks in found.values():
        assert 200 < sum(len(text) for each in blocks for text in each.texts) < 10_000
    assert len(set(found.values())) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_few_lines_say_what_the_game_is(table: Table, language: str) -> None:
    """The first section of the rules, for a first mail: with one order, and how long it takes."""
    game, wording = table.game, Wording(table.game, language)
    text = game_rules(game, language)
    assert text.partition("\n## ")[0].count(AN_ORDER) == text.count(AN_ORDER) == 1
    order = opening_order(game, table.seats, table.options)
    heading, *said, turns = introduction(wording, order, len(table.seats), table.options)
    assert heading.kind == "heading"
    lines = [line for each in said for one in each.texts for line in wrap(one).splitlines()]
    assert 2 < len(lines) <= MOST_LINES
    assert all(len(line) <= WIDTH for line in lines)
    assert any(f"{wording.order(order)}" in one for each in said for one in each.texts)
    measured = json.loads(game_resource(game, "turns.json"))[str(len(table.seats))]
    assert str(measured) in turns.texts[0]


def test_how_long_a_match_takes_depends_on_its_options(table: Table) -> None:
    """Keys of the figures are numbers of seats, or such with a value of an option."""
    game, wording = table.game, Wording(table.game, FALLBACK)
    order = opening_order(game, table.seats, table.options)
    for key, turns in json.loads(game_resource(game, "turns.json")).items():
        seats, _, option = key.partition(" ")
        name, _, value = option.partition("=")
        assert int(seats) in game.seats
        if not name:
            continue
        option = game.options[name]
        if option.choices is None:
            assert int(value) in range(option.least or 0, (option.most or 0) + 1)
            assert int(value) != option.default
        else:
            assert value in option.choices
        chosen = {**table.options, name: value if option.choices else int(value)}
        if int(seats) == len(table.seats):
            assert str(turns) in introduction(wording, order, int(seats), chosen)[-1].texts[0]
