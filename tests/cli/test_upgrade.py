"""A database of an older referee: every command says what to do, and `upgrade` does it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.given import GIVEN, SEATED
from support.upgrading import become_later

import referee.store.store
from referee.config import load_settings
from referee.desk.archive import audit
from referee.desk.desk import Desk
from referee.desk.service.lease import Lease
from referee.errors import UNFIT
from referee.store.database.errors import NotInitialised
from referee.store.store import REVISIONS, open_store


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
    assert ran.status == UNFIT
    assert ran.err == (
        "referee: The database is of an older referee: stop the daemon, then `referee upgrade`.\n"
    )


def test_the_daemon_upgrades_nothing(run: Callable[..., Any], old: Path) -> None:
    """It ends at once, with the status after which systemd does not start it again."""
    before = old.read_bytes()
    assert run("run", "--once").status == UNFIT
    assert run("run").status == UNFIT
    assert old.read_bytes() == before


def test_a_newer_database_is_refused(run: Callable[..., Any], old: Path) -> None:
    """A referee of before names the version to install, and changes nothing."""
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = old.read_bytes()
    for command in (("match", "list"), ("upgrade",), ("run", "--once")):
        ran = run(*command)
        assert ran.status == UNFIT
        assert "newer referee" in ran.err
        assert old.read_bytes() == before
        assert list(old.parent.glob("referee.db.before-*")) == []


def test_a_database_in_use_is_not_upgraded(run: Callable[..., Any], old: Path) -> None:
    """While a daemon serves it, the upgrade names the daemon and does nothing."""
    with open_store(f"sqlite:///{old}", older=True) as store:
        lease = Lease(Desk(store, load_settings(old.parent / "referee.toml", {})))
        lease.hold()
        ran = run("upgrade")
        lease.give_back()
    assert (ran.status, "A daemon uses the database" in ran.err) == (2, True)
    assert list(old.parent.glob("referee.db.before-*")) == []


def test_it_is_brought_up_and_a_copy_is_kept(run: Callable[..., Any], old: Path) -> None:
    """The copy is of the older version; the database was audited, and is left alone then."""
    ran = run("upgrade")
    (copy,) = old.parent.glob("referee.db.before-*")
    assert ran.out.splitlines()[:3] == [
        "The database is of this version now:", "- Add a column.",
        f"The one before is kept as {copy}.",
    ]  # fmt: skip
    assert "0 matches, 0 orders replayed" in ran.out
    with closing(sqlite3.connect(copy)) as connection:
        (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    assert version == REVISIONS[-1]
    open_store(f"sqlite:///{old}").close()
    assert run("upgrade").out == "Nothing to upgrade.\n"
    assert json.loads(run("upgrade", "--json").out) == {"steps": [], "before": None, "audit": None}


def become_first(run: Callable[..., Any], folder: Path, more: str = "") -> None:
    """Set up an installation in the current folder whose database is of the first version.

    ``more`` is what somebody did to it by hand.
    """
    assert run("init", folder, *GIVEN).status == 0
    made = Path(__file__).parents[1] / "store" / "made_by_0200.sql"
    for file in folder.glob("referee.db*"):
        file.unlink()
    with closing(sqlite3.connect("referee.db")) as first:
        first.executescript(made.read_text(encoding="utf-8") + more)


def test_an_index_that_is_missing_or_there_holds_up_no_upgrade(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever dropped one by hand, or made one that was lacking, loses nothing by it."""
    monkeypatch.chdir(tmp_path)
    dropped = "DROP INDEX ix_letters_state_arrived;"
    made = "CREATE INDEX ix_letters_sender_id ON letters (sender, id);"
    become_first(run, tmp_path, f"\n{dropped}\n{made}\n")
    ran = run("upgrade")
    assert (ran.status, ran.err) == (0, "")
    assert run("match", "list").status == 0


