"""A fresh store for each test, in every database there is to test with."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.postgresql import PostgreSQL

from referee.store.store import Store, create_store, open_store

TEMPLATE, SCRATCH = "template", "scratch"
DROP = f"DROP DATABASE IF EXISTS {SCRATCH} WITH (FORCE)"


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite file with the tables in it, to be copied."""
    file = tmp_path_factory.mktemp("store") / "made.db"
    create_store(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def made_postgresql(postgresql: PostgreSQL) -> PostgreSQL:
    """Return a server with a database to be copied that has the tables in it."""
    postgresql.run(f"CREATE DATABASE {TEMPLATE}")
    create_store(postgresql.url(TEMPLATE))
    return postgresql


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which database the test runs on."""
    chosen: str = request.param
    return chosen


@pytest.fixture
def empty_url(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Return the address of a database that is not set up."""
    if kind == "sqlite":
        return f"sqlite:///{tmp_path / 'referee.db'}"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    server.run(DROP, f"CREATE DATABASE {SCRATCH}")
    return server.url(SCRATCH)


@pytest.fixture
def url(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Return the address of a database with empty tables."""
    if kind == "sqlite":
        shutil.copy(request.getfixturevalue("made"), tmp_path / "referee.db")
        return f"sqlite:///{tmp_path / 'referee.db'}"
    server: PostgreSQL = request.getfixturevalue("made_postgresql")
    server.run(DROP, f"CREATE DATABASE {SCRATCH} TEMPLATE {TEMPLATE}")
    return server.url(SCRATCH)


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Yield an open store with empty tables."""
    with open_store(url) as found:
        yield found
