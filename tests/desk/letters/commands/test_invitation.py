"""Answers to an invitation: agree, decline, words for chance."""

from __future__ import annotations

import pytest
from support.club import ALICE, BOB, SEATS, Club, letter

pytestmark = pytest.mark.fast


def test_a_match_begins_when_everybody_has_agreed(club: Club) -> None:
    """`agree` by every player begins a match that was only set up."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), "agree", ALICE)
    assert club.match("pebbles-1").state == "invited"
    club.answer(club.last(BOB), "agree", BOB)
    assert club.match("pebbles-1").state == "running"


@pytest.mark.parametrize("text", ["agree, thanks!", "yes please", "Ja, danke."])
def test_thanks_may_stand_behind_the_yes(club: Club, text: str) -> None:
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), text, ALICE)
    assert "You have agreed to play." in club.last(ALICE, "answer").text


@pytest.mark.parametrize("text", ["yes but not before Sunday, thanks", "agree? thanks"])
def test_other_words_beside_the_yes_are_no_courtesy(club: Club, text: str) -> None:
    """What may turn a yes round is never taken off."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), text, ALICE)
    assert "You have agreed to play." not in club.last(ALICE).text


def test_a_yes_beside_an_order_is_no_order_of_a_match_that_has_not_begun(club: Club) -> None:
    """There is no board yet on which it could be one; the answer says how to agree."""
    club.new_match("pebbles", *SEATS, begins=False)
    verdict = club.answer(club.last(ALICE), "Yes please, I pass", ALICE)
    assert verdict.state == "handled"
    assert "agree" in club.last(ALICE, "answer").text


def test_words_for_chance_are_noted_before_the_match_begins_only(club: Club) -> None:
    """`luck` is mixed in when it comes in time, and refused when it comes late."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), "luck seven swans", ALICE)
    assert "seven swans" in club.match("pebbles-1").words.values()
    club.answer(club.last(ALICE), "agree", ALICE)
    club.answer(club.last(BOB), "agree", BOB)
    club.answer(club.last(BOB), "luck late", BOB)
    assert "come too late" in club.last(BOB, "answer").flat
    assert "late" not in club.match("pebbles-1").words.values()


def test_words_for_chance_count_although_the_same_letter_agrees_first(club: Club) -> None:
    """`agree` and `luck` in one letter, in any sequence, also by the last to agree."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), "agree", ALICE)
    club.answer(club.last(BOB), "agree\nluck seven swans", BOB)
    row = club.match("pebbles-1")
    assert row.state == "running"
    assert "seven swans" in row.words.values()


def test_a_decline_is_told_to_the_others(club: Club) -> None:
    """Nobody waits for somebody who said no."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.mails(ALICE)
    club.answer(club.last(BOB), "no", BOB)
    assert "bob has declined" in club.last(ALICE, "notice").text


def test_whoever_declined_is_asked_for_nothing_more(club: Club) -> None:
    """No box says to write an answer below the sentence that no more mails come."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(BOB), "no", BOB)
    declined = club.last(BOB, "answer")
    assert "you will get no more mails about this match" in declined.flat
    assert "write your answer here" not in declined.text


def test_agree_without_a_code_changes_nothing(club: Club) -> None:
    club.new_match("pebbles", *SEATS, begins=False)
    club.put(letter(ALICE, "agree"))
    assert "no reply code" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").state == "invited"


def test_orders_before_the_beginning_are_told_who_is_awaited(club: Club) -> None:
    """Who has agreed is not named; who has not is."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), "agree", ALICE)
    club.answer(club.last(ALICE), "pass", ALICE)
    assert "Still awaited: bob." in club.last(ALICE, "answer").flat


def test_orders_before_the_match_begins_are_answered(club: Club) -> None:
    """Who answers the invitation with an order is told that it is too early."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), "pass", ALICE)
    assert "has not begun" in club.last(ALICE, "answer").text
