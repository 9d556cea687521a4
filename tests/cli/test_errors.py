"""Whatever is wrong, a person reads one line that says what to do, and never a traceback."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.given import GIVEN, SEATED

from referee.errors import FAILED, UNFIT
from referee.games.registry import game_names

COMMANDS = (
    ("status",), ("match", "list"), ("match", "show", "pebbles-1"), ("player", "list"),
    ("letter", "list"), ("outbox", "list"), ("record", "export", "pebbles-1"),
    ("backup", "copy.db"), ("run", "--once"), ("match", "start", "pebbles-1"),
    ("match", "pause", "pebbles-1", "--why", "rain"),
)  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where an installation is kept to be copied."""
    return tmp_path_factory.mktemp("made") / "club"


@pytest.fixture
def club(
    run: Callable[..., Any], made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Return the folder of an installation with a match, which is the current one."""
    if not made.exists():
        assert run("init", made, *GIVEN).status == 0
        monkeypatch.chdir(made)
        assert run("match", "new", "pebbles", *SEATED, "--start").status == 0
    folder = tmp_path / "club"
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)
    return folder


def newer(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()


def no_database(file: Path) -> None:
    file.write_bytes(b"This is a letter to my aunt. " * 1000)


def a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def empty(file: Path) -> None:
    file.write_bytes(b"")


def gone(file: Path) -> None:
    file.unlink()


@pytest.mark.parametrize(
    ("breaks", "says"),
    [
        (newer, "install that version"),
        (no_database, "The database is damaged"),
        (a_folder, "The database cannot be used"),
        (empty, "referee init"),
        (gone, "referee init"),
    ],
)
def test_a_database_that_cannot_be_used(
    run: Callable[..., Any], club: Path, breaks: Callable[[Path], None], says: str
) -> None:
    """Every command that needs it says so in one line."""
    breaks(club / "referee.db")
    for command in COMMANDS:
        ran = run(*command)
        status = FAILED if says.startswith("The database") else UNFIT
        assert (ran.status, ran.out) == (status, ""), (command, ran)
        assert ran.err.count("\n") == 1, (command, ran)
        assert says in ran.err, (command, ran)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe\x00", "cannot be read"),
        (b"[referee\n", "line 1"),
        (b"", "[referee] address: is missing"),
        (None, "there is no referee.toml here"),
    ],
)
def test_a_configuration_that_cannot_be_used(
    run: Callable[..., Any], club: Path, content: bytes | None, says: str
) -> None:
    """Binary, torn, empty or gone: lines that name the file and the place."""
    file = club / "referee.toml"
    file.unlink() if content is None else file.write_bytes(content)
    for command in COMMANDS:
        ran = run(*command)
        assert (ran.status, ran.out) == (UNFIT, ""), (command, ran)
        assert all(line.startswith("referee: ") for line in ran.err.splitlines())
        assert says in ran.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("match", "show", "pebble-1"), "there is no match pebble-1; did you mean pebbles-1?"),
        (("match", "show", "chess-1"), "there is no match chess-1: see referee match list"),
        (("match", "show", "PEBBLES-1"), "did you mean pebbles-1?"),
        (("match", "start", "pebbels-1"), "did you mean pebbles-1?"),
        (("player", "add", "n@example.test", "--name", "n" * 300), "has 300 characters: write at"),
        (("match", "pause", "pebbles-1", "--why", "x" * 5000), "--why: 'xxx"),
        (("match", "pause", "pebbles-1", f"--why={'x' * 5000}"), "--why: '--why=xxx"),
        (("match", "pause", "pebbels-1", "--why", "x"), "did you mean pebbles-1?"),
        (("record", "export", "pebbels-1"), "did you mean pebbles-1?"),
        (("player", "show", "alise@example.test"), "did you mean alice@example.test?"),
        (("player", "show", "alice@exampel.test"), "did you mean alice@example.test?"),
        (("player", "show", "zoe@example.test"), "zoe@example.test: see referee player list"),
        (("match", "show", "pebbles-1", "--as", "rde"), "pebbles-1 has the seats red, blue"),
        (("match", "shwo"), "Did you mean 'show'? (see referee match --help)"),
        (("match", "list", "--jsn"), "did you mean --json? (see referee match list --help)"),
        (("match", "list", "--zzz"), "No such option: --zzz (see referee match list --help)"),
        (("match", "show"), "Missing argument"),
        (
            ("player", "key", "alice@example.test", "alice.asc"),
            "key is no more; letters are proved by their code and address",
        ),
        (("run", "--once=3"), "--once"),
        (("letter", "show", "abc"), "Invalid value for 'LETTER': it must be a whole number (see"),
        (("outbox", "show", "0"), "'MAIL': it must be greater than or equal to 1 (see"),
        (("match", "new"), f"Missing argument 'GAME': {', '.join(game_names())} (see"),
        (("match", "new", "chess", "--seat", "red=open"), "there are: nord"),
    ],
)
def test_what_was_mistyped_is_named_with_the_nearest(
    run: Callable[..., Any], club: Path, words: tuple[str, ...], says: str
) -> None:
    """Unknown commands, options, matches, players and seats: one line with what was meant."""
    assert club.is_dir()
    ran = run(*words)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("referee: ")
    assert ran.err.count("\n") == 1
    assert says in ran.err


def test_without_seats_those_of_the_game_and_its_options_are_told(
    run: Callable[..., Any], club: Path
) -> None:
    """Nobody need make a mistake first to learn them."""
    assert club.is_dir()
    ran = run("match", "new", "nord")
    assert ran.status == 2
    assert "the seats red, green, blue, yellow: give --seat for 2 to 4 of them" in ran.err
    assert "--option margin=2  spaces of sea around the island" in ran.err


def test_a_full_disk_behind_standard_output_is_named(
    run: Callable[..., Any], club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no fault of the referee."""
    assert club.exists()
    full = Path("/dev/full").open("w", encoding="utf-8")  # noqa: SIM115 - its end fails, too
    monkeypatch.setattr(sys, "stdout", full)
    ran = run("match", "list")
    # It still holds back what can be written nowhere.
    with contextlib.suppress(OSError):
        full.close()
    assert (ran.status, ran.err) == (
        FAILED, "referee: standard output: No space left on device\n",
    )  # fmt: skip


def test_a_group_alone_is_answered_with_its_help(run: Callable[..., Any]) -> None:
    """Without a command its commands are shown."""
    ran = run("match")
    assert ran.status == 2
    assert ran.err.startswith("Usage: referee match ")
    assert "  list " in ran.err
