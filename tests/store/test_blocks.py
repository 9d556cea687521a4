"""Blocks that read and write: whole or not at all, whatever happens inside or beside them."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError, StatementError
from support.cost import statements
from support.storing import NOW, a_letter, a_match, a_player, an_event

from referee.store import notes, tables
from referee.store.database import engine
from referee.store.database.errors import (
    StaleLog,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreUnreachable,
)
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters
from referee.store.store import Store, create_store, open_store


def test_a_writing_block_is_kept(store: Store) -> None:
    with store.writing() as connection:
        notes.put_value(connection, "a", "b")
    with store.reading() as connection:
        assert notes.read_value(connection, "a") == "b"


def put_and_fail(connection: Connection, key: str) -> None:
    """Write something, then go wrong."""
    notes.put_value(connection, key, "lost")
    _ = 1 // 0


def test_an_error_undoes_the_whole_block(store: Store) -> None:
    """An error of ours inside a writing block undoes it and is not disguised."""
    with pytest.raises(ZeroDivisionError), store.writing() as connection:
        put_and_fail(connection, "a")
    with store.reading() as connection:
        assert notes.read_value(connection, "a") is None


def test_a_savepoint_undoes_its_part_only(store: Store) -> None:
    """What a savepoint held is undone without the rest of the block."""
    with store.writing() as connection:
        notes.put_value(connection, "before", "kept")
        with pytest.raises(ZeroDivisionError), connection.begin_nested():
            put_and_fail(connection, "inside")
        notes.put_value(connection, "after", "kept")
    with store.reading() as connection:
        found = [notes.read_value(connection, key) for key in ("before", "inside", "after")]
    assert found == ["kept", None, "kept"]


def test_a_reading_block_cannot_write(store: Store) -> None:
    """Writing in a block meant for reading is an error, and nothing is changed."""
    with pytest.raises(DBAPIError), store.reading() as connection:
        notes.put_value(connection, "a", "b")
    with store.writing() as connection:
        assert notes.read_value(connection, "a") is None
        notes.put_value(connection, "a", "c")


def test_a_reading_block_sees_one_state(store: Store) -> None:
    """What others write while a block reads stays out of its sight."""
    with store.reading() as reader:
        assert notes.read_value(reader, "a") is None
        with store.writing() as writer:
            notes.put_value(writer, "a", "b")
        assert notes.read_value(reader, "a") is None
    with store.reading() as reader:
        assert notes.read_value(reader, "a") == "b"


def test_who_holds_a_match_keeps_others_from_it(url: str) -> None:
    """Until the block ends; then they find what it wrote."""
    with open_store(url) as store, open_store(url, patience=0.2) as other:
        with store.writing() as connection:
            match_id = a_match(connection).match
        with store.writing() as connection:
            row = matches.lock_match(connection, match_id)
            matches.change_match(connection, match_id, turn=row.turn + 1)
            with pytest.raises(StoreLocked), other.writing() as late:
                matches.lock_match(late, match_id)
        with other.writing() as late:
            assert matches.lock_match(late, match_id).turn == row.turn + 1


def test_a_mistake_of_ours_keeps_its_name(store: Store) -> None:
    """A broken rule of the tables is our mistake, not a fault of the store."""
    with store.writing() as connection:
        a_player(connection, "alice")
    with pytest.raises(IntegrityError), store.writing() as connection:
        a_player(connection, "alice")


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO addresses (address, player_id, state, created) VALUES ('a', 99, 'ok', 0)",
        "UPDATE players SET format = 'papyrus'",
        "UPDATE matches SET state = 'forgotten'",
        "UPDATE matches SET head = NULL",
    ],
)
def test_the_tables_refuse_what_cannot_be(store: Store, statement: str) -> None:
    """References that lead nowhere and words that do not exist are refused by the database."""
    with store.writing() as connection:
        a_match(connection)
    with pytest.raises(IntegrityError), store.writing() as connection:
        connection.execute(text(statement))


def test_a_moment_without_a_zone_is_refused(store: Store) -> None:
    """A moment that does not say its time zone never reaches the tables."""
    with pytest.raises(StatementError, match="offset-naive"), store.writing() as connection:
        a_letter(connection, 1, arrived=NOW.replace(tzinfo=None))


def test_a_lock_is_waited_for_and_then_reported(url: str) -> None:
    """Who cannot write because somebody else does is told so after the time he would wait."""
    with open_store(url) as first, open_store(url, patience=0.2) as second:
        with first.writing() as connection:
            a_match(connection)
        began = time.monotonic()
        with first.writing() as holder:
            matches.lock_matches(holder, ["pebbles-1"])
            with pytest.raises(StoreLocked, match="busy"), second.writing() as connection:
                matches.lock_matches(connection, ["pebbles-1"])
        waited = time.monotonic() - began
        with second.writing() as connection:
            assert len(matches.lock_matches(connection, ["pebbles-1"])) == 1
    assert waited > 0.15


def test_of_two_that_append_one_wins(url: str) -> None:
    """Of several threads that append the same event exactly one succeeds, and says so."""
    with open_store(url) as store, store.writing() as connection:
        placed = a_match(connection)
    outcomes: list[str] = []
    start = threading.Barrier(4)

    def run(name: str) -> None:
        with open_store(url) as mine:
            start.wait()
            try:
                with mine.writing() as connection:
                    matches.append_events(connection, placed.match, [an_event(1, f'"{name}"')])
                outcomes.append(name)
            except StaleLog:
                outcomes.append("stale")

    threads = [threading.Thread(target=run, args=(f"thread {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("stale") == 3
    (winner,) = set(outcomes) - {"stale"}
    with open_store(url) as store, store.reading() as connection:
        assert [each.body for each in matches.events(connection, placed.match)] == [f'"{winner}"']


def test_names_are_never_given_twice(url: str) -> None:
    """Threads that ask for names of the same game at once each get one of their own."""
    names: list[str] = []

    def run() -> None:
        with open_store(url) as mine:
            for _ in range(5):
                with mine.writing() as connection:
                    name = matches.new_name(connection, "pebbles")
                names.append(name)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(names, key=lambda name: int(name[8:])) == [f"pebbles-{n}" for n in range(1, 16)]


CRASH = """
import os, sys
sys.path.insert(0, sys.argv[2])
from referee.store.play import matches
from referee.store.store import open_store
from support.storing import a_letter, a_match, an_event
with open_store(sys.argv[1]).writing() as connection:
    placed = a_match(connection)
    matches.append_events(connection, placed.match, [an_event(1)])
    a_letter(connection, 1)
    print("written", flush=True)
    os._exit(1)
