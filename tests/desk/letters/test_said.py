"""Words that people write in place of ours."""

from __future__ import annotations

import pytest
from support.club import Club

pytestmark = pytest.mark.fast

ALICE, BOB = "alice@example.test", "bob@example.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")


@pytest.mark.parametrize(
    "text",
    [
        "I agree!", "Sure!", "I'm in", "Count me in", "Yes, gladly!", "Yes please :-)",
        "Agreed, looking forward to it!", "ok, let's play", "Of course!", "With pleasure.",
        "Hi, yes!", "Absolutely", "Yep", "Sounds good!", "I accept",
        "Ja, gerne!", "Einverstanden!", "Klar!", "Ich bin dabei", "Ja, ich spiele mit",
        "Bin dabei!", "Na klar, gern", "Auf jeden Fall!", "ok, los geht's",
    ],
)  # fmt: skip
def test_a_yes_in_ones_own_words_accepts_an_invitation(club: Club, text: str) -> None:
    """Short, as the first sentence."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.work()
    club.answer(club.last(ALICE, "invitation"), text, ALICE)
    assert "You have agreed to play." in " ".join(club.last(ALICE).text.split())
