"""``referee clock``: outages, and jumps of the machine's clock."""

from __future__ import annotations

from typing import Annotated

from referee.cli import output, session
from referee.cli.options import Why, Yes, flag
from referee.cli.plan import decide
from referee.desk.desk import opened_desk
from referee.desk.matches.time import outages
from referee.desk.plans.match import SetRight
from referee.errors import RefereeError


def clock(
    *,
    is_right: Annotated[
        bool, flag("Declare the machine's clock right after a jump.", "--is-right")
    ] = False,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Show outages and jumps of the machine's clock.

    No player's clock ran during them. If clocks run in matches, --is-right makes a plan that
    says how they go on; --why may be left out here.

    Example: referee clock

    Example: referee clock --is-right --why "the machine's battery was changed"
    """
    if is_right:
        decide(SetRight(), why, yes=yes)
        return
    if why or yes:
        raise RefereeError(f"--{'why' if why else 'yes'} goes with --is-right")
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        known = outages.latest_outages(connection)
    listed = [
        {"number": outage.number, "why": outage.why, "from": outage.began, "to": outage.ended}
        for outage in known
    ]
    titles = ("number", "why", "from", "to")
    output.result_list(listed, titles, "There were no outages.")
