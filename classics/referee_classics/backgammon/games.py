"""The games of a match in the engine: rolls and moves as texts, and the points of both."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final

from referee_classics.backgammon.checkers import BAR, OFF, Stop, joined
from referee_classics.classic import State

ENGINE: Final = "backgammon(scoring_type=full_scoring)"

CHECKERS: Final = 15
"""Checkers of either side."""

FIRST: Final = ("white ", "black ")
"""The first roll of a game names the one who begins."""

_ENGINE_BAR: Final = 100


def listing(state: State) -> dict[str, tuple[int, ...]]:
    """Return the engine's actions of each roll or move: one move for each position it leads to."""
    if state.is_chance_node():
        outcomes = (action for action, _ in state.chance_outcomes())
        return {_roll(state.action_to_string(action)): (action,) for action in outcomes}
    ways: dict[str, tuple[tuple[int, ...], tuple[tuple[int, Stop], ...]]] = {}
    for action in state.legal_actions():
        after, steps = state.clone(), _steps(state, action)
        after.apply_action(action)
        # A double is two actions, each of two checkers.
        if after.is_chance_node() or after.is_terminal():
            ways.setdefault(str(after), ((action,), steps))
        elif str(after) not in ways:
            ways[str(after)] = (), steps
            for second in after.legal_actions():
                last = after.clone()
                last.apply_action(second)
                if str(last) not in ways:
                    ways[str(last)] = (action, second), steps + _steps(after, second)
    # The rearmost checkers first, as people look at a board.
    ranked = sorted(ways.values(), key=lambda way: sorted(-start for start, _ in way[1]))
    return {joined(steps) or "pass": actions for actions, steps in ranked if actions}


def place_of(state: State, player: int) -> Counter[int]:
    """Return how many checkers of one of the engine's players stand on each point of theirs."""
    place = Counter({BAR: state.board(player, _ENGINE_BAR)})
    for at in range(24):
        place[at + 1 if player else 24 - at] = state.board(player, at)
    place[OFF] = CHECKERS - place.total()
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
