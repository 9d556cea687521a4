"""Lines that look like an order or a command: which are meant as one, and which are talk."""

from __future__ import annotations

import pytest

from referee.desk.letters.words import attempts
from referee.desk.letters.words.keywords import Command
from referee.games import registry

pytestmark = pytest.mark.fast

GAME = registry.find_installed("pebbles")


@pytest.mark.parametrize("line", ["put 99 A1", "put it", "Lege 3", "PUT 1 A1!", "place D6 D7"])
def test_a_short_line_with_a_keyword_is_an_attempt(line: str) -> None:
    """Of this game in either language, or of another game with something behind it."""
    assert attempts.is_attempt(line, GAME)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "place",
        "· put 1 A1",
        "putting it off",
        "put it there, please",
        "put 1 A1. Then we shall see",
        "put the kettle on now",
        "I put 1 A1",
    ],
)
def test_talk_is_no_attempt(line: str) -> None:
    """Long or punctuated lines, our own with a dot, and a keyword of another game alone."""
    assert not attempts.is_attempt(line, GAME)


@pytest.mark.parametrize(
    ("line", "slip"),
    [
        ("palce E7 quickly!!", True),
        ("plaec E7 and", True),
        ("palce E5, E6 now", True),
        ("setzze D6 bitte", True),
        ("palce E7?", False),
        ("palce it there", False),
        ("places E7 and E8 look good", False),
        ("Setzt E7 unter Druck", False),
        ("· palce E7", False),
        ("peas on E7", False),
    ],
)
def test_a_mistyped_keyword_before_a_space_was_meant_as_an_order(line: str, slip: bool) -> None:
    """One word more is passed over; a question, our own line and longer prose are none."""
    assert attempts.is_slip(line, registry.find_installed("nord")) is slip


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("put 1 A1", True),
        ("spiele Axt", True),
        ("help", True),
        ("message red: hello", True),
        ("message all", True),
        ("message carol: hello", True),
        ("Message du 21 novembre 2026: bonjour", False),
        ("Message original", False),
        ("put off on Sat, 21 Nov 2026 by bob@example.test", False),
        ("see you", False),
    ],
)
def test_a_line_of_a_mail_program_is_told_from_one_of_ours(line: str, said: bool) -> None:
    """A date or an address marks it as theirs, unless it names whom to write to."""
    assert attempts.is_said(line) is said


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("message red hello", Command("message", ("red hello",))),
        ("nachricht rot morgen", Command("message", ("rot morgen",))),
        ("message all see you", Command("message", ("all see you",))),
        ("message red", None),
        ("message red: hello there", None),
        ("message me tomorrow", None),
        ("message red about the next tournament", None),
    ],
)
def test_a_message_without_its_colon_is_nearly_one(line: str, command: Command | None) -> None:
    """All of its words are named as whom to write to, so that its writer is asked."""
    assert attempts.nearly_message(line, GAME) == command


@pytest.mark.parametrize(
    ("line", "keyword"),
    [("Put it off", "put"), ("Undo: please", "undo"), ("Hello", None), ("", None), ("· put", None)],
)
def test_talk_that_begins_like_an_order_names_its_keyword(line: str, keyword: str | None) -> None:
    """Whatever follows it."""
    assert attempts.hint_of(line) == keyword
