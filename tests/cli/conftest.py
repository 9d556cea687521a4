"""The program, run as people run it: arguments in, status and two streams out."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TypeAlias

import pytest

from referee.cli import main
from referee.desk import desk
from referee.value import Value


class Ran(Value):
    """What a run of the program left: exit status, standard output, standard error."""

    status: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs `referee` with arguments, in this process, on 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")

    def run_program(*arguments: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["referee", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        left = capsys.readouterr()
        return Ran(int(ended.value.code or 0), left.out, left.err)

    return run_program


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """Return the moment at which every command runs; set it to another."""
    now = [datetime(2026, 3, 2, 12, tzinfo=UTC)]
    monkeypatch.setattr(desk, "Desk", partial(desk.Desk, now=lambda: now[0]))
    return now
