"""The whole position of a match, hidden parts included.

It is in the form that ``match fix`` takes back.
"""

from __future__ import annotations

from referee.desk.desk import Desk
from referee.desk.directory import find_match
from referee.desk.matches import ledger
from referee.desk.plans import plan
from referee.desk.plans.act_for import Looking
from referee.errors import RefereeError
from referee.games.game import Document
from referee.games.play import digest
from referee.store.play import matches
from referee.store.states import PLAYABLE


def look_at_all(desk: Desk, name: str, why: str) -> Document:
    """Return the position of a match; players who still play are told.

    Raises RefereeError.
    """
    with desk.store.reading() as connection:
        row = find_match(connection, name)
    if row.header is None:
        raise RefereeError(f"{name} has not begun: there is no position yet")
    if row.state in PLAYABLE:
        plan.carry_out(desk, Looking(name), why)
    with desk.reading() as change:
        live = ledger.load(change, matches.by_id(change.connection, row.id)).live
    return {
        "match": name,
        "turn": live.turn.number,
        "made_from": digest(live.game, live.position),
        "position": live.game.dump(live.position),
    }
