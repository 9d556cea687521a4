"""The report of a seat or spectator, from view and facts alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from typing import Final, NewType

from sqlalchemy import Connection

from referee.desk.archive import record as archive_record
from referee.desk.desk import Change
from referee.desk.mails import calendar, post
from referee.desk.mails import since as mails_since
from referee.desk.mails.post import Binding, Mail
from referee.desk.matches import codes, earlier, ledger, reasons, rewind, standing_orders
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.players import names_among, names_of, players_of
from referee.games.game import Document, Order, Seat
from referee.mail.composing import Attachment
from referee.matches import private, turnfile
from referee.matches.events import format_head
from referee.matches.luck import Luck
from referee.render import mails
from referee.render.mails import ChanceNote
from referee.render.wording import Wording
from referee.store.people.players import PlayerRow
from referee.store.play import matches
from referee.store.play.matches import EventRow, MatchRow
from referee.store.play.seats import SeatRow
from referee.store.post import reports

MOST_RECORD_BYTES = 1_000_000
"""Bytes up to which a record is attached to the last report."""

OpenReport = NewType("OpenReport", mails.Report)
"""A report that everybody may read.

A type of its own, so that a player's report cannot reach a spectator by mistake.
"""


def write_reports(change: Change, loaded: LoadedMatch) -> int:
    """Write a report to each player's seat not told of this turn; count them."""
    row, live = loaded.row, loaded.live
    told = live.turn.number + (1 if live.turn.over else 0)
    waiting = [
        seat for seat in loaded.seats if seat.holder == "player" and seat.reported_turn < told
    ]
    players = players_of(change.connection, loaded.seats) if waiting else {}
    waiting = [seat for seat in waiting if not waits_for_digest(loaded, seat, players[seat.seat])]
    # With the end of the match its secrets end, and its record may be read.
    if live.turn.over and not row.released:
        matches.set_released(change.connection, row.id)
    if not waiting:
        return 0
    names = names_among(players, loaded.seats)
    legal = live.game.orders(live.position) if _seat_acts(live.turn.seat) else ()
    for seat in waiting:
        _write_report(change, loaded, seat, players[seat.seat], names, tuple(legal))
        matches.set_reported(change.connection, row.id, seat.seat, live.seq, told)
    return len(waiting)


def waits_for_digest(loaded: LoadedMatch, seat: SeatRow, player: PlayerRow) -> bool:
    """Return whether a report waits for its player's digest.

    So it does while the player only has to read.
    """
    turn = loaded.live.turn
    return player.digest == "daily" and turn.seat != seat.seat and not turn.over


def write_reminder(change: Change, loaded: LoadedMatch, seat: SeatRow) -> None:
    """Write the turn's report again, as a reminder to act."""
    names = names_of(change.connection, loaded.seats)
    player = players_of(change.connection, loaded.seats)[seat.seat]
    legal = tuple(loaded.game.orders(loaded.live.position))
    _write_report(change, loaded, seat, player, names, legal, reminder=True)


def write_again(change: Change, loaded: LoadedMatch, seat: SeatRow) -> None:
    """Write a seat's last report anew, as the match stands now.

    It bears the code of now.
    """
    names = names_of(change.connection, loaded.seats)
    player = players_of(change.connection, loaded.seats)[seat.seat]
    legal = loaded.game.orders(loaded.live.position) if _seat_acts(loaded.live.turn.seat) else ()
    row = loaded.row
    # It tells again whatever the last report told.
    since = reports.told_before(change.connection, row.id, seat.seat, row.turn_began_seq)
    _write_report(change, loaded, seat, player, names, tuple(legal), since=since)


def _seat_acts(seat: Seat | None) -> bool:
    return seat is not None


