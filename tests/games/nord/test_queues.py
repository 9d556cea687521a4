"""Queues of Nord over turns in which attacks are owed."""

from __future__ import annotations

import pytest
from support.nord_cases import CASES, document

from referee.matches.log import AnyMatch
from referee.matches.standing_orders import Acted, StandingOrder, act_at_rest

pytestmark = pytest.mark.fast

MOMENT = "2026-11-21T12:00:00Z"
ISLAND = ("~~~~~~~", "~SffS~~", "~f~~f~~", "~f~~~~D")


@pytest.fixture
def match() -> AnyMatch:
    """Return a match in which red owes an attack as soon as B3 and B4 are linked."""
    held = {"B2": {"jarl": "red", "warriors": {"red": 1}}}
    held["B5"] = {"jarl": "green", "warriors": {"green": 1}}
    return CASES.begun(document(*ISLAND, settlements=held))


def acts(match: AnyMatch, *lines: str) -> Acted:
    """Return what a queue of red does."""
    acted = act_at_rest(match, [StandingOrder(1, "red", "queue", lines)], MOMENT)
    assert acted is not None
    return acted


def test_an_attack_without_a_choice_stands_between_two_turns_of_a_queue(match: AnyMatch) -> None:
    """It is played as if it had been written, and the rest waits for the next turn (Nord A2)."""
    written = ("place B3 B4", "attack B2 B5", "place C2", "place D2")
    for lines in (written, (written[0], *written[2:])):
        acted = acts(match, *lines)
        assert (acted.state, acted.left, acted.notes) == ("waiting", written[2:], ())
        assert acted.done is not None
        assert acted.done.match.to_act == "green"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("place B3 B4", "attack B5 B2", "place C2"), "no-warrior-at-start"),
        (("place B3 B5", "challenge B5"), "on-settlement"),
    ],
)
def test_what_goes_wrong_within_a_turn_ends_a_queue(
    match: AnyMatch, lines: tuple[str, ...], why: str
) -> None:
    """An attack that is named is meant for this turn; nothing is played in its place."""
    acted = acts(match, *lines)
    assert [each.why.code for each in acted.notes if each.why] == [why]
    assert acted.state == "void"
    assert acted.done is not None
    assert acted.done.logged == ()
