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
from referee.desk.plans.act import Act, Mailed, MatchOutcome, MatchState, Outcome


def list_plans() -> None:
    """List the latest plans.

    Example: referee plan list
    """
    with opened_desk(session.settings()) as desk, desk.reading() as change:
        rows = desk_plan.listed_plans(change)
    titles = ("plan", "match", "act", "by", "why", "state", "created")
    output.result_list(rows, titles, "There are no plans.")


def show_plan(
    plan: options.Plan,
    *,
    mails: Annotated[bool, flag("Its mails, from first line to last.", "--mails")] = False,
) -> None:
    """Show a plan, or its mails.

    It is worked out anew for the matches as they are now; nothing is done. Of one that was applied
    or withdrawn you see the act, when it was and the events it wrote.

    Example: referee plan show 12

    Example: referee plan show 12 --mails
    """
    with opened_desk(session.settings()) as desk:
        found = desk_plan.preview_plan(desk, plan)
    if found.state != "open":
        output.result(found.document(), *_act(found))
    elif mails:
        lines = [] if found.mails else [f"Plan {found.id} brings no mails."]
        for mail in found.mails:
            lines += [*_folded("", f"To {mail.to}: {mail.subject}"), ""]
            lines += [*(f"  | {line}".rstrip() for line in mail.text.splitlines()), ""]
        if any(match.reports for match in found.matches):
            lines.append("Reports leave when the match rests: what chance, a bot or an order in")
            lines.append("advance does before that is told in them too.")
        output.result(found.document(), *lines)
    else:
        print_outcome(found)


def apply_listed(plan: options.Plan) -> None:
    """Carry out a plan.

    Nothing is done if a match has moved on since the plan was made.

    Example: referee plan apply 12
    """
    apply(plan)


def apply(plan: options.Plan) -> None:
    """Carry out a plan: short for plan apply.

    Nothing is done if a match has moved on since the plan was made.

    Example: referee apply 12
    """
    with opened_desk(session.settings()) as desk:
        found = desk_plan.apply_plan(desk, plan)
    print_outcome(found)


def withdraw_plan(plan: options.Plan) -> None:
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
        found = carry(desk, act, why)
    print_outcome(found)


def print_outcome(found: Outcome) -> None:
    """Print the outcome of an act, foreseen or done."""
    if not found.id:
        output.result(found.document(), *found.lines)
        return
    lines = [*_act(found)]
    for match in found.matches:
        lines += [*([] if found.single else ["", f"{match.match}:"]), *_in_match(match)]
    lines.append("")
    if found.state == "open":
        lines.append(f"Nothing has been done yet. To carry it out: referee apply {found.id}")
        if found.mails:
            reading = f"referee plan show {found.id} --mails"
            lines.append(f"To read its mails from first line to last: {reading}")
    else:
        lines.append("Done.")
    output.result(found.document(), *lines)


def _act(found: Outcome) -> Iterator[str]:
    """Yield an act, its reason, and what else its plan tells."""
    yield f"Plan {found.id}: {' '.join((found.act, *found.names))}"
    if found.why:
        yield f"Why: {found.why}"
    if found.created:
        yield f"Planned {found.created} by {found.by}"
    if not found.single:
        yield from ("", *found.lines)


def _in_match(found: MatchOutcome) -> Iterator[str]:
    """Yield the lines of an outcome in a match: state, board, events, warnings, mails."""
    yield ""
    now, then = _stand(found.before), _stand(found.after)
    if now == then:
        yield f"It stands, and stays: {now}"
    else:
        yield f"Now:  {now}"
        yield f"Then: {then}"
    if found.before.board == found.after.board:
        yield "The board stays as it is."
    else:
        yield ""
        yield "The board then, as a spectator sees it:"
        yield from found.after.board
        yield ""
        yield "What changes of it (- now, + then):"
        for line in ndiff(found.before.board, found.after.board):
            if line[0] in "-+" and line[1:].strip():
                yield line.rstrip()
    yield ""
    yield "Events written:" if found.events else "No events are written."
    for event in found.events:
        yield f"  {event.seq} {event.kind}{f' {event.seat}' if event.seat else ''}"
        yield from (f"     {fact}" for fact in event.facts)
    if found.warnings:
        yield ""
        yield "Mind:"
        yield from (f"  - {warning}" for warning in found.warnings)
    yield ""
    if found.mails or not found.reports:
        yield "Mails:" if found.mails else "No mails are written by this."
    for mail in found.mails:
        yield from _in_short(mail)
    if found.reports:
        if found.mails:
            yield ""
        yield "Reports:"
        for report in found.reports:
            yield from _in_short(report)


def _stand(stand: MatchState) -> str:
    whose = f", {stand.to_act} to act" if stand.to_act else ""
    until = f", until {stand.due}" if stand.due else ""
    return f"{stand.state}, turn {stand.turn}{whose}{until}"


def _in_short(mail: Mailed) -> Iterator[str]:
    yield from _folded("  ", f"To {mail.to}: {mail.subject}")
    yield from _folded("     ", mail.first)


def _folded(indent: str, text: str) -> list[str]:
    """Return a text in indented lines of at most 79 columns."""
    return textwrap.wrap(
        text, 79, initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
