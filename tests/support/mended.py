"""Matches that are mended while they are played: taken back, done again, fixed, reopened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from support.matches import ARRIVAL, SEED, WHY, exported

from referee.games import registry
from referee.games.game import AnyGame
from referee.games.play import complete_options
from referee.matches import croupier, takeback
from referee.matches.events import REDO, UNDO, Event, current_events, redo_goal
from referee.matches.log import AnyMatch, Logged, annotate
from referee.matches.match import new_match, settle_match, submit
from referee.matches.terms import Terms

WHO: dict[str, Any] = dict(WHY)


@dataclass
class Mended:
    """A match in play: its log, and where it stood after each event, as it was when played."""

    match: AnyMatch
    log: list[Logged]
    stages: dict[int, AnyMatch] = field(default_factory=dict)

    @property
    def events(self) -> list[Event]:
        """The whole log."""
        return [each.event for each in self.log]

    def _add(self, after: AnyMatch, logged: Sequence[Logged]) -> None:
        self.match = after
        self.log += logged
        self.stages[after.seq] = after

    def play(self, rng: Random) -> None:
        """Let the seat to act order something legal."""
        legal = self.match.game.orders(self.match.position)
        done = submit(self.match, str(self.match.turn.seat), [rng.choice(list(legal))], ARRIVAL)
        assert done.refusal is None
        self._add(done.match, done.logged)

    def note(self) -> None:
        """Write an annotation."""
        after, logged = annotate(self.match, "notice", ARRIVAL, details=WHO)
        self._add(after, [logged])

    def undo(self, to: int) -> None:
        """Take back what came after an event at which the match rested."""
        after, logged = takeback.stand_again(self.match, UNDO, self.stages[to], ARRIVAL, **WHO)
        self._add(after, [logged])
        self._settle()

    def redo(self) -> bool:
        """Do again what was taken back, if that can be."""
        to = redo_goal(self.events)
        if to is None or to not in self.stages:
            return False
        after, logged = takeback.stand_again(self.match, REDO, self.stages[to], ARRIVAL, **WHO)
        self._add(after, [logged])
        return True

    def reopen(self, to: int, seed: bytes) -> None:
        """Take back the end and go on with another seed."""
        after, logged = takeback.reopen(self.match, self.stages[to], seed, ARRIVAL, **WHO)
        self._add(after, [logged])
        self._settle()

    def fix(self, patch: takeback.Patch) -> None:
        """Set something in the position."""
        after, logged = takeback.fix_position(self.match, patch, ARRIVAL, **WHO)
        self._add(after, [logged])
        self._settle()

    def _settle(self) -> None:
        after, logged = settle_match(self.match, ARRIVAL)
        if logged:
            self._add(after, logged)

    def rests(self) -> list[int]:
        """Return the events of the current line at which it rested, the last left out."""
        standing = [0, *(each.seq for each in current_events(self.events))]
        return [seq for seq in standing if seq in self.stages and seq < self.match.seq]


def opened(game: AnyGame, name: str, count: int, **options: Any) -> Mended:
    """Begin a match of a game."""
    chosen, colours = complete_options(game, options), tuple(game.colours[:count])
    board = game.board(colours, chosen, None, croupier.SeededRandom(SEED))
    terms = Terms(
        match=name,
        game=game.name,
        edition=game.edition,
        board=board,
        seats=colours,
        options=chosen,
        commitment=croupier.commitment(SEED),
        practice=False,
        words={},
        started=ARRIVAL,
    )
    match, log = new_match(game, terms, SEED)
    return Mended(match, list(log), {match.seq: match})


def swap_of(match: AnyMatch, rng: Random) -> takeback.Patch:
    """Return a patch that deals anew what nobody has seen: every piece stays in the game."""
    game = match.game
    other = game.redeal(match.position, None, rng)
    return takeback.patch_between(game.dump(match.position), game.dump(other))


def at_random(mended: Mended, rng: Random, most: int = 60, often: float = 0.25) -> Mended:
    """Play on with mending in between, then to the end without."""
    for _ in range(most):
        rests = mended.rests()
        if rng.random() > often and not mended.match.turn.over:
            mended.play(rng)
            continue
        match rng.randrange(4):
            case 0 if rests:
                mended.undo(rng.choice(rests[-8:]))
            case 1:
                mended.redo()
            case 2 if not mended.match.turn.over and (patch := swap_of(mended.match, rng)):
                mended.fix(patch)
            case _:
                mended.note()
    while not mended.match.turn.over:
        mended.play(rng)
    return mended


@cache
def mended_record(name: str = "pebbles", choice: int = 1) -> tuple[bytes, ...]:
    """Return the record of a match that was taken back, done again, fixed and reopened."""
    game, rng = registry.find_installed(name, 1), Random(choice)
    options = {"hand": 1} if name == "pebbles" else {}
    mended = opened(game, f"{name}-5", 2, **options)
    first = mended.match.seq
    mended.play(rng)
    mended.undo(first)
    mended.redo()
    patch = swap_of(mended.match, rng)
    if patch:
        mended.fix(patch)
    at_random(mended, rng, most=4 if name == "pebbles" else 60)
    going = [seq for seq in mended.rests() if not mended.stages[seq].turn.over]
    mended.reopen(going[-1], bytes(reversed(SEED)))
    while not mended.match.turn.over:
        mended.play(rng)
    return tuple(each.encode() for each in exported(mended.match, mended.log))
