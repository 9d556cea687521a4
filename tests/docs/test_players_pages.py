"""The players' pages, English and German: whatever they show is understood, and they keep step."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support import pages

from referee.desk.letters.words.keywords import KEYWORDS, read_command, read_commands
from referee.desk.players import SETTINGS, read_setting
from referee.games import registry
from referee.games.game import Unreadable

pytestmark = pytest.mark.fast

PAGES = {"en": "docs/players.md", "de": "docs/de/players.md"}
GAMES = [registry.find_installed(name) for name in ("nord", "origo")]
OURS = ("=== ", "printf ", "$text", "(Get-FileHash")
"""How lines begin that stand in an example and are no order: the frame, a shell."""


def words(language: str, section: str) -> dict[str, str]:
    """Return a section of a catalogue of the core."""
    found: dict[str, str] = pages.table(f"referee/i18n/{language}/core.toml")[section]
    return found


def examples(language: str) -> list[str]:
    """Return the lines of all examples on a page, the text of messages left out."""
    found = []
    for fence in pages.fences(pages.TREE / PAGES[language]):
        lines = [each.strip() for each in fence.text.splitlines()]
        kept = [each for each in lines if each and not each.startswith(OURS)]
        entries, starts = read_commands(kept)
        found += [kept[start] for start, _ in zip(starts, entries, strict=True)]
    return found


EXAMPLES = [(language, line) for language in PAGES for line in examples(language)]


def is_order(line: str, language: str) -> bool:
    """Return whether a line is an order or an answer in advance of a game."""
    for game in GAMES:
        for read in (game.parse, game.parse_policy):
            try:
                read(line, language)
            except Unreadable:
                continue
            return True
    return False


@pytest.mark.parametrize(("language", "line"), EXAMPLES)
def test_every_example_is_read(language: str, line: str) -> None:
    """A line in an example is an order of a game, a command, or the end of a queue."""
    ends = words(language, "particle")["end"].split()
    assert line in ends or read_command(line) is not None or is_order(line, language)


def test_every_command_in_german_is_told() -> None:
    """Each command of the catalogue stands on the page of its language as code."""
    text = pages.read(PAGES["de"])
    for said in words("de", "keyword").values():
        assert re.search(rf"`{said.split()[0]}\b", text)


def test_the_table_of_commands_in_german_is_understood() -> None:
    """A row of the table shows the same command in both languages, and no command is missing."""
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| .*\|$", pages.read(PAGES["de"]), re.MULTILINE)
    read = [(read_command(german), read_command(english)) for german, english in rows]
    assert all(one and other and one.word == other.word for one, other in read)
    assert {one.word for one, _ in read if one} == set(KEYWORDS.values())


@pytest.mark.parametrize("language", PAGES)
def test_the_outcomes_of_a_receipt_are_those_of_the_mail(language: str) -> None:
    """Each outcome in the table is how a line of a receipt begins."""
    tables = pages.read(PAGES[language]).split("\n\n")
    (table,) = [each for each in tables if re.match(r"\| [wW]or[dt] \| ", each)]
    outcomes = re.findall(r"^\| (\w[^|]*) \|", table, re.MULTILINE)[1:]
    said = words(language, "line").values()
    assert len(outcomes) == 9
    assert all(any(each.startswith(outcome) for each in said) for outcome in outcomes)


def settings(language: str) -> list[Any]:
    """Return what each row of the table of settings sets, and the value as it is kept."""
    text = pages.read(PAGES[language])
    word = words(language, "keyword")["set"]
    rows = re.findall(rf"^\| `({word} [^`]+)` \| [^|]+\|$", text, re.MULTILINE)
    found = []
    for row in rows:
        command = read_command(row)
        assert command is not None, row
        what, value = command.arguments
        nobody: Any = None
        read = what not in {"name", "address"}
        found.append((what, read_setting(nobody, nobody, what, value) if read else None))
    return found


def test_the_tables_of_settings_say_the_same() -> None:
    """Both pages set the same settings to the same values, and leave none out."""
    assert settings("de") == settings("en")
    assert {what for what, _ in settings("de")} == {*SETTINGS, "address"}
    assert all(kept for what, kept in settings("de") if what not in {"name", "address"})


def test_the_values_in_german_are_told() -> None:
    """Each value that a setting takes by a German word stands in the table of settings."""
    rows = re.findall(r"^\| `einstellung .*$", pages.read(PAGES["de"]), re.MULTILINE)
    told = " ".join(rows)
    said = [each.split()[0] for each in words("de", "value").values()]
    assert all(re.search(rf"[` ]{each}\b", told) for each in said)


def test_the_pages_have_the_same_parts() -> None:
    """The German page has each part of the English one, but its appendix on German."""
    depths = {
        language: re.findall(r"^(#+) ", pages.prose(pages.TREE / page), re.MULTILINE)
        for language, page in PAGES.items()
    }
    assert depths["de"] == depths["en"][:-1]