def _write_report(
    change: Change,
    loaded: LoadedMatch,
    seat: SeatRow,
    player: PlayerRow,
    names: Mapping[Seat, str],
    legal: tuple[Order, ...],
    *,
    reminder: bool = False,
    since: int | None = None,
) -> None:
    row, live = loaded.row, loaded.live
    wording = Wording(live.game, player.language)
    boxed = live.turn.seat == seat.seat or change.desk.always_boxed
    binding = Binding(row, seat, live.turn.number, codes.code_of(change, row, seat))
    # An older report that has not left would only confuse.
    reports.withdraw_reports(change.connection, row.id, seat.seat, player.id)
    record = record_of(change.connection, loaded)
    told = report_of(change, loaded, seat, player, names, legal, reminder=reminder, since=since)
    content = mails.report_content(
        wording,
        with_record(told, record),
        post.seat_framing(wording, binding, box=boxed),
    )
    entry = calendar.deadline_entry(change, loaded, seat, player)
    attached = (turn_attachment(loaded, binding), *((entry,) if entry else ()), *record)
    mail = Mail("report", content, binding, headers=headers_of(loaded), attachments=attached)
    post.send(change, mail, player)


def report_of(
    change: Change,
    loaded: LoadedMatch,
    seat: SeatRow,
    player: PlayerRow,
    names: Mapping[Seat, str],
    legal: tuple[Order, ...],
    *,
    reminder: bool = False,
    since: int | None = None,
) -> mails.Report:
    """Return the content of a seat's report.

    ``since`` is the last event the seat has been told of; by default the outbox knows it.
    """
    row, live = loaded.row, loaded.live
    wording = Wording(live.game, player.language)
    mine = live.turn.seat == seat.seat
    if since is None:
        since = reports.told_since(change.connection, row.id, seat.seat, seat.reported_seq)
    waiting = [
        each.standing
        for each in standing_orders.kept_standing_orders(change.connection, loaded, seat.seat)
    ]
    notes = standing_orders.notes_since(change.connection, loaded, seat.seat, since)
    seen = _seen(change, loaded, seat.seat, player, names, since, eyes=seat.seat)
    return replace(
        seen,
        legal=legal if mine else (),
        legal_count=len(legal) if mine else 0,
        reminder=reminder,
        standing=mails_since.standing_order_sentences(wording, waiting),
        ended=mails_since.came_of(wording, notes),
        remarks=notes_of(change.connection, loaded, seat.seat),
    )


def open_part(
    change: Change,
    loaded: LoadedMatch,
    seat: Seat | None,
    player: PlayerRow,
    since: int,
) -> OpenReport:
    """Return the part of a report that everybody may read.

    For a spectator, without a ``seat``, that is the whole report.
    """
    names = names_of(change.connection, loaded.seats)
    seen = _seen(change, loaded, seat, player, names, since, eyes=None)
    return OpenReport(seen)


def _seen(
    change: Change,
    loaded: LoadedMatch,
    seat: Seat | None,
    player: PlayerRow,
    names: Mapping[Seat, str],
    since: int,
    *,
    eyes: Seat | None,
) -> mails.Report:
    """Build a seat's or spectator's report, showing only what ``eyes`` may see."""
    row, live = loaded.row, loaded.live
    wording = Wording(live.game, player.language)
    # With the event the reader was told of last: it leads to the position they know.
    log = matches.events(change.connection, row.id, after=max(since - 1, 0))
    earlier.keep_position(loaded)
    mends = rewind.corrections_since(change.connection, row, since)
    first: tuple[str, ...] = ()
    if rewind.has_moved(change.connection, row, since):
        first = (wording.catalogue.say("report.moved", seat=seat, due=row.due),)
    if seat is not None:
        first = (
            *first,
            *mails_since.bank_sentences(change, loaded, wording),
            *mails_since.away_sentences(change, loaded, names, seat, wording),
        )
    return mails.Report(
        match=row.name,
        seat=seat,
        turn=live.turn.number,
        to_act=live.turn.seat,
        due=row.due,
        zone=player.zone,
        scene=live.scene(eyes),
        turns=_turns(change, loaded, log, since, eyes),
        before=earlier.scene_after(change.connection, loaded, log, since, eyes),
        first=since == 0,
        legal=(),
        legal_count=0,
        points=live.game.points(live.position),
        names=names,
        head=format_head(live.head),
        chance_note=chance_note(row),
        pictured=shows_pictures(change, player),
        forfeits=Luck.from_text(row.words).pending,
        result=live.result,
        options=live.terms.options,
        now=change.desk.now(),
        away=first,
        credits=(
            *mails_since.played_sentences(change.connection, row, since, wording, names, seat),
            *mails_since.credit_sentences(change.connection, row, since, wording, player.zone),
        ),
        mended=mails_since.correction_sentences(wording, mends),
        # Of several new seeds the latest is the one in use.
        commitment=next((each.commitment for each in mends[::-1] if each.commitment), None),
    )


