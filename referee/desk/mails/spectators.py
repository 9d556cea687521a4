"""The reports of spectators, who watch a match without a seat."""

from __future__ import annotations

from functools import cache, partial

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.mails import ending, post, report
from referee.desk.mails.post import Mail
from referee.desk.matches import told
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import departure
from referee.desk.matches.time.departure import Way
from referee.desk.matches.told import ToldMark, mark_of
from referee.render.reports import report_content
from referee.render.words.wording import Wording
from referee.store.people import players
from referee.store.play import watchers
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import WatcherRow
from referee.value import replace


def write_spectator_reports(change: Change, loaded: LoadedMatch) -> int:
    """Write a report to each spectator not told of this turn; count them.

    Those with a digest are told in it, but of the end at once.
    """
    count, ended = 0, cache(partial(ending.ending_of, change, loaded))
    for watcher in watchers.watchers_of(change.connection, loaded.row.id):
        if spectator_plays(change.connection, loaded, watcher):
            continue
        player = players.get_player(change.connection, watcher.player_id)
        if way_of(change, loaded, player) != "mail" or not has_news(loaded, watcher):
            continue
        wording = Wording(loaded.game, player.language)
        end = ended(player.language)
        said = end.told_in(spectator_report(change, loaded, watcher, player).report)
        mail = Mail(
            "report",
            report_content(wording, said, post.BARE_FRAMING),
            headers=report.headers_of(loaded),
            attachments=end.attached,
        )
        mail_id = post.send(change, mail, player)
        live = loaded.live
        after = ToldMark(loaded.row.id, None, live.seq, live.turn.number + live.turn.over)
        # Noted even if there is no address to write to: the report is not owed.
        after.put(change.connection, player.id)
        if mail_id is not None:
            told.remember_marks(change.connection, mail_id, [(mark_of(watcher), after)])
        count += 1
    return count


def way_of(change: Change, loaded: LoadedMatch, player: PlayerRow) -> Way:
    """Return how the news of a match come to a spectator."""
    return departure.way_of(change, player, "end" if loaded.live.turn.over else "watched")


def spectator_plays(connection: Connection, loaded: LoadedMatch, watcher: WatcherRow) -> bool:
    """Return whether a spectator now has a seat; then watching ends."""
    if all(seat.player_id != watcher.player_id for seat in loaded.seats):
        return False
    watchers.drop_watcher(connection, loaded.row.id, watcher.player_id)
    return True


def has_news(loaded: LoadedMatch, watcher: WatcherRow) -> bool:
    """Return whether a turn or an end is news to a spectator."""
    turn = loaded.live.turn
    began_anew = watcher.reported_seq < turn.began
    return watcher.reported_turn != turn.number + turn.over or began_anew


def spectator_report(
    change: Change,
    loaded: LoadedMatch,
    watcher: WatcherRow,
    player: PlayerRow,
) -> report.OpenReport:
    """Return a spectator's report: the public view and public facts."""
    told = report.open_part(change, loaded, None, player, watcher.reported_seq).report
    newcomer = watcher.reported_turn == 0 and not told.first
    return report.OpenReport(replace(told, newcomer=newcomer))
