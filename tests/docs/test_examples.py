"""Every example in the pages and in the help of a command works as it is written."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from support import commands, pages, prepared

from referee.cli import main
from referee.cli.session import CONFIG

Words = tuple[str, ...]

ELSEWHERE = {
    "run": "runs until it is stopped; tests/system",
    "demo": "starts servers and plays for seconds; tests/demo",
    "auth": "needs a provider and a browser; tests/mail, tests/cli",
    "doctor": "asks name servers; with --offline it is run here",
    "record export chess-1": "needs a game with files of its own; tests/desk/archive",
    "record import opera.pgn": "needs a game with files of its own; tests/desk/archive",
    "record import opera.txt": "needs a game with files of its own; tests/desk/archive",
    "match new haggle": "needs the example's package; tests/examples",
}
"""What is not run here, by how it begins, and why, but for what RUN says."""

RUN = ("doctor --offline",)

WORLDS = {
    "init": None,
    "match new": "fresh",
    "match open": "fresh",
    "match start": "invited",
    "player add": "fresh",
    "player block": "fresh",
    "player unblock": "fresh",
    "player merge": "fresh",
    "player erase": "fresh",
    "player address": "fresh",
    "record export": "over",
    "record verify": "over",
    "record prune": "over",
    "record import": "import",
    "try": "positions",
}
"""The installation an example is given, by how it begins; a running match if nothing is said."""

BEFORE: dict[str, tuple[str, ...]] = {
    "apply 12": ("match pause nord-1 --why rain",) * 12,
    "plan apply 12": ("match pause nord-1 --why rain",) * 12,
    "plan show 12": ("match pause nord-1 --why rain",) * 12,
    "plan withdraw 12": ("match pause nord-1 --why rain",) * 12,
    "match resume": ("match pause nord-1 --why rain --yes",),
    "match redo": ("match undo nord-1 --why rain --yes --reveal-known",),
    "outbox drop": ("outbox hold 12", "outbox hold 30"),
    "outbox release": ("outbox hold 12", "outbox hold 30"),
    "outbox retry": ("outbox hold 12", "outbox hold 30"),
    "player address remove": ("player address add {0} {1}",),
    "player address prefer": ("player address add {0} {1}",),
    "player unblock": ("player block {0}",),
    "player away clear": (
        "player away add {0} 2027-01-02 2027-01-03 --why rain --yes",
        "player away add {0} 2027-02-02 2027-02-03 --why rain --yes",
        "player away add {0} 2027-03-02 2027-03-03 --why rain --yes",
    ),
    "record prune": ("record export --all --dir records",),
    "record import nord-1.jsonl --seat": (
        "player add alice@example.org --name Alice",
        "player add bob@example.org --name Bob",
    ),
    "restore": ("backup monday.db",),
    "restore referee.db.before-20270301T093000Z": ("backup referee.db.before-20270301T093000Z",),
    "record verify": ("record export nord-1 --to nord-1.jsonl",),
}
"""What is done first; {0} stands for the first address of the example."""

KNOWN = {"player address": 1, "player block": 1, "player unblock": 1, "player merge": 2,
         "player erase": 1}  # fmt: skip
"""How many of the addresses an example names are players' already."""

REFUSED = {
    "init my-referee --address": (0, ""),
    "init my-referee --auth": (0, ""),
    "init my-referee": (2, "only on a terminal you are asked"),
    "match act": (2, "D6"),
    "match extend nord-1 5d --seat blue": (2, "only its time runs"),
    "clock --is-right": (2, "the clock has not jumped"),
    "try position.json --check": (1, "is missing in a complete document"),
    "backup /mnt/backup/referee": (2, "mount its disk, or make it"),
    "status": (1, "letters lie in quarantine"),
}
"""Where the documented answer is another than success: exit status, and what is said."""

WRITTEN = date(2026, 11, 21)
"""The day that every day in an example lies ahead of."""


@dataclass(frozen=True, slots=True)
class Example:
    """A command line as it is shown, and where."""

    place: str
    words: Words

    def __str__(self) -> str:
        return " ".join(self.words)

    def of(self, table: Any) -> Any:
        """Return what a table says of this line: the entry with the longest beginning."""
        found = [each for each in table if f"{self} ".startswith(f"{each} ")]
        return max(found, key=len, default=None)


def shown() -> Iterator[Example]:
    """Yield every example, those of the help first."""
    for name, command in commands.EVERY.items():
        for line in re.findall(r"Example: (referee .*)", command.help or ""):
            yield Example(f"referee {name} --help", pages.words(line))
    for page, words in pages.commands():
        yield Example(page, words)


