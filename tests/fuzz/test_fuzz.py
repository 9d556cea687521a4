"""The fuzzer of letters, for as long as a soak allows, where atheris is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from support.corpus import CORPUS, KINDS

SECONDS = 240

pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(4 * SECONDS),
    pytest.mark.skipif(find_spec("atheris") is None, reason="atheris is missing: see fuzz_reader"),
]


def test_no_bytes_make_the_reader_raise_or_hang(tmp_path: Path) -> None:
    """From the letters of the corpus on, nothing it comes upon raises or takes ten seconds."""
    found = tmp_path / "found"
    found.mkdir()
    program = Path(__file__).parent / "fuzz_reader.py"
    seeds = [str(CORPUS / each) for each in KINDS]
    limits = (f"-max_total_time={SECONDS}", f"-artifact_prefix={tmp_path}/", "-print_final_stats=1")
    ran = subprocess.run(
        [sys.executable, str(program), *limits, str(found), *seeds],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["found"]
    runs = next(each for each in ran.stderr.splitlines() if "number_of_executed_units" in each)
    assert int(runs.split()[-1]) > 500
