"""Tests that look at the clock, on days and in zones where a careless one fails."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from support.faketime import LIBRARIES

TREE = Path(__file__).parents[2]

DAYS = {
    "the last seconds of a year": ("2026-12-31T23:59:45Z", "UTC"),
    "the first second of a year": ("2027-01-01T00:00:00Z", "UTC"),
    "five weeks before a year ends": ("2026-11-22T18:00:00Z", "UTC"),
    "the day that comes every four years": ("2028-02-29T12:00:00Z", "UTC"),
    "the last seconds of a month": ("2026-04-30T23:59:45Z", "UTC"),
    "the night Europe skips an hour": ("2026-03-29T00:59:45Z", "Europe/Berlin"),
    "the night Europe repeats an hour": ("2026-10-25T00:59:45Z", "Europe/Berlin"),
    "the night America skips an hour": ("2026-03-08T06:59:45Z", "America/New_York"),
    "the night America repeats an hour": ("2026-11-01T05:59:45Z", "America/New_York"),
    "where it is tomorrow already": ("2026-06-30T10:30:00Z", "Pacific/Kiritimati"),
}

SLICES = (
    "tests/cli", "tests/config", "tests/desk/service/doctor", "tests/docs/test_examples.py",
    "tests/demo", "tests/mail", "tests/store",
)  # fmt: skip
"""Where the machine's clock is looked at; everywhere else a test sets its own."""

ON_REAL_TIME = ("--ignore", "tests/demo/test_serve.py", "-k", "not postgresql")
"""What starts programs that sleep, or that wait by a timer of the C library."""

pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not LIBRARIES, reason="faketime is not installed (Debian: faketime)"),
]


@pytest.mark.parametrize("day", DAYS)
def test_no_test_depends_on_the_day(day: str, tmp_path: Path) -> None:
    """On such a day, and while it turns into the next, the same tests pass as on any other."""
    moment, zone = DAYS[day]
    began = round(datetime.fromisoformat(moment).timestamp())
    environ = {
        **os.environ,
        "TZ": zone,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "LD_PRELOAD": str(LIBRARIES[0]),
        "FAKETIME": f"@{began}",
        "FAKETIME_FMT": "%s",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "DONT_FAKE_MONOTONIC": "1",
    }
    plugins = ("-p", "support.sleepless", "-p", "no:cacheprovider", "-p", "no:xdist")
    wanted = ("-m", "not soak and not mail", *ON_REAL_TIME, "--basetemp", str(tmp_path / "inner"))
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, *wanted, *SLICES],
        cwd=TREE, env=environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr[-1000:]
    passed = re.search(r"(\d+) passed", ran.stdout)
    assert passed is not None
    assert int(passed[1]) > 500
