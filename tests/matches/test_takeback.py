"""What is taken back, done again, fixed, reopened: how the match stands then and after a replay."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import pytest
from support.matches import ARRIVAL, GAME, SEED, WHY, walked
from support.mended import WHO, Mended, at_random, opened, swap_of

from referee.games import registry
from referee.games.game import BadDocument
from referee.matches import takeback
from referee.matches.events import (
    UNDO,
    BrokenLog,
    Event,
    current_events,
    redo_goal,
    seal,
    turn_start,
)
from referee.matches.log import AnyMatch, conclude
from referee.matches.match import settle_match
from referee.matches.replay import at_turn, restore_match
from referee.value import replace

pytestmark = pytest.mark.fast

OTHER = bytes(reversed(SEED))


def _restored(
    mended: Mended, events: list[Event] | None = None, *, check: bool = False
) -> AnyMatch:
    match = mended.match
    log = mended.events if events is None else events
    if check:
        return walked(match.game, match.terms, match.seed, log)
    return restore_match(match.game, match.terms, match.seed, log)


def _some(choice: int = 1, most: int = 6) -> Mended:
    mended, rng = opened(GAME, "pebbles-7", 3), Random(choice)
    for _ in range(most):
        mended.play(rng)
    return mended


def test_undone_match_stands_as_before_in_a_turn_that_began_anew() -> None:
    """Position, draws, turn number and seat are those of then; only the turn's beginning is new."""
    mended = _some()
    before = mended.stages[mended.rests()[-3]]
    mended.undo(before.seq)
    now = mended.match
    assert now.turn == replace(before.turn, began=now.seq)
    assert (now.position, now.draws) == (before.position, before.draws)


def test_draw_after_an_undo_gives_the_same_number_again() -> None:
    """Draws are counted along the current line: the set-up taken back deals the same pebbles."""
    mended = opened(GAME, "pebbles-7", 3)
    dealt = [each.event.order for each in mended.log]
    mended.stages[0] = restore_match(GAME, mended.match.terms, SEED, [])
    mended.undo(0)
    again = [each.event for each in mended.log[len(dealt) + 1 :]]
    assert [each.order for each in again] == dealt
    assert [each.draw.number for each in again if each.draw] == list(range(1, len(dealt) + 1))


def test_redo_restores_what_was_taken_back() -> None:
    """Several steps back are done again one by one, as long as only notes were written since."""
    mended = _some()
    ends = [mended.match]
    for _ in range(3):
        mended.undo(mended.rests()[-2])
        mended.note()
        ends.append(mended.match)
    for end in reversed(ends[:-1]):
        assert mended.redo()
        assert mended.match.position == end.position
    assert redo_goal(mended.events) is None


def test_order_ends_what_could_be_done_again() -> None:
    """Who plays on after an undo cannot redo any more."""
    mended = _some()
    mended.undo(mended.rests()[-2])
    mended.play(Random(5))
    assert redo_goal(mended.events) is None


@pytest.mark.parametrize(
    ("name", "count", "choice"),
    [*(("pebbles", 3, each) for each in range(4)), ("nord", 2, 0), ("origo", 2, 1)],
)
def test_random_mending_equals_a_straight_replay(name: str, count: int, choice: int) -> None:
    """Random play with undo, redo and fix: the log replayed, trusted or checked, is the match."""
    game = registry.find_installed(name, 1)
    mended = opened(game, f"{name}-9", count)
    at_random(mended, Random(choice), most=40 if name == "pebbles" else 14, often=0.3)
    assert {each.kind for each in mended.events} >= {"undo"}
    assert _restored(mended) == mended.match
    assert _restored(mended, check=True) == mended.match
    for seq, stage in list(mended.stages.items())[:: 1 if name == "pebbles" else 9]:
        assert _restored(mended, mended.events[:seq]) == stage


def test_current_line_alone_gives_the_same_position() -> None:
    """The orders that stand, played straight on another log, reach the same position and draws."""
    for choice in range(5):
        mended, rng = _some(choice, 3), Random(choice)
        for _ in range(5):
            mended.undo(rng.choice(mended.rests()))
            mended.play(rng)
        straight = restore_match(GAME, mended.match.terms, SEED, [])
        for each in current_events(mended.events):
            if each.kind in {"order", "chance"}:
                position, _ = GAME.apply(straight.position, GAME.parse(each.order or "", "en"))
                straight = dataclasses.replace(straight, position=position)
        assert straight.position == mended.match.position


def test_fix_keeps_the_turn_of_the_same_seat() -> None:
    """The position is set anew; the seat to act goes on in its turn, with a new beginning."""
    mended = _some(1, 2)
    turn, patch = mended.match.turn, swap_of(mended.match, Random(1))
    after, logged = takeback.fix_position(mended.match, patch, ARRIVAL, **WHO)
    assert after.turn == replace(turn, began=after.seq)
    assert logged.event.details == {"patch": patch, **WHY}
    assert logged.event.digest is not None


