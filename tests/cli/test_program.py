"""The program as a whole: its help, what it imports, and how errors reach people."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

from referee.cli import app, config_first
from referee.cli.commands import COMMANDS, LazyGroup
from referee.errors import RefereeError

HEAVY = {"sqlalchemy", "jinja2", "imapclient", "lxml", "jsonschema", "alembic", "babel", "rich"}

UNUSED = {
    "alembic", "babel", "jsonpatch", "jsonschema", "lxml", "openskill", "oauthlib", "dns", "rich",
    "aiosmtpd", "pymap", "referee.demo",
}  # fmt: skip
"""What neither a list nor a daemon at its start may import."""

OF_THE_DAEMON = {
    "referee.daemon",
    "jinja2",
    "imapclient",
    "aiosmtplib",
    "referee.desk.letters.intake",
}

LISTS = "referee.cli.match.list_"

EMPTY = """
import typer
app = typer.Typer()
@app.command()
def one() -> None: ...
@app.command()
def two() -> None: ...
app(["--help"])
"""

HELP = "from referee.cli import main; import sys; sys.argv = ['referee', '--help']; main()"


def test_help_imports_nothing_heavy() -> None:
    """The help of the program is shown without importing any command's machinery."""
    program = f"try:\n    exec({HELP!r})\nexcept SystemExit:\n    import sys; print(*sys.modules)"
    shown = python(program)
    loaded = {name.split(".")[0] for name in shown.splitlines()[-1].split()}
    assert "typer" in loaded
    assert loaded & HEAVY == set()


@pytest.mark.parametrize(
    ("words", "unused", "complaint"),
    [
        (("match", "list"), UNUSED | OF_THE_DAEMON, ""),
        (("run", "--once"), UNUSED, "Connection refused"),
    ],
    ids=["list", "run"],
)
def test_a_start_imports_only_what_it_uses(
    run: Callable[..., Any],
    tmp_path: Path,
    words: tuple[str, ...],
    unused: set[str],
    complaint: str,
) -> None:
    """A list opens the store and no daemon; a daemon imports nothing for rare letters."""
    servers = ("--imap", "imap://referee:secret@127.0.0.1:1", "--smtp", "smtp://127.0.0.1:1")
    assert run("init", tmp_path, "--address", "referee@example.test", *servers).status == 0
    arguments = ["referee", *words, "--config", str(tmp_path / "referee.toml")]
    start = f"from referee.cli import main; import sys; sys.argv = {arguments!r}; main()"
    program = f"try:\n    exec({start!r})\nexcept SystemExit:\n    import sys; print(*sys.modules)"
    loaded = set(python(program, complaint).splitlines()[-1].split())
    assert "sqlalchemy" in loaded
    assert loaded & unused == set()
    assert {each for each in loaded if each.startswith("referee.cli.match.")} <= {LISTS}


def test_help_starts_as_fast_as_an_empty_program() -> None:
    """`referee --help` takes at most twice the time of a Typer program that does nothing."""
    python(EMPTY), python(HELP)
    times = [(timed(HELP), timed(EMPTY)) for _ in range(4)]
    assert min(ours for ours, _ in times) <= 2 * min(empty for _, empty in times)


def test_help_names_every_command(run: Callable[..., Any]) -> None:
    """Every command that is installed stands in the help with one line about it."""
    ran = run("--help")
    assert ran.status == 0
    for name in COMMANDS:
        assert f"  {name} " in ran.out
        assert COMMANDS[name].about in ran.out


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_its_own_help(run: Callable[..., Any], name: str) -> None:
    """Every command can be imported and explains itself."""
    ran = run(name, "--help")
    assert ran.status == 0
    assert ran.out.startswith(f"Usage: referee {name} ")


def test_an_unknown_command_names_the_nearest(run: Callable[..., Any]) -> None:
    """A typing error in a command is answered with what was probably meant."""
    ran = run("inti")
    assert ran.status == 2
    assert "No such command 'inti'. Did you mean 'init'?" in ran.err


def test_an_operators_error_is_one_line(run: Callable[..., Any], tmp_path: Path) -> None:
    """An error that the operator can put right is one line on standard error, status 2."""
    (tmp_path / "file").touch()
    ran = run("init", tmp_path / "file")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"referee: {tmp_path / 'file'} is a file; name a folder\n"


class Broken(LazyGroup):
    """A program whose only command fails as a fault of its own would."""

    def invoke(self, ctx: typer.Context) -> None:
        raise self.error

    error: Exception = ValueError("two\nlines")


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (RefereeError("Do this."), 2, "referee: Do this."),
        (
            ValueError("two\nlines"),
            3,
            (
                "referee: ValueError: two lines (a fault of the referee; "
                "REFEREE_TRACEBACK=1 shows where)"
            ),
        ),
    ],
)
def test_no_traceback_reaches_a_person(
    run: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
    line: str,
) -> None:
    """Any exception becomes one line; the status tells whose fault it is."""
    monkeypatch.setattr(Broken, "error", error)
    monkeypatch.setattr(app.info, "cls", Broken)
    monkeypatch.delenv("REFEREE_TRACEBACK", raising=False)
    ran = run("init")
    assert (ran.status, ran.err) == (status, line + "\n")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["run"], ["run"]),
        (["run", "--config", "x"], ["--config", "x", "run"]),
        (["match", "show", "--config=x", "m-1"], ["--config=x", "match", "show", "m-1"]),
        (["--config", "x", "run"], ["--config", "x", "run"]),
        (["try", "--", "--config"], ["try", "--", "--config"]),
        (["run", "--config"], ["--config", "run"]),
    ],
)
def test_config_may_stand_anywhere(given: list[str], expected: list[str]) -> None:
    """--config is understood before and after a command's name."""
    assert config_first(given) == expected


def test_completion_is_not_offered_as_an_option() -> None:
    """The program has no options but its own, and help."""
    assert [each.name for each in get_command(app).params] == ["config", "version"]


def python(program: str, complaint: str = "") -> str:
    """Run a program with this interpreter and return what it printed; it complains of this."""
    environ = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environ, check=False
    )
    assert complaint in ran.stderr
    assert ran.stderr.count("\n") == bool(complaint)
    return ran.stdout


def timed(program: str) -> float:
    """Return the seconds of CPU a program takes from start to end."""
    before = os.times()
    python(program)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])
