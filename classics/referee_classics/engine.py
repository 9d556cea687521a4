"""The engine's states, each kept by its game, its start and the moves that lead to it.

The engine (OpenSpiel, imported only when a game of it is played) takes an illegal action without a
word in some games, so nothing reaches it but actions that it lists itself.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any, Final, TypeAlias

State: TypeAlias = Any
"""A state of the engine, which has no types."""

Listing: TypeAlias = Callable[[State], dict[str, tuple[int, ...]]]
"""How a game names what may be done in a state: the engine's actions in sequence, by text."""

MOST_KEPT: Final = 500
"""States that are kept, of about ten kilobytes each: those of the matches that are played now."""


LARGEST: Final = MappingProxyType({"havannah": "havannah(board_size=10)", "y": "y(board_size=19)"})
"""The largest board of games whose states break when a larger one begins than any before.

The engine keeps the neighbours of all boards in one table that moves when it grows, and the states
of smaller boards go on to look where it was.
"""


class Reached:
    """A state that was reached, and what may be done in it, listed once."""

    def __init__(self, state: State, listing: Listing) -> None:
        self.state = state
        self._listing = listing

    @cached_property
    def legal(self) -> dict[str, tuple[int, ...]]:
        """The engine's actions of each legal move, by its text; of chance, of each outcome."""
        return {} if self.state.is_terminal() else self._listing(self.state)


Key: TypeAlias = tuple[Listing, str, str, tuple[str, ...]]

_KEPT: OrderedDict[Key, Reached] = OrderedDict()


@cache
def rules_of(parameters: str) -> Any:
    """Return the engine's game, such as ``go(board_size=9)``."""
    import pyspiel  # noqa: PLC0415 - half a second, and only for those who play

    if largest := LARGEST.get(parameters.partition("(")[0]):
        pyspiel.load_game(largest).new_initial_state()
    return pyspiel.load_game(parameters)


def beginning(parameters: str, start: str) -> State:
    """Return the state in which a game begins: the usual one, or that of a text of the engine's."""
    rules = rules_of(parameters)
    return rules.new_initial_state(start) if start else rules.new_initial_state()


def reach(parameters: str, start: str, moves: Sequence[str], listing: Listing) -> Reached:
    """Return the state that moves lead to. Raises ValueError at the first that is not listed.

    The state is shared and must not be changed: play on a clone.
    """
    keys: list[Key] = [(listing, parameters, start, tuple(moves))]
    while keys[-1] not in _KEPT and keys[-1][-1]:
        keys.append((listing, parameters, start, keys[-1][-1][:-1]))
    known = keys.pop()
    if known not in _KEPT:
        _keep(known, Reached(beginning(parameters, start), listing))
    _KEPT.move_to_end(known)
    reached = _KEPT[known]
    while keys:
        key = keys.pop()
        *played, move = key[-1]
        actions = reached.legal.get(move)
        if actions is None:
            raise ValueError(f"move {len(played) + 1}, {move!r}, cannot be played")
        state = reached.state.clone()
        for action in actions:
            state.apply_action(action)
        reached = Reached(state, listing)
        _keep(key, reached)
    return reached


def _keep(key: Key, reached: Reached) -> None:
    _KEPT[key] = reached
    while len(_KEPT) > MOST_KEPT:
        _KEPT.popitem(last=False)
