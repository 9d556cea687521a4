"""`referee backup` and `referee restore`: verified, and nothing lost by a mistake."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from support.given import GIVEN
from support.storing import a_match, a_player

from referee.config import load_settings
from referee.desk.desk import Desk, utc_now
from referee.desk.service.lease import Lease, serving_daemon
from referee.errors import FAILED, UNFIT
from referee.store.people import players
from referee.store.play import matches
from referee.store.store import Store, open_store


@pytest.fixture
def folder(run: Callable[..., Any], tmp_path: Path, monkeypatch: Any) -> Path:
    """Set up an installation with a match in the current folder."""
    monkeypatch.chdir(tmp_path)
    assert run("init", tmp_path, *GIVEN).status == 0
    with opened(tmp_path) as store, store.writing() as connection:
        a_match(connection)
    return tmp_path


@pytest.fixture
def served(folder: Path) -> Iterator[Lease]:
    """Let a daemon serve the database."""
    with opened(folder) as store:
        lease = Lease(Desk(store, load_settings(folder / "referee.toml", {})))
        lease.hold()
        yield lease
        lease.give_back()


@pytest.mark.parametrize("name", ["club%41", "clubs?old", "50%"])
def test_a_folder_may_bear_any_name(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: Any, name: str
) -> None:
    """One with a sign in it that means something in addresses, too, is copied and put back."""
    place = tmp_path / name
    assert run("init", place, *GIVEN).status == 0
    monkeypatch.chdir(place)
    assert run("player", "add", "alice@example.test").status == 0
    assert run("backup", place / "copy.db").status == 0
    assert run("restore", place / "copy.db", "--replace").status == 0
    assert "alice" in run("player", "list").out
    assert [each.name for each in tmp_path.iterdir()] == [name]


def opened(folder: Path) -> Store:
    return open_store(f"sqlite:///{folder / 'referee.db'}")


def names(folder: Path) -> list[str]:
    """Return who plays."""
    with opened(folder) as store, store.reading() as connection:
        return [each.name for each in players.all_players(connection)]


def add_carol(folder: Path) -> None:
    with opened(folder) as store, store.writing() as connection:
        a_player(connection, "carol")


def test_what_was_backed_up_is_put_back(run: Callable[..., Any], folder: Path) -> None:
    """The copy is as it was then; the database it replaces is kept, whole."""
    made = run("backup", "copy.db")
    assert made.status == 0
    assert "1 match" in made.out
    assert stat.S_IMODE(Path("copy.db").stat().st_mode) == 0o600
    add_carol(folder)
    done = run("restore", "copy.db", "--replace")
    assert done.status == 0
    assert names(folder) == ["alice", "bob"]
    (aside,) = [each for each in folder.iterdir() if ".before-" in each.name]
    assert str(aside) in done.out
    with open_store(f"sqlite:///{aside}") as store, store.reading() as connection:
        assert len(players.all_players(connection)) == 3
    assert (folder / "copy.db").is_file()


def test_a_copy_is_one_plain_file(run: Callable[..., Any], folder: Path) -> None:
    """It can be opened where nothing can be written, as in a snapshot that is mounted."""
    assert run("backup", "copy.db").status == 0
    # The bytes 18 and 19 of an SQLite file: 1 without a write-ahead log, 2 with one.
    assert Path("copy.db").read_bytes()[18:20] == b"\x01\x01"
    assert [each.name for each in folder.glob("copy.db*")] == ["copy.db"]


def test_the_latest_copies_stay_and_nothing_else_is_touched(
    run: Callable[..., Any], folder: Path
) -> None:
    """Of four before and the new one two are left, beside a file of somebody else's."""
    kept = folder / "kept"
    kept.mkdir()
    for day in ("03", "01", "04", "02"):
        (kept / f"referee-202511{day}T000000Z.db").write_bytes(b"")
    (kept / "referee-20251101.db").write_bytes(b"by hand")
    assert run("backup", "kept", "--keep", "2").status == 0
    by_hand, before, new = sorted(each.name for each in kept.iterdir())
    assert (by_hand, before) == ("referee-20251101.db", "referee-20251104T000000Z.db")
    assert new > before
    assert (kept / by_hand).read_bytes() == b"by hand"


