"""Players, their addresses, and the days they are away."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, insert, or_, select
from sqlalchemy import update as change

from referee.store import tables as t
from referee.store.database.block import put_cached, read_cached, read_cached_each
from referee.store.database.rows import all_rows, first_row, row_columns
from referee.store.states import AddressState, Digest, MailFormat, Reports, Subjects
from referee.store.tables.base import EPOCH
from referee.value import Value

UNTIL_YES: Final = -1
"""In place of seconds for which orders are held."""


class PlayerRow(Value):
    """A player and their settings.

    ``digest_at`` is the hour of their digest, ``quiet`` their quiet hours (None: none), both in
    their zone. ``reminders``: the times left at which they want to be reminded, ``off``, or None
    for those of each match.
    ``grace`` is how many seconds their orders are held, ``talk`` how many those with talk around
    them (None: as match or organiser say); UNTIL_YES: until they say yes.
    """

    id: int
    name: str
    language: str
    zone: str
    format: MailFormat
    digest: Digest
    digest_at: str
    subjects: Subjects
    mails: Reports
    reminders: str | None
    quiet: str | None
    created: datetime
    blocked: bool
    no_composer: bool
    grace: int
    talk: int | None

    @property
    def gathers(self) -> bool:
        """Whether reports wait for their digest."""
        return self.digest != "off" or self.mails == "few"


DEFAULTS: Final[Mapping[str, str | None]] = MappingProxyType(
    {
        "format": "html",
        "digest": "off",
        "digest_at": "06:00",
        "subjects": "telling",
        "mails": "all",
        "reminders": None,
        "quiet": None,
    }
)
"""The settings about mails of a player who has set none."""

UNSET: Final[Mapping[str, int | None]] = MappingProxyType(
    {"no_composer": False, "grace": 0, "talk": None}
)
"""The settings that the database itself gives a player who has set none."""


class AddressRow(Value):
    """An address of a player, in lower case; mail goes to the preferred one."""

    id: int
    address: str
    player_id: int
    state: AddressState
    preferred: bool
    reason: str | None
    created: datetime


class AwayRow(Value):
    """Days on which a player's clock stands still.

    ISO dates in the player's zone, both included.
    """

    id: int
    player_id: int
    first_day: str
    last_day: str
    created: datetime


_players: Final = select(*row_columns(PlayerRow, t.players))

_addresses: Final = select(*row_columns(AddressRow, t.addresses))

_ALL: Final = _players.order_by(t.players.c.id)

# A clock that was ahead may have left moments far off.
_DIGEST_DUE: Final = select(t.players.c.id).where(
    or_(t.players.c.digest_due <= bindparam("now"), t.players.c.digest_due > bindparam("far"))
)

_reachable: Final = (
    select(*row_columns(PlayerRow, t.players), *row_columns(AddressRow, t.addresses))
    .outerjoin(t.addresses, t.addresses.c.player_id == t.players.c.id)
    .order_by(t.addresses.c.preferred.desc(), t.addresses.c.id)
)
"""Players with their addresses, for most who ask for a player go on to write to them."""

_WIDTH: Final = len(row_columns(PlayerRow, t.players))

_BY_IDS: Final = _reachable.where(t.players.c.id.in_(bindparam("which", expanding=True)))

_written: Final = t.addresses.alias("written")

_BY_ADDRESS: Final = (
    _reachable.join(_written, _written.c.player_id == t.players.c.id)
    .where(_written.c.address == bindparam("which"))
    .where(_written.c.state != "unconfirmed")
)

_ADDRESS: Final = _addresses.where(t.addresses.c.address == bindparam("which"))

_ADDRESSES_OF: Final = _addresses.where(t.addresses.c.player_id == bindparam("which")).order_by(
    t.addresses.c.preferred.desc(), t.addresses.c.id
)

_FAILING: Final = _addresses.where(t.addresses.c.state == "failing").order_by(t.addresses.c.id)

_ADD: Final = insert(t.players).returning(t.players.c.id)

_ADD_ADDRESS: Final = insert(t.addresses)

_UPDATE: Final = change(t.players).where(t.players.c.id == bindparam("which"))

_UPDATE_ADDRESS: Final = change(t.addresses).where(t.addresses.c.address == bindparam("which"))

_UNPREFER: Final = change(t.addresses).where(t.addresses.c.player_id == bindparam("which"))

_DROP_ADDRESS: Final = delete(t.addresses).where(t.addresses.c.address == bindparam("which"))

_DROP: Final = delete(t.players).where(t.players.c.id == bindparam("which"))

_ADD_AWAY: Final = insert(t.away).returning(t.away.c.id)

_AWAY_OF_ALL: Final = (
    select(*row_columns(AwayRow, t.away))
    .where(t.away.c.player_id.in_(bindparam("which", expanding=True)))
    .order_by(t.away.c.first_day, t.away.c.id)
)

_DROP_AWAY: Final = delete(t.away).where(t.away.c.id == bindparam("which"))


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
    found: int = connection.execute(_ADD, {**DEFAULTS, **row}).scalar_one()
    give_address(connection, found, address, now=now, preferred=True)
    return found


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
        connection.execute(_UNPREFER, {"which": player_id, "preferred": False})
    # RFC 5321 lets a local part depend on case; hardly any server does, but people vary it.
    row = {"address": address.lower(), "player_id": player_id, "state": state}
    connection.execute(_ADD_ADDRESS, {**row, "preferred": preferred, "created": now})


def get_player(connection: Connection, player_id: int) -> PlayerRow:
    """Return a player. Raises KeyError."""
    return get_players(connection, [player_id])[player_id]


def get_players(connection: Connection, player_ids: Collection[int]) -> dict[int, PlayerRow]:
    """Return players by their numbers, all in one look. Raises KeyError if one is missing."""

    def read(wanted: list[int]) -> dict[int, PlayerRow]:
        return _found(connection, connection.execute(_BY_IDS, {"which": wanted}))

    found = read_cached_each(connection, t.players, player_ids, read)
    return {each: found[each] for each in sorted(set(player_ids))}


def read_players(connection: Connection) -> list[int]:
    """Read all players with their addresses, in one look; return their numbers."""
    return sorted(_found(connection, connection.execute(_reachable)))


def _found(connection: Connection, rows: Iterable[Sequence[Any]]) -> dict[int, PlayerRow]:
    """Return the players found, and put them and their addresses into the cache."""
    found, addresses = dict[int, PlayerRow](), dict[int, list[AddressRow]]()
    for row in rows:
        known = addresses.setdefault(row[0], [])
        if not known:
            found[row[0]] = PlayerRow(*row[:_WIDTH])
        if row[_WIDTH] is not None:
            known.append(AddressRow(*row[_WIDTH:]))
    for player, known in addresses.items():
        for each in known:
            put_cached(connection, t.addresses, each.address, each)
        put_cached(connection, t.addresses, player, tuple(known))
        put_cached(connection, t.players, player, found[player])
    return found


def find_player(connection: Connection, player_id: int) -> PlayerRow | None:
    """Return the player of a number, if there is one."""
    return _found(connection, connection.execute(_BY_IDS, {"which": [player_id]})).get(player_id)


def by_address(connection: Connection, address: str) -> PlayerRow | None:
    """Return the player of an address, in any case.

    An unconfirmed address belongs to no player yet.
    """
    found = _found(connection, connection.execute(_BY_ADDRESS, {"which": address.lower()}))
    return next(iter(found.values()), None)


def all_players(connection: Connection) -> tuple[PlayerRow, ...]:
    """Return all players, in the order they came."""
    return all_rows(PlayerRow, connection.execute(_ALL))


def players_with_digest_due(connection: Connection, now: datetime) -> list[int]:
    """Return the players whose digest is to be looked at, in the order they came."""
    given = {"now": now, "far": now + timedelta(days=3)}
    return sorted(connection.execute(_DIGEST_DUE, given).scalars())


def update_player(connection: Connection, player_id: int, **changes: object) -> None:
    """Change columns of a player by name; unless ``digest_due`` is one, look at their digest."""
    connection.execute(_UPDATE, {"which": player_id, "digest_due": EPOCH, **changes})


def find_address(connection: Connection, address: str) -> AddressRow | None:
    """Return the row of an address, in any case."""
    return read_cached(
        connection,
        t.addresses,
        address.lower(),
        lambda: first_row(AddressRow, connection.execute(_ADDRESS, {"which": address.lower()})),
    )


def addresses_of(connection: Connection, player_id: int) -> tuple[AddressRow, ...]:
    """Return a player's addresses, the preferred one first."""
    return read_cached(
        connection,
        t.addresses,
        player_id,
        lambda: all_rows(AddressRow, connection.execute(_ADDRESSES_OF, {"which": player_id})),
    )


