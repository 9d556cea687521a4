"""Oh hell: bids, trumps, exact tricks, and a card less in every deal."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest
from referee_classics.classic import Move, Position
from referee_classics.ohhell import GAME
from support import lines

from referee.games.game import BadDocument, Unreadable
from referee.games.play import random_play

pytestmark = pytest.mark.fast

SEATS = ("red", "blue", "green")


def dealt(*cards: str, start: str = "1 0 0 0", most: int = 2) -> Position:
    """Return a deal for three; the last card is turned up, and red bids first."""
    moves = [f"deal {card}" for card in cards]
    options = {"cards": most}
    return GAME.load(
        {"game": "ohhell", "seats": [*SEATS], "options": options, "start": start, "moves": moves}
    )


def play(position: Position, *told: str) -> Position:
    """Return the position after lines."""
    return lines.play(GAME, position, *told)[0]


code = partial(lines.code, GAME)


TWO = ("AS", "2S", "3H", "KD", "QD", "2H", "9H")


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("bid 2", "bid 2"), ("ansage 2", "bid 2"), ("ich sage 2 an", "bid 2"),
        ("2 tricks", "bid 2"), ("2", "bid 2"), ("I bid two", "bid 2"), ("my bid is 1", "bid 1"),
        ("Bid: 2", "bid 2"), ("biete drei", "bid 3"),
        ("nil tricks", "bid 0"), ("Einen Stich", "bid 1"),
        ("ein Stich", "bid 1"), ("a trick", "bid 1"),
        ("keinen", "bid 0"), ("kein Stich", "bid 0"), ("keine", "bid 0"), ("none", "bid 0"),
        ("no tricks", "bid 0"), ("I go for three", "bid 3"), ("Ich mache drei", "bid 3"),
        ("I'll go for one trick", "bid 1"),
        ("0 Stiche", "bid 0"), ("QS", "QS"), ("spiele Pik Dame", "QS"),
    ],
)  # fmt: skip
def test_bids_and_cards_are_read_in_either_language(line: str, move: str) -> None:
    """A bid is its number, perhaps with a word beside it."""
    assert GAME.parse(line, "en") == GAME.parse(line, "de") == Move(move)


@pytest.mark.parametrize("line", ["ok", "bid", "bid high", "two", "Ich mache einen", "I go for a"])
def test_talk_is_no_order(line: str) -> None:
    """Nor is a number alone in words."""
    with pytest.raises(Unreadable):
        GAME.parse(line, "en")


def test_everybody_bids_before_a_card_is_played() -> None:
    """The dealer bids last, and not so that all could be right."""
    position = dealt(*TWO)
    assert GAME.to_act(position) == "red"
    assert code(position, "AS") == "bid-first"
    assert code(position, "bid 3") == "bid-high"
    position = play(position, "bid 1", "bid 0")
    assert code(position, "bid 1") == "bid-sum"
    position = play(position, "bid 2")
    assert code(position, "bid 1") == "bid-already"


def test_suit_is_followed_and_trump_takes_the_trick() -> None:
    """Hearts are trump here; green has none of the spades that are led."""
    position = play(dealt(*TWO), "bid 1", "bid 0", "bid 2", "AS")
    assert code(position, "QD") == "follow-suit"
    assert code(position, "KC") == "not-held"
    position = play(position, "2S", "3H")
    assert GAME.to_act(position) == "green"


def test_just_as_many_tricks_as_bid_are_ten_points_more() -> None:
    """And the next deal has a card less, with another dealer."""
    position = play(dealt(*TWO), "bid 1", "bid 0", "bid 2", "AS", "2S", "3H", "2H", "KD", "QD")
    assert dict(GAME.points(position)) == {"red": 0, "blue": 10, "green": 12}
    assert position.start == "2 0 10 12"
    view: Any = GAME.view(position, None).document
    assert (view["cards"], view["dealer"]) == (1, "red")


def test_most_points_win_after_the_deal_of_one_card() -> None:
    """Equal ones share their place."""
    position = dealt("AS", "2S", "3C", "9H", start="1 5 5 0", most=1)
    position = play(position, "bid 1", "bid 0", "bid 1", "AS", "2S", "3C")
    result = GAME.result(position)
    assert result is not None
    assert dict(result.points) == {"red": 16, "blue": 15, "green": 0}
    assert dict(result.places) == {"red": 1, "blue": 2, "green": 3}


def test_more_cards_than_there_are_cannot_be_dealt() -> None:
    """Nor is there a deal after the last one."""
    with pytest.raises(ValueError, match="too many"):
        GAME.start(GAME.colours, {"cards": 8})
    with pytest.raises(BadDocument):
        GAME.load({"game": "ohhell", "seats": [*GAME.colours], "options": {"cards": 8}})
    with pytest.raises(BadDocument):
        dealt(start="3 0 0 0")


@pytest.mark.parametrize("players", [3, 7])
def test_a_deal_redealt_for_a_seat_can_be_played(players: int) -> None:
    """Whoever did not follow suit gets none of it."""
    rng, seats, changed = Random(players), GAME.colours[:players], 0
    for step in random_play(GAME, GAME.start(seats, {"cards": 3}), rng):
        for seat in (*seats, None):
            other = GAME.redeal(step.after, seat, rng)
            assert GAME.to_act(other) == GAME.to_act(step.after)
            assert GAME.view(other, seat) == GAME.view(step.after, seat)
            changed += other != step.after
    assert changed > 100