def _turns(
    change: Change,
    loaded: LoadedMatch,
    log: Sequence[EventRow],
    since: int,
    eyes: Seat | None,
) -> tuple[mails.TurnNews, ...]:
    """Return the news of each turn since, as ``eyes`` may know it."""
    new = [each for each in log if each.seq > since]
    if not new:
        return ()
    whose = {each.number: each.seat for each in matches.turns(change.connection, loaded.row.id)}
    return tuple(
        mails.TurnNews(whose.get(number), facts)
        for number, facts in ledger.facts_by_turn(new, eyes)
    )


def shows_pictures(change: Change, player: PlayerRow) -> bool:
    """Return whether a player's mails show the board as a picture."""
    return change.desk.pictures and player.format != "text"


def chance_note(row: MatchRow) -> ChanceNote:
    """Return the remark about the seed: practice, words mixed in, or neither."""
    if row.practice:
        return "practice"
    luck = Luck.from_text(row.words)
    if luck.all_promised:
        return "promised"
    return "words" if luck.words else "alone"


def headers_of(loaded: LoadedMatch) -> dict[str, str]:
    """Return the headers that name a match and its full head."""
    return {"X-Referee-Match": loaded.row.name, "X-Referee-Head": loaded.live.head}


def turn_attachment(loaded: LoadedMatch, binding: Binding) -> Attachment:
    """Return the turn file of a seat's mail."""
    seat, code = binding.seat.seat, binding.code
    document = turnfile.turn_file(loaded.live, seat, code=code, due=loaded.row.due)
    return Attachment("turn.json", "application/json", _by_line(document))


def record_of(connection: Connection, loaded: LoadedMatch) -> tuple[Attachment, ...]:
    """Return the record of a finished match, unless it is too large.

    Each reader can verify the match with it, without asking anybody.
    """
    if not loaded.live.turn.over:
        return ()
    record = archive_record.record_bytes(connection, loaded.row)
    if len(record) > MOST_RECORD_BYTES:
        return ()
    name = f"{loaded.row.name}.record.jsonl"
    return (Attachment(name, "application/octet-stream", record),)


def with_record(told: mails.Report, record: tuple[Attachment, ...]) -> mails.Report:
    """Return a report that names the record attached, if any."""
    return replace(told, record="".join(each.name for each in record))


def _by_line(document: Document) -> bytes:
    """Return JSON that a person can read, one name on each line."""
    lines = [
        f" {json.dumps(name)}: {json.dumps(document[name], ensure_ascii=False, sort_keys=True)}"
        for name in sorted(document)
    ]
    return "{{\n{}\n}}".format(",\n".join(lines)).encode()


MOST_SHOWN: Final = 20
"""Notes shown in a report: the latest."""


def notes_of(connection: Connection, loaded: LoadedMatch, seat: Seat) -> tuple[str, ...]:
    """Return the notes of a seat's holder, the latest last.

    Notes of earlier holders stay with them.
    """
    holder = loaded.seat(seat).player_id
    cleared = next(standing_orders.entries_of(connection, loaded, seat, private.CLEARED), None)
    since = 0 if cleared is None else cleared.seq
    latest = standing_orders.entries_of(connection, loaded, seat, private.REMARK)
    stand = takewhile(lambda each: each.seq > since, latest)
    mine = (str(each.details["hash"]) for each in stand if each.details["player"] == holder)
    shown = [*islice(mine, MOST_SHOWN)][::-1]
    texts = (reasons.find_text(connection, loaded.row, each) for each in shown)
    return tuple(text for text in texts if text)