def test_fix_that_lets_another_act_begins_the_next_turn() -> None:
    """A turn is an unbroken stretch of one seat."""
    mended = _some(1, 2)
    number = mended.match.turn.number
    document = GAME.dump(mended.match.position)
    other = next(each for each in mended.match.terms.seats if each != mended.match.turn.seat)
    key = next(key for key, value in document.items() if value == mended.match.turn.seat)
    after, _ = takeback.fix_position(
        mended.match, [{"op": "replace", "path": f"/{key}", "value": other}], ARRIVAL, **WHO
    )
    assert (after.turn.number, after.turn.seat) == (number + 1, other)


def test_turn_that_a_fix_begins_starts_after_it() -> None:
    """Who takes that turn back keeps what was set; the turn before it is taken back with it."""
    mended = _some(1, 2)
    document = GAME.dump(mended.match.position)
    other = next(seat for seat in mended.match.terms.seats if seat != mended.match.turn.seat)
    key = next(key for key, value in document.items() if value == mended.match.turn.seat)
    before = mended.match
    mended.fix([{"op": "replace", "path": f"/{key}", "value": other}])
    fixed = mended.match
    mended.play(Random(1))
    assert turn_start(mended.events, fixed.turn.number) == fixed.seq
    start = turn_start(mended.events, before.turn.number)
    assert start is not None
    assert start < before.seq + 1
    mended.undo(fixed.seq)
    assert mended.match.position == fixed.position
    assert turn_start(mended.events, fixed.turn.number) == fixed.seq


@pytest.mark.parametrize(("name", "pile"), [("nord", "supply"), ("origo", "draw")])
def test_fix_that_loses_a_piece_is_refused(name: str, pile: str) -> None:
    """A tile or card taken from a pile and put nowhere is missed."""
    game = registry.find_installed(name, 1)
    mended = opened(game, f"{name}-9", 2)
    lying: Any = game.dump(mended.match.position)[pile]
    what, many = next((what, many) for what, many in lying.items() if many)
    patch = [{"op": "replace", "path": f"/{pile}/{what}", "value": many - 1}]
    with pytest.raises(BadDocument, match="there are "):
        takeback.fix_position(mended.match, patch, ARRIVAL, **WHO)


def test_fix_that_loses_a_piece_which_could_leave_the_game_is_refused() -> None:
    """A shield that only an attack removes does not vanish by a slip of the pen."""
    mended = opened(registry.find_installed("origo", 1), "origo-9", 2)
    supply: Any = mended.match.game.dump(mended.match.position)["supply"]
    patch = [{"op": "replace", "path": "/supply/red", "value": supply["red"] - 1}]
    with pytest.raises(BadDocument, match=rf"{supply['red']} shields of red before, "):
        takeback.fix_position(mended.match, patch, ARRIVAL, **WHO)


def test_fix_that_adds_a_piece_is_refused() -> None:
    """There is no more of anything than the box holds."""
    patch: takeback.Patch = [{"op": "replace", "path": "/hands/red", "value": [3, 3, 3]}]
    with pytest.raises(BadDocument, match="no more of weight 3"):
        takeback.fix_position(_some().match, patch, ARRIVAL, **WHO)


@pytest.mark.parametrize(
    "patch",
    [
        [{"op": "remove", "path": "/nowhere"}],
        [{"op": "replace", "path": "", "value": 1}],
        [{"op": "replace", "path": "/hands", "value": None}],
        [{"op": "dance", "path": "/hands"}],
        [{"op": "add", "path": "hands", "value": 1}],
        [1],
    ],
)
def test_patch_that_makes_no_position_is_refused(patch: takeback.Patch) -> None:
    """Whatever a patch holds, the answer is a BadDocument that says what is wrong."""
    with pytest.raises(BadDocument):
        takeback.fix_position(_some().match, patch, ARRIVAL, **WHO)


@pytest.mark.parametrize(
    "step",
    [
        {"op": "replace", "path": "/position/hands/red", "value": [1]},
        {"op": "remove", "path": "/hands/red/77"},
        {"op": "test", "path": "/hands/red", "value": [9]},
    ],
)
def test_patch_that_does_not_apply_tells_nothing_of_the_position(step: dict[str, Any]) -> None:
    """What is refused names the operation and its path, and shows no hand."""
    match = _some().match
    with pytest.raises(BadDocument) as refused:
        takeback.fix_position(match, [step], ARRIVAL, **WHO)
    hand = str(GAME.dump(match.position)["hands"]["red"])
    assert "operation 1" in refused.value.message
    assert hand not in refused.value.message


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ({"op": "put", "path": "/points/red", "value": 1}, "operation 1 cannot put: there are"),
        ({"op": "test", "path": "/points/red", "value": 1}, "operation 1 cannot test: there are"),
        ({"op": [], "path": "/points/red"}, "operation 1 cannot []: there are"),
        ({"path": "/points/red", "value": 1}, "operation 1 has no op: there are add, remove,"),
        ("add", "operation 1 has no op"),
    ],
)
def test_operation_that_is_none_is_answered_with_those_there_are(step: Any, says: str) -> None:
    """A wrong op is named, and not the path."""
    with pytest.raises(BadDocument) as refused:
        takeback.fix_position(_some().match, [step], ARRIVAL, **WHO)
    assert refused.value.message.startswith(says)


