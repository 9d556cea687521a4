"""Plans: made, shown, kept, and applied while the matches stand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, overload

from referee.desk.archive import files as archive_files
from referee.desk.desk import Change, Desk
from referee.desk.plans.act import Act, Wide, enact, read, sweep
from referee.desk.plans.outcome import Proposal, Sweep
from referee.desk.work import ORGANISER, Refused
from referee.games.game import Document
from referee.games.play import canonical_json
from referee.store import plans
from referee.store.plans import PlanRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.states import PlanState

LASTS: Final = timedelta(days=7)
"""How long a plan can be applied."""

ANEW: Final = "make the plan anew"


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan as listed; open, stale, too old, applied or withdrawn.

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
    """Return an act's outcome and keep it as a plan.

    The act itself is rolled back. A wide act that changes no match, and can be taken back, is done
    at once. Raises Refused if it is impossible.
    """
    with desk.writing() as change:
        # Carried out for real and rolled back, so the plan cannot foresee anything wrongly.
        dry_run = change.connection.begin_nested()
        found = _enacted(change, act, why, by, {})
        if isinstance(act, Wide) and not act.final and not found.names:
            dry_run.commit()
            return found
        dry_run.rollback()
        return _kept(change, found, "open")


@overload
def carry_out(desk: Desk, act: Act, why: str, by: str = ORGANISER) -> Proposal: ...


@overload
def carry_out(desk: Desk, act: Wide, why: str, by: str = ORGANISER) -> Sweep: ...


def carry_out(desk: Desk, act: Act | Wide, why: str, by: str = ORGANISER) -> Proposal | Sweep:
    """Carry out an act at once; return its outcome. Raises Refused."""
    with _for_good(desk) as (change, files):
        found = _enacted(change, act, why, by, files)
        # Kept for the list of plans, like one that was applied later.
        return _kept(change, found, "applied") if found.names else found


def apply(desk: Desk, plan_id: int) -> Proposal | Sweep:
    """Carry out a plan and return its outcome.

    Raises Refused if a match has moved on since, or the plan is too old, applied or withdrawn.
    """
    with _for_good(desk) as (change, files):
        plan, found = _again(change, plan_id, files)
        plans.end_plan(change.connection, plan.id, "applied", desk.now())
    return replace(found, id=plan.id, state="applied")


def preview(desk: Desk, plan_id: int) -> Proposal | Sweep:
    """Return once more an open plan's outcome. Raises Refused."""
    with desk.writing() as change:
        dry_run = change.connection.begin_nested()
        plan, found = _again(change, plan_id, {})
        dry_run.rollback()
    return replace(found, id=plan.id, state="open")


def _again(
    change: Change, plan_id: int, files: dict[Path, bytes]
) -> tuple[PlanRow, Proposal | Sweep]:
    """Carry out a plan in the open transaction, if matches still stand."""
    plan = _plan(plans.lock_plan(change.connection, plan_id), plan_id)
    document = json.loads(plan.document)
    # Erasing a player empties the plans that name them.
    if not document:
        raise Refused(_ended(plan))
    stands: dict[str, list[str]] = document["stands"]
    rows = matches.lock(change.connection, stands)
    if why_not := _refusal(change.desk, plan, stands, rows):
        raise Refused(why_not)
    act = read(document["act"], document["arguments"])
    found = _enacted(change, act, document["why"], document["by"], files)
    # It would change other matches than it showed, so it is not the plan that was decided on.
    if strange := {*found.names} ^ {*stands}:
        raise Refused(_moved_on(plan, min(strange)))
    return plan, found


def _enacted(
    change: Change,
    act: Act | Wide,
    why: str,
    by: str,
    files: dict[Path, bytes],
) -> Proposal | Sweep:
    if isinstance(act, Wide):
        return sweep(change, act, why, by)
    return enact(change, act, why, by, files)


@contextmanager
def _for_good(desk: Desk) -> Iterator[tuple[Change, dict[Path, bytes]]]:
    """Open a transaction; the files an act writes stand or fall with it."""
    wanted: dict[Path, bytes] = {}
    there: list[Path] = []
    try:
        with desk.writing() as change:
            yield change, wanted
            # Before the commit: if a file cannot be written, nothing happened.
            for path, data in wanted.items():
                archive_files.write(path, data, secret=True, anew=True)
                there.append(path)
    except BaseException:
        # The commit failed, and a file without its act must not stay.
        for path in there:
            path.unlink(missing_ok=True)
        raise


def withdraw(desk: Desk, plan_id: int) -> None:
    """Withdraw a plan. Raises Refused if it is not open."""
    with desk.store.writing() as connection:
        plan = _plan(plans.lock_plan(connection, plan_id), plan_id)
        if plan.state != "open":
            raise Refused(_ended(plan))
        plans.end_plan(connection, plan.id, "dropped", desk.now())


def listing(change: Change, limit: int = 100) -> list[Planned]:
    """Return the latest plans, newest first, without erased ones."""
    listed = plans.list_plans(change.connection, limit=limit)
    return [_planned(change, each) for each in listed if json.loads(each.document)]


def _planned(change: Change, plan: PlanRow) -> Planned:
    document = json.loads(plan.document)
    stands: dict[str, list[str]] = document["stands"]
    # Who only looks locks nothing: a database that is read from would refuse it.
    rows = [row for row in (matches.get(change.connection, each) for each in stands) if row]
    return Planned(
        id=plan.id,
        match=", ".join(stands),
        act=document["act"],
        by=document["by"],
        why=document["why"],
        state=_state(change.desk, plan, stands, rows),
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
    """Return a match that has changed since a plan, if any."""
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
        raise Refused(f"there is no plan {plan_id}: see referee plan list")
    return found


def _kept(change: Change, found: Proposal | Sweep, state: PlanState) -> Proposal | Sweep:
    """Keep a plan, bound to how each match stands."""
    rows = matches.lock(change.connection, found.names)
    document: Document = {
        "act": found.act,
        "arguments": found.arguments,
        "by": found.by,
        "why": found.why,
        # The head binds every event before it, so equal heads mean equal matches.
        "stands": {row.name: [row.head, row.state] for row in rows},
    }
    number = plans.add_plan(
        change.connection,
        rows[0].id if len(rows) == 1 else None,
        canonical_json(document),
        change.desk.now(),
        state=state,
    )
    return replace(found, id=number, state=state)
