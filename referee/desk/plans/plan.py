"""Plans: made, kept, listed, withdrawn; and applied while the matches stand as they stood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import Connection

from referee.desk.desk import Change, Desk, stamp
from referee.desk.directory import require_match
from referee.desk.matches import ledger
from referee.desk.plans import board, match, player, seat
from referee.desk.plans.act import Act, Outcome, enact, shown_arguments
from referee.desk.work import Refused
from referee.errors import RefereeError
from referee.games.game import Document, Json
from referee.games.play import position_digest
from referee.render.words.moments import span_text
from referee.render.words.wording import Catalogue
from referee.resources import FALLBACK
from referee.store import plans
from referee.store.play import matches
from referee.store.states import PLAYABLE, PlanState
from referee.store.tables.base import Damaged
from referee.store.tables.play import MatchRow, PlanRow
from referee.value import asdict, replace

LASTS: Final = timedelta(days=7)
"""How long a plan can be applied."""

ANEW: Final = "make the plan anew"


ACTS: Final[Mapping[str, type[Act]]] = {
    act.name: act
    for act in (
        match.Pause, match.Resume, match.End, seat.HandOver, seat.SitIn,
        match.Extend, match.Remind, match.Resend, match.Note, match.SetRight,
        board.Undo, board.Redo, board.Fix, board.Acting, board.Looking,
        player.Away, player.Back, player.Zone, player.AddAddress, player.RemoveAddress,
        player.Merge, player.Drop,
    )
}  # fmt: skip
"""Every act by its name."""


class StalePlan(Refused):
    """A plan no longer fits its matches, or is too old."""


def read(name: str, document: Mapping[str, Any]) -> Act:
    """Return the act a name and document describe. Raises Refused."""
    if name not in ACTS:
        raise Refused(f"there is no act {name}: it was planned by another version of the referee")
    try:
        return msgspec.convert(document, ACTS[name])
    except msgspec.ValidationError as fault:
        raise Refused(f"{name} was planned by another version of the referee: {fault}") from None


def propose(desk: Desk, act: Act, why: str) -> Outcome:
    """Return an act's outcome and keep it as a plan.

    The act itself is rolled back. One that changes no match, and can be taken back, is done at
    once. Raises Refused if it is impossible.
    """
    with desk.writing() as change:
        # Locked before the savepoint, whose rollback gives its own locks back: the plan is bound to
        # what it shows.
        matches.lock_matches(change.connection, act.reach(change.connection))
        # Carried out for real and rolled back, so the plan cannot foresee anything wrongly.
        dry_run = change.connection.begin_nested()
        outcome = enact(change, act, why)
        if not outcome.matches and not act.final:
            dry_run.commit()
            return outcome
        dry_run.rollback()
        return keep_plan(change, act, outcome, "open")


def written_events(outcome: Outcome) -> Document:
    """Return the events an act wrote, by match: number, kind and seat of each."""
    return {
        changed.match: [[event.seq, event.kind, event.seat] for event in changed.events]
        for changed in outcome.matches
    }


def open_plan(connection: Connection, plan_id: int) -> PlanRow:
    """Return an open plan, locked until the transaction ends. Raises Refused."""
    plan = plans.lock_plan(connection, plan_id)
    if plan is None:
        raise Refused(f"there is no plan {plan_id}: see referee plan list")
    if plan.state == "open":
        return plan
    # Erasing a player empties the plans that name them.
    if not plan.document:
        raise Refused(f"plan {plan.id} was erased with a player it named; nothing was done now")
    when = "" if plan.ended_at is None else f" at {stamp(plan.ended_at)}"
    raise Refused(f"plan {plan.id} was {state_word(plan)}{when}; nothing was done now")


def state_word(plan: PlanRow) -> str:
    """Return the word for what became of a plan that is not open."""
    return "applied" if plan.state == "applied" else "withdrawn"


def withdraw(desk: Desk, plan_id: int) -> None:
    """Withdraw a plan. Raises Refused if it is not open."""
    with desk.store.writing() as connection:
        plan = open_plan(connection, plan_id)
        plans.end_plan(connection, plan.id, "dropped", desk.now())


def listed_plans(change: Change) -> list[dict[str, Any]]:
    """Return the latest plans as documents, newest first, without erased and damaged ones.

    Each names every match it would change, and is open, stale, too old, applied or withdrawn.
    """
    listed = []
    for plan in plans.latest_plans(change.connection):
        document = plan.document
        if isinstance(document, Damaged) or not document:
            continue
        stands: dict[str, list[str]] = document["stands"]
        # Not locked: a block that only reads may not lock rows.
        known = (matches.find_match(change.connection, name) for name in stands)
        if plan.state != "open":
            state = state_word(plan)
        elif _is_old(change, plan):
            state = "too old"
        elif changed_matches(change.connection, stands, [row for row in known if row]):
            state = "stale"
        else:
            state = "open"
        listed.append(
            {
                "plan": plan.id,
                "match": ", ".join(stands),
                **{name: document[name] for name in ("act", "by", "why")},
                "state": state,
                "created": plan.created,
            }
        )
    return listed


def changed_matches(
    connection: Connection, stands: Mapping[str, list[str]], rows: Sequence[MatchRow]
) -> set[str]:
    """Return the matches that have changed since a plan."""
    now = {row.name: state_of(connection, row) for row in rows}
    return {name for name, stood in stands.items() if now.get(name) != stood}


def state_of(connection: Connection, row: MatchRow) -> list[Json]:
    """Return the state that a plan is bound to: matches in the same one hold the same."""
    # The head binds every event before it, so equal heads mean equal matches.
    stand: list[Json] = [row.head, row.state]
    if row.header is None:
        # No log yet: what can change is who is to play, and has agreed.
        stand += [
            f"{seat.seat} {seat.holder} {seat.player_id or seat.bot} {seat.agreed}"
            for seat in matches.seats(connection, row.id)
        ]
    return stand


def keep_plan(change: Change, act: Act, outcome: Outcome, state: PlanState) -> Outcome:
    """Keep a plan, bound to how each match stands."""
    rows = matches.lock_matches(change.connection, outcome.names)
    document: Document = {
        "act": act.name,
        "arguments": asdict(act),
        "by": outcome.by,
        "why": outcome.why,
        "stands": {row.name: state_of(change.connection, row) for row in rows},
    }
    if state == "applied":
        document["wrote"] = written_events(outcome)
    number = plans.add_plan(
        change.connection,
        rows[0].id if len(rows) == 1 else None,
        document,
        change.desk.now(),
        state=state,
    )
    return replace(outcome, id=number, state=state)


def apply_act(desk: Desk, act: Act, why: str) -> Outcome:
    """Apply an act at once; return its outcome. Raises Refused."""
    with desk.writing() as change:
        outcome = enact(change, act, why)
        # Kept for the list of plans, like one that was applied later.
        return keep_plan(change, act, outcome, "applied") if outcome.names else outcome


def look_at_all(desk: Desk, name: str, why: str) -> Document:
    """Return a match's position, hidden parts too, in the form ``match fix`` takes back.

    Players who still play are told. Raises RefereeError.
    """
    with desk.store.reading() as connection:
        row = require_match(connection, name)
    if row.header is None:
        raise RefereeError(f"{name} has not begun: there is no position yet")
    if row.state in PLAYABLE:
        apply_act(desk, board.Looking(name), why)
    with desk.reading() as change:
        live = ledger.load_match(change, matches.get_match(change.connection, row.id)).live
    return {
        "match": name,
        "turn": live.turn.number,
        "made_from": position_digest(live.game, live.position),
        "position": live.game.dump(live.position),
    }


def apply_plan(desk: Desk, plan_id: int) -> Outcome:
    """Apply a plan and return its outcome. Raises Refused if it can be applied no more."""
    with desk.writing() as change:
        plan = open_plan(change.connection, plan_id)
        outcome = _carry_out(change, plan)
        document = {**plan.document, "wrote": written_events(outcome)}
        plans.end_plan(change.connection, plan.id, "applied", desk.now(), document)
    return replace(outcome, id=plan.id, state="applied")


def preview_plan(desk: Desk, plan_id: int) -> Outcome:
    """Return once more an open plan's outcome. Raises Refused.

    Of one that can no longer be applied only the act is left to tell; of one that was applied or
    withdrawn also when, and the events it wrote.
    """
    with desk.writing() as change:
        plan = plans.find_plan(change.connection, plan_id)
        if plan is not None and plan.state != "open" and plan.document:
            state = state_word(plan)
            lines: list[str] = []
            if plan.ended_at is not None:
                lines.append(f"{state} {stamp(plan.ended_at)}; nothing is done now")
            for match, events in plan.document.get("wrote", {}).items():
                kinds = ", ".join(
                    " ".join(str(part) for part in event if part is not None) for event in events
                )
                lines.append(f"events written in {match}: {kinds or 'none'}")
            return _told(plan, state, *lines)
        plan = open_plan(change.connection, plan_id)
        dry_run = change.connection.begin_nested()
        try:
            outcome = _carry_out(change, plan)
        except StalePlan as fault:
            dry_run.rollback()
            state = "too old" if _is_old(change, plan) else "stale"
            return _told(plan, state, f"It can no longer be applied: {fault}.")
        dry_run.rollback()
    return replace(outcome, id=plan.id, state="open", created=stamp(plan.created))


def _told(plan: PlanRow, state: str, *lines: str) -> Outcome:
    """Return a plan as an outcome that changes no match: its act, its arguments and lines."""
    document = plan.document
    arguments = shown_arguments(document["arguments"])
    told = dict(arguments)
    if isinstance(seconds := told.pop("seconds", None), int):
        told["time"] = span_text(timedelta(seconds=seconds), Catalogue(FALLBACK))
    asked = [f"{name}: {value}" for name, value in told.items() if value is not None]
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


def _carry_out(change: Change, plan: PlanRow) -> Outcome:
    """Carry out a plan in the open transaction. Raises StalePlan if its matches have moved on."""
    if _is_old(change, plan):
        raise StalePlan(f"plan {plan.id} is too old, it was good for {LASTS.days} days: {ANEW}")
    document = plan.document
    stands: dict[str, list[str]] = document["stands"]
    moved = f"has moved on since plan {plan.id} was made; nothing was done: {ANEW}"
    rows = matches.lock_matches(change.connection, stands)
    if changed := changed_matches(change.connection, stands, rows):
        raise StalePlan(f"{min(changed)} {moved}")
    act = read(document["act"], document["arguments"])
    outcome = enact(change, act, document["why"], document["by"])
    # It would change other matches than it showed, so it is not the plan that was decided on.
    if others := {*outcome.names} ^ {*stands}:
        raise StalePlan(f"{min(others)} {moved}")
    return outcome


def _is_old(change: Change, plan: PlanRow) -> bool:
    return change.desk.now() - plan.created > LASTS
