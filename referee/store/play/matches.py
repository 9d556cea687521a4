"""The matches: names, states, terms, and the moments they need attention.

The rows that belong to a match are reached from here too: its seats, log, turns and standing
orders.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Executable, and_, bindparam, func, select, update

from referee.store import tables as t
from referee.store.database.block import is_held, note_held, put_cached
from referee.store.database.query import (
    add_row,
    all_rows,
    cached,
    dialect_of,
    done,
    every,
    first,
    insert_or_count,
    only_row,
    required,
    row_columns,
    values,
)
from referee.store.play.logs import (
    append_events,
    append_private,
    events,
    find_snapshot,
    last_private,
    latest_event,
    latest_private,
    private_events,
    save_snapshot,
)
from referee.store.play.seats import (
    add_seat,
    add_seat_holder,
    find_seat,
    seat_holders,
    seats,
    seats_of_player,
    set_agreed,
    set_all_reported,
    set_bank,
    set_holder,
    set_reported,
    set_thread,
    told_position,
)
from referee.store.play.standing_orders import (
    add_standing_order,
    ask_standing_order,
    end_standing_order,
    end_standing_orders,
    latest_standing_order,
    set_standing_order,
    standing_orders_of,
)
from referee.store.play.turns import (
    close_turn,
    codes_held,
    find_code,
    find_codes,
    find_turn,
    keep_codes,
    open_turn,
    turns,
    update_turn,
)
from referee.store.states import ENDED, MatchState
from referee.store.tables.play import MatchRow
from referee.value import Value

__all__ = [
    "add_match", "add_seat", "add_seat_holder", "add_standing_order", "append_events",
    "append_private", "ask_standing_order", "change_match", "close_turn", "codes_held",
    "due_of_sender", "end_standing_order", "end_standing_orders", "events", "find_code",
    "find_codes", "find_match", "find_seat", "find_snapshot", "find_turn", "get_match",
    "keep_codes", "last_private", "latest_event", "latest_private", "latest_standing_order",
    "lock_match", "lock_matches", "matches_of_player", "needing_attention", "new_name", "open_turn",
    "private_events", "save_snapshot", "seat_holders", "seats", "seats_of_player", "select_matches",
    "set_agenda", "set_agreed", "set_all_reported", "set_bank", "set_begun", "set_finished",
    "set_holder", "set_match_state", "set_released", "set_reopened", "set_reported", "set_seed",
    "set_standing_order", "set_thread", "set_words", "standing_orders_of", "told_position", "turns",
    "update_turn", "wake_running",
]  # fmt: skip


_m: Final = t.matches.c

_columns: Final = row_columns(MatchRow, t.matches)

_matches: Final = select(*_columns)

_CHANGE: Final = update(t.matches).where(_m.id == bindparam("which")).returning(*_columns)


def new_name(connection: Connection, game: str) -> str:
    """Return the next name of a match of this game, as ``<game>-7``; no name is given twice."""
    statement = insert_or_count(dialect_of(connection), t.counters, "last")
    number = connection.execute(statement, {"game": game}).scalar_one()
    return f"{game}-{number}"


def add_match(
    connection: Connection,
    *,
    name: str,
    game: str,
    edition: int,
    options: Mapping[str, Any],
    board: Mapping[str, Any] | None,
    seed: bytes,
    commitment: str,
    practice: bool,
    time_per_turn: int | None,
    now: datetime,
    clock: Mapping[str, Any],
    seating: Mapping[str, Any] | None = None,
) -> int:
    """Add a match that its players are invited to; return its id."""
    row = {"name": name, "game": game, "edition": edition, "state": "invited", "head": ""}
    terms = {"options": options, "words": {}, "board": board, "clock": clock}
    chance = {"seed": seed, "commitment": commitment, "practice": practice}
    time = {"time_per_turn": time_per_turn, "created": now, "seating": seating}
    return add_row(connection, t.matches, **row, **terms, **chance, **time)


@first(MatchRow)
def find_match(name: str) -> Executable:
    """Return the match of this name."""
    return _matches.where(_m.name == name)


@cached(t.matches)
@required
@first(MatchRow)
def get_match(match_id: int) -> Executable:
    """Return a match. Raises KeyError."""
    return _matches.where(_m.id == match_id)


def lock_match(connection: Connection, match_id: int) -> MatchRow:
    """Return a match, locked until the block ends.

    Lock it before changing anything on the strength of the row read. Raises KeyError.
    """
    if is_held(connection, t.matches, match_id):
        return get_match(connection, match_id)
    row = _lock_by_id(connection, match_id)
    note_held(connection, t.matches, [match_id])
    return put_cached(connection, t.matches, match_id, row)


@required
@first(MatchRow)
def _lock_by_id(match_id: int) -> Executable:
    return _matches.where(_m.id == match_id).with_for_update()


def select_matches(connection: Connection, state: MatchState | None = None) -> tuple[MatchRow, ...]:
    """Return the matches, all or those in a state, oldest first."""
    wanted = _matches if state is None else _matches.where(_m.state == state)
    return all_rows(MatchRow, connection.execute(wanted.order_by(_m.id)))


@every(MatchRow)
def matches_of_player(player_id: int) -> Executable:
    """Return the matches a player holds a seat in, oldest first."""
    held = select(t.seats.c.match_id).where(t.seats.c.player_id == player_id)
    return _matches.where(_m.id.in_(held)).order_by(_m.id)


def lock_matches(connection: Connection, names: Iterable[str]) -> tuple[MatchRow, ...]:
    """Lock matches until the block ends; return their rows.

    They are locked in name order, so that two blocks never wait in a ring. Names of no match are
    passed over.
    """
    rows = [_lock_by_name(connection, name) for name in sorted(set(names))]
    return tuple([row for row in rows if row is not None])


@first(MatchRow)
def _lock_by_name(name: str) -> Executable:
    return _matches.where(_m.name == name).with_for_update()


def set_match_state(
    connection: Connection, match_id: int, state: MatchState, *, now: datetime | None = None
) -> None:
    """Put a match in a state; ``now`` is needed for a pause or an end, and kept as its moment."""
    row: dict[str, object] = {"state": state, "paused_at": now if state == "paused" else None}
    if state in ENDED:
        row["ended"] = now
    change_match(connection, match_id, **row)


def set_words(connection: Connection, match_id: int, words: Mapping[str, str]) -> None:
    """Keep the seats' contributions to chance."""
    change_match(connection, match_id, words=words)


