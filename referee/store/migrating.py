"""How the tables are brought from one version to another, by Alembic, without a file of its own."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection


def config() -> Config:
    """Return what Alembic needs to know: where the migrations are."""
    found = Config()
    folder = Path(__file__).parent / "migrations"
    found.set_main_option("script_location", str(folder).replace("%", "%%"))
    return found


def migrate(connection: Connection, target: str) -> None:
    """Bring the tables up to a version, within the transaction of the connection."""
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, target)
