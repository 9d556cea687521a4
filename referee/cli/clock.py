"""`referee clock`: when no clock ran, and how the organiser says that the machine's is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli import context, show

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from referee.desk.desk import Desk


def clock(
    *,
    is_right: Annotated[
        bool, typer.Option("--is-right", help="The machine's clock is set right after it jumped.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show when no player's clock ran: outages, and jumps of the machine's clock.

    Example: referee clock --is-right
    """
    from referee.daemon import opened_desk
    from referee.desk import gaps

    with opened_desk(context.settings()) as desk:
        if is_right:
            with desk.store.writing() as connection:
                _set_right(desk, connection)
        with desk.store.reading() as connection:
            known = gaps.gaps(connection)
    listed = [
        {"number": each.number, "why": each.why, "from": each.began, "to": each.ended}
        for each in known
    ]
    if as_json:
        show.print_json(listed)
        return
    rows = [list(each.values()) for each in listed]
    show.print_table(("", "why", "from", "to"), rows, "Clocks have always run.")


def _set_right(desk: Desk, connection: Connection) -> None:
    from referee.desk import gaps
    from referee.errors import RefereeError

    if gaps.clock_is_right(desk, connection) is None:
        raise RefereeError("the clock has not jumped: there is nothing to set right")
