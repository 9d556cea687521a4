"""`referee match pause|resume|…`: what mends a running match; first a plan, then the deed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import context, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.desk.mending.act import Act
    from referee.desk.mending.proposal import Proposal, Stand

Name = Annotated[str, typer.Argument(metavar="MATCH", help="Its name, such as nord-1.")]
Why = Annotated[str, typer.Option(help="Why, in a few words: the players are told. Required.")]
Yes = Annotated[bool, typer.Option("--yes", help="Carry it out at once.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands to those of matches."""
    for each in (pause, resume):
        app.command()(each)


def decide(act: Act, why: str, *, yes: bool, as_json: bool) -> None:
    """Print what an act would do and keep it as a plan; with ``yes`` carry it out at once."""
    from referee.daemon import opened_desk
    from referee.desk.mending import planning

    with opened_desk(context.settings()) as desk:
        plan = planning.carry_out if yes else planning.propose
        found = plan(desk, act, why)
    tell(found, as_json=as_json)


def tell(found: Proposal, *, as_json: bool) -> None:
    """Print what an act would do, or did."""
    if as_json:
        show.print_json(found.document())
        return
    for line in _lines(found):
        typer.echo(line)


def pause(name: Name, *, why: Why = "", yes: Yes = False, as_json: AsJson = False) -> None:
    """Stop a match: no orders, no bots, no deadlines until it is resumed.

    Example: referee match pause nord-1 --why "holidays"
    """
    from referee.desk.mending.pausing import Pause

    decide(Pause(name), why, yes=yes, as_json=as_json)


def resume(name: Name, *, why: Why = "", yes: Yes = False, as_json: AsJson = False) -> None:
    """Let a paused match go on; everybody has the time that was left.

    Example: referee match resume nord-1 --why "back again" --yes
    """
    from referee.desk.mending.pausing import Resume

    decide(Resume(name), why, yes=yes, as_json=as_json)


def _lines(found: Proposal) -> Iterator[str]:
    yield f"Plan {found.id}: {found.act} {found.match}"
    yield from body(found)
    yield ""
    if found.state == "open":
        yield f"Nothing has been done yet. To carry it out: referee apply {found.id}"
    else:
        yield "Done."


def body(found: Proposal) -> Iterator[str]:
    """Yield what an act does: why, how the match stands, events, warnings, mails."""
    yield f"Why: {found.why}"
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
    for title, stand in (("The board now", before), ("The board then", after)):
        yield ""
        yield f"{title}, as a spectator sees it:"
        yield from stand.board


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
    yield ""
    yield "Mails:" if found.mails else "No mails are written by this."
    for each in found.mails:
        yield f"  To {each.to}: {each.subject}"
        yield from (f"  | {line}".rstrip() for line in each.text.splitlines())
    if found.reports:
        yield f"Reports follow to: {', '.join(found.reports)}"
