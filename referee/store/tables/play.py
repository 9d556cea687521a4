"""Tables about matches: seats, logs, turns, codes and standing orders."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Index, LargeBinary, Table, Text, UniqueConstraint

from referee.store.states import (
    Agreed,
    Holder,
    MatchState,
    PlanState,
    QuestionState,
    StandingKind,
    StandingState,
    StandInState,
    TurnState,
)
from referee.store.tables.base import (
    choice,
    flag,
    identity,
    metadata,
    moment,
    refers,
    tally,
    text,
    whole,
)

# A counter beside the matches, so that no name is ever given twice.
counters: Final = Table("counters", metadata, Column("game", Text, primary_key=True), whole("last"))

matches: Final = Table(
    "matches",
    metadata,
    identity(),
    text("name"),
    text("game"),
    whole("edition"),
    choice("state", MatchState),
    text("options"),
    text("words"),
    text("board", optional=True),
    Column("seed", LargeBinary, nullable=False),
    text("commitment"),
    flag("practice"),
    # Empty until the match begins: only then seats and words are settled.
    text("header", optional=True),
    text("header_hash", optional=True),
    moment("created"),
    moment("started", optional=True),
    moment("ended", optional=True),
    moment("paused_at", optional=True),
    whole("time_per_turn", optional=True),
    text("clock"),
    tally("seq"),
    text("head"),
    tally("draws"),
    tally("turn"),
    text("to_act", optional=True),
    tally("turn_began_seq"),
    moment("turn_began_at", optional=True),
    moment("due", optional=True),
    moment("agenda_at", optional=True),
    text("result", optional=True),
    flag("released"),
    text("seating", optional=True),
    UniqueConstraint("name"),
    Index(None, "state"),
    # The daemon asks for what is due after every letter.
    Index(None, "agenda_at"),
)

seats: Final = Table(
    "seats",
    metadata,
    refers("match_id", "matches", key=True),
    Column("seat", Text, primary_key=True),
    whole("number"),
    choice("holder", Holder),
    refers("player_id", "players", optional=True),
    text("bot", optional=True),
    choice("agreed", Agreed),
    text("thread_id", optional=True),
    tally("reported_seq"),
    tally("reported_turn"),
    whole("bank", optional=True),
    tally("handed_on"),
    Index(None, "player_id"),
)

events: Final = Table(
    "events",
    metadata,
    refers("match_id", "matches", key=True),
    # The key refuses a second event of this number: two writers would both append one.
    Column("seq", whole("seq").type, primary_key=True, autoincrement=False),
    text("kind"),
    text("seat", optional=True),
    whole("turn"),
    text("body"),
    text("facts"),
    text("hash"),
    moment("at"),
)

private_events: Final = Table(
    "private_events",
    metadata,
    refers("match_id", "matches", key=True),
    Column("seat", Text, primary_key=True),
    Column("seq", whole("seq").type, primary_key=True, autoincrement=False),
    text("kind"),
    text("body"),
    text("hash"),
    moment("at"),
    # The log of a seat is read backwards for its last events of one kind.
    Index(None, "match_id", "seat", "kind", "seq"),
)

turns: Final = Table(
    "turns",
    metadata,
    identity(),
    refers("match_id", "matches"),
    whole("number"),
    text("seat", optional=True),
    whole("began_seq"),
    moment("began_at"),
    tally("credit"),
    moment("due", optional=True),
    moment("late_told_at", optional=True),
    whole("ended_seq", optional=True),
    moment("ended_at", optional=True),
    choice("state", TurnState),
    # Not unique: a turn that was taken back is played again under the same number.
    Index(None, "match_id", "number"),
)

codes: Final = Table(
    "codes",
    metadata,
    # A code leads to one seat of one match, or a letter could order for another.
    Column("code", Text, primary_key=True),
    refers("match_id", "matches"),
    text("seat"),
    whole("turn"),
    whole("seq"),
    tally("handed_on"),
    moment("created"),
    Index(None, "match_id", "seat"),
)

snapshots: Final = Table(
    "snapshots", metadata, refers("match_id", "matches", key=True), whole("seq"), text("position")
)

standing_orders: Final = Table(
    "standing_orders",
    metadata,
    identity(),
    refers("match_id", "matches"),
    text("seat"),
    choice("kind", StandingKind),
    text("text"),
    choice("state", StandingState),
    moment("created"),
    moment("ended_at", optional=True),
    tally("number"),
    tally("handed_on"),
    Index(None, "match_id", "state"),
    Index(None, "match_id", "seat", "id"),
)

# Apart from the log, which keeps a hash: a text can be erased, an event cannot.
messages: Final = Table(
    "messages",
    metadata,
    identity(),
    refers("match_id", "matches"),
    text("seat", optional=True),
    text("recipients"),
    text("hash"),
    text("text", optional=True),
    moment("created"),
    Index(None, "match_id", "hash"),
    Index(None, "match_id", "seat", "created"),
)

watchers: Final = Table(
    "watchers",
    metadata,
    refers("match_id", "matches", key=True),
    refers("player_id", "players", key=True),
    moment("created"),
    tally("reported_seq"),
    tally("reported_turn"),
)

stand_ins: Final = Table(
    "stand_ins",
    metadata,
    identity(),
    refers("match_id", "matches"),
    text("seat"),
    refers("owner_id", "players"),
    refers("player_id", "players", optional=True),
    text("bot", optional=True),
    moment("begins"),
    moment("ends"),
    text("details"),
    choice("state", StandInState),
    moment("created"),
    Index(None, "match_id", "state"),
)

# Apart from the events, which are published with the record and name no persons.
seat_holders: Final = Table(
    "seat_holders",
    metadata,
    refers("match_id", "matches", key=True),
    Column("seq", whole("seq").type, primary_key=True, autoincrement=False),
    refers("player_id", "players"),
)

plans: Final = Table(
    "plans",
    metadata,
    identity(),
    refers("match_id", "matches", optional=True),
    text("document"),
    choice("state", PlanState),
    moment("created"),
    moment("ended_at", optional=True),
    Index(None, "match_id"),
)

questions: Final = Table(
    "questions",
    metadata,
    identity(),
    # Left unchecked, so that a new kind of question needs no migration.
    text("kind"),
    text("code", optional=True),
    text("address", optional=True),
    refers("player_id", "players", optional=True),
    refers("match_id", "matches", optional=True),
    text("seat", optional=True),
    text("document"),
    text("answered"),
    choice("state", QuestionState),
    moment("created"),
    moment("expires"),
    UniqueConstraint("code"),
    Index(None, "player_id"),
    Index(None, "address"),
    Index(None, "match_id", "state"),
    Index(None, "state", "expires"),
)
