"""Lines that were meant as a queue or a command but cannot be read are named, never dropped."""

from __future__ import annotations

import pytest
from support.club import Club, Mail, letter

from referee.mail import marks

pytestmark = pytest.mark.fast

ALICE, BOB = "alice@example.test", "bob@example.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")


def begun(club: Club, language: str = "en") -> Mail:
    """Begin a match where red is to act and return blue's first mail."""
    club.new_match("pebbles", *SEATS)
    club.work()
    return club.last(BOB)


def flat(mail: Mail) -> str:
    """Return a mail's text on one line."""
    return " ".join(mail.text.split())


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("queue putt 3 A1", "queue putt 3 A1"),
        ("queue\nputt 3 A1\nput 3 A2\nend", "queue putt 3 A1"),
        ("queue\nput 3 A1\nwhatever comes first to your mind, dear friend\nend", "whatever"),
        ("einreihen\nput 3 A1; putt 3 A2\nende", "einreihen putt 3 A2"),
        ("queue\nputt 3 A1", "queue putt 3 A1"),
    ],
)
def test_a_queue_that_cannot_be_read_is_refused_by_its_line(
    club: Club, text: str, named: str
) -> None:
    """Out of turn too the receipt names the line at fault, and nothing is noted."""
    club.answer(begun(club), text, BOB)
    receipt = flat(club.last(BOB, "receipt"))
    assert "Nothing was done" in receipt
    assert named in receipt
    assert "not understood" in receipt
    assert "What you ordered in advance" not in receipt


def test_a_queue_that_cannot_be_read_holds_back_the_orders_beside_it(club: Club) -> None:
    """On one's own turn the letter is refused with the line, and nothing is played."""
    begun(club)
    report = club.last(ALICE, "report")
    with_order = next(
        line.strip("· ").split(" · ")[0]
        for line in report.text.splitlines()
        if line.strip().startswith("· put")
    )
    club.answer(report, f"{with_order}\nqueue putt 3 A2", ALICE)
    receipt = flat(club.last(ALICE, "receipt"))
    assert "Nothing was done" in receipt
    assert "queue putt 3 A2" in receipt
    assert club.match("pebbles-1").turn == 1


def test_a_bad_queue_is_refused_though_it_answers_an_older_mail(club: Club) -> None:
    """The answer is about the queue, not about the turn the mail answers."""
    old = begun(club)
    with_order = club.last(ALICE, "report").text.split("· put ")[1].split(" ·")[0].strip()
    row = club.match("pebbles-1")
    code = club.code(row.name, "red")
    top, _, bottom = marks.box_lines(row.name, row.turn, "red", code, "en", "")
    club.put(letter(ALICE, f"{top}\nput {with_order}\n{bottom}", number=90))
    club.work()
    assert club.match("pebbles-1").turn == 2
    club.mails(BOB)
    club.answer(old, "queue putt 3 A2", BOB)
    assert "queue putt 3 A2" in flat(club.last(BOB, "receipt"))


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("set foo bar", "set language en"),
        ("away yesterday", "away 2026-12-20 to 2027-01-03"),
        ("abwesend gestern", "away 2026-12-20 to 2027-01-03"),
        ("show turn abc", "show turn 12"),
        ("join pebbles-1 as red please", "join"),
    ],
)
def test_a_line_that_begins_like_a_command_is_named(club: Club, text: str, how: str) -> None:
    """The answer shows the line and how the command is written."""
    club.answer(begun(club), text, BOB)
    answer = flat(club.last(BOB, "answer"))
    assert "begins like a command" in answer
    assert text in answer
    assert f"· {how}" in answer


def test_an_unclear_command_beside_an_order_does_not_vanish(club: Club) -> None:
    """The order is played, and the line is named in an answer of its own."""
    begun(club)
    report = club.last(ALICE, "report")
    cell = report.text.split("· put ")[1].split(" ·")[0].strip()
    club.answer(report, f"put {cell}\nset name", ALICE)
    assert [each.kind for each in club.mails(ALICE)] == ["answer", "receipt"]


@pytest.mark.parametrize("text", ["I set the table yesterday", "Away from home, sorry", "agreed"])
def test_talk_is_no_unclear_command(club: Club, text: str) -> None:
    """Sentences are answered as talk."""
    club.answer(begun(club), text, BOB)
    assert "nothing in your mail looked like an order" in flat(club.last(BOB, "answer"))


@pytest.mark.parametrize("word", ["yes", "no"])
def test_a_yes_or_no_to_nothing_is_told_so(club: Club, word: str) -> None:
    """In a match that runs, without a question, the answer says that nothing is asked."""
    club.answer(begun(club), word, BOB)
    answer = flat(club.last(BOB, "answer"))
    assert "nothing is being asked of you" in answer
    assert "SHA-256" not in answer


@pytest.mark.parametrize(
    ("text", "expected"),
    [("show turn 9", "only at turn 1; there is no turn 9"), ("show turn 1", "The board at turn 1")],
)
def test_a_turn_that_is_still_to_come_is_not_shown(club: Club, text: str, expected: str) -> None:
    """The answer says how far the match is, and shows the board as it is."""
    club.answer(begun(club), text, BOB)
    assert expected in flat(club.last(BOB, "answer"))
