"""Tables about letters in and letters out; lists skip the raw bytes."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Index, LargeBinary, Table, UniqueConstraint, text

from referee.store.states import LetterState, OutboxKind, OutboxState, SubmissionOutcome
from referee.store.tables.base import (
    Packed,
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

# Few rows have bytes: those whose time is over are looked for among them alone.
_HAVING: Final = text("raw IS NOT NULL")

letters: Final = Table(
    "letters",
    metadata,
    identity_column(),
    text_column("mailbox"),
    text_column("folder"),
    whole_column("uidvalidity"),
    whole_column("uid"),
    moment_column("arrived"),
    whole_column("size"),
    flag_column("truncated"),
    text_column("raw_hash"),
    text_column("twin_hash", optional=True),
    text_column("message_id", optional=True),
    text_column("sender", optional=True),
    choice_column("state", LetterState),
    text_column("reason", optional=True),
    tally_column("attempts"),
    tally_column("kills"),
    flag_column("attempting"),
    # Where several daemons work: what the letter may touch, and whose hands it is in.
    text_column("lanes", optional=True),
    text_column("claimed_by", optional=True),
    flag_column("filed"),
    text_column("target", optional=True),
    reference_column("player_id", "players", optional=True),
    moment_column("kept_at"),
    moment_column("handled_at", optional=True),
    Column("raw", LargeBinary, nullable=True),
    text_column("habits", optional=True),
    # A UID means a letter only within a folder and its UIDVALIDITY (RFC 3501 section 2.3.1.1). Some
    # servers give every inbox the same one, so after a move to another account the address tells
    # new letters from those that were kept of the one before.
    UniqueConstraint("mailbox", "folder", "uidvalidity", "uid"),
    Index(None, "raw_hash"),
    Index(None, "twin_hash"),
    Index(None, "message_id"),
    Index(None, "sender", "id"),
    Index(None, "state", "arrived", "id"),
    Index(None, "filed", "uidvalidity"),
    Index(None, "claimed_by"),
    Index("ix_letters_raw", "id", sqlite_where=_HAVING, postgresql_where=_HAVING),
)

outbox: Final = Table(
    "outbox",
    metadata,
    identity_column(),
    text_column("recipient"),
    reference_column("player_id", "players", optional=True),
    reference_column("match_id", "matches", optional=True),
    text_column("seat", optional=True),
    choice_column("kind", OutboxKind),
    whole_column("turn", optional=True),
    whole_column("seq", optional=True),
    text_column("code", optional=True),
    text_column("message_id"),
    text_column("envelope_from"),
    choice_column("state", OutboxState),
    text_column("claimed_by", optional=True),
    tally_column("attempts"),
    moment_column("next_at"),
    moment_column("created"),
    moment_column("sent_at", optional=True),
    text_column("answer", optional=True),
    Column("raw", Packed, nullable=True),
    flag_column("unproved"),
    moment_column("bounced_at", optional=True),
    moment_column("arrived", optional=True),
    text_column("brief", optional=True),
    reference_column("told_in", "outbox", optional=True),
    tally_column("doubts"),
    # Bounces and answers find the mail by it.
    UniqueConstraint("message_id"),
    Index(None, "state", "next_at"),
    # Of each recipient only the earliest mail is due, which is asked for each mail.
    Index(None, "recipient", "state", "id"),
    Index(None, "player_id", "created"),
    Index(None, "match_id", "seat", "kind"),
    Index(None, "match_id", "seat", "kind", "state"),
    # The mails of the last minute and day are counted against the provider's rates.
    Index(None, "sent_at"),
    Index("ix_outbox_raw", "id", sqlite_where=_HAVING, postgresql_where=_HAVING),
    # Where a mail's row goes or is written anew, the database looks for rows that refer to it.
    Index(None, "told_in"),
)

submissions: Final = Table(
    "submissions",
    metadata,
    identity_column(),
    reference_column("letter_id", "letters"),
    whole_column("number"),
    reference_column("match_id", "matches", optional=True),
    text_column("seat", optional=True),
    text_column("code", optional=True),
    whole_column("turn", optional=True),
    text_column("orders"),
    text_column("digest"),
    choice_column("outcome", SubmissionOutcome),
    whole_column("first_seq", optional=True),
    whole_column("last_seq", optional=True),
    reference_column("receipt", "outbox", optional=True),
    UniqueConstraint("letter_id", "number"),
    # Each submission is looked for among earlier ones, since people send a letter twice.
    Index(None, "digest"),
    # Of a seat at most one is held, and its outcome is noted when that ends.
    Index(None, "match_id", "outcome"),
    Index(None, "receipt"),
)
