"""What the doctor says of files, disk, database, boards and clock; each thing is broken once."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from referee_pebbles.game import Pebbles
from support.club import Club
from support.storing import a_player
from support.upgrading import become_later

from referee.desk import health
from referee.desk.matches.time import outages
from referee.desk.service.backup import upgrade_database
from referee.desk.service.doctor import checks, machine
from referee.desk.service.lease import Lease
from referee.games import registry
from referee.games.registry import GROUP, Registry
from referee.store import leases
from referee.store.database.errors import StoreError, StoreFull, StoreLocked
from referee.store.store import REVISIONS, Store, create_store, open_store
from referee.value import replace

pytestmark = pytest.mark.fast


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Return the address of a fresh database."""
    found = f"sqlite:///{tmp_path / 'fresh.db'}"
    create_store(found)
    return found


def test_a_file_others_may_use_is_named(tmp_path: Path) -> None:
    """The advice is the command that closes it; what is not there does not count."""
    closed, opened, gone = tmp_path / "closed", tmp_path / "open", tmp_path / "gone"
    for each, mode in ((closed, 0o600), (opened, 0o640)):
        each.touch()
        each.chmod(mode)
    assert machine.check_modes([closed, gone]).grade == "ok"
    finding = machine.check_modes([closed, opened, gone])
    assert (finding.grade, finding.advice) == ("failure", f"chmod go= {opened}")


def test_a_file_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a command run as root; the database's folder counts, too."""
    file = tmp_path / "club.db"
    file.touch(0o600)
    assert machine.check_modes([file], [tmp_path, file]).grade == "ok"
    monkeypatch.setattr(os, "access", lambda path, _: path == file)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    finding = machine.check_modes([file], [tmp_path, file, tmp_path / "gone"])
    assert (finding.grade, finding.found) == ("failure", f"{tmp_path} cannot be written")
    assert finding.advice.endswith(f"chown {os.geteuid()} {tmp_path}")


