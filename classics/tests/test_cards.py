"""Cards as their players write them, and talk that names none."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from referee_classics.cards import PACK, exchange, in_order, read_cards, write_card
from support.club import open_club

from referee.desk.matches import ledger
from referee.games.registry import find_installed
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

QUEEN = (
    "QS", "qs", "Q♠", "♠Q", "♠ Q", "♠️Q", "Q ♠", "queen of spades", "the Queen of Spades",
    "Queen spades", "spade queen", "Q of spades", "Pik Dame", "Pik-Dame", "pikdame", "♠D", "D♠",
    "Pik D", "die Pik Dame",
)  # fmt: skip
TEN = ("10H", "TH", "10h", "♥10", "10 ♥", "H10", "ten of hearts", "Herz 10", "Herz Zehn", "Herz-10")
TALK = (
    "ha", "ok", "no", "so", "a heart", "a club", "kings", "aces", "hearts", "queen",
    "tens", "10", "Q", "♠", "queen and ace", "a and b", "hearts and 2",
    "QS please", "is QS good", "Herz Dame nehme ich", "11H", "1S", "ZS",
)  # fmt: skip


@pytest.mark.parametrize("text", QUEEN)
def test_the_queen_of_spades_is_read_in_every_usual_spelling(text: str) -> None:
    """Letters, signs and words, English and German, suit or rank first."""
    assert read_cards(text) == ("QS",)


@pytest.mark.parametrize("text", TEN)
def test_the_ten_of_hearts_is_a_number_or_a_letter(text: str) -> None:
    """It is the one card whose rank has two digits."""
    assert read_cards(text) == ("TH",)


@pytest.mark.parametrize("text", TALK)
def test_talk_names_no_card(text: str) -> None:
    """A line is cards from its first to its last word, or none at all."""
    assert read_cards(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "QS KH 2C", "qs, kh, 2c", "Q♠ K♥ 2♣", "♠Q ♥K ♣2", "QS, KH and 2C",
        "Pik Dame, Herz König und Kreuz Zwei",
        "the queen of spades, the king of hearts and the two of clubs", "QS/KH/2C",
    ],
)  # fmt: skip
def test_several_cards_stand_in_one_line(text: str) -> None:
    """With or without commas and the word before the last."""
    assert read_cards(text) == ("QS", "KH", "2C")


@pytest.mark.parametrize(
    "text",
    [
        "the ace and king of spades and the ace of hearts",
        "ace, king of spades & ace of hearts",
        "Pik Ass und König, Herz Ass",
        "Pik-Ass, König und Herz-Ass",
    ],
)  # fmt: skip
def test_a_suit_may_be_named_once_for_several_cards(text: str) -> None:
    """In English behind the last of them, in German before the first."""
    assert read_cards(text) == ("AS", "KS", "AH")


@pytest.mark.parametrize(
    "text",
    [
        "queen and ten of spades, ace of hearts", "♠ Q 10 ♥ A", "♠ Q, 10, ♥ A",
        "Pik Dame, Zehn und Herz Ass", "Pik D 10, Herz A", "Q10 of spades, ace of hearts",
        "♠Q10 ♥A", "Q10♠ A♥", "Q♠10♠A♥",
    ],
)  # fmt: skip
def test_a_suit_is_said_once_for_several_ranks(text: str) -> None:
    """As people say it, and as hands are printed."""
    assert read_cards(text) == ("QS", "TS", "AH")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("card", PACK)
def test_every_card_is_read_as_it_is_written(card: str, language: str) -> None:
    """Its sign stands in mails, its letters in documents."""
    assert read_cards(write_card(card, language)) == read_cards(card) == (card,)


def test_a_hand_is_sorted_by_suits_and_from_the_ace_down() -> None:
    """Black and red in turn."""
    assert in_order(["2D", "AH", "TS", "JS", "KC"]) == ["JS", "TS", "AH", "KC", "2D"]


def test_every_deal_that_the_play_allows_may_be_dealt_anew() -> None:
    """Here no two may exchange their cards, but all three may pass theirs on."""
    holders, never = {"AH": 0, "AC": 1, "AS": 2}, [{"AS"}, {"AH"}, {"AC"}]
    found = {tuple(exchange(holders, never, Random(seed)).values()) for seed in range(50)}
    assert found == {(0, 1, 2), (2, 0, 1)}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", ["hearts", "euchre", "ohhell", "ginrummy"])
def test_who_hears_their_mails_is_told_cards_in_words(
    tmp_path: Path, name: str, language: str
) -> None:
    """Hand, deal, tricks and what was played: “queen of spades”, and no sign of a suit."""
    club, rng, game = open_club(tmp_path), Random(4), find_installed(name)
    people = {seat: f"{seat}@example.test" for seat in game.colours[: game.seats[0]]}
    club.new_match(name, *(f"{seat}={address}" for seat, address in people.items()))
    club.work()
    last = {address: club.last(address) for address in people.values()}
    for address, mail in last.items():
        club.answer(mail, f"set format spoken\nset language {language}", address)
        club.mails(address)
    for _ in range(14):
        with club.desk.reading() as change:
            live = ledger.load_match(change, club.match(f"{name}-1")).live
        mover = people[str(live.to_act)]
        order = rng.choice(live.game.orders(live.position))
        club.answer(last[mover], live.game.format(order, "en"), mover)
        club.work()
        for address in people.values():
            for mail in club.mails(address):
                last[address] = mail
                # A ten is no number of cards.
                assert not re.search(r"[♠♥♦♣]|\(10\)", mail.text)
                assert max(map(len, mail.text.splitlines())) <= 72
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match(f"{name}-1")).live
    mover, wording = people[str(live.to_act)], Wording(live.game, language)
    (secret,) = live.scene(live.to_act).secrets
    held = [wording.word("mark", card.mark.word) for card in secret.cards if card.mark]
    assert held
    assert all(card in last[mover].flat for card in held)
    club.desk.store.close()
