"""``referee match show --full``: the whole position, hidden parts included."""

from __future__ import annotations

from referee.cli import output, session
from referee.cli.match.find import find_match
from referee.desk.desk import opened_desk
from referee.desk.matches import ledger
from referee.desk.plans import plan
from referee.desk.plans.act_for import Looking
from referee.errors import RefereeError
from referee.games.play import digest
from referee.store.play import matches


def show_full(name: str, why: str) -> None:
    """Print the whole position as JSON, and tell the players."""
    with opened_desk(session.settings()) as desk:
        with desk.store.reading() as connection:
            row = find_match(connection, name)
        if row.header is None:
            raise RefereeError(f"{name} has not begun: there is no position yet")
        if row.state in {"running", "paused"}:
            plan.carry_out(desk, Looking(name), why)
        with desk.reading() as change:
            live = ledger.load(change, matches.by_id(change.connection, row.id)).live
    position = live.game.dump(live.position)
    made_from = digest(live.game, live.position)
    output.print_json(
        {
            "match": name,
            "turn": live.turn.number,
            "made_from": made_from,
            "position": position,
        }
    )
