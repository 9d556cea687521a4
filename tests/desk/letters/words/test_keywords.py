"""What players can say besides orders."""

from __future__ import annotations

import pytest
from support.club import Club, letter

from referee.desk.letters.words.keywords import Command, read_command, read_commands

pytestmark = pytest.mark.fast

ALICE, BOB = "alice@example.test", "bob@example.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("help", Command("help")),
        ("Hilfe.", Command("help")),
        ("  SHOW turn 12 ", Command("show", ("12",))),
        ("zeige zug 3", Command("show", ("3",))),
        ("luck seven swans", Command("luck", (), "seven swans")),
        ("message all: hello there", Command("message", ("all",), "hello there")),
        ("nachricht rot", Command("message", ("rot",))),
        (
            "message all: Good luck! See https://example.test/a.",
            Command("message", ("all",), "Good luck! See https://example.test/a."),
        ),
        ("glück sieben Raben!", Command("luck", (), "sieben Raben!")),
        ("Yes!", Command("agree")),
        ("message me tomorrow", None),
        ("help me understand this", None),
        ("agree with you", None),
        ("show me", None),
        ("", None),
    ],
)
def test_a_line_is_a_command_only_with_what_it_takes(line: str, command: Command | None) -> None:
    """A keyword inside a sentence is talk."""
    assert read_command(line) == command


def test_a_message_takes_every_line_up_to_its_end() -> None:
    """The lines of a message are no orders."""
    pieces, starts = read_commands(["message all", "pass", "see you", "end", "pass"])
    assert (pieces, starts) == ((Command("message", ("all",), "pass\nsee you"), "pass"), (0, 4))


def test_help_needs_no_code(club: Club) -> None:
    """Anybody registered is helped."""
    club.new_match("pebbles", *SEATS)
    club.mails(ALICE)
    club.put(letter(ALICE, "help"))
    assert "preview" in club.last(ALICE, "answer").text


def test_matches_lists_where_one_plays(club: Club) -> None:
    """The list names match, game, seat and whose turn it is."""
    club.new_match("pebbles", *SEATS)
    club.put(letter(BOB, "matches"))
    assert "you are blue, turn 1" in club.last(BOB, "answer").text


def test_show_sends_the_board_of_ones_own_seat(club: Club) -> None:
    """`show` without a code goes to the registered address with that seat's view."""
    club.new_match("pebbles", *SEATS)
    club.put(letter(BOB, "show"))
    assert "Your pebbles weigh" in club.last(BOB, "answer").text


def test_show_turn_sends_the_board_as_it_was(club: Club) -> None:
    """`show turn 1` after some play shows the board when the first turn began."""
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    line = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, line, ALICE)
    club.work()
    now = club.last(ALICE, "report")
    club.answer(now, "show turn 1", ALICE)
    text = club.last(ALICE, "answer").text
    assert "at turn 1" in text
    assert board(text) != board(now.text)


def test_a_match_begins_when_everybody_has_agreed(club: Club) -> None:
    """`agree` by every player begins a match that was only set up."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), "agree", ALICE)
    assert club.match("pebbles-1").state == "invited"
    club.answer(club.last(BOB), "agree", BOB)
    assert club.match("pebbles-1").state == "running"


def test_words_for_chance_are_noted_before_the_match_begins_only(club: Club) -> None:
    """`luck` is mixed in when it comes in time, and refused when it comes late."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), "luck seven swans", ALICE)
    assert "seven swans" in club.match("pebbles-1").words
    club.answer(club.last(ALICE), "agree", ALICE)
    club.answer(club.last(BOB), "agree", BOB)
    club.answer(club.last(BOB), "luck late", BOB)
    assert "come too late" in " ".join(club.last(BOB, "answer").text.split())
    assert "late" not in club.match("pebbles-1").words


def test_words_for_chance_count_although_the_same_letter_agrees_first(club: Club) -> None:
    """`agree` and `luck` in one letter, in any sequence, also by the last to agree."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), "agree", ALICE)
    club.answer(club.last(BOB), "agree\nluck seven swans", BOB)
    row = club.match("pebbles-1")
    assert row.state == "running"
    assert "seven swans" in row.words


def test_a_decline_is_told_to_the_others(club: Club) -> None:
    """Nobody waits for somebody who said no."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.mails(ALICE)
    club.answer(club.last(BOB), "no", BOB)
    assert "bob has declined" in club.last(ALICE, "notice").text


def test_agree_without_a_code_changes_nothing(club: Club) -> None:
    """What changes something needs a code."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.put(letter(ALICE, "agree"))
    assert "no reply code" in club.last(ALICE, "answer").text
    assert club.match("pebbles-1").state == "invited"


def test_orders_before_the_match_begins_are_answered(club: Club) -> None:
    """Who answers the invitation with an order is told that it is too early."""
    club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(ALICE), "pass", ALICE)
    assert "has not begun" in club.last(ALICE, "answer").text


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


def board(text: str) -> list[str]:
    """Return the lines of the board in a mail of pebbles."""
    return [line for line in text.splitlines() if line.startswith(("A ", "B "))]
