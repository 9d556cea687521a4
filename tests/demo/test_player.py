"""What the scripted player answers to the mails of a referee."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from referee.demo.player import (
    MOST_TRIES,
    MOST_TURNS,
    DemoPlayer,
    choose,
    read_mail,
    suggestions,
)

pytestmark = pytest.mark.fast

Letter = Callable[..., bytes]
TurnFile = Callable[..., dict[str, Any]]

REFUSED = """Not played: none of your orders was carried out, the position is what it
was before your mail.

It is your turn, red.

Your lines:
· put 2 A1 — refused: You hold no pebble of that weight. (Pebbles 2)
  You could write: · put 1
    A1 · put 3 A1
· pass — not judged
"""


def test_a_report_in_her_turn_is_answered(letter: Letter, turn_file: TurnFile) -> None:
    """When a turn file says she is to act she writes one of its legal orders."""
    reply = DemoPlayer(0).answer(read_mail(letter("It is your turn.", turn_file())))
    assert reply is not None
    assert reply.lines in {("put 1 A1",), ("put 3 A1",)}
    assert not reply.patient


def test_a_match_that_goes_on_for_long_is_given_up(letter: Letter, turn_file: TurnFile) -> None:
    """A demo shall be short, and two bots may move to and fro for hundreds of turns."""
    late = turn_file(turn=MOST_TURNS + 1)
    reply = DemoPlayer(1).answer(read_mail(letter("It is your turn.", late)))
    assert reply is not None
    assert reply.lines == ("resign",)


def test_a_report_in_another_turn_is_not_answered(letter: Letter, turn_file: TurnFile) -> None:
    """While somebody else is to act she keeps silent."""
    player = DemoPlayer(0)
    assert player.answer(read_mail(letter("Blue is to act.", turn_file(to_act="blue")))) is None
    assert not player.finished


def test_the_end_finishes_her(letter: Letter, turn_file: TurnFile) -> None:
    """A report in which nobody is to act any more ends the match for her."""
    player = DemoPlayer(0)
    player.answer(read_mail(letter("It is your turn.", turn_file())))
    assert not player.finished
    assert player.answer(read_mail(letter("It is over.", turn_file(to_act=None)))) is None
    assert player.finished


def test_she_goes_on_while_another_match_runs(letter: Letter, turn_file: TurnFile) -> None:
    player = DemoPlayer(0)
    player.answer(read_mail(letter("It is over.", turn_file(to_act=None))))
    player.answer(read_mail(letter("It is your turn.", turn_file(match="pebbles-8"))))
    assert not player.finished


def test_the_same_seed_chooses_the_same(letter: Letter, turn_file: TurnFile) -> None:
    """Her choice depends on nothing but the seed, the match and the turn."""
    mail = read_mail(letter("It is your turn.", turn_file()))
    chosen = [DemoPlayer(seed).answer(mail) for seed in (5, 5)]
    assert chosen[0] == chosen[1]
    assert len({str(DemoPlayer(seed).answer(mail)) for seed in range(20)}) == 2


def test_an_invitation_is_agreed_to(letter: Letter) -> None:
    """An invitation is answered with agreement and words for the seed."""
    text = "Answer with one of these lines:\n\n· agree · decline\n\nsuch as · luck some words\n"
    reply = DemoPlayer(0).answer(read_mail(letter(text)))
    assert reply is not None
    assert reply.lines[0] == "agree"
    assert reply.lines[1].startswith("luck ")


def test_no_luck_is_written_where_none_is_asked(letter: Letter) -> None:
    """In a practice match she only agrees."""
    reply = DemoPlayer(0).answer(read_mail(letter("· agree · decline\n")))
    assert reply is not None
    assert reply.lines == ("agree",)


def test_a_refusal_is_answered_with_what_is_suggested(letter: Letter, turn_file: TurnFile) -> None:
    """After a refusal she writes something legal that she has not written yet."""
    player = DemoPlayer(0)
    first = player.answer(read_mail(letter("It is your turn.", turn_file())))
    second = player.answer(read_mail(letter(REFUSED)))
    assert first is not None
    assert second is not None
    assert {first.lines[0], second.lines[0]} == {"put 1 A1", "put 3 A1"}


def test_suggestions_are_read_over_line_ends() -> None:
    assert suggestions(REFUSED) == ["put 1 A1", "put 3 A1"]


def test_a_turn_that_goes_on_is_answered_patiently(letter: Letter, turn_file: TurnFile) -> None:
    """A receipt that leaves her to act is answered only if no report follows."""
    player = DemoPlayer(0)
    player.answer(read_mail(letter("It is your turn.", turn_file())))
    reply = player.answer(read_mail(letter("Carried out.\n\nIt is your turn, red.\n")))
    assert reply is not None
    assert reply.patient


def test_a_receipt_that_ends_her_turn_is_not_answered(letter: Letter, turn_file: TurnFile) -> None:
    """A receipt after which somebody else acts needs no answer."""
    player = DemoPlayer(0)
    player.answer(read_mail(letter("It is your turn.", turn_file())))
    assert player.answer(read_mail(letter("Carried out.\n\nBlue is to act.\n"))) is None


def test_mail_about_nothing_she_plays_is_not_answered(letter: Letter) -> None:
    """Mail without a turn, an invitation or a match of hers gets no answer."""
    assert DemoPlayer(0).answer(read_mail(letter(REFUSED))) is None


def test_she_gives_up_after_many_tries(letter: Letter, turn_file: TurnFile) -> None:
    """Within one turn she writes a limited number of answers, whatever comes back."""
    player = DemoPlayer(0)
    player.answer(read_mail(letter("It is your turn.", turn_file())))
    replies = [
        player.answer(read_mail(letter(f"You could write: · put {n} B1\n"))) for n in range(60)
    ]
    assert sum(each is not None for each in replies) == MOST_TRIES - 1


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["place A1", "attack B1 C1", "challenge D1"], "challenge D1"),
        (["place A1 A2 A3", "attack B1"], "attack B1"),
        (["place A1", "place A1 A2", "place A1 A2 A3"], "place A1 A2 A3"),
        (["pass"], "pass"),
    ],
)
def test_she_challenges_then_attacks_then_spreads(lines: list[str], expected: str) -> None:
    """She prefers kinds of order in that sequence, else the longest."""
    assert choose(lines, Random(1)) == expected


def test_what_is_left_of_an_open_turn_goes_into_one_mail(
    letter: Letter, turn_file: TurnFile
) -> None:
    """An order of each kind that stands in no other's way, then the word that ends the turn."""
    text = "Your turn is still open, Red; “done”\nends it: until tomorrow.\n"
    legal = ["expand A1 with ship", "expand A2 with ship", "sail B1 B2", "done"]
    reply = DemoPlayer(0).answer(read_mail(letter(text, turn_file(legal=[*legal, "exchange x y"]))))
    assert reply is not None
    assert reply.lines[1:] == ("sail B1 B2", "done")
    alone = DemoPlayer(0).answer(read_mail(letter(text, turn_file(legal=["attack A1 with ship"]))))
    assert alone is not None
    assert alone.lines == ("attack A1 with ship",)


def test_a_broken_turn_file_is_no_turn_file(letter: Letter, turn_file: TurnFile) -> None:
    """An attachment of another kind does not make a mail a report."""
    assert read_mail(letter("x", turn_file(kind="other"))).turn is None
