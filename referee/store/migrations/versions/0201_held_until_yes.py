"""Orders wait for a yes as standing orders that are held; talk has a time of its own.

What waited as a question goes: its player is asked again, or sends the orders once more.
"""

import sqlalchemy as sa
from alembic import op

revision = "0201"
down_revision = "0200"


def upgrade() -> None:
    """Give players ``talk``, and fold ``confirms`` into ``grace``."""
    op.add_column("players", sa.Column("talk", sa.BigInteger()))
    op.execute("UPDATE players SET grace = -1 WHERE confirms")
    op.execute("ALTER TABLE players DROP COLUMN confirms")
    op.execute("UPDATE questions SET state = 'dropped' WHERE kind = 'orders' AND state = 'waiting'")
    op.execute("UPDATE standing_orders SET arrived = NULL WHERE until IS NULL")
