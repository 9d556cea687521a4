"""A database of an older referee: every command says what to do, and `run --upgrade` does it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.upgrading import become_later

from referee.store.store import REVISIONS, NotInitialised, open_store

GIVEN = (
    "--address", "referee@example.test",
    "--imap", "imap://referee%40example.test:secret@127.0.0.1:9",
    "--smtp", "smtp://127.0.0.1:9",
)  # fmt: skip


@pytest.fixture
def old(run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up an installation in the current folder, then become a later referee."""
    monkeypatch.chdir(tmp_path)
    assert run("init", tmp_path, *GIVEN).status == 0
    become_later(monkeypatch, tmp_path)
    return tmp_path / "referee.db"


def test_an_older_database_is_named_with_the_way_out(run: Callable[..., Any], old: Path) -> None:
    """A command on it is refused in one line that names the command to give."""
    assert old.exists()
    ran = run("match", "list")
    assert ran.status == 2
    assert ran.err == (
        "referee: The database is of an older referee: "
        "stop the daemon, then `referee run --upgrade`.\n"
    )


def test_it_is_brought_up_and_a_copy_is_kept(run: Callable[..., Any], old: Path) -> None:
    """The copy beside is of the older version; the database can be used, and is left alone then."""
    ran = run("run", "--upgrade", "--once")
    assert "The database is of this version now; the one before is kept as" in ran.out
    (copy,) = old.parent.glob("referee.db.before-*")
    with closing(sqlite3.connect(copy)) as connection:
        (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    assert version == REVISIONS[-1]
    open_store(f"sqlite:///{old}").close()
    assert run("run", "--upgrade", "--once").out == "Nothing to upgrade.\n"
    assert run("run", "--upgrade", "--once", "--json").err.startswith("Nothing to upgrade.\n")


@pytest.mark.parametrize(
    "command", [("match", "list"), ("status",), ("run", "--upgrade", "--once")]
)
def test_a_database_from_before_the_first_release_is_refused(
    run: Callable[..., Any], old: Path, command: tuple[str, ...]
) -> None:
    """One line says that it cannot be upgraded, and what to do; no copy is made."""
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    ran = run(*command)
    assert ran.status == 2
    assert ran.err == (
        "referee: The database was made before the first release and cannot be upgraded: "
        "set up a new one with `referee init`, in another folder.\n"
    )
    assert list(old.parent.glob("referee.db.before-*")) == []


def test_what_is_no_database_of_ours_is_not_upgraded(run: Callable[..., Any], old: Path) -> None:
    """A file without our tables is refused and stays as it is."""
    old.write_bytes(b"")
    assert run("run", "--upgrade", "--once").status == 2
    with pytest.raises(NotInitialised):
        open_store(f"sqlite:///{old}")
