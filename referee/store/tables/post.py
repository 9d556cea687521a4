"""Tables about letters in and letters out: each a kind of row, without the bytes."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import Index, UniqueConstraint

from referee.store.states import LetterState, OutboxKind, OutboxState, SubmissionOutcome
from referee.store.tables.base import (
    Identity,
    LetterRef,
    MailRef,
    MatchRef,
    PackedBytes,
    PlayerRef,
    Tally,
    table,
)
from referee.value import Value

# Few rows have bytes: those whose time is over are looked for among them alone.
_HAVING: Final = {"where": "raw IS NOT NULL"}


class LetterRow(Value):
    """A letter without its bytes; ``size`` is the whole letter's, in bytes."""

    id: Identity
    folder: str
    uidvalidity: int
    uid: int
    arrived: datetime
    size: int
    truncated: bool
    raw_hash: str
    twin_hash: str | None
    message_id: str | None
    sender: str | None
    state: LetterState
    reason: str | None
    attempts: Tally
    kills: Tally
    attempting: bool
    filed: bool
    target: str | None
    player_id: PlayerRef | None
    kept_at: datetime
    handled_at: datetime | None


letters: Final = table(
    LetterRow,
    "letters",
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
    Index("ix_letters_raw", "id", info=_HAVING),
    mailbox=str,
    # Where several daemons work: what the letter may touch, and whose hands it is in.
    lanes=str | None,
    claimed_by=str | None,
    raw=bytes | None,
    habits=str | None,
)


class OutboxRow(Value):
    """A mail without its bytes; ``seq`` is the event a report tells up to.

    ``bounced_at`` is when it came back; ``unproved``: it answers a letter that proved nothing.
    ``arrived`` is when the letter came that it was written after, if there was one. ``told_in`` is
    the report that told it in its place. ``doubts`` counts the tries that may have arrived.
    """

    id: Identity
    recipient: str
    player_id: PlayerRef | None
    match_id: MatchRef | None
    seat: str | None
    kind: OutboxKind
    turn: int | None
    seq: int | None
    code: str | None
    message_id: str
    envelope_from: str
    state: OutboxState
    attempts: Tally
    next_at: datetime
    created: datetime
    sent_at: datetime | None
    answer: str | None
    unproved: bool
    bounced_at: datetime | None
    arrived: datetime | None
    told_in: MailRef | None = None
    doubts: Tally = 0


outbox: Final = table(
    OutboxRow,
    "outbox",
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
    Index("ix_outbox_raw", "id", info=_HAVING),
    # Where a mail's row goes or is written anew, the database looks for rows that refer to it.
    Index(None, "told_in"),
    claimed_by=str | None,
    raw=PackedBytes | None,
    brief=str | None,
)


class SubmissionRow(Value):
    """The orders or commands of a letter for one seat."""

    id: Identity
    letter_id: LetterRef
    number: int
    match_id: MatchRef | None
    seat: str | None
    code: str | None
    turn: int | None
    orders: str
    digest: str
    outcome: SubmissionOutcome
    first_seq: int | None
    last_seq: int | None
    receipt: MailRef | None


submissions: Final = table(
    SubmissionRow,
    "submissions",
    UniqueConstraint("letter_id", "number"),
    # Each submission is looked for among earlier ones, since people send a letter twice.
    Index(None, "digest"),
    # Of a seat at most one is held, and its outcome is noted when that ends.
    Index(None, "match_id", "outcome"),
    Index(None, "receipt"),
)
