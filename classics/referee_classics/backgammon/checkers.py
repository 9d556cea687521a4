"""The engine's rolls and moves as players write them: ``24/20/14``, ``bar/20*``, ``8/4(2)``.

Points are numbered from the side of whoever moves, 24 to 1; the bar is 25, and off the board is 0.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final, TypeAlias

from referee_classics.classic import State
from referee_classics.data import patterns

FIRST: Final = ("white ", "black ")
"""The first roll of a game names the one who begins."""

_ENGINE_BAR: Final = 100

BAR: Final = 25
OFF: Final = 0

Stop: TypeAlias = tuple[int, bool]
"""A point where a checker stops, and whether it hits there."""

Way: TypeAlias = tuple[Stop, ...]
"""The way of one checker, from its point on; stops in between may be left out."""

_PART: Final = patterns("referee_classics.backgammon", "patterns")["ways"]

_WORDS: Final = {"bar": BAR, "off": OFF, "aus": OFF}


class Ways(tuple[Way, ...]):
    """The way of every checker that is moved; as text the same ones stand together."""

    __slots__ = ()

    @staticmethod
    @lru_cache(maxsize=2000)
    def read(text: str) -> Ways:
        """Return the ways that a line names."""
        ways: list[Way] = []
        for part, times, also in _PART.findall(text.casefold()):
            stops = [(stop.rstrip("*"), stop.endswith("*")) for stop in re.split("[/-]", part)]
            way = ((_WORDS[at] if at in _WORDS else int(at), hits) for at, hits in stops)
            ways += [tuple(way)] * int(times or also or 1)
        return Ways(ways)

    def __str__(self) -> str:
        names: dict[int, str] = {BAR: "bar", OFF: "off"}
        texts = Counter(
            "/".join(f"{names.get(at, at)}{'*' * hit}" for at, hit in way) for way in self
        )
        return " ".join(text if times == 1 else f"{text}({times})" for text, times in texts.items())

    @property
    def net(self) -> Counter[int]:
        """How many checkers more, or less, stand on each point in the end."""
        change = Counter(way[-1][0] for way in self)
        change.subtract(way[0][0] for way in self)
        return change

    @property
    def hits(self) -> frozenset[int]:
        """The points where checkers hit."""
        return frozenset(point for way in self for point, hits in way if hits)


@lru_cache(maxsize=20_000)
def joined(steps: tuple[tuple[int, Stop], ...]) -> str:
    """Return single steps, each from a point to a stop, as a line in the one spelling.

    Of a checker's way only those stops are left where it hits. Where two checkers meet it does not
    matter which one goes on, so whatever plays a roll to the same position comes out the same.
    """
    hits = {point for _, (point, hit) in steps if hit}
    chains: list[list[int]] = []
    for start, (stop, _) in sorted(steps, reverse=True):
        if chain := next((chain for chain in chains if chain[-1] == start), None):
            chain.append(stop)
        else:
            chains.append([start, stop])
    chains.sort(reverse=True, key=lambda chain: (chain[0], chain[-1]))
    ways: list[Way] = []
    for at, (start, *between, last) in enumerate(chains):
        if at and chains[at] == chains[at - 1]:
            ways.append(ways[-1])
            continue
        stops = *((stop, True) for stop in between if stop in hits), (last, last in hits)
        ways.append(((start, False), *stops))
        hits -= {point for point, _ in stops}
    return str(Ways(ways))


def listing(state: State) -> dict[str, tuple[int, ...]]:
    """Return the engine's actions of each roll or move: one move for each position it leads to."""
    if state.is_chance_node():
        outcomes = (action for action, _ in state.chance_outcomes())
        return {_roll(state.action_to_string(action)): (action,) for action in outcomes}
    ways: dict[str, tuple[tuple[int, ...], tuple[tuple[int, Stop], ...]]] = {}

    def play(now: State, actions: tuple[int, ...], steps: tuple[tuple[int, Stop], ...]) -> None:
        for action in now.legal_actions():
            after, played = now.clone(), ((*actions, action), steps + _steps(now, action))
            after.apply_action(action)
            # A double is two actions, each of two checkers.
            if after.is_chance_node() or after.is_terminal():
                ways.setdefault(str(after), played)
            elif str(after) not in ways:
                ways[str(after)] = (), played[1]
                play(after, *played)

    play(state, (), ())
    # The rearmost checkers first, as people look at a board.
    ranked = sorted(ways.values(), key=lambda way: sorted(-start for start, _ in way[1]))
    return {joined(steps) or "pass": actions for actions, steps in ranked if actions}


def place_of(state: State, player: int) -> Counter[int]:
    """Return how many of the fifteen checkers of an engine's player stand on each point."""
    place = Counter({BAR: state.board(player, _ENGINE_BAR)})
    for at in range(24):
        place[at + 1 if player else 24 - at] = state.board(player, at)
    place[OFF] = 15 - place.total()
    return place


def dice_of(roll: str) -> list[int]:
    """Return the dice of a roll such as ``3-1``: four of a double."""
    high, low = int(roll[-3]), int(roll[-1])
    return [high] * 4 if high == low else [high, low]


@lru_cache
def _roll(text: str) -> str:
    """Return a roll as players write it, of the engine's text: ``X starts, (roll: 13)``."""
    low, high = sorted(re.findall(r"[1-6]", text.rpartition("roll:")[2]))
    return f"{FIRST['O starts' in text] if 'starts' in text else ''}{high}-{low}"


def _steps(state: State, action: int) -> tuple[tuple[int, Stop], ...]:
    """Return where the checkers of one of the engine's actions go, each from a point to a stop."""
    player = state.current_player()
    moved = state.augment_with_hit_info(player, state.spiel_move_to_checker_moves(player, action))
    steps: list[tuple[int, Stop]] = []
    for step in moved:
        if step.pos >= 0:
            point = step.pos + 1 if player else 24 - step.pos
            start = BAR if step.pos == _ENGINE_BAR else point
            steps.append((start, (max(OFF, start - step.num), step.hit)))
    return tuple(steps)
