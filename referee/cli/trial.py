"""What would happen on a position if orders were played: read, check, play; no match involved."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator

from referee import resources
from referee.cli.files import content_of
from referee.errors import RefereeError
from referee.games import registry
from referee.games.game import (
    CHANCE,
    LANGUAGES,
    AnyGame,
    BadDocument,
    Document,
    Fact,
    Order,
    Refusal,
    Seat,
    Unreadable,
)
from referee.games.play import refusal
from referee.matches import strict
from referee.matches.croupier import draw
from referee.render.wording import Wording

HEADER: Final = ("game", "edition")
"""What a document says beside the position itself."""

MATCH: Final = "try"
"""What stands in place of a match's name where chance is drawn."""


@dataclass(frozen=True, slots=True)
class Line:
    """An order as it was given: where, its text, and what it means."""

    place: str
    text: str
    order: Order


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it: the position reached and what happened on the way.

    Refused: ``refusal`` says why the order ``lines[at]`` could not be played.
    """

    position: Any
    facts: tuple[Fact, ...]
    refusal: Refusal | None = None
    at: int | None = None


def read_document(path: Path) -> Document:
    """Return the JSON object in a file, ``-`` for standard input. Raises RefereeError."""
    try:
        document = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise RefereeError(f"{path}: is no JSON: {' '.join(str(error).split())}") from None
    if not isinstance(document, dict):
        raise RefereeError(f"{path}: $: a position is an object, {{…}}")
    return document


def _text(path: Path) -> str:
    data = content_of(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RefereeError(f"{path}: is not UTF-8 at byte {error.start}") from None


def find_game(path: Path, document: Document) -> AnyGame:
    """Return the game a document names, in its edition. Raises RefereeError."""
    name, edition = document.get("game"), document.get("edition")
    known = ", ".join(registry.names())
    if not isinstance(name, str):
        raise RefereeError(f"{path}: $.game: names the game in quotes; there are: {known}")
    if edition is not None and type(edition) is not int:
        raise RefereeError(f"{path}: $.edition: is a whole number")
    try:
        return registry.find(name, edition)
    except registry.UnknownGame as error:
        raise RefereeError(f"{path}: $.game: {strict.short(str(error))}") from None


def read_position(path: Path, document: Document, game: AnyGame) -> Any:
    """Return the position of a document. Raises RefereeError naming every place that is wrong."""
    if faults := list(_schema_faults(document, game)):
        raise RefereeError("\n".join(f"{path}: {fault}" for fault in faults))
    try:
        return game.load(document)
    except BadDocument as error:
        raise RefereeError(f"{path}: {error}") from None


def _schema_faults(document: Document, game: AnyGame) -> Iterator[str]:
    schema = json.loads(resources.of_game(game, "schemas/position.schema.json"))
    known = schema.get("properties", {})
    bare = {k: v for k, v in document.items() if k not in HEADER or k in known}
    for error in sorted(
        Draft202012Validator(schema).iter_errors(bare), key=lambda each: each.json_path
    ):
        yield f"{error.json_path}: {' '.join(error.message.split())}"


def write_position(game: AnyGame, position: Any) -> Document:
    """Return the complete document of a position; reading it gives the position again."""
    return {"game": game.name, "edition": game.edition, **game.dump(position)}


def read_orders(game: AnyGame, file: Path | None, lines: Sequence[str]) -> list[Line]:
    """Return the orders of a file, one per line, then those given singly. Raises RefereeError."""
    given = [(f"--order {number}", text) for number, text in enumerate(lines, start=1)]
    if file is not None:
        numbered = enumerate(_text(file).splitlines(), start=1)
        given = [(f"{file}:{number}", text) for number, text in numbered if text.strip()] + given
    return [_read_order(game, place, text.strip()) for place, text in given]


def _read_order(game: AnyGame, place: str, text: str) -> Line:
    try:
        return Line(place, text, game.parse(text, LANGUAGES[0]))
    except Unreadable as error:
        reason = Wording(game, LANGUAGES[0]).unreadable(error)
        raise RefereeError(f"{place}: {text!r} cannot be read: {reason}") from None


def run_trial(
    game: AnyGame, position: Any, lines: Sequence[Line], seat: Seat | None, seed: int
) -> Trial:
    """Play orders of a seat (None: of whoever is to act), then what follows by itself.

    Chance is drawn from the seed whenever it is due, unless the order itself is one of its
    outcomes; after the last order forced steps run.
    """
    table = _Table(game, position, seed)
    for number, line in enumerate(lines):
        if seat != CHANCE and not (seat is None and table.is_outcome(line.order)):
            table.draw_all()
        refused = table.refusal(line.order, seat)
        if refused is not None:
            return Trial(position, (), refused, number)
        table.apply(game.canonical(table.position, line.order))
    table.draw_all()
    while lines and (order := table.forced()):
        table.apply(order)
        table.draw_all()
    return Trial(table.position, tuple(table.facts))


class _Table:
    """A position that is being played on, and what has happened on it."""

    def __init__(self, game: AnyGame, position: Any, seed: int) -> None:
        self.game = game
        self.position = position
        self.facts: list[Fact] = []
        self._key = hashlib.sha256(f"{MATCH} {seed}".encode()).digest()
        self._draws = 0

    def refusal(self, order: Order, seat: Seat | None) -> Refusal | None:
        actor = self.game.to_act(self.position)
        if seat is not None and actor is not None and actor != seat:
            return Refusal("not-your-turn", "", {"seat": actor})
        return refusal(self.game, self.position, order)

    def is_outcome(self, order: Order) -> bool:
        if self.game.to_act(self.position) != CHANCE:
            return False
        return any(order == outcome for outcome, _ in self.game.chance(self.position))

    def forced(self) -> Order | None:
        if self.game.to_act(self.position) in (None, CHANCE):
            return None
        return self.game.forced(self.position)

    def apply(self, order: Order) -> None:
        self.position, facts = self.game.apply(self.position, order)
        self.facts += facts

    def draw_all(self) -> None:
        while self.game.to_act(self.position) == CHANCE:
            outcomes = self.game.chance(self.position)
            self._draws += 1
            weights = [weight for _, weight in outcomes]
            self.apply(outcomes[draw(self._key, MATCH, self._draws, weights)][0])
