"""Plans of organisers: open, applied or dropped."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Executable, select, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.states import PlanState
from referee.store.tables.play import PlanRow

LATEST: Final = 100
"""Plans that are listed."""

_p: Final = t.plans.c
_plans: Final = select(*query.row_columns(PlanRow, t.plans))


def add_plan(
    connection: Connection,
    match_id: int | None,
    document: Mapping[str, Any],
    now: datetime,
    *,
    state: PlanState = "open",
) -> int:
    """Keep a plan of one match, or of several (None); return its id.

    A plan that is not open has ended now.
    """
    # An act carried out with --yes is kept too, so that the list of plans names everything done.
    ended = None if state == "open" else now
    plan = {"match_id": match_id, "document": document, "state": state}
    return query.add_row(connection, t.plans, **plan, created=now, ended_at=ended)


@query.first(PlanRow)
def find_plan(plan_id: int) -> Executable:
    """Return a plan."""
    return _plans.where(_p.id == plan_id)


@query.first(PlanRow)
def lock_plan(plan_id: int) -> Executable:
    """Return a plan, locked until the block ends."""
    # Two commands that apply the same plan must not both find it open.
    return _plans.where(_p.id == plan_id).with_for_update()


def end_plan(
    connection: Connection,
    plan_id: int,
    state: PlanState,
    now: datetime,
    document: Mapping[str, Any] | None = None,
) -> None:
    """Record that a plan was applied or dropped; ``document`` takes the place of its own."""
    ended: dict[str, object] = {"state": state, "ended_at": now}
    if document is not None:
        ended["document"] = document
    connection.execute(update(t.plans).where(_p.id == plan_id), ended)


@query.every(PlanRow)
def applied_to(match_id: int) -> Executable:
    """Return the plans applied to a match, newest first."""
    return _plans.where(_p.match_id == match_id, _p.state == "applied").order_by(_p.id.desc())


@query.every(PlanRow)
def latest_plans() -> Executable:
    """Return the latest plans, newest first."""
    return _plans.order_by(_p.id.desc()).limit(LATEST)
