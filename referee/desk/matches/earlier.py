"""Earlier positions of matches, kept for a while: reports say what changed since."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk.matches import broken, ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.games.game import Scene, Seat
from referee.matches import replay

MOST_KEPT: Final = 200
"""Positions kept in memory. A missing one is played again from its log."""

_KEPT: Final[OrderedDict[str, Any]] = OrderedDict()
"""Positions by the hash of the event that led to them, which is theirs alone."""

_KEEPING: Final = threading.Lock()


def keep_position(loaded: LoadedMatch) -> None:
    """Remember how a match stands, as its readers are being told."""
    # Threads of one process write reports, each over a connection of its own.
    with _KEEPING:
        _KEPT[loaded.live.head] = loaded.live.position
        _KEPT.move_to_end(loaded.live.head)
        while len(_KEPT) > MOST_KEPT:
            _KEPT.popitem(last=False)


def scene_after(
    connection: Connection, loaded: LoadedMatch, seq: int, head: str | None, eyes: Seat | None
) -> Scene | None:
    """Return how a match looked after an event with a hash.

    0 is before the first. None if the log no longer has it.
    """
    if seq >= loaded.live.seq:
        return loaded.live.scene(eyes)
    if seq and head is None:
        return None
    with _KEEPING:
        position = _KEPT.get(head or "")
    if position is None:
        position = _played_again(connection, loaded, seq)
    return loaded.game.scene(loaded.game.view(position, eyes))


def _played_again(connection: Connection, loaded: LoadedMatch, seq: int) -> Any:
    live = loaded.live
    with broken.faults_as_broken(loaded.row):
        log = ledger.log_of(connection, loaded.row)[:seq] if seq else []
        return replay.at_event(live.game, live.terms, loaded.row.seed, log, seq).position
