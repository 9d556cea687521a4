"""Questions of a player to the others whether to take moves back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, bindparam, insert, select, update

from referee.store import tables as t
from referee.store.database.rows import columns, every, first
from referee.store.states import RequestState


@dataclass(frozen=True, slots=True)
class ConsentRow:
    """A question: a seat asks to go back to the beginning of a turn of its own.

    ``asked_seq`` is the last event of the match before it was asked; ``agreed`` is a JSON list of
    seats.
    """

    id: int
    match_id: int
    seat: str
    turn: int
    asked_seq: int
    agreed: str
    state: RequestState
    created: datetime
    expires: datetime

    @property
    def seats_agreed(self) -> tuple[str, ...]:
        """The seats that have agreed."""
        return tuple(json.loads(self.agreed))


_c: Final = t.consents.c

_rows: Final = select(*columns(ConsentRow, t.consents))

_ADD: Final = insert(t.consents)

_WAITING: Final = _rows.where(_c.state == "waiting").order_by(_c.id)

_OF: Final = _WAITING.where(_c.match_id == bindparam("match"))

_SET: Final = update(t.consents).where(_c.id == bindparam("which")).where(_c.state == "waiting")


def add(
    connection: Connection,
    *,
    match_id: int,
    seat: str,
    turn: int,
    asked_seq: int,
    now: datetime,
    expires: datetime,
) -> None:
    """Keep a question that no seat has agreed to yet."""
    asked = {"match_id": match_id, "seat": seat, "turn": turn, "asked_seq": asked_seq}
    row = {**asked, "agreed": "[]", "state": "waiting", "created": now, "expires": expires}
    connection.execute(_ADD, row)


def waiting_in(connection: Connection, match_id: int) -> ConsentRow | None:
    """Return the open question of a match."""
    return first(ConsentRow, connection.execute(_OF, {"match": match_id}))


def waiting(connection: Connection) -> tuple[ConsentRow, ...]:
    """Return all open questions."""
    return every(ConsentRow, connection.execute(_WAITING))


def note_agreed(connection: Connection, consent_id: int, seats: Sequence[str]) -> None:
    """Record the seats that have agreed."""
    connection.execute(_SET, {"which": consent_id, "agreed": json.dumps(list(seats))})


def settle(connection: Connection, consent_id: int, state: RequestState) -> None:
    """Record the outcome of a question."""
    connection.execute(_SET, {"which": consent_id, "state": state})
