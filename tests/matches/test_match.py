"""What a submission does to a match, and what a preview shows."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from support import nord_cases, origo_cases
from support.matches import ARRIVAL, GAME, SEED, STARTED, any_order, orders, played, terms

from referee.games.game import CHANCE, Document, Result
from referee.games.play import position_digest
from referee.matches import croupier
from referee.matches.log import AnyMatch, Turn, annotate, conclude
from referee.matches.match import (
    new_match,
    preview,
    preview_ahead,
    settle_match,
    submit,
)
from referee.matches.trial import begin_match_at
from referee.value import replace

pytestmark = pytest.mark.fast


@pytest.fixture
def match() -> AnyMatch:
    """Return a match of two after its set-up."""
    return new_match(GAME, terms(), SEED)[0]


@pytest.fixture
def alone(match: AnyMatch) -> AnyMatch:
    """Return a match that blue has left, so that red draws and goes on in one turn."""
    match = submit(match, "red", _puts(match), ARRIVAL).match
    return submit(match, "blue", orders("pass"), ARRIVAL).match


def _puts(match: AnyMatch, row: str = "A") -> list:
    """Return an order of the seat to act that puts its lightest pebble."""
    position = match.position
    space = next(each for each in position.open() if each[0] == row)
    return orders(f"put {position.hand(position.turn)[0]} {space}")


def test_beginning_draws_the_set_up_as_turn_nought() -> None:
    """Hands are drawn by chance before turn 1, the last draw bears the digest."""
    match, logged = new_match(GAME, terms(), SEED)
    assert [each.event.kind for each in logged] == ["chance"] * 4
    assert {each.event.turn for each in logged} == {0}
    assert [each.event.digest for each in logged] == [None] * 3 + [
        position_digest(GAME, match.position)
    ]
    assert match.turn == Turn(1, "red", 4, over=False)
    assert (match.seq, match.draws, match.head) == (4, 4, logged[-1].event.hash)


def test_beginning_without_a_set_up_begins_turn_one_at_nought() -> None:
    """A match in which a seat acts first has nothing in its log yet; its head is the header's."""
    given = terms()
    ready = _Ready(new_match(GAME, given, SEED)[0].position)
    match, logged = new_match(ready, given, SEED)  # type: ignore[arg-type]
    assert logged == ()
    assert match.turn == Turn(1, "red", 0, over=False)
    assert match.head == given.header_hash()


class _Ready:
    """The test game from a position where a seat acts."""

    def __init__(self, position: object) -> None:
        self._position = position

    def __getattr__(self, name: str) -> object:
        return getattr(GAME, name)

    def start(self, *_: object) -> object:
        return self._position


def test_draws_are_the_croupiers(match: AnyMatch) -> None:
    """Each draw's event holds all outcomes with weights, and the one the croupier takes."""
    _, logged = new_match(GAME, terms(), SEED)
    for number, each in enumerate(logged, start=1):
        drawn = each.event.draw
        assert drawn is not None
        assert drawn.number == number
        weights = [weight for _, weight in drawn.outcomes]
        taken = croupier.draw_outcome(match.key, "pebbles-7", number, weights)
        assert each.event.order == drawn.outcomes[taken][0]
        assert each.event.arrival is None


def test_words_of_luck_change_the_draws() -> None:
    hands = {new_match(GAME, terms(words={"red": w}), SEED)[0].position.hands for w in "abcdefgh"}
    assert len(hands) > 1


def test_submission_is_logged_with_its_arrival(match: AnyMatch) -> None:
    """An order stands in the log as canonical English text with the letter's arrival."""
    done = submit(match, "red", [GAME.parse("LEGE 1 a1", "de")], ARRIVAL)
    event = done.logged[0].event
    assert (event.kind, event.seat, event.order) == ("order", "red", "put 1 A1")
    assert (event.arrival, event.forced, event.turn, event.seq) == (ARRIVAL, False, 1, 5)
    assert (done.accepted, done.refusal, done.at) == (1, None, None)
    assert not any(each.event.forced for each in done.logged)


