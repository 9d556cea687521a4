"""What orders given in advance do when their moment comes, without any mail."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from support.matches import ARRIVAL, SEED, terms

from referee.value import replace

pytest.importorskip("referee_pebbles", reason="pip install -e tests/pebbles")

from referee_pebbles import SECOND

from referee.games.game import Refusal, Unreadable
from referee.games.policies import Expired
from referee.matches import private
from referee.matches.events import BrokenLog
from referee.matches.log import AnyMatch
from referee.matches.match import new_match, submit
from referee.matches.standing_orders import (
    Acted,
    ListedOrder,
    StandingOrder,
    act_at_rest,
    read_line,
    replaced_by,
    write_line,
)

pytestmark = pytest.mark.fast

GAME: Any = SECOND


@pytest.fixture
def match() -> AnyMatch:
    """Return a match of edition 2, red to act; everybody's hand is set to 1 and 2."""
    begun, _ = new_match(GAME, terms(edition=2), SEED)
    return with_hands(begun, red=(1, 2), blue=(1, 2))


def with_hands(match: AnyMatch, **hands: tuple[int, ...]) -> AnyMatch:
    """Return the match with other hands."""
    held = tuple(hands[seat] for seat in match.position.seats)
    return dataclasses.replace(match, position=replace(match.position, hands=held))


def played(match: AnyMatch, seat: str, *lines: str) -> Any:
    """Return what came of a letter."""
    return submit(match, seat, [GAME.parse(line, "en") for line in lines], ARRIVAL)


def queue(seat: str, *lines: str, number: int = 1) -> StandingOrder:
    return StandingOrder(number, seat, "queue", lines)


def policy(seat: str, line: str, number: int = 1) -> StandingOrder:
    return StandingOrder(number, seat, "policy", (line,))


def rest(seat: str, *lines: str, number: int = 1) -> StandingOrder:
    return StandingOrder(number, seat, "rest", lines)


def acts(match: AnyMatch, *waiting: StandingOrder) -> Acted:
    """Return what standing orders do; they must do something."""
    acted = act_at_rest(match, waiting, ARRIVAL)
    assert acted is not None
    return acted


def texts(acted: Acted) -> list[str | None]:
    """Return the orders played, chance left out."""
    assert acted.done is not None
    return [each.event.order for each in acted.done.logged if each.event.kind == "order"]


def test_a_queue_is_played_one_order_a_turn(match: AnyMatch) -> None:
    """What is left when the turn has passed waits for the next."""
    acted = acts(match, queue("red", "put 1 A1", "put 2 A2"))
    assert (texts(acted), acted.state, acted.left) == (["put 1 A1"], "waiting", ("put 2 A2",))
    assert acted.notes == ()


def test_a_queue_of_another_seat_does_nothing(match: AnyMatch) -> None:
    """Only the seat to act is answered for."""
    assert act_at_rest(match, [queue("blue", "put 1 A1")], ARRIVAL) is None


def test_a_queue_skips_what_has_become_impossible_and_says_so(match: AnyMatch) -> None:
    """The next of the same kind is taken in its place; the owner is told which and why."""
    acted = acts(match, queue("red", "put 3 A1", "put 1 B9", "put 2 B1", "put 1 A1"))
    assert (texts(acted), acted.left) == (["put 2 B1"], ("put 1 A1",))
    assert [(each.code, each.lines) for each in acted.notes] == [
        ("skipped", ("put 3 A1",)),
        ("skipped", ("put 1 B9",)),
    ]
    assert [each.why.code for each in acted.notes if each.why] == ["not-held", "not-open"]


@pytest.mark.parametrize("lines", [("put 3 A1", "pass"), ("put 3 A1", "put 3 B1")])
def test_a_queue_that_cannot_go_on_ends_and_plays_nothing(
    match: AnyMatch, lines: tuple[str, ...]
) -> None:
    """Another kind of order is never played in the place of one that is impossible."""
    acted = acts(match, queue("red", *lines))
    assert (acted.state, acted.left) == ("void", ())
    assert acted.done is not None
    assert acted.done.logged == ()
    (note,) = acted.notes
    assert (note.code, note.lines) == ("refused", lines)
    assert isinstance(note.why, Refusal)
    assert note.to_document()["why"] == {"code": "not-held", "fields": {}}


