"""Heads above our frames: brought back unmarked they are ours, and nothing else is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pytest
from support.moor import NOW, digest, every_mail, framing, over, receipt, report, wording

from referee.desk.letters.words.attempts import is_said
from referee.games.game import Sentence
from referee.mail.incoming import heads, marks
from referee.mail.incoming.html import html_to_text
from referee.render import mails
from referee.render.content import LONGEST_ABOVE
from referee.render.layout import Format, columns_of, wrap

pytestmark = pytest.mark.fast

PLAYED: Final = {
    "en": "Red (bob) played: set a stone on A1 from moor-7 with 2 men. Blue (carol) is to act.",
    "de": "Rot (bob) spielte: legte mit moor-7 einen Stein auf A1. Blau (carol) ist am Zug.",
}
"""The head of a report to somebody who waits."""

TEXTS: Final[Sequence[Format]] = ("text", "phone", "spoken")


def every_head(language: str) -> list[mails.Content]:
    """Return a mail with each head there is."""
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
    reports = [mails.report_content(wording(language), each, framing(language)) for each in values]
    mine = [each for each in every_mail(language) if each.head and each.framing.open]
    others = [each for each in mine if each.head and each.head.above]
    assert {each.body for each in others} >= {"letter", "receipt", "report"}
    catalogue, bare = wording(language).catalogue, replace(framing(language), box=())
    told = digest(language)
    digests = [
        mails.digest_content(catalogue, replace(told, own=own), bare)
        for own in ((), told.own, [*told.own, *told.own])
    ]
    return [*reports, *others, *digests]


def every_receipt(language: str) -> list[mails.Content]:
    """Return a receipt with each head there is."""
    lines = receipt().lines
    given = [
        receipt(lines=lines[:1]),
        receipt(),
        receipt(nothing_happened=True),
        receipt(nothing_happened=True, lines=lines[2:3]),
        receipt(nothing_happened=True, lines=lines[-1:]),
        receipt(nothing_happened=True, lines=lines[-1:], standing=()),
        receipt(held="Sat 21 Nov 2026, 13:00"),
        receipt(held="Sat 21 Nov 2026, 13:00", lines=lines[:1]),
    ]
    found = [mails.receipt_content(wording(language), each, framing(language)) for each in given]
    assert len({each.headline for each in found}) == len(given)
    return found


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_mail_that_comes_back_unmarked_says_nothing(language: str) -> None:
    """Above and below the frame all is ours, in text as in HTML, and the answer above it counts."""
    for content in [*every_head(language), *every_receipt(language)]:
        texts = [content.text_for(each) for each in TEXTS]
        for back in (*texts, html_to_text(content.html, 500_000)):
            cut = marks.cut(f"rest\n\n{back}")
            assert cut.free == ("rest",)


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_answer_begins_with_its_head(language: str) -> None:
    """Above the frame, in every width; it says nothing when it comes back."""
    found = [
        each.headed(heads.is_head)
        for each in every_mail(language)
        if each.body in {"answer", "invitation"} and each.framing.open
    ]
    for content in found:
        for each in TEXTS:
            text = content.text_for(each)
            assert " ".join(text.split()).startswith(" ".join(content.headline.split()))
            assert marks.cut(f"rest\n\n{text}").free == ("rest",)


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_line_of_a_head_is_taken_for_an_order(language: str) -> None:
    """Wherever names of any length break it."""
    every = [*every_head(language), *every_receipt(language), *every_mail(language)]
    found = {each.head.sentence for each in every if each.head and each.framing.open}
    for sentence in {*found, PLAYED[language]}:
        for longer in ("x" * length for length in range(30)):
            named = re.sub(r"moor-[78]", rf"\g<0>{longer}", sentence)
            for columns in map(columns_of, TEXTS) if len(named) <= LONGEST_ABOVE else ():
                back = f"{wrap(named, columns=columns)}\n\n--- moor-7 · referee ---\n"
                assert marks.cut(f"rest\n\n{back}", is_said=is_said).free == ("rest",)
    assert columns_of("phone") == heads.NARROW


@pytest.mark.parametrize(
    "head",
    [
        (
            "Yellow (dora) played: played the sword (many workers) and placed workers on F1, F2 and"
            " F3. Red (alice) is to act, until Sat 28 Nov, 15:10 (UTC), 7 days left."
        ),
        (
            "Schwarz (carol) spielte: segelte von C3 nach E3; gründete Belgica mit Stein 1 (+3) und"
            " segelte von C4 nach C5. Rot (alice) ist am Zug, bis So., 29. November, 05:20 Uhr"
            " (UTC), noch 7 Tage."
        ),
    ],
)
def test_a_head_that_tells_a_turn_is_known_in_every_width(head: str) -> None:
    """Brackets and spaces of what was played are none of its beginnings."""
    for columns in range(38, 120):
        back = f"{wrap(head, columns=columns)}\n\n--- nord-1 · referee ---\n"
        assert marks.cut(f"rest\n\n{back}", is_said=is_said).free == ("rest",)


@pytest.mark.parametrize(
    "talk",
    [
        "Red (bob) played well and I want to do this",
        "Nothing was done yet, so I now write",
        "It is your turn I think, so I do",
        "Du hast in der letzten Runde Glück,",
        "Du bist am Zug, hast du geschrieben, also spiele ich dies:",
        "You have noted that blue is weak, so I do what I must do:",
        "It is your turn, you wrote, so here is what I want to do now",
    ],
)
@pytest.mark.parametrize("order", ["attack D6", "resign", "place D6 E7 F8"])
def test_prose_that_begins_like_a_head_keeps_the_order_below_it(talk: str, order: str) -> None:
    """It ends before its line is full, whether our head or our frame comes next."""
    head = "It is your turn, Red: until Sat 28 Nov, 12:00 (UTC), 7 days left."
    for between in ("", "\n", f"\n{head}\n\n", f"{head}\n"):
        cut = marks.cut(f"{talk}\n{order}\n{between}--- moor-7 · referee ---", is_said=is_said)
        assert cut.free == (talk, order)


def test_a_head_with_names_at_its_beginning_takes_no_line_above_it() -> None:
    """A short line of a person right above it looks like a part of the name."""
    for line in ("rest", "thanks bob"):
        cut = marks.cut(f"{line}\nbob (blue) writes to you:\n\n--- moor-7 · referee ---")
        assert cut.free == (line,)


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
    content = mails.report_content(wording(), report(), framing())
    for each in TEXTS:
        head, frame, rest = content.text_for(each).partition("--- moor-7")
        for talk in ("", "Hi all, this is my move for the turn\n"):
            answered = f"{head}{talk}set A1 B1\n{frame}{rest}"
            cut = marks.cut(answered, is_said=lambda line: line == "set A1 B1")
            assert "set A1 B1" in cut.free


def test_a_name_does_not_make_a_line_ours() -> None:
    """A player called like a head takes no line of another from what is read."""
    assert heads.head_lines(["set A1 B1", "Blue (x) is to act (bob) is to act"]) == 1
    assert heads.head_lines(["set A1 B1", "", "", "", "", "It is your turn, red"]) == 1
    assert heads.head_lines(["It is your turn, red", "one", "two", "three", "four"]) == 0
