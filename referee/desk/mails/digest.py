"""The digest: a daily mail of matches where its player only reads."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from referee.desk.desk import Change
from referee.desk.mails import post, spectators, told
from referee.desk.mails import report as mails_report
from referee.desk.mails.post import Mail
from referee.desk.mails.told import ToldMark, mark_of
from referee.desk.matches import broken, ledger
from referee.games.game import AnyGame
from referee.render import mails
from referee.render.moments import zone_of
from referee.render.wording import Catalogue, Wording
from referee.store import notes
from referee.store.people import players
from referee.store.people.players import PlayerRow
from referee.store.play import matches, watchers
from referee.store.play.seats import SeatRow
from referee.store.play.watchers import WatcherRow

log = logging.getLogger(__name__)

HOUR: Final = 6
"""The hour, in the player's zone, from which the day's digest is written."""


@dataclass(frozen=True, slots=True)
class DigestPart:
    """The report of one match, with its reader's marks around it.

    ``before`` is the mark without this report, ``after`` the mark with it.
    """

    game: AnyGame
    report: mails.Report
    before: ToldMark
    after: ToldMark


def due_digests(change: Change) -> list[int]:
    """Return the players whose digest's hour has come."""
    wanted = players.players_with_digest(change.connection)
    return [each.id for each in wanted if _is_due(change, each)]


def write_digest(change: Change, player_id: int) -> bool:
    """Write a player's digest, if there is any news; return whether one was written."""
    player = players.get_player(change.connection, player_id)
    day = change.desk.now().astimezone(zone_of(player.zone)).date().isoformat()
    notes.DIGEST_DAY.write(change.connection, day, player.id)
    parts = [*_of_seats(change, player), *_watched(change, player)]
    if not parts:
        return False
    worded = [(Wording(each.game, player.language), each.report) for each in parts]
    framing = post.bare_framing(player.language)
    content = mails.digest_content(Catalogue(player.language), worded, framing)
    mail = post.send(change, Mail("report", content), player)
    if mail is None:
        return False
    for each in parts:
        each.after.put(change.connection, player.id)
    # Put back if this mail never leaves.
    told.remember_marks(change.connection, mail, [(each.before, each.after) for each in parts])
    log.info("a digest of %d matches", len(parts), extra={"action": "digest"})
    return True


def _is_due(change: Change, player: PlayerRow) -> bool:
    local = change.desk.now().astimezone(zone_of(player.zone))
    day = notes.DIGEST_DAY.read(change.connection, player.id)
    return local.hour >= HOUR and day != local.date().isoformat()


def _of_seats(change: Change, player: PlayerRow) -> list[DigestPart]:
    found = []
    for seat in matches.seats_of_player(change.connection, player.id):
        row = matches.get_match(change.connection, seat.match_id)
        if row.state == "running" and row.to_act != seat.seat and seat.reported_turn < row.turn:
            # A broken match is left out; the digest of the others must not wait for it.
            with suppress(broken.BrokenMatch), broken.faults_as_broken(row):
                found.append(_of_seat(change, seat, player))
    return found


def _of_seat(change: Change, seat: SeatRow, player: PlayerRow) -> DigestPart:
    loaded = ledger.load_match(change, matches.get_match(change.connection, seat.match_id))
    report = mails_report.report_of(change, loaded, seat, player)
    return _part(loaded, report, seat)


def _watched(change: Change, player: PlayerRow) -> list[DigestPart]:
    found = []
    for each in watchers.watched_by(change.connection, player.id):
        row = matches.get_match(change.connection, each.match_id)
        if row.state != "running":
            continue
        with suppress(broken.BrokenMatch), broken.faults_as_broken(row):
            loaded = ledger.load_match(change, row)
            if not spectators.spectator_plays(
                change.connection, loaded, each
            ) and spectators.has_news(loaded, each):
                report = spectators.spectator_report(change, loaded, each, player)
                found.append(_part(loaded, report, each))
    return found


def _part(
    loaded: ledger.LoadedMatch, report: mails.Report, reader: SeatRow | WatcherRow
) -> DigestPart:
    before, live = mark_of(reader), loaded.live
    return DigestPart(
        loaded.game, report, before, replace(before, seq=live.seq, turn=live.turn.number)
    )
