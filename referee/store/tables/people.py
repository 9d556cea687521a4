"""Tables about the installation and its correspondents."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Index, Table, Text, UniqueConstraint

from referee.store.states import AddressState, Digest, MailFormat, Reports, Subjects
from referee.store.tables.base import (
    choice_column,
    flag_column,
    identity_column,
    metadata,
    moment_column,
    reference_column,
    tally_column,
    text_column,
)

meta: Final = Table("meta", metadata, Column("key", Text, primary_key=True), text_column("value"))

players: Final = Table(
    "players",
    metadata,
    identity_column(),
    text_column("name"),
    text_column("language"),
    text_column("zone"),
    choice_column("format", MailFormat),
    choice_column("digest", Digest),
    text_column("digest_at"),
    choice_column("subjects", Subjects),
    choice_column("mails", Reports),
    text_column("reminders", optional=True),
    text_column("quiet", optional=True),
    moment_column("created"),
    flag_column("blocked"),
    flag_column("no_composer"),
    tally_column("grace"),
    Column("talk", BigInteger),
    moment_column("digest_due", optional=True),
    # Of all digests those due are asked for in each round.
    Index(None, "digest_due"),
)

addresses: Final = Table(
    "addresses",
    metadata,
    identity_column(),
    text_column("address"),
    reference_column("player_id", "players"),
    choice_column("state", AddressState),
    flag_column("preferred"),
    text_column("reason", optional=True),
    moment_column("created"),
    # A letter's sender must lead to one player only.
    UniqueConstraint("address"),
    Index(None, "player_id"),
)

away: Final = Table(
    "away",
    metadata,
    identity_column(),
    reference_column("player_id", "players"),
    text_column("first_day"),
    text_column("last_day"),
    moment_column("created"),
    Index(None, "player_id"),
)

strangers: Final = Table(
    "strangers",
    metadata,
    Column("address", Text, primary_key=True),
    # By day, since both the one answer and the organiser's summary are for a day.
    Column("day", Text, primary_key=True),
    tally_column("count"),
    flag_column("answered"),
)

leases: Final = Table(
    "leases",
    metadata,
    Column("name", Text, primary_key=True),
    text_column("owner", optional=True),
    moment_column("heartbeat", optional=True),
    moment_column("polled_at", optional=True),
)
