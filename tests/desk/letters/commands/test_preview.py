"""Orders that are tried, in and out of turn."""

from __future__ import annotations

from typing import Any

import pytest
from support.club import ALICE, BOB, CAROL, SEATS, Club, Mail
from support.origo_club import begin_at, round_ends

from referee.store.play import matches

pytestmark = pytest.mark.fast


def begin(club: Club, game: str = "pebbles", **agreed: Any) -> Mail:
    """Begin a match; return alice's first report, which has left."""
    club.new_match(game, *SEATS, **agreed)
    club.work()
    return club.last(ALICE, "report")


def test_a_preview_out_of_turn_tries_the_board_as_it_stands(club: Club) -> None:
    """It says whose turn it is, plays nothing, and draws nothing."""
    begin(club)
    report = club.last(BOB, "report")
    before = club.match("pebbles-1")
    club.answer(report, "preview\npass", BOB)
    told = club.last(BOB, "answer").flat
    assert "These orders would be accepted if it were your turn. Nothing was played." in told
    assert "to play them" not in told
    assert "It is not your turn. They were tried as if it were" in told
    assert club.match("pebbles-1") == before


@pytest.mark.parametrize(
    ("order", "title"),
    [("pass", "The board as it would be"), ("put 9 A1", "The board")],
)
def test_a_preview_says_that_its_board_is_not_the_present_one(
    club: Club, order: str, title: str
) -> None:
    """Where nothing would be accepted, it is."""
    begin(club)
    club.answer(club.last(BOB, "report"), f"preview\n{order}", BOB)
    mail = club.last(BOB, "answer")
    assert f"{title}:" in mail.text.splitlines()
    assert f">{title}</" in mail.html


def test_a_preview_out_of_turn_refuses_what_the_rules_do(club: Club) -> None:
    """With the reason and with what could be written, as on one's own turn."""
    begin(club)
    club.answer(club.last(BOB, "report"), "preview\nput 9 A1", BOB)
    told = club.last(BOB, "answer").flat
    assert "put 9 A1" in told
    assert "would be refused: " in told
    assert "You could write: · put " in told


def test_a_queue_can_be_tried_out_of_turn(club: Club) -> None:
    """Nothing is queued by it."""
    begin(club)
    report = club.last(BOB, "report")
    club.answer(report, "preview\nqueue pass", BOB)
    assert "These orders would be accepted" in club.last(BOB, "answer").flat
    with club.desk.reading() as change:
        assert not matches.standing_orders_of(change.connection, club.match("pebbles-1").id)


def test_no_preview_goes_into_an_interrupted_turn(club: Club) -> None:
    """What could be done depends on the answer that is awaited."""
    report = begin(club)
    club.answer(report, "peek blue", ALICE)
    club.work()
    club.answer(report, "preview\npass", ALICE)
    assert "Nothing was tried: it is not your turn" in club.last(ALICE, "answer").flat


@pytest.mark.parametrize("game", ["nord", "origo"])
def test_the_games_can_be_tried_out_of_turn(club: Club, game: str) -> None:
    """Their documents say whose turn it is, so another one's can be imagined."""
    second = "green" if game == "nord" else "blue"
    club.new_match(game, f"red={ALICE}", f"{second}={BOB}")
    club.work()
    row = club.match(f"{game}-1")
    waits, acts = (ALICE, BOB) if row.to_act != "red" else (BOB, ALICE)
    line = club.last(acts, "report").turn_file["legal"][0]
    club.answer(club.last(waits, "report"), f"preview\n{line}", waits)
    told = club.last(waits, "answer").flat
    assert "tried as if it were" in told
    assert club.match(f"{game}-1").seq == row.seq


def test_a_receipt_words_a_queue_by_its_keyword(club: Club) -> None:
    """Words of courtesy before it are no part of the order."""
    report = begin(club)
    line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, f"then queue:\n{line}\nend\npass", ALICE)
    told = club.last(ALICE, "receipt").flat
    assert f"queue {line} — noted for later" in told
    assert "then" not in told.split("noted for later")[0]


@pytest.mark.parametrize("begun", [False, True])
def test_no_button_of_a_preview_ends_the_turn(club: Club, *, begun: bool) -> None:
    """It would end it without the orders that were tried; the box says how it is ended."""
    begin_at(club, round_ends({"red": 5, "blue": 8, "black": 2}, {"black": ["people", "row:C"]}))
    report = club.last(CAROL, "report")
    if begun:
        club.answer(report, "expand I6 with people", CAROL)
        report = club.last(CAROL, "receipt")
        assert any("done" in label for label in report.links)
    club.answer(report, "preview\nexpand C1 with row:C", CAROL)
    told = club.last(CAROL, "answer")
    assert "Nothing was played" in told.flat
    assert told.links
    assert not any("done" in label for label in told.links)


@pytest.mark.parametrize("queue", ["queue put 9 A1", "queue:\nput 1 Z1\nput 1 A1\nend"])
def test_a_queue_tried_in_turn_is_judged_and_not_corrected(club: Club, queue: str) -> None:
    """Sent corrected, what was meant for later would be played at once."""
    report = begin(club)
    club.answer(report, f"preview\n{queue}", ALICE)
    told = club.last(ALICE, "answer").flat
    assert "would be refused: " in told
    assert "You could write: · put 1 A1" in told
    assert "corrected" not in told
