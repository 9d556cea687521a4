"""What is found in answers as mail programs write them: see letters/expected.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.mail.marks import cut
from referee.mail.reading import Letter, read

pytestmark = pytest.mark.fast

LETTERS = Path(__file__).parent / "letters"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((LETTERS / "expected.toml").read_text())


def found(blocks: tuple[str, ...]) -> tuple[list[str], list[list[str]]]:
    cuts = [cut(each) for each in blocks]
    free = [line for each in cuts for line in each.free]
    return free, [list(box.lines) for each in cuts for box in each.boxes if box.lines]


def answer(name: str) -> Letter:
    return read((LETTERS / f"{name}.eml").read_bytes())


def test_every_letter_has_its_expectation():
    """No letter lies in the folder without saying what is in it."""
    assert sorted(EXPECTED) == sorted(each.stem for each in LETTERS.glob("*.eml"))


@pytest.mark.parametrize("name", EXPECTED)
def test_the_text_says_what_the_person_wrote(name: str):
    """The text part yields exactly the lines the person wrote, and the boxes he filled."""
    expected = EXPECTED[name]
    assert found(answer(name).text) == (expected.get("text", []), expected.get("boxes", []))


@pytest.mark.parametrize("name", [name for name in EXPECTED if "html" in EXPECTED[name]])
def test_the_html_says_the_same(name: str):
    """The HTML part yields exactly the lines the person wrote, and the boxes he filled."""
    expected = EXPECTED[name]
    assert found(answer(name).html_text) == (expected["html"], expected.get("html_boxes", []))


@pytest.mark.parametrize("name", EXPECTED)
def test_answers_of_people_are_not_taken_for_robots(name: str):
    """An ordinary answer has one sender and is not automatic."""
    letter = answer(name)
    assert (letter.sender, letter.automatic) == ("alice@example.org", False)
    assert letter.in_reply_to == "<turn14@example.test>"


def test_every_box_keeps_its_code():
    """Wherever a box was found, empty or filled, its code was still readable."""
    codes = {
        box.code for name in EXPECTED for block in answer(name).blocks for box in cut(block).boxes
    }
    assert codes == {"K7PQM2XD", "ZZZZ0001"}
