"""Whom mail reaches: addresses that fail and work again, and the clocks that stand still for it."""

from __future__ import annotations

import json
import logging
from datetime import datetime, timedelta

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.games.play import canonical_json
from referee.mail import bounces
from referee.mail.reading import Letter
from referee.store import matches as tables
from referee.store import outbox, players
from referee.store.matches import MatchRow

log = logging.getLogger(__name__)


def bounced(desk: Desk, connection: Connection, letter: Letter, raw: bytes) -> str | None:
    """Note a mail of ours that came back; return what the letter was, None if it is no bounce.

    Only a bounce to the mail's own envelope sender counts, and only one that is for good.
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
        recipient = outbox.get(connection, mail_id).recipient
    except KeyError:
        return None
    address_fails(desk, connection, recipient, bounce.reason)
    return f"mail {mail_id} came back: {bounce.reason}"


def address_fails(desk: Desk, connection: Connection, address: str, reason: str) -> None:
    """Note that mail to an address comes back, and why; that of no player is nobody's matter."""
    row = players.address(connection, address)
    if row is None or row.state == "unconfirmed":
        return
    players.set_address(connection, address, "failing", reason)
    log.warning("mail to player %d comes back", row.player_id, extra={"action": "bounce"})
    _settle_all(desk, connection, row.player_id)


def address_works(desk: Desk, connection: Connection, address: str) -> None:
    """Note that a letter came from an address: if mail to it failed, it is tried again."""
    row = players.address(connection, address)
    if row is not None and row.state == "failing":
        players.set_address(connection, address, "ok")
        _settle_all(desk, connection, row.player_id)


def _settle_all(desk: Desk, connection: Connection, player_id: int) -> None:
    for seat in tables.seats_of_player(connection, player_id):
        settle_clock(connection, tables.by_id(connection, seat.match_id), desk.now())


def settle_clock(connection: Connection, row: MatchRow, now: datetime) -> None:
    """Let the clock of the seat to act stand still while mail does not reach its player.

    ``stopped`` in the match's clock then holds the turn, and the seconds that were left of it;
    the turn is not due. When mail reaches him again, they are what he has from then on.
    """
    if row.time_per_turn is None:
        return
    clock = json.loads(row.clock)
    stopped = clock.pop("stopped", None)
    stands = stopped is not None and stopped["turn"] == row.turn
    due = row.due
    if _out_of_reach(connection, row):
        if not stands:
            stopped = due and {"turn": row.turn, "left": int((due - now).total_seconds())}
        clock |= {"stopped": stopped} if stopped else {}
        due = None
    elif stands:
        due = now + timedelta(seconds=max(stopped["left"], 0))
    text = canonical_json(clock)
    if (text, due) != (row.clock, row.due):
        tables.set_clock(connection, row.id, due=due, time_per_turn=row.time_per_turn, clock=text)


def _out_of_reach(connection: Connection, row: MatchRow) -> bool:
    """Whether the seat to act is a player's none of whose addresses works."""
    if row.state != "running" or row.to_act is None:
        return False
    seat = tables.seat(connection, row.id, row.to_act)
    if seat is None or seat.player_id is None:
        return False
    known = players.addresses_of(connection, seat.player_id)
    return not any(each.state == "ok" for each in known)