def test_chance_after_an_order_belongs_to_its_turn(match: AnyMatch) -> None:
    """The draw after an order ends the turn, bears the digest, and the next turn begins there."""
    done = submit(match, "red", _puts(match), ARRIVAL)
    order, chance = (each.event for each in done.logged)
    assert (order.turn, order.digest) == (1, None)
    assert (chance.turn, chance.seat) == (1, CHANCE)
    assert chance.digest == position_digest(GAME, done.match.position)
    assert done.match.turn == Turn(2, "blue", chance.seq, over=False)


def test_events_form_a_chain(match: AnyMatch) -> None:
    """Each event names the hash before it, the first the header's."""
    _, log = played(terms())
    hashes = [match.terms.header_hash(), *(each.event.hash for each in log)]
    assert [each.event.previous for each in log] == hashes[:-1]


def test_match_is_settled_after_every_submission() -> None:
    """Whatever is played, afterwards a seat has a free choice or the match is over."""
    for choice in range(5):
        match = new_match(GAME, terms(("red", "blue", "green")), SEED)[0]
        rng = Random(choice)
        while not match.turn.over:
            assert GAME.to_act(match.position) == match.turn.seat
            assert GAME.forced(match.position) is None
            match = submit(match, str(match.turn.seat), [any_order(match, rng)], ARRIVAL).match
        assert match.result == GAME.result(match.position)


def test_digest_stands_exactly_where_a_turn_ends() -> None:
    """An event has a digest just when the next order is of another turn, or none comes."""
    for choice in range(5):
        match, log = played(terms(("red", "blue", "green")), choice)
        turns = [each.event.turn for each in log]
        assert match.turn.over
        ends = [now != then for now, then in zip(turns, [*turns[1:], None], strict=True)]
        assert [each.event.digest is not None for each in log] == ends
        assert sorted(set(turns)) == list(range(match.turn.number + 1))


def test_order_of_another_seat_is_refused(match: AnyMatch) -> None:
    """Who is not to act changes nothing."""
    done = submit(match, "blue", orders("pass"), ARRIVAL)
    assert (done.match, done.logged, done.accepted, done.at) == (match, (), 0, 0)
    assert done.refusal is not None
    assert done.refusal.code == "not-your-turn"


def test_refused_group_leaves_the_match_as_it_was(match: AnyMatch) -> None:
    """The first order refused: nothing happened, and the refusal is the game's."""
    done = submit(match, "red", orders("put 3 A2", "pass"), ARRIVAL)
    assert (done.match, done.logged, done.accepted, done.at) == (match, (), 0, 0)
    assert done.refusal is not None
    assert done.refusal.rule == "Pebbles 2"


def test_refusal_in_the_second_group_keeps_the_first(match: AnyMatch) -> None:
    """A peek tells news and stands; the order after it is judged by itself and refused."""
    done = submit(match, "red", orders("peek blue", "put 1 B9"), ARRIVAL)
    assert [each.event.order for each in done.logged] == ["peek blue"]
    assert (done.accepted, done.at) == (1, 1)
    assert done.refusal is not None
    assert done.refusal.code == "not-open"
    assert done.match.turn == match.turn


def test_orders_after_news_are_played_too(match: AnyMatch) -> None:
    """A peek and the turn after it may come in one letter."""
    done = submit(match, "red", [*orders("peek blue"), *_puts(match)], ARRIVAL)
    kinds = [each.event.kind for each in done.logged]
    assert (kinds, done.accepted, done.refusal) == (["order", "order", "chance"], 2, None)
    assert done.match.turn.seat == "blue"


def test_orders_left_when_the_turn_passed_are_refused(match: AnyMatch) -> None:
    """What was played stands; the rest is refused for its own reason, naming who acts now."""
    done = submit(match, "red", [*_puts(match), *orders("pass", "pass")], ARRIVAL)
    assert (done.accepted, done.at) == (1, 1)
    assert done.refusal is not None
    assert (done.refusal.code, done.refusal.fields) == ("turn-passed", {"seat": "blue"})
    assert len(done.logged) == 2


