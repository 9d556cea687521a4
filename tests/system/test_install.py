"""The wheel: built from the tree, installed where nothing else is, and used from elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support import pages

from referee.resources import DISTRIBUTION

ROOT = Path(pages.__file__).parents[2]
PIP = ("-m", "pip", "--disable-pip-version-check", "-q")
WANTED = (
    "referee/share/deploy/referee.service", "referee/share/deploy/referee.toml",
    "referee/share/schemas/config.schema.json", "referee/share/templates/mail.html.j2",
    "referee/share/verify_record.py", "referee/games/nord/words/de.toml",
    "referee/i18n/en/core.toml",
    "referee/py.typed",
)  # fmt: skip


def run(python: Path | str, *words: str, folder: Path) -> str:
    """Run a Python elsewhere and return its output; what it complains of fails the test."""
    done = subprocess.run(
        [python, *words], cwd=folder, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, *PIP, "wheel", "--no-deps", "-w", str(folder), str(ROOT), folder=folder)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_all_it_needs(wheel: Path) -> None:
    """Schemas, templates, words, sample, unit and verifier are in it; tests and empty files not."""
    names = zipfile.ZipFile(wheel).namelist()
    assert set(WANTED) <= set(names)
    assert any(each.endswith(".data/data/share/man/man1/referee.1") for each in names)
    assert not [each for each in names if ".gitkeep" in each or each.startswith("tests")]
    assert wheel.name.startswith(DISTRIBUTION.replace("-", "_"))


def test_the_wheel_plays_a_match(wheel: Path, tmp_path: Path) -> None:
    """In an empty environment the wheel alone, with its extra, plays a match by mail."""
    run(sys.executable, "-m", "venv", str(tmp_path / "env"), folder=tmp_path)
    python = tmp_path / "env" / "bin" / "python"
    given = ("-c", str(ROOT / "constraints.txt"), f"{wheel}[demo]")
    run(python, *PIP, "install", *given, folder=tmp_path)
    said = run(python, "-m", "referee", "demo", "--dir", "played", "--seed", "1", "--json",
               folder=tmp_path)  # fmt: skip
    record = json.loads(said)["record"]
    told = run(python, "-m", "referee", "record", "verify", record, folder=tmp_path)
    assert told.startswith("nord-1: consistent in itself")
