"""The tables of the first release.

They repeat ``referee.store.tables`` on purpose: those change with the program, while a migration
has to make the same tables for ever.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0100"
down_revision = None

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = sa.MetaData(naming_convention=NAMES)

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _table(name: str, *parts: sa.schema.SchemaItem) -> None:
    sa.Table(name, metadata, *parts)


def _identity() -> sa.Column[Any]:
    return sa.Column("id", IDENTITY, primary_key=True)


def _refers(name: str, to: str, *, optional: bool = False, key: bool = False) -> sa.Column[Any]:
    return sa.Column(name, IDENTITY, sa.ForeignKey(f"{to}.id"), nullable=optional, primary_key=key)


def _text(*names: str, optional: bool = False, key: bool = False) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text, nullable=optional, primary_key=key) for name in names]


def _whole(*names: str, optional: bool = False, key: bool = False) -> list[sa.Column[Any]]:
    more: dict[str, Any] = {"nullable": optional, "primary_key": key, "autoincrement": False}
    return [sa.Column(name, sa.BigInteger, **more) for name in names]


def _tally(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.BigInteger, nullable=False, server_default="0") for name in names]


def _flag(*names: str) -> list[sa.Column[Any]]:
    no = sa.false()
    return [sa.Column(name, sa.Boolean, nullable=False, server_default=no) for name in names]


def _choice(name: str, *words: str) -> sa.Column[Any]:
    check = f"{name} IN ({', '.join(map(repr, words))})"
    return sa.Column(name, sa.Text, sa.CheckConstraint(check, name=name), nullable=False)


_table("meta", *_text("key", key=True), *_text("value"))

_table(
    "players",
    _identity(),
    *_text("name", "language", "zone"),
    _choice("format", "html", "text", "phone", "spoken"),
    _choice("digest", "off", "daily"),
    *_text("digest_at"),
    _choice("subjects", "plain", "telling"),
    _choice("mails", "all", "turns", "few"),
    *_text("reminders", "quiet", optional=True),
    *_text("pgp_fingerprint", optional=True),
    *_whole("created"),
    *_flag("blocked", "no_calendar", "no_composer"),
    *_tally("grace"),
    *_flag("confirms"),
    *_text("mailbox", optional=True),
)

_table(
    "addresses",
    _identity(),
    *_text("address"),
    _refers("player_id", "players"),
    _choice("state", "ok", "failing", "unconfirmed"),
    *_flag("preferred"),
    *_text("reason", optional=True),
    *_whole("created"),
    sa.UniqueConstraint("address"),
    sa.Index(None, "player_id"),
)

_table(
    "away",
    _identity(),
    _refers("player_id", "players"),
    *_text("first_day", "last_day"),
    *_whole("created"),
    sa.Index(None, "player_id"),
)

_table("strangers", *_text("address", "day", key=True), *_tally("count"), *_flag("answered"))

_table(
    "leases",
    *_text("mailbox", key=True),
    *_text("owner", optional=True),
    *_whole("heartbeat", "polled_at", optional=True),
)

_table("counters", *_text("game", key=True), *_whole("last"))

_table(
    "matches",
    _identity(),
    *_text("name", "game"),
    *_whole("edition"),
    _choice("state", "invited", "running", "paused", "over", "abandoned", "moved"),
    *_text("options", "words"),
    *_text("board", optional=True),
    sa.Column("seed", sa.LargeBinary, nullable=False),
    *_text("commitment"),
    *_flag("practice"),
    *_text("header", "header_hash", optional=True),
    *_whole("created"),
    *_whole("started", "ended", "paused_at", "time_per_turn", optional=True),
    *_text("clock"),
    *_tally("seq"),
    *_text("head"),
    *_tally("draws", "turn"),
    *_text("to_act", optional=True),
    *_tally("turn_began_seq"),
    *_whole("turn_began_at", "due", "agenda_at", optional=True),
    *_text("result", optional=True),
    *_flag("released"),
    *_text("seating", optional=True),
    sa.UniqueConstraint("name"),
    sa.Index(None, "state", "due"),
    sa.Index(None, "state", "game", "edition"),
    sa.Index(None, "agenda_at"),
)

_table(
    "seats",
    _refers("match_id", "matches", key=True),
    *_text("seat", key=True),
    *_whole("number"),
    _choice("holder", "player", "bot", "nobody"),
    _refers("player_id", "players", optional=True),
    *_text("bot", optional=True),
    _choice("agreed", "unasked", "yes", "no"),
    *_text("thread_id", optional=True),
    *_tally("reported_seq", "reported_turn"),
    *_whole("bank", optional=True),
    *_tally("handed_on"),
    sa.Index(None, "player_id"),
)

_table(
    "seat_holders",
    _refers("match_id", "matches", key=True),
    *_whole("seq", key=True),
    _refers("player_id", "players"),
)

_table(
    "events",
    _refers("match_id", "matches", key=True),
    *_whole("seq", key=True),
    *_text("kind"),
    *_text("seat", optional=True),
    *_whole("turn"),
    *_text("body", "facts", "hash"),
    *_whole("at"),
)

_table(
    "private_events",
    _refers("match_id", "matches", key=True),
    *_text("seat", key=True),
    *_whole("seq", key=True),
    *_text("kind", "body", "hash"),
    *_whole("at"),
    sa.Index(None, "match_id", "seat", "kind", "seq"),
)

_table(
    "snapshots",
    _refers("match_id", "matches", key=True),
    *_whole("seq"),
    *_text("position"),
)

_table(
    "messages",
    _identity(),
    _refers("match_id", "matches"),
    *_text("seat", optional=True),
    _refers("player_id", "players", optional=True),
    *_text("recipients", "hash"),
    *_text("text", optional=True),
    *_whole("created"),
    sa.Index(None, "match_id", "hash"),
    sa.Index(None, "match_id", "seat", "created"),
)

_table(
    "waiting_messages",
    _identity(),
    _refers("match_id", "matches"),
    *_text("hash"),
    _refers("player_id", "players"),
    _refers("sender_id", "players"),
    _refers("mail_id", "outbox", optional=True),
    sa.Index(None, "player_id"),
    sa.Index(None, "mail_id"),
)

_table(
    "turns",
    _identity(),
    _refers("match_id", "matches"),
    *_whole("number"),
    *_text("seat", optional=True),
    *_whole("began_seq", "began_at"),
    *_tally("credit"),
    *_whole("due", "late_told_at", "ended_seq", "ended_at", optional=True),
    _choice("state", "open", "done", "undone"),
    sa.Index(None, "match_id", "number"),
)

_table(
    "codes",
    *_text("code", key=True),
    _refers("match_id", "matches"),
    *_text("seat"),
    *_whole("turn", "seq"),
    *_tally("handed_on"),
    *_whole("created"),
    sa.Index(None, "match_id", "seat"),
)

_table(
    "standing_orders",
    _identity(),
    _refers("match_id", "matches"),
    *_text("seat"),
    _choice("kind", "queue", "policy", "rest", "held"),
    *_text("text"),
    _choice("state", "waiting", "used", "cancelled", "void"),
    *_whole("created"),
    *_whole("ended_at", optional=True),
    *_tally("number", "handed_on"),
    *_whole("arrived", "until", optional=True),
    sa.Index(None, "match_id", "state"),
    sa.Index(None, "match_id", "seat", "id"),
    sa.Index(None, "until"),
)

_table(
    "watchers",
    _refers("match_id", "matches", key=True),
    _refers("player_id", "players", key=True),
    *_whole("created"),
    *_tally("reported_seq", "reported_turn"),
)

_table(
    "stand_ins",
    _identity(),
    _refers("match_id", "matches"),
    *_text("seat"),
    _refers("owner_id", "players"),
    _refers("player_id", "players", optional=True),
    *_text("bot", optional=True),
    *_whole("begins", "ends"),
    *_text("details"),
    _choice("state", "planned", "sitting", "over"),
    *_whole("created"),
    sa.Index(None, "match_id", "state"),
)

_table(
    "plans",
    _identity(),
    _refers("match_id", "matches", optional=True),
    *_text("document"),
    _choice("state", "open", "applied", "dropped"),
    *_whole("created"),
    *_whole("ended_at", optional=True),
    sa.Index(None, "match_id"),
)

_table(
    "questions",
    _identity(),
    *_text("kind"),
    *_text("code", "address", optional=True),
    _refers("player_id", "players", optional=True),
    _refers("match_id", "matches", optional=True),
    *_text("seat", optional=True),
    *_text("document", "answered"),
    _choice("state", "waiting", "granted", "declined", "dropped"),
    *_whole("created", "expires"),
    sa.UniqueConstraint("code"),
    sa.Index(None, "player_id"),
    sa.Index(None, "address"),
    sa.Index(None, "match_id", "state"),
    sa.Index(None, "state", "expires"),
)

_table(
    "letters",
    _identity(),
    *_text("mailbox", "folder"),
    *_whole("uidvalidity", "uid", "arrived", "size"),
    *_flag("truncated"),
    *_text("raw_hash"),
    *_text("twin_hash", "message_id", "sender", optional=True),
    _choice("state", "kept", "handled", "ignored", "repeat", "quarantined"),
    *_text("reason", "lanes", "claimed_by", optional=True),
    *_tally("attempts", "kills"),
    *_flag("attempting", "filed"),
    *_text("target", optional=True),
    _refers("player_id", "players", optional=True),
    *_whole("kept_at"),
    *_whole("handled_at", optional=True),
    sa.Column("raw", sa.LargeBinary, nullable=True),
    sa.UniqueConstraint("mailbox", "folder", "uidvalidity", "uid"),
    sa.Index(None, "raw_hash"),
    sa.Index(None, "twin_hash"),
    sa.Index(None, "message_id"),
    sa.Index(None, "state", "arrived"),
    sa.Index(None, "filed", "uidvalidity"),
    sa.Index(None, "claimed_by"),
)

_table(
    "submissions",
    _identity(),
    _refers("letter_id", "letters"),
    *_whole("number"),
    _refers("match_id", "matches", optional=True),
    *_text("seat", "code", optional=True),
    *_whole("turn", optional=True),
    *_text("orders", "digest"),
    _choice(
        "outcome",
        *("accepted", "partly", "refused", "unclear", "repeat", "command", "held", "withdrawn"),
    ),
    *_whole("first_seq", "last_seq", optional=True),
    _refers("receipt", "outbox", optional=True),
    sa.UniqueConstraint("letter_id", "number"),
    sa.Index(None, "digest"),
    sa.Index(None, "match_id", "outcome"),
)

_table(
    "outbox",
    _identity(),
    *_text("recipient"),
    _refers("player_id", "players", optional=True),
    _refers("match_id", "matches", optional=True),
    *_text("seat", optional=True),
    _choice("kind", "invitation", "report", "receipt", "answer", "notice", "organiser"),
    *_whole("turn", "seq", optional=True),
    *_text("code", "claimed_by", optional=True),
    *_text("message_id"),
    *_text("mailbox", optional=True),
    *_text("envelope_from"),
    _choice("state", "waiting", "sending", "sent", "uncertain", "failed", "held", "superseded"),
    *_tally("attempts"),
    *_whole("next_at", "created"),
    *_whole("sent_at", optional=True),
    *_text("answer", optional=True),
    sa.Column("raw", sa.LargeBinary, nullable=True),
    *_flag("unproved"),
    *_whole("bounced_at", "arrived", optional=True),
    *_text("brief", optional=True),
    _refers("told_in", "outbox", optional=True),
    sa.UniqueConstraint("message_id"),
    sa.Index(None, "state", "next_at"),
    sa.Index(None, "recipient", "state", "id"),
    sa.Index(None, "player_id", "created"),
    sa.Index(None, "match_id", "seat", "kind"),
    sa.Index(None, "sent_at"),
)


def upgrade() -> None:
    """Create the tables, with their checks and indexes."""
    metadata.create_all(op.get_bind(), checkfirst=False)
