"""What is due is found by its moment: digests, and stand-ins."""

import sqlalchemy as sa
from alembic import op

revision = "0202"
down_revision = "0201"

NEW = (
    ("players", ["digest_due"]),
    ("standing_orders", ["state", "until"]),
    ("stand_ins", ["state", "begins"]),
    ("stand_ins", ["state", "ends"]),
    ("letters", ["state", "arrived", "id"]),
    ("codes", ["match_id", "seat", "seq"]),
    ("outbox", ["match_id", "seat", "kind", "id"]),
    ("outbox", ["match_id", "seat", "kind", "state"]),
)

OLD = (
    ("standing_orders", ["until"]),
    ("letters", ["state", "arrived"]),
    ("codes", ["match_id", "seat"]),
    ("outbox", ["match_id", "seat", "kind"]),
)


def upgrade() -> None:
    """Have each digest looked at once, then at its own moment; exchange indexes."""
    op.add_column("players", sa.Column("digest_due", sa.BigInteger()))
    op.execute("UPDATE players SET digest_due = 0")
    for table, columns in NEW:
        op.create_index(f"ix_{table}_{'_'.join(columns)}", table, columns)
    for table, columns in OLD:
        op.drop_index(f"ix_{table}_{'_'.join(columns)}", table)
