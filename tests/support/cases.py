"""A game's small positions written by hand: what it makes of orders on them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.games import play
from referee.games.game import CHANCE, AnyGame, BadDocument, Refusal
from referee.matches import croupier
from referee.matches.log import AnyMatch, Match, Turn
from referee.matches.terms import Terms

Doc = dict[str, Any]


class Cases:
    """A game with its documents and orders in English, as tests of its rules write them."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def begun(self, given: Doc) -> AnyMatch:
        """Return a match in which the seat to act of a position has its first turn."""
        position, seed = self.load(given), bytes(32)
        terms = Terms(
            match=f"{self.game.name}-1",
            game=self.game.name,
            edition=self.game.edition,
            board={},
            seats=tuple(self.game.points(position)),
            options={},
            commitment=croupier.commitment(seed),
            practice=True,
            words={},
            started="2026-11-21T12:00:00Z",
        )
        turn = Turn(1, self.game.to_act(position), 0, over=False)
        return Match(self.game, terms, seed, position, 0, terms.header_hash(), 0, turn)

    def load(self, given: Doc) -> Any:
        """Return the position a document describes."""
        return self.game.load(given)

    def unreadable(self, given: Any) -> str:
        """Return the place and the words with which a document is refused."""
        with pytest.raises(BadDocument) as caught:
            self.load(given)
        return f"{caught.value.path} {caught.value.message}"

    def order(self, line: str) -> Any:
        """Return the order an English line holds."""
        return self.game.parse(line, "en")

    def after(self, given: Doc, *lines: str) -> Doc:
        """Return the document after orders, all of which must be legal."""
        return self.game.dump(self.position_after(given, *lines))

    def position_after(self, given: Doc, *lines: str) -> Any:
        """Return the position after orders, all of which must be legal."""
        played = play.play(self.game, self.load(given), [self.order(line) for line in lines])
        assert played.refusal is None, (lines[len(played.orders)], played.refusal)
        return played.position

    def settled(self, given: Doc, *lines: str, seed: int = 0) -> Doc:
        """Return the document after orders, chance doing all it owes after each of them."""
        position = self.load(given)
        for line in lines:
            played = play.play(self.game, position, [self.order(line)])
            assert played.refusal is None, (line, played.refusal)
            position = self.dealt(played.position, seed)
        return self.game.dump(self.dealt(position, seed))

    def dealt(self, position: Any, seed: int = 0) -> Any:
        """Return the position once chance has done all it owes."""
        rng = Random(seed)
        while self.game.to_act(position) == CHANCE:
            position, _ = self.game.apply(position, self.drawn(position, rng))
        return position

    def drawn(self, position: Any, rng: Random) -> Any:
        """Return what chance does, drawn by weight."""
        return rng.choice([o for o, weight in self.game.chance(position) for _ in range(weight)])

    def refused(self, given: Doc, *lines: str) -> Refusal:
        """Return the refusal of the last order, not listed; those before it must be legal."""
        position, wanted = self.position_after(given, *lines[:-1]), self.order(lines[-1])
        refusal = play.refusal(self.game, position, wanted)
        assert refusal is not None, f"{lines[-1]} is allowed"
        assert wanted not in self.game.orders(position), f"{lines[-1]} is listed"
        return refusal

    def allowed(self, given: Doc, *lines: str) -> bool:
        """Tell whether the last order is legal, and so listed; those before it must be legal."""
        position, wanted = self.position_after(given, *lines[:-1]), self.order(lines[-1])
        legal = play.refusal(self.game, position, wanted) is None
        if self.game.to_act(position) not in (CHANCE, None):
            listed = self.game.orders(position)
            assert (self.game.canonical(position, wanted) in listed) is legal
        return legal

    def legal(self, given: Doc, *lines: str) -> set[str]:
        """Return every legal order as a line, after orders."""
        return self.texts(self.position_after(given, *lines))

    def texts(self, position: Any) -> set[str]:
        """Return every legal order of a position as a line."""
        return {self.game.format(each, "en") for each in self.game.orders(position)}

    def outcomes(self, position: Any) -> dict[str, int]:
        """Return what chance may do as lines, with weights."""
        return {self.game.format(each, "en"): weight for each, weight in self.game.chance(position)}
