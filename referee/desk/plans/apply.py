"""Plans applied: carried out for good while the matches stand as they stood."""

from __future__ import annotations

from referee.desk.desk import Change, Desk, stamp
from referee.desk.plans.act import Act, enact
from referee.desk.plans.outcome import Outcome, shown_arguments
from referee.desk.plans.plan import (
    ANEW,
    LASTS,
    changed_matches,
    keep_plan,
    open_plan,
    read,
    state_word,
    written_events,
)
from referee.desk.work import Refused
from referee.store import plans
from referee.store.play import matches
from referee.store.tables.play import PlanRow
from referee.value import replace


class StalePlan(Refused):
    """A plan no longer fits its matches, or is too old."""

    def __init__(self, plan: PlanRow, said: str) -> None:
        super().__init__(said)
        self.plan = plan


def apply_act(desk: Desk, act: Act, why: str) -> Outcome:
    """Apply an act at once; return its outcome. Raises Refused."""
    with desk.writing() as change:
        outcome = enact(change, act, why)
        # Kept for the list of plans, like one that was applied later.
        return keep_plan(change, act, outcome, "applied") if outcome.names else outcome


def apply_plan(desk: Desk, plan_id: int) -> Outcome:
    """Apply a plan and return its outcome.

    Raises Refused if a match has moved on since, or the plan is too old, applied or withdrawn.
    """
    with desk.writing() as change:
        plan, outcome = _carry_out(change, plan_id)
        document = {**plan.document, "wrote": written_events(outcome)}
        plans.end_plan(change.connection, plan.id, "applied", desk.now(), document)
    return replace(outcome, id=plan.id, state="applied")


def preview_plan(desk: Desk, plan_id: int) -> Outcome:
    """Return once more an open plan's outcome. Raises Refused.

    Of one that can no longer be applied only the act is left to tell; of one that was applied or
    withdrawn also when, and the events it wrote.
    """
    with desk.writing() as change:
        ended = plans.find_plan(change.connection, plan_id)
        if ended is not None and ended.state != "open" and (document := ended.document):
            state = state_word(ended)
            lines: list[str] = []
            if ended.ended_at is not None:
                lines.append(f"{state} {stamp(ended.ended_at)}; nothing is done now")
            for match, events in document.get("wrote", {}).items():
                kinds = ", ".join(
                    " ".join(str(part) for part in event if part is not None) for event in events
                )
                lines.append(f"events written in {match}: {kinds or 'none'}")
            return _told(ended, state, *lines)
        dry_run = change.connection.begin_nested()
        try:
            plan, outcome = _carry_out(change, plan_id)
        except StalePlan as fault:
            dry_run.rollback()
            return _told(fault.plan, "stale", f"It can no longer be applied: {fault}.")
        dry_run.rollback()
    return replace(outcome, id=plan.id, state="open", created=stamp(plan.created))


def _told(plan: PlanRow, state: str, *lines: str) -> Outcome:
    """Return a plan as an outcome that changes no match: its act, its arguments and lines."""
    document = plan.document
    arguments = shown_arguments(document["arguments"])
    asked = [f"{name}: {value}" for name, value in arguments.items() if value is not None]
    return Outcome(
        id=plan.id,
        state=state,
        act=document["act"],
        arguments=arguments,
        by=document["by"],
        why=document["why"],
        lines=(*asked, *lines),
        matches=(),
        single=False,
        created=stamp(plan.created),
    )


def _carry_out(change: Change, plan_id: int) -> tuple[PlanRow, Outcome]:
    """Carry out a plan in the open transaction. Raises StalePlan if its matches have moved on."""
    plan = open_plan(change.connection, plan_id)
    if change.desk.now() - plan.created > LASTS:
        raise StalePlan(
            plan, f"plan {plan.id} is too old, it was good for {LASTS.days} days: {ANEW}"
        )
    document = plan.document
    stands: dict[str, list[str]] = document["stands"]
    rows = matches.lock_matches(change.connection, stands)
    if moved := changed_matches(change.connection, stands, rows):
        raise _moved_on(plan, moved)
    act = read(document["act"], document["arguments"])
    outcome = enact(change, act, document["why"], document["by"])
    # It would change other matches than it showed, so it is not the plan that was decided on.
    if others := {*outcome.names} ^ {*stands}:
        raise _moved_on(plan, others)
    return plan, outcome


def _moved_on(plan: PlanRow, names: set[str]) -> StalePlan:
    moved = f"{min(names)} has moved on since plan {plan.id} was made"
    return StalePlan(plan, f"{moved}; nothing was done: {ANEW}")
