"""Every table of the database, each after those it refers to."""

from referee.store.tables.base import metadata
from referee.store.tables.people import addresses, away, leases, meta, players, strangers
from referee.store.tables.play import (
    codes,
    counters,
    events,
    matches,
    messages,
    plans,
    private_events,
    questions,
    seat_holders,
    seats,
    snapshots,
    stand_ins,
    standing_orders,
    told_positions,
    turns,
    waiting_messages,
    watchers,
)
from referee.store.tables.post import letters, outbox, submissions

__all__ = [
    "addresses", "away", "codes", "counters", "events", "leases", "letters", "matches", "messages",
    "meta", "metadata", "outbox", "plans", "players", "private_events", "questions", "seat_holders",
    "seats", "snapshots", "stand_ins", "standing_orders", "strangers", "submissions",
    "told_positions", "turns", "waiting_messages", "watchers",
]  # fmt: skip
