"""Chores of the daemon: digests, lapsed questions, forgotten strangers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from referee.desk.desk import Change, Desk
from referee.desk.letters import confirm, strangers
from referee.desk.mails import delivery, digest
from referee.desk.seats import luck

Chore: TypeAlias = Callable[[Change], object]


def work(desk: Desk) -> int:
    """Do the chores that are due, a transaction each; count them."""
    with desk.reading() as change:
        chores = due(change)
    for each in chores:
        with desk.writing() as change:
            each(change)
    return len(chores)


def due(change: Change) -> list[Chore]:
    """Return the chores that are due now."""
    found: list[Chore] = [partial(digest.write, player_id=each) for each in digest.due(change)]
    if confirm.due(change):
        found.append(confirm.lapse)
    if strangers.forgets(change):
        found.append(_once_a_day)
    if luck.due(change):
        found.append(luck.lapse)
    return found


def _once_a_day(change: Change) -> None:
    strangers.forget(change)
    delivery.probe(change)