def test_a_queue_skips_nothing_where_the_turn_goes_on_behind_an_answer(match: AnyMatch) -> None:
    """Another seat acts next, and yet the orders below depend on what was impossible."""
    acted = acts(match, queue("red", "peek green", "peek blue", "put 1 A1"))
    assert acted.state == "void"
    assert acted.done is not None
    assert acted.done.logged == ()


def test_a_queue_used_up_has_ended(match: AnyMatch) -> None:
    """With the last order nothing is left to wait."""
    acted = acts(match, queue("red", "put 1 A1"))
    assert (acted.state, acted.left, acted.notes) == ("used", (), ())


def test_orders_behind_an_interruption_wait(match: AnyMatch) -> None:
    """A letter's orders behind a peek are neither refused nor played before the answer."""
    done = played(match, "red", "peek blue", "put 1 A1")
    assert (done.refusal, done.accepted, done.waiting) == (None, 1, 1)
    assert done.match.to_act == "blue"


def test_what_waits_is_played_when_the_turn_goes_on(match: AnyMatch) -> None:
    """Nothing happens before the answer; after it the rest of the letter is played."""
    asked = played(match, "red", "peek blue").match
    waiting = [rest("red", "put 1 A1")]
    assert act_at_rest(asked, waiting, ARRIVAL) is None
    let = played(asked, "blue", "let").match
    assert texts(acts(let, *waiting)) == ["put 1 A1"]


def test_a_rest_that_became_illegal_is_asked_and_not_guessed(match: AnyMatch) -> None:
    """Nothing of it is played, and the note holds all that was left."""
    let = played(played(match, "red", "peek blue").match, "blue", "let").match
    acted = acts(let, rest("red", "put 3 A1", "put 1 A1"))
    assert acted.state == "void"
    assert [(each.code, each.lines) for each in acted.notes] == [
        ("refused", ("put 3 A1", "put 1 A1"))
    ]


def test_a_rest_whose_turn_has_passed_ends(match: AnyMatch) -> None:
    """When the turn is somebody else's the rest can never be played."""
    acted = acts(played(match, "red", "put 1 A1").match, rest("red", "put 2 A2"))
    assert (acted.state, acted.notes[0].code) == ("void", "passed")


def test_no_queue_is_played_while_a_turn_is_interrupted(match: AnyMatch) -> None:
    """Who is to answer is asked, whatever the queue for the own turn holds."""
    asked = played(match, "red", "peek blue").match
    assert act_at_rest(asked, [queue("blue", "put 1 A1"), queue("red", "pass")], ARRIVAL) is None


def test_the_rest_of_a_letter_goes_before_a_queue(match: AnyMatch) -> None:
    """The queue is for the turns after the one that goes on."""
    let = played(played(match, "red", "peek blue").match, "blue", "let").match
    assert texts(acts(let, queue("red", "pass"), rest("red", "put 1 A1", number=2))) == ["put 1 A1"]


@pytest.mark.parametrize(("line", "answer"), [("guard up to 2", "bar 1"), ("guard never", "let")])
def test_a_policy_answers_as_its_game_says(match: AnyMatch, line: str, answer: str) -> None:
    """The order is logged as an ordinary one of the seat, at the moment it is played."""
    acted = acts(played(match, "red", "peek blue").match, policy("blue", line))
    assert (texts(acted), acted.state) == ([answer], "waiting")
    assert acted.done is not None
    event = acted.done.logged[0].event
    assert (event.seat, event.arrival, event.forced, event.details) == ("blue", ARRIVAL, False, {})


def test_the_latest_policy_of_a_rank_is_asked_first(match: AnyMatch) -> None:
    """What was ordered last counts."""
    asked = played(match, "red", "peek blue").match
    given = (policy("blue", "guard never"), policy("blue", "guard up to 1", number=2))
    assert texts(acts(asked, *given)) == ["bar 1"]


