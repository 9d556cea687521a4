"""`referee run` where it can do only part of its work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.given import GIVEN


@pytest.mark.parametrize("part", ["--read", "--work"])
def test_on_sqlite_one_daemon_does_both(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """It says so in one line, with the status that systemd does not start again after."""
    monkeypatch.chdir(tmp_path)
    assert run("init", tmp_path, *GIVEN).status == 0
    for more in ((), ("--once",)):
        refused = run("run", part, *more)
        assert refused.status == 78
        assert refused.err.count("\n") == 1
        assert "PostgreSQL" in refused.err


def test_what_a_log_in_lacks_is_told_by_the_doctor_as_by_the_daemon(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without asking any server; and what is not there is not among the files that are well."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_PASSWORD", raising=False)
    Path("word").write_text("pass", encoding="utf-8")
    Path("word").chmod(0o600)
    servers = [each.replace(":secret@", "@") for each in GIVEN]
    assert run("init", tmp_path, *servers, "--password-file", "word").status == 0
    assert "ok       log-in: " in run("doctor", "--offline").out
    Path("word").unlink()
    lacks = f"[mail] password_file: {tmp_path}/word cannot be read (No such file or directory)"
    told = run("doctor", "--offline")
    assert (told.status, f"FAILURE  log-in: {lacks}" in told.out) == (1, True)
    refused = run("run", "--once")
    assert (refused.status, lacks in refused.err) == (78, True)
    lines = Path("referee.toml").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if "password_file" not in line]
    Path("referee.toml").write_text("".join(kept), encoding="utf-8")
    Path("referee.db").unlink()
    told = run("doctor", "--offline").out
    assert "[mail] imap: has no password; [mail] smtp: has no password" in told
    assert "→ give password_file, password_command, imap_password_file," in told
    assert f"2 files for their owner only; there is no {tmp_path}/referee.db" in told
    assert "or referee init, in another folder" in told


def test_a_folder_without_settings_is_named_as_one(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is there; what it lacks is the file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for folder, named in (("empty", tmp_path / "empty"), (".", tmp_path)):
        ran = run("--config", folder, "status")
        assert f"there is no referee.toml in {named}; --config names" in ran.err