def test_a_match_that_does_not_fit_is_named(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is brought up all the same, and the status tells that some data is wrong."""
    monkeypatch.chdir(tmp_path)
    assert run("init", tmp_path, *GIVEN).status == 0
    for _ in range(2):
        assert run("match", "new", "pebbles", *SEATED, "--start").status == 0
    with closing(sqlite3.connect("referee.db")) as connection, connection:
        spoilt = connection.execute("UPDATE events SET hash = 'ff' WHERE seq = 1 AND match_id = 2")
        assert spoilt.rowcount == 1
    become_later(monkeypatch, tmp_path)
    ran = run("upgrade")
    assert ran.status == 1
    assert "pebbles-2" in ran.out
    assert "pebbles-1" not in ran.out
    assert run("upgrade").out == "Nothing to upgrade.\n"


def test_a_database_of_the_first_version_is_brought_up(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tables lack columns that today's queries ask for; nothing of that is in the way."""
    monkeypatch.chdir(tmp_path)
    become_first(run, tmp_path)
    assert run("match", "list").status == UNFIT
    ran = run("upgrade")
    assert (ran.status, ran.err) == (0, "")
    assert run("match", "list").status == 0


def test_an_upgrade_stopped_in_its_audit_says_what_is_done(
    run: Callable[..., Any], old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The steps and the copy are told before; another command goes on with the audit."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(audit, "audit_matches", stop)
    ran = run("upgrade")
    (copy,) = old.parent.glob("referee.db.before-*")
    assert ran.status == 130
    assert f"- Add a column.\nThe one before is kept as {copy}.\n" in ran.out
    assert ran.err.endswith("referee record audit goes on from there\n")


def test_the_referee_of_before_puts_the_copy_back(
    run: Callable[..., Any], old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It replaces a database of a newer referee, unless a daemon serves that."""
    run("upgrade")
    (kept,) = old.parent.glob("referee.db.before-*")
    copy = kept.rename(old.parent / "kept.db")
    with open_store(f"sqlite:///{old}") as store:
        lease = Lease(Desk(store, load_settings(old.parent / "referee.toml", {})))
        lease.hold()
        monkeypatch.setattr(referee.store.store, "REVISIONS", REVISIONS)
        ran = run("restore", copy, "--replace")
        assert (ran.status, "A daemon uses the database" in ran.err) == (2, True)
        lease.give_back()
    assert run("match", "list").status == UNFIT
    assert run("restore", copy, "--replace").status == 0
    assert run("match", "list").status == 0


def test_a_newer_database_with_other_leases_is_left_alone(
    run: Callable[..., Any], old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows whether a daemon serves it."""
    run("upgrade")
    (kept,) = old.parent.glob("referee.db.before-*")
    copy = kept.rename(old.parent / "kept.db")
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("ALTER TABLE leases RENAME TO holders")
    monkeypatch.setattr(referee.store.store, "REVISIONS", REVISIONS)
    ran = run("restore", copy, "--replace")
    assert (ran.status, "move it away first" in ran.err) == (UNFIT, True)


@pytest.mark.parametrize("command", [("match", "list"), ("status",), ("upgrade",)])
def test_a_database_from_before_the_first_release_is_refused(
    run: Callable[..., Any], old: Path, command: tuple[str, ...]
) -> None:
    """One line says that it cannot be upgraded, and what to do; no copy is made."""
    with closing(sqlite3.connect(old)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    ran = run(*command)
    assert ran.status == UNFIT
    assert ran.err == (
        "referee: The database was made before the first release and cannot be upgraded: "
        "set up a new one with `referee init`, in another folder.\n"
    )
    assert list(old.parent.glob("referee.db.before-*")) == []


def test_what_is_no_database_of_ours_is_not_upgraded(run: Callable[..., Any], old: Path) -> None:
    """A file without our tables is refused and stays as it is."""
    old.write_bytes(b"")
    assert run("upgrade").status == UNFIT
    with pytest.raises(NotInitialised):
        open_store(f"sqlite:///{old}")
