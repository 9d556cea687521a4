"""The report of a seat or spectator, from view and facts alone.

A report also tells the replies to its reader that have not left: one mail to a player, not two. A
reply is written whole, with its letter; if the report to the same seat is written before it has
left, that tells it at its head, and answers the letter. A report that is taken back before it left,
or refused for good, gives its replies back. One that waits for the end of quiet hours tells none.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import islice, takewhile
from typing import Any, Final

import msgspec
from sqlalchemy import Connection

from referee.desk.archive import record, transcripts
from referee.desk.archive.site import pages
from referee.desk.desk import Change
from referee.desk.mails import composer, post
from referee.desk.mails import since as mails_since
from referee.desk.mails.post import Answered, Binding, Mail
from referee.desk.matches import codes, ledger, reasons, standing_orders, told
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock, departure
from referee.desk.matches.time.departure import Way
from referee.desk.players import has_ended_one, names_of, players_of
from referee.errors import RefereeError
from referee.games.game import AnyGame, Seat
from referee.games.play import opening_order
from referee.mail.composing import Attachment
from referee.mail.incoming.letter import Letter
from referee.matches import private
from referee.matches.events import format_head
from referee.matches.record import packed
from referee.render.content import Content
from referee.render.receipts import Brief, brief_of
from referee.render.reports import KEEPSAKE, RECORD, ChanceNote, Ending, Report, report_content
from referee.render.words.rules import introduction
from referee.render.words.wording import Wording
from referee.store.people import players, questions
from referee.store.play import matches, watchers
from referee.store.post import reports
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, SeatRow, WatcherRow
from referee.value import Value, asdict, replace

log = logging.getLogger(__name__)


def write_reports(change: Change, loaded: LoadedMatch) -> int:
    """Write a report to each player's seat not told of this turn; count them."""
    row, live = loaded.row, loaded.live
    ways = ways_of(change, loaded)
    if live.turn.seat is not None and ways.get(live.turn.seat, "mail") != "mail":
        clock.start_unread(change, row)
    waiting = [seat for seat in loaded.seats if ways.get(seat.seat) == "mail"]
    # With the end of the match its secrets end, and its record may be read.
    if live.turn.over and not row.released:
        matches.change_match(change.connection, row.id, released=True)
    if not waiting:
        return 0
    write_to_seats(change, loaded, waiting)
    names, latest = [seat.seat for seat in waiting], live.turn.number + live.turn.over
    matches.set_reported(change.connection, row.id, names, live.seq, latest)
    return len(waiting)


def ways_of(change: Change, loaded: LoadedMatch) -> dict[Seat, Way]:
    """Return how each seat's player who has not been told of this turn is told of it."""
    latest = loaded.live.turn.number + loaded.live.turn.over
    waiting = [
        seat for seat in loaded.seats if seat.holder == "player" and seat.reported_turn < latest
    ]
    holders = players_of(change.connection, loaded.seats) if waiting else {}
    return {seat.seat: way_of_report(change, loaded, seat, holders[seat.seat]) for seat in waiting}


def way_of_report(
    change: Change, loaded: LoadedMatch, seat: SeatRow | None, player: PlayerRow
) -> Way:
    """Return how a seat's player, or a spectator, is told of the present turn."""
    turn = loaded.live.turn
    if turn.over:
        return departure.way_of(change, player, "end")
    if seat is None or turn.seat != seat.seat:
        return departure.way_of(change, player, "match" if seat else "watched")
    return departure.way_of(change, player, "turn", clock.clock_of(change, loaded.row).due)


def write_again(change: Change, loaded: LoadedMatch, seat: SeatRow) -> None:
    """Write a seat's last report anew, as the match stands, telling again all that it told."""
    row = loaded.row
    before = reports.told_before(change.connection, row.id, seat.seat, row.turn_began_seq)
    write_to_seats(change, loaded, [seat], told_before=before)


