"""Earlier positions of matches, kept for a while: reports say what changed since."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from referee.desk.matches import broken, ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.games.game import Scene, Seat
from referee.matches import replay

MOST_KEPT: Final = 200
"""Positions kept in memory. A missing one is played again from its log."""


@dataclass(frozen=True, slots=True)
class KeptPosition:
    """A position, and what seats and spectators (None) saw of it."""

    position: Any
    seen: dict[Seat | None, Scene] = field(default_factory=dict)


_KEPT: Final[OrderedDict[str, KeptPosition]] = OrderedDict()
"""Positions by the hash of the event that led to them, which is theirs alone."""

_KEEPING: Final = threading.Lock()


def keep_position(loaded: LoadedMatch, eyes: Seat | None) -> None:
    """Remember how a match stands, as a reader is told of it."""
    live, scene = loaded.live, _board_of(loaded.live.scene(eyes))
    # Threads of one process write reports, each over a connection of its own.
    with _KEEPING:
        kept = _KEPT[live.head] = _KEPT.get(live.head) or KeptPosition(live.position)
        # Most seats see the same on a board.
        kept.seen[eyes] = next((each for each in kept.seen.values() if each == scene), scene)
        _KEPT.move_to_end(live.head)
        while len(_KEPT) > MOST_KEPT:
            _KEPT.popitem(last=False)


class Earlier(NamedTuple):
    """A match as it looked to a reader: the board with its tracks, everybody's points."""

    scene: Scene
    points: Mapping[Seat, int]


def earlier_position(
    connection: Connection, loaded: LoadedMatch, seq: int, head: str | None, eyes: Seat | None
) -> Earlier | None:
    """Return a match as it looked after an event.

    ``head`` is its hash; event 0 is before the first. None if the log no longer has it.
    """
    live, game = loaded.live, loaded.game
    if seq >= live.seq:
        return Earlier(live.scene(eyes), game.points(live.position))
    if seq and head is None:
        return None
    with _KEEPING:
        kept = _KEPT.get(head or "")
        scene = kept.seen.get(eyes) if kept else None
    position = kept.position if kept else _played_again(connection, loaded, seq)
    return Earlier(scene or game.scene(game.view(position, eyes)), game.points(position))


def _board_of(scene: Scene) -> Scene:
    """Return a scene's board and tracks, without the rest."""
    return replace(scene, panels=(), tables=(), secrets=(), question=None)


def _played_again(connection: Connection, loaded: LoadedMatch, seq: int) -> Any:
    live = loaded.live
    with broken.faults_as_broken(loaded.row):
        log = ledger.log_of(connection, loaded.row)[:seq] if seq else []
        return replay.at_event(live.game, live.terms, loaded.row.seed, log, seq).position
