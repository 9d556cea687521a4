"""What players can say besides orders."""

from __future__ import annotations

import pytest

from referee.desk.letters.words.keywords import KEYWORDS, Command, read_command, read_commands

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("help", Command("help")),
        ("Hilfe.", Command("help")),
        ("  SHOW turn 12 ", Command("show", ("12",))),
        ("zeige zug 3", Command("show", ("3",))),
        ("luck seven swans", Command("luck", (), "seven swans")),
        ("message all: hello there", Command("message", ("all",), "hello there")),
        ("nachricht rot", Command("message", ("rot",))),
        (
            "message all: Good luck! See https://example.test/a.",
            Command("message", ("all",), "Good luck! See https://example.test/a."),
        ),
        ("glück sieben Raben!", Command("luck", (), "sieben Raben!")),
        ("Yes!", Command("agree")),
        ("aufgeben", Command("resign")),
        ("Ich gebe die Partie auf!", Command("resign")),
        ("I resign.", Command("resign")),
        ("ich gebe auf dich acht", None),
        ("I resign myself to it", None),
        ("message me tomorrow", None),
        ("help me understand this", None),
        ("agree with you", None),
        ("show me", None),
        ("", None),
    ],
)
def test_a_line_is_a_command_only_with_what_it_takes(line: str, command: Command | None) -> None:
    """A keyword inside a sentence is talk."""
    assert read_command(line) == command


@pytest.mark.parametrize(("word", "most"), [("note", 500), ("luck", 200)])
def test_what_is_longer_than_a_text_may_be_is_cut(word: str, most: int) -> None:
    """A note at five hundred characters, words of luck at two hundred."""
    assert read_command(f"{word} {'x' * most}") == Command(word, (), "x" * most)
    assert read_command(f"{word} {'x' * most}yz") == Command(word, (), "x" * most)


@pytest.mark.parametrize("link", ["", "<mailto:{}>", " <mailto:{}>", "[mailto:{}]", " mailto:{}"])
def test_an_address_may_stand_beside_its_link(link: str) -> None:
    """Mail programs write it twice, with a blank between or without."""
    address = "new@example.org"
    read = read_command(f"set address {address}{link.format(address)}")
    assert read == Command("set", ("address", address))


def test_a_message_takes_every_line_up_to_its_end() -> None:
    """The lines of a message are no orders."""
    pieces, starts = read_commands(["message all", "pass", "see you", "end", "pass"])
    assert (pieces, starts) == ((Command("message", ("all",), "pass\nsee you"), "pass"), (0, 4))


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_every_keyword_has_a_grammar(word: str) -> None:
    """A keyword that only a catalogue knows would stop every letter that has it."""
    command = read_command(f"{word} perhaps")
    assert command is None or command.word == KEYWORDS[word]
