"""Shells complete commands, options and the names of an installation, by their own protocols."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from support.given import SEATED

from referee.cli.commands import COMMANDS, GONE, Entry, Group, make_command
from referee.games.registry import game_names

GIVEN = (
    "--address", "referee@example.test",
    "--imap", "imap://referee%40example.test@127.0.0.1:9",
    "--smtp", "smtp://127.0.0.1:9",
)  # fmt: skip
HEAVY = {"sqlalchemy", "jinja2", "imapclient", "lxml", "jsonschema", "alembic", "babel"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Set up an installation with a match, whose passwords are not written down."""
    found = tmp_path_factory.mktemp("club")
    secret = {"REFEREE_IMAP_PASSWORD": "secret"}
    for words, environ in (
        (("init", str(found), *GIVEN), secret),
        (("match", "new", "pebbles", *SEATED, "--start"), {}),
    ):
        command = [sys.executable, "-m", "referee", *words]
        subprocess.run(command, cwd=found, env={**os.environ, **environ}, check=True)
    return found


@pytest.fixture
def club(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a copy of the installation, so that no test meets what another adds."""
    copied = shutil.copytree(folder, tmp_path / "club")
    monkeypatch.chdir(copied)
    return copied


@pytest.fixture
def asked(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Return what tells what a shell is offered for the last word of a line."""

    def ask(shell: str, line: str, **environ: str) -> list[str]:
        words = shlex.split(line) + ([""] if line.endswith(" ") else [])
        given = {
            "_REFEREE_COMPLETE": f"complete_{shell}",
            **({"COMP_WORDS": " ".join(words)} if shell == "bash" else {}),
            "COMP_CWORD": str(len(words) - 1),
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
            "COLUMNS": "40",
        }
        with monkeypatch.context() as patch:
            for name, value in {**given, **environ}.items():
                patch.setenv(name, value)
            ran = run()
        assert (ran.status, ran.err) == (0, "")
        return [each for each in ran.out.splitlines() if each]

    return ask


def test_settings_and_their_values_are_offered(club: Path, asked: Callable[..., list[str]]) -> None:
    """First the settings of a player, then the values of the one named."""
    line = "referee player set 1 "
    assert {"digest", "reminders", "subjects", "zone"} <= {*asked("bash", line)}
    assert asked("bash", f"{line}subjects ") == ["plain", "telling"]
    assert asked("bash", f"{line}zone Europe/Berl") == ["Europe/Berlin"]


def test_every_command_is_offered(asked: Callable[..., list[str]]) -> None:
    """Nothing typed yet: all commands; a beginning: those that begin so."""
    assert asked("bash", "referee ") == list(COMMANDS)
    assert asked("bash", "referee ma") == ["match"]
    assert {"list", "show"} <= set(asked("bash", "referee match "))
    assert asked("bash", "referee player away ") == ["list", "add", "clear"]
    assert "--state" in asked("bash", "referee match list --s")
    assert asked("bash", "referee match list --state ru") == ["running"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("referee match show p", ["pebbles-1"]),
        ("referee match show x", []),
        ("referee player show ", ["alice@example.test", "bob@example.test"]),
        ("referee match show pebbles-1 --as ", ["red", "blue"]),
        ("referee match show nord-9 --as ", []),
        ("referee outbox show ", ["2", "1"]),
        ("referee match seat pebbles-1 ", ["red", "blue"]),
        ("referee match new ", game_names()),
        ("referee match open n", ["nord"]),
        ("referee --config referee.toml match show ", ["pebbles-1"]),
    ],
)
def test_names_are_offered(
    asked: Callable[..., list[str]], club: Path, line: str, offered: list[str]
) -> None:
    """Matches, players, seats and numbers come from the database, without any password."""
    assert club.is_dir()
    assert asked("bash", line) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_answered_in_their_way(
    asked: Callable[..., list[str]], club: Path, shell: str
) -> None:
    """Each gets the same names, in the form it reads; commands with what they do, in one line."""
    assert club.is_dir()
    assert any("pebbles-1" in each for each in asked(shell, "referee match show p"))
    (line,) = asked(shell, "referee docto")
    assert "doctor" in line
    assert COMMANDS["doctor"].about.rstrip(".") in line


