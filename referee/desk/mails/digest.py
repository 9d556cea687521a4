"""The digest: a daily mail of all matches, with boards and boxes of the player's own turns."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from referee.desk.desk import Change
from referee.desk.mails import composer, post
from referee.desk.mails import report as mails_report
from referee.desk.mails.post import Binding, Mail
from referee.desk.matches import broken, codes, ledger, reasons, told
from referee.desk.matches.time import departure
from referee.mail.composing import Attachment
from referee.render.common import NAME_LENGTH, subject
from referee.render.layout import clean, clean_lines
from referee.render.reports import Report
from referee.render.summaries import DigestMessage, DigestPart, digest_content
from referee.render.words.wording import Catalogue, Wording
from referee.store import notes
from referee.store.people import players
from referee.store.play import matches, messages, watchers
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, MessageRow, SeatRow, WatcherRow
from referee.value import replace

log = logging.getLogger(__name__)

PAGES_TOGETHER: Final = 500_000
"""Bytes of the composer's pages attached to one mail; many servers refuse large mails."""

LINKS_TOGETHER: Final = 40_000
"""Characters of the links to pages in one mail; programs cut HTML of more than 100 kB."""

_NEVER: Final = datetime.max.replace(tzinfo=UTC)


class MarkedPart(DigestPart, kw_only=True):
    """The report of one match, with its reader's marks around it.

    ``before`` is the mark without this report, ``after`` the mark with it. ``code`` is that of an
    own turn.
    """

    before: told.ToldMark
    after: told.ToldMark
    code: str = ""
    attached: tuple[Attachment, ...] = ()


def write_due_digest(change: Change, player_id: int) -> bool:
    """Write a digest if it is still due; return whether one was.

    There must be news; a turn of its reader is news until it is played.
    """
    rows = _lock_matches(change, player_id)
    player = players.get_player(change.connection, player_id)
    now = change.desk.now()
    day, moment = departure.digest_today(player, now)
    last = notes.DIGEST_DAY.read(change.connection, player_id)
    withdrawn = told.WITHDRAWN.read(change.connection, player_id)
    is_due = bool(withdrawn) or (now >= moment and last != day.isoformat())
    written = is_due and _write(change, player, rows)
    due = departure.next_digest(player, change.desk.now())
    # Written first: what begins to wait meanwhile is found below, or has it looked at again.
    players.update_player(change.connection, player_id, digest_due=due)
    # Whoever wants none any longer still gets the content of one that never left.
    if not player.gathers and not messages.messages_held_for(change.connection, player_id):
        players.update_player(change.connection, player_id, digest_due=None)
    return written


def write_digest(change: Change, player_id: int) -> None:
    """Write now what waits for a player's digest."""
    rows = _lock_matches(change, player_id)
    player = players.get_player(change.connection, player_id)
    _write(change, player, rows, reminding=False)


def _write(
    change: Change, player: PlayerRow, rows: Mapping[int, MatchRow], *, reminding: bool = True
) -> bool:
    """Write a player's digest; without ``reminding`` turns told before are no reason for one."""
    day, moment = departure.digest_today(player, change.desk.now())
    # One in place of yesterday's is not today's.
    if change.desk.now() >= moment:
        notes.DIGEST_DAY.write(change.connection, day.isoformat(), player.id)
    told.restore_withdrawn(change, player.id)
    parts = [*_parts(change, player, rows)]
    mine = [part for part in parts if part.report.mine]
    mine.sort(key=lambda part: (part.report.due or _NEVER, part.report.match))
    # With as many pages as a mail has room for.
    own, files, links = list[MarkedPart](), PAGES_TOGETHER, LINKS_TOGETHER
    for part in mine:
        # The first attachment is the turn file.
        files -= sum(len(page.content) for page in part.attached[1:])
        links -= len(part.page.link) if part.page else 0
        fits = files >= 0 and links >= 0
        own.append(part if fits else replace(part, page=None, attached=part.attached[:1]))
    others = [part for part in parts if not part.report.mine]
    texts = [*_messages(change, player, {part.before.match for part in own})]
    if not (others or texts or any(reminding or not part.report.reminder for part in own)):
        return False
    content = digest_content(
        Catalogue(player.language),
        replace(post.BARE_FRAMING, address=change.desk.settings.address),
        own,
        others,
        [said for _, said in texts],
        rest=player.digest != "daily",
    )
    # With one turn in it, what is written outside of its box is meant for that as well.
    code = own[0].code if len(own) == 1 else None
    attached = tuple(file for part in own for file in part.attached)
    mail = post.send(change, Mail("report", content, code=code, attachments=attached), player)
    if mail is None:
        return False
    for part in parts:
        part.after.put(change.connection, player.id)
    # Put back if this mail never leaves.
    marks = [(part.before, part.after.turn) for part in (*own, *others)]
    told.BEFORE.write(change.connection, marks, mail)
    messages.note_told(change.connection, player.id, [message for message, _ in texts], mail)
    log.info("a digest of %d matches", len(marks), extra={"action": "digest"})
    return True


