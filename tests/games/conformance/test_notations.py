"""Everything people write reads back: orders as text and JSON, positions, views, boards."""

from __future__ import annotations

import json
from random import Random

from support.conformance import (
    check_file_round_trip,
    check_junk_documents,
    check_junk_line,
    check_order_round_trip,
    check_position_round_trip,
    possible,
    validator,
)
from support.junk import mangled
from support.tables import Table, boards, sampled, shared_games, tables_of

from referee.games.game import LANGUAGES, AnyGame
from referee.games.play import canonical_json


def test_orders_survive_text_and_json(table: Table) -> None:
    """Every order reads back the same from text in any language and from JSON that fits."""
    schema, game = validator(table.game, "order"), table.game
    listed = [order for step in sampled(table, 25) for order in possible(game, step.position)]
    rng = Random(1)
    rng.shuffle(listed)
    orders = {step.order for played in shared_games(table) for step in played.steps[:60]}
    for order in [*list(dict.fromkeys(listed))[:150], *sorted(orders, key=repr)[:150]]:
        check_order_round_trip(game, order, schema)


def test_positions_and_views_survive_json(table: Table) -> None:
    """A position loaded from its document is the same position; the document fits its schema."""
    schema = validator(table.game, "position")
    for step in sampled(table, most=60):
        check_position_round_trip(table.game, step.after, table.seats, schema)


def test_a_game_survives_its_own_files(table: Table) -> None:
    """What is written as PGN or the like reads back as a game that is written alike."""
    for seed, form in enumerate(table.game.files.values()):
        check_file_round_trip(table.game, form, table.seats, Random(seed))


def test_junk_lines_are_unreadable_and_nothing_worse(table: Table) -> None:
    """A mangled line is an order or Unreadable."""
    rng, game = Random(2), table.game
    for step in sampled(table, most=60):
        line = game.format(step.order, rng.choice(LANGUAGES))
        for each in (mangled(line, rng), mangled(line, rng), line.split()[0], f"{line} {line}"):
            check_junk_line(game, each)
    for line in ("", " ", "\0", "💥" * 100, "x" * 999, "hello bob", "1", "..."):
        check_junk_line(game, line)


def test_strange_documents_are_faults(table: Table) -> None:
    """A position document with a part missing or strange is told in faults and never crashes."""
    check_junk_documents(table.game, table.game.dump(shared_games(table)[0].steps[-1].position))


def test_a_position_may_leave_out_anything(game: AnyGame) -> None:
    """What a position document does not say has a default, unless the schema demands it."""
    required = validator(game, "position").schema.get("required", [])
    document = game.dump(game.start(tables_of(game)[0].seats, tables_of(game)[0].options))
    position = game.load({key: document[key] for key in required})
    assert position == game.load(json.loads(canonical_json(game.dump(position))))


def test_boards_fit_their_schema_and_start_a_game(game: AnyGame) -> None:
    schema = validator(game, "board")
    for table in tables_of(game):
        for given in boards(game):
            assert given is None or list(schema.iter_errors(given)) == []
            board = game.board(table.seats, table.options, given, Random(3))
            assert list(schema.iter_errors(board)) == []
            start = game.start(table.seats, table.options, board)
            assert list(game.check(game.dump(start))) == []


def test_options_have_defaults_that_they_allow(game: AnyGame) -> None:
    """Every option's default is one of its own values and has a line of help."""
    for option in game.options.values():
        assert option.about
        assert option.choices is None or option.default in option.choices
        assert option.least is None or option.least <= int(option.default)
        assert option.most is None or int(option.default) <= option.most
