"""Commands that come at once, while somebody else writes, wait for each other."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import text
from support.installation import until

from referee.store.store import open_store

SERVERS = (
    "--address", "referee@example.test",
    "--imap", "imaps://referee%40example.test:secret@mail.example.test",
    "--smtp", "smtps://referee%40example.test:secret@mail.example.test",
)  # fmt: skip
NEW = ("match", "new", "pebbles", "--seat", "red=bot:random", "--seat", "blue=bot:random")
COMMANDS = 3
LONG = 6.0
"""Seconds the database is busy: longer than one letter or one command ever holds it."""


def test_matches_set_up_at_once_beside_a_busy_writer_all_begin(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    """However many commands write at once, each waits until it is its turn."""
    assert run("init", tmp_path, *SERVERS).status == 0
    config = ("--config", str(tmp_path / "referee.toml"))
    file = tmp_path / "referee.db"
    with open_store(f"sqlite:///{file}") as store:
        with store.writing() as connection:
            connection.execute(text("UPDATE meta SET value = value"))
            started = [
                subprocess.Popen(
                    [sys.executable, "-m", "referee", *NEW, *config],
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                )
                for _ in range(COMMANDS)
            ]  # fmt: skip
            until(lambda: all(_has_opened(each, file) for each in started), "every command")
            time.sleep(LONG)
        ended = [each.communicate() for each in started]
    assert {err.partition("\n")[0] for _, err in ended if "busy" in err} == set()
    assert {out.strip() for out, _ in ended} == {f"pebbles-{n + 1}" for n in range(COMMANDS)}


def _has_opened(process: subprocess.Popen[str], file: Path) -> bool:
    """Tell whether a process has a file open."""
    for each in Path(f"/proc/{process.pid}/fd").iterdir():
        # It may be closed again just now.
        with suppress(FileNotFoundError):
            if each.readlink() == file:
                return True
    return False