def test_a_file_of_ours_that_cannot_be_written_needs_no_other_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its mode is at fault, or the file system, which may have turned read-only by itself."""
    file = tmp_path / "club.db"
    file.touch(0o400)
    # Root may write whatever the mode.
    monkeypatch.setattr(os, "access", lambda path, _: path != file)
    assert machine.check_modes([file], [tmp_path, file]).advice == f"chmod u+w {file}"
    mounted = SimpleNamespace(f_flag=os.ST_RDONLY)
    monkeypatch.setattr(os, "statvfs", lambda _: mounted)
    advice = machine.check_modes([file], [tmp_path, file]).advice
    assert "mounted read-only" in advice


@pytest.mark.parametrize(
    ("free", "grade"), [(5_000_000_000, "ok"), (50_000_000, "warning"), (1_000_000, "failure")]
)
def test_a_full_disk_is_told_before_it_is_full(tmp_path: Path, free: int, grade: str) -> None:
    """Little room is a warning, too little a failure."""
    finding = machine.check_space(tmp_path, free)
    assert finding.grade == grade
    assert finding.found.startswith(f"{free / 1e9:.1f} GB free")


@pytest.mark.parametrize(
    ("version", "found", "advice"),
    [
        ("9999", "newer referee", "install the version"),
        (REVISIONS[0], "older referee", "referee upgrade"),
        ("0001", "before the first release", "install the version"),
    ],
)
def test_tables_of_another_version_are_a_failure(
    url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    version: str,
    found: str,
    advice: str,
) -> None:
    """A database from the past or the future is told apart from a damaged one."""
    become_later(monkeypatch, tmp_path)
    database = sqlite3.connect(url.removeprefix("sqlite:///"))
    with closing(database) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
    finding = machine.check_schema(url)
    assert finding.grade == "failure"
    assert found in finding.found
    assert advice in finding.advice
    assert machine.check_integrity(url).grade == "skipped"


def test_a_database_that_is_not_there_is_a_failure(tmp_path: Path) -> None:
    """The advice names both ways to get one."""
    finding = machine.check_schema(f"sqlite:///{tmp_path / 'nowhere.db'}")
    assert finding.grade == "failure"
    assert "referee init" in finding.advice
    assert "referee restore" in finding.advice


def test_a_sound_database_is_praised(url: str) -> None:
    """Version and integrity of a fresh database are fine."""
    assert (machine.check_schema(url).grade, machine.check_integrity(url).grade) == ("ok", "ok")


def test_a_damaged_page_is_seen(url: str) -> None:
    """Bytes overwritten in an index are found, and a backup is what helps."""
    file = Path(url.removeprefix("sqlite:///"))
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name LIKE 'ix_%' OR type = 'index'"
        ).fetchone()
    connection.close()
    with file.open("r+b") as opened:
        opened.seek((page - 1) * size)
        opened.write(b"\xff" * size)
    finding = machine.check_integrity(url)
    assert finding.grade == "failure"
    assert "referee restore FILE --replace" in finding.advice


def test_a_reference_that_leads_nowhere_is_seen(url: str) -> None:
    """A row whose parent is gone is found, by the names of both tables."""
    with open_store(url) as store, store.writing() as connection:
        a_player(connection)
    with sqlite3.connect(url.removeprefix("sqlite:///")) as outside:
        outside.execute("DELETE FROM players")
    outside.close()
    finding = machine.check_integrity(url)
    assert finding.grade == "failure"
    assert "addresses refers to what players does not hold" in finding.found


def test_an_index_that_is_missing_is_seen_and_made_anew_by_an_upgrade(url: str) -> None:
    """The referee goes on without it, and slower with each letter."""
    with sqlite3.connect(url.removeprefix("sqlite:///")) as outside:
        (name,) = outside.execute(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        ).fetchone()
        outside.execute(f"DROP INDEX {name}")
    outside.close()
    finding = machine.check_integrity(url)
    assert finding.grade == "warning"
    assert name in finding.found
    assert "referee upgrade" in finding.advice
    steps, _ = upgrade_database(url, datetime(2026, 11, 21, tzinfo=UTC))
    assert [name in step for step in steps] == [True]
    assert machine.check_integrity(url).grade == "ok"


def test_a_game_that_is_gone_is_named_with_its_matches(club: Club) -> None:
    """A running match whose package was removed cannot go on."""
    club.new_match("pebbles", "red=alice@example.test", "blue=bob@example.test")
    club.work()
    assert machine.check_games(club.desk).grade == "ok"

    def forgotten(name: str, edition: int | None) -> Any:
        raise registry.UnknownGame(name, edition, {})

    finding = machine.check_games(replace(club.desk, find_game=forgotten))
    assert finding.grade == "failure"
    assert "for pebbles-1" in finding.found
    assert "install the package" in finding.advice


def test_whether_a_daemon_runs_is_told(club: Club) -> None:
    """None is a warning; one that holds the mailbox is named."""
    finding = machine.check_daemon(club.desk)
    assert (finding.grade, finding.advice) == ("warning", "start it: referee run")
    lease = Lease(club.desk)
    lease.hold()
    assert machine.check_daemon(club.desk).found == str(lease.server)
    lease.give_back()


def test_a_daemon_that_holds_the_mailbox_in_silence_is_not_started_twice(club: Club) -> None:
    """Its process runs, as it holds the lock: its log is what to look at."""
    lease = Lease(club.desk)
    lease.hold()
    club.later(minutes=5)
    finding = machine.check_daemon(club.desk)
    assert (finding.grade, "its log" in finding.advice) == ("failure", True)
    assert str(lease.server) in finding.found
    lease.give_back()


def test_a_database_that_cannot_be_written_is_named_with_its_files(club: Club) -> None:
    """A write is tried; the files beside the database must take it as well."""
    assert machine.check_writing(club.desk).grade == "ok"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        finding = machine.check_writing(club.desk)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    file = club.desk.store.file
    assert finding.grade == "failure"
    # Whoever reads this need not be sent here.
    assert "The database cannot be used: " in finding.found
    assert "doctor" not in finding.found
    assert all(f"{file}{tail}" in finding.advice.split() for tail in ("", "-wal", "-shm", "-lock"))


@pytest.mark.parametrize(
    ("fault", "advice"),
    [(StoreFull, "make room on the disk of"), (StoreLocked, "which program holds it")],
)
def test_the_advice_on_a_database_that_takes_nothing_is_of_its_fault(
    club: Club, monkeypatch: pytest.MonkeyPatch, fault: type[StoreError], advice: str
) -> None:
    """A full disk and a busy database have nothing to do with who may write."""

    def flush(_: Store) -> None:
        raise fault("it takes nothing")

    monkeypatch.setattr(Store, "flush", flush)
    finding = machine.check_writing(club.desk)
    assert finding.grade == "failure"
    assert advice in finding.advice
    assert "may write" not in finding.advice


def test_an_alarm_that_stops_the_daemon_is_told(club: Club) -> None:
    """Until it ends no letter is handled, though a daemon may run."""
    health.raise_alarm(club.desk, "3 letters in a row failed: then restart the daemon")
    finding = machine.check_daemon(club.desk)
    assert (finding.grade, finding.advice) == ("failure", "then restart the daemon")
    assert finding.found == "no letter is handled: 3 letters in a row failed"
    health.end_alarm(club.desk)
    assert machine.check_daemon(club.desk).grade == "warning"


def test_a_clock_that_was_put_back_is_seen(club: Club) -> None:
    """What the database remembers cannot lie in the future."""
    assert checks.remembered_clock(club.desk).grade == "ok"
    with club.desk.store.writing() as connection:
        leases.note_polled(connection, club.desk.now() + timedelta(hours=2))
    finding = checks.remembered_clock(club.desk)
    assert finding.grade == "failure"
    assert "the last poll lies in the future" in finding.found


def test_the_alarm_of_a_clock_that_jumped_is_told(club: Club) -> None:
    """While the daemon distrusts the clock, the way to end that is the advice."""
    outages.note_jump(club.desk, club.desk.now() - timedelta(days=1))
    finding = checks.remembered_clock(club.desk)
    assert finding.grade == "failure"
    assert finding.found.startswith("the clock jumped at 2026-11-20T12:00:00Z")
    assert "referee clock --is-right" in finding.advice


def test_the_boards_of_all_games_can_be_played_on() -> None:
    """Every board that comes with an installed game is read, fits its schema, and starts."""
    finding = machine.check_boards(registry.installed_games())
    assert finding.grade == "ok", finding.found
    assert finding.found.endswith(
        f"of {len(registry.installed_games().all())} games can be played on"
    )


class Moved(Pebbles):
    """Pebbles with its resources in another package."""

    resources: ClassVar[str] = "moved_pebbles"


MOVED = Moved(edition=1)


@pytest.fixture
def moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the folder of boards of a package made for the test."""
    folder = tmp_path / "moved_pebbles"
    schemas = Path(sys.modules[Pebbles.__module__].__file__ or "").parent / "schemas"
    (folder / "boards").mkdir(parents=True)
    (folder / "schemas").mkdir()
    (folder / "__init__.py").touch()
    text = (schemas / "board.schema.json").read_text(encoding="utf-8")
    (folder / "schemas" / "board.schema.json").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder / "boards"
    sys.modules.pop("moved_pebbles", None)


