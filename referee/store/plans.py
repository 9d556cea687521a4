"""Plans of organisers: open, applied or dropped."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, insert, select, update

from referee.store import tables as t
from referee.store.database.rows import all_rows, first_row, row_columns
from referee.store.states import PlanState
from referee.value import Value


class PlanRow(Value):
    """A plan; ``document`` is JSON."""

    id: int
    match_id: int | None
    document: str
    state: PlanState
    created: datetime
    ended_at: datetime | None


_plans: Final = select(*row_columns(PlanRow, t.plans))
_ONE: Final = _plans.where(t.plans.c.id == bindparam("which"))
# Two commands that apply the same plan must not both find it open.
_LOCK: Final = _ONE.with_for_update()
_LATEST: Final = _plans.order_by(t.plans.c.id.desc()).limit(bindparam("most"))
_ADD: Final = insert(t.plans).returning(t.plans.c.id)
_END: Final = update(t.plans).where(t.plans.c.id == bindparam("which"))


def add_plan(
    connection: Connection,
    match_id: int | None,
    document: str,
    now: datetime,
    *,
    state: PlanState = "open",
) -> int:
    """Keep a plan of one match, or of several (None); return its id.

    A plan that is not open has ended now.
    """
    # An act carried out with --yes is kept too, so that the list of plans names everything done.
    ended = None if state == "open" else now
    row = {"match_id": match_id, "document": document, "state": state}
    found: int = connection.execute(_ADD, {**row, "created": now, "ended_at": ended}).scalar_one()
    return found


def find_plan(connection: Connection, plan_id: int) -> PlanRow | None:
    """Return a plan."""
    return first_row(PlanRow, connection.execute(_ONE, {"which": plan_id}))


def lock_plan(connection: Connection, plan_id: int) -> PlanRow | None:
    """Return a plan, locked until the block ends."""
    return first_row(PlanRow, connection.execute(_LOCK, {"which": plan_id}))


def end_plan(
    connection: Connection,
    plan_id: int,
    state: PlanState,
    now: datetime,
    document: str | None = None,
) -> None:
    """Record that a plan was applied or dropped; ``document`` takes the place of its own."""
    row = {"which": plan_id, "state": state, "ended_at": now}
    connection.execute(_END, row if document is None else {**row, "document": document})


def latest_plans(connection: Connection, limit: int = 100) -> tuple[PlanRow, ...]:
    """Return the latest plans, newest first."""
    return all_rows(PlanRow, connection.execute(_LATEST, {"most": limit}))
