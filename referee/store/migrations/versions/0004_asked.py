"""What waits for a yes, who is not heard, how open matches are seated, what watchers were told."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    op.add_column(
        "players",
        sa.Column("blocked", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.add_column("matches", sa.Column("seating", sa.Text(), nullable=True))
    for name in ("reported_seq", "reported_turn"):
        column = sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)
        op.add_column("watchers", column)
    op.create_table(
        "requests",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("player_id", IDENTITY, nullable=True),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column(
            "state",
            sa.Text(),
            sa.CheckConstraint(
                "state IN ('waiting', 'granted', 'declined', 'dropped')",
                name=op.f("ck_requests_state"),
            ),
            nullable=False,
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_requests_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requests")),
        sa.UniqueConstraint("code", name=op.f("uq_requests_code")),
    )
    op.create_index(op.f("ix_requests_player_id"), "requests", ["player_id"])
