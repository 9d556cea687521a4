"""Words for chance in the clear; their SHA-256 in their place is refused."""

from __future__ import annotations

from hashlib import sha256

import pytest
from support.club import ALICE, BOB, Club

from referee.desk.letters.words.keywords import read_commands
from referee.desk.overview.match import Invited, look_at_match
from referee.store.play import matches

SWANS = sha256(b"seven swans").hexdigest()


def invited(club: Club) -> str:
    """Invite Alice (red) and Bob (blue) to a match; return its name."""
    return club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False).name


def words(club: Club, name: str) -> dict[str, str]:
    """Return what was given for chance."""
    return club.match(name).words


def text(club: Club, who: str) -> str:
    """Return the last mail to somebody, on one line."""
    return club.last(who).flat


def test_later_words_replace_earlier_ones(club: Club) -> None:
    """Whoever gives some twice has the last ones counted."""
    name = invited(club)
    club.answer(club.last(ALICE), "luck seven swans", ALICE)
    club.answer(club.last(ALICE), "luck nine geese", ALICE)
    assert words(club, name) == {"red": "nine geese"}


def test_show_tells_whose_words_are_in_the_seed(club: Club) -> None:
    """For people and for programs, and not the words themselves."""
    name = invited(club)
    club.answer(club.last(ALICE), "luck seven swans", ALICE)
    with club.desk.reading() as change:
        shown = look_at_match(change, name, None, None)
        assert isinstance(shown, Invited)
        assert shown.document()["luck"] == ["red"]
        assert list(shown.chance())[1:] == ["words of luck: red"]


def test_an_agreement_below_words_that_fill_their_line_counts(club: Club) -> None:
    """It may stand above or below them, as the invitation shows both."""
    name = invited(club)
    given = "the wind over all the roofs of a town at sea, and seven swans above it"
    club.answer(club.last(ALICE, "invitation"), f"luck {given}\nagree", ALICE)
    with club.desk.store.reading() as connection:
        red = matches.find_seat(connection, club.match(name).id, "red")
    assert red is not None
    assert red.agreed == "yes"
    assert words(club, name) == {"red": given}


@pytest.mark.parametrize(
    "line",
    [
        f"luck sha256:{SWANS}", f"luck {SWANS}", f"luck SHA-256: {SWANS.upper()}",
        f"- luck {SWANS}  -", f"luck sha256:{SWANS[:-1]}", f"luck {SWANS[:-1]}",
        f"luck SHA-256 {SWANS}0", "luck sha256", f"luck\nsha256:{SWANS}", f"luck\n{SWANS}",
        f"luck sha256:\n{SWANS}", f"luck sha256:{SWANS[:52]}\n{SWANS[52:]}",
        f"luck {SWANS[:20]}\n{SWANS[20:40]}\n{SWANS[40:]}", f"Glück\nSHA256:\n{SWANS.upper()}",
        "luck", "luck: ravens",
    ],
)  # fmt: skip
def test_what_cannot_be_read_for_chance_keeps_a_match_from_beginning(club: Club, line: str) -> None:
    """Whoever agrees in that mail is asked for both again, in words."""
    name = invited(club)
    club.answer(club.last(BOB, "invitation"), "agree", BOB)
    invitation = club.last(ALICE, "invitation")
    club.answer(invitation, f"{line}\nagree", ALICE)
    answer = text(club, ALICE)
    assert "Nothing was done with this line of your mail" in answer
    assert "They are given in the clear; their SHA-256 cannot take their place" in answer
    assert "that was not done either" in answer
    assert answer.count("Nothing was done") == 1
    assert (club.match(name).state, words(club, name)) == ("invited", {})
    club.answer(invitation, "luck seven swans\nagree", ALICE)
    assert (club.match(name).state, words(club, name)) == ("running", {"red": "seven swans"})


def test_a_line_below_a_hash_is_none_of_its_digits() -> None:
    """However much it looks like one, be the hash whole or nothing but its name."""
    for line in (f"luck sha256:{SWANS}", f"luck sha256:{SWANS[:-1]}", "luck sha256"):
        for below in ("e7", "add"):
            assert read_commands([line, below])[1] == (0, 1)


def test_a_hash_is_answered_in_the_language_of_its_writer(club: Club) -> None:
    """In German as in English."""
    name = invited(club)
    invitation = club.last(ALICE, "invitation")
    club.answer(invitation, "set language de", ALICE)
    club.answer(invitation, f"glück sha256:{SWANS}", ALICE)
    assert "ihr SHA-256 kann sie nicht ersetzen" in text(club, ALICE)
    assert words(club, name) == {}


def test_a_hash_in_a_running_match_comes_too_late(club: Club) -> None:
    """Like words, as asking for some would be in vain."""
    name = invited(club)
    for who in (ALICE, BOB):
        club.answer(club.last(who, "invitation"), "agree", who)
    club.work()
    club.answer(club.last(ALICE, "report"), f"luck {SWANS}", ALICE)
    assert "words for the seed come too late" in text(club, ALICE)
    assert words(club, name) == {}


@pytest.mark.parametrize("given", ["seven swans", "abba", "sha256 is what I like", "fade to grey"])
def test_words_are_no_hash(club: Club, given: str) -> None:
    """Although digits of a hash, or its name, stand in them."""
    name = invited(club)
    club.answer(club.last(ALICE), f"luck {given}\ndecade", ALICE)
    assert words(club, name) == {"red": given}