def test_chance_in_the_middle_of_a_turn(alone: AnyMatch) -> None:
    """Orders after a draw are played in the same turn, with the draw between them in the log."""
    first = alone.position.hand("red")
    spaces = alone.position.open()
    done = submit(
        alone,
        "red",
        orders(*(f"put {w} {spaces[1][0]}{i + 1}" for i, w in enumerate(first))),
        ARRIVAL,
    )
    assert [each.event.kind for each in done.logged] == ["order", "chance", "order", "chance"]
    assert {each.event.turn for each in done.logged} == {alone.turn.number}
    assert {each.event.digest for each in done.logged} == {None}
    assert (done.accepted, done.refusal) == (2, None)
    assert done.match.turn == alone.turn


def test_refusal_after_chance_names_the_place_in_the_letter(alone: AnyMatch) -> None:
    """The first order and its draw stand; the index counts from the first order given."""
    done = submit(alone, "red", [*_puts(alone), *orders("put 9 A1", "pass")], ARRIVAL)
    assert [each.event.kind for each in done.logged] == ["order", "chance"]
    assert (done.accepted, done.at) == (1, 1)
    assert done.refusal is not None
    assert done.refusal.code == "not-held"


def test_group_of_one_letter_equals_letters_one_by_one(alone: AnyMatch) -> None:
    """Two orders in one letter come to the same position as each in its own."""
    first, second = alone.position.hand("red")
    lines = orders(f"put {first} B1", f"put {second} B2")
    at_once = submit(alone, "red", lines, ARRIVAL).match
    apart = submit(submit(alone, "red", lines[:1], ARRIVAL).match, "red", lines[1:], ARRIVAL).match
    assert at_once == apart


def _last_pebble() -> AnyMatch:
    """Return a match in which red, alone, holds one pebble and the deck is empty."""
    given = terms(options={"hand": 3})
    match = new_match(GAME, given, SEED)[0]
    match = submit(match, "red", _puts(match), ARRIVAL).match
    match = submit(match, "blue", orders("pass"), ARRIVAL).match
    while len(match.position.hand("red")) > 1:
        row = "A" if len(match.position.open()) > 1 else match.position.open()[0][0]
        match = submit(match, "red", _puts(match, row), ARRIVAL).match
    return match


def test_forced_order_is_played_and_marked() -> None:
    """Without a pebble red must pass: the match does it, with the letter's arrival."""
    match = _last_pebble()
    done = submit(match, "red", _puts(match, "B"), ARRIVAL)
    forced = done.logged[-1].event
    assert (forced.order, forced.forced, forced.arrival) == ("pass", True, ARRIVAL)
    assert sum(each.event.forced for each in done.logged) == 1
    assert (done.accepted, done.match.turn.over) == (1, True)


def test_player_may_write_the_forced_order_himself() -> None:
    """Then it is his, not forced, and not played twice."""
    match = _last_pebble()
    done = submit(match, "red", [*_puts(match, "B"), *orders("pass")], ARRIVAL)
    assert done.logged[-1].event.order == "pass"
    assert (done.accepted, done.refusal) == (2, None)
    assert [each.event.forced for each in done.logged] == [False, False]


def test_order_after_the_end_is_refused() -> None:
    """A finished match takes nothing, and settling it again does nothing."""
    match, _ = played(terms())
    done = submit(match, "red", orders("pass"), ARRIVAL)
    assert done.refusal is not None
    assert (done.refusal.code, done.logged) == ("game-over", ())
    assert settle_match(match, ARRIVAL) == (match, ())
    assert preview(match, "red", orders("pass")).refusal == done.refusal


def test_orders_left_when_the_match_ended_are_refused() -> None:
    match = _last_pebble()
    done = submit(match, "red", [*_puts(match, "B"), *orders("pass", "pass")], ARRIVAL)
    assert (done.accepted, done.at, done.match.turn.over) == (2, 2, True)
    assert done.refusal is not None
    assert done.refusal.code == "game-over"


def test_annotation_moves_the_head_only(match: AnyMatch) -> None:
    """A pause stands in the chain; position, turn and draws stay."""
    after, logged = annotate(match, "pause", ARRIVAL, details={"by": "organiser"})
    assert (after.seq, after.head) == (match.seq + 1, logged.event.hash)
    assert dataclasses.replace(after, seq=match.seq, head=match.head) == match


