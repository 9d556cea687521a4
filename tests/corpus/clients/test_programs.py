"""Replies of mail programs reach the desk as if nothing but their writers' words had come.

``PYTHONPATH=tests python -m support.clients`` prints what is misread, by program.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from support.clients.measuring import Measure, all_tongues, some_tongues
from support.clients.programs import EVERY, PROGRAMS, Program
from support.clients.situations import SITUATIONS, order_of, possible
from support.clients.tongues import TONGUES, Tongue, invented
from support.club import REFEREE, letter
from support.stage import ALICE, BOB, Outcome, stage

NUMBERS = {each.name: number for number, each in enumerate(PROGRAMS)}

NAMED = (
    "outlook-windows", "outlook-marks", "outlook-2003", "outlook-bar-marks", "windows-mail", "onet",
    "yandex", "qq", "orange", "libero", "gmail-web", "gateway-semicolon",
)  # fmt: skip
"""Programs of every sort, tried quickly."""

PLAYED = frozenset({
    "order-on-top", "order-and-signature", "order-below-caution", "order-in-box", "message",
    "order-and-disclaimer", "order-without-thread",
})  # fmt: skip
"""Situations without any doubt about what is meant: to ask back there is a fault."""


STAGES = (("nord", "en", 4), ("origo", "de", 6), ("nord", "de", 4), ("origo", "en", 6))
"""Matches that are answered: game, alice's language, turns played."""


@cache
def measure_of(number: int) -> Measure:
    """Return one of the matches; the first is Nord in English."""
    return Measure(stage(*STAGES[number % len(STAGES)]))


@pytest.fixture(scope="module")
def measure() -> Measure:
    """Return a match of Nord some turns on."""
    return measure_of(0)


def check(
    measure: Measure, program: Program, situation: str, codes: Sequence[str | Tongue]
) -> None:
    """Check a situation in some languages; asking back is excused where there is doubt."""
    wrong = {}
    for code in codes:
        found = set(measure.faults(program, code, situation))
        if situation not in PLAYED:
            found -= {"asked", "held", "named"}
        if found:
            wrong[code if isinstance(code, str) else code.gmail] = sorted(found)
    assert wrong == {}, f"{program.name}, {situation}"


def cases(names: tuple[str, ...] | None = None, one_in: int = 1) -> list[object]:
    """Return programs with situations that say something with them, or one in so many."""
    return [
        pytest.param(program, situation, id=f"{program.name}-{situation}")
        for program in PROGRAMS
        for number, situation in enumerate(SITUATIONS)
        if possible(program, situation)
        if (NUMBERS[program.name] + number) % one_in == 0
        if names is None or program.name in names
    ]


@pytest.mark.fast
def test_what_the_measure_compares_with_is_understood(measure: Measure) -> None:
    """The same words without a program are played, relayed and noted."""
    program, found = PROGRAMS[0], {}
    for name, situation in SITUATIONS.items():
        trial = situation(measure.stage, program, TONGUES["en"])
        found[name] = measure.ideal(trial.ideal)
    assert found["order-on-top"].orders == (order_of(measure.stage),)
    assert found["order-in-box"].orders == found["newer-order"].orders
    assert found["order-in-box"].orders == found["order-on-top"].orders
    assert "Well played, really." in found["message"].relayed[0]
    assert "too quick" in found["message-above-older"].relayed[0]
    assert "Noted." in found["note-above-older"].answers[0]
    assert found["forget-older"].orders == ()
    assert len(found["forget-older"].answers) == 1


@pytest.mark.fast
@pytest.mark.parametrize(("program", "situation"), cases(NAMED, 3))
def test_named_programs_are_read(measure: Measure, program: Program, situation: str) -> None:
    """What each program adds or quotes is neither played, relayed, kept nor named."""
    check(measure, program, situation, some_tongues(program, NUMBERS[program.name] + 3, 1))


@pytest.mark.fast
@pytest.mark.parametrize("name", ["gmail-html-alone", "ios-mail-html", "tutanota", "hey"])
def test_an_order_between_two_parts_of_a_quoted_page_is_played(measure: Measure, name: str) -> None:
    """Tables and cells of the page end above the order and begin again below it."""
    (program,) = (each for each in PROGRAMS if each.name == name)
    assert measure.faults(program, program.tongues[0], "order-between") == []