@pytest.mark.parametrize(
    ("board", "found"),
    [("{", "Expecting"), ('{"rows": "two"}', "$.rows"), ('{"rows": 2, "columns": 99}', "columns")],
)
def test_a_board_that_cannot_be_used_is_named(moved: Path, board: str, found: str) -> None:
    """No JSON, against the schema, or refused by the game: each names game, file and place."""
    (moved / "creek.json").write_text(board, encoding="utf-8")
    finding = machine.check_boards(Registry([EntryPoint("pebbles-1", f"{__name__}:MOVED", GROUP)]))
    assert finding.grade == "failure"
    assert finding.found.startswith("pebbles edition 1, creek.json: ")
    assert found in finding.found


def test_a_game_that_does_not_load_is_named() -> None:
    """An installed entry that breaks on import is a failure of the boards' check."""
    finding = machine.check_boards(Registry([EntryPoint("ghost-1", "ghost:GAME", GROUP)]))
    assert finding.grade == "failure"
    assert finding.found == "ghost-1: ModuleNotFoundError: No module named 'ghost'"


def test_no_check_is_forgotten() -> None:
    """What was not made is told as skipped, with the reason."""
    findings = list(checks.skipped_checks((), offline=True))
    assert [each.check for each in findings] == list(checks.NAMES)
    reasons = {each.check: each.found for each in findings}
    assert reasons["DNS MX"] == checks.OFFLINE
    assert reasons["database"] == "needs what failed above"
    assert json.dumps(reasons)
