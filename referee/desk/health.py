"""What the daemon leaves in the store about itself, for ``status`` to show."""

from __future__ import annotations

import logging

from referee.desk.desk import Desk
from referee.desk.ledger import stamp
from referee.store import status

log = logging.getLogger(__name__)


def note_poll(desk: Desk) -> None:
    """Note that the mailbox was read just now, which ends any trouble with it."""
    with desk.store.writing() as connection:
        status.put(connection, "last_poll", stamp(desk.now()))
        status.remove(connection, "trouble")


def note_trouble(desk: Desk, place: str, text: str) -> None:
    """Note what keeps the daemon from working, and since when."""
    with desk.store.writing() as connection:
        status.put(connection, "trouble", f"{stamp(desk.now())} {place}: {text}")


def raise_alarm(desk: Desk, text: str) -> None:
    """Note what only the organiser can end; intake rests until he does."""
    log.critical("%s", text, extra={"action": "alarm"})
    with desk.store.writing() as connection:
        status.put(connection, "alarm", f"{stamp(desk.now())} {text}")


def end_alarm(desk: Desk) -> None:
    """Forget the alarm: the daemon was started again, which is what it asked for."""
    with desk.store.writing() as connection:
        status.remove(connection, "alarm")
