"""The digest: one mail a day with the reports of matches where its player has nothing to do."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from referee.desk import frames, ledger, reports, spectators
from referee.desk.desk import Desk
from referee.desk.posting import names_of, post
from referee.games.game import AnyGame
from referee.render import mails
from referee.render.moments import zone_of
from referee.render.wording import Catalogue, Wording
from referee.store import matches as tables
from referee.store import players, status, watchers
from referee.store.matches import SeatRow
from referee.store.players import PlayerRow

log = logging.getLogger(__name__)

HOUR: Final = 6
"""From this hour on, in the player's zone, the digest of a day is written."""

KEY: Final = "digest"
"""Under this and the player's number stands the day his last digest was written."""


@dataclass(frozen=True, slots=True)
class Part:
    """The report of one match, and what notes that it was told."""

    game: AnyGame
    report: mails.Report
    told: Callable[[], None]


def due(desk: Desk, connection: Connection) -> list[int]:
    """Return the players whose digest's hour has come."""
    wanted = players.with_digest(connection)
    return [each.id for each in wanted if _is_due(desk, connection, each)]


def write(desk: Desk, connection: Connection, player_id: int) -> bool:
    """Write a player's digest if there is something to tell; tell whether."""
    player = players.by_id(connection, player_id)
    day = desk.now().astimezone(zone_of(player.zone)).date().isoformat()
    status.put(connection, f"{KEY} {player.id}", day)
    parts = [*_of_seats(desk, connection, player), *_watched(desk, connection, player)]
    if not parts:
        return False
    worded = [(Wording(each.game, player.language), each.report) for each in parts]
    framing = frames.bare_framing(player.language)
    content = mails.digest(Catalogue(player.language), worded, framing)
    if post(desk, connection, player, "report", content) is None:
        return False
    for each in parts:
        each.told()
    log.info("a digest of %d matches", len(parts), extra={"action": "digest"})
    return True


def _is_due(desk: Desk, connection: Connection, player: PlayerRow) -> bool:
    local = desk.now().astimezone(zone_of(player.zone))
    day = status.value(connection, f"{KEY} {player.id}")
    return local.hour >= HOUR and day != local.date().isoformat()


def _of_seats(desk: Desk, connection: Connection, player: PlayerRow) -> list[Part]:
    found = []
    for seat in tables.seats_of_player(connection, player.id):
        row = tables.by_id(connection, seat.match_id)
        if row.state == "running" and row.to_act != seat.seat and seat.reported_turn < row.turn:
            found.append(_of_seat(desk, connection, seat, player))
    return found


def _of_seat(desk: Desk, connection: Connection, seat: SeatRow, player: PlayerRow) -> Part:
    sitting = ledger.load(desk, connection, tables.by_id(connection, seat.match_id))
    names = names_of(connection, sitting.seats)
    report = reports.report_of(desk, connection, sitting, seat, player, names, ())
    live = sitting.live

    def told() -> None:
        tables.set_reported(connection, seat.match_id, seat.seat, live.seq, live.turn.number)

    return Part(sitting.game, report, told)


def _watched(desk: Desk, connection: Connection, player: PlayerRow) -> list[Part]:
    found = []
    for each in watchers.of_player(connection, player.id):
        row = tables.by_id(connection, each.match_id)
        if row.state != "running":
            continue
        sitting = ledger.load(desk, connection, row)
        if not spectators.plays(connection, sitting, each) and spectators.untold(sitting, each):
            report = spectators.report_of(desk, connection, sitting, each, player)
            found.append(Part(sitting.game, report, _watcher_told(connection, sitting, each)))
    return found


def _watcher_told(
    connection: Connection, sitting: ledger.Sitting, each: watchers.WatcherRow
) -> Callable[[], None]:
    return lambda: spectators.mark_told(connection, sitting, each)
