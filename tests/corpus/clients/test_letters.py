"""Answers of people and their mail programs are understood as they were meant."""

import pytest
from support.corpus import EXPECTED, LETTERS, ORDINARY, check, letter, outline, raw

from referee.mail.incoming.marks import cut

pytestmark = pytest.mark.fast

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

IN_A_THREAD = [name for name in ORDINARY if b"<turn14@example.test>" in raw(name)]


@pytest.mark.parametrize("name", LETTERS["clients"])
def test_an_answer_says_what_its_writer_meant(name: str) -> None:
    """Its lines, boxes, orders and commands are theirs, however the program dressed them."""
    check(name)


@pytest.mark.parametrize("client", CLIENTS)
def test_each_client_answers_in_both_languages(client: str) -> None:
    """Each of them is there in English and in German, in several shapes."""
    own = [name for name in LETTERS["clients"] if name.startswith(CLIENTS[client])]
    assert {EXPECTED[name]["language"] for name in own} >= {"en", "de"}
    assert len({outline(name) for name in own}) == len(own)


@pytest.mark.parametrize("name", IN_A_THREAD)
def test_answers_name_what_they_answer(name: str) -> None:
    """The thread of an ordinary answer leads back to the mail it answers."""
    assert letter(name).in_reply_to == "<turn14@example.test>"


def test_every_box_keeps_its_code() -> None:
    """Wherever a box was found, empty or filled, its code was still readable."""
    blocks = [block for name in ORDINARY for block in letter(name).blocks]
    codes = {box.code for block in blocks for box in cut(block).boxes}
    assert codes == {"K7PQM2XD", "ZZZZ0001"}
