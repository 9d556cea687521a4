"""The wheel: built from the tree, installed where nothing else is, and used from elsewhere."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support import pages
from support.upgrading import LATER, MIGRATION

from referee.errors import UNFIT
from referee.resources import DISTRIBUTION
from referee.store.store import REVISIONS

ROOT = Path(pages.__file__).parents[2]
PIP = ("-m", "pip", "--disable-pip-version-check", "-q")
WANTED = (
    "referee/share/deploy/referee-backup.service", "referee/share/deploy/referee-backup.timer",
    "referee/share/deploy/referee.service", "referee/share/deploy/referee.toml",
    "referee/share/schemas/config.schema.json", "referee/share/templates/mail.html.j2",
    "referee/share/docs/organisers/moving.md", "referee/share/docs/providers.md",
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


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of a next release, whose tables have a column more."""
    tree = tmp_path_factory.mktemp("later") / "tree"
    skipped = shutil.ignore_patterns(".*", "__pycache__", "tests", "benchmarks", "images")
    shutil.copytree(ROOT, tree, ignore=skipped)
    for file, old, new in (
        ("pyproject.toml", 'version = "0.1.0"', 'version = "9.0.0"'),
        ("referee/store/store.py", f'"{REVISIONS[-1]}")', f'"{REVISIONS[-1]}", "{LATER}")'),
    ):
        text = (tree / file).read_text(encoding="utf-8")
        assert text.count(old) == 1
        (tree / file).write_text(text.replace(old, new), encoding="utf-8")
    (tree / f"referee/store/migrations/versions/{LATER}_later.py").write_text(MIGRATION)
    folder = tree.parent
    run(sys.executable, *PIP, "wheel", "--no-deps", "-w", str(folder), str(tree), folder=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.soak
def test_an_upgrade_goes_as_its_page_says(wheel: Path, later: Path, tmp_path: Path) -> None:
    """Each command of the page in its turn, from one release to the next and back."""
    page = pages.TREE / "docs/organisers/upgrade.md"
    lines = [line for each in pages.fences(page) for line in each.text.splitlines()]
    # What needs systemd or servers is left out; pip installs a wheel in place of a checkout.
    given = [each for each in lines if not re.search(r"systemctl|doctor|status", each)]
    audit, backup, install, upgrade, restore = given
    assert (audit, upgrade) == ("referee record audit", "referee upgrade")

    python = tmp_path / "env/bin/python"
    home = tmp_path / "home"
    run(sys.executable, "-m", "venv", str(tmp_path / "env"), folder=tmp_path)
    constraints = ("-c", str(ROOT / "constraints.txt"))
    run(python, *PIP, "install", *constraints, str(wheel), folder=tmp_path)
    server = "//referee:secret@127.0.0.1:9"
    address = ("--address", "referee@example.test")
    run(python, "-m", "referee", "init", str(home), *address, "--imap", f"imap:{server}",
        "--smtp", f"smtp:{server}", folder=tmp_path)  # fmt: skip

    def referee(line: str, status: int = 0) -> str:
        words = line.removeprefix("referee ").split()
        done = subprocess.run(
            [python, "-m", "referee", *words],
            cwd=home, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert done.returncode == status, done.stderr
        return done.stdout + done.stderr

    referee("referee match new nord --seat red=alice@example.test --seat blue=bot:greedy")
    referee("referee match start nord-1")
    shown = referee("referee match show nord-1")
    assert "1 match" in referee(audit)
    referee(backup)

    def installed(built: Path) -> None:
        assert install.startswith("/opt/referee/bin/pip install -c constraints.txt ")
        words = ("install", "--force-reinstall", "--no-deps", *constraints, str(built))
        run(python, *PIP, *words, folder=tmp_path)

    installed(later)
    assert "`referee upgrade`" in referee("referee match list", UNFIT)
    told = referee(upgrade)
    assert "1 match" in told
    assert "Add a column." in told
    kept = re.search(r"\S+/(referee\.db\.before-\d{8}T\d{6}Z)", told)
    assert kept
    assert referee(upgrade) == "Nothing to upgrade.\n"
    assert referee("referee match show nord-1") == shown
    assert "1 match" in referee(audit)

    installed(wheel)
    assert "newer referee" in referee("referee match list", UNFIT)
    referee(re.sub(r"referee\.db\.before-\S+", kept[1], restore))
    assert referee("referee match show nord-1") == shown
    assert "1 match" in referee(audit)
