"""Nobody's words are carried out as another's, whatever they look like and wherever they stand."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random

import pytest
from support.clients.letters import original_of
from support.clients.programs import Program
from support.club import Mail
from support.corpus import understood
from support.posing import CARRIERS, CLASSIC, SPOILT, Posed, filled, posed, programs
from support.stage import Scene, Stage, stage

from referee.mail.incoming.letter import read_letter

ANSWERS = (("help",), ("{order}",), ("message {other}: fine with me", "see you"))
"""What alice writes above: one command, one order, one message."""


@pytest.fixture(scope="module")
def board() -> Stage:
    """Return a match of Nord some turns on."""
    return stage("nord", turns=4)


def carried(board: Stage, scene: Scene, carrier: str, words: str) -> Mail | None:
    """Return the mail to alice in which the words arrived."""
    found = filled(words, board.name, board.orders[0])
    return CARRIERS[carrier](board, scene, found)


def lines_of(board: Stage, number: int) -> tuple[str, ...]:
    """Return what alice writes."""
    order = board.orders[len(board.orders) // 2]
    return tuple(each.format(order=order, other=board.other) for each in ANSWERS[number % 3])


def said(board: Stage, raw: bytes) -> list[Hashable]:
    """Return what the desk would do about a letter: commands, orders, faults, filled boxes."""
    found: list[Hashable] = []
    for place in understood(read_letter(raw), board.game):
        found += place.commands
        found += [(place.said.source, each) for each in (*place.orders, *place.given)]
        found += [line.text for line in place.lines if line.fault is not None]
        filled = place.said.source == "box" and place.said.own
        found += [(place.said.code, place.said.own)] if filled else []
    return found


def check_desk(board: Stage, program: Program, carrier: str, words: str, number: int) -> None:
    """Check that an answer above another's words does what it does alone, or asks back."""
    lines = lines_of(board, number)
    with board.undone() as scene:
        mail = carried(board, scene, carrier, words)
        if mail is None:
            return
        mine = Posed(original_of(mail.raw))
        alone = scene.hear(mine.bare(*lines))
        found = scene.hear(mine.reply(program, *lines))
    assert found.orders in {alone.orders, ()}
    assert {*found.changed} <= {*alone.changed}
    assert found.relayed in {alone.relayed, ()}
    assert found.answers


def check_reader(
    board: Stage, carrier: str, words: str, number: int, *, every: bool = False
) -> None:
    """Check that nothing is read but the answer, whatever program sends it and spoils it.

    Unless ``every`` way of spoiling is asked for, two are tried that differ by the number.
    """
    ways = [*SPOILT]
    tried = ways if every else [ways[number % len(ways)], ways[(number * 3 + 1) % len(ways)]]
    lines = lines_of(board, number)
    with board.undone() as scene:
        mail = carried(board, scene, carrier, words)
    if mail is None:
        return
    mine = Posed(original_of(mail.raw))
    alone = said(board, mine.bare(*lines))
    wrong = {
        (program.name, spoilt): found
        for program in programs()
        for spoilt in tried
        if (found := said(board, mine.reply(program, *lines, spoilt=spoilt))) != alone
    }
    assert wrong == {}, (words, mine.original.text)


@pytest.mark.fast
@pytest.mark.parametrize("program", programs(), ids=lambda each: each.name)
@pytest.mark.parametrize("carrier", ["by-message", "by-forged-name"])
def test_a_frame_among_words_ends_nothing(board: Stage, program: Program, carrier: str) -> None:
    """The words that took over a seat once are words, in every program."""
    check_desk(board, program, carrier, CLASSIC[0], 0)


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("program", programs(), ids=lambda each: each.name)
def test_a_known_trick_changes_nothing(board: Stage, program: Program, turn: int) -> None:
    """The desk does what the answer says, and nothing that the words below it say."""
    number = 2 * [*programs()].index(program) + turn
    carrier = [*CARRIERS][number % len(CARRIERS)]
    check_desk(board, program, carrier, CLASSIC[number % len(CLASSIC)], number)


@pytest.mark.soak
@pytest.mark.parametrize("program", programs(), ids=lambda each: each.name)
@pytest.mark.parametrize("carrier", CARRIERS)
def test_no_known_trick_changes_anything(board: Stage, program: Program, carrier: str) -> None:
    """Each trick comes with each mail to each program."""
    for number, words in enumerate(CLASSIC):
        check_desk(board, program, carrier, words, number)


@pytest.mark.parametrize(
    ("carrier", "number"),
    [
        pytest.param(carrier, number, marks=[] if (number + place) % 3 == 0 else [pytest.mark.soak])
        for number in range(len(CLASSIC))
        for place, carrier in enumerate(CARRIERS)
    ],
)
def test_known_tricks_are_not_read_however_spoilt(board: Stage, carrier: str, number: int) -> None:
    """Neither misread charsets nor lost escapes make others' words one's own."""
    check_reader(board, carrier, CLASSIC[number], number)


@pytest.mark.parametrize("seed", range(20))
def test_words_made_of_our_lines_are_not_read(board: Stage, seed: int) -> None:
    """Frames and boxes in every spelling are words."""
    rng = Random(seed)
    check_reader(board, rng.choice([*CARRIERS]), posed(rng), seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 61))
def test_no_words_at_all_are_read_as_anothers(board: Stage, seed: int) -> None:
    """Fifty sets of words each: nothing but the answer."""
    rng = Random(-seed)
    for number in range(50):
        check_reader(board, rng.choice([*CARRIERS]), posed(rng), number, every=True)


@pytest.mark.fast
@pytest.mark.parametrize("carrier", CARRIERS)
def test_words_do_arrive(board: Stage, carrier: str) -> None:
    """Each way of writing to another brings the words into a mail, so that the others try it."""
    with board.undone() as scene:
        mail = carried(board, scene, carrier, "See you tomorrow")
    assert mail is not None
    assert "See you tomorrow" in mail.flat


HELD_BACK = {"by-long-message": 7, "by-newcomer": 4}
"""Ways by which the referee refuses most of the known tricks, and how many it lets through."""


@pytest.mark.parametrize("carrier", CARRIERS)
def test_known_tricks_do_arrive(board: Stage, carrier: str) -> None:
    """Nearly all of them become a mail, so that the others do not pass for want of one."""
    arrived = 0
    for words in CLASSIC:
        with board.undone() as scene:
            arrived += carried(board, scene, carrier, words) is not None
    assert arrived >= HELD_BACK.get(carrier, len(CLASSIC) - 2)
