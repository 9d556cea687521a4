"""Players, their addresses, and the days they are away."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import Connection, Executable, delete, insert, or_, select, update

from referee.store import tables as t
from referee.store.database import query
from referee.store.database.block import put_cached, read_cached_each
from referee.store.states import AddressState
from referee.store.tables.base import EPOCH
from referee.store.tables.people import AddressRow, AwayRow, PlayerRow

UNTIL_YES: Final = -1
"""In place of seconds for which orders are held."""

DEFAULTS: Final[Mapping[str, str | int | None]] = MappingProxyType(
    {
        "format": "html",
        "digest": "off",
        "digest_at": "06:00",
        "subjects": "telling",
        "mails": "all",
        "reminders": None,
        "quiet": None,
        "no_composer": False,
        "grace": 0,
        "talk": None,
    }
)
"""The settings of a player who has set none."""

_p: Final = t.players.c
_a: Final = t.addresses.c
_addresses: Final = select(*query.row_columns(AddressRow, t.addresses))
_reachable: Final = (
    select(*query.row_columns(PlayerRow, t.players), *query.row_columns(AddressRow, t.addresses))
    .outerjoin(t.addresses, t.addresses.c.player_id == t.players.c.id)
    .order_by(t.addresses.c.preferred.desc(), t.addresses.c.id)
)
"""Players with their addresses, for most who ask for a player go on to write to them."""

_WIDTH: Final = len(PlayerRow.__struct_fields__)


def insert_player(
    connection: Connection,
    *,
    name: str,
    language: str,
    zone: str,
    address: str,
    now: datetime,
    format: str = "html",
) -> int:
    """Add a player with a first address, which mail goes to; return the id."""
    row = {"name": name, "language": language, "zone": zone, "format": format, "created": now}
    player_id = query.add_row(connection, t.players, **{**DEFAULTS, **row})
    give_address(connection, player_id, address, now=now, preferred=True)
    return player_id


def give_address(
    connection: Connection,
    player_id: int,
    address: str,
    *,
    now: datetime,
    state: AddressState = "ok",
    preferred: bool = False,
) -> None:
    """Give a player one more address, in lower case. An address belongs to one player."""
    if preferred:
        _unprefer(connection, player_id)
    # RFC 5321 lets a local part depend on case; hardly any server does, but people vary it.
    row = {"address": address.lower(), "player_id": player_id, "state": state}
    connection.execute(insert(t.addresses), {**row, "preferred": preferred, "created": now})


@query.done
def _unprefer(player_id: int) -> Executable:
    return update(t.addresses).where(_a.player_id == player_id).values(preferred=False)


def get_player(connection: Connection, player_id: int) -> PlayerRow:
    """Return a player. Raises KeyError."""
    return get_players(connection, [player_id])[player_id]


def get_players(connection: Connection, player_ids: Collection[int]) -> dict[int, PlayerRow]:
    """Return players by their numbers, all in one look. Raises KeyError if one is missing."""

    def read(wanted: list[int]) -> dict[int, PlayerRow]:
        return _known(connection, _of_ids(connection, wanted))

    players = read_cached_each(connection, t.players, player_ids, read)
    return {player_id: players[player_id] for player_id in sorted(set(player_ids))}


def read_players(connection: Connection) -> list[int]:
    """Read all players with their addresses, in one look; return their numbers."""
    return sorted(_known(connection, connection.execute(_reachable).all()))


@query.reading(lambda rows: rows.all())
def _of_ids(player_ids: Sequence[int]) -> Executable:
    return _reachable.where(_p.id.in_(player_ids))


@query.reading(lambda rows: rows.all())
def _of_address(address: str) -> Executable:
    written = t.addresses.alias("written")
    reached = _reachable.join(written, written.c.player_id == _p.id)
    return reached.where(written.c.address == address, written.c.state != "unconfirmed")


def _known(connection: Connection, rows: Sequence[Sequence[Any]]) -> dict[int, PlayerRow]:
    """Return the players read, and put them and their addresses into the cache.

    A row is a player with one of their addresses, or with none.
    """
    players, addresses = dict[int, PlayerRow](), dict[int, list[AddressRow]]()
    for row in rows:
        theirs = addresses.setdefault(row[0], [])
        if not theirs:
            players[row[0]] = PlayerRow(*row[:_WIDTH])
        if row[_WIDTH] is not None:
            theirs.append(AddressRow(*row[_WIDTH:]))
    for player_id, theirs in addresses.items():
        for address in theirs:
            put_cached(connection, t.addresses, address.address, address)
        put_cached(connection, t.addresses, player_id, tuple(theirs))
        put_cached(connection, t.players, player_id, players[player_id])
    return players


def find_player(connection: Connection, player_id: int) -> PlayerRow | None:
    """Return the player of a number, if there is one."""
    return _known(connection, _of_ids(connection, [player_id])).get(player_id)


def by_address(connection: Connection, address: str | None) -> PlayerRow | None:
    """Return the player of an address that is confirmed, in any case; None without one."""
    players = _known(connection, _of_address(connection, address.lower())) if address else {}
    return next(iter(players.values()), None)


@query.every(PlayerRow)
def all_players() -> Executable:
    """Return all players, in the order they came."""
    return select(*query.row_columns(PlayerRow, t.players)).order_by(_p.id)


@query.mapping
def player_names() -> Executable:
    """Return the name of each player."""
    return select(_p.id, _p.name)


def players_with_digest_due(connection: Connection, now: datetime) -> list[int]:
    """Return the players whose digest is to be looked at, in the order they came."""
    # A clock that was ahead may have left moments far off.
    due = or_(_p.digest_due <= now, _p.digest_due > now + timedelta(days=3))
    # Sorted here, for SQLite would read all players to return them in that order.
    return sorted(connection.execute(select(_p.id).where(due)).scalars())


def update_player(connection: Connection, player_id: int, **changes: object) -> None:
    """Change columns of a player by name; unless ``digest_due`` is one, look at their digest."""
    changed = {"digest_due": EPOCH, **changes}
    connection.execute(update(t.players).where(_p.id == player_id), changed)


def find_address(connection: Connection, address: str) -> AddressRow | None:
    """Return the row of an address, in any case."""
    return _find_address(connection, address.lower())


@query.cached(t.addresses)
@query.first(AddressRow)
def _find_address(address: str) -> Executable:
    return _addresses.where(_a.address == address)


@query.cached(t.addresses)
@query.every(AddressRow)
def addresses_of(player_id: int) -> Executable:
    """Return a player's addresses, the preferred one first."""
    theirs = _addresses.where(_a.player_id == player_id)
    return theirs.order_by(_a.preferred.desc(), _a.id)


