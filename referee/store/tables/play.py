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
    choice_column,
    flag_column,
    identity_column,
    metadata,
    moment_column,
    reference_column,
    tally_column,
    text_column,
    whole_column,
)

# A counter beside the matches, so that no name is ever given twice.
counters: Final = Table(
    "counters", metadata, Column("game", Text, primary_key=True), whole_column("last")
)

matches: Final = Table(
    "matches",
    metadata,
    identity_column(),
    text_column("name"),
    text_column("game"),
    whole_column("edition"),
    choice_column("state", MatchState),
    text_column("options"),
    text_column("words"),
    text_column("board", optional=True),
    Column("seed", LargeBinary, nullable=False),
    text_column("commitment"),
    flag_column("practice"),
    # Empty until the match begins: only then seats and words are settled.
    text_column("header", optional=True),
    text_column("header_hash", optional=True),
    moment_column("created"),
    moment_column("started", optional=True),
    moment_column("ended", optional=True),
    moment_column("paused_at", optional=True),
    whole_column("time_per_turn", optional=True),
    text_column("clock"),
    tally_column("seq"),
    text_column("head"),
    tally_column("draws"),
    tally_column("turn"),
    text_column("to_act", optional=True),
    tally_column("turn_began_seq"),
    moment_column("turn_began_at", optional=True),
    moment_column("due", optional=True),
    moment_column("agenda_at", optional=True),
    text_column("result", optional=True),
    flag_column("released"),
    text_column("seating", optional=True),
    UniqueConstraint("name"),
    # Each scrape asks who is late and which games are played, of all running matches.
    Index(None, "state", "due"),
    Index(None, "state", "game", "edition"),
    # The daemon asks for what is due after every letter.
    Index(None, "agenda_at"),
)

seats: Final = Table(
    "seats",
    metadata,
    reference_column("match_id", "matches", key=True),
    Column("seat", Text, primary_key=True),
    whole_column("number"),
    choice_column("holder", Holder),
    reference_column("player_id", "players", optional=True),
    text_column("bot", optional=True),
    choice_column("agreed", Agreed),
    text_column("thread_id", optional=True),
    tally_column("reported_seq"),
    tally_column("reported_turn"),
    whole_column("bank", optional=True),
    tally_column("handed_on"),
    Index(None, "player_id"),
)

events: Final = Table(
    "events",
    metadata,
    reference_column("match_id", "matches", key=True),
    # The key refuses a second event of this number: two writers would both append one.
    Column("seq", whole_column("seq").type, primary_key=True, autoincrement=False),
    text_column("kind"),
    text_column("seat", optional=True),
    whole_column("turn"),
    text_column("body"),
    text_column("facts"),
    text_column("hash"),
    moment_column("at"),
)

private_events: Final = Table(
    "private_events",
    metadata,
    reference_column("match_id", "matches", key=True),
    Column("seat", Text, primary_key=True),
    Column("seq", whole_column("seq").type, primary_key=True, autoincrement=False),
    text_column("kind"),
    text_column("body"),
    text_column("hash"),
    moment_column("at"),
    # The log of a seat is read backwards for its last events of one kind.
    Index(None, "match_id", "seat", "kind", "seq"),
)

turns: Final = Table(
    "turns",
    metadata,
    identity_column(),
    reference_column("match_id", "matches"),
    whole_column("number"),
    text_column("seat", optional=True),
    whole_column("began_seq"),
    moment_column("began_at"),
    tally_column("credit"),
    moment_column("late_told_at", optional=True),
    whole_column("ended_seq", optional=True),
    moment_column("ended_at", optional=True),
    choice_column("state", TurnState),
    # Not unique: a turn that was taken back is played again under the same number.
    Index(None, "match_id", "number"),
)

codes: Final = Table(
    "codes",
    metadata,
    # A code leads to one seat of one match, or a letter could order for another.
    Column("code", Text, primary_key=True),
    reference_column("match_id", "matches"),
    text_column("seat"),
    whole_column("turn"),
    whole_column("seq"),
    tally_column("handed_on"),
    moment_column("created"),
    Index(None, "match_id", "seat", "seq"),
)

