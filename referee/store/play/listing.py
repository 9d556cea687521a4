"""All matches at a glance, in one query, however many there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Executable, and_, func, select

from referee.store import tables as t
from referee.store.database.query import every
from referee.store.states import MatchState
from referee.value import Value


class ListedMatch(Value):
    """A match as it is listed.

    ``who`` is the player or the bot to act, ``due`` the moment after which they are late;
    ``result`` is there once the match is over.
    """

    name: str
    game: str
    state: MatchState
    turn: int
    to_act: str | None
    who: str | None
    since: datetime | None
    due: datetime | None
    result: Mapping[str, Any] | None


class DeclinedInvitation(Value):
    """An invitation that a player declined; the match still waits for them."""

    match_id: int
    match: str
    seat: str
    name: str


@every(DeclinedInvitation)
def declined_invitations() -> Executable:
    """Return the invitations that were declined, in matches that have not begun."""
    seated = t.seats.join(t.matches, t.matches.c.id == t.seats.c.match_id)
    return (
        select(t.matches.c.id, t.matches.c.name, t.seats.c.seat, t.players.c.name)
        .select_from(seated.join(t.players, t.players.c.id == t.seats.c.player_id))
        .where(t.matches.c.state == "invited", t.seats.c.agreed == "no")
        .order_by(t.matches.c.id, t.seats.c.number)
    )


@every(ListedMatch)
def listed_matches(states: Collection[str]) -> Executable:
    """Return the matches in these states, oldest first."""
    acting = and_(t.seats.c.match_id == t.matches.c.id, t.seats.c.seat == t.matches.c.to_act)
    # Outer joins: an invited match has no seat to act, and a bot's seat no player.
    seated = t.matches.outerjoin(t.seats, acting)
    return (
        select(
            t.matches.c.name,
            t.matches.c.game,
            t.matches.c.state,
            t.matches.c.turn,
            t.matches.c.to_act,
            func.coalesce(t.players.c.name, "bot " + t.seats.c.bot),
            t.matches.c.turn_began_at,
            t.matches.c.due,
            t.matches.c.result,
        )
        .select_from(seated.outerjoin(t.players, t.players.c.id == t.seats.c.player_id))
        .where(t.matches.c.state.in_(states))
        .order_by(t.matches.c.id)
    )
