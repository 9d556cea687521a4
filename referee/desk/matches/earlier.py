"""Earlier positions of matches: reports say what changed since their readers were last told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection

from referee.desk.matches import broken, ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.games.game import Scene, Seat
from referee.matches.log import open_log
from referee.matches.replay import walk_events
from referee.store.play import matches


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
    with broken.faults_as_broken(loaded.row):
        kept = matches.told_position(connection, loaded.row.id, seq)
        if kept:
            position = game.load(json.loads(kept))
        else:
            # The log is replayed at most once for all readers.
            known, first = loaded.replayed, open_log(game, live.terms, loaded.row.seed)
            known[0] = first.position
            if seq not in known:
                for stage, logged in walk_events(first, ledger.log_of(connection, loaded.row)):
                    known[logged.event.seq] = stage.position
            position = known[seq]
    return Earlier(game.scene(game.view(position, eyes)), game.points(position))
