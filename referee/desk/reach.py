"""Whom mail reaches: addresses that fail and work again, and the clocks that stand still for it."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import timing
from referee.desk.desk import Desk
from referee.mail import bounces
from referee.mail.reading import Letter
from referee.store import outbox, players

log = logging.getLogger(__name__)


CLOCKS_APART: Final = timedelta(minutes=10)
"""A bounce that arrived so long before its mail was written is not of that mail."""


def bounced(
    desk: Desk, connection: Connection, letter: Letter, raw: bytes, arrived: datetime
) -> str | None:
    """Note a mail of ours that came back; return what the letter was, None if it is no bounce.

    Only a bounce to the mail's own envelope sender counts, and only one that is for good. One that
    is read again after a restore may name a mail whose number another one has by now.
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
    address_fails(desk, connection, mail.recipient, bounce.reason)
    return f"mail {mail_id} came back: {bounce.reason}"


def address_fails(desk: Desk, connection: Connection, address: str, reason: str) -> None:
    """Note that mail to an address comes back, and why; that of no player is nobody's matter."""
    row = players.address(connection, address)
    if row is None or row.state == "unconfirmed":
        return
    players.set_address(connection, address, "failing", reason)
    log.warning("mail to player %d comes back", row.player_id, extra={"action": "bounce"})
    timing.settle_reach(desk, connection, row.player_id)


def address_works(desk: Desk, connection: Connection, address: str) -> None:
    """Note that a letter came from an address: if mail to it failed, it is tried again."""
    row = players.address(connection, address)
    if row is not None and row.state == "failing":
        players.set_address(connection, address, "ok")
        timing.settle_reach(desk, connection, row.player_id)
