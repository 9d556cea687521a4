"""Letters in games without keywords: what is a move, what is talk, what is asked back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.club import ALICE, BOB, Club, open_club


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Return a club in which alice, White, is to move."""
    club = open_club(tmp_path)
    club.new_match("chess", f"white={ALICE}", f"black={BOB}")
    club.work()
    yield club
    club.desk.store.close()


@pytest.mark.parametrize(
    "text",
    [
        "e4",
        "1. e4",
        "e2-e4",
        "Hi Bob,\n\nNf3\n\nCheers, Alice",
        "Hi Bob,\nI was out on the Nf3 road.\n\nNf3\n\nCheers",
        "Sf3",
        "My move: e4",
        "Nf3 good luck",
        "e4 please",
        "♘f3",
    ],
)
def test_a_move_on_its_own_line_is_played(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "played"


@pytest.mark.parametrize(
    "text",
    [
        "a4 paper please",
        "I am on B 5 today",
        "Kf1 would lose",
        "We live in house b4 now.",
        "ok",
        "The A4 is closed, I come by the B5.",
    ],
)
def test_talk_with_a_square_in_it_plays_and_asks_nothing(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "nothing"


@pytest.mark.parametrize(
    "text", ["I play Nf3 now.", "Nf3 is my move", "My next move will be e4 I guess", "e4?"]
)
def test_a_move_in_a_sentence_about_a_move_is_asked_back(club: Club, text: str) -> None:
    club.answer(club.last(ALICE), text, ALICE)
    assert club.fate("chess-1", "white") == "asked"


def test_a_refusal_names_the_reason_and_three_moves(club: Club) -> None:
    club.answer(club.last(ALICE), "Nd5", ALICE)
    told = club.last(ALICE).flat
    assert "No knight of yours can go to d5." in told
    assert "You could write: · Nc3 · Nf3" in told


def test_a_german_reader_is_told_moves_in_german_letters(club: Club) -> None:
    club.answer(club.last(BOB), "set language de", BOB)
    club.answer(club.last(ALICE), "Nf3", ALICE)
    club.work()
    assert "zog Sf3" in club.last(BOB, "report").flat


def test_several_dead_groups_are_named_on_one_line(club: Club) -> None:
    club.new_match("go", f"black={ALICE}", f"white={BOB}", options=["size=9x9"])
    club.work()
    for who, line in (
        (ALICE, "D4"),
        (BOB, "E5"),
        (ALICE, "pass"),
        (BOB, "pass"),
        (ALICE, "dead D4 E5"),
    ):
        mails = [mail for mail in club.mails(who) if "go-1" in mail.text]
        club.answer(mails[-1], line, who)
        club.work()
    told = [mail.flat for mail in club.mails(ALICE)]
    assert any("dead D4" in text and "dead E5" in text and "accepted" in text for text in told), (
        told
    )
