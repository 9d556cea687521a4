"""Tables of matches."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    _counters()
    _matches()
    _seats()
    _events()
    _private_events()
    _turns()
    _codes()
    _snapshots()
    _standing_orders()
    _messages()
    _watchers()
    _plans()


def _counters() -> None:
    op.create_table(
        "counters",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game", name=op.f("pk_counters")),
    )


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("edition", sa.BigInteger(), nullable=False),
        sa.Column(
            "state",
            sa.Text(),
            sa.CheckConstraint(
                "state IN ('invited', 'running', 'paused', 'over', 'abandoned', 'moved')",
                name=op.f("ck_matches_state"),
            ),
            nullable=False,
        ),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("board", sa.Text(), nullable=True),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("practice", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("header", sa.Text(), nullable=True),
        sa.Column("header_hash", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("paused_at", sa.BigInteger(), nullable=True),
        sa.Column("time_per_turn", sa.BigInteger(), nullable=True),
        sa.Column("clock", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("head", sa.Text(), nullable=False),
        sa.Column("draws", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("turn", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("to_act", sa.Text(), nullable=True),
        sa.Column("turn_began_seq", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("turn_began_at", sa.BigInteger(), nullable=True),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("agenda_at", sa.BigInteger(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("released", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("name", name=op.f("uq_matches_name")),
    )
    op.create_index(op.f("ix_matches_agenda_at"), "matches", ["agenda_at"], unique=False)
    op.create_index(op.f("ix_matches_state"), "matches", ["state"], unique=False)


def _seats() -> None:
    op.create_table(
        "seats",
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column(
            "holder",
            sa.Text(),
            sa.CheckConstraint(
                "holder IN ('player', 'bot', 'nobody')", name=op.f("ck_seats_holder")
            ),
            nullable=False,
        ),
        sa.Column("player_id", IDENTITY, nullable=True),
        sa.Column("bot", sa.Text(), nullable=True),
        sa.Column(
            "agreed",
            sa.Text(),
            sa.CheckConstraint("agreed IN ('unasked', 'yes', 'no')", name=op.f("ck_seats_agreed")),
            nullable=False,
        ),
        sa.Column("thread_id", sa.Text(), nullable=True),
        sa.Column("reported_seq", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("reported_turn", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("bank", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_seats_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_seats_player_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index(op.f("ix_seats_player_id"), "seats", ["player_id"], unique=False)


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=True),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_events_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seq", name=op.f("pk_events")),
    )


def _private_events() -> None:
    op.create_table(
        "private_events",
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_private_events_match_id")
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", "seq", name=op.f("pk_private_events")),
    )


def _turns() -> None:
    op.create_table(
        "turns",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=True),
        sa.Column("began_seq", sa.BigInteger(), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("clock_at", sa.BigInteger(), nullable=True),
        sa.Column("credit", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("reminded_at", sa.BigInteger(), nullable=True),
        sa.Column("late_told_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_seq", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column(
            "state",
            sa.Text(),
            sa.CheckConstraint("state IN ('open', 'done', 'undone')", name=op.f("ck_turns_state")),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_turns_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
    )
    op.create_index(op.f("ix_turns_match_id_number"), "turns", ["match_id", "number"], unique=False)


def _codes() -> None:
    op.create_table(
        "codes",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_codes_match_id")),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_codes")),
    )
    op.create_index(op.f("ix_codes_match_id_seat"), "codes", ["match_id", "seat"], unique=False)


def _snapshots() -> None:
    op.create_table(
        "snapshots",
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_snapshots_match_id")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_snapshots")),
    )


def _standing_orders() -> None:
    op.create_table(
        "standing_orders",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column(
            "kind",
            sa.Text(),
            sa.CheckConstraint(
                "kind IN ('queue', 'policy', 'rest')", name=op.f("ck_standing_orders_kind")
            ),
            nullable=False,
        ),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column(
            "state",
            sa.Text(),
            sa.CheckConstraint(
                "state IN ('waiting', 'used', 'cancelled', 'void')",
                name=op.f("ck_standing_orders_state"),
            ),
            nullable=False,
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_standing_orders_match_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_standing_orders")),
    )
    op.create_index(
        op.f("ix_standing_orders_match_id_state"),
        "standing_orders",
        ["match_id", "state"],
        unique=False,
    )


def _messages() -> None:
    op.create_table(
        "messages",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("seat", sa.Text(), nullable=True),
        sa.Column("recipients", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_messages_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )
    op.create_index(op.f("ix_messages_match_id"), "messages", ["match_id"], unique=False)


def _watchers() -> None:
    op.create_table(
        "watchers",
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("player_id", IDENTITY, nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_watchers_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_watchers_player_id")),
        sa.PrimaryKeyConstraint("match_id", "player_id", name=op.f("pk_watchers")),
    )


def _plans() -> None:
    op.create_table(
        "plans",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("match_id", IDENTITY, nullable=True),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column(
            "state",
            sa.Text(),
            sa.CheckConstraint(
                "state IN ('open', 'applied', 'dropped')", name=op.f("ck_plans_state")
            ),
            nullable=False,
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_plans_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plans")),
    )
    op.create_index(op.f("ix_plans_match_id"), "plans", ["match_id"], unique=False)
