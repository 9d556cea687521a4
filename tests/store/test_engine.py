"""Making, opening and upgrading the database, and what is said when that cannot be done."""

from __future__ import annotations

import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import InternalError, OperationalError
from support.link import Link
from support.postgresql import PostgreSQL
from support.upgrading import LATER, become_later

from referee.errors import UNFIT
from referee.store import migrations, notes
from referee.store.database.engine import make_engines, parse_url
from referee.store.database.errors import (
    AlreadyInitialised,
    DriverMissing,
    NotInitialised,
    OlderSchema,
    StoreError,
    StoreFull,
    StoreUnreachable,
    UnknownSchema,
    store_error,
)
from referee.store.store import (
    REVISIONS,
    Store,
    create_store,
    missing_indexes,
    open_store,
    revision_of,
    upgrade_store,
)
from referee.store.tables import metadata


def test_what_create_makes_can_be_opened(empty_url: str) -> None:
    """A created database opens, and its installation has a name of its own."""
    create_store(empty_url)
    with open_store(empty_url) as store, store.reading() as connection:
        assert len(notes.read_value(connection, "installation") or "") == 32


def test_create_changes_nothing_that_is_there(empty_url: str) -> None:
    """Creating a database twice is refused and leaves the first one as it was."""
    create_store(empty_url)
    with open_store(empty_url) as store, store.reading() as connection:
        before = notes.read_value(connection, "installation")
    with pytest.raises(AlreadyInitialised):
        create_store(empty_url)
    with open_store(empty_url) as store, store.reading() as connection:
        assert notes.read_value(connection, "installation") == before


def test_an_empty_database_is_not_initialised(empty_url: str) -> None:
    """A database that is not set up is refused with the command that sets it up."""
    with pytest.raises(NotInitialised, match="referee init"):
        open_store(empty_url)
    with pytest.raises(NotInitialised, match="referee init"):
        upgrade_store(empty_url)


def test_opening_makes_no_file(tmp_path: Path) -> None:
    """Opening a database that is not there does not leave an empty file behind."""
    with pytest.raises(NotInitialised):
        open_store(f"sqlite:///{tmp_path / 'none.db'}")
    assert list(tmp_path.iterdir()) == []


def test_only_the_owner_may_read_the_file(tmp_path: Path) -> None:
    """The database and the files beside it have mode 0600, whatever the umask allows."""
    url = f"sqlite:///{tmp_path / 'deep' / 'referee.db'}"
    create_store(url)
    with open_store(url) as store, store.writing() as connection:
        notes.put_value(connection, "a", "b")
        modes = {file.name: file.stat().st_mode for file in (tmp_path / "deep").iterdir()}
    assert {stat.S_IMODE(mode) for mode in modes.values()} == {0o600}
    assert set(modes) == {"referee.db", "referee.db-wal", "referee.db-shm"}


def test_each_connection_is_durable_and_strict(tmp_path: Path) -> None:
    """SQLite has a write-ahead log, waits for the disk, checks keys, overwrites what goes."""
    url = f"sqlite:///{tmp_path / 'referee.db'}"
    create_store(url)
    with open_store(url, patience=1.5) as store, store.reading() as connection:
        names = "journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout"
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]
    assert found == ["wal", 2, 1, 1, 1500]


def test_a_newer_database_is_refused(url: str) -> None:
    """Tables of a version this program does not know are neither opened nor upgraded."""
    with open_store(url) as store, store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(UnknownSchema, match="newer"):
        open_store(url)
    with pytest.raises(UnknownSchema):
        upgrade_store(url)


@pytest.mark.parametrize("number", ["0001", "0100"])
def test_a_database_from_before_the_first_release_is_refused(url: str, number: str) -> None:
    """Its tables are neither opened nor upgraded, and stay as they are."""
    with open_store(url) as store, store.writing() as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{number}'"))
    for use in (open_store, upgrade_store):
        with pytest.raises(UnknownSchema, match="before the first release"):
            use(url)
    engine = create_engine(parse_url(url))
    with engine.connect() as connection:
        assert revision_of(connection) == number
    engine.dispose()


