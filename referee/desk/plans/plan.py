"""Plan, then apply: what an act would do is shown, and done only while the matches stand so."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, overload

from sqlalchemy import Connection

from referee.desk.archive import files as archive_files
from referee.desk.change import ORGANISER, Refused
from referee.desk.desk import Desk
from referee.desk.plans.act import Act, Wide, enact, read, sweep
from referee.desk.plans.outcome import Proposal, Sweep
from referee.games.game import Document
from referee.games.play import canonical_json
from referee.store import plans
from referee.store.plans import PlanRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.states import PlanState

LASTS: Final = timedelta(days=7)
"""How long after it was made a plan may be applied."""

ANEW: Final = "make the plan anew"


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan as it is listed; ``state`` is open, stale, too old, applied or withdrawn.

    ``match`` names every match it would change.
    """

    id: int
    match: str
    act: str
    by: str
    why: str
    state: str
    created: datetime


@overload
def propose(desk: Desk, act: Act, why: str, by: str = ORGANISER) -> Proposal: ...


@overload
def propose(desk: Desk, act: Wide, why: str, by: str = ORGANISER) -> Sweep: ...


def propose(desk: Desk, act: Act | Wide, why: str, by: str = ORGANISER) -> Proposal | Sweep:
    """Return what an act would do and keep it as a plan; nothing of it is done.

    A wide act that changes no match, and could be taken back, is done at once. Raises Refused when
    it cannot be done.
    """
    with desk.store.writing() as connection:
        dry_run = connection.begin_nested()
        found = _enacted(desk, connection, act, why, by, {})
        if isinstance(act, Wide) and not act.final and not found.names:
            dry_run.commit()
            return found
        dry_run.rollback()
        return _kept(desk, connection, found, "open")


@overload
def carry_out(desk: Desk, act: Act, why: str, by: str = ORGANISER) -> Proposal: ...


@overload
def carry_out(desk: Desk, act: Wide, why: str, by: str = ORGANISER) -> Sweep: ...


def carry_out(desk: Desk, act: Act | Wide, why: str, by: str = ORGANISER) -> Proposal | Sweep:
    """Do an act at once and return what it did. Raises Refused."""
    with _for_good(desk) as (connection, files):
        found = _enacted(desk, connection, act, why, by, files)
        return _kept(desk, connection, found, "applied") if found.names else found


def apply(desk: Desk, plan_id: int) -> Proposal | Sweep:
    """Carry out a plan and return what it did.

    Raises Refused when a match has moved on since, or the plan was carried out or withdrawn
    already, or is too old.
    """
    with _for_good(desk) as (connection, files):
        plan, found = _again(desk, connection, plan_id, files)
        plans.end_plan(connection, plan.id, "applied", desk.now())
    return replace(found, id=plan.id, state="applied")


def preview(desk: Desk, plan_id: int) -> Proposal | Sweep:
    """Return once more what an open plan would do; nothing of it is done. Raises Refused."""
    with desk.store.writing() as connection:
        dry_run = connection.begin_nested()
        plan, found = _again(desk, connection, plan_id, {})
        dry_run.rollback()
    return replace(found, id=plan.id, state="open")


def _again(
    desk: Desk, connection: Connection, plan_id: int, files: dict[Path, bytes]
) -> tuple[PlanRow, Proposal | Sweep]:
    """Do what a plan says in the open transaction, if every match still stands as it did."""
    plan = _plan(plans.lock_plan(connection, plan_id), plan_id)
    document = json.loads(plan.document)
    if not document:
        raise Refused(_ended(plan))
    stands: dict[str, list[str]] = document["stands"]
    rows = matches.lock(connection, stands)
    if why_not := _refusal(desk, plan, stands, rows):
        raise Refused(why_not)
    act = read(document["act"], document["arguments"])
    found = _enacted(desk, connection, act, document["why"], document["by"], files)
    if strange := {*found.names} ^ {*stands}:
        raise Refused(_moved_on(plan, min(strange)))
    return plan, found


def _enacted(
    desk: Desk,
    connection: Connection,
    act: Act | Wide,
    why: str,
    by: str,
    files: dict[Path, bytes],
) -> Proposal | Sweep:
    if isinstance(act, Wide):
        return sweep(desk, connection, act, why, by)
    return enact(desk, connection, act, why, by, files)


