"""Tables about the installation and its correspondents."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Index, Table, Text, UniqueConstraint

from referee.store.states import AddressState, Digest, MailFormat
from referee.store.tables.base import (
    choice,
    flag,
    identity,
    metadata,
    moment,
    refers,
    tally,
    text,
)

meta: Final = Table("meta", metadata, Column("key", Text, primary_key=True), text("value"))

players: Final = Table(
    "players",
    metadata,
    identity(),
    text("name"),
    text("language"),
    text("zone"),
    choice("format", MailFormat),
    choice("digest", Digest),
    text("pgp_fingerprint", optional=True),
    moment("created"),
    flag("blocked"),
    flag("no_calendar"),
)

addresses: Final = Table(
    "addresses",
    metadata,
    identity(),
    text("address"),
    refers("player_id", "players"),
    choice("state", AddressState),
    flag("preferred"),
    text("reason", optional=True),
    moment("created"),
    # A letter's sender must lead to one player only.
    UniqueConstraint("address"),
    Index(None, "player_id"),
)

away: Final = Table(
    "away",
    metadata,
    identity(),
    refers("player_id", "players"),
    text("first_day"),
    text("last_day"),
    moment("created"),
    Index(None, "player_id"),
)

strangers: Final = Table(
    "strangers",
    metadata,
    Column("address", Text, primary_key=True),
    # By day, since both the one answer and the organiser's summary are for a day.
    Column("day", Text, primary_key=True),
    tally("count"),
    flag("answered"),
)

leases: Final = Table(
    "leases",
    metadata,
    Column("mailbox", Text, primary_key=True),
    text("owner", optional=True),
    moment("heartbeat", optional=True),
    moment("polled_at", optional=True),
)