def test_where_nothing_is_set_up_nothing_is_offered(
    asked: Callable[..., list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell in a strange folder gets neither names nor complaints."""
    monkeypatch.chdir(tmp_path)
    assert asked("bash", "referee match show ") == []


def test_a_shell_is_not_told_what_is_no_more(
    asked: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a command that is no more nothing is offered, and nothing complained of."""
    monkeypatch.setitem(GONE, "match glue", "use match fix")
    assert asked("bash", "referee match glue ") == asked("bash", "referee match ")


def loaded(line: str, folder: Path) -> tuple[str, set[str]]:
    """Return what bash is offered for the end of a line, and the modules that were imported."""
    program = (
        "import sys; from referee.cli import main\n"
        "try: main()\nexcept SystemExit: print(); print(*sys.modules)"
    )
    words = line.split(" ")
    given = {"_REFEREE_COMPLETE": "complete_bash", "COMP_WORDS": line}
    environ = {**os.environ, **given, "COMP_CWORD": str(len(words) - 1)}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=environ, cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    first, *_, last = ran.stdout.splitlines()
    return first, set(last.split())


def test_commands_are_offered_without_importing_them(tmp_path: Path) -> None:
    """Completing a command costs no more than help does."""
    _, modules = loaded("referee ", tmp_path)
    assert "typer" in modules
    assert {each.split(".")[0] for each in modules} & HEAVY == set()


def test_names_are_offered_without_importing_the_command(club: Path) -> None:
    """They need the store, but not what the command does."""
    offered, modules = loaded("referee match pause p", club)
    assert offered == "pebbles-1"
    assert {"referee.cli.match.mend", "referee.desk.plans"} & modules == set()


def taken(name: str, entry: Entry | Group, group: str = "") -> Iterator[tuple[str, str, list[str]]]:
    """Yield each command, the names its group or entry says it takes, and its real arguments."""
    if isinstance(entry, Group):
        for each, one in entry.commands.items():
            yield from taken(each, one, entry.takes)
        return
    command: Any = make_command(name, entry)
    arguments = [each.metavar for each in command.params if each.param_type_name == "argument"]
    yield name, group if entry.takes is None else entry.takes, arguments


@pytest.mark.parametrize("name", COMMANDS)
def test_the_names_a_command_takes_are_its_first_arguments(name: str) -> None:
    """The table of commands says so, because asking the command would take twice as long."""
    known = {"GAME", "MATCH", "PLAYER", "SEAT", "LETTER", "MAIL", "SETTING", "VALUE"}
    for command, said, arguments in taken(name, COMMANDS[name]):
        assert said.split() == list(takewhile(known.__contains__, arguments)), command


def test_bash_runs_the_script(club: Path) -> None:
    """The printed script, read by bash, completes the name of a match."""
    program = club / "bin" / "referee"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m referee "$@"\n')
    program.chmod(0o755)
    lines = (
        "source <(referee completion bash)",
        "complete -p referee",
        "COMP_WORDS=(referee match show peb) COMP_CWORD=3",
        "_referee_completion referee",
        'echo "${COMPREPLY[@]}"',
    )
    environ = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    ran = subprocess.run(
        ["bash", "--norc", "-c", "\n".join(lines)],
        env=environ, cwd=club, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ran.stderr == ""
    known, offered = ran.stdout.splitlines()
    assert known == "complete -o default -F _referee_completion referee"
    assert offered == "pebbles-1"


def test_each_shell_has_a_script(run: Callable[..., Any]) -> None:
    """Each names the variable by which the program is asked; another shell is refused."""
    for shell in ("bash", "zsh", "fish"):
        assert "_REFEREE_COMPLETE" in run("completion", shell).out
    refused = run("completion", "tcsh")
    assert (refused.status, refused.out) == (2, "")
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish' (see" in refused.err


HOSTILE = (
    "`id`@evil.test", "$id@evil.test", "a|id@evil.test", "a&id@evil.test", "!id@evil.test",
    "~root@evil.test", "-v@evil.test", "=id@evil.test", "a*@evil.test", "a'b@evil.test",
    "{a}@evil.test", "#a@evil.test", "a?@evil.test",
)  # fmt: skip


def test_no_address_that_a_shell_would_read_as_more_is_offered(
    run: Callable[..., Any], asked: Callable[..., list[str]], club: Path
) -> None:
    """Whoever chose it may have chosen what the organiser's shell carries out; plain ones are."""
    for each in (*HOSTILE, "plain+o_k-1.x@evil.test"):
        assert run("player", "add", "--", each).status == 0
    for shell in ("bash", "zsh", "fish"):
        offered = "\n".join(asked(shell, "referee player show "))
        assert "plain+o_k-1.x@evil.test" in offered
        assert offered.count("evil.test") == 1