def write_to_seats(
    change: Change,
    loaded: LoadedMatch,
    seats: Sequence[SeatRow],
    *,
    reminder: bool = False,
    told_before: int | None = None,
) -> None:
    """Write reports to seats, or a ``reminder``: first all that they say, then all their mails.

    ``told_before`` is the event up to which their readers have been told; by default the outbox
    knows it.
    """
    row, live = loaded.row, loaded.live
    holders = players_of(change.connection, loaded.seats)
    # Older reports that have not left would only confuse.
    unsent = {seat.seat: holders[seat.seat] for seat in seats}
    told_in = withdraw_reports(change, row, unsent)
    codes_now = codes.codes_of(change, row, seats)
    ended = cache(partial(ending_of, change, loaded))
    # Readers told up to the same event share what has happened since.
    read = cache(partial(mails_since.read_since, change.connection, row))
    written = []
    for seat in seats:
        player = holders[seat.seat]
        wording, (ending, files) = Wording(live.game, player.language), ended(player.language)
        binding = Binding(row, seat, live.turn.number, codes_now[seat.seat])
        since = read(_told(change.connection, seat) if told_before is None else told_before)
        report = report_of(change, loaded, seat, player, since, reminder=reminder)
        replies = told_in.get(seat.seat)
        report = replace(report, replied=replies.briefs if replies else (), ending=ending)
        framing = post.seat_framing(wording, binding, box=live.turn.seat == seat.seat)
        content = report_content(wording, report, framing)
        page = composer.turn_files(change, loaded, binding, player, content.subject, report=report)
        mail = Mail(
            "report",
            page.offered_in(content),
            binding,
            answers=replies.letter if replies else None,
            headers=headers_of(loaded),
            attachments=(*page.attached, *files),
        )
        written.append((mail, player))
    for mail, sent in post.send_all(change, written):
        if mail.binding and (replies := told_in.get(mail.binding.seat.seat)):
            reports.tell_in(change.connection, sent, replies.mails)
    acting = unsent.get(live.turn.seat) if live.turn.seat else None
    if acting and departure.leaves_at(acting, "report", change.desk.now()) is not None:
        clock.start_unread(change, row)


def _told(connection: Connection, seat: SeatRow) -> int:
    return reports.told_since(connection, seat.match_id, seat.seat, seat.reported_seq)


def has_news(loaded: LoadedMatch, watcher: WatcherRow) -> bool:
    """Return whether a turn or an end is news to a spectator; whoever has a seat is none."""
    if any(seat.player_id == watcher.player_id for seat in loaded.seats):
        return False
    turn = loaded.live.turn
    began_anew = watcher.reported_seq < turn.began
    return watcher.reported_turn != turn.number + turn.over or began_anew


def write_spectator_reports(change: Change, loaded: LoadedMatch) -> int:
    """Write a report to each spectator not told of this turn; count them.

    Those with a digest are told in it, but of the end at once.
    """
    live, written = loaded.live, 0
    ended = cache(partial(ending_of, change, loaded))
    for watcher in watchers.watchers_of(change.connection, loaded.row.id):
        player = players.get_player(change.connection, watcher.player_id)
        if player.id in {seat.player_id for seat in loaded.seats}:
            watchers.drop_watcher(change.connection, loaded.row.id, player.id)
        if not has_news(loaded, watcher) or way_of_report(change, loaded, None, player) != "mail":
            continue
        ending, files = ended(player.language)
        said = replace(spectator_report(change, loaded, watcher, player), ending=ending)
        content = report_content(Wording(live.game, player.language), said, post.BARE_FRAMING)
        mail = Mail("report", content, headers=headers_of(loaded), attachments=files)
        mail_id = post.send(change, mail, player)
        after = told.ToldMark(loaded.row.id, None, live.seq, live.turn.number + live.turn.over)
        # Noted even if there is no address to write to: the report is not owed.
        after.put(change.connection, player.id)
        if mail_id is not None:
            told.BEFORE.write(change.connection, [(told.mark_of(watcher), after.turn)], mail_id)
        written += 1
    return written


