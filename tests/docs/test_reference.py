"""The pages made from the program say what it says, and the man page is sound."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from support import commands, pages, reference

from referee.games import registry
from referee.games.game import AnyGame, Order, Unreadable
from referee.games.policies import Policy

pytestmark = pytest.mark.fast

MADE = {pages.name(place): place for place in reference.written()}
MAN = pages.TREE / "deploy" / "referee.1"


@pytest.mark.parametrize("place", MADE.values(), ids=list(MADE))
def test_what_is_made_is_up_to_date(place: Path) -> None:
    """A page has what the program and the games say today; else: make reference."""
    assert place.read_text(encoding="utf-8") == reference.written()[place]


def test_the_reference_has_every_command() -> None:
    """The page and the man page have a heading for each command, with its usage."""
    page, man = pages.read("docs/commands.md"), MAN.read_text(encoding="utf-8")
    for name in commands.EVERY:
        assert f"\n`referee {name} [OPTIONS]" in page
        escaped = name.replace("-", r"\-")
        assert f'\n.SS "referee {escaped}"\n' in man


def test_every_option_is_in_the_reference() -> None:
    """Each option of a command stands below its heading in the page."""
    sections = pages.read("docs/commands.md").split("\n## ", 1)[1].replace("\n### ", "\n## ")
    texts = dict(each.split("\n", 1) for each in sections.split("\n## "))
    for name, command in commands.EVERY.items():
        options = [each for each in command.params if each.param_type_name == "option"]
        for option in options:
            if not option.hidden and "--help" not in option.opts:
                assert option.opts[0] in texts[f"referee {name}"]


def test_the_man_page_is_sound() -> None:
    """The formatter of man pages warns of nothing."""
    formatter = shutil.which("groff")
    if formatter is None:
        pytest.skip("groff is not on this machine")
    command = [formatter, "-man", "-ww", "-z", "-Tutf8", str(MAN)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("game", reference.GAMES)
def test_orders_of_the_german_rules_are_read_alike(game: str) -> None:
    """In the table of orders of a German page both languages mean the same."""
    played = registry.find_installed(game)
    rows = pages.rows(f"docs/de/rules/{game}.md")
    assert len(rows) >= len(played.order_types) - 2
    for german, english in rows:
        assert read_either(played, german, "de") == read_either(played, english, "en")


def read_either(game: AnyGame, line: str, language: str) -> Order | Policy:
    """Return a line as an order, or else as an answer in advance."""
    try:
        return game.parse(line, language)
    except Unreadable:
        return game.parse_policy(line, language)


def test_every_file_of_the_conformance_suite_is_told_of() -> None:
    """The page on adding a game says what each asks, and how to run it without the long ones."""
    page, suite = pages.read("docs/adding-a-game.md"), pages.TREE / "tests/games/conformance"
    for file in suite.glob("test_*.py"):
        assert f"\n| `{file.name}` | " in page
    runs = [line for line in page.splitlines() if "pytest tests/games/conformance" in line]
    assert runs
    assert all(line.endswith(' -m "not soak"') for line in runs)
