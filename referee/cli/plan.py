"""`referee apply`: carry out a plan that was printed before."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import output, session
from referee.cli.options import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.desk.plans.act import Act, Wide
    from referee.desk.plans.outcome import Mailed, Proposal, Stand, Sweep
    from referee.desk.plans.plan import Planned


def apply(
    number: Annotated[
        int | None, typer.Argument(metavar="PLAN", help="Its number.", min=1, max=LARGEST)
    ] = None,
    *,
    list_plans: Annotated[bool, typer.Option("--list", help="List the latest plans.")] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Drop the plan instead.")] = False,
    mails: Annotated[
        bool, typer.Option("--mails", help="Only print its mails, from first line to last.")
    ] = False,
) -> None:
    """Carry out a plan, unless a match has moved on since it was made.

    Example: referee apply 12 --mails

    Example: referee apply 12
    """
    from referee.desk.desk import opened_desk
    from referee.desk.plans import plan
    from referee.errors import RefereeError

    if list_plans:
        with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
            _print(plan.listing(desk, connection))
        return
    if number is None:
        raise RefereeError("which plan? referee apply --list shows them")
    with opened_desk(session.settings()) as desk:
        if withdraw:
            plan.withdraw(desk, number)
            output.result({"id": number, "state": "withdrawn"}, f"Plan {number} is withdrawn.")
            return
        if mails:
            tell_mails(plan.preview(desk, number))
            return
        found = plan.apply(desk, number)
    tell(found)


def _print(listed: list[Planned]) -> None:
    rows = [asdict(each) for each in listed]
    if output.printed(rows):
        return
    titles = ("plan", "match", "act", "by", "why", "state", "created")
    output.print_table(titles, [list(each.values()) for each in rows], "There are no plans.")


def decide(act: Act | Wide, why: str, *, yes: bool) -> None:
    """Print what an act would do and keep it as a plan; with ``yes`` carry it out at once."""
    from referee.desk.desk import opened_desk
    from referee.desk.plans import plan

    with opened_desk(session.settings()) as desk:
        carry = plan.carry_out if yes else plan.propose
        found: Proposal | Sweep = carry(desk, act, why)
    tell(found)


def tell(found: Proposal | Sweep) -> None:
    """Print what an act would do, or did."""
    output.result(found.document(), *_lines(found))


def tell_mails(found: Proposal | Sweep) -> None:
    """Print every mail of a plan, from its first line to its last."""
    output.result(found.document(), *_whole(found))


def _lines(found: Proposal | Sweep) -> Iterator[str]:
    from referee.desk.plans.outcome import Sweep

    if isinstance(found, Sweep) and not found.id:
        yield from found.done
        return
    yield f"Plan {found.id}: {' '.join((found.act, *found.names))}"
    if found.why:
        yield f"Why: {found.why}"
    yield from _bodies(found) if isinstance(found, Sweep) else _body(found)
    yield ""
    if found.state == "open":
        yield f"Nothing has been done yet. To carry it out: referee apply {found.id}"
        if _mails_of(found):
            yield f"To read its mails from first line to last: referee apply {found.id} --mails"
    else:
        yield "Done."


def _bodies(found: Sweep) -> Iterator[str]:
    """Yield what a wide act does, and what comes of it in each match."""
    yield ""
    yield from found.done
    for each in found.matches:
        yield ""
        yield f"{each.match}:"
        yield from _body(each)


def _body(found: Proposal) -> Iterator[str]:
    """Yield what an act does in a match: how it stands, events, warnings, mails."""
    yield from _stands(found.before, found.after)
    yield from _events(found)
    if found.warnings:
        yield ""
        yield "Mind:"
        yield from (f"  - {each}" for each in found.warnings)
    yield from _mails(found)


def _stands(before: Stand, after: Stand) -> Iterator[str]:
    yield ""
    one, other = _stand(before), _stand(after)
    if one == other:
        yield f"It stands, and stays: {one}"
    else:
        yield f"Now:  {one}"
        yield f"Then: {other}"
    if before.board == after.board:
        yield "The board stays as it is."
        return
    yield ""
    yield "The board then, as a spectator sees it:"
    yield from after.board
    yield ""
    yield "What changes of it (- now, + then):"
    yield from _changes(before.board, after.board)


def _changes(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Yield the lines that differ, each pair one below the other."""
    from difflib import ndiff

    for line in ndiff(before, after):
        if line[0] in "-+" and line[1:].strip():
            yield line.rstrip()


def _stand(stand: Stand) -> str:
    whose = f", {stand.to_act} to act" if stand.to_act else ""
    until = f", until {stand.due}" if stand.due else ""
    return f"{stand.state}, turn {stand.turn}{whose}{until}"


def _events(found: Proposal) -> Iterator[str]:
    yield ""
    yield "Events written:" if found.events else "No events are written."
    for each in found.events:
        yield f"  {each.seq} {each.kind}{f' {each.seat}' if each.seat else ''}"
        yield from (f"     {fact}" for fact in each.facts)


def _mails(found: Proposal) -> Iterator[str]:
    """Yield to whom mails go, and the first words of each."""
    yield ""
    yield "Mails:" if found.mails else "No mails are written by this."
    for each in found.mails:
        yield from _in_short(each)
    if found.reports:
        yield ""
        yield "Reports:"
        for each in found.reports:
            yield from _in_short(each)


def _in_short(mail: Mailed) -> Iterator[str]:
    yield f"  To {mail.to}: {mail.subject}"
    said = [" ".join(each.split()) for each in mail.text.split("\n\n")]
    yield from _folded("     ", said[min(1, len(said) - 1)])


def _folded(indent: str, text: str) -> list[str]:
    """Return a text in indented lines that a terminal of 80 columns holds."""
    import textwrap

    return textwrap.wrap(
        text, 79, initial_indent=indent, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _mails_of(found: Proposal | Sweep) -> list[Mailed]:
    return [mail for each in _proposals(found) for mail in (*each.mails, *each.reports)]


def _proposals(found: Proposal | Sweep) -> Sequence[Proposal]:
    from referee.desk.plans.outcome import Sweep

    return found.matches if isinstance(found, Sweep) else (found,)


def _whole(found: Proposal | Sweep) -> Iterator[str]:
    mails = _mails_of(found)
    if not mails:
        yield f"Plan {found.id} brings no mails."
    for mail in mails:
        yield f"To {mail.to}: {mail.subject}"
        yield ""
        yield from (f"  | {line}".rstrip() for line in mail.text.splitlines())
        yield ""
    if any(each.reports for each in _proposals(found)):
        yield "Reports leave when the match rests: what chance, a bot or an order in"
        yield "advance does before that is told in them too."
