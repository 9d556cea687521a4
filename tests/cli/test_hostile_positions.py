"""Positions, boards and fixes as a stranger might write them: status 1 or 2, the place named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.given import GIVEN
from support.mutated import mutations

from referee.games import registry
from referee.games.game import AnyGame, BadDocument
from referee.games.play import complete_options, random_play
from referee.matches.croupier import SeededRandom

FILES = {
    "nested deeply": "[" * 100_000,
    "nested below a key": '{"a":' * 900 + "1" + "}" * 900,
    "empty": "",
    "a list": "[]",
    "no number": '{"a":NaN}',
    "a huge number": '{"a":' + "9" * 10_000 + "}",
    "not JSON": "hello",
}


def somewhere(game: AnyGame, steps: int) -> Any:
    """Return a position of a game in the middle of it."""
    options, colours = complete_options(game, {}), tuple(game.colours[: min(game.seats)])
    board = game.board(colours, options, None, SeededRandom(bytes(32)))
    position = game.start(colours, options, board)
    for step in islice(random_play(game, position, Random(2)), steps):
        position = step.after
    return position


def changed(game: AnyGame, most: int) -> Iterator[Any]:
    """Yield documents of a position with one value changed, drawn at random."""
    document = game.dump(somewhere(game, 30))
    every = list(mutations(document))
    Random(3).shuffle(every)
    yield from (each.document for each in every[:most])


@pytest.mark.parametrize("name", registry.game_names())
def test_changed_position_is_refused_or_can_be_played(name: str) -> None:
    """It loads into what its game can write down again, deal and play; or it says where not."""
    game, loaded = registry.find_installed(name), 0
    for document in changed(game, 500):
        try:
            position = game.load(document)
        except BadDocument:
            continue
        loaded += 1
        assert game.load(game.dump(position)) == position
        if not game.check(document):
            for step in islice(random_play(game, position, Random(1)), 5):
                assert game.refusal(step.position, step.order) is None or step.seat == "chance"
    assert loaded < 250


@pytest.mark.parametrize("name", registry.game_names())
def test_try_refuses_changed_positions_in_lines(run: Any, tmp_path: Path, name: str) -> None:
    """Each line names the file and a place in it; nothing is the referee's own fault."""
    game, file = registry.find_installed(name), tmp_path / "position.json"
    header = {"game": game.name, "edition": game.edition}
    for document in changed(game, 40):
        file.write_text(json.dumps({**header, **document}))
        ran = run("try", file)
        assert ran.status in {0, 1, 2}
        assert all(each.startswith(f"referee: {file}: $") for each in ran.err.splitlines())


@pytest.mark.parametrize("how", FILES)
def test_bad_files_of_positions_and_boards_are_named(run: Any, tmp_path: Path, how: str) -> None:
    """For `try`, `match new --board` and `match fix`: one line, and no fault of the referee."""
    file, folder = tmp_path / "file.json", tmp_path / "here"
    file.write_text(FILES[how])
    assert run("init", folder, *GIVEN).status == 0
    seats = ("--seat", "red=bot:random", "--seat", "blue=bot:random")
    assert run("--config", folder, "match", "new", "pebbles", *seats, "--start").status == 0
    for words in (
        ("try", file),
        ("--config", folder, "match", "new", "pebbles", *seats, "--board", file),
        ("--config", folder, "match", "fix", "pebbles-1", file, "--why", "a slip"),
    ):
        ran = run(*words)
        known = how in {"nested below a key", "no number", "a list"} and "new" in words
        assert ran.status in {1, 2} or known, ran
        assert ran.err.count("\n") == 1, ran
