"""The bounds that pages promise are those the program has."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import fields
from support import pages

from referee.desk.desk import Desk
from referee.desk.letters import intake, strangers
from referee.desk.letters.commands import message, settings
from referee.desk.letters.words import keywords
from referee.desk.matches import standing_orders
from referee.desk.matches.time import stoppages

pytestmark = pytest.mark.fast

SECURITY, PLAYERS = "docs/security.md", "docs/players.md"
NUMBERS = {
    "three": 3, "five": 5, "ten": 10, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "hundred": 100, "two hundred": 200,
}  # fmt: skip
USUAL = {field.name: field.default for field in fields(Desk)}

BOUNDS = [
    (SECURITY, "own letters get {} answers an hour and {} a day", USUAL["answers"]),
    (SECURITY, "are answered {} times an hour and {} times a day", USUAL["unproved"]),
    (SECURITY, "one fixed mail per address and day, {} a day in all", (strangers.MOST_A_DAY,)),
    (SECURITY, "at most {} kB are fetched", (intake.STRANGERS_BYTES // 1024,)),
    (SECURITY, "Only the headers are kept, at most {} kB", (intake.KEPT_BYTES // 1024,)),
    (SECURITY, "proves no sender the first {} kB are kept", (intake.KEPT_BYTES // 1024,)),
    (SECURITY, "A player can ask for {} new addresses a day", (settings.MOST_NEW_ADDRESSES,)),
    (
        SECURITY,
        "can write a {} messages and {} notes a day in its match",
        (message.MOST_A_DAY, message.MOST_NOTES_A_DAY),
    ),
    (
        SECURITY,
        "can give a {} orders in advance a day, of which {} can wait at once",
        (standing_orders.MOST_A_DAY, standing_orders.MOST_WAITING),
    ),
    (SECURITY, "After {} bounces in a match's time", (stoppages.MOST_BOUNCES,)),
    (PLAYERS, "more than {} answers to you within an hour, or {} a day", USUAL["answers"]),
    (PLAYERS, "after {} an hour or {} a day, for mails that answer none", USUAL["unproved"]),
    (PLAYERS, "A message has at most {} characters", (keywords.MOST_MESSAGE,)),
    (PLAYERS, "A note has at most {} characters", (keywords.MOST_NOTE,)),
    (PLAYERS, "`luck seven ravens`, at most {} characters", (keywords.MOST_LUCK,)),
]


@pytest.mark.parametrize(("page", "sentence", "bounds"), BOUNDS)
def test_a_number_on_a_page_is_the_bound(page: str, sentence: str, bounds: tuple[int, ...]) -> None:
    """In figures or in words."""
    pattern = re.escape(sentence).replace(r"\{\}", r"([\d,]+|two\ hundred|\w+)")
    (told,) = re.finditer(pattern, " ".join(pages.read(page).split()))
    assert [number_of(each) for each in told.groups()] == [*bounds]


def number_of(word: str) -> int:
    """Return the number that figures or a word say."""
    return NUMBERS.get(word) or int(word.replace(",", ""))
