"""Mails count the tries of which nobody knows whether they arrived."""

import sqlalchemy as sa
from alembic import op

revision = "0202"
down_revision = "0201"


def upgrade() -> None:
    """Give mails ``doubts``."""
    doubts = sa.Column("doubts", sa.BigInteger(), nullable=False, server_default="0")
    op.add_column("outbox", doubts)
