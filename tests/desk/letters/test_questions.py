"""What answers and receipts say while another seat is asked a question within a turn."""

from __future__ import annotations

import pytest
from support.club import Club, Mail
from support.origo_cases import whole
from support.origo_midland import MANY, fight

from referee.desk.plans.board import Fix
from referee.desk.plans.plan import apply_act

pytestmark = pytest.mark.fast

ALICE, BOB, CAROL = "alice@example.test", "bob@example.test", "colours@example.test"
ATTACK = "Black attacks Orange on E7"
UNTIL = "until Sat 28 Nov 2026, 12:00 (UTC), 7 days left."


def attacking(club: Club, language: str = "en") -> Mail:
    """Let alice, who plays black, attack bob on E7; return the report she attacked by."""
    club.new_match("origo", f"orange={BOB}", f"black={ALICE}", f"red={CAROL}")
    club.work()
    if language != "en":
        club.answer(club.last(ALICE), f"set language {language}", ALICE)
    before = whole(**fight(black=MANY, orange=("people", "ship")))
    apply_act(club.desk, Fix("origo-1", before), "a test")
    club.work()
    report = club.last(ALICE, "report")
    club.answer(report, "attack E7 with row:E", ALICE)
    return report


def test_the_attackers_receipt_says_who_is_to_answer(club: Club) -> None:
    """It names the attack and the one who is asked, as his report does."""
    attacking(club)
    receipt = club.last(ALICE, "receipt").flat
    assert "Orange (bob) is to answer, until" in receipt
    assert ATTACK in receipt
    assert "is to act" not in receipt


def test_an_answer_without_a_board_says_who_is_to_answer(club: Club) -> None:
    """Whoever orders by an old mail, or out of turn, reads what the turn waits for."""
    report = attacking(club)
    receipt = club.last(ALICE, "receipt")
    for mail, said in ((report, "your mail answers turn"), (receipt, "it is not your turn")):
        club.answer(mail, "pass", ALICE)
        answer = club.last(ALICE, "answer").flat
        assert said in answer
        assert f"Orange (bob) is to answer, {UNTIL} {ATTACK}" in answer


def test_the_list_of_matches_says_who_is_to_answer(club: Club) -> None:
    """The attacker reads that another answers, the defender that he does."""
    report = attacking(club)
    club.answer(report, "matches", ALICE)
    assert "; Orange is to answer, until" in club.last(ALICE, "answer").flat
    club.answer(club.last(BOB), "matches", BOB)
    assert "; it is for you to answer, until" in club.last(BOB, "answer").flat


def test_who_is_to_answer_is_told_in_german_too(club: Club) -> None:
    """Receipt and list say it in the reader's language."""
    report = attacking(club, "de")
    assert "Orange (bob) muss antworten, bis" in club.last(ALICE, "receipt").flat
    club.answer(report, "partien", ALICE)
    assert "; Orange muss antworten, bis" in club.last(ALICE, "answer").flat
