"""Questions that an address answers with yes, each under its code."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from referee.store import tables as t
from referee.store.database.rows import columns, every, first
from referee.store.states import RequestState


@dataclass(frozen=True, slots=True)
class RequestRow:
    """A question: its player, the address that answers, and its subject as JSON.

    ``player_id`` is None while the address is a stranger's.
    """

    id: int
    code: str
    address: str
    player_id: int | None
    what: str
    state: RequestState
    created: datetime
    expires: datetime


_r: Final = t.requests.c

_requests: Final = select(*columns(RequestRow, t.requests))

_ADD: Final = insert(t.requests)

_BY_CODE: Final = _requests.where(_r.code == bindparam("which"))

_TAKEN: Final = select(_r.code).where(_r.code.in_(bindparam("which", expanding=True)))

_OF: Final = _requests.where(_r.player_id == bindparam("which")).order_by(_r.id)

_SINCE: Final = _OF.where(_r.created > bindparam("since"))

_FROM: Final = _requests.where(_r.address == bindparam("whom")).order_by(_r.id)

_SET: Final = (
    update(t.requests)
    .where(_r.id == bindparam("which"))
    .where(_r.state == "waiting")
    .values(state=bindparam("to"))
)

_EXPIRED: Final = (
    _requests.where(_r.state == "waiting").where(_r.expires <= bindparam("now")).order_by(_r.id)
)

_SETTLED: Final = (_r.state != "waiting") & (_r.expires <= bindparam("before"))

_ANY_SETTLED: Final = select(_r.id).where(_SETTLED).limit(1)

_DROP_SETTLED: Final = delete(t.requests).where(_SETTLED)


def add(
    connection: Connection,
    *,
    code: str,
    address: str,
    player_id: int | None,
    what: str,
    now: datetime,
    expires: datetime,
) -> RequestRow:
    """Keep a question to an address; return it."""
    row = {"code": code, "address": address.lower(), "player_id": player_id, "what": what}
    times = {"created": now, "expires": expires, "state": "waiting"}
    connection.execute(_ADD, {**row, **times})
    found = find(connection, code)
    if found is None:
        raise KeyError(code)
    return found


def find(connection: Connection, code: str) -> RequestRow | None:
    """Return the question of this code."""
    return first(RequestRow, connection.execute(_BY_CODE, {"which": code}))


def taken(connection: Connection, codes: Collection[str]) -> frozenset[str]:
    """Return those of some codes that belong to questions."""
    if not codes:
        return frozenset()
    return frozenset(connection.execute(_TAKEN, {"which": list(codes)}).scalars())


def of_player(
    connection: Connection, player_id: int, since: datetime | None = None
) -> tuple[RequestRow, ...]:
    """Return the questions of a player, all or since a moment."""
    if since is None:
        return every(RequestRow, connection.execute(_OF, {"which": player_id}))
    return every(RequestRow, connection.execute(_SINCE, {"which": player_id, "since": since}))


def answered_by(connection: Connection, address: str) -> tuple[RequestRow, ...]:
    """Return the questions that a yes from an address grants."""
    return every(RequestRow, connection.execute(_FROM, {"whom": address.lower()}))


def settle(connection: Connection, request_id: int, state: RequestState) -> bool:
    """Record the outcome of an open question; return False for another."""
    return connection.execute(_SET, {"which": request_id, "to": state}).rowcount == 1


def expired(connection: Connection, now: datetime) -> tuple[RequestRow, ...]:
    """Return the open questions that have lapsed."""
    return every(RequestRow, connection.execute(_EXPIRED, {"now": now}))


def any_settled(connection: Connection, before: datetime) -> bool:
    """Return whether settled questions lapsed before a moment."""
    return connection.execute(_ANY_SETTLED, {"before": before}).first() is not None


def drop_settled(connection: Connection, before: datetime) -> int:
    """Forget settled questions that lapsed before a moment; return how many."""
    return connection.execute(_DROP_SETTLED, {"before": before}).rowcount
