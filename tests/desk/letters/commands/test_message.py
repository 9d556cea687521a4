"""Messages to other seats, and notes to oneself."""

from __future__ import annotations

import pytest
from support.club import Club, letter
from support.watching import ALICE, BOB, SEATS, begun, plays, told

pytestmark = pytest.mark.fast


def test_a_message_reaches_the_others_and_its_writer_is_told(club: Club) -> None:
    """`message all` is delivered with the writer's name; its lines play nothing."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.mails(BOB)
    club.answer(club.last(ALICE, "report"), "message all\nhello bob\npass\nend", ALICE)
    told = club.last(BOB, "notice").text
    assert "hello bob" in told
    assert "alice" in told
    assert "bob" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").to_act == "red"


@pytest.mark.parametrize("text", ["message all\nend", "message blue\n\n\nend", "message blue:"])
def test_a_message_without_text_reaches_nobody(club: Club, text: str) -> None:
    """Its writer is told that the text goes below."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    report = club.last(ALICE, "report")
    club.mails(BOB)
    club.put(letter(ALICE, text, answers=report.message["Message-ID"]))
    assert "no text follows it" in club.last(ALICE).text
    assert not club.mails(BOB)


def test_a_player_called_cut_gets_messages(club: Club) -> None:
    """No name is mistaken for the mark of a message whose text was cut."""
    club.new_match("pebbles", f"red={ALICE}", "blue=cut@example.test")
    club.work()
    club.mails("cut@example.test")
    club.answer(club.last(ALICE, "report"), "message cut: hello", ALICE)
    assert "hello" in club.last("cut@example.test", "notice").text


def test_a_message_to_nobody_is_answered(club: Club) -> None:
    """A seat that is not in the match is named in the answer."""
    club.new_match("pebbles", *SEATS)
    club.work()
    club.answer(club.last(ALICE, "report"), "message green: hello", ALICE)
    assert "green" in club.last(ALICE, "answer").text


def test_a_note_is_ones_own(club: Club) -> None:
    """It stands in every report to its writer until he clears it, and in nobody else's."""
    begun(club)
    report = club.last(ALICE, "report")
    club.answer(report, "note bob likes the west", ALICE)
    assert "You alone see it" in told(club, ALICE)
    plays(club, ALICE, report)
    assert "bob likes the west" in club.last(ALICE, "report").text
    mail = club.last(BOB, "report")
    assert "west" not in mail.raw.decode()
    plays(club, BOB, mail)
    club.answer(club.last(ALICE, "report"), "note clear", ALICE)
    assert "are gone" in told(club, ALICE)
    mail = club.last(BOB)
    plays(club, ALICE, report)
    assert all("likes" not in each.text for each in club.mails(ALICE) if each.kind == "report")
