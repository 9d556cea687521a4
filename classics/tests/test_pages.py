"""Mails of these games, and the pages on which their moves are clicked together."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.clicking import packed_in, page_of
from support.club import Club, Mail, open_club

from referee.games.registry import find_installed


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """Return a club without matches."""
    return open_club(tmp_path)


def begun(club: Club, game: str, *, seats: int = 2) -> Mail:
    """Begin a match; return the report of whoever is to act."""
    colours = find_installed(game).colours[:seats]
    row = club.new_match(game, *(f"{colour}={colour}@example.test" for colour in colours))
    club.work()
    return club.last(f"{club.match(row.name).to_act}@example.test", "report")


def turn_in(mail: Mail) -> dict[str, Any]:
    """Return the turn in the page of a mail."""
    page = page_of(mail)
    assert page is not None
    turn: dict[str, Any] = packed_in(page.decode(), "turn")
    return turn


def test_every_amazon_can_be_clicked_at_the_start(club: Club) -> None:
    """The page holds all of the most moves that a game begins with, in a mail of modest size."""
    mail = begun(club, "amazons")
    turn = turn_in(mail)
    assert len(turn["orders"].split("\n")) == turn["count"] == mail.turn_file["legal_count"] == 2176
    assert {path.split()[1] for path in turn["paths"].split("\n")} == {"a4", "d1", "g1", "j4"}
    assert len(mail.message.as_bytes()) < 80_000


def test_a_table_for_cards_tells_the_deal_and_everybodys_bids(club: Club) -> None:
    """The player to bid sees the card turned up, the dealer and all the bids, as in the mail."""
    for game, seats in (("euchre", 4), ("ohhell", 3)):
        mail = begun(club, game, seats=seats)
        (deal, said), (players, _), *_ = turn_in(mail)["told"]
        assert (deal, players) == ("This deal", "Players")
        assert "is turned up" in said
        assert said in mail.flat


def test_an_order_of_several_words_is_one_button_where_nothing_in_it_is_to_choose(
    club: Club,
) -> None:
    """Whether a card that is turned up is wanted is one press, not one for each word."""
    for game, seats, order in (("euchre", 4, "order up"), ("ginrummy", 2, "take it")):
        turn = turn_in(begun(club, game, seats=seats))
        assert order in turn["orders"].split("\n")
        assert order.replace(" ", "\u00a0") in turn["paths"].split("\n")


def test_who_waits_at_a_table_for_cards_is_told_the_deal(club: Club) -> None:
    """Whoever may choose a card in advance has to know the trump, and sees it in both twins."""
    for game, seats in (("euchre", 4), ("ohhell", 3)):
        begun(club, game, seats=seats)
        row = club.match(f"{game}-1")
        waiting = next(seat for seat in find_installed(game).colours[:seats] if seat != row.to_act)
        mail = club.last(f"{waiting}@example.test", "report")
        assert mail.turn_file["to_act"] != waiting
        assert re.search(r"This deal: · Deal 1, .* is turned up", mail.flat)
        assert "<b>This deal:</b> Deal 1, " in mail.html
