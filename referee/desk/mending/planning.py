"""Plan, then apply: what an act would do is shown, and done only while the match stands so."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Desk
from referee.desk.mending.act import ORGANISER, Act, Refused, Work, read
from referee.desk.mending.proposal import Proposal, mailed, mails_of, reported, stand, written
from referee.desk.naming import no_match
from referee.games.game import Document
from referee.games.play import canonical_json
from referee.store import matches as tables
from referee.store import outbox, plans
from referee.store.matches import MatchRow
from referee.store.plans import PlanRow

LASTS: Final = timedelta(days=7)
"""How long after it was made a plan may be applied."""

LONGEST_WHY: Final = 1000
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan as it is listed; ``state`` is open, stale, too old, applied or withdrawn."""

    id: int
    match: str
    act: str
    by: str
    why: str
    state: str
    created: datetime


def propose(desk: Desk, act: Act, why: str, by: str = ORGANISER) -> Proposal:
    """Return what an act would do and keep it as a plan; nothing of it is done.

    Raises Refused when it cannot be done.
    """
    with desk.store.writing() as connection:
        row = _match(connection, act.match)
        dry_run = connection.begin_nested()
        found = enact(desk, connection, act, why, by)
        dry_run.rollback()
        return _kept(desk, connection, row, found, "open")


def carry_out(desk: Desk, act: Act, why: str, by: str = ORGANISER) -> Proposal:
    """Do an act at once and return what it did. Raises Refused."""
    with desk.store.writing() as connection:
        row = _match(connection, act.match)
        return _kept(desk, connection, row, enact(desk, connection, act, why, by), "applied")


def enact(desk: Desk, connection: Connection, act: Act, why: str, by: str = ORGANISER) -> Proposal:
    """Do an act in the open transaction and return what it did, as no plan. Raises Refused."""
    row = _match(connection, act.match)
    before = stand(desk, connection, row)
    last = outbox.last_id(connection)
    work = Work(desk, connection, act.match, by, _reason(why))
    act.carry_out(work)
    tables.set_agenda(connection, row.id, desk.now())
    after = tables.by_id(connection, row.id)
    mails = mails_of(connection, after, last, work.mails)
    return Proposal(
        id=0,
        state="",
        match=act.match,
        act=act.name,
        arguments=act.document(),
        by=by,
        why=work.why,
        before=before,
        after=stand(desk, connection, after),
        events=written(desk, connection, after, row.seq),
        warnings=tuple(work.warnings),
        mails=mailed(connection, mails),
        reports=reported(connection, after, mails),
    )


def apply(desk: Desk, plan_id: int) -> Proposal:
    """Carry out a plan and return what it did.

    Raises Refused when the match has moved on since, or the plan was carried out or withdrawn
    already, or is too old.
    """
    with desk.store.writing() as connection:
        plan = _plan(plans.lock_plan(connection, plan_id), plan_id)
        document = json.loads(plan.document)
        if not document:
            raise Refused(_ended(plan))
        row = _match(connection, document["match"])
        if why_not := _refusal(desk, plan, row):
            raise Refused(why_not)
        act = read(document["act"], document["arguments"])
        found = enact(desk, connection, act, document["why"], document["by"])
        plans.end_plan(connection, plan.id, "applied", desk.now())
    return replace(found, id=plan.id, state="applied")


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
    # Who only looks locks nothing: a database that is read from would refuse it.
    row = tables.get(connection, document["match"])
    if row is None:
        raise Refused(no_match(connection, document["match"]))
    return Planned(
        id=plan.id,
        match=row.name,
        act=document["act"],
        by=document["by"],
        why=document["why"],
        state=_state(desk, plan, row),
        created=plan.created,
    )


def _state(desk: Desk, plan: PlanRow, row: MatchRow) -> str:
    if plan.state != "open":
        return "applied" if plan.state == "applied" else "withdrawn"
    if desk.now() - plan.created > LASTS:
        return "too old"
    return "open" if _stands(plan, row) else "stale"


def _stands(plan: PlanRow, row: MatchRow) -> bool:
    """Tell whether a match stands as it did when a plan was made."""
    document = json.loads(plan.document)
    return bool(document["head"] == row.head and document["state"] == row.state)


def _refusal(desk: Desk, plan: PlanRow, row: MatchRow) -> str | None:
    if plan.state != "open":
        return _ended(plan)
    again = "make the plan anew"
    if desk.now() - plan.created > LASTS:
        return f"plan {plan.id} is too old, it was good for {LASTS.days} days: {again}"
    if not _stands(plan, row):
        return f"{row.name} has moved on since plan {plan.id} was made; nothing was done: {again}"
    return None


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


def _match(connection: Connection, name: str) -> MatchRow:
    found = tables.lock(connection, [name])
    if not found:
        raise Refused(no_match(connection, name))
    return found[0]


def _reason(why: str) -> str:
    said = why.strip()
    if not said:
        raise Refused("--why is empty: say in a few words why, the players are told")
    if len(said) > LONGEST_WHY:
        raise Refused(f"--why is too long: at most {LONGEST_WHY} characters")
    return said


def _kept(
    desk: Desk, connection: Connection, row: MatchRow, found: Proposal, state: str
) -> Proposal:
    """Keep a plan of what was found, bound to how the match stood before."""
    document: Document = {
        "match": row.name,
        "act": found.act,
        "arguments": found.arguments,
        "by": found.by,
        "why": found.why,
        "head": row.head,
        "state": row.state,
    }
    text = canonical_json(document)
    number = plans.add_plan(connection, row.id, text, desk.now(), state=state)
    return replace(found, id=number, state=state)
