"""The outcome of an act: before and after, events, warnings, mails.

It shows the organiser only what a spectator may see; hands, draws and reply codes are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from email import policy
from email.parser import BytesParser
from typing import Final

from sqlalchemy import Connection

from referee.desk import desk as desk_desk
from referee.desk.desk import Change, Desk
from referee.desk.mails import post, spectators
from referee.desk.mails import report as mails_report
from referee.desk.mails.post import Binding
from referee.desk.mails.report import OpenReport
from referee.desk.matches import ledger
from referee.desk.matches.ledger import Sitting
from referee.games.game import Document
from referee.mail.codes import format_code
from referee.mail.incoming.html import html_to_text
from referee.render import mails
from referee.render.content import draw
from referee.render.wording import Wording
from referee.store.people import players
from referee.store.people.players import PlayerRow
from referee.store.play import matches as play_matches
from referee.store.play import watchers
from referee.store.play.logs import EventRow
from referee.store.play.matches import MatchRow
from referee.store.post import outbox, reports
from referee.store.post.outbox import OutboxRow
from referee.store.states import ATTENDED


@dataclass(frozen=True, slots=True)
class Stand:
    """The state of a match as a spectator sees it."""

    state: str
    turn: int
    to_act: str | None
    due: str | None
    board: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """An event to be written, with the facts open to spectators."""

    seq: int
    kind: str
    seat: str | None
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One act on one match with its outcome; ``id`` is the plan's number.

    ``reports`` are the reports written, or due when the match rests, in their public part.
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
    """One act with its outcome in every match it changes.

    ``id`` is the plan's number. ``done`` are lines about the rest of its work; ``state`` is
    ``applied`` without an ``id`` if no match was changed, so that there was nothing to plan.
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


def stand(change: Change, row: MatchRow, *, drawn: bool = True) -> Stand:
    """Return the state of a match; ``drawn``: with its board."""
    due = desk_desk.stamp(row.due) if row.due and row.state == "running" else None
    board: tuple[str, ...] = ()
    if drawn and row.header is not None:
        board = _board(change.desk, ledger.load(change, row))
    return Stand(row.state, row.turn, row.to_act, due, board)


def _board(desk: Desk, sitting: Sitting) -> tuple[str, ...]:
    game = sitting.game
    wording = Wording(game, desk.language)
    drawing = draw(sitting.live.scene(None), wording)
    lines = list(drawing.text)
    for title, sentences in drawing.panels:
        lines += ["", f"{title}:", *(f"  {each}" for each in sentences)]
    return tuple(lines)


def written(change: Change, row: MatchRow, after: int) -> tuple[Written, ...]:
    """Return the events after one, with their public facts."""
    wording = Wording(change.desk.find_game(row.game, row.edition), change.desk.language)
    return tuple(
        _written(wording, each)
        for each in play_matches.events(change.connection, row.id, after=after)
    )


def _written(wording: Wording, row: EventRow) -> Written:
    facts = [each for each in ledger.facts_from_json(row.facts) if each.known_to(None)]
    return Written(row.seq, row.kind, row.seat, tuple(wording.facts(facts)))


MASK: Final = "····-····"
"""The place of a reply code in a plan."""

HEAD: Final = f"{MASK}-····"
"""The place of the log's head in a plan; it is not known before the event is written."""

OPEN_KINDS: Final = frozenset({"notice", "invitation"})
"""The kinds of mail without secrets."""

NO_CODE: Final = "0" * 8
"""The code of a report that is only shown."""

WITHHELD: Final = "[{seat}'s own part is not shown here]"
"""The place of a seat's secrets in a plan."""

LONGEST_HTML: Final = 100_000
"""Characters shown of a mail that has HTML alone."""

DIGEST: Final = "{name}, in the daily mail"
"""The recipient of a report that waits for a digest."""


@dataclass(frozen=True, slots=True)
class Mailed:
    """A mail that goes out: to whom, its subject, its text."""

    to: str
    subject: str
    text: str


