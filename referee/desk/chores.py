"""What the daemon does for players from time to time: digests, questions that nobody answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from sqlalchemy import Connection

from referee.desk import asking, consenting, digests, reach, revealing, setting, strangers
from referee.desk.desk import Desk
from referee.store import requests

Chore: TypeAlias = Callable[[Desk, Connection], object]


def work(desk: Desk) -> int:
    """Do what is due, a transaction each; return how much that was."""
    with desk.store.reading() as connection:
        chores = due(desk, connection)
    for each in chores:
        with desk.store.writing() as connection:
            each(desk, connection)
    return len(chores)


def due(desk: Desk, connection: Connection) -> list[Chore]:
    """Return what is to be done now."""
    found: list[Chore] = [
        partial(digests.write, player_id=each) for each in digests.due(desk, connection)
    ]
    settled = requests.any_settled(connection, desk.now() - asking.KEPT)
    if settled or setting.lapsed(desk, connection):
        found.append(setting.forget_expired)
    if strangers.forgets(desk, connection):
        found.append(_once_a_day)
    if consenting.due(desk, connection):
        found.append(consenting.lapse)
    if revealing.due(desk, connection):
        found.append(revealing.lapse)
    return found


def _once_a_day(desk: Desk, connection: Connection) -> None:
    strangers.forget(desk, connection)
    reach.probe(desk, connection)
