"""What an act does, for whoever decides about it: before and after, events, mails, warnings.

It holds what a spectator may see; hands, draws and reply codes are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from email import policy
from email.parser import BytesParser
from typing import Final

from sqlalchemy import Connection

from referee.desk import desk as desk_desk
from referee.desk.desk import Desk
from referee.desk.mails import post, spectators
from referee.desk.mails import report as mails_report
from referee.desk.mails.report import OpenReport
from referee.desk.matches import ledger
from referee.desk.matches.ledger import Sitting
from referee.games.game import Document
from referee.mail.codes import format_code
from referee.mail.incoming.html import html_to_text
from referee.render import mails
from referee.render.sheets import draw
from referee.render.wording import Wording
from referee.store.people import players
from referee.store.people.players import PlayerRow
from referee.store.play import matches as play_matches
from referee.store.play import watchers
from referee.store.play.logs import EventRow
from referee.store.play.matches import MatchRow
from referee.store.post import outbox
from referee.store.post.outbox import OutboxRow
from referee.store.states import ATTENDED


@dataclass(frozen=True, slots=True)
class Stand:
    """How a match stands, as a spectator sees it: lines that say so, and its board."""

    state: str
    turn: int
    to_act: str | None
    due: str | None
    board: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """An event that is written: its number, kind and seat, and what spectators learn by it."""

    seq: int
    kind: str
    seat: str | None
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One act with everything that comes of it; ``id`` is the plan's number.

    ``reports`` are those that were written, or follow when the match rests, as far as everybody may
    read them.
    """

    id: int
    state: str
    match: str
    act: str
    arguments: Document
    by: str
    why: str
    before: Stand
    after: Stand
    events: tuple[Written, ...]
    warnings: tuple[str, ...]
    mails: tuple[Mailed, ...]
    reports: tuple[Mailed, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The matches it changes."""
        return (self.match,)

    def document(self) -> Document:
        """Return the proposal as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Sweep:
    """One act with what comes of it in every match it changes; ``id`` is the plan's number.

    ``done`` says in lines what it does besides; ``state`` is ``applied`` without an ``id`` where
    no match was changed, so that there was nothing to plan.
    """

    id: int
    state: str
    act: str
    arguments: Document
    by: str
    why: str
    done: tuple[str, ...]
    matches: tuple[Proposal, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The matches it changes."""
        return tuple(each.match for each in self.matches)

    def document(self) -> Document:
        """Return it as JSON."""
        return asdict(self)


def stand(desk: Desk, connection: Connection, row: MatchRow, *, drawn: bool = True) -> Stand:
    """Return how a match stands; ``drawn``: with its board."""
    due = desk_desk.stamp(row.due) if row.due and row.state == "running" else None
    board: tuple[str, ...] = ()
    if drawn and row.header is not None:
        board = _board(desk, ledger.load(desk, connection, row))
    return Stand(row.state, row.turn, row.to_act, due, board)


def _board(desk: Desk, sitting: Sitting) -> tuple[str, ...]:
    game = sitting.game
    wording = Wording(game, desk.language)
    drawing = draw(sitting.live.scene(None), wording)
    lines = list(drawing.text)
    for title, sentences in drawing.panels:
        lines += ["", f"{title}:", *(f"  {each}" for each in sentences)]
    return tuple(lines)


def written(desk: Desk, connection: Connection, row: MatchRow, after: int) -> tuple[Written, ...]:
    """Return the events after one, with what spectators learn."""
    wording = Wording(desk.find_game(row.game, row.edition), desk.language)
    return tuple(
        _written(wording, each) for each in play_matches.events(connection, row.id, after=after)
    )


def _written(wording: Wording, row: EventRow) -> Written:
    facts = [each for each in ledger.facts_from_json(row.facts) if each.known_to(None)]
    return Written(row.seq, row.kind, row.seat, tuple(wording.facts(facts)))


MASK: Final = "····-····"
"""What stands in a plan for a reply code."""

HEAD: Final = f"{MASK}-····"
"""What stands in a plan for the head of the log, which is not known before the event is written."""

OPEN_KINDS: Final = frozenset({"notice", "invitation"})
"""Kinds of mail that show nothing hidden."""

NO_CODE: Final = "0" * 8
"""What a report is written with that is only to be shown."""

WITHHELD: Final = "[{seat}'s own part is not shown here]"
"""What stands in a plan wherever a report tells what only its seat may see."""

LONGEST_HTML: Final = 100_000
"""Characters of text shown of a mail that has HTML alone, as its reader wants it."""

DIGEST: Final = "{name}, in the daily mail"
"""Who gets a report together with those of other matches."""


@dataclass(frozen=True, slots=True)
class Mailed:
    """A mail that goes out: to which player, under which subject, and its text."""

    to: str
    subject: str
    text: str


def mails_of(
    connection: Connection, row: MatchRow, after: int, own: Collection[int]
) -> list[OutboxRow]:
    """Return the mails about a match that were written after one and will leave.

    ``own`` are about it too, though they are bound to none of its seats.
    """
    return [
        each
        for each in outbox.written_after(connection, after)
        if (each.match_id == row.id or each.id in own) and each.state != "superseded"
    ]


def notices(connection: Connection, written: Iterable[OutboxRow]) -> tuple[Mailed, ...]:
    """Return what notices and invitations say, codes masked; what shows a hand is not read."""
    return tuple(_notice(connection, each) for each in written if each.kind in OPEN_KINDS)


def _notice(connection: Connection, row: OutboxRow) -> Mailed:
    message = BytesParser(policy=policy.default).parsebytes(outbox.raw(connection, row.id))
    body = message.get_body(("plain", "html"))
    text = "" if body is None else str(body.get_content()).replace("\r\n", "\n")
    if body is not None and body.get_content_subtype() == "html":
        text = html_to_text(text, LONGEST_HTML)
    if row.code is not None:
        text = text.replace(format_code(row.code), MASK)
    name = row.recipient
    if row.player_id is not None:
        name = players.by_id(connection, row.player_id).name
    return Mailed(name, str(message["Subject"]), text)


def reported(
    desk: Desk, connection: Connection, row: MatchRow, written: Iterable[OutboxRow]
) -> tuple[Mailed, ...]:
    """Return the reports that were written, and those that follow when the match rests next.

    They tell how it stands now; what chance, a bot or an order in advance does before is not known.
    """
    if row.header is None:
        return ()
    sitting = ledger.load(desk, connection, row)
    seats = {each.seat: each.player_id for each in written if each.kind == "report" and each.seat}
    return (
        *_to_seats(desk, connection, sitting, seats),
        *_to_watchers(desk, connection, sitting),
    )


def _to_seats(
    desk: Desk, connection: Connection, sitting: Sitting, written: dict[str, int | None]
) -> Iterator[Mailed]:
    row, turn = sitting.row, sitting.live.turn
    rests = row.state in ATTENDED
    for seat in sitting.seats:
        if seat.player_id is None or players.address_for(connection, seat.player_id) is None:
            continue
        player, again = players.by_id(connection, seat.player_id), seat.seat in written
        if again:
            since = outbox.told_before(connection, row.id, seat.seat, row.turn_began_seq)
        elif rests and seat.reported_turn < turn.number + turn.over:
            since = outbox.told_since(connection, row.id, seat.seat, seat.reported_seq)
        else:
            continue
        report = mails_report.open_part(desk, connection, sitting, seat.seat, player, since)
        found = _shown(desk, sitting, report, player)
        if not again and mails_report.digested(sitting, seat, player):
            found = replace(found, to=DIGEST.format(name=player.name))
        yield found


def _to_watchers(desk: Desk, connection: Connection, sitting: Sitting) -> Iterator[Mailed]:
    if sitting.row.state not in ATTENDED:
        return
    for each in watchers.of_match(connection, sitting.row.id):
        if spectators.untold(sitting, each):
            player = players.by_id(connection, each.player_id)
            report = spectators.report_of(desk, connection, sitting, each, player)
            yield _shown(desk, sitting, report, player)


def _shown(desk: Desk, sitting: Sitting, report: OpenReport, player: PlayerRow) -> Mailed:
    wording = Wording(sitting.game, player.language)
    framing = post.bare_framing(wording.language)
    said: mails.Report = replace(report, head=HEAD)
    if report.seat is not None:
        boxed = report.to_act == report.seat or desk.always_boxed
        framing = post.framing(wording, report.match, report.turn, report.seat, NO_CODE, box=boxed)
        said = replace(said, withheld=WITHHELD.format(seat=report.seat))
    content = mails.report(wording, said, framing)
    return Mailed(player.name, content.subject, content.text.replace(format_code(NO_CODE), MASK))
