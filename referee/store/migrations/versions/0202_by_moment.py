"""Digests and stand-ins are found by their moment, the rows a letter needs by index."""

from alembic import op

revision = "0202"
down_revision = "0201"

NEW = (
    "players digest_due",
    "standing_orders state until",
    "stand_ins state begins",
    "stand_ins state ends",
    "letters state arrived id",
    "codes match_id seat seq",
    "outbox match_id seat kind state",
)


def upgrade() -> None:
    """Have each digest looked at once, then at its own moment; exchange indexes."""
    op.execute("ALTER TABLE players ADD COLUMN digest_due BIGINT")
    op.execute("UPDATE players SET digest_due = 0")
    for table, *columns in map(str.split, NEW):
        op.create_index(op.f("_".join(["ix", table, *columns])), table, columns)
    for old in ("standing_orders_until", "letters_state_arrived", "codes_match_id_seat"):
        op.drop_index(f"ix_{old}")
