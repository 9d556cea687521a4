"""The mails an act brings, as a plan may show them: what only one seat may see is left out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from email import policy
from email.parser import BytesParser
from typing import Final

from sqlalchemy import Connection

from referee.desk import frames, ledger, reports, spectators
from referee.desk.desk import Desk
from referee.desk.ledger import Sitting
from referee.desk.reports import OpenReport
from referee.mail.codes import format_code
from referee.mail.html import html_to_text
from referee.render import mails
from referee.render.wording import Wording
from referee.store import outbox, players, watchers
from referee.store.matches import MatchRow
from referee.store.outbox import OutboxRow
from referee.store.players import PlayerRow

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
    rests = row.state in {"running", "over"}
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
        report = reports.open_part(desk, connection, sitting, seat.seat, player, since)
        found = _shown(desk, sitting, report, player)
        if not again and reports.digested(sitting, seat, player):
            found = replace(found, to=DIGEST.format(name=player.name))
        yield found


def _to_watchers(desk: Desk, connection: Connection, sitting: Sitting) -> Iterator[Mailed]:
    if sitting.row.state not in {"running", "over"}:
        return
    for each in watchers.of_match(connection, sitting.row.id):
        if spectators.untold(sitting, each):
            player = players.by_id(connection, each.player_id)
            report = spectators.report_of(desk, connection, sitting, each, player)
            yield _shown(desk, sitting, report, player)


def _shown(desk: Desk, sitting: Sitting, report: OpenReport, player: PlayerRow) -> Mailed:
    wording = Wording(sitting.game, player.language)
    framing = frames.bare_framing(wording.language)
    said: mails.Report = replace(report, head=HEAD)
    if report.seat is not None:
        boxed = report.to_act == report.seat or desk.always_boxed
        framing = frames.framing(
            wording, report.match, report.turn, report.seat, NO_CODE, box=boxed
        )
        said = replace(said, withheld=WITHHELD.format(seat=report.seat))
    content = mails.report(wording, said, framing)
    return Mailed(player.name, content.subject, content.text.replace(format_code(NO_CODE), MASK))
