"""Who watches a match without a seat: how that begins and ends, and what he is told."""

from __future__ import annotations

from difflib import get_close_matches

from sqlalchemy import Connection

from referee.desk import answers, archive, frames, ledger, reports, told
from referee.desk.case import Case
from referee.desk.claims import Claim
from referee.desk.commands import Command
from referee.desk.desk import Desk
from referee.desk.ledger import Sitting
from referee.desk.people import GOING
from referee.desk.posting import Extras, post
from referee.desk.told import Mark, mark_of
from referee.games.game import Json
from referee.mail.composing import Attachment
from referee.render import mails
from referee.render.wording import Wording
from referee.store import matches as tables
from referee.store import players, watchers
from referee.store.matches import MatchRow
from referee.store.players import PlayerRow
from referee.store.watchers import WatcherRow


def watch(case: Case, _: Claim | None, command: Command) -> None:
    """Let a player watch a match: a report of how it stands comes at once."""
    row = tables.get(case.connection, command.arguments[0])
    if row is None:
        return
    watchers.add(case.connection, row.id, case.player.id, case.desk.now())
    watchers.set_told(case.connection, row.id, case.player.id, row.seq, 0)
    answers.send(case, "watching", {"named": row.name})
    if row.header is not None:
        sitting = ledger.load(case.desk, case.connection, row)
        write_reports(case.desk, case.connection, sitting)


def wrong(case: Case, command: Command) -> bool:
    """Answer what cannot be watched; tell whether that was so."""
    name = command.arguments[0]
    row = tables.get(case.connection, name)
    if row is None:
        rows = tables.list_matches(case.connection)
        near: list[Json] = list(get_close_matches(name, [r.name for r in rows if r.state in GOING]))
        answers.send(case, "watch-none", {"named": name, "open": near})
    elif tables.seats_of_player(case.connection, case.player.id, row.id):
        answers.send(case, "watch-seated", {"named": name})
    elif row.state not in GOING:
        answers.send(case, "watch-over", {"named": name})
    else:
        return False
    return True


def stop(case: Case, _: Claim | None, command: Command) -> None:
    """End watching, of one match or of all, and with no match named the daily digest."""
    names: list[Json] = []
    for each in watchers.of_player(case.connection, case.player.id):
        row = tables.by_id(case.connection, each.match_id)
        if not command.arguments or row.name in command.arguments:
            watchers.drop(case.connection, row.id, case.player.id)
            if row.state in GOING:
                names.append(row.name)
    digest = not command.arguments and case.player.digest != "off"
    if digest:
        players.update(case.connection, case.player.id, digest="off")
    answers.send(case, "stopped", {"to": names, "digest": digest})


def nothing_to_stop(case: Case, command: Command) -> bool:
    """Answer who would stop what he does not do; tell whether that was so."""
    watched = watchers.of_player(case.connection, case.player.id)
    names = {tables.by_id(case.connection, each.match_id).name for each in watched}
    named = command.arguments[0] if command.arguments else None
    if (named in names) if named else (names or case.player.digest != "off"):
        return False
    answers.send(case, "stop-nothing", {"named": named})
    return True


def write_reports(desk: Desk, connection: Connection, sitting: Sitting) -> int:
    """Write a report to everybody who watches and has not been told of this turn; count them.

    Who wants a digest is told at its hour, and of the end at once.
    """
    count = 0
    for each in watchers.of_match(connection, sitting.row.id):
        if plays(connection, sitting, each):
            continue
        player = players.by_id(connection, each.player_id)
        later = player.digest == "daily" and not sitting.live.turn.over
        if later or not untold(sitting, each):
            continue
        wording = Wording(sitting.game, player.language)
        content = mails.report(
            wording,
            report_of(desk, connection, sitting, each, player),
            frames.bare_framing(player.language),
        )
        extras = Extras({"X-Referee-Match": sitting.row.name, "X-Referee-Head": sitting.live.head},
                        _record(connection, sitting))  # fmt: skip
        mail = post(desk, connection, player, "report", content, extras=extras)
        after = Mark(sitting.row.id, None, sitting.live.seq, _turn(sitting))
        after.put(connection, player.id)
        if mail is not None:
            told.remember(connection, mail, [(mark_of(each), after)])
        count += 1
    return count


def plays(connection: Connection, sitting: Sitting, watcher: WatcherRow) -> bool:
    """Tell whether who watched a match has got a seat in it; then he watches no more."""
    if all(each.player_id != watcher.player_id for each in sitting.seats):
        return False
    watchers.drop(connection, sitting.row.id, watcher.player_id)
    return True


def untold(sitting: Sitting, watcher: WatcherRow) -> bool:
    """Tell whether a turn began that a watcher has not been told of, or the match ended."""
    began_anew = watcher.reported_seq < sitting.live.turn.began
    return watcher.reported_turn != _turn(sitting) or began_anew


def report_of(
    desk: Desk,
    connection: Connection,
    sitting: Sitting,
    watcher: WatcherRow,
    player: PlayerRow,
) -> reports.OpenReport:
    """Return what a watcher is told: the view of a spectator, and the facts that all may know."""
    return reports.open_part(desk, connection, sitting, None, player, watcher.reported_seq)


def _turn(sitting: Sitting) -> int:
    turn = sitting.live.turn
    return turn.number + (1 if turn.over else 0)


def _record(connection: Connection, sitting: Sitting) -> tuple[Attachment, ...]:
    row: MatchRow = sitting.row
    if not sitting.live.turn.over:
        return ()
    record = archive.record_bytes(connection, row)
    if len(record) > reports.MOST_RECORD_BYTES:
        return ()
    return (Attachment(f"{row.name}.record.jsonl", "application/octet-stream", record),)