def test_the_copy_just_taken_stays(run: Callable[..., Any], folder: Path) -> None:
    """Also beside one that a clock which was ahead has named."""
    (folder / "kept").mkdir()
    (folder / "kept" / "referee-20991231T000000Z.db").write_bytes(b"")
    assert run("backup", "kept", "--keep", "1").status == 0
    assert len(list((folder / "kept").iterdir())) == 2


def test_a_database_that_is_lost_is_put_back(run: Callable[..., Any], folder: Path) -> None:
    """Where there is none, nothing needs to be replaced."""
    run("backup", "copy.db")
    for each in folder.glob("referee.db*"):
        each.unlink()
    assert run("restore", "copy.db").status == 0
    assert names(folder) == ["alice", "bob"]


def test_the_log_of_a_lost_database_is_not_played_into_the_copy(
    run: Callable[..., Any], folder: Path
) -> None:
    """A killed daemon leaves it, and the database alone may be moved away; both stay readable."""
    run("backup", "copy.db")
    with closing(sqlite3.connect(folder / "referee.db", isolation_level=None)) as killed:
        killed.execute("PRAGMA wal_autocheckpoint = 0")
        killed.execute("UPDATE players SET name = name || '-later'")
        log = (folder / "referee.db-wal").read_bytes()
    (folder / "referee.db").rename(folder / "moved.db")
    (folder / "referee.db-wal").write_bytes(log)
    assert run("restore", "copy.db").status == 0
    assert names(folder) == ["alice", "bob"]
    (aside,) = folder.glob("referee.db.before-*")
    assert aside.name.endswith("-wal")
    assert aside.read_bytes() == log


def test_a_damaged_database_is_replaced(run: Callable[..., Any], folder: Path) -> None:
    """It cannot say whether it is served, and is set aside as it is."""
    run("backup", "copy.db")
    (folder / "referee.db").write_bytes(b"no database at all" * 300)
    assert run("restore", "copy.db", "--replace").status == 0
    assert names(folder) == ["alice", "bob"]


def refused(run: Callable[..., Any], *words: str) -> str:
    """Run a command that is refused and return its one line."""
    ran = run(*words)
    assert ran.status in {FAILED, UNFIT}
    assert len(ran.err.splitlines()) == 1
    return str(ran.err)


def test_a_database_in_use_is_not_replaced(
    run: Callable[..., Any], folder: Path, served: Lease
) -> None:
    """While a daemon serves it a backup can be taken, but none put back."""
    assert run("backup", "copy.db").status == 0
    assert f"process {os.getpid()}" in refused(run, "restore", "copy.db", "--replace")
    assert names(folder) == ["alice", "bob"]


def test_a_copy_of_a_served_database_is_served_by_nobody(
    run: Callable[..., Any], folder: Path, served: Lease
) -> None:
    """The daemon that served it when it was copied does not lock out the next."""
    run("backup", "copy.db")
    served.give_back()
    assert run("restore", "copy.db", "--replace").status == 0
    with opened(folder) as store, store.reading() as connection:
        assert serving_daemon(connection) is None


def test_nothing_is_replaced_unasked(run: Callable[..., Any], folder: Path) -> None:
    """Neither a database nor a file with the name of the copy."""
    run("backup", "copy.db")
    assert "is there already" in refused(run, "backup", "copy.db")
    add_carol(folder)
    assert "--replace" in refused(run, "restore", "copy.db")
    assert "carol" in names(folder)


def test_a_copy_of_a_newer_version_is_refused(run: Callable[..., Any], folder: Path) -> None:
    """The database stays as it is, and nothing else is left."""
    run("backup", "copy.db")
    with (
        open_store(f"sqlite:///{folder / 'copy.db'}") as store,
        store.writing() as connection,
    ):
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    before = sorted(each.name for each in folder.iterdir())
    assert "newer referee" in refused(run, "restore", "copy.db", "--replace")
    assert names(folder) == ["alice", "bob"]
    assert sorted(each.name for each in folder.iterdir()) == before