def report_of(
    change: Change,
    loaded: LoadedMatch,
    seat: SeatRow,
    player: PlayerRow,
    since: mails_since.Since | None = None,
    *,
    reminder: bool = False,
) -> Report:
    """Return the content of a seat's report, by default on all since its reader was last told."""
    row, live = loaded.row, loaded.live
    wording = Wording(live.game, player.language)
    legal = tuple(live.game.orders(live.position)) if live.turn.seat == seat.seat else ()
    if since is None:
        since = mails_since.read_since(change.connection, row, _told(change.connection, seat))
    waiting = standing_orders.kept_standing_orders(change.connection, loaded, seat.seat)
    came = standing_orders.notes_since(change.connection, loaded, seat.seat, since.seq)
    seen = _seen(change, loaded, seat.seat, player, since, eyes=seat.seat)
    if seen.first and not has_ended_one(change.connection, player.id, row.game):
        terms = live.terms
        begins = opening_order(live.game, terms.seats, terms.options, terms.board)
        order = legal[0] if legal else begins
        first = introduction(wording, order, len(terms.seats), terms.options)
        seen = replace(seen, introduction=first)
    # A draw that the seat has still to answer.
    put = questions.open_question_in(change.connection, row.id) if live.game.draws else None
    if put is not None and (
        put.kind != "draw"
        or seat.seat in {put.seat, *put.answered}
        or ledger.has_moved_on(change.connection, row.id, put.document.seq, put.seat)
    ):
        put = None
    return replace(
        seen,
        legal=legal,
        reminder=reminder,
        standing=mails_since.standing_order_sentences(wording, waiting, player.zone),
        ended=tuple(mails_since.came_of(wording, came)),
        remarks=notes_of(change.connection, loaded, seat.seat, player.id),
        offered=put.seat if put else None,
    )


def open_part(
    change: Change, loaded: LoadedMatch, seat: Seat | None, player: PlayerRow, seq: int
) -> Report:
    """Return the part of a report that everybody may read, on all that happened since an event."""
    since = mails_since.read_since(change.connection, loaded.row, seq)
    return _seen(change, loaded, seat, player, since, eyes=None)


def spectator_report(
    change: Change, loaded: LoadedMatch, watcher: WatcherRow, player: PlayerRow
) -> Report:
    """Return a spectator's report: the public view and public facts."""
    report = open_part(change, loaded, None, player, watcher.reported_seq)
    return replace(report, newcomer=watcher.reported_turn == 0 and not report.first)


def _seen(
    change: Change,
    loaded: LoadedMatch,
    seat: Seat | None,
    player: PlayerRow,
    since: mails_since.Since,
    *,
    eyes: Seat | None,
) -> Report:
    """Build a seat's or spectator's report, showing only what ``eyes`` may see."""
    row, live = loaded.row, loaded.live
    wording = Wording(live.game, player.language)
    names = names_of(change.connection, loaded.seats)
    before, past = mails_since.earlier_position(
        change.connection, loaded, since.seq, since.hash, eyes
    )
    points = live.game.points(live.position)
    # Nothing is gained where nothing is known of before.
    past = past if since.seq else {}
    people = {other.player_id for other in loaded.seats if other.holder == "player"}
    seeds = [mend.commitment for mend in since.corrections if mend.commitment]
    mended = mails_since.correction_sentences(wording, since.corrections, alone=len(people) == 1)
    about_time: tuple[str, ...] = ()
    if seat is not None:
        about_time = (
            *mails_since.bank_sentences(change, loaded, wording),
            *mails_since.away_sentences(change, loaded, names, seat, wording),
        )
    return Report(
        match=row.name,
        seat=seat,
        turn=live.turn.number,
        to_act=live.turn.seat,
        due=row.due,
        zone=player.zone,
        scene=live.scene(eyes),
        turns=since.turns_for(eyes),
        before=before,
        gained={
            name: points[name] - past[name]
            for name in points
            if points[name] > past.get(name, points[name])
        },
        first=since.seq == 0,
        legal=(),
        points=points,
        names=names,
        head=format_head(live.head),
        chance_note=chance_note(loaded.game, row),
        pictured=shows_pictures(change, player),
        result=live.result,
        options=live.terms.options,
        now=change.desk.now(),
        away=about_time,
        credits=(
            *mails_since.played_sentences(since, wording, names, seat),
            *mails_since.credit_sentences(since, wording, player.zone),
        ),
        mended=tuple(mended),
        # Of several new seeds the latest is the one in use.
        commitment=seeds[-1] if seeds else None,
    )


def shows_pictures(change: Change, player: PlayerRow) -> bool:
    """Return whether a player's mails show the board as a picture."""
    return change.desk.settings.pictures and player.format != "text"


