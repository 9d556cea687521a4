"""Bytes of old mails and letters go; the positions that readers saw last stay."""

import sqlalchemy as sa
from alembic import op

revision = "0202"
down_revision = "0201"


def upgrade() -> None:
    """Add the table and column that take the place of logs and bytes, and their indexes."""
    op.add_column("letters", sa.Column("habits", sa.Text()))
    op.create_index("ix_letters_sender_id", "letters", ["sender", "id"])
    for table in ("letters", "outbox"):
        op.execute(f"CREATE INDEX ix_{table}_raw ON {table} (id) WHERE raw IS NOT NULL")
    op.create_table(
        "told_positions",
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seq", name="pk_told_positions"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_told_positions_match_id"),
    )
