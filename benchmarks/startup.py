"""Measures the CPU of a start of ``referee`` beside an empty program.

Each line is the best of several runs in a small installation. The daemon is stopped by a mailbox
that refuses it, so its line is the way to the first look. Run: python benchmarks/startup.py [RUNS]
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

RUNS = 10

EMPTY = """
import typer
app = typer.Typer()
@app.command()
def one() -> None: ...
@app.command()
def two() -> None: ...
app(["--help"])
"""

SERVERS = ("--imap", "imap://referee:secret@127.0.0.1:1", "--smtp", "smtp://127.0.0.1:1")
SEATS = ("--seat", "red=alice@example.test", "--seat", "green=bob@example.test")

COMMANDS = {
    "referee --help": ("--help",),
    "match list": ("match", "list"),
    "match show": ("match", "show", "nord-1"),
    "match pause, a plan": ("match", "pause", "nord-1", "--why", "holidays"),
    "run --once": ("run", "--once"),
}

NAME = {
    "_REFEREE_COMPLETE": "complete_bash",
    "COMP_WORDS": "referee match show n",
    "COMP_CWORD": "3",
}


def main() -> None:
    """Print each start's seconds of CPU and their ratio."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for words in (
            ("init", ".", "--address", "referee@example.test", *SERVERS),
            ("match", "new", "nord", *SEATS, "--start"),
        ):
            start(folder, *program(*words))
        yardstick = best(runs, folder, sys.executable, "-c", EMPTY)
        show("empty Typer program", yardstick, yardstick)
        for label, words in COMMANDS.items():
            show(label, best(runs, folder, *program(*words)), yardstick)
        show("match show n<TAB>", best(runs, folder, *program(), environ=NAME), yardstick)


def program(*words: str) -> tuple[str, ...]:
    """Return the command line of the referee with some words."""
    return sys.executable, "-m", "referee", *words


def show(label: str, seconds: float, yardstick: float) -> None:
    """Print one line."""
    print(f"{label:22}{seconds:7.3f} s{seconds / yardstick:7.2f}")


def best(runs: int, folder: Path, *command: str, environ: Mapping[str, str] | None = None) -> float:
    """Return the least seconds of CPU of several runs."""
    return min(start(folder, *command, environ=environ) for _ in range(runs))


def start(folder: Path, *command: str, environ: Mapping[str, str] | None = None) -> float:
    """Run a program and return the seconds of CPU it took."""
    before = used()
    subprocess.run(
        command, cwd=folder, env={**os.environ, **(environ or {})}, capture_output=True, check=False
    )
    return used() - before


def used() -> float:
    """Return the seconds of CPU of all programs that have ended."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


if __name__ == "__main__":
    main()