def set_begun(
    connection: Connection,
    match_id: int,
    *,
    board: Mapping[str, Any] | None,
    header: str,
    header_hash: str,
    now: datetime,
) -> None:
    """Record that a match begins, its board, and its log's header."""
    row = {"board": board, "header": header, "header_hash": header_hash}
    change_match(connection, match_id, **row, state="running", started=now, due=None)


def set_agenda(connection: Connection, match_id: int, at: datetime | None) -> None:
    """Set when a match next needs attention; None waits for an event."""
    change_match(connection, match_id, agenda_at=at)


@done
def wake_running(now: datetime) -> Executable:
    """Let every running match be attended to now."""
    return update(t.matches).where(_m.state == "running").values(agenda_at=now)


def change_match(connection: Connection, match_id: int, **changes: object) -> MatchRow:
    """Change columns of a match, and return it. Raises KeyError."""
    rows = connection.execute(_CHANGE, {"which": match_id, **changes})
    return put_cached(connection, t.matches, match_id, only_row(MatchRow, rows, match_id))


@every(MatchRow)
def needing_attention(now: datetime, limit: int = 100) -> Executable:
    """Return the matches due for attention, the longest waiting first."""
    return _matches.where(_m.agenda_at <= now).order_by(_m.agenda_at, _m.id).limit(limit)


@values(int)
def due_of_sender(letter_id: int, now: datetime) -> Executable:
    """Return the matches due in which the sender of a letter plays."""
    seated = select(_m.id).join(t.seats, t.seats.c.match_id == _m.id)
    writing = seated.join(t.letters, t.letters.c.player_id == t.seats.c.player_id)
    due = writing.where(t.letters.c.id == letter_id, _m.agenda_at <= now)
    return due.distinct().order_by(_m.id)


def set_finished(
    connection: Connection, match_id: int, result: Mapping[str, Any], now: datetime
) -> None:
    """Record that a match is over, and its result."""
    change_match(connection, match_id, state="over", result=result, ended=now)


def set_reopened(connection: Connection, match_id: int) -> None:
    """Record that a match goes on: without result, its record secret again."""
    change_match(connection, match_id, state="running", result=None, ended=None, released=False)


def set_seed(connection: Connection, match_id: int, seed: bytes, commitment: str) -> None:
    """Keep the seed that a match draws from now on."""
    change_match(connection, match_id, seed=seed, commitment=commitment)


def set_released(connection: Connection, match_id: int) -> None:
    """Record that the record of a match is public."""
    change_match(connection, match_id, released=True)


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