def address_for(connection: Connection, player_id: int) -> str | None:
    """Return the address a player's mail goes to.

    It is one that works, if there is one; None while none is confirmed.
    """
    known = [each for each in addresses_of(connection, player_id) if each.state != "unconfirmed"]
    # A working address goes before a preferred one that fails.
    good = [each for each in known if each.state == "ok"]
    return next((each.address for each in (*good, *known)), None)


def failing_addresses(connection: Connection) -> tuple[AddressRow, ...]:
    """Return the addresses that mail comes back from."""
    return all_rows(AddressRow, connection.execute(_FAILING))


def set_address(
    connection: Connection, address: str, state: AddressState, reason: str | None = None
) -> None:
    """Record that an address is ok, failing or unconfirmed, and why."""
    row = {"which": address.lower(), "state": state, "reason": reason}
    connection.execute(_UPDATE_ADDRESS, row)


def set_preferred(connection: Connection, player_id: int, address: str) -> None:
    """Send a player's mail to this one of their addresses."""
    connection.execute(_UNPREFER, {"which": player_id, "preferred": False})
    connection.execute(_UPDATE_ADDRESS, {"which": address.lower(), "preferred": True})


def drop_address(connection: Connection, address: str) -> None:
    """Forget an address."""
    connection.execute(_DROP_ADDRESS, {"which": address.lower()})