@pytest.mark.parametrize("kind", ["order", "chance", "undo", "end", "dance"])
def test_what_changes_the_board_is_no_annotation(match: AnyMatch, kind: str) -> None:
    """Only kinds that leave the position alone can be written as annotations."""
    with pytest.raises(ValueError, match="no annotation"):
        annotate(match, kind, ARRIVAL, details={})


def test_a_result_of_mappings_that_nobody_can_change_is_written(match: AnyMatch) -> None:
    """A game may give its points and places as it keeps them."""
    points, places = ({"red": own, "blue": own} for own in (0, 1))
    result = Result("stopped", MappingProxyType(points), MappingProxyType(places))
    _, logged = conclude(match, result, ARRIVAL)
    assert (logged.event.details["points"], logged.event.details["places"]) == (points, places)


def test_organiser_ends_a_match(match: AnyMatch) -> None:
    """The result is the one given; nobody is to act any more; it cannot be ended twice."""
    result = Result("stopped", {"red": 0, "blue": 0}, {"red": 1, "blue": 1})
    after, logged = conclude(match, result, ARRIVAL)
    assert (after.result, after.to_act, after.turn.over) == (result, None, True)
    assert logged.event.digest == position_digest(GAME, match.position)
    assert submit(after, "red", orders("pass"), ARRIVAL).refusal is not None
    with pytest.raises(ValueError, match="points"):
        conclude(match, replace(result, points={"red": 9, "blue": 0}), ARRIVAL)
    with pytest.raises(ValueError, match="place"):
        conclude(match, replace(result, places={"red": 1}), ARRIVAL)
    with pytest.raises(ValueError, match="over already"):
        conclude(after, result, ARRIVAL)


def test_seat_learns_only_its_own_facts(match: AnyMatch) -> None:
    """What red saw by peeking is told to red alone."""
    done = submit(match, "red", orders("peek blue"), ARRIVAL)
    facts = [fact for each in done.logged for fact in each.facts]
    told = {s: [f.fact for f in facts if f.known_to(s)] for s in ("red", "blue", None)}
    assert told == {"red": ["peeked", "saw"], "blue": ["peeked"], None: ["peeked"]}


def test_preview_shows_the_board_after_the_orders(match: AnyMatch) -> None:
    """Orders are tried, the view after them is shown, and nothing happened."""
    shown = preview(match, "red", _puts(match))
    assert list(shown.view.document["stones"]) == ["A1"]  # type: ignore[arg-type, index]
    assert (shown.accepted, shown.refusal) == (1, None)


def test_preview_never_draws(match: AnyMatch) -> None:
    """The draw that would follow is not made; the preview says that it stopped."""
    shown = preview(match, "red", [*_puts(match), *orders("pass")])
    assert len(shown.view.document["own"]) == 1  # type: ignore[arg-type, index]
    assert (shown.accepted, shown.stopped) == (1, True)


def test_preview_stops_before_news(match: AnyMatch) -> None:
    """A peek is not tried: the view says nothing of it."""
    shown = preview(match, "red", [*orders("peek blue"), *_puts(match)])
    assert shown.view == GAME.view(match.position, "red")
    assert (shown.accepted, shown.stopped, shown.news) == (0, True, True)
    assert shown.refusal is None


def test_preview_names_the_order_refused(match: AnyMatch) -> None:
    """As a submission would, and without stopping."""
    shown = preview(match, "red", orders("put 1 B9"))
    done = submit(match, "red", orders("put 1 B9"), ARRIVAL)
    assert (shown.refusal, shown.at, shown.stopped) == (done.refusal, done.at, False)


def test_preview_of_who_is_not_to_act(match: AnyMatch) -> None:
    """The refusal is the submission's, the view one's own."""
    shown = preview(match, "blue", orders("pass"))
    assert shown.view == GAME.view(match.position, "blue")
    assert shown.refusal is not None
    assert shown.refusal.code == "not-your-turn"


def test_preview_of_nothing_is_the_view(match: AnyMatch) -> None:
    """Without orders a preview is the seat's view."""
    shown = preview(match, "red", [])
    assert (shown.view, shown.stopped) == (GAME.view(match.position, "red"), False)