def address_for(connection: Connection, player_id: int) -> str | None:
    """Return the address for a player's mail: one that works if any, None if none is confirmed."""
    known = [row for row in addresses_of(connection, player_id) if row.state != "unconfirmed"]
    # A working address goes before a preferred one that fails.
    good = [row for row in known if row.state == "ok"]
    return next((row.address for row in (*good, *known)), None)


@query.every(AddressRow)
def failing_addresses() -> Executable:
    """Return the addresses that mail comes back from."""
    return _addresses.where(_a.state == "failing").order_by(_a.id)


def set_address(
    connection: Connection, address: str, state: AddressState, reason: str | None = None
) -> None:
    """Record that an address is ok, failing or unconfirmed, and why."""
    _change_address(connection, address, state=state, reason=reason)


def set_preferred(connection: Connection, player_id: int, address: str) -> None:
    """Send a player's mail to this one of their addresses."""
    _unprefer(connection, player_id)
    _change_address(connection, address, preferred=True)


def _change_address(connection: Connection, address: str, **columns: object) -> None:
    connection.execute(update(t.addresses).where(_a.address == address.lower()), columns)


def drop_address(connection: Connection, address: str) -> None:
    """Forget an address."""
    connection.execute(delete(t.addresses).where(_a.address == address.lower()))


@query.done
def drop_player(player_id: int) -> Executable:
    """Forget a player to whom no row refers."""
    return delete(t.players).where(_p.id == player_id)


def add_away_days(
    connection: Connection, player_id: int, first_day: str, last_day: str, now: datetime
) -> int:
    """Add days a player is away, ISO dates in their zone, both included; return the id."""
    days = {"player_id": player_id, "first_day": first_day, "last_day": last_day}
    return query.add_row(connection, t.away, **days, created=now)


def away_of(connection: Connection, player_id: int) -> tuple[AwayRow, ...]:
    """Return the days a player is away, in order."""
    return away_of_all(connection, [player_id])[player_id]


def away_of_all(
    connection: Connection, player_ids: Iterable[int]
) -> dict[int, tuple[AwayRow, ...]]:
    """Return the days that players are away, in order."""

    def read(wanted: list[int]) -> dict[int, tuple[AwayRow, ...]]:
        rows = _days_away(connection, wanted)
        return {who: tuple([row for row in rows if row.player_id == who]) for who in wanted}

    return read_cached_each(connection, t.away, player_ids, read)


@query.every(AwayRow)
def _days_away(player_ids: Sequence[int]) -> Executable:
    days = select(*query.row_columns(AwayRow, t.away)).where(t.away.c.player_id.in_(player_ids))
    return days.order_by(t.away.c.first_day, t.away.c.id)


@query.done
def drop_away_days(away_id: int) -> Executable:
    """Forget days a player was to be away."""
    return delete(t.away).where(t.away.c.id == away_id)
