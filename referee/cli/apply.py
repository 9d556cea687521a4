"""`referee apply`: carry out a plan that was printed before."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import context, mending, show
from referee.cli.options import LARGEST

if TYPE_CHECKING:
    from referee.desk.mending.planning import Planned


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
    from referee.desk.mending import planning
    from referee.errors import RefereeError

    if list_plans:
        with opened_desk(context.settings()) as desk, desk.store.reading() as connection:
            _print(planning.listing(desk, connection))
        return
    if number is None:
        raise RefereeError("which plan? referee apply --list shows them")
    with opened_desk(context.settings()) as desk:
        if withdraw:
            planning.withdraw(desk, number)
            show.result({"id": number, "state": "withdrawn"}, f"Plan {number} is withdrawn.")
            return
        if mails:
            mending.tell_mails(planning.preview(desk, number))
            return
        found = planning.apply(desk, number)
    mending.tell(found)


def _print(listed: list[Planned]) -> None:
    rows = [asdict(each) for each in listed]
    if show.printed(rows):
        return
    titles = ("plan", "match", "act", "by", "why", "state", "created")
    show.print_table(titles, [list(each.values()) for each in rows], "There are no plans.")
