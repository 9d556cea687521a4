"""A fresh store for each test, in every database there is to test with."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from referee.store.store import Store, create, open_store

POSTGRES = os.environ.get("REFEREE_TEST_POSTGRES")
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")
TEMPLATE = f"referee_test_template_{WORKER}"
SCRATCH = f"referee_test_scratch_{WORKER}"


@contextmanager
def _server() -> Iterator[Callable[[str], None]]:
    engine = create_engine(_address(POSTGRES), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield lambda statement: connection.execute(text(statement))
    engine.dispose()


def _address(url: str | None, database: str | None = None) -> str:
    parsed = make_url(url or "").set(drivername="postgresql+psycopg")
    if database is not None:
        parsed = parsed.set(database=database)
    return parsed.render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite file with the tables in it, to be copied."""
    file = tmp_path_factory.mktemp("store") / "made.db"
    create(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def made_postgres() -> Iterator[None]:
    """Make a database on the server with the tables in it, to be copied."""
    with _server() as run:
        run(f"DROP DATABASE IF EXISTS {TEMPLATE}")
        run(f"CREATE DATABASE {TEMPLATE}")
    create(_address(POSTGRES, TEMPLATE))
    yield
    with _server() as run:
        run(f"DROP DATABASE {TEMPLATE}")


@pytest.fixture(params=["sqlite", *(["postgresql"] if POSTGRES else [])])
def kind(request: pytest.FixtureRequest) -> str:
    """Which database the test runs on."""
    chosen: str = request.param
    return chosen


@pytest.fixture
def empty_url(kind: str, tmp_path: Path) -> Iterator[str]:
    """Yield the address of a database that is not set up."""
    if kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'referee.db'}"
        return
    with _server() as run:
        run(f"DROP DATABASE IF EXISTS {SCRATCH} WITH (FORCE)")
        run(f"CREATE DATABASE {SCRATCH}")
        yield _address(POSTGRES, SCRATCH)
        run(f"DROP DATABASE {SCRATCH} WITH (FORCE)")


@pytest.fixture
def url(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield the address of a database with empty tables."""
    if kind == "sqlite":
        shutil.copy(request.getfixturevalue("made"), tmp_path / "referee.db")
        yield f"sqlite:///{tmp_path / 'referee.db'}"
        return
    request.getfixturevalue("made_postgres")
    with _server() as run:
        run(f"DROP DATABASE IF EXISTS {SCRATCH} WITH (FORCE)")
        run(f"CREATE DATABASE {SCRATCH} TEMPLATE {TEMPLATE}")
        yield _address(POSTGRES, SCRATCH)
        run(f"DROP DATABASE {SCRATCH} WITH (FORCE)")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Yield an open store with empty tables."""
    with open_store(url) as found:
        yield found
