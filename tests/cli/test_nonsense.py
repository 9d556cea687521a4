"""Whatever nonsense stands on a command line, the fault is the writer's, and one line says so."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.commands import EVERY
from support.given import GIVEN, SEATED
from support.thorough import one_of

Run = Callable[..., Any]

FILES = {
    "binary": bytes(range(256)) * 4,
    "empty": b"",
    "deep.json": b"[" * 100_000,
    "list.json": b"[1, 2]",
    "surrogate.json": b'{"game": "\\ud800"}',
    "huge.json": b'{"game": "pebbles", "edition": ' + b"9" * 5000 + b"}",
    "endless.json": b'[{"op": "replace", "path": "/hand", "value": 1e400}]',
}
WORDS = (
    "", "\udcff", "9" * 5000, "9" * 25, "-1", "0", "1e999", "nan", "\u0663", "\u00b2", "/", "..",
    "9999w 9999d", "9999-12-31", "0001-01-01", "2026-02-30", "../../etc/passwd", "red=", "=x",
    f"red={'9' * 25}", f"hand={'9' * 25}", f"pebbles-{'9' * 25}", "x" * 3000, "a@" + "b" * 300,
    "a\x00b", "\n", "folder", *FILES,
)  # fmt: skip
ELSEWHERE = {"auth", "demo", "doctor", "run"}
"""What waits for a provider or servers if its line happens to be right."""


USUAL = {
    "MATCH": "pebbles-1", "PLAYER": "alice@example.test", "SEAT": "blue", "GAME": "pebbles",
    "game": "pebbles", "seat": "blue", "why": "rain", "orders": "pass",
}  # fmt: skip


def usual(parameter: Any) -> str:
    """Return a word that a parameter can do something with."""
    known = USUAL.get(parameter.metavar or "") or USUAL.get(parameter.name or "")
    return known or "1"


def lines(name: str, step: int) -> Iterator[tuple[str, ...]]:
    """Yield lines of a command in which one word after another is nonsense.

    Each takes one in ``step`` kinds of it, one after another beginning with the next.
    """
    parameters = EVERY[name].params
    needed = [each for each in parameters if each.required]
    takes = [each for each in parameters if not getattr(each, "is_flag", False)]
    for number, odd in enumerate(takes, start=len(name)):
        for word in WORDS[number % step :: step]:
            found: list[str] = []
            for each in dict.fromkeys([*needed, odd]):
                value = word if each is odd else usual(each)
                option = each.param_type_name == "option"
                found += [f"{each.opts[0]}={value}"] if option else [value]
            if "MATCH" in {each.metavar for each in needed} and odd.name != "why":
                found += ["--why=rain"] if any(each.name == "why" for each in parameters) else []
            yield (*name.split(), *found)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where an installation is kept to be copied."""
    return tmp_path_factory.mktemp("made") / "club"


@pytest.fixture
def club(run: Run, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of an installation with a match, among files that are of no use."""
    if not made.exists():
        assert run("init", made, *GIVEN).status == 0
        monkeypatch.chdir(made)
        assert run("match", "new", "pebbles", *SEATED, "--start").status == 0
        (made / "folder").mkdir()
        for name, data in FILES.items():
            (made / name).write_bytes(data)
    folder = tmp_path / "club"
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("step", one_of(5))
@pytest.mark.parametrize("name", sorted(set(EVERY) - ELSEWHERE))
@pytest.mark.usefixtures("club")
def test_nonsense_is_never_the_referees_own_fault(run: Run, name: str, step: int) -> None:
    """Status 3 would mean that; a line is carried out, finds something, or is refused."""
    for line in lines(name, step):
        ran = run(*line)
        assert ran.status in {0, 1, 2, 78}, (line, ran.err)
        assert "Traceback" not in ran.err, line
        if ran.status == 2:
            assert all(each.startswith("referee: ") for each in ran.err.splitlines()), (line, ran)


@pytest.mark.parametrize(
    "line",
    [
        ("match", "fix", "pebbles-1", "/dev/zero", "--why", "x"),
        ("match", "new", "pebbles", "--board", "/dev/zero", *SEATED),
        ("try", "/dev/zero"),
    ],
)
@pytest.mark.usefixtures("club")
def test_a_file_without_end_is_refused(run: Run, line: tuple[str, ...]) -> None:
    """No more is read of a file than the largest of its kind can hold."""
    ran = run(*line)
    assert ran.status == 2
    assert "/dev/zero: is larger than" in ran.err


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        (("match", "new", "pebbles", "--board", "list.json", *SEATED), 2, "a board is a JSON"),
        (("try", "binary"), 2, "binary: is not UTF-8 at byte 128"),
        (("record", "prune", "folder"), 0, "No match is over: nothing can go."),
    ],
)
@pytest.mark.usefixtures("club")
def test_files_of_no_use_are_told(run: Run, line: tuple[str, ...], status: int, said: str) -> None:
    ran = run(*line)
    assert (ran.status, said in ran.err + ran.out) == (status, True), ran
