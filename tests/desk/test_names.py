"""What players may be called: nobody takes another's name, the referee's, or that of a seat."""

from __future__ import annotations

import pytest
from support.club import ALICE, BOB, Club, letter

from referee.desk import names
from referee.desk import players as desk_players
from referee.desk.mails import settings
from referee.render.common import NAME_LENGTH
from referee.store.people import players


def added(club: Club, address: str, name: str | None = None) -> str:
    """Add a player and return what they are called."""
    with club.desk.writing() as change:
        return desk_players.add_player(
            change, address, name=name, language="en", zone=None, format="html"
        ).name


OURS = (
    "The organiser", "organiser", "Referee", "the  REFEREE", "Der Veranstalter", "referee (bob)",
    "Schiedsrichter", "Rеferee", "ref\u200beree", "Red", "red", "Rot", "GRÜN", "Вlue", "chance",
    "Zufall", "nobody", "niemand", "all", "alle", "You", "you!", "Du", "Everybody", "Neutral",
    "Game master", "Spielleiter", "the game-master", "admin", "Admin Bob", "R e d", "re feree Bob",
    "Red 2", "Nord", "nord-1", "Nord 12", "turn", "Zug 3", "withdraw", "Zurückziehen",
    "bot greedy", "bot:greedy", "Bot", "open", "declined: Bob", "not answered: Bob", "Red (Bob)",
    "resign", "Kapituliere", "Resign. Bob", "pass. Alice", "1. pass! Alice",
    "Referee2", "Admin1", "Bob Admin1",
)  # fmt: skip
"""Words of the mails, with letters of another script, a blank, a number or a sentence."""

FREE = (
    "Red Baron", "Rote Zora", "Alberta", "Chancey", "Ilia", "Оля", "Ρέα", "Allie", "Lia",
    "Grace", "Will", "Mark", "Du Fu", "Alice 2", "anna-7", "Nordine", "Fred",
    "A. Miller", "Dr. Fred", "Anna (Berlin)", "Robot", "Opener",
)  # fmt: skip


@pytest.mark.parametrize("name", OURS)
def test_our_own_words_are_nobodys_name(club: Club, name: str) -> None:
    """Neither the player nor the organiser can give it, and both are told why."""
    added(club, ALICE)
    club.put(letter(ALICE, f"set name {name}"))
    text = club.last(ALICE).flat
    assert "mails have another use for it" in text
    with club.desk.writing() as change:
        alice = players.by_address(change.connection, ALICE)
        assert alice is not None
        with pytest.raises(desk_players.BadPlayer, match="mails have another use for this word"):
            settings.change_player(change, alice, "name", name)
    with pytest.raises(desk_players.BadPlayer, match="mails have another use for this word"):
        added(club, BOB, name)


def test_a_name_of_many_sentences_is_soon_looked_at() -> None:
    """Only its first one could play if a line of ours came back."""
    assert not names.is_reserved("Hello there. " * 30)


@pytest.mark.parametrize(
    "name", ["I resign", "Foo. I resign. Bar", "Gut, ich gebe auf", "How about a draw, Bob"]
)
def test_no_name_says_what_would_be_a_command_if_a_mail_came_back(name: str) -> None:
    """Wherever it says that: a part of a sentence may resign."""
    assert names.is_reserved(name)


@pytest.mark.parametrize("name", FREE)
def test_other_names_are_free(name: str) -> None:
    """A colour within a name, or another script, is no matter."""
    assert not names.is_reserved(name)


@pytest.mark.parametrize(
    "name",
    ["аlice", "AIice", "a1ice", "ALІCЕ", "al\u200bice", "ａｌｉｃｅ", "ɑlice", "al ice", "A l ice"],
)
def test_names_that_look_the_same_are_the_same(club: Club, name: str) -> None:
    """Letters of other scripts, digits, blanks and signs that do not show make no other name."""
    added(club, ALICE, "alice")
    with pytest.raises(desk_players.BadPlayer, match="looks the same"):
        added(club, BOB, name)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("red@example.test", "player"),
        ("referee@example.org", "player"),
        ("alice@example.org", "alice 2"),
        ("ALlCE@example.org", "allce"),
    ],
)
def test_a_player_is_called_after_the_address_unless_that_is_no_name(
    club: Club, address: str, name: str
) -> None:
    """Whoever would be called like a seat or the referee is a player, with a number if need be."""
    added(club, ALICE, "alice")
    assert added(club, address).casefold() == name
    if name == "player":
        assert added(club, f"the.{address}") != "player"


def test_names_made_from_addresses_are_no_longer_than_others(club: Club) -> None:
    """They are cut, and so is one that needs a number."""
    local = "anna-" * 12 + "anna"
    first, second = added(club, f"{local}@example.test"), added(club, f"{local}@example.org")
    assert (len(first), len(second)) == (NAME_LENGTH, NAME_LENGTH)
    assert (first[:30], second[:30], second[-2:]) == (local[:30], local[:30], " 2")
