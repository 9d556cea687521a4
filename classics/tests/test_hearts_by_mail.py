"""A deal of hearts played by answering mails, the passes hidden until all have passed."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from referee_classics.hearts import GAME
from support.clicking import packed_in, page_of
from support.club import Club, Mail, open_club

from referee.desk.archive import record as archive
from referee.desk.matches import ledger

NAME = "hearts-1"


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """Return a club in which a match of a single deal has begun."""
    club = open_club(tmp_path)
    seats = (f"{seat}={address(seat)}" for seat in GAME.colours)
    club.new_match("hearts", *seats, options=["target=1"])
    club.work()
    return club


def address(seat: str) -> str:
    """Return a player's address."""
    return f"{seat}@example.test"


def position(club: Club) -> Any:
    """Return the position of the match."""
    with club.desk.reading() as change:
        return ledger.load_match(change, club.match(NAME)).live.position


class Players:
    """Four players who answer their latest mail."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.all: dict[str, list[Mail]] = {seat: [] for seat in GAME.colours}
        self.read()

    def read(self) -> None:
        """Fetch everybody's mails."""
        for seat in GAME.colours:
            self.all[seat] += self.club.mails(address(seat))

    def answer(self, seat: str, text: str) -> None:
        """Answer the latest report with a line."""
        report = next(mail for mail in reversed(self.all[seat]) if mail.kind == "report")
        self.club.answer(report, text, address(seat))
        self.club.work()
        self.read()


def hand(club: Club, seat: str) -> list[str]:
    """Return a seat's hand."""
    document: Any = GAME.view(position(club), seat).document
    return list(document["hand"])


def test_a_deal_is_played_to_its_end_and_its_record_holds(club: Club) -> None:
    """Card by card, each written as its player likes; every draw of the deal is recomputed."""
    players, rng = Players(club), Random(6)
    for seat in GAME.colours:
        players.answer(seat, f"pass {', '.join(hand(club, seat)[:3])}")
    while (seat := GAME.to_act(position(club))) is not None:
        order = rng.choice(list(GAME.orders(position(club))))
        players.answer(seat, GAME.format(order, rng.choice(["en", "de"])))
    assert club.match(NAME).state == "over"
    last = players.all["north"][-1].flat
    assert "Whoever has fewest wins" in last
    assert ": it was the only legal move." in last
    told = last.partition("Standings: ")[2].partition(".")[0]
    totals = [int(standing.split()[1]) for standing in told.split(", ")]
    assert totals == sorted(GAME.points(position(club)).values())
    with club.desk.store.reading() as connection:
        lines = archive.record_bytes(connection, club.match(NAME)).splitlines()
    verdict = archive.verify_and_compare(lines, None).verdict
    assert verdict.ok, verdict.message
    assert verdict.draws == 52


def test_nobody_is_mailed_what_another_passed_before_all_have(club: Club) -> None:
    """Others read that three cards were passed; the one who gets them sees them at the end."""
    players = Players(club)
    passed = hand(club, "north")[:3]
    players.answer("north", f"pass {' '.join(passed)}")
    told = players.all["east"][-1]
    assert "passed three cards to East" in told.flat
    sign = GAME.format(GAME.parse(passed[0], "en"), "en")
    assert all(sign not in mail.text for mail in players.all["east"])
    for seat in GAME.colours[1:]:
        players.answer(seat, f"pass {' '.join(hand(club, seat)[:3])}")
    assert any(f"North passed you {sign}" in mail.flat for mail in players.all["east"])


def test_a_pass_can_be_taken_back_until_all_have_passed(club: Club) -> None:
    """Whoever passed learnt nothing by it, so the others are asked."""
    players = Players(club)
    players.answer("north", f"pass {' '.join(hand(club, 'north')[:3])}")
    players.answer("north", "undo")
    assert any("take back" in mail.flat for mail in players.all["south"])


def test_a_german_player_finds_letters_and_seats_of_their_own(club: Club) -> None:
    """On the table, in the hand, in orders and on the page, where every card can be clicked."""
    players = Players(club)
    players.answer("north", "set language de")
    for seat in GAME.colours:
        players.answer(seat, f"pass {', '.join(hand(club, seat)[:3])}")
    while (seat := GAME.to_act(position(club))) != "north":
        players.answer(seat, GAME.format(GAME.orders(position(club))[0], "en"))
    mail = players.all["north"][-1]
    assert "\n West " in mail.text
    assert " Ost " in mail.text
    page = page_of(mail)
    assert page is not None
    turn = packed_in(page.decode(), "turn")
    orders = [GAME.format(order, "de") for order in GAME.orders(position(club))]
    assert turn["paths"].split("\n") == [f"Zug {order}" for order in orders]
    assert [space[0] for space in turn["spaces"]] == orders
    assert "Nord" in turn["board"]


def test_three_cards_are_clicked_in_any_sequence(club: Club) -> None:
    """The page knows that their sequence means nothing."""
    page = page_of(Players(club).all["north"][-1])
    assert page is not None
    turn = packed_in(page.decode(), "turn")
    assert turn["loose"] == {"pass 4": "abbb"}
    held = {GAME.format(GAME.parse(card, "en"), "en") for card in hand(club, "north")}
    assert {space[0] for space in turn["spaces"]} == held


@pytest.mark.parametrize("line", ["{}", "pass {}", "ich schiebe {}"])
def test_three_cards_in_three_lines_are_passed_together(club: Club, line: str) -> None:
    players = Players(club)
    players.answer("north", "\n".join(map(line.format, hand(club, "north")[:3])))
    assert len(hand(club, "north")) == 10


@pytest.mark.parametrize("count", [2, 4])
def test_fewer_or_more_cards_in_lines_are_answered_with_how_it_is_done(
    club: Club, count: int
) -> None:
    """Nothing is passed by halves, and none of four is left out."""
    players = Players(club)
    players.answer("north", "\n".join(hand(club, "north")[:count]))
    assert "all in one line" in players.all["north"][-1].flat
    assert len(hand(club, "north")) == 13


@pytest.mark.parametrize(
    "text",
    ["Hi all, here are my three: {}. Have fun!", "Hier sind meine drei Karten: {}. Gruß Nora"],
)
def test_three_cards_among_greetings_are_passed_or_asked_about(club: Club, text: str) -> None:
    """Their number is no card."""
    players = Players(club)
    held = hand(club, "north")[:3]
    players.answer("north", text.format(", ".join(held)))
    told = players.all["north"][-1].flat
    sign = GAME.format(GAME.parse(f"pass {' '.join(held)}", "en"), "en")
    assert len(hand(club, "north")) == 10 or f"“yes” plays “{sign}”" in told
