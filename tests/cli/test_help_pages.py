"""Help pages are read in a terminal of 80 columns, and their examples are copied from there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from typing import Any, get_args

import pytest

from referee.cli.commands import COMMANDS, Entry, Group
from referee.cli.options import Language
from referee.games.game import LANGUAGES
from referee.resources import DISTRIBUTION

pytestmark = pytest.mark.fast

Run = Callable[..., Any]


def entries(
    table: Mapping[str, Entry | Group], before: str = ""
) -> Iterator[tuple[str, Entry | Group]]:
    """Yield every command and group of a table, by its whole name."""
    for name, entry in table.items():
        yield f"{before}{name}", entry
        if isinstance(entry, Group):
            yield from entries(entry.commands, f"{before}{name} ")


EVERY = dict(entries(COMMANDS))
GROUPS = {name: each for name, each in EVERY.items() if isinstance(each, Group)}


def page(run: Run, name: str) -> tuple[list[str], list[str]]:
    """Return the lines of a help page, those of its examples apart."""
    ran = run(*name.split(), "-h")
    assert (ran.status, ran.err) == (0, "")
    before, _, after = ran.out.partition("\nExamples:\n")
    examples, _, rest = after.partition("\n\n")
    return [*before.splitlines(), *rest.splitlines()], examples.splitlines()


@pytest.mark.parametrize("name", EVERY)
def test_a_page_fits_a_terminal_and_names_no_type(run: Run, name: str) -> None:
    """Its first line is that of the list of commands; values are words in capitals or choices."""
    lines, examples = page(run, name)
    assert max(map(len, lines)) <= 80
    assert lines[2] == EVERY[name].about
    assert lines[0].startswith(f"Usage: referee {name} [OPTIONS]")
    assert not [each for each in lines if re.search(r"<\w+[\[\] \w]*>|\{\w+\}", each)]
    assert all(each.startswith(f"  referee {name} ") or each == f"  referee {name}"
               for each in examples)  # fmt: skip


@pytest.mark.parametrize("name", [*GROUPS, "init", "match new", "outbox list", "try"])
def test_a_narrow_terminal_gets_narrow_lines(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """On 60 columns all but examples and sets of choices fit; a default is not broken."""
    monkeypatch.setenv("COLUMNS", "60")
    lines, _ = page(run, name)
    assert [each for each in lines if len(each) > 60 and "|" not in each] == []
    assert [each for each in lines if each.endswith("[default:")] == []


def test_an_example_wider_than_the_page_is_not_broken(run: Run) -> None:
    """It stands on a line of its own, so that it can be copied."""
    _, examples = page(run, "match new")
    seats = "--seat red=alice@example.test --seat green=bot:greedy"
    assert f"  referee match new nord {seats} --start" in examples
    assert page(run, "match end")[1][1].endswith("--result blue=2 --why agreed")


@pytest.mark.parametrize("name", GROUPS)
def test_a_group_lists_its_commands_in_whole_lines(run: Run, name: str) -> None:
    """One line for each, uncut."""
    lines, _ = page(run, name)
    listed = [each.split(maxsplit=1) for each in lines[lines.index("Commands:") + 1 :]]
    assert listed == [[each, it.about] for each, it in GROUPS[name].commands.items()]


def test_choices_and_defaults_are_shown(run: Run) -> None:
    """A closed set is shown as it is; a number has no range."""
    lines, _ = page(run, "letter list")
    assert "  --state kept|handled|ignored|repeat|quarantined" in lines
    assert any(each.endswith("How many of the newest. [default: 50]") for each in lines)
    refused = run("letter", "list", "--state", "lost")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "'kept', 'handled'" in refused.err


def test_short_forms_are_understood(run: Run) -> None:
    """``-h`` shows what ``--help`` shows, and ``--version`` the version, without a command."""
    assert run("-h").out == run("--help").out
    assert run("match", "list", "-h").out == run("match", "list", "--help").out
    assert any(each.startswith("  -y, --yes ") for each in page(run, "match pause")[0])
    assert run("--version").out == f"referee {version(DISTRIBUTION)}\n"


def test_the_languages_to_choose_from_are_all_there_are() -> None:
    """An option cannot be checked against a list made while it runs, so it is written out."""
    assert get_args(Language) == LANGUAGES


def test_what_always_changes_a_match_always_needs_a_reason(run: Run) -> None:
    """Where it may change none, the help says when one is needed."""
    for command in ("pause", "resume", "extend", "seat", "undo", "act"):
        said = " ".join(run("match", command, "--help").out.split())
        assert "Why; the players read it. Required. " in said, command
    said = " ".join(run("player", "merge", "--help").out.split())
    assert "Required if a match changes." in said
