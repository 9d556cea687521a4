"""Nonsense in every game of the family of chess: lines, orders and documents."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from referee_classics.chess import GAME as CHESS
from referee_classics.chess.antichess import GAME as ANTICHESS
from referee_classics.chess.crazyhouse import GAME as CRAZYHOUSE
from referee_classics.classic import Move
from referee_classics.shogi import GAME as SHOGI
from referee_classics.xiangqi import GAME as XIANGQI
from support.thorough import some

from referee.games.game import BadDocument, Unreadable
from referee.games.play import complete_options

pytestmark = pytest.mark.fast

GAMES = [CHESS, ANTICHESS, CRAZYHOUSE, SHOGI, XIANGQI]

SIGNS = "abcdefghiKQRBNSTDLPGxo0O123456789-–=+*#!?@:./() ♘♛…,éß\t%歩成七"
WORDS = ("e4", "Nf3", "O-O", "knight", "to", "takes", "1.", "...", "e8=Q", "König", "check", "\0",
         "P-7f", "B*5e", "C2=5", "h2e2", "N@f3", "炮二平五")  # fmt: skip


def nonsense(rng: Random) -> str:
    """Return a line of signs or words that hardly is a move."""
    if rng.random() < 0.3:
        return " ".join(rng.choices(WORDS, k=rng.randrange(1, 5)))
    return "".join(rng.choices(SIGNS, k=rng.randrange(1, 10)))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("seed", some(range(1), range(1, 400)))
def test_nonsense_raises_nothing_but_its_own_faults(game, seed):
    """Any line is a move or unreadable, any order is judged, any document loads or is bad."""
    rng, start = Random(seed), game.start(game.colours, complete_options(game, {}))
    position = start
    for _ in range(250):
        try:
            order = game.parse(nonsense(rng), rng.choice(["en", "de", "fr"]))
        except Unreadable:
            order = Move(nonsense(rng))
        else:
            for language in ("en", "de"):
                assert game.parse(game.format(order, language), language) == order
        if game.refusal(position, order) is None:
            position, _ = game.apply(position, game.canonical(position, order))
        for _ in range(2):
            if game.to_act(position) is None or rng.random() < 0.05:
                position = start
            position, _ = game.apply(position, rng.choice(game.orders(position)))
        if game.to_act(position) is None:
            position = start
        text = list(game.board_text(position))
        for _ in range(rng.randrange(4)):
            text[rng.randrange(len(text))] = rng.choice("kKqQrRbBnNpP123456789/ wb-+[]~")
        given: dict[str, Any] = {"game": game.name, "start": "".join(text)}
        if rng.random() < 0.3:
            given[rng.choice(["seats", "options", "moves", "board", "edition"])] = rng.choice(
                [None, 1, [], {}, "e4", ["e4"], ["e4", 5], {"chess960": 1}, {"fen": True},
                 ["white", "black"], ["white"]]
            )  # fmt: skip
        try:
            loaded = game.load(given)
        except BadDocument:
            continue
        assert game.orders(loaded)
        assert not game.check(game.dump(loaded))