def mails_of(
    connection: Connection, row: MatchRow, after: int, own: Collection[int]
) -> list[OutboxRow]:
    """Return the mails about a match written after one.

    Only those that will leave. ``own`` are about it too, though bound to none of its seats.
    """
    return [
        each
        for each in outbox.written_after(connection, after)
        if (each.match_id == row.id or each.id in own) and each.state != "superseded"
    ]


def notices(connection: Connection, written: Iterable[OutboxRow]) -> tuple[Mailed, ...]:
    """Return the notices and invitations among mails, codes masked.

    Other kinds may show a hand, and are not read.
    """
    return tuple(_notice(connection, each) for each in written if each.kind in OPEN_KINDS)


def _notice(connection: Connection, row: OutboxRow) -> Mailed:
    message = BytesParser(policy=policy.default).parsebytes(outbox.raw(connection, row.id))
    body = message.get_body(("plain", "html"))
    text = "" if body is None else str(body.get_content()).replace("\r\n", "\n")
    if body is not None and body.get_content_subtype() == "html":
        text = html_to_text(text, LONGEST_HTML)
    # A plan can be shown to anybody; a code speaks for a seat.
    if row.code is not None:
        text = text.replace(format_code(row.code), MASK)
    name = row.recipient
    if row.player_id is not None:
        name = players.by_id(connection, row.player_id).name
    return Mailed(name, str(message["Subject"]), text)


def reported(change: Change, row: MatchRow, written: Iterable[OutboxRow]) -> tuple[Mailed, ...]:
    """Return the reports that were written or will follow.

    They show the match as it stands now; moves of chance, bots and standing orders in between are
    unknown.
    """
    if row.header is None:
        return ()
    sitting = ledger.load(change, row)
    seats = {each.seat: each.player_id for each in written if each.kind == "report" and each.seat}
    return (
        *_to_seats(change, sitting, seats),
        *_to_watchers(change, sitting),
    )


def _to_seats(change: Change, sitting: Sitting, written: dict[str, int | None]) -> Iterator[Mailed]:
    row, turn = sitting.row, sitting.live.turn
    rests = row.state in ATTENDED
    for seat in sitting.seats:
        if seat.player_id is None or players.address_for(change.connection, seat.player_id) is None:
            continue
        player, again = players.by_id(change.connection, seat.player_id), seat.seat in written
        if again:
            since = reports.told_before(change.connection, row.id, seat.seat, row.turn_began_seq)
        elif rests and seat.reported_turn < turn.number + turn.over:
            since = reports.told_since(change.connection, row.id, seat.seat, seat.reported_seq)
        else:
            continue
        report = mails_report.open_part(change, sitting, seat.seat, player, since)
        found = _shown(change.desk, sitting, report, player)
        # Until its hour a digest may still collect more.
        if not again and mails_report.digested(sitting, seat, player):
            found = replace(found, to=DIGEST.format(name=player.name))
        yield found


def _to_watchers(change: Change, sitting: Sitting) -> Iterator[Mailed]:
    if sitting.row.state not in ATTENDED:
        return
    for each in watchers.of_match(change.connection, sitting.row.id):
        if spectators.untold(sitting, each):
            player = players.by_id(change.connection, each.player_id)
            report = spectators.report_of(change, sitting, each, player)
            yield _shown(change.desk, sitting, report, player)


def _shown(desk: Desk, sitting: Sitting, report: OpenReport, player: PlayerRow) -> Mailed:
    wording = Wording(sitting.game, player.language)
    framing = post.bare_framing(wording.language)
    said: mails.Report = replace(report, head=HEAD)
    if report.seat is not None:
        boxed = report.to_act == report.seat or desk.always_boxed
        binding = Binding(sitting.row, sitting.seat(report.seat), report.turn, NO_CODE)
        framing = post.framing(wording, binding, box=boxed)
        said = replace(said, withheld=WITHHELD.format(seat=report.seat))
    content = mails.report(wording, said, framing)
    return Mailed(player.name, content.subject, content.text.replace(format_code(NO_CODE), MASK))
