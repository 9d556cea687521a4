"""Migrations of the tables between versions, by Alembic without its ini file."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection


def alembic_config() -> Config:
    """Return the configuration Alembic needs: the place of the migrations."""
    config = Config()
    folder = Path(__file__).parent
    # Alembic's settings are those of an ini file, where a per cent sign begins a reference.
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    return config


def migrate(connection: Connection, target: str) -> None:
    """Bring the tables up to a version, within the connection's transaction."""
    config = alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, target)


def describe_since(version: str) -> tuple[str, ...]:
    """Return a line about each migration after a version, in order."""
    scripts = ScriptDirectory.from_config(alembic_config())
    steps = [
        revision.doc.splitlines()[0] for revision in scripts.iterate_revisions("heads", version)
    ]
    return tuple(reversed(steps))
