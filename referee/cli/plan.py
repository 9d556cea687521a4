"""``referee plan …`` and ``referee apply``, and how every plan is printed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from difflib import ndiff
from typing import Annotated

from referee.cli import options, output, session
from referee.cli.options import flag
from referee.desk.desk import opened_desk
from referee.desk.plans import plan as desk_plan
from referee.desk.plans.act import Act, MatchOutcome, Outcome, Stand


def list_plans() -> None:
    """List the latest plans.

    Example: referee plan list
    """
    with opened_desk(session.settings()) as desk, desk.reading() as change:
        rows = desk_plan.listed_plans(change)
    titles = ("plan", "match", "act", "by", "why", "state", "created")
    # A reason may be long, and `plan show` has it whole.
    output.result_list(rows, titles, "There are no plans.", cut="why")


def show_plan(
    plan: options.PlanNumber,
    *,
    mails: Annotated[bool, flag("Its mails, from first line to last.", "--mails")] = False,
) -> None:
    """Show a plan, or its mails.

    It is worked out anew for the matches as they are now; nothing is done. Of a plan that is no
    longer open, --mails or not, it shows the act; of one applied or withdrawn also the time and
    the events written.

    Example: referee plan show 12

    Example: referee plan show 12 --mails
    """
    with opened_desk(session.settings()) as desk:
        outcome = desk_plan.preview_plan(desk, plan)
    if outcome.state != "open":
        output.result(outcome.document(), *_head(outcome))
    elif mails:
        lines = [] if outcome.mails else [f"Plan {outcome.id} brings no mails."]
        for mail in outcome.mails:
            lines += [*_folded("", f"To {mail.to}: {mail.subject}"), ""]
            lines += [*(f"  | {line}".rstrip() for line in mail.text.splitlines()), ""]
        if any(match.reports for match in outcome.matches):
            lines.append("Reports leave when the match rests: what chance, a bot or an order in")
            lines.append("advance does before that is told in them too.")
        output.result(outcome.document(), *lines)
    else:
        print_outcome(outcome)


def apply_listed(plan: options.PlanNumber) -> None:
    """Carry out a plan.

    Nothing is done if a match has moved on since the plan was made.

    Example: referee plan apply 12
    """
    apply(plan)


def apply(plan: options.PlanNumber) -> None:
    """Carry out a plan: short for plan apply.

    Nothing is done if a match has moved on since the plan was made.

    Example: referee apply 12
    """
    with opened_desk(session.settings()) as desk:
        outcome = desk_plan.apply_plan(desk, plan)
    print_outcome(outcome)


def withdraw_plan(plan: options.PlanNumber) -> None:
    """Withdraw a plan.

    It can no longer be applied.

    Example: referee plan withdraw 12
    """
    with opened_desk(session.settings()) as desk:
        desk_plan.withdraw(desk, plan)
    output.result({"plan": plan, "state": "withdrawn"}, f"Plan {plan} is withdrawn.")


def decide(act: Act, why: str, *, yes: bool) -> None:
    """Plan an act and print the plan; ``yes`` carries it out."""
    with opened_desk(session.settings()) as desk:
        carry = desk_plan.apply_act if yes else desk_plan.propose
        outcome = carry(desk, act, why)
    print_outcome(outcome)


def print_outcome(outcome: Outcome) -> None:
    """Print the outcome of an act, foreseen or done."""
    if not outcome.id:
        # It changed no match, so there is no plan.
        output.result(outcome.document(), *outcome.lines)
        return
    lines = [*_head(outcome)]
    for match in outcome.matches:
        lines += [*([] if outcome.single else ["", f"{match.match}:"]), *_in_match(match)]
    lines.append("")
    if outcome.state == "open":
        lines.append(f"Nothing has been done yet. To carry it out: referee apply {outcome.id}")
        if outcome.mails:
            reading = f"referee plan show {outcome.id} --mails"
            lines.append(f"To read its mails from first line to last: {reading}")
    else:
        lines.append("Done.")
    output.result(outcome.document(), *lines)


def _head(outcome: Outcome) -> Iterator[str]:
    """Yield the number of a plan and its act, the reason, the date, and what else the act tells."""
    yield f"Plan {outcome.id}: {' '.join((outcome.act, *outcome.names))}"
    if outcome.why:
        yield f"Why: {outcome.why}"
    if outcome.created:
        yield f"Planned {outcome.created} by {outcome.by}"
    if not outcome.single:
        yield from ("", *outcome.lines)


def _in_match(outcome: MatchOutcome) -> Iterator[str]:
    """Yield the lines of an outcome in a match: state, board, events, warnings, mails."""
    yield ""
    now, then = _stand(outcome.before), _stand(outcome.after)
    if now == then:
        yield from _folded("", f"It stands, and stays: {now}")
    else:
        yield from _folded("", f"Now:  {now}")
        yield from _folded("", f"Then: {then}")
    if outcome.before.board == outcome.after.board:
        yield "The board stays as it is."
    else:
        yield ""
        yield "The board then, as a spectator sees it:"
        yield from outcome.after.board
        yield ""
        yield "What changes of it (- now, + then):"
        for line in ndiff(outcome.before.board, outcome.after.board):
            if line[0] in "-+" and line[1:].strip():
                yield line.rstrip()
    yield ""
    yield "Events written:" if outcome.events else "No events are written."
    for event in outcome.events:
        yield f"  {event.seq} {event.kind}{f' {event.seat}' if event.seat else ''}"
        yield from (f"     {fact}" for fact in event.facts)
    if outcome.warnings:
        yield ""
        yield "Mind:"
        yield from (f"  - {warning}" for warning in outcome.warnings)
    if not (outcome.mails or outcome.reports):
        yield from ("", "No mails are written by this.")
    for title, mails in (("Mails:", outcome.mails), ("Reports:", outcome.reports)):
        if mails:
            yield from ("", title)
        for mail in mails:
            yield from _folded("  ", f"To {mail.to}: {mail.subject}")
            yield from _folded("     ", mail.first)


def _stand(stand: Stand) -> str:
    whose = f", {stand.to_act} to act" if stand.to_act else ""
    until = f", until {stand.due}" if stand.due else ""
    return ", ".join((f"{stand.state}, turn {stand.turn}{whose}{until}", *stand.spans))


def _folded(indent: str, text: str) -> list[str]:
    """Return a text in indented lines of at most 79 columns."""
    return textwrap.wrap(
        text, 79, initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
