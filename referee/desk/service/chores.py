"""Chores of the daemon: digests, lapsed questions, forgotten strangers, old bytes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from referee.desk.archive import prune
from referee.desk.desk import Change, Desk, carried_through
from referee.desk.letters import strangers
from referee.desk.letters.commands import votes
from referee.desk.mails import delivery, digest
from referee.desk.matches import broken
from referee.desk.matches.time import outages
from referee.store.people import players

Chore: TypeAlias = Callable[[Change], object]


def do_chores(desk: Desk, seconds: float = math.inf) -> int:
    """Do the chores that are due, a transaction each, for ``seconds``; return how many are due.

    One that fails holds up no other; its fault is raised when all have had their turn.
    """

    def do(chore: Chore) -> None:
        with desk.writing() as change:
            chore(change)

    until = time.monotonic() + seconds
    failed: Exception | None = None
    with desk.reading() as change:
        chores = due_chores(change)
    for chore in chores:
        try:
            carried_through(partial(do, chore))
        except Exception as fault:
            if broken.is_machine_fault(fault):
                raise
            failed = failed or fault
        if time.monotonic() >= until:
            break
    if failed is not None:
        raise failed
    return len(chores)


def due_chores(change: Change) -> list[Chore]:
    """Return the chores that are due now.

    After a jump of the clock only digests are: what has been let go, or has lapsed, by a wrong day
    comes back with no right one.
    """
    chores: list[Chore] = []
    now, jumped = change.desk.now(), outages.lasting_outage(change.connection) is not None
    if not jumped and votes.has_lapsing_question(change):
        chores.append(votes.lapse_questions)
    if not jumped and strangers.is_forgetting_due(change):
        chores.append(_once_a_day)
    if not jumped and prune.is_room_due(change):
        chores.append(prune.make_room)
    due = players.players_with_digest_due(change.connection, now)
    chores += (partial(digest.write_due_digest, player_id=number) for number in due)
    return chores


def _once_a_day(change: Change) -> None:
    strangers.forget_strangers(change)
    delivery.probe_addresses(change)
