"""Stand-ins: players or bots that sit for a seat's owner for some days."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Executable, select, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.states import StandInState
from referee.store.tables.play import StandInRow

_s: Final = t.stand_ins.c

_stand_ins: Final = select(*query.row_columns(StandInRow, t.stand_ins))


def add_stand_in(connection: Connection, match_id: int, seat: str, **columns: object) -> int:
    """Keep a planned stand-in; return its id."""
    return query.add_row(
        connection, t.stand_ins, match_id=match_id, seat=seat, state="planned", **columns
    )


@query.cached(t.stand_ins)
@query.every(StandInRow)
def stand_ins(match_id: int) -> Executable:
    """Return the stand-ins of a match that sit or will, earliest first."""
    in_match = _stand_ins.where(_s.match_id == match_id, _s.state != "over")
    return in_match.order_by(_s.begins, _s.id)


@query.every(StandInRow)
def all_stand_ins(match_id: int) -> Executable:
    """Return all stand-ins ever arranged in a match, oldest first."""
    return _stand_ins.where(_s.match_id == match_id).order_by(_s.id)


@query.values(int)
def matches_with_stand_in_due(moment: datetime) -> Executable:
    """Return the running matches with a stand-in to begin or end by a moment."""
    # Both ends in one question, as it is asked before each letter.
    begins = (_s.state == "planned") & (_s.begins <= moment)
    ends = (_s.state == "sitting") & (_s.ends <= moment)
    running = t.matches.c.state == "running"
    due = select(_s.match_id).distinct().join(t.matches, t.matches.c.id == _s.match_id)
    return due.where(running, begins | ends)


@query.tuples
def seats_arranged_with(player_id: int) -> Executable:
    """Return the seats (match, colour) that stand-ins give or take a player, now or later."""
    theirs = (_s.owner_id == player_id) | (_s.player_id == player_id)
    return select(_s.match_id, _s.seat).where(_s.state != "over", theirs)


@query.done
def set_stand_in(stand_in_id: int, state: StandInState) -> Executable:
    """Set the state of a stand-in."""
    return update(t.stand_ins).where(_s.id == stand_in_id).values(state=state)
