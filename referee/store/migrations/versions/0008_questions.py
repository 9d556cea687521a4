"""What is asked is found by the address that answers it, and by when it lapses."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the indexes."""
    op.create_index(op.f("ix_requests_address"), "requests", ["address"])
    op.create_index(op.f("ix_requests_state_expires"), "requests", ["state", "expires"])