"""


def test_a_crash_undoes_the_block(url: str, pytestconfig: pytest.Config) -> None:
    """A process that dies in a writing block leaves nothing of it, and no lock."""
    command = [sys.executable, "-c", CRASH, url, str(pytestconfig.rootpath / "tests")]
    died = subprocess.run(command, capture_output=True, check=False, cwd=pytestconfig.rootpath)
    assert (died.returncode, died.stdout) == (1, b"written\n"), died.stderr
    with open_store(url) as store, store.writing() as connection:
        assert matches.select_matches(connection) == ()
        assert players.all_players(connection) == ()
        assert letters.latest_letters(connection) == ()
        assert matches.new_name(connection, "pebbles") == "pebbles-1"


@pytest.fixture
def small(made: Path, tmp_path: Path) -> Iterator[Store]:
    """Yield a store in which there is hardly room for anything."""
    file = tmp_path / "small.db"
    shutil.copy(made, file)
    with open_store(f"sqlite:///{file}") as found:
        with found.writing() as connection:
            a_letter(connection, 1)
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 4}")
        yield found


def overflow(connection: Connection) -> None:
    """Write more than there is room for, the last of it in a savepoint."""
    placed = a_match(connection)
    body = '"' + "x" * 100_000 + '"'
    matches.append_events(connection, placed.match, [an_event(1), an_event(2, body)])


def a_letter_too_large(connection: Connection) -> None:
    """Keep a letter there is no room for, after things there is room for."""
    a_player(connection)
    a_letter(connection, 2, raw=b"x" * 100_000)


def untouched(store: Store) -> bool:
    """Return whether the small store is as it was made."""
    with store.reading() as connection:
        uids = [each.uid for each in letters.latest_letters(connection)]
        return uids == [1] and not players.all_players(connection)


def test_a_full_database_leaves_nothing_half_done(small: Store) -> None:
    """When the room runs out in the middle of a block, all of it is undone and it is said."""
    with pytest.raises(StoreFull, match="full"), small.writing() as connection:
        a_letter_too_large(connection)
    assert untouched(small)


def test_room_that_runs_out_in_a_savepoint_undoes_the_block(small: Store) -> None:
    """A full database is told as such even where only a savepoint was written."""
    with pytest.raises(StoreFull), small.writing() as connection:
        overflow(connection)
    assert untouched(small)


@pytest.mark.parametrize("breaks", [overflow, a_letter_too_large])
@pytest.mark.parametrize("goes_on", [True, False])
def test_a_fault_passed_over_does_not_let_the_block_go_on(
    small: Store, breaks: Callable[[Connection], None], goes_on: bool
) -> None:
    """Who passes over a fault that undid the block can neither write on nor believe it kept."""

    def pass_over(connection: Connection) -> None:
        with contextlib.suppress(SQLAlchemyError):
            breaks(connection)
        if goes_on:
            notes.put_value(connection, "a", "b")

    with pytest.raises(StoreError), small.writing() as connection:
        pass_over(connection)
    assert untouched(small)
    with small.writing() as connection:
        assert notes.read_value(connection, "a") is None
        notes.put_value(connection, "a", "c")


def write_around(stopped: Store, other: Store) -> None:
    """Write in a block while another store writes the same, as if this process had stood still."""
    with stopped.writing() as connection:
        notes.put_value(connection, "a", "stopped")
        with other.writing() as beside:
            notes.put_value(beside, "a", "other")
        notes.put_value(connection, "b", "stopped")


@pytest.mark.parametrize("kind", ["postgresql"])
def test_a_block_that_stands_still_keeps_nobody_from_writing(
    store: Store, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process may have been stopped; when that goes on nothing of the block is kept."""
    monkeypatch.setattr(engine, "STANDSTILL", 1)
    with open_store(url) as stopped, pytest.raises(StoreUnreachable):
        write_around(stopped, store)
    with store.reading() as connection:
        assert notes.read_value(connection, "a") == "other"
        assert notes.read_value(connection, "b") is None