def test_seats_of_a_match_cannot_be_fixed() -> None:
    """Another set of players is another match."""
    mended = _some(1, 0)
    other = GAME.start(("red", "blue"), {"hand": 2})
    patch = takeback.patch_between(GAME.dump(mended.match.position), GAME.dump(other))
    with pytest.raises(BadDocument, match="the seats are"):
        takeback.fix_position(mended.match, patch, ARRIVAL, **WHO)


def test_reopened_match_draws_from_the_new_seed() -> None:
    """After the end its seed is known to all, so what chance draws from then on is from another."""
    mended = at_random(opened(GAME, "pebbles-7", 2), Random(1), most=0)
    mended.stages[0] = restore_match(GAME, mended.match.terms, SEED, [])
    dealt = [each.event.order for each in mended.log if each.event.kind == "chance"]
    mended.reopen(0, OTHER)
    again = [each.event.order for each in mended.log if each.event.kind == "chance"]
    assert mended.match.seed == OTHER
    assert again[: len(dealt)] == dealt
    assert again[len(dealt) :] != dealt[: len(again) - len(dealt)]
    assert _restored(mended) == _restored(mended, check=True) == mended.match


def test_end_by_hand_is_taken_back() -> None:
    """A match that an organiser ended goes on where it was."""
    mended = _some()
    rest = mended.match
    result = GAME.result(at_random(_some(), Random(1), most=0).match.position)
    assert result is not None
    points = dict(GAME.points(rest.position))
    ended, logged = conclude(rest, replace(result, ending="stopped", points=points), ARRIVAL)
    mended._add(ended, [logged])
    mended.undo(rest.seq)
    assert (mended.match.ended, mended.match.turn.over) == (None, False)
    assert _restored(mended, check=True) == _restored(mended) == mended.match


def test_board_of_an_earlier_turn_is_that_of_the_current_line() -> None:
    """Of a turn that was taken back and played anew the board is the one it began with anew."""
    mended = _some(1, 8)
    for choice in range(4):
        mended.undo(mended.rests()[-4])
        for _ in range(3):
            if not mended.match.turn.over:
                mended.play(Random(choice))
    match = mended.match
    expected: dict[int, object] = {}
    for seq in [each.seq for each in current_events(mended.events)]:
        stage = mended.stages.get(seq)
        if stage is not None and stage.turn.number not in expected:
            expected[stage.turn.number] = stage.position
    for turn in range(2, match.turn.number + 1):
        found = at_turn(GAME, match.terms, SEED, mended.events, turn)
        assert (found.turn.number, found.position) == (turn, expected[turn])
    assert at_turn(GAME, match.terms, SEED, mended.events, 99) == match


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize(
    ("kind", "details"),
    [
        ("undo", {"to": 99}),
        ("undo", {}),
        ("undo", {"to": "x"}),
        ("undo", {"to": -1}),
        ("redo", {"to": 3}),
        ("fix", {}),
        ("fix", {"patch": [{"op": "remove", "path": "/hands"}]}),
        ("reopen", {"to": 3, "seed": SEED.hex(), "commitment": "00"}),
        ("reopen", {"to": 3, "seed": "zz", "commitment": "00"}),
    ],
)
def test_log_with_a_mending_that_cannot_be_is_broken(
    kind: str, details: dict[str, object], check: bool
) -> None:
    """Going where the match never stood, fixing to what is no position: the event is named."""
    mended = _some()
    match = mended.match
    event = Event(
        match.seq + 1, kind, 1, None, None, False, ARRIVAL, None, match.head, "",
        {**WHO, **details},  # type: ignore[dict-item]
    )  # fmt: skip
    with pytest.raises(BrokenLog) as caught:
        _restored(mended, [*mended.events, seal(event)], check=check)
    assert caught.value.seq == event.seq


def test_settled_set_up_is_no_rest_to_stay_at() -> None:
    """Taken back to before its first draw, a match is at turn 0 until chance has drawn anew."""
    mended = _some()
    start = restore_match(GAME, mended.match.terms, SEED, [])
    after, logged = takeback.stand_again(mended.match, UNDO, start, ARRIVAL, **WHO)
    assert (after.turn.number, after.turn.seat, logged.event.turn) == (0, None, 0)
    assert restore_match(GAME, after.terms, SEED, [*mended.events, logged.event]) == after
    again, _ = settle_match(after, ARRIVAL)
    assert again.turn.number == 1
