"""How often a seat changed hands, and who sits for whom from one day to another."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

IDENTITY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make them."""
    op.add_column(
        "seats", sa.Column("handed_on", sa.BigInteger(), server_default="0", nullable=False)
    )
    op.add_column(
        "codes", sa.Column("handed_on", sa.BigInteger(), server_default="0", nullable=False)
    )
    op.create_table(
        "stand_ins",
        sa.Column("id", IDENTITY, nullable=False),
        sa.Column("match_id", IDENTITY, nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("owner_id", IDENTITY, nullable=False),
        sa.Column("player_id", IDENTITY, nullable=True),
        sa.Column("bot", sa.Text(), nullable=True),
        sa.Column("begins", sa.BigInteger(), nullable=False),
        sa.Column("ends", sa.BigInteger(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column(
            "state",
            sa.Text(),
            sa.CheckConstraint(
                "state IN ('planned', 'sitting', 'over')", name=op.f("ck_stand_ins_state")
            ),
            nullable=False,
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_stand_ins_match_id")),
        sa.ForeignKeyConstraint(["owner_id"], ["players.id"], name=op.f("fk_stand_ins_owner_id")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_stand_ins_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stand_ins")),
    )
    op.create_index(op.f("ix_stand_ins_match_id_state"), "stand_ins", ["match_id", "state"])