@contextmanager
def _for_good(desk: Desk) -> Iterator[tuple[Connection, dict[Path, bytes]]]:
    """Open a transaction; with it stand or fall the files that an act wants written."""
    wanted: dict[Path, bytes] = {}
    there: list[Path] = []
    try:
        with desk.store.writing() as connection:
            yield connection, wanted
            for path, data in wanted.items():
                archive_files.write(path, data, secret=True, anew=True)
                there.append(path)
    except BaseException:
        for path in there:
            path.unlink(missing_ok=True)
        raise


def withdraw(desk: Desk, plan_id: int) -> None:
    """Drop a plan, so that nobody applies it. Raises Refused when it is not open."""
    with desk.store.writing() as connection:
        plan = _plan(plans.lock_plan(connection, plan_id), plan_id)
        if plan.state != "open":
            raise Refused(_ended(plan))
        plans.end_plan(connection, plan.id, "dropped", desk.now())


def listing(desk: Desk, connection: Connection, limit: int = 100) -> list[Planned]:
    """Return the latest plans, newest first; those that were erased are left out."""
    listed = plans.list_plans(connection, limit=limit)
    return [_planned(desk, connection, each) for each in listed if json.loads(each.document)]


def _planned(desk: Desk, connection: Connection, plan: PlanRow) -> Planned:
    document = json.loads(plan.document)
    stands: dict[str, list[str]] = document["stands"]
    # Who only looks locks nothing: a database that is read from would refuse it.
    rows = [row for row in (matches.get(connection, each) for each in stands) if row]
    return Planned(
        id=plan.id,
        match=", ".join(stands),
        act=document["act"],
        by=document["by"],
        why=document["why"],
        state=_state(desk, plan, stands, rows),
        created=plan.created,
    )


def _state(
    desk: Desk, plan: PlanRow, stands: Mapping[str, list[str]], rows: Sequence[MatchRow]
) -> str:
    if plan.state != "open":
        return "applied" if plan.state == "applied" else "withdrawn"
    if desk.now() - plan.created > LASTS:
        return "too old"
    return "stale" if _changed(stands, rows) else "open"


def _changed(stands: Mapping[str, list[str]], rows: Sequence[MatchRow]) -> str | None:
    """Return a match that stands otherwise than when a plan was made; None if none does."""
    now = {row.name: [row.head, row.state] for row in rows}
    return next((name for name, stood in stands.items() if now.get(name) != stood), None)


def _refusal(
    desk: Desk, plan: PlanRow, stands: Mapping[str, list[str]], rows: Sequence[MatchRow]
) -> str | None:
    if plan.state != "open":
        return _ended(plan)
    if desk.now() - plan.created > LASTS:
        return f"plan {plan.id} is too old, it was good for {LASTS.days} days: {ANEW}"
    changed = _changed(stands, rows)
    return None if changed is None else _moved_on(plan, changed)


def _moved_on(plan: PlanRow, name: str) -> str:
    return f"{name} has moved on since plan {plan.id} was made; nothing was done: {ANEW}"


def _ended(plan: PlanRow) -> str:
    if not json.loads(plan.document):
        return f"plan {plan.id} was erased with a player it named; nothing was done: make it anew"
    how = "applied" if plan.state == "applied" else "withdrawn"
    when = "" if plan.ended_at is None else f" at {plan.ended_at:%Y-%m-%dT%H:%M:%SZ}"
    return f"plan {plan.id} was {how}{when}; nothing was done now"


def _plan(found: PlanRow | None, plan_id: int) -> PlanRow:
    if found is None:
        raise Refused(f"there is no plan {plan_id}: see referee apply --list")
    return found


def _kept(
    desk: Desk, connection: Connection, found: Proposal | Sweep, state: PlanState
) -> Proposal | Sweep:
    """Keep a plan of what was found, bound to how each match stands."""
    rows = matches.lock(connection, found.names)
    document: Document = {
        "act": found.act,
        "arguments": found.arguments,
        "by": found.by,
        "why": found.why,
        "stands": {row.name: [row.head, row.state] for row in rows},
    }
    number = plans.add_plan(
        connection,
        rows[0].id if len(rows) == 1 else None,
        canonical_json(document),
        desk.now(),
        state=state,
    )
    return replace(found, id=number, state=state)