@pytest.mark.parametrize("kind", ["postgresql"])
def test_a_fault_passed_over_on_postgresql_is_told_at_the_end(store: Store) -> None:
    """Its COMMIT would undo the block without a word."""

    def pass_over(connection: Connection) -> None:
        notes.put_value(connection, "a", "b")
        with contextlib.suppress(SQLAlchemyError):
            connection.execute(text("SELECT 1 / 0"))

    with pytest.raises(SQLAlchemyError, match="passed over"), store.writing() as connection:
        pass_over(connection)
    with store.reading() as connection:
        assert notes.read_value(connection, "a") is None


@pytest.mark.parametrize("kind", ["postgresql"])
@pytest.mark.parametrize("goes_on", [True, False])
def test_a_lost_connection_passed_over_is_told_as_lost(store: Store, goes_on: bool) -> None:
    """Whether the block goes on or ends, it is the store's own error, and the next one works."""

    def pass_over(connection: Connection) -> None:
        with contextlib.suppress(SQLAlchemyError):
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        if goes_on:
            notes.put_value(connection, "a", "b")

    with pytest.raises(StoreUnreachable, match="lost"), store.writing() as connection:
        pass_over(connection)
    with store.writing() as connection:
        assert notes.read_value(connection, "a") is None


@pytest.mark.parametrize("kind", ["postgresql"])
def test_what_was_read_before_a_lock_is_read_anew(store: Store) -> None:
    """Whoever a block waited for may have changed more than what it has locked."""
    with store.writing() as connection:
        match = a_match(connection).match
    with store.writing() as connection:
        assert matches.events(connection, match) == ()
        with store.writing() as other:
            matches.append_events(other, match, [an_event(1)])
        assert matches.events(connection, match) == ()
        matches.lock_match(connection, match)
        assert len(matches.events(connection, match)) == 1


def pause_and_fail(connection: Connection, match: int) -> None:
    """Write something, read it, then go wrong."""
    matches.set_match_state(connection, match, "paused", now=NOW)
    assert matches.get_match(connection, match).state == "paused"
    _ = 1 // 0


def test_what_a_block_wrote_is_read_anew(store: Store) -> None:
    """Whatever was read before: in the block, after a savepoint undone, and in the next block."""
    with store.writing() as connection:
        match = a_match(connection).match
        assert matches.events(connection, match) == ()
        matches.append_events(connection, match, [an_event(1)])
        assert len(matches.events(connection, match)) == 1
        with pytest.raises(ZeroDivisionError), connection.begin_nested():
            pause_and_fail(connection, match)
        assert matches.get_match(connection, match).state == "invited"
    with pytest.raises(ZeroDivisionError), store.writing() as connection:
        pause_and_fail(connection, match)
    with store.writing() as connection:
        assert matches.get_match(connection, match).state == "invited"
        matches.set_match_state(connection, match, "paused", now=NOW)
    with store.reading() as connection:
        assert matches.get_match(connection, match).state == "paused"


