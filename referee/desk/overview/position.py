"""The whole position of a match, hidden parts too, of which its players are told."""

from __future__ import annotations

from referee.desk.desk import Desk
from referee.desk.directory import require_match
from referee.desk.matches import ledger
from referee.desk.plans.board import Looking
from referee.desk.plans.plan import apply_act
from referee.errors import RefereeError
from referee.games.game import Document
from referee.games.play import position_digest
from referee.store.play import matches
from referee.store.states import PLAYABLE


def look_at_all(desk: Desk, name: str, why: str) -> Document:
    """Return a match's position, hidden parts too, in the form ``match fix`` takes back.

    Players who still play are told. Raises RefereeError.
    """
    with desk.store.reading() as connection:
        row = require_match(connection, name)
    if row.header is None:
        raise RefereeError(f"{name} has not begun: there is no position yet")
    if row.state in PLAYABLE:
        apply_act(desk, Looking(name), why)
    with desk.reading() as change:
        live = ledger.load_match(change, matches.get_match(change.connection, row.id)).live
    return {
        "match": name,
        "turn": live.turn.number,
        "made_from": position_digest(live.game, live.position),
        "position": live.game.dump(live.position),
    }
