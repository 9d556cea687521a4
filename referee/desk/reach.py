"""Whom mail reaches: addresses that fail and work again, and the clocks that stand still for it."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import broken, frames, timing
from referee.desk.desk import Desk
from referee.desk.notices import Notice, notify
from referee.desk.posting import players_of, post_to
from referee.mail import bounces
from referee.mail.reading import Letter
from referee.render.answers import Answer, answer
from referee.render.wording import Catalogue
from referee.store import matches as tables
from referee.store import outbox, players
from referee.store.matches import MatchRow
from referee.store.outbox import OutboxRow

log = logging.getLogger(__name__)


BOUNCES_FOR: Final = timedelta(days=10)
"""A mail system gives up within five days; what comes back later than this says nothing."""

CLOCKS_APART: Final = timedelta(minutes=10)
"""A bounce that arrived so long before its mail was written is not of that mail."""


def bounced(
    desk: Desk, connection: Connection, letter: Letter, raw: bytes, arrived: datetime
) -> str | None:
    """Note a mail of ours that came back; return what the letter was, None if it is no bounce.

    Only a bounce to the mail's own envelope sender counts, only one that is for good, once for
    each mail, and not long after it was sent: its reader can write one at any time. One that is
    read again after a restore may name a mail whose number another one has by now.
    """
    if not letter.automatic:
        return None
    keyed = (bounces.bounced_mail(desk.address, desk.key, each) for each in letter.recipients)
    mail_id = next((each for each in keyed if each is not None), None)
    bounce = bounces.read_bounce(raw) if mail_id is not None else None
    if mail_id is None or bounce is None:
        return None
    if not bounce.hard:
        return f"mail {mail_id} is delayed: {bounce.reason}"
    try:
        mail = outbox.get(connection, mail_id)
    except KeyError:
        return None
    if arrived < mail.created - CLOCKS_APART:
        return f"mail {mail_id} was another one before the database was restored"
    if mail.bounced_at is not None:
        return f"mail {mail_id} came back before"
    if arrived > (mail.sent_at or mail.created) + BOUNCES_FOR:
        return f"mail {mail_id} was sent too long ago to come back"
    outbox.note_bounced(connection, mail_id, desk.now())
    address_fails(desk, connection, mail.recipient, bounce.reason)
    return f"mail {mail_id} came back: {bounce.reason}"


def address_fails(desk: Desk, connection: Connection, address: str, reason: str) -> None:
    """Note that mail to an address comes back, and why; that of no player is nobody's matter."""
    row = players.address(connection, address)
    if row is None or row.state == "unconfirmed":
        return
    players.set_address(connection, address, "failing", reason)
    log.warning("mail to player %d comes back", row.player_id, extra={"action": "bounce"})
    for stopped in timing.settle_reach(desk, connection, row.player_id):
        # In a match that is broken nobody can be told.
        with suppress(broken.BrokenMatch), connection.begin_nested(), broken.known(stopped):
            _tell_others(desk, connection, stopped, row.player_id)


def accepted(desk: Desk, connection: Connection, mail: OutboxRow) -> None:
    """Note that a server took a mail: an address that failed before it was written works again."""
    row = players.address(connection, mail.recipient)
    if row is None or row.state != "failing" or outbox.bounced_after(connection, mail):
        return
    players.set_address(connection, mail.recipient, "ok")
    timing.settle_reach(desk, connection, row.player_id)


def probe(desk: Desk, connection: Connection) -> None:
    """Write to those whose clocks stand because a mail that had been accepted came back.

    This is done once a day. If the mail is accepted, too, their clocks go on.
    """
    for each in players.failing(connection):
        last = outbox.last_to(connection, each.address)
        rows = timing.rows_of(connection, each.player_id)
        waits = any(timing.stands(row, timing.UNREACHABLE) for row in rows)
        if waits and last is not None and last.state == "sent":
            player = players.by_id(connection, each.player_id)
            said = Answer("came-back", {}, framing=frames.bare_framing(player.language))
            content = answer(Catalogue(player.language), said)
            post_to(desk, connection, each.address, "notice", content, player=player)


def _tell_others(desk: Desk, connection: Connection, row: MatchRow, player_id: int) -> None:
    """Tell the other seats of a match that its clock stands, as mail to one comes back."""
    seats = tables.seats(connection, row.id)
    who = players.by_id(connection, player_id).name
    for name, player in players_of(connection, seats).items():
        if player.id != player_id:
            seat = next(each for each in seats if each.seat == name)
            notify(desk, connection, row, seat, player, Notice("out-of-reach", {"who": who}))


def address_works(desk: Desk, connection: Connection, address: str) -> None:
    """Note that a letter came from an address: if mail to it failed, it is tried again."""
    row = players.address(connection, address)
    if row is not None and row.state == "failing":
        players.set_address(connection, address, "ok")
        timing.settle_reach(desk, connection, row.player_id)
