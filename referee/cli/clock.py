"""`referee clock`: when no clock ran, and how the organiser says that the machine's is right."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli import context, show
from referee.cli.mending import decide
from referee.cli.options import Why, Yes


def clock(
    *,
    is_right: Annotated[
        bool, typer.Option("--is-right", help="The machine's clock is set right after it jumped.")
    ] = False,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Show when no player's clock ran: outages, and jumps of the machine's clock.

    Where clocks run in matches, --is-right is first a plan that says how they go on.

    Example: referee clock

    Example: referee clock --is-right --why "the machine's battery was changed"
    """
    from referee.desk import gaps
    from referee.desk.desk import opened_desk
    from referee.desk.mending.clocks import SetRight

    if is_right:
        decide(SetRight(), why, yes=yes)
        return
    with opened_desk(context.settings()) as desk, desk.store.reading() as connection:
        known = gaps.gaps(connection)
    listed = [
        {"number": each.number, "why": each.why, "from": each.began, "to": each.ended}
        for each in known
    ]
    if not show.printed(listed):
        rows = [list(each.values()) for each in listed]
        show.print_table(("", "why", "from", "to"), rows, "Clocks have always run.")
