"""What is due is found by its moment: digests, and stand-ins."""

import sqlalchemy as sa
from alembic import op

revision = "0202"
down_revision = "0201"


def upgrade() -> None:
    """Have each digest looked at once, and then at its own moment."""
    op.add_column("players", sa.Column("digest_due", sa.BigInteger()))
    op.execute("UPDATE players SET digest_due = 0")
    op.create_index("ix_players_digest_due", "players", ["digest_due"])