def test_rows_are_read_once_until_their_table_is_written(tmp_path: Path) -> None:
    """On SQLite, in each block anew; so they are after a savepoint undone."""
    url = f"sqlite:///{tmp_path / 'referee.db'}"
    create_store(url)

    def reads(connection: Connection, match: int) -> int:
        with statements() as asked:
            for _ in range(3):
                matches.get_match(connection, match)
        return len(asked)

    with open_store(url) as store:
        with store.writing() as connection:
            match = a_match(connection).match
            assert [reads(connection, match), reads(connection, match)] == [1, 0]
            matches.wake_running(connection, NOW)
            assert reads(connection, match) == 1
            notes.put_value(connection, "a", "b")
            assert reads(connection, match) == 0
            with connection.begin_nested():
                assert reads(connection, match) == 0
            with pytest.raises(ZeroDivisionError), connection.begin_nested():
                pause_and_fail(connection, match)
            assert reads(connection, match) == 1
        with store.reading() as connection:
            assert [reads(connection, match), reads(connection, match)] == [1, 0]


@pytest.mark.parametrize(
    "change",
    [
        lambda connection: connection.execute(text("UPDATE seats SET reported_seq = 7")),
        lambda connection: connection.exec_driver_sql("UPDATE seats SET reported_seq = 7"),
        lambda connection: connection.execute(update(tables.seats), {"reported_seq": 7}),
        lambda connection: matches.set_reported(connection, 1, ["red", "blue"], 7, 1),
    ],
)
def test_rows_are_read_anew_after_any_kind_of_statement(
    store: Store, change: Callable[[Connection], object]
) -> None:
    """Be it plain SQL, a statement of SQLAlchemy, or one for many rows."""
    with store.writing() as connection:
        match = a_match(connection).match
        assert {each.reported_seq for each in matches.seats(connection, match)} != {7}
        change(connection)
        assert {each.reported_seq for each in matches.seats(connection, match)} == {7}


def test_a_transaction_that_ended_by_itself_ends_its_block(tmp_path: Path) -> None:
    """Even if no statement failed, nothing more is read or written outside of a transaction."""
    url = f"sqlite:///{tmp_path / 'referee.db'}"
    create_store(url)

    def end(connection: Connection, *, goes_on: bool) -> None:
        notes.put_value(connection, "a", "b")
        connection.exec_driver_sql("ROLLBACK")
        if goes_on:
            notes.put_value(connection, "a", "b")

    with open_store(url) as store:
        for goes_on in (True, False):
            with pytest.raises(StoreError, match="gave up"), store.writing() as connection:
                end(connection, goes_on=goes_on)
        with store.reading() as connection:
            assert notes.read_value(connection, "a") is None


def test_rows_just_written_are_known(store: Store) -> None:
    """Where a change returns its rows they are those that would be read."""
    with store.writing() as connection:
        match = a_match(connection).match
        written = matches.change_match(connection, match, seq=3, agenda_at=NOW)
        assert matches.get_match(connection, match) == written
    with store.reading() as connection:
        assert matches.get_match(connection, match) == written


def test_threads_of_a_process_write_in_the_sequence_they_asked(tmp_path: Path) -> None:
    """One that writes again and again keeps no other out."""
    url = f"sqlite:///{tmp_path / 'line.db'}"
    create_store(url)
    blocks, asked, served, over = [0], threading.Event(), threading.Event(), threading.Event()
    at: list[int] = []

    def again_and_again() -> None:
        while not over.is_set():
            with store.writing(lasting=False):
                blocks[0] += 1
                time.sleep(0.005)
                if asked.is_set() and not served.is_set() and not at:
                    at.append(blocks[0])

    with open_store(url) as store:
        busy = threading.Thread(target=again_and_again)
        busy.start()
        try:
            while blocks[0] < 3:
                time.sleep(0.001)
            asked.set()
            with store.writing(lasting=False):
                found = blocks[0]
                served.set()
        finally:
            over.set()
            busy.join()
    assert found - (at or [found])[0] <= 2
