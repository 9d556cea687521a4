"""Words of luck: given plainly, or promised by their hash and told later."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.matches.luck import Luck, hash_in, hash_of_words

SWANS = hash_of_words("seven swans")
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)


def test_digest_is_that_of_the_usual_tools() -> None:
    """As `printf %s 'seven swans' | sha256sum` makes it."""
    code = "import hashlib; print(hashlib.sha256(b'seven swans').hexdigest())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == SWANS


@pytest.mark.parametrize(
    "text",
    [SWANS, f"sha256:{SWANS}", f"SHA-256: {SWANS.upper()}", f"sha256 {SWANS}  -", f"{SWANS} *-."],
)
def test_hash_is_known_however_it_is_written(text: str) -> None:
    """With or without a name, in any case, as the tools print it."""
    assert hash_in(text) == SWANS


@pytest.mark.parametrize("text", ["seven swans", SWANS[:-1], SWANS + "0", f"{SWANS} and more", ""])
def test_words_are_no_hash(text: str) -> None:
    """What is not just 64 hexadecimal digits is words."""
    assert hash_in(text) is None


@pytest.mark.parametrize(
    ("made_of", "arrived"),
    [
        ("seven swans", "  seven   swans "),
        ("it's", "it’s"),
        ("so - so", "so – so"),
        ("seven swans", '"seven swans"'),
        ("seven swans", "seven\u00a0swans"),
        ("Glück", "Glu\u0308ck"),
    ],
)
def test_words_a_mail_program_changed_are_known(made_of: str, arrived: str) -> None:
    """Blanks, quotes, dashes and composed letters; what counts is what the hash was made of."""
    told = Luck().given("red", hash_of_words(made_of)).told("red", arrived)
    assert told is not None
    assert told.words == {"red": made_of}
    assert told.fault() is None


@given(WORDS, WORDS)
def test_other_words_than_those_promised_are_refused(one: str, other: str) -> None:
    """Nothing is told by words whose hash is another, however they are spelt."""
    told = Luck().given("red", hash_of_words(one)).told("red", other)
    assert told is None or told.words == {"red": one}
    assert Luck({"red": other}, {"red": hash_of_words(one)}).fault() is None or one != other


@given(st.dictionaries(st.sampled_from("abc"), WORDS), st.sets(st.sampled_from("abcd")))
def test_what_is_given_is_kept_whole(words: dict[str, str], promised: set[str]) -> None:
    """As text and back."""
    luck = Luck(words, {each: hash_of_words(words.get(each, "x")) for each in promised})
    assert Luck.from_text(luck.to_text()) == luck


def test_later_words_replace_earlier_ones_until_they_are_asked_for() -> None:
    """A hash takes the place of words and words that of a hash; once asked a promise stays."""
    luck = Luck().given("red", "first").given("red", SWANS)
    assert (luck.words, luck.promised) == ({}, {"red": SWANS})
    assert luck.given("red", "plain") == Luck({"red": "plain"})
    told = luck.told("red", "seven swans")
    assert told is not None
    assert told.without("red", asked=True).pending == ("red",)
    assert told.without("red") == Luck()


def test_it_is_known_whether_all_words_were_promised() -> None:
    """Only then nobody could answer to another's words."""
    luck = Luck({"red": "seven swans"}, {"red": SWANS, "blue": SWANS})
    assert luck.all_promised
    assert luck.pending == ("blue",)
    assert not luck.given("green", "late").all_promised
    assert not Luck().all_promised
