"""The report of a seat or spectator, from view and facts alone.

A report also tells the replies to its reader that have not left: one mail to a player, not two. A
reply is written whole, with its letter; if the report to the same seat is written before it has
left, that tells it at its head, and answers the letter. A report that is taken back before it left,
or refused for good, gives its replies back. One that waits for the end of quiet hours tells none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import islice, takewhile
from typing import Any, Final

import msgspec
from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.mails import composer, ending, post
from referee.desk.mails import since as mails_since
from referee.desk.mails.post import Answered, Binding, Mail
from referee.desk.mails.since import Since
from referee.desk.matches import codes, ledger, reasons, standing_orders
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock, departure
from referee.desk.matches.time.departure import Way
from referee.desk.players import has_ended_one, names_of, players_of
from referee.games.game import AnyGame, Seat
from referee.games.play import allows_draws, opening_order, uses_chance
from referee.mail.composing import Attachment
from referee.mail.incoming.letter import Letter
from referee.matches import private, turnfile
from referee.matches.events import format_head
from referee.render.content import Content
from referee.render.receipts import Brief, brief_of
from referee.render.reports import ChanceNote, Report, report_content
from referee.render.words.rules import introduction
from referee.render.words.wording import Wording
from referee.store.people import questions
from referee.store.play import matches
from referee.store.post import reports
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, SeatRow
from referee.value import Value, asdict, replace


class OpenReport(Value):
    """A report that everybody may read.

    A type of its own, so that a player's report cannot reach a spectator by mistake.
    """

    report: Report


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
    _write(change, loaded, waiting)
    names, told = [seat.seat for seat in waiting], live.turn.number + live.turn.over
    matches.set_all_reported(change.connection, row.id, names, live.seq, told)
    return len(waiting)


def ways_of(change: Change, loaded: LoadedMatch) -> dict[Seat, Way]:
    """Return how each seat's player who has not been told of this turn is told of it."""
    told = loaded.live.turn.number + loaded.live.turn.over
    waiting = [
        seat for seat in loaded.seats if seat.holder == "player" and seat.reported_turn < told
    ]
    holders = players_of(change.connection, loaded.seats) if waiting else {}
    return {seat.seat: way_of(change, loaded, seat, holders[seat.seat]) for seat in waiting}


def way_of(change: Change, loaded: LoadedMatch, seat: SeatRow, player: PlayerRow) -> Way:
    """Return how a seat's player is told of the present turn."""
    turn = loaded.live.turn
    if turn.seat != seat.seat or turn.over:
        return departure.way_of(change, player, "end" if turn.over else "match")
    return departure.way_of(change, player, "turn", clock.clock_of(change, loaded.row).due)


def write_reminder(change: Change, loaded: LoadedMatch, seat: SeatRow) -> None:
    """Write the turn's report again, as a reminder to act."""
    _write(change, loaded, [seat], reminder=True)


def write_again(change: Change, loaded: LoadedMatch, seat: SeatRow) -> None:
    """Write a seat's last report anew, as the match stands now.

    It bears the code of now, and tells again whatever the last report told.
    """
    row = loaded.row
    told = reports.told_before(change.connection, row.id, seat.seat, row.turn_began_seq)
    _write(change, loaded, [seat], told=told)


