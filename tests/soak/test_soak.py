"""The soak knows all its tests, and goes on where it was stopped."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest
from support import soak

TESTS = soak.TREE / "tests"
MARKED = re.compile(r"mark\.soak|\bone_of\(|\bsome\(")

pytestmark = pytest.mark.fast


def test_every_long_test_is_in_a_part() -> None:
    """Each file with a test for the soak belongs to one part, and each path of a part exists."""
    long = {each for each in TESTS.rglob("test_*.py") if MARKED.search(each.read_text())}
    long -= {Path(__file__)}
    assert long
    for file in long:
        parts = [
            part.name
            for part in soak.PARTS
            if part.marks == "soak"
            for path in part.paths
            if file.is_relative_to(soak.TREE / path)
        ]
        assert len(parts) == 1, (file, parts)
    assert all((soak.TREE / path).exists() for part in soak.PARTS for path in part.paths)


def asked(*words: str, first: str | None = None, resume: bool = False) -> argparse.Namespace:
    """Return what the command line asks for."""
    return argparse.Namespace(only=list(words), first=first, resume=resume)


def test_a_soak_is_resumed() -> None:
    """From a part on, a part alone, or what has not passed yet."""
    kept = {each: {"result": "passed", "seconds": 1} for each in soak.NAMES}
    kept["leaks"]["result"] = "failed (1)"
    del kept["kills"]
    names = [each.name for each in soak.wanted(asked(resume=True), kept)]
    assert names == ["leaks", "kills"]
    first, last = soak.NAMES[-2:]
    assert [each.name for each in soak.wanted(asked(first=first), kept)] == [first, last]
    assert [each.name for each in soak.wanted(asked("days"), kept)] == ["days"]
    assert [each.name for each in soak.wanted(asked(), {})] == soak.NAMES


def test_what_a_part_came_to_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After each part, with its time; a part that fails is told and the next one runs."""
    monkeypatch.setattr(soak, "PROGRESS", tmp_path / "kept.json")
    first, last = soak.NAMES[-2:]
    results = {first: "failed (1)", last: "passed"}
    monkeypatch.setattr(
        soak, "run", lambda part: ({"result": results[part.name], "seconds": 90}, "told\n")
    )
    assert soak.main(["--from", first]) == 1
    said = capsys.readouterr().out
    assert said.count("told\n") == len(results)
    assert re.search(rf"{first} +\d+ min +1\.5 min +failed \(1\)", said)
    assert re.search(r"leaks +\d+ min +– min +not yet", said)
    assert list(soak.read(tmp_path / "kept.json")) == [first, last]
    assert soak.main(["--list"]) == 0
    assert "failed (1)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("status", "wrote", "result"),
    [
        (0, "..\n12 passed in 3.20s\n", "passed"),
        (0, "===== 3 passed, 1 skipped in 2.00s =====\n", "passed"),
        (0, "ss\n10 skipped in 1.05s\n", "skipped"),
        (1, "1 failed, 11 passed in 3.20s\n", "failed (1)"),
        (5, "no tests ran in 0.10s\n", "failed (5)"),
    ],
)
def test_a_part_whose_tests_were_all_skipped_has_not_passed(
    status: int, wrote: str, result: str
) -> None:
    """Without its server or tool a part says so, and a resumed soak takes it again."""
    assert soak.result(status, wrote) == result
