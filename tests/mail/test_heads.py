"""Heads above our frames: brought back unmarked they are ours, and nothing else is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.moor import NOW, framing, over, report, wording

from referee.games.game import Sentence
from referee.mail.incoming import heads, marks
from referee.mail.incoming.html import html_to_text
from referee.render import mails

pytestmark = pytest.mark.fast


def every_head(language: str) -> list[mails.Content]:
    """Return a report with each head there is."""
    asked = replace(report().scene, asked=Sentence("stock", {"seat": "red", "stones": 3}))
    values = [
        report(),
        report(due=None),
        report(reminder=True),
        report(scene=asked),
        report(scene=asked, reminder=True),
        report(to_act="blue"),
        report(to_act="blue", now=NOW),
        report(to_act="blue", scene=asked),
        report(to_act="blue", due=None),
        report(seat=None),
        over(),
        replace(over(), seat=None),
    ]
    return [mails.report_content(wording(language), each, framing(language)) for each in values]


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_mail_that_comes_back_unmarked_says_nothing(language: str) -> None:
    """Above and below the frame all is ours, in text as in HTML, and the answer above it counts."""
    for content in every_head(language):
        for back in (content.text, html_to_text(content.html, 500_000)):
            cut = marks.cut(f"rest\n\n{back}")
            assert cut.free == ("rest",)


@pytest.mark.parametrize(
    "line",
    [
        "place F7",
        "I played place F7",
        "place F7 is to act",
        "Over and out",
        "my turn is to act",
        "It is my turn, Red",
    ],
)
def test_lines_of_people_are_no_heads(line: str) -> None:
    """What somebody writes right above an unmarked mail of ours is read."""
    assert not heads.is_head(line)
    assert marks.cut(f"{line}\n--- moor-7 · referee ---").free == (line,)


def test_an_answer_written_between_head_and_frame_is_not_lost() -> None:
    """Whoever writes below the bar of an unmarked mail is heard, or asked."""
    text = mails.report_content(wording(), report(), framing()).text
    head, frame, rest = text.partition("--- moor-7")
    cut = marks.cut(f"{head}set A1 B1\n{frame}{rest}", is_said=lambda line: line == "set A1 B1")
    assert "set A1 B1" in cut.free


def test_a_name_does_not_make_a_line_ours() -> None:
    """A player called like a head takes no line of another from what is read."""
    assert heads.head_lines(["set A1 B1", "Blue (x) is to act (bob) is to act"]) == 1
    assert heads.head_lines(["set A1 B1", "", "", "", "", "It is your turn, red"]) == 1
    assert heads.head_lines(["It is your turn, red", "one", "two", "three", "four"]) == 0