@pytest.mark.fast
def test_an_older_order_below_the_line_of_notes_is_not_asked_about(measure: Measure) -> None:
    """Name, date and subject stand there as no person draws a heading."""
    (notes,) = (each for each in PROGRAMS if each.name == "notes-inline")
    check(measure, notes, "note-above-older", ["en"])


@pytest.mark.fast
@pytest.mark.parametrize("situation", ["order-from-telephone", "message-from-telephone"])
def test_a_telephone_is_known_above_an_attribution_without_a_colon(
    measure: Measure, situation: str
) -> None:
    """The quote below tells that line for one; the footer stands above it."""
    (gmx,) = (each for each in PROGRAMS if each.name == "gmx-no-colon")
    check(measure, gmx, situation, ["de"])


@pytest.mark.fast
def test_a_heading_of_ones_own_with_name_and_date_loses_nothing(measure: Measure) -> None:
    """What stands below it is told with the rest, or the writer is asked."""
    lines = (f"message {measure.stage.other}", "Hello,", "--- Alice, 21.11.2026 ---", "I go west.")
    found = heard(measure, lines)
    assert found.answers
    assert all("I go west." in each for each in found.relayed)


@pytest.mark.parametrize(("program", "situation"), cases(one_in=12))
def test_every_program_is_read(program: Program, situation: str) -> None:
    """In a language and match of its own for each, situations come out as their writers meant."""
    number = NUMBERS[program.name] + 5 * [*SITUATIONS].index(situation)
    check(measure_of(number), program, situation, some_tongues(program, number, 1))


@pytest.mark.parametrize("address", [ALICE, BOB, REFEREE, ALICE.upper(), f"<mailto:{ALICE}>"])
def test_no_address_is_passed_on(measure: Measure, address: str) -> None:
    """A message with an address of anybody here is asked about, or told without that line."""
    lines = (f"message {measure.stage.other}", "Hello Bob,", f"write to {address} instead", "Yours")
    found = heard(measure, lines)
    assert not any(address.casefold() in each.casefold() for each in found.relayed)
    assert found.answers


@pytest.mark.parametrize("line", ["--- nord-1 · referee ---", "--- end of nord-1 · referee ---"])
def test_no_message_is_cut_by_a_frame_in_it(measure: Measure, line: str) -> None:
    """It is told whole, or held and its writer asked; never told in part."""
    lines = (f"message {measure.stage.other}", "What does this mean?", line, "Strange, is it not?")
    found = heard(measure, lines)
    assert found.answers
    assert all("Strange, is it not?" in each for each in found.relayed)


def heard(measure: Measure, lines: Sequence[str]) -> Outcome:
    """Return what becomes of a plain letter of alice's."""
    report = str(measure.stage.report.message["Message-ID"])
    return measure.stage.hear(letter(ALICE, "\n".join(lines), answers=report, number=7))


SHAPED = tuple(each for each in PROGRAMS if each.tongues == EVERY)
"""Programs whose words are those of their language, whatever it is."""


@pytest.mark.parametrize("program", SHAPED, ids=lambda each: each.name)
def test_a_language_nobody_speaks_is_read(measure: Measure, program: Program) -> None:
    """Attributions and headers are known by their shape alone."""
    number = NUMBERS[program.name]
    situations = [each for each in SITUATIONS if possible(program, each)]
    for turn in range(3):
        situation = situations[(number + turn * 5) % len(situations)]
        check(measure, program, situation, [invented(number * 10 + turn)])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("program", SHAPED, ids=lambda each: each.name)
def test_no_invented_language_changes_anything(
    measure: Measure, program: Program, seed: int
) -> None:
    """Twelve languages that nobody speaks, in all situations."""
    for situation in SITUATIONS:
        if possible(program, situation):
            check(measure, program, situation, [invented(1000 + seed)])


@pytest.mark.soak
@pytest.mark.parametrize(("program", "situation"), cases())
def test_every_program_is_read_in_every_language(program: Program, situation: str) -> None:
    """No language of any program changes what is understood, in either game."""
    first = NUMBERS[program.name] + [*SITUATIONS].index(situation)
    for number, code in enumerate(all_tongues(program, 0), start=first):
        check(measure_of(number), program, situation, [code])
