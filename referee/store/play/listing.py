"""All matches at a glance, in one query, however many there are."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Connection, and_, bindparam, func, select

from referee.store import tables as t
from referee.store.states import MatchState
from referee.value import Value


class ListedMatch(Value):
    """A match as it is listed.

    ``who`` is the player or the bot to act, ``due`` the moment after which they are late;
    ``result`` is JSON, once the match is over.
    """

    name: str
    game: str
    state: MatchState
    turn: int
    to_act: str | None
    who: str | None
    since: datetime | None
    due: datetime | None
    result: str | None


_LISTED: Final = (
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
    .select_from(
        # Outer joins: an invited match has no seat to act, and a bot's seat no player.
        t.matches.outerjoin(
            t.seats,
            and_(t.seats.c.match_id == t.matches.c.id, t.seats.c.seat == t.matches.c.to_act),
        ).outerjoin(t.players, t.players.c.id == t.seats.c.player_id)
    )
    .order_by(t.matches.c.id)
)

_DECLINED: Final = (
    select(t.matches.c.id, t.matches.c.name, t.seats.c.seat, t.players.c.name)
    .select_from(
        t.seats.join(t.matches, t.matches.c.id == t.seats.c.match_id).join(
            t.players, t.players.c.id == t.seats.c.player_id
        )
    )
    .where(t.matches.c.state == "invited")
    .where(t.seats.c.agreed == "no")
    .order_by(t.matches.c.id, t.seats.c.number)
)

_IN_STATE: Final = _LISTED.where(t.matches.c.state == bindparam("which"))


class DeclinedInvitation(Value):
    """An invitation that a player declined; the match still waits for them."""

    match_id: int
    match: str
    seat: str
    name: str


def declined_invitations(connection: Connection) -> list[DeclinedInvitation]:
    """Return the invitations that were declined, in matches that have not begun."""
    return [DeclinedInvitation(*row) for row in connection.execute(_DECLINED)]


def listed_matches(connection: Connection, state: str | None = None) -> list[ListedMatch]:
    """Return the matches, all or those in a state, oldest first."""
    if state is None:
        return [ListedMatch(*row) for row in connection.execute(_LISTED)]
    return [ListedMatch(*row) for row in connection.execute(_IN_STATE, {"which": state})]