def _write(
    change: Change,
    loaded: LoadedMatch,
    seats: Sequence[SeatRow],
    *,
    reminder: bool = False,
    told: int | None = None,
) -> None:
    """Write reports to seats: first all that they say, then all their mails.

    ``told`` is the event up to which their readers have been told; by default the outbox knows it.
    """
    row, live = loaded.row, loaded.live
    holders = players_of(change.connection, loaded.seats)
    # Older reports that have not left would only confuse.
    unsent = {seat.seat: holders[seat.seat] for seat in seats}
    told_in = withdraw_reports(change, row, unsent)
    codes_now = codes.codes_of(change, row, seats)
    ended = cache(partial(ending.ending_of, change, loaded))
    # Readers told up to the same event share what has happened since.
    read = cache(partial(mails_since.read_since, change.connection, row))
    written = []
    for seat in seats:
        player = holders[seat.seat]
        wording, end = Wording(live.game, player.language), ended(player.language)
        binding = Binding(row, seat, live.turn.number, codes_now[seat.seat])
        since = read(_told(change.connection, row, seat) if told is None else told)
        report = report_of(change, loaded, seat, player, since, reminder=reminder)
        replies = told_in.get(seat.seat)
        if replies is not None:
            report = replace(report, replied=replies.briefs)
        framing = post.seat_framing(wording, binding, box=live.turn.seat == seat.seat)
        content = report_content(wording, end.told_in(report), framing)
        page = composer.composer_of(change, loaded, binding, player, content.subject)
        attached = (turn_attachment(loaded, binding), *page.attached, *end.attached)
        content = page.offered_in(content)
        mail = Mail("report", content, binding, headers=headers_of(loaded), attachments=attached)
        written.append((replace(mail, answers=replies.letter if replies else None), player))
    for mail, sent in post.send_all(change, written):
        if mail.binding and (replies := told_in.get(mail.binding.seat.seat)):
            reports.tell_in(change.connection, sent, replies.mails)
    acting = unsent.get(live.turn.seat) if live.turn.seat else None
    if acting and departure.leaves_at(acting, "report", change.desk.now()) is not None:
        clock.start_unread(change, row)


def _told(connection: Connection, row: MatchRow, seat: SeatRow) -> int:
    return reports.told_since(connection, row.id, seat.seat, seat.reported_seq)


def report_of(
    change: Change,
    loaded: LoadedMatch,
    seat: SeatRow,
    player: PlayerRow,
    since: Since | None = None,
    *,
    reminder: bool = False,
) -> Report:
    """Return the content of a seat's report, by default on all since its reader was last told."""
    row, live = loaded.row, loaded.live
    wording = Wording(live.game, player.language)
    legal = tuple(live.game.orders(live.position)) if live.turn.seat == seat.seat else ()
    if since is None:
        told = _told(change.connection, row, seat)
        since = mails_since.read_since(change.connection, row, told)
    waiting = [
        order.standing
        for order in standing_orders.kept_standing_orders(change.connection, loaded, seat.seat)
    ]
    came = standing_orders.notes_since(change.connection, loaded, seat.seat, since.seq)
    seen = _seen(change, loaded, seat.seat, player, since, eyes=seat.seat)
    if seen.first and not has_ended_one(change.connection, player.id, row.game):
        terms = live.terms
        begins = opening_order(live.game, terms.seats, terms.options, terms.board)
        order = legal[0] if legal else begins
        first = introduction(wording, order, len(terms.seats), terms.options)
        seen = replace(seen, introduction=first)
    return replace(
        seen,
        legal=legal,
        reminder=reminder,
        standing=mails_since.standing_order_sentences(wording, waiting, player.zone),
        ended=mails_since.came_of(wording, came),
        remarks=notes_of(change.connection, loaded, seat.seat, player.id),
        offered=_offered_to(change.connection, loaded, seat.seat),
    )


def _offered_to(connection: Connection, loaded: LoadedMatch, seat: Seat) -> Seat | None:
    """Return the seat that offers another a draw, if that has still to answer."""
    row = loaded.row
    put = questions.open_question_in(connection, row.id) if allows_draws(loaded.game) else None
    if put is None or put.kind != "draw" or seat in {put.seat, *put.answered}:
        return None
    gone = ledger.has_moved_on(connection, row.id, put.document.seq, put.seat)
    return None if gone else put.seat


def open_part(
    change: Change,
    loaded: LoadedMatch,
    seat: Seat | None,
    player: PlayerRow,
    told: int,
) -> OpenReport:
    """Return the part of a report that everybody may read, on the events after ``told``.

    For a spectator, without a ``seat``, that is the whole report.
    """
    since = mails_since.read_since(change.connection, loaded.row, told)
    return OpenReport(_seen(change, loaded, seat, player, since, eyes=None))