def test_earlier_tables_are_upgraded(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of an earlier version are refused until upgraded, and keep what they held."""
    with open_store(url) as store, store.writing() as connection:
        notes.put_value(connection, "a", "b")
    become_later(monkeypatch, tmp_path)
    with pytest.raises(OlderSchema, match="referee upgrade"):
        open_store(url)
    assert upgrade_store(url) == ("Add a column.",)
    with open_store(url) as store, store.reading() as connection:
        assert notes.read_value(connection, "a") == "b"
        added = text("SELECT later FROM meta WHERE key = 'a'")
        assert connection.execute(added).scalar() == "yes"
        assert revision_of(connection) == LATER


def test_upgrading_what_is_current_does_nothing(url: str) -> None:
    assert upgrade_store(url) == ()


def test_an_index_that_is_missing_is_made_anew(url: str) -> None:
    """A database of this version may lack one, as after a restore by hand."""
    with open_store(url) as store, store.writing() as connection:
        assert missing_indexes(connection) == []
        indexes = [index for table in metadata.sorted_tables for index in table.indexes]
        for index in indexes:
            index.drop(connection)
    names = {str(index.name) for index in indexes}
    assert len(names) > 10
    assert upgrade_store(url) == tuple(
        f"Make the index {index.name} anew, which was missing."
        for table in metadata.sorted_tables
        for index in sorted(table.indexes, key=lambda index: str(index.name))
    )
    assert upgrade_store(url) == ()


def schema_of(connection: Connection) -> set[str]:
    """Return what defines each table and index of an SQLite database, parts in any order."""
    found = connection.execute(
        text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name != 'alembic_version'")
    )
    return {" ".join(sorted(sql.replace(",", " ").split())) for sql in found.scalars()}


def test_a_database_that_0200_made_becomes_one_made_today(made: Path, tmp_path: Path) -> None:
    """The migrations bring the tables of the first version to those the queries know."""
    file = tmp_path / "old.db"
    with closing(sqlite3.connect(file)) as old:
        old.executescript((Path(__file__).parent / "made_by_0200.sql").read_text(encoding="utf-8"))
    upgrade_store(f"sqlite:///{file}")
    upgraded, ours = (create_engine(f"sqlite:///{database}") for database in (file, made))
    with upgraded.connect() as theirs, ours.connect() as today:
        assert schema_of(theirs) == schema_of(today)
        assert revision_of(theirs) == REVISIONS[-1]
        # Both give room back.
        for connection in (theirs, today):
            assert connection.execute(text("PRAGMA auto_vacuum")).scalar() == 2
    upgraded.dispose()
    ours.dispose()
    with open_store(f"sqlite:///{file}") as store, store.reading() as connection:
        assert notes.read_value(connection, "installation") == "made by 0200"


def test_every_migration_is_known_by_its_number() -> None:
    """The list the version check goes by is the chain of migrations."""
    scripts = ScriptDirectory.from_config(migrations.alembic_config()).walk_revisions()
    assert tuple(script.revision for script in scripts)[::-1] == REVISIONS


def test_the_version_is_read_from_the_database(store: Store) -> None:
    with store.reading() as connection:
        assert revision_of(connection) == REVISIONS[-1]


@pytest.mark.parametrize(
    "address",
    ["nonsense", "sqlite://", "sqlite:///:memory:", "oracle://host/name", "mariadb+none://h/n"],
)
def test_an_address_that_cannot_be_used_is_named_so(address: str) -> None:
    """What is no database address we can use is refused in one line."""
    with pytest.raises(StoreUnreachable) as refused:
        open_store(address)
    assert "\n" not in str(refused.value)


def test_a_server_that_is_not_there_is_unreachable() -> None:
    """A server nobody listens on, or whose driver is missing, is reported in one line."""
    with pytest.raises(StoreUnreachable) as refused:
        open_store("postgresql://alice@127.0.0.1:1/referee")
    assert "\n" not in str(refused.value)


def test_a_file_that_is_read_only_for_a_while_is_unreachable_so_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite then opens it for reading alone; what comes later is written all the same."""
    url = f"sqlite:///{tmp_path / 'referee.db'}"
    create_store(url)

    def opened_to_read(file: str, **settings: Any) -> sqlite3.Connection:
        # As SQLite does by itself for whoever may not write; root always may.
        return sqlite3.Connection(f"file:{file}?mode=ro", uri=True, **settings)

    with open_store(url) as store:
        with monkeypatch.context() as patch:
            patch.setattr(sqlite3.dbapi2, "connect", opened_to_read)
            for _ in range(3):
                with pytest.raises(StoreUnreachable) as fault, store.writing() as block:
                    notes.put_value(block, "alarm", "lost")
                assert "readonly database; referee doctor tells more" in str(fault.value)
        with store.writing() as block:
            notes.put_value(block, "alarm", "kept")
        with pytest.raises(OperationalError), store.reading() as block:
            notes.put_value(block, "alarm", "a mistake of ours")
        with store.reading() as block:
            assert notes.read_value(block, "alarm") == "kept"


def test_a_server_that_is_cut_off_for_a_while_is_unreachable_so_long(
    postgresql: PostgreSQL,
) -> None:
    """A block in work and those begun then fail; the store itself goes on afterwards."""
    postgresql.run("DROP DATABASE IF EXISTS far WITH (FORCE)", "CREATE DATABASE far")
    with closing(Link(postgresql.socket)) as link:
        far = link.url("far")
        create_store(far)
        with open_store(far) as store:
            with pytest.raises(StoreUnreachable), store.writing() as connection, link.closed():
                notes.put_value(connection, "alarm", "lost")
            with link.closed(), pytest.raises(StoreUnreachable), store.reading():
                pass
            with store.reading() as connection:
                assert notes.read_value(connection, "alarm") is None


def test_a_server_that_is_read_only_for_a_while_is_unreachable_so_long(
    postgresql: PostgreSQL,
) -> None:
    """What is written in the middle of a failover fails like an outage, and is written after it."""
    postgresql.run("DROP DATABASE IF EXISTS far WITH (FORCE)", "CREATE DATABASE far")
    create_store(postgresql.url("far"))
    postgresql.run("ALTER DATABASE far SET default_transaction_read_only = on")
    with open_store(postgresql.url("far")) as store:
        with pytest.raises(StoreUnreachable, match="read-only"), store.writing() as connection:
            notes.put_value(connection, "alarm", "lost")
        # A server that took its name over is found by new connections alone.
        postgresql.run("ALTER DATABASE far SET default_transaction_read_only = off")
        with store.writing() as connection:
            notes.put_value(connection, "alarm", "kept")
        with pytest.raises(InternalError), store.reading() as connection:
            notes.put_value(connection, "alarm", "a mistake of ours")


@pytest.mark.parametrize(("state", "full"), [("53100", True), ("53200", False)])
def test_only_a_full_disk_is_told_as_one(state: str, full: bool) -> None:
    """No room on the disk helps a server that is short of memory."""
    trouble = Exception("the server's own words")
    trouble.sqlstate = state  # type: ignore[attr-defined]
    told = store_error(OperationalError("SELECT 1", {}, trouble))
    assert isinstance(told, StoreFull if full else StoreUnreachable)
    assert full or "the server's own words" in str(told)


def test_a_file_that_is_no_database_is_unreachable(tmp_path: Path) -> None:
    """It is reported, and not touched; so is one that is not there."""
    file = tmp_path / "referee.db"
    with pytest.raises(NotInitialised, match=rf"no database {file}: put it back, or .* restore"):
        open_store(f"sqlite:///{file}")
    file.write_bytes(b"a letter, not a database\n" * 100)
    said = r"is damaged .*: stop the daemon, then .* restore FILE --replace"
    with pytest.raises(StoreUnreachable, match=said):
        open_store(f"sqlite:///{file}")
    assert file.read_bytes() == b"a letter, not a database\n" * 100


def test_a_folder_that_cannot_be_made_is_unreachable(tmp_path: Path) -> None:
    """A database below something that is no folder cannot be created, and that is said."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnreachable, match="cannot be made"):
        create_store(f"sqlite:///{tmp_path / 'file' / 'referee.db'}")


def test_every_fault_is_for_the_organiser() -> None:
    """All faults of the store are one family, so that a command shows any of them in one line."""
    kinds = (AlreadyInitialised, UnknownSchema, NotInitialised, OlderSchema, StoreUnreachable)
    assert all(issubclass(kind, StoreError) for kind in kinds)


def test_a_database_whose_package_is_missing_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line is a command to type; a restart would not mend it, which the status says."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DriverMissing) as caught:
        make_engines(parse_url("postgresql://club@db.example.test/referee"), 1.0)
    assert str(caught.value).endswith("pip install 'referee-by-mail[postgres]'")
    assert caught.value.status == UNFIT
