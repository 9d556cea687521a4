"""Copies of the database: taken while it is in use, whole or not at all, and put back."""

from __future__ import annotations

import functools
import shutil
import sqlite3
import stat
from pathlib import Path

import pytest
from sqlalchemy import text
from support.storing import a_letter, a_player
from support.upgrading import become_later

from referee.store import notes
from referee.store.backup import BackupRefused, copy_database, put_copy
from referee.store.database.errors import StoreFull, StoreUnreachable, UnknownSchema
from referee.store.people import players
from referee.store.post import letters
from referee.store.store import open_store, upgrade_store


@pytest.fixture
def house(made: Path, tmp_path: Path) -> str:
    """Return the address of an SQLite database with a player and a letter in it."""
    shutil.copy(made, tmp_path / "referee.db")
    url = f"sqlite:///{tmp_path / 'referee.db'}"
    with open_store(url) as store, store.writing() as connection:
        a_player(connection)
        a_letter(connection, 1, raw=b"\x00" * 50_000)
    return url


def test_a_copy_is_taken_while_somebody_writes(house: str, tmp_path: Path) -> None:
    """The copy holds what was kept when it was taken, nothing of what was being written."""
    copy = tmp_path / "copy.db"
    with open_store(house) as store, store.writing() as connection:
        notes.put_value(connection, "half", "done")
        copy_database(house, copy)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with open_store(f"sqlite:///{copy}") as store, store.reading() as connection:
        assert [each.name for each in players.all_players(connection)] == ["alice"]
        assert letters.raw_letter(connection, 1) == b"\x00" * 50_000
        assert notes.read_value(connection, "half") is None


def test_a_copy_is_put_back(house: str, tmp_path: Path) -> None:
    """A copy restored elsewhere is a database like the first."""
    copy_database(house, tmp_path / "copy.db")
    url = f"sqlite:///{tmp_path / 'elsewhere' / 'referee.db'}"
    put_copy(tmp_path / "copy.db", tmp_path / "elsewhere" / "referee.db")
    with open_store(url) as store, store.writing() as connection:
        assert [each.name for each in players.all_players(connection)] == ["alice"]
        notes.put_value(connection, "written", "on")


def test_nothing_is_overwritten(house: str, tmp_path: Path) -> None:
    """Neither a copy nor a restored database takes the place of a file that is there."""
    copy = tmp_path / "copy.db"
    copy.write_text("mine")
    with pytest.raises(BackupRefused, match="already"):
        copy_database(house, copy)
    assert copy.read_text() == "mine"
    copy_database(house, tmp_path / "second.db")
    with pytest.raises(BackupRefused, match="already"):
        put_copy(tmp_path / "second.db", tmp_path / "referee.db")


def test_a_damaged_database_makes_no_copy(house: str, tmp_path: Path) -> None:
    """If the copy does not pass SQLite's own check no file is left."""
    damage(tmp_path / "referee.db")
    with pytest.raises(StoreUnreachable):
        copy_database(house, tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy.db*"))


def damage(file: Path) -> None:
    """Overwrite the beginnings of a database's last pages."""
    content = bytearray(file.read_bytes())
    for page in range(len(content) // 4096 - 14, len(content) // 4096):
        content[page * 4096 : page * 4096 + 64] = b"\xff" * 64
    file.write_bytes(content)


def test_a_damaged_copy_is_not_put_in_place(house: str, tmp_path: Path) -> None:
    """It is named itself: the database, of which its error would speak, may be whole."""
    copy = tmp_path / "copy.db"
    copy_database(house, copy)
    damage(copy)
    with pytest.raises(BackupRefused, match=r"copy\.db is damaged .*: use another backup; nothing"):
        put_copy(copy, tmp_path / "restored.db")
    assert not list(tmp_path.glob("restored.db*"))


def test_a_copy_without_room_names_its_own_place(
    house: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may lie on another disk than the database, and only one of them is full."""
    fault = sqlite3.OperationalError("database or disk is full")
    fault.sqlite_errorcode = sqlite3.SQLITE_FULL

    class Full(sqlite3.Connection):
        def backup(self, *_: object, **__: object) -> None:
            raise fault

    monkeypatch.setattr(sqlite3, "connect", functools.partial(sqlite3.connect, factory=Full))
    with pytest.raises(StoreFull, match=r"no room for \S+copy\.db"):
        copy_database(house, tmp_path / "copy.db")


@pytest.mark.parametrize("content", [b"", b"no database at all" * 300])
def test_only_a_database_of_ours_is_put_in_place(tmp_path: Path, content: bytes) -> None:
    """A file that holds no tables of ours is refused, and nothing is left behind."""
    source, target = tmp_path / "source", tmp_path / "referee.db"
    source.write_bytes(content)
    with pytest.raises((BackupRefused, StoreUnreachable)):
        put_copy(source, target)
    with pytest.raises(BackupRefused, match="no file"):
        put_copy(tmp_path / "none", target)
    assert [each.name for each in tmp_path.iterdir()] == ["source"]


def test_a_copy_of_an_older_version_is_put_in_place(
    house: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits there to be upgraded, and holds then what it held."""
    with open_store(house) as store, store.writing() as connection:
        notes.put_value(connection, "kept", "on")
    become_later(monkeypatch, tmp_path)
    target = tmp_path / "elsewhere" / "referee.db"
    put_copy(tmp_path / "referee.db", target)
    assert [each.name for each in target.parent.iterdir()] == ["referee.db"]
    assert upgrade_store(f"sqlite:///{target}") == ("Add a column.",)
    with open_store(f"sqlite:///{target}") as store, store.reading() as connection:
        assert notes.read_value(connection, "kept") == "on"


def test_a_copy_of_a_newer_version_is_refused(house: str, tmp_path: Path) -> None:
    """Nothing is left where it was to go."""
    with open_store(house) as store, store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    target = tmp_path / "elsewhere" / "referee.db"
    with pytest.raises(UnknownSchema):
        put_copy(tmp_path / "referee.db", target)
    assert list(target.parent.iterdir()) == []


def test_a_server_is_copied_with_its_own_tools(tmp_path: Path) -> None:
    """A database on a server is not ours to copy, and that is said without asking the server."""
    url = "postgresql://alice@127.0.0.1:1/referee"
    with pytest.raises(BackupRefused, match="pg_dump"):
        copy_database(url, tmp_path / "copy.db")
