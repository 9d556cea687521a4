"""Lines, positions, options that nobody sensible writes: the engine gets what it lists, alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import entry_points
from itertools import islice
from random import Random
from typing import Any

import chess.variant
import pytest
from referee_classics import classic as engine
from referee_classics.classic import Chance, Classic, Move, Position
from referee_classics.data import data
from support.junk import STRAY, mangled, mangled_documents

from referee.games.game import CHANCE, LANGUAGES, BadDocument, Unreadable
from referee.games.play import complete_options

pytestmark = pytest.mark.timeout(7200)

GAMES: dict[str, Classic] = {
    entry.name: entry.load()
    for entry in entry_points(group="referee.games")
    if entry.value.startswith("referee_classics")
}

LONG = 60
"""Moves of a game from which on its documents are tried more rarely."""


class Watched:
    """A state of the engine that takes no action but those it lists itself."""

    def __init__(self, state: Any) -> None:
        self._state = state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def __str__(self) -> str:
        return str(self._state)

    def clone(self) -> Watched:
        return Watched(self._state.clone())

    def apply_action(self, action: int) -> None:
        listed = action in self._state.legal_actions()
        assert listed or self._is_passing(action), self._state.action_to_string(action)
        self._state.apply_action(action)

    def _is_passing(self, action: int) -> bool:
        """Whether it captures en passant in antichess, which the engine does not always list."""
        if self._state.get_game().get_type().short_name != "antichess":
            return False
        board = chess.variant.AntichessBoard(str(self._state))
        return board.is_en_passant(board.parse_san(self._state.action_to_string(action)))


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every state of the engine be a watched one."""
    beginning = engine.beginning
    monkeypatch.setattr(engine, "beginning", lambda *given: Watched(beginning(*given)))
    engine._KEPT.clear()


def wrong_options(game: Classic, rng: Random) -> dict[str, Any]:
    """Return options as somebody might type them: some fit, most do not."""
    strays = (*STRAY, 0, 1, -1, 10**9, True, None, 7.3, [], "1" * 300, "9)", "size=5,x")
    chosen = {}
    for name, option in game.options.items():
        values = [*(option.choices or ()), option.least, option.most, option.default]
        chosen[name] = rng.choice([*values, *strays] if rng.random() < 0.3 else values)
    return {**chosen, "unknown": 1} if rng.random() < 0.05 else chosen


def wrong_document(document: Any, seen: list[str], rng: Random) -> Any:
    """Return a document with other moves, or with one part missing or strange."""
    if rng.random() < 0.4:
        return rng.choice(list(islice(mangled_documents(document), 200)))
    moves = list(document["moves"])
    place = rng.randrange(len(moves) + 1)
    moves[place : place + rng.randrange(3)] = [rng.choice(seen)] * rng.randrange(3)
    others = {key: value for key, value in document.items() if key != "board"}
    return {**rng.choice([document, others, others]), "moves": moves}


def strange_line(game: Classic, position: Position, seen: list[str], rng: Random) -> str:
    """Return a legal line, a mangled one, one of another moment, or parts of several."""
    line = game.format(rng.choice(game.orders(position)), rng.choice(LANGUAGES))
    other = rng.choice(seen)
    seen[rng.randrange(len(seen))] = line
    return rng.choice(
        [line, mangled(line, rng), mangled(other, rng), other, f"{line} {other}",
         f"{line}-{other}", f"{line}x{other}", f"1. {line}!?", other[::-1], line[:-1]]
    )  # fmt: skip


def try_line(game: Classic, position: Position, line: str, rng: Random) -> Position:
    """Return the position after a line is judged, and played where it may be."""
    try:
        order = game.parse(line, rng.choice(LANGUAGES))
    except Unreadable:
        # JSON says what no line does.
        order = rng.choice([Move(line), Chance(line)])
    else:
        # What waits for a yes is kept as a line.
        assert game.parse(game.format(order, "en"), "en") == order
    canonical = game.canonical(position, order)
    if game.refusal(position, order) is None:
        position, _ = game.apply(position, canonical)
    return position


def try_document(game: Classic, document: Any) -> None:
    """Load a document, which is a position or is said not to be; it is never played wrong."""
    try:
        position = game.load(document)
    except BadDocument:
        assert game.check(document)
        return
    assert game.load(game.dump(position)) == position


def try_options(game: Classic, rng: Random) -> Position | None:
    """Return the start with options as somebody types them, if they may be."""
    try:
        options = complete_options(game, wrong_options(game, rng))
        seats = game.colours[: rng.choice(game.seats)]
        return game.start(seats, options, game.board(seats, options, None, rng))
    except (BadDocument, ValueError):
        return None


@pytest.mark.usefixtures("watch")
@pytest.mark.parametrize(
    "many", [200, pytest.param(100_000, marks=pytest.mark.soak)], ids=["some", "all"]
)
@pytest.mark.parametrize("name", GAMES)
def test_nothing_reaches_the_engine_but_what_it_lists(name: str, many: int) -> None:
    """Of so many lines, positions and options each is played as listed, or refused."""
    game, rng, seen = GAMES[name], Random(29), [*STRAY] * 20
    position = game.start(game.colours[: game.seats[0]], complete_options(game))
    for number in range(many):
        # A document is played from its first move on, which takes a while in a long game.
        if number % (2 if len(position.moves) < LONG else 20) == 1:
            try_document(game, wrong_document(game.dump(position), seen, rng))
        elif game.to_act(position) is None or rng.random() < 0.005:
            position = try_options(game, rng) or position
        elif game.to_act(position) == CHANCE:
            position, _ = game.apply(position, rng.choice(game.chance(position))[0])
        else:
            position = try_line(game, position, strange_line(game, position, seen, rng), rng)


def words_in(told: Any) -> Iterator[str]:
    """Yield the texts of a package's data, and the words in them."""
    if isinstance(told, str):
        yield from (told, *re.findall(r"\w+|[^\w\s]", told))
    elif isinstance(told, dict):
        for key, value in told.items():
            yield from (key, *words_in(value))
    elif isinstance(told, list):
        for value in told:
            yield from words_in(value)


@pytest.mark.parametrize("name", GAMES)
def test_an_i_of_turkish_is_read_or_not_and_never_a_fault(name: str) -> None:
    """A pattern takes it for any other i, and what is then looked up is no other word."""
    game, rng = GAMES[name], Random(31)
    words = {word for package in (game.package, *game.family) for word in words_in(data(package))}
    some = sorted(word for word in words if len(word) < 30)
    with_i = [word for word in some if "i" in word.casefold()]
    for _ in range(2000):
        line = [rng.choice(some), rng.choice(with_i), rng.choice(some)]
        first, last = rng.choice([(0, 3), (0, 2), (1, 3), (1, 2)])
        text = re.sub("[iI]", rng.choice("ıİ"), " ".join(line[first:last]))
        for language in LANGUAGES:
            try:
                game.parse(text, language)
            except Unreadable:
                continue
