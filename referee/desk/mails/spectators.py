"""The reports of spectators, who watch a match without a seat."""

from __future__ import annotations

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.mails import post, report, told
from referee.desk.mails.post import Mail
from referee.desk.mails.told import Mark, mark_of
from referee.desk.matches.ledger import Sitting
from referee.render import mails
from referee.render.wording import Wording
from referee.store.people import players
from referee.store.people.players import PlayerRow
from referee.store.play import watchers
from referee.store.play.watchers import WatcherRow


def write_reports(change: Change, sitting: Sitting) -> int:
    """Write a report to each spectator not told of this turn; count them.

    Those with a digest are told in it, but of the end at once.
    """
    count = 0
    for each in watchers.of_match(change.connection, sitting.row.id):
        if plays(change.connection, sitting, each):
            continue
        player = players.by_id(change.connection, each.player_id)
        later = player.digest == "daily" and not sitting.live.turn.over
        if later or not untold(sitting, each):
            continue
        wording = Wording(sitting.game, player.language)
        record = report.record_of(change.connection, sitting)
        said = report.with_record(report_of(change, sitting, each, player), record)
        mail = Mail(
            "report",
            mails.report(wording, said, post.bare_framing(player.language)),
            headers=report.headers_of(sitting),
            attachments=record,
        )
        mail_id = post.send(change, mail, player)
        after = Mark(sitting.row.id, None, sitting.live.seq, _turn(sitting))
        # Noted even if there is no address to write to: the report is not owed.
        after.put(change.connection, player.id)
        if mail_id is not None:
            told.remember(change.connection, mail_id, [(mark_of(each), after)])
        count += 1
    return count


def plays(connection: Connection, sitting: Sitting, watcher: WatcherRow) -> bool:
    """Return whether a spectator now has a seat; then watching ends."""
    if all(each.player_id != watcher.player_id for each in sitting.seats):
        return False
    watchers.drop(connection, sitting.row.id, watcher.player_id)
    return True


def untold(sitting: Sitting, watcher: WatcherRow) -> bool:
    """Return whether a turn or an end is news to a spectator."""
    began_anew = watcher.reported_seq < sitting.live.turn.began
    return watcher.reported_turn != _turn(sitting) or began_anew


def report_of(
    change: Change,
    sitting: Sitting,
    watcher: WatcherRow,
    player: PlayerRow,
) -> report.OpenReport:
    """Return a spectator's report: the public view and public facts."""
    return report.open_part(change, sitting, None, player, watcher.reported_seq)


def _turn(sitting: Sitting) -> int:
    turn = sitting.live.turn
    return turn.number + (1 if turn.over else 0)
