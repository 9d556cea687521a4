"""Which mails came back, and which answered a letter that proved nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the columns."""
    op.add_column(
        "outbox", sa.Column("unproved", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.add_column("outbox", sa.Column("bounced_at", sa.BigInteger(), nullable=True))
