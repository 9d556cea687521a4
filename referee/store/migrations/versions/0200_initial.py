"""The first version of the tables.

``create_store`` makes them from ``referee.store.tables`` and writes the number of the last
migration, so this one has nothing to do but to bear its number.
"""

revision = "0200"
down_revision = None


def upgrade() -> None:
    """Leave the tables as they were made."""
