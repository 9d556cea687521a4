"""Making, opening and upgrading the database, and what is said when that cannot be done."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any, Final

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text

from referee.store import migrating, notes
from referee.store.migrating import migrate
from referee.store.store import (
    REVISIONS,
    AlreadyInitialised,
    NewerSchema,
    NotInitialised,
    OlderSchema,
    Store,
    StoreError,
    StoreUnreachable,
    create,
    open_store,
    revision,
    upgrade,
)
from referee.store.tables import metadata


def at_revision(url: str, wanted: str) -> None:
    """Make a database as an earlier version left it."""
    create(url)
    with open_store(url) as store, store.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        else:
            connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
            for table in reversed(metadata.sorted_tables):
                connection.execute(text(f"DROP TABLE {table.name}"))
            connection.execute(text("DROP TABLE alembic_version"))
        migrate(connection, wanted)


def test_what_create_makes_can_be_opened(empty_url: str) -> None:
    """A created database opens, and its installation has a name of its own."""
    create(empty_url)
    with open_store(empty_url) as store, store.reading() as connection:
        assert len(notes.value(connection, "installation") or "") == 32


def test_create_changes_nothing_that_is_there(empty_url: str) -> None:
    """Creating a database twice is refused and leaves the first one as it was."""
    create(empty_url)
    with open_store(empty_url) as store, store.reading() as connection:
        before = notes.value(connection, "installation")
    with pytest.raises(AlreadyInitialised):
        create(empty_url)
    with open_store(empty_url) as store, store.reading() as connection:
        assert notes.value(connection, "installation") == before


def test_an_empty_database_is_not_initialised(empty_url: str) -> None:
    """A database that is not set up is refused with the command that sets it up."""
    with pytest.raises(NotInitialised, match="referee init"):
        open_store(empty_url)
    with pytest.raises(NotInitialised, match="referee init"):
        upgrade(empty_url)


def test_opening_makes_no_file(tmp_path: Path) -> None:
    """Opening a database that is not there does not leave an empty file behind."""
    with pytest.raises(NotInitialised):
        open_store(f"sqlite:///{tmp_path / 'none.db'}")
    assert list(tmp_path.iterdir()) == []


def test_only_the_owner_may_read_the_file(tmp_path: Path) -> None:
    """The database and the files beside it have mode 0600, whatever the umask allows."""
    url = f"sqlite:///{tmp_path / 'deep' / 'referee.db'}"
    create(url)
    with open_store(url) as store, store.writing() as connection:
        notes.put(connection, "a", "b")
        modes = {file.name: file.stat().st_mode for file in (tmp_path / "deep").iterdir()}
    assert {stat.S_IMODE(mode) for mode in modes.values()} == {0o600}
    assert set(modes) == {"referee.db", "referee.db-wal", "referee.db-shm"}


def test_each_connection_is_durable_and_strict(tmp_path: Path) -> None:
    """SQLite has a write-ahead log, waits for the disk, checks keys, overwrites what goes."""
    url = f"sqlite:///{tmp_path / 'referee.db'}"
    create(url)
    with open_store(url, patience=1.5) as store, store.reading() as connection:
        names = "journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout"
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]
    assert found == ["wal", 2, 1, 1, 1500]


def test_a_newer_database_is_refused(url: str) -> None:
    """Tables of a version this program does not know are neither opened nor upgraded."""
    with open_store(url) as store, store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NewerSchema, match="newer"):
        open_store(url)
    with pytest.raises(NewerSchema):
        upgrade(url)


@pytest.mark.parametrize("earlier", REVISIONS[:-1])
def test_earlier_tables_are_upgraded(empty_url: str, earlier: str) -> None:
    """Tables of each earlier version are refused until upgraded, and keep what they held."""
    at_revision(empty_url, earlier)
    with pytest.raises(OlderSchema):
        open_store(empty_url)
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO meta (key, value) VALUES ('a', 'b')"))
    engine.dispose()
    assert upgrade(empty_url) is True
    with open_store(empty_url) as store, store.reading() as connection:
        assert notes.value(connection, "a") == "b"


def test_upgrading_what_is_current_does_nothing(url: str) -> None:
    """A database of this version needs no upgrade."""
    assert upgrade(url) is False


def schema_of(connection: Connection) -> set[str]:
    """Return what defines each table and index of an SQLite database, parts in any order."""
    found = connection.execute(
        text("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name != 'alembic_version'")
    )
    return {" ".join(sorted(sql.replace(",", " ").split())) for sql in found.scalars()}


def test_the_migrations_make_the_tables_we_query(made: Path, tmp_path: Path) -> None:
    """The migrations together make exactly the tables, checks and indexes the queries know."""
    engine = create_engine(f"sqlite:///{tmp_path / 'direct.db'}")
    metadata.create_all(engine)
    migrated = create_engine(f"sqlite:///{made}")
    with engine.connect() as ours, migrated.connect() as theirs:
        assert schema_of(theirs) == schema_of(ours)
        assert len(schema_of(ours)) > len(metadata.tables)
    engine.dispose()
    migrated.dispose()


def test_every_migration_is_known_by_its_number() -> None:
    """The list the version check goes by is the chain of migrations."""
    scripts = ScriptDirectory.from_config(migrating.config()).walk_revisions()
    assert tuple(script.revision for script in scripts)[::-1] == REVISIONS


def test_the_version_is_read_from_the_database(store: Store) -> None:
    """A database that was just made is of the last version."""
    with store.reading() as connection:
        assert revision(connection) == REVISIONS[-1]


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


def test_a_file_that_is_no_database_is_unreachable(tmp_path: Path) -> None:
    """A file with something else in it is reported, and not touched."""
    file = tmp_path / "referee.db"
    file.write_bytes(b"a letter, not a database\n" * 100)
    with pytest.raises(StoreUnreachable):
        open_store(f"sqlite:///{file}")
    assert file.read_bytes() == b"a letter, not a database\n" * 100


def test_a_folder_that_cannot_be_made_is_unreachable(tmp_path: Path) -> None:
    """A database below something that is no folder cannot be created, and that is said."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreUnreachable, match="cannot be made"):
        create(f"sqlite:///{tmp_path / 'file' / 'referee.db'}")