snapshots: Final = Table(
    "snapshots",
    metadata,
    reference_column("match_id", "matches", key=True),
    whole_column("seq"),
    text_column("position"),
)

# As the readers of a match's reports saw it last, so that the next report replays no log.
told_positions: Final = Table(
    "told_positions",
    metadata,
    reference_column("match_id", "matches", key=True),
    Column("seq", whole_column("seq").type, primary_key=True, autoincrement=False),
    text_column("position"),
)

standing_orders: Final = Table(
    "standing_orders",
    metadata,
    identity_column(),
    reference_column("match_id", "matches"),
    text_column("seat"),
    choice_column("kind", StandingKind),
    text_column("text"),
    choice_column("state", StandingState),
    moment_column("created"),
    moment_column("ended_at", optional=True),
    tally_column("number"),
    tally_column("handed_on"),
    moment_column("arrived", optional=True),
    moment_column("until", optional=True),
    Index(None, "match_id", "state"),
    Index(None, "match_id", "seat", "id"),
    # Asked before every letter; empty for all that is not held.
    Index(None, "state", "until"),
)

# Apart from the log, which keeps a hash: a text can be erased, an event cannot.
messages: Final = Table(
    "messages",
    metadata,
    identity_column(),
    reference_column("match_id", "matches"),
    text_column("seat", optional=True),
    # The writer, who may have left the seat since.
    reference_column("player_id", "players", optional=True),
    text_column("recipients"),
    text_column("hash"),
    text_column("text", optional=True),
    moment_column("created"),
    Index(None, "match_id", "hash"),
    Index(None, "match_id", "seat", "created"),
)

# By person, as either seat may have changed hands before the digest is written.
waiting_messages: Final = Table(
    "waiting_messages",
    metadata,
    identity_column(),
    reference_column("match_id", "matches"),
    text_column("hash"),
    reference_column("player_id", "players"),
    reference_column("sender_id", "players"),
    reference_column("mail_id", "outbox", optional=True),
    Index(None, "player_id"),
    Index(None, "mail_id"),
)

watchers: Final = Table(
    "watchers",
    metadata,
    reference_column("match_id", "matches", key=True),
    reference_column("player_id", "players", key=True),
    moment_column("created"),
    tally_column("reported_seq"),
    tally_column("reported_turn"),
)

stand_ins: Final = Table(
    "stand_ins",
    metadata,
    identity_column(),
    reference_column("match_id", "matches"),
    text_column("seat"),
    reference_column("owner_id", "players"),
    reference_column("player_id", "players", optional=True),
    text_column("bot", optional=True),
    moment_column("begins"),
    moment_column("ends"),
    text_column("details"),
    choice_column("state", StandInState),
    moment_column("created"),
    Index(None, "match_id", "state"),
    # Asked before every letter.
    Index(None, "state", "begins"),
    Index(None, "state", "ends"),
)

# Apart from the events, which are published with the record and name no persons.
seat_holders: Final = Table(
    "seat_holders",
    metadata,
    reference_column("match_id", "matches", key=True),
    Column("seq", whole_column("seq").type, primary_key=True, autoincrement=False),
    reference_column("player_id", "players"),
)

plans: Final = Table(
    "plans",
    metadata,
    identity_column(),
    reference_column("match_id", "matches", optional=True),
    text_column("document"),
    choice_column("state", PlanState),
    moment_column("created"),
    moment_column("ended_at", optional=True),
    Index(None, "match_id"),
)

questions: Final = Table(
    "questions",
    metadata,
    identity_column(),
    # Left unchecked, so that a new kind of question needs no migration.
    text_column("kind"),
    text_column("code", optional=True),
    text_column("address", optional=True),
    reference_column("player_id", "players", optional=True),
    reference_column("match_id", "matches", optional=True),
    text_column("seat", optional=True),
    text_column("document"),
    text_column("answered"),
    choice_column("state", QuestionState),
    moment_column("created"),
    moment_column("expires"),
    UniqueConstraint("code"),
    Index(None, "player_id"),
    Index(None, "address"),
    Index(None, "match_id", "state"),
    Index(None, "state", "expires"),
)
