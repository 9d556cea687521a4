"""A whole combat in one letter, with orders given in advance on both sides."""

from __future__ import annotations

from typing import Any

import pytest
from support.origo_cases import CASES, GAME
from support.origo_club import round_ends
from support.origo_midland import MANY, fight

from referee.games.game import replace
from referee.matches.match import Submitted, submit
from referee.matches.standing_orders import Acted, StandingOrder, act_at_rest

pytestmark = pytest.mark.fast

MOMENT = "2026-11-21T12:00:00Z"


@pytest.fixture
def match() -> Any:
    """Return a match in which black is to act and may attack orange on E7."""
    return CASES.begun(fight(black=MANY, orange=("row:E/F", "people", "land:POL")))


def letter(match: Any, *lines: str) -> Submitted:
    """Return what comes of black's letter."""
    return submit(match, "black", [GAME.parse(line, "en") for line in lines], MOMENT)


def until_rest(match: Any, waiting: list[StandingOrder]) -> tuple[Any, list[str], list[Acted]]:
    """Let standing orders act until none does; return what they played, chance left out."""
    played, done = [], []
    while acted := act_at_rest(match, waiting, MOMENT):
        waiting = [each for each in waiting if each is not acted.standing]
        if acted.state == "waiting":
            waiting.append(replace(acted.standing, lines=acted.left))
        if acted.done is not None:
            match = acted.done.match
            events = [each.event for each in acted.done.logged]
            played += [f"{e.seat} {e.order}" for e in events if e.kind == "order"]
        done.append(acted)
    return match, played, done


def test_what_follows_an_attack_waits_for_the_end_of_the_combat(match: Any) -> None:
    """The second action and the end of the turn are neither refused nor played in between."""
    done = letter(match, "attack E7 with row:E", "migrate E8 F9", "done")
    assert (done.refusal, done.accepted, done.waiting) == (None, 1, 2)
    assert done.match.to_act == "orange"


def test_what_can_never_follow_an_attack_is_refused_at_once(match: Any) -> None:
    """The attack stands, the order is named with its reason, and nothing of the rest waits."""
    done = letter(match, "attack E7 with row:E", "migrate E8 F9", "place C4", "done")
    assert done.refusal is not None
    assert (done.refusal.code, done.at, done.accepted, done.waiting) == ("placing-over", 2, 1, 0)


def test_a_combat_is_fought_in_advance_and_the_turn_goes_on(match: Any) -> None:
    """Orange defends, black pursues; when orange gives up black's letter is played to its end."""
    after = letter(match, "attack E7 with row:E", "done").match
    waiting = [
        StandingOrder(1, "black", "policy", ("attack E7 with row:E up to 2",)),
        StandingOrder(2, "black", "rest", ("done",)),
        StandingOrder(1, "orange", "policy", ("defend POL up to 1",)),
    ]
    after, played, acted = until_rest(after, waiting)
    assert played == [
        "orange add land:POL",
        "black add land:POL",
        "orange yield",
        "black done",
    ]
    assert after.to_act == "red"
    ended = [each.notes[0].lines for each in acted if each.notes]
    assert ended == [("attack E7 with row:E up to 2",)]


def test_who_is_behind_in_his_own_attack_is_asked_before_the_rest(match: Any) -> None:
    """Without a policy the attacker adds or gives up himself; his `done` goes on waiting."""
    after = letter(match, "attack E7 with row:E", "done").match
    waiting = [
        StandingOrder(1, "black", "rest", ("done",)),
        StandingOrder(1, "orange", "policy", ("defend all up to 1",)),
    ]
    after, played, _ = until_rest(after, waiting)
    assert played == ["orange add land:POL"]
    assert after.to_act == "black"


def test_cards_the_letter_adds_are_played_when_he_is_behind(match: Any) -> None:
    """Of what waits, what the combat asks for is played in it."""
    after = letter(match, "attack E7 with row:E", "add col:7", "done")
    assert after.waiting == 2
    waiting = [
        StandingOrder(1, "black", "rest", ("add col:7", "done")),
        StandingOrder(1, "orange", "policy", ("defend all up to 1",)),
    ]
    _, played, _ = until_rest(after.match, waiting)
    assert played == ["orange add land:POL", "black add col:7", "orange yield", "black done"]


def test_a_queue_is_told_at_once_what_can_never_follow_its_attack(match: Any) -> None:
    """As a letter is; nothing of the rest is kept for another turn."""
    queue = StandingOrder(1, "black", "queue", ("attack E7 with row:E", "place C4", "done"))
    acted = act_at_rest(match, [queue], MOMENT)
    assert acted is not None
    assert (acted.state, acted.notes[0].lines) == ("void", ("place C4", "done"))


@pytest.fixture
def naming() -> Any:
    """Return a match in which black's turn ended a round, and red names the start player."""
    ends = round_ends({"red": 3, "blue": 20, "black": 90}, {"red": ["row:A"]})
    named = letter(CASES.begun(ends), "pass").match
    assert named.to_act == "red"
    return named


def test_a_queue_is_for_the_turn_after_a_start_player_is_named(naming: Any) -> None:
    """Nothing of it is played or dropped meanwhile, and no letter is needed to keep it."""
    waiting = [StandingOrder(1, "red", "queue", ("expand A5 with row:A", "done"))]
    assert act_at_rest(naming, waiting, MOMENT) is None
    for first, played in (("red", ["red expand A5 with row:A", "red done"]), ("blue", [])):
        after = submit(naming, "red", [GAME.parse(f"start {first}", "en")], MOMENT).match
        assert until_rest(after, waiting)[1] == played


def test_a_queue_may_name_the_start_player(naming: Any) -> None:
    """What follows waits for the next turn, or is played in it at once."""
    waiting = [StandingOrder(1, "red", "queue", ("start red", "expand A5 with row:A", "done"))]
    after, played, _ = until_rest(naming, waiting)
    assert played == ["red start red", "red expand A5 with row:A", "red done"]
    assert after.to_act == "blue"


def test_a_queue_of_two_turns_waits_between_them_for_the_naming() -> None:
    """Its first turn ends a round, and its seat is to name the start player."""
    ends = round_ends({"red": 30, "blue": 20, "black": 5}, {"black": ["row:A", "row:B"]})
    lines = ("expand A5 with row:A", "done", "expand B5 with row:B", "done")
    match = CASES.begun(ends)
    after, played, acted = until_rest(match, [StandingOrder(1, "black", "queue", lines)])
    assert played == ["black expand A5 with row:A", "black done"]
    assert (after.to_act, acted[-1].left) == ("black", lines[2:])
