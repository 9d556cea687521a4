"""Mails count the tries that may have arrived."""

import sqlalchemy as sa
from alembic import op

revision = "0202"
down_revision = "0201"


def upgrade() -> None:
    """Give mails ``doubts``."""
    op.add_column("outbox", sa.Column("doubts", sa.BigInteger, nullable=False, server_default="0"))
