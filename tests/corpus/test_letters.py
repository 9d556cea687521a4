"""What is understood of letters as people, their programs and their enemies write them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from support.corpus import (
    EXPECTED,
    HOSTILE,
    LETTERS,
    ORDINARY,
    Lines,
    game_of,
    letter,
    lines_of,
    outline,
    parts_of,
    raw,
    understood,
)

pytestmark = pytest.mark.fast

WITH_TEXT = [name for name, each in EXPECTED.items() if "text" in each or "boxes" in each]
WITH_HTML = [name for name, each in EXPECTED.items() if "html" in each]
IN_A_THREAD = [name for name in ORDINARY if b"<turn14@example.test>" in raw(name)]


def test_every_letter_has_its_expectation() -> None:
    """No letter lies in the folder without saying what it is modelled on and what is in it."""
    assert sorted(EXPECTED) == sorted(each.stem for each in LETTERS.glob("*.eml"))
    assert all(each["model"] and "orders" in each for each in EXPECTED.values())


def test_there_are_many_letters_and_no_two_alike() -> None:
    """At least 150 answers differ in MIME structure, separator or language; no bytes repeat."""
    assert len(ORDINARY) >= 150
    outlines = Counter(outline(name) for name in ORDINARY)
    assert [each for each, count in outlines.items() if count > 1] == []
    assert len({raw(name) for name in EXPECTED}) == len(EXPECTED)
    assert len({each["model"] for each in EXPECTED.values()}) == len(EXPECTED)


CLIENTS = {
    "Gmail in the browser": ("gmail-web-",),
    "Gmail on Android": ("gmail-android",),
    "Outlook for Windows": ("outlook-classic-",),
    "the new Outlook": ("outlook-new",),
    "Outlook on the web": ("outlook-web",),
    "Apple Mail": ("apple-",),
    "iOS": ("iphone-", "ipad-"),
    "Thunderbird": ("thunderbird-",),
    "K-9": ("k9-",),
    "Proton": ("proton",),
    "GMX": ("gmx-",),
    "Yahoo": ("yahoo",),
    "mutt": ("mutt", "neomutt"),
}
"""Of each program so many people write with, the names that its letters begin with."""


@pytest.mark.parametrize("client", CLIENTS)
def test_each_client_answers_in_both_languages(client: str) -> None:
    """Each of them is there in English and in German, in several shapes."""
    own = [name for name in ORDINARY if name.startswith(CLIENTS[client])]
    assert {EXPECTED[name]["language"] for name in own} >= {"en", "de"}
    assert len({outline(name) for name in own}) == len(own)


def test_there_are_many_kinds_by_types_alone() -> None:
    """Whatever is said of charsets and encodings, 150 letters differ in parts, line or language."""
    kinds = {(parts_of(name), *outline(name)[1:]) for name in EXPECTED}
    assert len(kinds) >= 150


@pytest.mark.parametrize("name", WITH_TEXT)
def test_the_text_says_what_the_person_wrote(name: str) -> None:
    """The text part yields exactly the lines the person wrote, and the boxes he filled."""
    expected = EXPECTED[name]
    found = lines_of(letter(name).text)
    assert found == Lines(expected.get("text", []), expected.get("boxes", []))


@pytest.mark.parametrize("name", WITH_HTML)
def test_the_html_says_what_the_person_wrote(name: str) -> None:
    """The HTML part yields exactly the lines the person wrote, and the boxes he filled."""
    expected = EXPECTED[name]
    found = lines_of(letter(name).html_text)
    assert found == Lines(expected["html"], expected.get("html_boxes", []))


@pytest.mark.parametrize("name", EXPECTED)
def test_the_orders_are_those_the_person_meant(name: str) -> None:
    """The desk reads exactly the orders and commands meant, however they are dressed."""
    game = game_of(name)
    places = understood(letter(name), game)
    orders = [game.format(order, "en") for each in places for order in each.orders]
    commands = [command.word for each in places for command in each.commands]
    assert orders == EXPECTED[name]["orders"]
    assert commands == EXPECTED[name].get("commands", [])


@pytest.mark.parametrize("name", EXPECTED)
def test_sender_and_kind_are_known(name: str) -> None:
    """A letter has the one sender it names, or none, and is automatic only if it says so."""
    expected, found = EXPECTED[name], letter(name)
    assert (found.sender or "") == expected.get("sender", "alice@example.org")
    assert found.automatic == expected.get("automatic", False)
    assert found.truncated == expected.get("truncated", False)


@pytest.mark.parametrize("name", [name for name in EXPECTED if "json" in EXPECTED[name]])
def test_documents_are_read(name: str) -> None:
    """Every JSON document gives its value, or a fault where it cannot be used."""
    found: list[Any] = [each.value if each.fault is None else "fault" for each in letter(name).json]
    assert found == EXPECTED[name]["json"]


@pytest.mark.parametrize("name", IN_A_THREAD)
def test_answers_name_what_they_answer(name: str) -> None:
    """The thread of an ordinary answer leads back to the mail it answers."""
    assert letter(name).in_reply_to == "<turn14@example.test>"


def test_every_box_keeps_its_code() -> None:
    """Wherever a box was found, empty or filled, its code was still readable."""
    from referee.mail.incoming.marks import cut

    blocks = [block for name in ORDINARY for block in letter(name).blocks]
    codes = {box.code for block in blocks for box in cut(block).boxes}
    assert codes == {"K7PQM2XD", "ZZZZ0001"}


def test_what_is_read_can_be_stored() -> None:
    """Nothing that comes out of any letter holds a NUL or a character that cannot be stored."""
    for name in EXPECTED:
        found = letter(name)
        texts = [found.subject, *found.blocks, *found.senders, *found.recipients, *found.problems]
        texts += [found.message_id or "", found.in_reply_to or "", *found.references]
        assert all("\0" not in text and text.encode("utf-8") is not None for text in texts), name


def test_the_hostile_letters_are_many() -> None:
    """A third of the letters is hostile or comes from robots."""
    assert len(HOSTILE) >= 80
