"""Whether the boards of the installed games can be read and played on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources as packages
from random import Random

from jsonschema import Draft202012Validator

from referee.counting import counted
from referee.desk.doctor.finding import Finding, failure, ok
from referee.games.game import AnyGame
from referee.games.registry import Registry


def boards(registry: Registry) -> Finding:
    """Judge every board file of every game: by its schema, and whether a match can start on it."""
    faults = [f"{each.entry}: {each.problem}" for each in registry.broken]
    count = 0
    for game in registry.all():
        for name, text in _files(game):
            count += 1
            if fault := _fault(game, text):
                faults.append(f"{game.name} edition {game.edition}, {name}: {fault}")
    if faults:
        return failure("boards", "; ".join(faults), "install the package of the game again")
    found = f"{counted(count, 'board')} of {counted(len(registry.games), 'game')}"
    return ok("boards", f"{found} can be played on")


def _files(game: AnyGame) -> Iterator[tuple[str, str]]:
    folder = packages.files(game.resources).joinpath("boards")
    for each in sorted(folder.iterdir(), key=lambda file: file.name):
        if each.name.endswith(".json"):
            yield each.name, each.read_text(encoding="utf-8")


def _fault(game: AnyGame, text: str) -> str | None:
    """Return what is wrong with a board, None when it can be played on."""
    schema = packages.files(game.resources).joinpath("schemas/board.schema.json")
    try:
        document = json.loads(text)
        judge = Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))
        for error in judge.iter_errors(document):
            return f"{error.json_path}: {error.message[:200]}"
        seats = game.colours[: game.seats.start]
        options = {name: option.default for name, option in game.options.items()}
        board = game.board(seats, options, document, Random(0))
        game.start(seats, options, board)
    except (OSError, ValueError) as fault:
        return " ".join(str(fault).split())[:200]
    return None
