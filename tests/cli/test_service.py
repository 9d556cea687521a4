"""`referee service` prints units that systemd takes, filled in for the installation."""

from __future__ import annotations

import configparser
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from referee.cli import service
from referee.cli.service import Unit

INIT = (
    "--address", "referee@example.test", "--imap", "imap://r:x@127.0.0.1", "--smtp",
    "smtp://127.0.0.1",
)  # fmt: skip


@pytest.fixture
def printed(
    run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Unit], str]:
    """Return a function that prints a unit of an installation in a folder with a blank."""
    folder = tmp_path / "our club"
    assert (
        run("init", folder, *INIT, "--database", f"sqlite:///{tmp_path}/data/club.db").status == 0
    )
    monkeypatch.chdir(folder)

    def show(name: Unit) -> str:
        ran = run("service", name)
        assert (ran.status, ran.err) == (0, "")
        told: str = ran.out
        return told

    return show


def section(text: str) -> configparser.SectionProxy:
    """Return the service section of a unit."""
    unit = configparser.ConfigParser(interpolation=None, strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(text)
    return unit["Service"]


def test_a_unit_names_this_installation(printed: Callable[[Unit], str], tmp_path: Path) -> None:
    """It runs the program of this environment as the owner, who may write where data lies."""
    program, folder = f"{sysconfig.get_path('scripts')}/referee", tmp_path / "our club"
    found = section(printed("referee.service"))
    assert found["ExecStart"] == f'"{program}" --config "{folder}/referee.toml" run'
    assert (found["User"], found["Group"]) == (folder.owner(), folder.group())
    assert found["WorkingDirectory"] == str(folder)
    assert found["ReadWritePaths"] == f'"{folder}" "{tmp_path}/data"'
    found = section(printed("referee-backup.service"))
    command = f'"{program}" --config "{folder}/referee.toml" backup /var/backups/referee --keep 14'
    assert found["ExecStart"] == command
    assert found["ReadWritePaths"] == f'"{folder}" "{tmp_path}/data" /var/backups/referee'
    assert "OnCalendar=" in printed("referee-backup.timer")


def test_a_token_elsewhere_may_be_renewed_there(
    printed: Callable[[Unit], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its folder is among those that the unit may write to; systemd fills in no sign of a path."""
    server = "imaps://r%40example.test@127.0.0.1"
    given = {"IMAP": server, "PROVIDER": "gmail", "CLIENT_ID": "one", "CLIENT_SECRET": "two"}
    for name, value in (given | {"TOKEN_FILE": f"{tmp_path}/100%d/token"}).items():
        monkeypatch.setenv(f"REFEREE_{name}", value)
    found = section(printed("referee.service"))
    expected = f'"{tmp_path}/our club" "{tmp_path}/data" "{tmp_path}/100%%d"'
    assert found["ReadWritePaths"] == expected


@pytest.mark.parametrize(("home", "protected"), [("/nowhere", "yes"), (None, "read-only")])
def test_a_program_in_somebodys_home_may_be_read(
    printed: Callable[[Unit], str],
    monkeypatch: pytest.MonkeyPatch,
    home: str | None,
    protected: str,
) -> None:
    """As pipx puts it there; otherwise the unit sees no home."""
    monkeypatch.setattr(service, "_HOMES", (home or sys.prefix,))
    assert section(printed("referee.service"))["ProtectHome"] == protected


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd")
def test_systemd_finds_no_fault(printed: Callable[[Unit], str], tmp_path: Path) -> None:
    """All units are taken together, as they are printed."""
    files = []
    for name in get_args(Unit):
        files.append(tmp_path / name)
        files[-1].write_text(printed(name), encoding="utf-8")
    command = ["systemd-analyze", "verify", *map(str, files)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
