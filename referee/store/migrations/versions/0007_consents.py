"""What a player asks the others of a match to agree to taking back."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "consents",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("asked_seq", sa.BigInteger(), nullable=False),
        sa.Column("agreed", sa.Text(), nullable=False),
        sa.Column(
            "state",
            sa.Text(),
            sa.CheckConstraint(
                "state IN ('waiting', 'granted', 'declined', 'dropped')",
                name=op.f("ck_consents_state"),
            ),
            nullable=False,
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_consents_match_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_consents")),
    )
    op.create_index(op.f("ix_consents_match_id_state"), "consents", ["match_id", "state"])
    op.create_index(op.f("ix_consents_state"), "consents", ["state"])