def _resting() -> Iterator[AnyMatch]:
    """Yield matches at every rest of some random games."""
    for choice in range(8):
        match = new_match(GAME, terms(("red", "blue", "green")), SEED)[0]
        rng = Random(choice)
        while not match.turn.over:
            yield match
            match = submit(match, str(match.turn.seat), [any_order(match, rng)], ARRIVAL).match


def test_nobody_learns_by_preview() -> None:
    """With all a seat cannot know dealt anew, each of its previews stays equal."""
    rng, changed = Random(7), 0
    for match in _resting():
        for seat in match.terms.seats:
            other = dataclasses.replace(match, position=GAME.redeal(match.position, seat, rng))
            changed += other.position != match.position
            for _ in range(4):
                lines = [any_order(match, rng), any_order(match, rng), *orders("put 3 A2")]
                assert preview(match, seat, lines) == preview(other, seat, lines)
    assert changed > 100


def test_preview_does_not_depend_on_the_seed() -> None:
    """Another seed, another future: the preview is the same."""
    rng = Random(8)
    for match in _resting():
        other = dataclasses.replace(match, seed=b"x" * 32)
        lines = [any_order(match, rng), any_order(match, rng)]
        seat = str(match.turn.seat)
        assert preview(match, seat, lines) == preview(other, seat, lines)


def test_submission_draws_do_not_depend_on_how_letters_are_cut() -> None:
    """The draws of a line have the same numbers whatever else stands in the log."""
    match = new_match(GAME, terms(), SEED)[0]
    noted, _ = annotate(match, "notice", STARTED, details={})
    one, other = (submit(each, "red", _puts(each), ARRIVAL) for each in (match, noted))
    assert one.match.position == other.match.position
    assert one.match.head != other.match.head


def test_seed_is_not_shown(match: AnyMatch) -> None:
    """A match in a log line or a traceback does not give its seed away."""
    assert repr(SEED) not in repr(match)


BUSY = origo_cases.document(
    shields=origo_cases.owned(red="A1 A2 B1", blue="D7 D8 D9", black="I5"),
    to_act="red",
    hands={"red": ["row:A"], "blue": ["row:E", "row:A", "ship"]},
    turn={"actions": 2, "migrated": True},
)
SAILING = nord_cases.document(
    "~~~~~~~",
    "~SffS~~",
    "~f~~f~~",
    "~f~~~~D",
    hands={"red": {"axe": 1}, "green": {"axe": 1}},
    turn={"played": "axe"},
    settlements={
        "B2": {"jarl": "red", "warriors": {"red": 1}},
        "B5": {"jarl": "green", "warriors": {"green": 2}},
    },
)
OWING = nord_cases.GAME.dump(
    nord_cases.position_after(
        nord_cases.document(
            "SkkS",
            "kk~~",
            "k~~~",
            "S~~D",
            settlements={"A1": nord_cases.posted(red=1)},
            workers={"A3": "green", "C1": "green"},
        ),
        "place A2 B1 B2",
    )
)
"""Red is to choose which of two it attacks."""


@pytest.mark.parametrize(
    ("cases", "document", "seat", "line", "code"),
    [
        (origo_cases, BUSY, "blue", "expand E7 with row:E", None),
        (origo_cases, BUSY, "blue", "migrate D7 C7", None),
        (origo_cases, BUSY, "blue", "pass", None),
        (nord_cases, SAILING, "green", "play axe", None),
        (nord_cases, SAILING, "green", "place A5", None),
        (nord_cases, SAILING, "green", "challenge B2", "too-few-warriors"),
        (nord_cases, OWING, "green", "score", None),
    ],
)
def test_preview_out_of_turn_is_of_a_fresh_turn(
    cases: Any, document: Document, seat: str, line: str, code: str | None
) -> None:
    """What the seat to act has done in its turn does not bind the seat that tries."""
    match = begin_match_at(cases.GAME, cases.load(document), 0)
    shown = preview_ahead(match, seat, [cases.order(line)])
    assert shown is not None
    assert (shown.refusal and shown.refusal.code) == code