def chance_note(game: AnyGame, row: MatchRow) -> ChanceNote | None:
    """Return the remark about the seed: practice, words mixed in, or neither; if chance matters."""
    if not game.uses_chance(row.options):
        return None
    if row.practice:
        return "practice"
    return "words" if row.words else "alone"


def headers_of(loaded: LoadedMatch) -> dict[str, str]:
    """Return the headers that name a match and its full head."""
    return {"X-Referee-Match": loaded.row.name, "X-Referee-Head": loaded.live.head}


MOST_ATTACHED: Final = 100_000
"""Bytes up to which a compressed record, or a keepsake, is attached to the last report."""


def ending_of(
    change: Change, loaded: LoadedMatch, language: str
) -> tuple[Ending, tuple[Attachment, ...]]:
    """Return the end of a match, and its files without those that are too large.

    Each reader can verify the match with the record, without asking anybody, and see it played
    again on the page.
    """
    if not loaded.live.turn.over:
        return Ending(), ()
    row, course = loaded.row, None
    zipped_record = packed(record.record_bytes(change.connection, row))
    files = [Attachment(f"{row.name}{RECORD}", "application/gzip", zipped_record)]
    try:
        page = pages.whole_page(change.desk, change.connection, row, language)
        course = page.course
        keepsake = pages.keepsake(row, page, Wording(loaded.game, language))
        files.append(Attachment(f"{row.name}{KEEPSAKE}", "application/zip", keepsake))
        files += transcripts.files_of(change.desk, change.connection, row)
    except RefereeError as fault:
        # The last mail tells the result, and must not wait for a page or another program's file.
        log.warning("%s ends without all its files: %s", row.name, fault)
    attached = tuple(file for file in files if len(file.content) <= MOST_ATTACHED)
    names, left_out = tuple(file.name for file in attached), len(zipped_record) > MOST_ATTACHED
    return Ending(course, names, left_out), attached


_MOST_SHOWN: Final = 20
"""Notes shown in a report: the latest."""


def notes_of(
    connection: Connection, loaded: LoadedMatch, seat: Seat, holder: int
) -> tuple[str, ...]:
    """Return the notes of a seat's present holder, the latest last."""
    cleared = next(standing_orders.entries_of(connection, loaded, seat, private.CLEARED), None)
    since = 0 if cleared is None else cleared.seq
    latest = standing_orders.entries_of(connection, loaded, seat, private.NOTE)
    stand = takewhile(lambda entry: entry.seq > since, latest)
    # The log bears the writer's number of that day: since then players may have been merged.
    texts = (
        reasons.find_text(connection, loaded.row, str(entry.details["hash"]), holder)
        for entry in stand
    )
    return tuple(islice(filter(None, texts), _MOST_SHOWN))[::-1]


class Replied(Value):
    """The replies to a seat that its report tells: ids, briefs, and letters."""

    mails: tuple[int, ...]
    briefs: tuple[Brief, ...]
    letter: Answered


def brief_text(content: Content, letter: Letter) -> str | None:
    """Return the reply to a letter in short, as it is kept; None if it has to be told whole."""
    brief = brief_of(content)
    if brief is None:
        return None
    return json.dumps({"letter": letter.message_id, **asdict(brief)}, ensure_ascii=False)


def withdraw_reports(
    change: Change, row: MatchRow, holders: Mapping[str, PlayerRow]
) -> dict[str, Replied]:
    """Take back the unsent reports to seats; return the replies to tell in new ones.

    Those to players with quiet hours now leave by themselves.
    """
    now = change.desk.now()
    readers = {seat: player.id for seat, player in holders.items()}
    replied: dict[str, Replied] = {}
    withdrawn = reports.withdraw_reports_to(change.connection, row.id, readers)
    for seat, replies in withdrawn.items():
        if departure.leaves_at(holders[seat], "report", now) is not None:
            continue
        kept: list[dict[str, Any]] = [json.loads(text) for _, text in replies]
        briefs = tuple(msgspec.convert(reply, Brief) for reply in kept)
        *earlier, last = (reply["letter"] for reply in kept)
        letter = Answered(last, tuple(filter(None, earlier)))
        replied[seat] = Replied(tuple(mail_id for mail_id, _ in replies), briefs, letter)
    return replied
