"""The parts of the soak, run one after the other; `make soak ARGS='--from leaks'` resumes it.

Parts that wait more than they compute run beside the others, one after the other too. What each
part came to is kept in ``.soak.json``, so that a soak may be stopped and gone on with.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir
from threading import Lock
from typing import Any

TREE = Path(__file__).parents[2]
PROGRESS = TREE / ".soak.json"
MINUTE = 60
PASSED = re.compile(r"\b[1-9]\d* passed\b")


@dataclass(frozen=True)
class Part:
    """A part: its files, its minutes on two idle cores, and how pytest is called for it."""

    name: str
    minutes: int
    about: str
    paths: tuple[str, ...]
    marks: str = "soak"
    workers: int = 2
    examples: int = 1
    waits: bool = False
    """Whether it waits more than it computes."""

    games: str = ""
    """The package whose games are asked, if not the referee's own."""

    def command(self) -> list[str]:
        """Return the command line of its tests."""
        at_once = ["-n", str(self.workers), "--dist", "worksteal"] if self.workers > 1 else []
        wanted = ["-m", self.marks, "--timeout", "7200", "--durations", "5"]
        # What a part that failed leaves is to be looked at afterwards.
        left = ["--basetemp", f"{gettempdir()}/soak-{self.name}"]
        left += ["-o", "tmp_path_retention_policy=failed"]
        return [sys.executable, "-m", "pytest", "-q", *at_once, *wanted, *left, *self.paths]


PARTS = (
    Part("lists", 1, "ten thousand matches are listed quickly",
         ("tests/cli/test_listing_speed.py",), workers=1),
    Part("records", 3, "every changed byte and event of a record",
         ("tests/docs/test_verify_record.py", "tests/cli/test_record_verify.py", "tests/matches",
          "tests/desk/archive/test_mended.py")),
    Part("matches", 5, "matches at every table by mail, and a club's whole year",
         ("tests/desk/test_matches.py", "tests/system/test_year.py")),
    Part("days", 10, "what looks at the clock, on ten awkward days",
         ("tests/days",)),
    Part("properties", 8, "property tests with five times as many examples",
         ("tests",), "hypothesis and not soak", examples=5),
    Part("games", 11, "thousands of random games keep every promise, some by mails alone",
         ("tests/games/conformance", "tests/examples", "tests/desk/mails/test_whole_games.py",
          "tests/desk/mails/test_keepsake.py", "tests/desk/mails/test_weight.py")),
    Part("leaks", 10, "whole matches tell nobody what they may not know",
         ("tests/desk/mails/test_leaks.py", "tests/system/test_log.py",
          "tests/cli/test_discretion.py")),
    Part("clicks", 14, "long matches composed by mouse, touch and keyboard",
         ("tests/desk/mails/composer",)),
    Part("letters", 13, "every program and language, other people's words, and every nonsense",
         ("tests/corpus", "tests/cli/test_nonsense.py")),
    Part("fuzz", 4, "bytes nobody would write, where atheris is installed",
         ("tests/fuzz",), workers=1),
    Part("conformance", 12, "what holds for any game, asked of chess, go, cards and more",
         ("tests/games/conformance",), "not soak", games="classics"),
    Part("classics", 17, "these games' own long tests: lines nobody would write, random games",
         ("classics/tests",), games="classics"),
    Part("kills", 15, "a daemon killed at every point again and again",
         ("tests/system/test_kills.py",), workers=1, waits=True),
    Part("wayward", 17, "each wrong answer of a mail server, and ten minutes of them at random",
         ("tests/system/test_cut_short.py", "tests/system/test_every_fault.py",
          "tests/system/test_faults.py", "tests/system/test_wayward.py"), workers=1,
         waits=True),
    Part("upgrade", 1, "one release follows another and goes back, as the page says",
         ("tests/system/test_install.py",), workers=1, waits=True),
    Part("workers", 61, "several daemons on one PostgreSQL killed and cut off for an hour",
         ("tests/system/test_workers.py",), workers=1, waits=True),
)  # fmt: skip

NAMES = [each.name for each in PARTS]


def wanted(given: argparse.Namespace, kept: dict[str, Any]) -> list[Part]:
    """Return the parts that are to run."""
    if given.only:
        return [each for each in PARTS if each.name in given.only]
    if given.resume:
        return [each for each in PARTS if kept.get(each.name, {}).get("result") != "passed"]
    return list(PARTS[NAMES.index(given.first) if given.first else 0 :])


def run(part: Part) -> tuple[dict[str, Any], str]:
    """Run a part; return what came of it and what its tests wrote."""
    path = os.pathsep.join([str(TREE / "tests"), os.environ.get("PYTHONPATH", "")])
    environ = {**os.environ, "PYTHONPATH": path, "TESTED_EXAMPLES": str(part.examples)}
    environ["TESTED_GAMES"] = part.games
    began = time.monotonic()
    done = subprocess.run(
        part.command(), cwd=TREE, env=environ, check=False, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return {
        "result": result(done.returncode, done.stdout),
        "seconds": round(time.monotonic() - began),
    }, done.stdout


def result(status: int, wrote: str) -> str:
    """Return what pytest's exit status and summary come to: only a test that ran passes."""
    if status != 0:
        return f"failed ({status})"
    return "passed" if PASSED.search(wrote) else "skipped"


def run_all(parts: Sequence[Part], kept: dict[str, Any]) -> None:
    """Run parts, those that wait beside the others, and keep what each came to."""
    telling = Lock()

    def lane(parts: Sequence[Part]) -> None:
        for part in parts:
            say(f"== {part.name}: {part.about}; about {part.minutes} min ==")
            done, wrote = run(part)
            with telling:
                kept[part.name] = done
                PROGRESS.write_text(json.dumps(kept, indent=1))
                say(wrote.rstrip(), line(part, done))

    lanes = [[each for each in parts if each.waits is waits] for waits in (False, True)]
    with ThreadPoolExecutor(len(lanes)) as pool:
        list(pool.map(lane, lanes))


def line(part: Part, done: dict[str, Any] | None) -> str:
    """Return a part as a line: name, minutes expected and taken, result, what it is."""
    taken = f"{done['seconds'] / MINUTE:6.1f}" if done else "     –"
    result = done["result"] if done else "not yet"
    return f"{part.name:11} {part.minutes:3} min {taken} min  {result:11} {part.about}"


def read(file: Path) -> dict[str, Any]:
    """Return what each part came to when it last ran."""
    kept: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return kept


def say(*lines: str) -> None:
    """Write lines at once, before what the tests write."""
    sys.stdout.write("".join(f"{each}\n" for each in lines))
    sys.stdout.flush()


def main(words: Sequence[str] | None = None) -> int:
    """Run the parts asked for; return 0 unless one of them fails."""
    parser = argparse.ArgumentParser(prog="make soak", description="Run the long tests.")
    parser.add_argument("--list", action="store_true", help="only show the parts")
    parser.add_argument("--from", dest="first", choices=NAMES, help="begin with this part")
    parser.add_argument("--only", action="append", choices=NAMES, help="this part alone")
    parser.add_argument("--resume", action="store_true", help="what has not passed so far")
    given = parser.parse_args(words)
    kept = read(PROGRESS)
    if not given.list:
        run_all(chosen := wanted(given, kept), kept)
    say(*(line(each, kept.get(each.name)) for each in PARTS))
    return int(not given.list and any("failed" in kept[each.name]["result"] for each in chosen))


if __name__ == "__main__":
    sys.exit(main())
