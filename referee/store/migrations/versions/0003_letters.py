"""Tables of letters and the outbox."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    _letters()
    _outbox()
    _submissions()


def _letters() -> None:
    op.create_table(
        "letters",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("mailbox", sa.Text(), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.Column("arrived", sa.BigInteger(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("truncated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("raw_hash", sa.Text(), nullable=False),
        sa.Column("twin_hash", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=True),
        sa.Column("sender", sa.Text(), nullable=True),
        sa.Column(
            "state",
            sa.Text(),
            sa.CheckConstraint(
                "state IN ('kept', 'handled', 'ignored', 'repeat', 'quarantined')",
                name=op.f("ck_letters_state"),
            ),
            nullable=False,
        ),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("attempts", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("kills", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("attempting", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("filed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("target", sa.Text(), nullable=True),
        sa.Column("player_id", IDENTITY, nullable=True),
        sa.Column("kept_at", sa.BigInteger(), nullable=False),
        sa.Column("handled_at", sa.BigInteger(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_letters_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letters")),
        sa.UniqueConstraint(
            "mailbox",
            "folder",
            "uidvalidity",
            "uid",
            name=op.f("uq_letters_mailbox_folder_uidvalidity_uid"),
        ),
    )
    op.create_index(
        op.f("ix_letters_filed_uidvalidity"), "letters", ["filed", "uidvalidity"], unique=False
    )
    op.create_index(op.f("ix_letters_message_id"), "letters", ["message_id"], unique=False)
    op.create_index(op.f("ix_letters_raw_hash"), "letters", ["raw_hash"], unique=False)
    op.create_index(op.f("ix_letters_state_arrived"), "letters", ["state", "arrived"], unique=False)
    op.create_index(op.f("ix_letters_twin_hash"), "letters", ["twin_hash"], unique=False)


def _outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("player_id", IDENTITY, nullable=True),
        sa.Column("match_id", IDENTITY, nullable=True),
        sa.Column("seat", sa.Text(), nullable=True),
        sa.Column(
            "kind",
            sa.Text(),
            sa.CheckConstraint(
                "kind IN ('invitation', 'report', 'receipt', 'answer', 'notice', 'organiser')",
                name=op.f("ck_outbox_kind"),
            ),
            nullable=False,
        ),
        sa.Column("turn", sa.BigInteger(), nullable=True),
        sa.Column("seq", sa.BigInteger(), nullable=True),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=False),
        sa.Column(
            "state",
            sa.Text(),
            sa.CheckConstraint(
                "state IN ('waiting', 'sending', 'sent', 'uncertain', "
                "'failed', 'held', 'superseded')",
                name=op.f("ck_outbox_state"),
            ),
            nullable=False,
        ),
        sa.Column("attempts", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("supersedes", IDENTITY, nullable=True),
        sa.Column("letter_id", IDENTITY, nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["letter_id"], ["letters.id"], name=op.f("fk_outbox_letter_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_outbox_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_outbox_player_id")),
        sa.ForeignKeyConstraint(["supersedes"], ["outbox.id"], name=op.f("fk_outbox_supersedes")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint("message_id", name=op.f("uq_outbox_message_id")),
    )
    op.create_index(
        op.f("ix_outbox_match_id_seat_kind"), "outbox", ["match_id", "seat", "kind"], unique=False
    )
    op.create_index(
        op.f("ix_outbox_player_id_created"), "outbox", ["player_id", "created"], unique=False
    )
    op.create_index(
        op.f("ix_outbox_recipient_state_id"), "outbox", ["recipient", "state", "id"], unique=False
    )
    op.create_index(op.f("ix_outbox_state_next_at"), "outbox", ["state", "next_at"], unique=False)


def _submissions() -> None:
    op.create_table(
        "submissions",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("letter_id", IDENTITY, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("match_id", IDENTITY, nullable=True),
        sa.Column("seat", sa.Text(), nullable=True),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("turn", sa.BigInteger(), nullable=True),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column(
            "outcome",
            sa.Text(),
            sa.CheckConstraint(
                "outcome IN ('accepted', 'partly', 'refused', 'unclear', 'repeat', 'command')",
                name=op.f("ck_submissions_outcome"),
            ),
            nullable=False,
        ),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("first_seq", sa.BigInteger(), nullable=True),
        sa.Column("last_seq", sa.BigInteger(), nullable=True),
        sa.Column("receipt", IDENTITY, nullable=True),
        sa.ForeignKeyConstraint(
            ["letter_id"], ["letters.id"], name=op.f("fk_submissions_letter_id")
        ),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_submissions_match_id")),
        sa.ForeignKeyConstraint(["receipt"], ["outbox.id"], name=op.f("fk_submissions_receipt")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.UniqueConstraint("letter_id", "number", name=op.f("uq_submissions_letter_id_number")),
    )
    op.create_index(op.f("ix_submissions_digest"), "submissions", ["digest"], unique=False)