EVERY = {str(each): each for each in shown()}
EXAMPLES = [
    each for each in EVERY.values() if each.of(ELSEWHERE) is None or each.of(RUN) is not None
]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str | None], Path]:
    """Return what gives the folder of an installation, made when it is first asked for."""
    made: dict[str | None, Path] = {}
    makers: dict[str, Callable[[Path], None]] = {
        "fresh": prepared.fresh,
        "invited": prepared.invited,
        "running": prepared.running,
        "over": prepared.over,
        "positions": prepared.positions,
        "import": prepared.fresh,
    }

    def give(name: str | None) -> Path:
        if name not in made:
            folder = tmp_path_factory.mktemp(name or "empty")
            if name is not None:
                makers[name](folder)
            if name == "import":
                _bring(give("over"), folder, "nord-1.jsonl")
            made[name] = folder
        return made[name]

    return give


def _bring(source: Path, folder: Path, name: str) -> None:
    """Export the match of an installation, which stays as it is, and lay the file in a folder."""
    here, copy = Path.cwd(), folder.parent / f"{folder.name} {name}"
    shutil.copytree(source, copy)
    os.chdir(copy)
    try:
        ran = run(("record", "export", "nord-1", "--to", str(folder / name)))
    finally:
        os.chdir(here)
    assert ran.status == 0, ran.said


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended, and what it said."""

    status: int
    said: str


def run(words: Words) -> Ran:
    """Run the program in this process, as from a script."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr
    token = CONFIG.set(None)
    sys.argv, sys.stdin = ["referee", *words], io.StringIO()
    sys.stdout = sys.stderr = out
    try:
        main()
    except SystemExit as ended:
        status = int(ended.code or 0)
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = kept
        CONFIG.reset(token)
    out.flush()
    return Ran(status, out.buffer.getvalue().decode("utf-8", "replace"))


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_every_example_works(
    example: Example,
    worlds: Callable[[str | None], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Copied from where it stands, it does what is told there, or refuses as is told there."""
    world = WORLDS.get(example.of(WORLDS), "running") if example.of(WORLDS) else "running"
    folder = tmp_path / "here"
    shutil.copytree(worlds(world), folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("REFEREE_PASSWORD", "secret")
    monkeypatch.setenv("PATH", f"{folder}/bin{os.pathsep}{os.environ['PATH']}")
    _lay_files(folder, example.words)
    named = [each for each in example.words if "@" in each]
    words = (each.replace("~/", f"{folder}/") for each in example.words)
    lines = [f"player add {each}" for each in named[: KNOWN.get(example.of(KNOWN), 0)]]
    for line in (*lines, *BEFORE.get(example.of(BEFORE), ())):
        before = run(_ahead(pages.words(f"referee {line.format(*named)}")))
        assert before.status == 0, before.said
    _copy_records(folder)
    status, says = REFUSED.get(example.of(REFUSED), (0, ""))
    ran = run(_ahead(words))
    assert (ran.status, says in ran.said) == (status, True), f"{example.place}: {ran.said}"


def _ahead(words: Iterable[str]) -> Words:
    """Return words whose days are as far ahead of today as they were when they were written."""
    passed = datetime.now(UTC).date() - WRITTEN

    def moved(found: re.Match[str]) -> str:
        return str(date.fromisoformat(found[0]) + passed)

    return tuple(re.sub(r"\b\d{4}-\d\d-\d\d\b", moved, each) for each in words)


def _lay_files(folder: Path, words: Words) -> None:
    """Lay the files that an example names beside an installation."""
    for game in {"nord", "origo"} & set(words):
        source = pages.TREE / "referee" / "games" / game / "boards" / "reconstructed.json"
        shutil.copy(source, folder / "my-box.json")
    (folder / "club.csv").write_text("carol@example.org,Carol,de,Europe/Berlin\n")
    # The password manager of an example.
    (folder / "bin").mkdir()
    (folder / "bin" / "pass").write_text("#!/bin/sh\necho secret\n")
    (folder / "bin" / "pass").chmod(0o755)


def _copy_records(folder: Path) -> None:
    """Let the one record stand for every other that examples name."""
    for name in ("nord-7.jsonl", "origo-4.jsonl"):
        if (folder / "nord-1.jsonl").exists():
            shutil.copy(folder / "nord-1.jsonl", folder / name)
    if (folder / "nord-1.jsonl").exists():
        text = (folder / "nord-1.jsonl").read_bytes()
        (folder / "nord-7.record.jsonl.gz").write_bytes(gzip.compress(text))
