"""Chores of the daemon: digests, lapsed questions, forgotten strangers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.letters import confirm, strangers
from referee.desk.letters.commands import undo
from referee.desk.mails import delivery, digest
from referee.desk.seats import luck
from referee.store.people import requests

Chore: TypeAlias = Callable[[Desk, Connection], object]


def work(desk: Desk) -> int:
    """Do the chores that are due, a transaction each; count them."""
    with desk.store.reading() as connection:
        chores = due(desk, connection)
    for each in chores:
        with desk.store.writing() as connection:
            each(desk, connection)
    return len(chores)


def due(desk: Desk, connection: Connection) -> list[Chore]:
    """Return the chores that are due now."""
    found: list[Chore] = [
        partial(digest.write, player_id=each) for each in digest.due(desk, connection)
    ]
    # Asked here in one statement, since this runs at every turn of the daemon.
    settled = requests.any_settled(connection, desk.now() - confirm.KEPT)
    if settled or confirm.lapsed(desk, connection):
        found.append(confirm.forget_expired)
    if strangers.forgets(desk, connection):
        found.append(_once_a_day)
    if undo.due(desk, connection):
        found.append(undo.lapse)
    if luck.due(desk, connection):
        found.append(luck.lapse)
    return found


def _once_a_day(desk: Desk, connection: Connection) -> None:
    strangers.forget(desk, connection)
    delivery.probe(desk, connection)
