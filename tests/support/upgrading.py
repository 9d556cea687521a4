"""A referee of a later version, under which a database of this version is an older one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from alembic.config import Config

from referee.store import migrations, store

LATER: Final = f"{int(store.REVISIONS[-1]) + 1:04}"
"""The version of the later referee's tables."""

MIGRATION: Final = f'''"""Add a column."""

import sqlalchemy as sa
from alembic import op

revision = "{LATER}"
down_revision = "{store.REVISIONS[-1]}"


def upgrade() -> None:
    """Add the column."""
    op.add_column("meta", sa.Column("later", sa.Text(), server_default="yes", nullable=False))
'''


def become_later(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Add one migration, kept in ``folder``, to those that this process knows."""
    versions = folder / "later_versions"
    versions.mkdir()
    (versions / f"{LATER}_later.py").write_text(MIGRATION)
    config = migrations.alembic_config

    def with_later() -> Config:
        found = config()
        ours = found.get_main_option("script_location")
        found.set_main_option("path_separator", "newline")
        found.set_main_option("version_locations", f"{ours}/versions\n{versions}")
        return found

    monkeypatch.setattr(migrations, "alembic_config", with_later)
    monkeypatch.setattr(store, "REVISIONS", (*store.REVISIONS, LATER))
