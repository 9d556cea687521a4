"""Who wants no entries for his calendar."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the column."""
    op.add_column(
        "players",
        sa.Column("no_calendar", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
