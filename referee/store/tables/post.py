"""Tables about letters in and letters out; lists skip the raw bytes."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Index, LargeBinary, Table, UniqueConstraint

from referee.store.states import LetterState, OutboxKind, OutboxState, SubmissionOutcome
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

letters: Final = Table(
    "letters",
    metadata,
    identity(),
    text("mailbox"),
    text("folder"),
    whole("uidvalidity"),
    whole("uid"),
    moment("arrived"),
    whole("size"),
    flag("truncated"),
    text("raw_hash"),
    text("twin_hash", optional=True),
    text("message_id", optional=True),
    text("sender", optional=True),
    choice("state", LetterState),
    text("reason", optional=True),
    tally("attempts"),
    tally("kills"),
    flag("attempting"),
    flag("filed"),
    text("target", optional=True),
    refers("player_id", "players", optional=True),
    moment("kept_at"),
    moment("handled_at", optional=True),
    Column("raw", LargeBinary, nullable=True),
    # A UID means a letter only within a folder and its UIDVALIDITY (RFC 3501 section 2.3.1.1).
    UniqueConstraint("mailbox", "folder", "uidvalidity", "uid"),
    Index(None, "raw_hash"),
    Index(None, "twin_hash"),
    Index(None, "message_id"),
    Index(None, "state", "arrived"),
    Index(None, "filed", "uidvalidity"),
)

outbox: Final = Table(
    "outbox",
    metadata,
    identity(),
    text("recipient"),
    refers("player_id", "players", optional=True),
    refers("match_id", "matches", optional=True),
    text("seat", optional=True),
    choice("kind", OutboxKind),
    whole("turn", optional=True),
    whole("seq", optional=True),
    text("code", optional=True),
    text("message_id"),
    text("envelope_from"),
    choice("state", OutboxState),
    tally("attempts"),
    moment("next_at"),
    moment("created"),
    moment("sent_at", optional=True),
    text("answer", optional=True),
    Column("raw", LargeBinary, nullable=True),
    flag("unproved"),
    moment("bounced_at", optional=True),
    # Bounces and answers find the mail by it.
    UniqueConstraint("message_id"),
    Index(None, "state", "next_at"),
    # Of each recipient only the earliest mail is due, which is asked for each mail.
    Index(None, "recipient", "state", "id"),
    Index(None, "player_id", "created"),
    Index(None, "match_id", "seat", "kind"),
)

submissions: Final = Table(
    "submissions",
    metadata,
    identity(),
    refers("letter_id", "letters"),
    whole("number"),
    refers("match_id", "matches", optional=True),
    text("seat", optional=True),
    text("code", optional=True),
    whole("turn", optional=True),
    text("orders"),
    text("digest"),
    choice("outcome", SubmissionOutcome),
    text("detail", optional=True),
    whole("first_seq", optional=True),
    whole("last_seq", optional=True),
    refers("receipt", "outbox", optional=True),
    UniqueConstraint("letter_id", "number"),
    # Each submission is looked for among earlier ones, since people send a letter twice.
    Index(None, "digest"),
)
