"""Old bytes go in time and rows are found by index; mails count tries that may have arrived."""

import sqlalchemy as sa
from alembic import op

revision = "0202"
down_revision = "0201"

NEW = (
    "players digest_due",
    "standing_orders state until",
    "stand_ins state begins",
    "stand_ins state ends",
    "letters state arrived id",
    "letters sender id",
    "codes match_id seat seq",
    "outbox match_id seat kind state",
)


def upgrade() -> None:
    """Have each digest looked at once, then at its own moment; keep positions, not bytes."""
    op.execute("ALTER TABLE players ADD COLUMN digest_due BIGINT")
    op.execute("UPDATE players SET digest_due = 0")
    for column in ("began_at", "credit"):
        op.drop_column("turns", column)
    op.add_column("outbox", sa.Column("doubts", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("letters", sa.Column("habits", sa.Text()))
    for table, *columns in map(str.split, NEW):
        name = op.f("_".join(["ix", table, *columns]))
        op.create_index(name, table, columns, if_not_exists=True)
    for old in ("standing_orders_until", "letters_state_arrived", "codes_match_id_seat"):
        # Somebody may have dropped it: no reason to keep them from the upgrade.
        op.drop_index(f"ix_{old}", if_exists=True)
    for table in ("letters", "outbox"):
        op.execute(
            f"CREATE INDEX IF NOT EXISTS ix_{table}_raw ON {table} (id) WHERE raw IS NOT NULL"
        )
    op.create_table(
        "told_positions",
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seq", name="pk_told_positions"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_told_positions_match_id"),
    )
