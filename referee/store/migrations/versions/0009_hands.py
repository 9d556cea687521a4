"""Which player got a seat by which event, as events name nobody."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "hands",
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("player_id", IDENTITY, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_hands_match_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_hands_player_id")),
        sa.PrimaryKeyConstraint("match_id", "seq", name=op.f("pk_hands")),
    )