@pytest.mark.parametrize("content", [b"", b"no database at all" * 300])
def test_what_is_no_backup_is_refused(
    run: Callable[..., Any], folder: Path, content: bytes
) -> None:
    """The database stays as it is."""
    (folder / "copy.db").write_bytes(content)
    assert "copy.db is no database" in refused(run, "restore", "copy.db", "--replace")
    refused(run, "restore", "none.db", "--replace")
    assert names(folder) == ["alice", "bob"]
    assert not [each for each in folder.iterdir() if ".before-" in each.name]


def moved_on(folder: Path) -> None:
    """Let the match go on, and begin another."""
    with opened(folder) as store, store.writing() as connection:
        first = matches.select_matches(connection)[0]
        matches.change_match(
            connection, first.id, seq=first.seq + 1, head="ab", draws=0, turn=1, to_act="red",
            turn_began_seq=0, turn_began_at=utc_now(), due=None, agenda_at=None,
        )  # fmt: skip
        a_match(connection)


def test_a_database_that_knows_more_is_replaced_knowingly(
    run: Callable[..., Any], folder: Path
) -> None:
    """The refusal names the matches that the copy lacks; so does what replaces it all the same."""
    run("backup", "copy.db")
    told = refused(run, "restore", "copy.db")
    assert "lacks" not in told
    assert "earlier state" not in told
    moved_on(folder)
    before = {each.name: each.read_bytes() for each in folder.iterdir()}
    lacks = "lacks pebbles-2. It holds pebbles-1 in an earlier state."
    assert f"copy.db {lacks}" in refused(run, "restore", "copy.db")
    assert {each.name: each.read_bytes() for each in folder.iterdir()} == before
    done = run("restore", "copy.db", "--replace")
    assert "The database is a copy of copy.db now: " in done.out
    assert f"It {lacks}\n" in done.out


@pytest.mark.parametrize("what", ["called off", "declined", "handed on"])
def test_a_copy_tells_what_it_undoes_of_a_match_that_has_not_begun(
    run: Callable[..., Any], folder: Path, what: str
) -> None:
    """Nothing of that is an event: who is asked, and has agreed, and whether it is called off."""
    with opened(folder) as store, store.writing() as connection:
        row = matches.get_match(connection, a_match(connection).match)
    run("backup", "copy.db")
    with opened(folder) as store, store.writing() as connection:
        if what == "called off":
            matches.set_match_state(connection, row.id, "abandoned", now=utc_now())
        elif what == "declined":
            matches.change_seat(connection, row.id, "red", agreed="no")
        else:
            matches.change_seat(connection, row.id, "red", holder="bot", bot="random")
    told = f"copy.db holds {row.name} in an earlier state."
    assert told in refused(run, "restore", "copy.db")


def test_a_database_of_a_newer_version_is_kept_beside(
    run: Callable[..., Any], folder: Path
) -> None:
    """It is replaced only where that is asked for, and stays whole under another name."""
    run("backup", "copy.db")
    with opened(folder) as store, store.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    before = sorted(each.name for each in folder.iterdir())
    assert "is there already" in refused(run, "restore", "copy.db")
    assert sorted(each.name for each in folder.iterdir()) == before
    assert run("restore", "copy.db", "--replace").status == 0
    (aside,) = folder.glob("referee.db.before-*Z")
    with closing(sqlite3.connect(aside)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)


def test_a_folder_needs_keep(run: Callable[..., Any], folder: Path) -> None:
    """A folder named where a file should be is told from a file that is there."""
    (folder / "bk").mkdir()
    ran = run("backup", folder / "bk")
    assert (ran.status != 0, "is a folder" in ran.err, "--keep" in ran.err) == (True, True, True)
    assert list((folder / "bk").iterdir()) == []
