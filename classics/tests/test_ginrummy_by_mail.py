"""A deal of gin rummy played by answering mails, to a knock and its points."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from referee_classics.ginrummy import GAME
from referee_classics.ginrummy.melds import best
from support.club import ALICE, BOB, Club, Mail, open_club

from referee.desk.archive import record as archive
from referee.desk.matches import ledger

NAME = "ginrummy-1"
SEATS = {"red": ALICE, "blue": BOB}


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """Return a club in which a match of a single deal has begun."""
    club = open_club(tmp_path)
    club.new_match("ginrummy", f"red={ALICE}", f"blue={BOB}", options=["deals=1"])
    club.work()
    return club


def position(club: Club) -> Any:
    """Return the position of the match."""
    with club.desk.reading() as change:
        return ledger.load_match(change, club.match(NAME)).live.position


def lightest(club: Club) -> str:
    """Return the discard that leaves the seat to act with least outside melds, as it is said."""
    legal = [order.move for order in GAME.orders(position(club))]
    if knocks := [move for move in legal if move.startswith("knock ")]:
        return knocks[0].replace("knock", "I knock with")
    deal = GAME.deal(position(club))
    cards = [move for move in legal if len(move) == 2]
    return f"discard {min(cards, key=lambda c: best(deal.hands[deal.player] - {c}).deadwood)}"


class Players:
    """Two players who answer their newest mail, whatever it is."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.all: dict[str, list[Mail]] = {seat: [] for seat in SEATS}
        self.read()

    def read(self) -> None:
        """Fetch everybody's mails."""
        for seat, address in SEATS.items():
            self.all[seat] += self.club.mails(address)

    def answer(self, seat: str, text: str) -> None:
        """Answer the newest mail with a line."""
        self.club.answer(self.all[seat][-1], text, SEATS[seat])
        self.club.work()
        self.read()


def test_a_deal_is_played_to_a_knock_and_its_record_holds(club: Club) -> None:
    """Both are told both hands; every draw is recomputed."""
    players = Players(club)
    while (seat := GAME.to_act(position(club))) is not None:
        stage = GAME.deal(position(club)).stage
        lines = {"upcard": "I pass", "draw": "I draw from the stock", "wall": "pass"}
        players.answer(seat, lines.get(stage) or lightest(club))
    deal = GAME.deal(position(club))
    assert deal.knocker is not None
    for seat in SEATS:
        told = players.all[seat][-1].flat
        assert "and knocked. Melds: " in told
        assert "laid down" in told
        assert "All the deals agreed have been played" in told
    with club.desk.store.reading() as connection:
        lines_of_record = archive.record_bytes(connection, club.match(NAME)).splitlines()
    verdict = archive.verify_and_compare(lines_of_record, None).verdict
    assert verdict.ok, verdict.message
    assert verdict.draws == 52 - deal.stock


def test_a_turn_stands_in_one_line(club: Club) -> None:
    """As it is said."""
    players = Players(club)
    hand = GAME.deal(position(club)).hands[0]
    players.answer("red", f"I take it and discard {min(hand)}")
    assert "Red (alice) took" in players.all["blue"][-1].flat
    assert GAME.to_act(position(club)) == "blue"


def test_a_yes_that_is_nearly_a_pass_takes_no_card(club: Club) -> None:
    """“Passt” is a German yes, and beside “passe” anybody's guess."""
    players = Players(club)
    before = position(club)
    players.answer("red", "Passt.")
    assert position(club).moves == before.moves


def test_a_card_and_a_knock_on_lines_of_their_own_are_a_knock(club: Club) -> None:
    """In either sequence; and “take it” above a card takes what lies there."""
    players = Players(club)
    hand = GAME.deal(position(club)).hands[0]
    players.answer("red", f"please take it\n{min(hand)}")
    assert GAME.to_act(position(club)) == "blue"
    players.answer("blue", "please draw")
    assert GAME.deal(position(club)).stage == "discard"
    held = min(GAME.deal(position(club)).hands[1])
    players.answer("blue", f"{held}\nknock")
    refusal = players.all["blue"][-1].flat
    assert "You cannot knock with" in refusal
    # The card alone would be discarded.
    assert "corrected" not in refusal
    players.answer("blue", held)
    assert GAME.to_act(position(club)) == "red"


def test_a_preview_of_a_knock_tells_nothing_of_the_other_hand(club: Club) -> None:
    """Or one would know before whether it is undercut."""
    players = Players(club)
    lines = {"upcard": "pass", "draw": "draw", "wall": "pass"}
    while (stage := GAME.deal(position(club)).stage) in lines or "knock" not in lightest(club):
        players.answer(str(GAME.to_act(position(club))), lines.get(stage) or lightest(club))
    seat = str(GAME.to_act(position(club)))
    deal = GAME.deal(position(club))
    players.answer(seat, f"preview\n{lightest(club)}")
    told = players.all[seat][-1]
    other = {GAME.to_text(card, "en") for card in deal.hands[1 - deal.player]}
    assert "Left over" not in told.flat
    assert "scores" not in told.flat
    assert not [card for card in other if card in told.text.partition("Your hand")[0]]


def test_the_other_is_not_mailed_which_card_was_drawn(club: Club) -> None:
    """Nor what else is in the hand of the one who drew it."""
    players = Players(club)
    for seat in SEATS:
        players.answer(seat, "pass")
    secret = {GAME.to_text(card, "en") for card in GAME.deal(position(club)).hands[0]}
    told = players.all["blue"]
    assert "Red (alice) drew a card." in told[-1].flat
    assert not [card for card in secret for mail in told if card in mail.flat]
