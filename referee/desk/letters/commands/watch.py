"""The commands ``watch`` and ``stop``: spectators come and go."""

from __future__ import annotations

from difflib import get_close_matches

from referee.desk.letters import reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.mails.settings import apply_setting
from referee.desk.mails.spectators import write_spectator_reports
from referee.desk.matches import ledger
from referee.render.answers import Answer, answer
from referee.store.play import matches, watchers
from referee.store.states import UNFINISHED


def watch_match(case: Case, _: Claim | None, command: Command) -> None:
    """Let a player watch a match; a report of its position comes at once."""
    row = matches.find_match(case.connection, command.arguments[0])
    if row is None:
        return
    watchers.add_watcher(case.connection, row.id, case.player.id, case.desk.now())
    # Told of no turn yet, so that a report is due at once.
    watchers.set_watcher_told(case.connection, row.id, case.player.id, row.seq, 0)
    reply.send_answer(case, answer("watching", named=row.name))
    if row.header is not None:
        loaded = ledger.load_match(case.change, row)
        write_spectator_reports(case.change, loaded)


def answer_unwatchable(case: Case, command: Command) -> Answer | None:
    """Return the answer to a match that cannot be watched."""
    name = command.arguments[0]
    row = matches.find_match(case.connection, name)
    if row is None:
        rows = matches.select_matches(case.connection)
        unfinished = [row.name for row in rows if row.state in UNFINISHED]
        near = get_close_matches(name, unfinished)
        return answer("watch-none", named=name, open=near)
    if matches.seats_of_player(case.connection, case.player.id, row.id):
        return answer("watch-seated", named=name)
    if row.state not in UNFINISHED:
        return answer("watch-over", named=name)
    return None


def end_watching(case: Case, _: Claim | None, command: Command) -> None:
    """Stop watching one match or all; without a name end the digest as well."""
    names = []
    for watched in watchers.watched_by(case.connection, case.player.id):
        row = matches.get_match(case.connection, watched.match_id)
        if not command.arguments or row.name in command.arguments:
            watchers.drop_watcher(case.connection, row.id, case.player.id)
            if row.state in UNFINISHED:
                names.append(row.name)
    digest = not command.arguments and case.player.digest != "off"
    if digest:
        apply_setting(case.change, case.player, "digest", "off")
    reply.send_answer(case, answer("stopped", to=names, digest=digest, mails=case.player.mails))


def answer_nothing_to_stop(case: Case, command: Command) -> Answer | None:
    """Return the answer to a ``stop`` with nothing to stop."""
    watched = watchers.watched_by(case.connection, case.player.id)
    names = {matches.get_match(case.connection, row.match_id).name for row in watched}
    named = command.arguments[0] if command.arguments else None
    if (named in names) if named else (names or case.player.digest != "off"):
        return None
    return answer("stop-nothing", named=named)
