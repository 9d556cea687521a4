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