def test_a_policy_that_can_no_longer_apply_ends_with_a_word(match: AnyMatch) -> None:
    """Its end is noted although another seat is to act."""
    let = played(played(match, "red", "peek blue").match, "blue", "let").match
    acted = acts(let, policy("blue", "guard up to 2"))
    assert (acted.state, acted.done) == ("void", None)
    assert acted.notes[0].why == Expired("guard")


def test_only_one_seat_is_looked_at_when_asked(match: AnyMatch) -> None:
    """The end of another's policy is left for later."""
    let = played(played(match, "red", "peek blue").match, "blue", "let").match
    assert act_at_rest(let, [policy("blue", "guard never")], ARRIVAL, only="red") is None


def test_a_listed_line_may_leave_a_policy(match: AnyMatch) -> None:
    """A line that gives an order and a policy does both when its moment comes."""
    acted = acts(match, queue("red", "peek blue or pass"))
    assert texts(acted) == ["peek blue"]
    assert [GAME.format_policy(each, "en") for each in acted.policies] == ["peek blue or pass"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_lines_read_back(language: str) -> None:
    """Orders, policies, and orders with policies are written so that they read back."""
    for line in ("put 1 A1", "guard never", "peek blue or pass"):
        given = read_line(GAME, line)
        assert read_line(GAME, write_line(GAME, given, language), language) == given
    opening = read_line(GAME, "peek blue or pass")
    assert isinstance(opening, ListedOrder)
    assert opening.policy is not None


@pytest.mark.parametrize(
    ("line", "code", "chatter"),
    [("guard 2", "no-guard", False), ("put 1 Z99", "no-space", False), ("hello", None, True)],
)
def test_a_line_that_is_neither_is_told_by_whom_it_was_meant(
    line: str, code: str | None, chatter: bool
) -> None:
    """A fault of a policy is not hidden by its being no order, nor the other way round."""
    with pytest.raises(Unreadable) as caught:
        read_line(GAME, line)
    assert caught.value.chatter is chatter
    assert code in (None, caught.value.code)


def test_a_policy_takes_the_place_of_one_on_its_topic() -> None:
    """Another guard replaces a guard, and nothing else."""
    waiting = [policy("red", "guard never"), queue("red", "pass", number=2)]
    (given,) = [GAME.parse_policy("guard up to 3", "en")]
    assert replaced_by(GAME, given, waiting) == waiting[:1]


def test_a_private_chain_is_its_seats_own_and_holds_together(match: AnyMatch) -> None:
    """Entries follow one another, and no chain can be taken for another's."""
    one = private.next_entry(match, None, private.GIVEN, "red", ARRIVAL, {"lines": ["pass"]})
    two = private.next_entry(match, one, private.CANCELLED, "red", ARRIVAL, {"number": 1})
    private.check_chain(match, "red", [one, two])
    assert private.PrivateEntry.from_document(two.to_document()) == two
    other = private.next_entry(match, None, private.GIVEN, "blue", ARRIVAL, {"lines": ["pass"]})
    assert (other.previous, other.salt) != (one.previous, one.salt)


@pytest.mark.parametrize(
    "change", [{"details": {"lines": ["put 1 A1"]}}, {"seq": 2}, {"salt": "0" * 32}]
)
def test_a_private_chain_changed_later_is_found_out(match: AnyMatch, change: Any) -> None:
    """What somebody ordered in advance cannot be rewritten afterwards."""
    one = private.next_entry(match, None, private.GIVEN, "red", ARRIVAL, {"lines": ["pass"]})
    two = private.next_entry(match, one, private.PLAYED, "red", ARRIVAL, {})
    with pytest.raises(BrokenLog):
        private.check_chain(match, "red", [replace(one, **change), two])


def test_a_private_entry_of_no_kind_is_refused(match: AnyMatch) -> None:
    """Only what the format knows can stand in a chain."""
    with pytest.raises(ValueError, match="kind"):
        private.next_entry(match, None, "gossip", "red", ARRIVAL, {})