def _lock_matches(change: Change, player_id: int) -> dict[int, MatchRow]:
    """Return the running matches of a player, locked; nobody else then moves their marks.

    One that begins meanwhile is not among them, so that its report is written by nobody twice.
    """
    seats = matches.seats_of_player(change.connection, player_id)
    watched = watchers.watched_by(change.connection, player_id)
    numbers = {seat.match_id for seat in seats} | {watcher.match_id for watcher in watched}
    rows = [matches.get_match(change.connection, number) for number in numbers]
    names = [row.name for row in rows if row.state == "running"]
    locked = matches.lock_matches(change.connection, names)
    # Without a match in common two digests of one player would not wait for each other.
    told.WITHDRAWN.lock(change.connection, player_id)
    return {row.id: row for row in locked if row.state == "running"}


def _parts(change: Change, player: PlayerRow, rows: Mapping[int, MatchRow]) -> Iterator[MarkedPart]:
    """Yield the player's turns, unless those are reported at once, and where they wait or watch.

    A broken match is left out; the digest of the others must not wait for it.
    """
    for seat in matches.seats_of_player(change.connection, player.id):
        row = rows.get(seat.match_id)
        if row is None:
            continue
        known = seat.reported_turn >= row.turn
        if row.to_act == seat.seat:
            wanted = player.digest == "daily"
        else:
            wanted = player.mails != "turns" and not known
        if not wanted:
            continue
        with suppress(broken.BrokenMatch), broken.faults_as_broken(row):
            loaded = ledger.load_match(change, row)
            report = mails_report.report_of(change, loaded, seat, player, reminder=known)
            part = _part(loaded, report, seat, player)
            if not report.mine:
                # It tells but the latest; the report of their next turn tells everything.
                after = replace(part.after, seq=part.before.seq)
                yield replace(part, before=replace(part.before, seq=told.UNMOVED), after=after)
                continue
            code = codes.code_of(change, row, seat)
            binding = Binding(row, seat, loaded.live.turn.number, code)
            titled = subject(row.name, seat.seat, report.names, part.wording)
            page = composer.turn_files(
                change, loaded, binding, player, titled, report=report, beside=True
            )
            yield replace(
                part,
                code=code,
                framing=post.seat_framing(part.wording, binding),
                page=page.offer,
                attached=page.attached,
            )
    for watcher in watchers.watched_by(change.connection, player.id):
        if (match := rows.get(watcher.match_id)) is None:
            continue
        with suppress(broken.BrokenMatch), broken.faults_as_broken(match):
            loaded = ledger.load_match(change, match)
            if mails_report.has_news(loaded, watcher):
                report = mails_report.spectator_report(change, loaded, watcher, player)
                yield _part(loaded, report, watcher, player)


def _part(
    loaded: ledger.LoadedMatch, report: Report, reader: SeatRow | WatcherRow, player: PlayerRow
) -> MarkedPart:
    before, live = told.mark_of(reader), loaded.live
    after = replace(before, seq=live.seq, turn=live.turn.number)
    wording = Wording(loaded.game, player.language)
    return MarkedPart(wording, report, before=before, after=after)


def _messages(
    change: Change, player: PlayerRow, boxed: Collection[int]
) -> Iterator[tuple[MessageRow, DigestMessage]]:
    """Yield the messages that wait for the player's digest.

    The last of each match bears the box of their seat, unless it is one of those ``boxed`` already.
    """
    waiting = messages.messages_held_for(change.connection, player.id)
    # Named as who wrote it, whoever has the seat by now.
    writers = {message.player_id for message in waiting if message.player_id is not None}
    known = players.get_players(change.connection, writers)
    for number, group in groupby(waiting, key=lambda message: message.match_id):
        row = matches.get_match(change.connection, number)
        # Those of a broken match wait until it is mended.
        with suppress(broken.BrokenMatch), broken.faults_as_broken(row):
            wording = Wording(change.desk.find_game(row.game, row.edition), player.language)
            worded: list[tuple[MessageRow, DigestMessage]] = []
            for message in group:
                if message.text and message.player_id is not None:
                    writer = wording.catalogue.say(
                        "digest.message",
                        sender=clean(known[message.player_id].name, NAME_LENGTH),
                        seat=wording.seat(message.seat or ""),
                        match=row.name,
                        to_all=len(message.recipients) > 1,
                    )
                    text = reasons.find_text(change.connection, row, message.hash) or ""
                    worded.append((message, (writer, clean_lines(text), ())))
            # Whoever has handed on the seat still reads what was written to them.
            seat = next(iter(matches.seats_of_player(change.connection, player.id, number)), None)
            if worded and seat is not None and number not in boxed:
                last, (writer, lines, _) = worded[-1]
                binding = Binding(row, seat, row.turn, codes.code_of(change, row, seat))
                worded[-1] = last, (writer, lines, post.seat_framing(wording, binding).box)
            yield from worded