def _seen(
    change: Change,
    loaded: LoadedMatch,
    seat: Seat | None,
    player: PlayerRow,
    since: Since,
    *,
    eyes: Seat | None,
) -> Report:
    """Build a seat's or spectator's report, showing only what ``eyes`` may see."""
    row, live = loaded.row, loaded.live
    wording = Wording(live.game, player.language)
    names = names_of(change.connection, loaded.seats)
    then = mails_since.earlier_position(change.connection, loaded, since.seq, since.hash, eyes)
    points = live.game.points(live.position)
    # Nothing is gained where nothing is known of before.
    past: Mapping[Seat, int] = then.points if then and since.seq else {}
    people = {other.player_id for other in loaded.seats if other.holder == "player"}
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
        before=then and then.scene,
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
        mended=mails_since.correction_sentences(wording, since.corrections, alone=len(people) == 1),
        # Of several new seeds the latest is the one in use.
        commitment=next(
            (
                correction.commitment
                for correction in since.corrections[::-1]
                if correction.commitment
            ),
            None,
        ),
    )


def shows_pictures(change: Change, player: PlayerRow) -> bool:
    """Return whether a player's mails show the board as a picture."""
    return change.desk.settings.pictures and player.format != "text"


def chance_note(game: AnyGame, row: MatchRow) -> ChanceNote | None:
    """Return the remark about the seed: practice, words mixed in, or neither; if chance matters."""
    if not uses_chance(game, row.options):
        return None
    if row.practice:
        return "practice"
    return "words" if row.words else "alone"


def headers_of(loaded: LoadedMatch) -> dict[str, str]:
    """Return the headers that name a match and its full head."""
    return {"X-Referee-Match": loaded.row.name, "X-Referee-Head": loaded.live.head}


def turn_attachment(loaded: LoadedMatch, binding: Binding) -> Attachment:
    """Return the turn file of a seat's mail."""
    seat, code = binding.seat.seat, binding.code
    document = turnfile.turn_file(loaded.live, seat, code=code, due=loaded.row.due)
    # A person can read it, too, with one name on each line.
    encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
    lines = ",\n".join(f' "{name}": {encode(document[name])}' for name in sorted(document))
    return Attachment("turn.json", "application/json", f"{{\n{lines}\n}}".encode())


MOST_SHOWN: Final = 20
"""Notes shown in a report: the latest."""


def notes_of(
    connection: Connection, loaded: LoadedMatch, seat: Seat, holder: int
) -> tuple[str, ...]:
    """Return the notes of a seat's present holder, the latest last."""
    cleared = next(standing_orders.entries_of(connection, loaded, seat, private.CLEARED), None)
    since = 0 if cleared is None else cleared.seq
    latest = standing_orders.entries_of(connection, loaded, seat, private.REMARK)
    stand = takewhile(lambda entry: entry.seq > since, latest)
    # The log bears the writer's number of that day: since then players may have been merged.
    texts = (
        reasons.find_text(connection, loaded.row, str(entry.details["hash"]), holder)
        for entry in stand
    )
    return tuple(islice(filter(None, texts), MOST_SHOWN))[::-1]


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
    players = {seat: player.id for seat, player in holders.items()}
    told: dict[str, Replied] = {}
    withdrawn = reports.withdraw_reports_to(change.connection, row.id, players)
    for seat, replies in withdrawn.items():
        if departure.leaves_at(holders[seat], "report", now) is not None:
            continue
        kept: list[dict[str, Any]] = [json.loads(text) for _, text in replies]
        briefs = tuple(msgspec.convert(reply, Brief) for reply in kept)
        *earlier, last = (reply["letter"] for reply in kept)
        letter = Answered(last, tuple(filter(None, earlier)))
        told[seat] = Replied(tuple(mail_id for mail_id, _ in replies), briefs, letter)
    return told
