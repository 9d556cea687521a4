"""Commands on a disk that is full, and killed in the middle: nothing is half done."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from support.given import GIVEN
from support.thorough import some
from support.zygote import fork, run_command

OLD = Path(__file__).parents[1] / "store" / "made_by_0200.sql"


def referee(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the referee in a folder."""
    return run_command(words, folder)


Size = Callable[[int], None]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[tuple[Path, Size]]:
    """Return a small disk of its own, and what gives it another size in kilobytes."""
    place = tmp_path / "disk"
    place.mkdir()

    def mounted(*options: str) -> bool:
        command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(place)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    if shutil.which("mount") is None or not mounted("size=8m"):
        pytest.skip("a disk can only be mounted by root, outside a container")
    yield (
        place,
        lambda size: (
            subprocess.run(["mount", "-o", f"remount,size={size}k", str(place)], check=True)
            and None
        ),
    )
    subprocess.run(["umount", "-l", str(place)], check=True)


def used(place: Path) -> int:
    """Return the kilobytes in use on a disk."""
    return (shutil.disk_usage(place).used + 1023) // 1024


def content(database: Path) -> list[str]:
    """Return all that a database holds."""
    with closing(sqlite3.connect(database)) as connection:
        return list(connection.iterdump())


def upgraded_later(club: Path) -> None:
    """Put a database of the first version into an installation."""
    for file in club.glob("referee.db*"):
        file.unlink()
    with closing(sqlite3.connect(club / "referee.db")) as old:
        old.executescript(OLD.read_text(encoding="utf-8"))


@pytest.mark.parametrize("room", some([60], [8, 200]))
@pytest.mark.parametrize(
    "command",
    [
        ("backup", "copy.db"),
        ("restore", "copy.db", "--replace"),
        ("upgrade",),
        ("match", "new", "nord", "--seat", "red=a@example.test", "--seat", "blue=bot:random"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_without_room_changes_nothing_and_goes_through_with_it(
    disk: tuple[Path, Size], tmp_path: Path, command: tuple[str, ...], room: int
) -> None:
    """It says that room is to be made; given again after that it does its work."""
    place, size = disk
    club = place / "club"
    assert referee(place, "init", "club", *GIVEN).returncode == 0
    if command[0] == "restore":
        assert referee(club, "backup", str(tmp_path / "copy.db")).returncode == 0
        command = ("restore", str(tmp_path / "copy.db"), "--replace")
    if command[0] == "upgrade":
        upgraded_later(club)
    before, files = content(club / "referee.db"), {path.name for path in club.iterdir()}
    size(used(place) + room)
    ran = referee(club, *command)
    if ran.returncode:
        assert "make" in ran.stderr
        assert "Traceback" not in ran.stderr
        size(8192)
        names = {path.name for path in club.iterdir()}
        assert {name for name in names - files if not name.startswith("referee.db-")} == set()
        assert content(club / "referee.db") == before
        assert referee(club, *command).returncode == 0
    assert referee(club, "match", "list").returncode == 0


@pytest.mark.parametrize("room", some([100], [20, 300]))
def test_without_room_nothing_is_set_up(disk: tuple[Path, Size], room: int) -> None:
    """No folder is left behind that a second try would stumble over."""
    place, size = disk
    size(room)
    ran = referee(place, "init", "club", *GIVEN)
    assert ran.returncode == 2
    assert "make room" in ran.stderr
    assert list(place.iterdir()) == []
    size(8192)
    assert referee(place, "init", "club", *GIVEN).returncode == 0


@pytest.mark.parametrize("kills", some([1], [40]))
@pytest.mark.parametrize("command", ["init", "backup", "restore", "upgrade"])
def test_a_command_that_is_killed_is_given_again(tmp_path: Path, command: str, kills: int) -> None:
    """Wherever it was, the database is the one before or the one after, and the rest follows."""
    chance, whole = Random(7), tmp_path / "whole"
    words = {
        "init": ("init", ".", *GIVEN),
        "backup": ("backup", "copy.db"),
        "restore": ("restore", str(tmp_path / "copy.db"), "--replace"),
        "upgrade": ("upgrade",),
    }[command]
    whole.mkdir()
    if command != "init":
        assert referee(whole, "init", ".", *GIVEN).returncode == 0
        assert referee(whole, "backup", str(tmp_path / "copy.db")).returncode == 0
    if command == "upgrade":
        upgraded_later(whole)
    took = 0.0
    for kill in range(kills + 1):
        club = tmp_path / f"club-{kill}"
        shutil.copytree(whole, club)
        began = time.monotonic()
        process = fork(words, Path(os.devnull), Path(os.devnull), folder=club)
        if kill:
            time.sleep(took * chance.uniform(0, 1))
            process.kill()
        process.wait()
        took = took or time.monotonic() - began
        if command == "init" and not (club / "referee.toml").exists():
            # All lies in a folder of its own until it is whole.
            assert all(path.name.startswith(".referee-init-") for path in club.iterdir())
        # Its copies are named by the second.
        time.sleep(1)
        again = referee(club, *words)
        done = "is there already" in again.stderr or "referee.toml exists" in again.stderr
        assert again.returncode == 0 or (done and command in {"backup", "init"}), again.stderr
        assert referee(club, "match", "list").returncode == 0
