"""Every table of the database, each after those it refers to."""

from referee.store.tables.base import metadata
from referee.store.tables.people import (
    addresses,
    away,
    leases,
    meta,
    players,
    requests,
    strangers,
)
from referee.store.tables.play import (
    codes,
    consents,
    counters,
    events,
    matches,
    messages,
    plans,
    private_events,
    seat_holders,
    seats,
    snapshots,
    stand_ins,
    standing_orders,
    turns,
    watchers,
)
from referee.store.tables.post import letters, outbox, submissions

__all__ = [
    "addresses",
    "away",
    "codes",
    "consents",
    "counters",
    "events",
    "leases",
    "letters",
    "matches",
    "messages",
    "meta",
    "metadata",
    "outbox",
    "plans",
    "players",
    "private_events",
    "requests",
    "seat_holders",
    "seats",
    "snapshots",
    "stand_ins",
    "standing_orders",
    "strangers",
    "submissions",
    "turns",
    "watchers",
]