def test_every_fault_is_for_the_organiser() -> None:
    """All faults of the store are one family, so that a command shows any of them in one line."""
    kinds = (AlreadyInitialised, NewerSchema, NotInitialised, OlderSchema, StoreUnreachable)
    assert all(issubclass(kind, StoreError) for kind in kinds)


OLD_ROWS: Final[dict[str, dict[str, Any]]] = {
    "matches": {
        "id": 1, "name": "pebbles-1", "game": "pebbles", "edition": 2, "state": "running",
        "options": "{}", "words": "{}", "seed": bytes(32), "commitment": "", "practice": False,
        "seq": 9, "head": "", "draws": 0, "turn": 1, "turn_began_seq": 1, "clock": "{}",
        "released": False, "created": 0,
    },
    "events": {
        "match_id": 1, "seq": 5, "kind": "seat", "seat": "blue", "turn": 1, "body": "{}",
        "facts": "[]", "hash": "", "at": 0,
    },
    "standing_orders": {
        "match_id": 1, "kind": "queue", "text": "pass", "state": "waiting", "created": 0,
    },
    "private_events": {"match_id": 1, "kind": "given", "hash": "", "at": 0},
}  # fmt: skip
"""Rows as revision 0009 has them: blue's seat changed hands by the fifth event."""


def add_old(connection: Connection, table: str, **more: object) -> None:
    """Add a row to a table of revision 0009."""
    row = {**OLD_ROWS.get(table, {}), **more}
    names, values = ", ".join(row), ", ".join(f":{each}" for each in row)
    connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({values})"), row)


def test_standing_orders_of_before_keep_their_numbers(empty_url: str) -> None:
    """They count on for each seat; whoever got it from somebody else begins with 1."""
    at_revision(empty_url, "0009")
    engine = create_engine(empty_url)
    with engine.begin() as connection:
        add_old(connection, "matches")
        add_old(connection, "events")
        told = {"match_id": 1, "holder": "nobody", "agreed": "yes", "reported_seq": 0}
        for number, seat in enumerate(("red", "blue")):
            row = {"seat": seat, "number": number, "reported_turn": 0, "handed_on": number}
            add_old(connection, "seats", **told, **row)
        given = [("red", 0), ("blue", 0), ("red", 0), ("blue", 9), ("blue", 9)]
        for number, (seat, board) in enumerate(given, start=1):
            add_old(connection, "standing_orders", id=number, seat=seat)
            body = f'{{"board":{board}}}'
            add_old(connection, "private_events", seat=seat, seq=number, body=body)
    engine.dispose()
    upgrade(empty_url)
    numbers = text("SELECT number, handed_on FROM standing_orders ORDER BY id")
    with open_store(empty_url) as store, store.reading() as connection:
        found = [tuple(row) for row in connection.execute(numbers)]
    assert found == [(1, 0), (1, 0), (2, 0), (1, 1), (2, 1)]