def drop_player(connection: Connection, player_id: int) -> None:
    """Forget a player to whom no row refers."""
    connection.execute(_DROP, {"which": player_id})


def add_away_days(
    connection: Connection, player_id: int, first_day: str, last_day: str, now: datetime
) -> int:
    """Add days a player is away; return the id.

    ISO dates in the player's zone, both included.
    """
    row = {"player_id": player_id, "first_day": first_day, "last_day": last_day, "created": now}
    found: int = connection.execute(_ADD_AWAY, row).scalar_one()
    return found


def away_of(connection: Connection, player_id: int) -> tuple[AwayRow, ...]:
    """Return the days a player is away, in order."""
    return away_of_all(connection, [player_id])[player_id]


def away_of_all(
    connection: Connection, player_ids: Iterable[int]
) -> dict[int, tuple[AwayRow, ...]]:
    """Return the days that players are away, in order."""

    def read(wanted: list[int]) -> dict[int, tuple[AwayRow, ...]]:
        rows = all_rows(AwayRow, connection.execute(_AWAY_OF_ALL, {"which": wanted}))
        return {each: tuple([row for row in rows if row.player_id == each]) for each in wanted}

    return read_cached_each(connection, t.away, player_ids, read)


def drop_away_days(connection: Connection, away_id: int) -> None:
    """Forget days a player was to be away."""
    connection.execute(_DROP_AWAY, {"which": away_id})
