"""What is done with any game, shown with a tiny one: a pile of counters, a die and secret notes."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.defaults import Defaults
from referee.games.game import (
    CHANCE,
    Fact,
    Option,
    Order,
    Refusal,
    Result,
    Seat,
    View,
    replace,
)
from referee.games.play import (
    Judged,
    canonical_json,
    complete_options,
    judge,
    merits,
    nearest,
    perft,
    play,
    position_digest,
    random_play,
    refusal,
    replay,
)
from referee.games.playthrough import playthrough
from referee.value import Value

pytestmark = pytest.mark.fast


class Take(Order):
    word: ClassVar[str] = "take"
    many: int
    loudly: str | None = None


class Look(Order):
    word: ClassVar[str] = "look"


class Roll(Order):
    word: ClassVar[str] = "roll"
    pips: int


class Place(Order):
    word: ClassVar[str] = "place"
    spaces: tuple[str, ...]


class Pile(Value):
    """``left`` counters, whose turn it is, how many were taken in the turn, a die to roll."""

    left: int
    turn: Seat = "red"
    taken: int = 0
    rolling: bool = False
    secret: int = 3


class Piles(Defaults):
    """Take one or two counters, twice a turn; after taking the last but three chance rolls.

    Who looks learns a secret, which is news. Who takes the last counter ends the game.
    """

    name = "piles"
    edition = 1
    colours = ("red", "blue")
    seats = range(2, 3)
    max_orders = 50
    endings = frozenset({"empty"})
    options: ClassVar = {
        "left": Option(6, "counters", least=1, most=9),
        "mood": Option("calm", "how it is played", choices=("calm", "loud")),
        "name": Option("pile", "any text"),
    }

    def board(self, seats: Any, options: Any, given: Any, rng: Random) -> dict[str, Any]:
        return {}

    def start(self, seats: Any, options: Any, board: Any = None) -> Pile:
        return Pile(options["left"])

    def to_act(self, position: Pile) -> Seat | None:
        if position.rolling:
            return CHANCE
        return position.turn if position.left else None

    def orders(self, position: Pile) -> list[Order]:
        takes: list[Order] = [Take(many) for many in (1, 2) if many <= position.left]
        return takes if position.left == 1 else [*takes, Look()]

    def chance(self, position: Pile) -> list[tuple[Order, int]]:
        return [(Roll(1), 1), (Roll(2), 3)]

    def refusal(self, position: Pile, order: Order) -> Refusal | None:
        if self.canonical(position, order) in self.orders(position):
            return None
        return Refusal("not-there", "Piles 1", {}, tuple(self.orders(position)))

    def apply(self, position: Pile, order: Order) -> tuple[Pile, tuple[Fact, ...]]:
        match order:
            case Roll(pips):
                return replace(position, rolling=False, secret=pips), (Fact("rolled"),)
            case Look():
                saw = Fact("saw", {"secret": position.secret}, frozenset({position.turn}), True)
                return position, (Fact("looked", {"seat": position.turn}), saw)
            case Take(many):
                left, taken = position.left - many, position.taken + 1
                other = "blue" if position.turn == "red" else "red"
                turn, taken = (position.turn, taken) if taken < 2 else (other, 0)
                after = replace(position, left=left, turn=turn, taken=taken, rolling=left == 3)
                return after, (Fact("took", {"many": many}),)
        raise AssertionError(order)

    def forced(self, position: Pile) -> Order | None:
        return (
            Take(1) if self.to_act(position) not in (None, CHANCE) and position.left == 1 else None
        )

    def view(self, position: Pile, seat: Seat | None) -> View:
        return View(seat, {"left": position.left})

    def points(self, position: Pile) -> dict[Seat, int]:
        return {"red": 0, "blue": 0}

    def result(self, position: Pile) -> Result | None:
        return (
            None if position.left else Result("empty", self.points(position), {"red": 1, "blue": 1})
        )

    def format(self, order: Order, language: str) -> str:
        values = [getattr(order, name, None) for name in ("many", "pips")]
        return " ".join([order.word, *(str(value) for value in values if value is not None)])

    def canonical(self, position: Pile, order: Order) -> Order:
        return replace(order, loudly=None) if isinstance(order, Take) else order

    def dump(self, position: Pile) -> dict[str, Any]:
        return {"left": position.left, "turn": position.turn, "taken": position.taken}


GAME: Any = Piles()

SEED_OF_ALL = 0
"""A seed whose game has red look and take, chance roll, and a forced end."""


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
        ({"ä": "„Öl“ \n"}, '{"ä":"„Öl“ \\n"}'),
        ([], "[]"),
        (10**30, "1" + "0" * 30),
    ],
)
def test_canonical_json(document: Any, text: str) -> None:
    """Keys are sorted, nothing is spaced or escaped that need not be."""
    assert canonical_json(document) == text


@pytest.mark.parametrize(
    "document",
    [0.5, float("nan"), {"a": [1.0]}, {1: "a"}, {None: 1}, (1, 2), {"a": {3}}, "\ud800", b"a"],
)
def test_what_has_no_one_text_is_refused(document: Any) -> None:
    """Fractions, odd keys, half characters and what is no JSON raise ValueError."""
    with pytest.raises(ValueError):
        canonical_json(document)


def test_the_digest_is_of_the_canonical_document() -> None:
    """The digest is the SHA-256 of the canonical JSON of the position's document."""
    expected = "b22b3e5f96403ce99b201e61761649b8da19c89d9b87800f31e24c4e83d2ea99"
    assert position_digest(GAME, Pile(6)) == expected


def test_orders_are_played_while_valid() -> None:
    """Chance included, up to the first that is refused, which is told."""
    orders = [Take(1), Take(2, "loudly"), Roll(2), Take(2), Take(2), Take(1)]
    played = play(GAME, Pile(6), orders)
    assert (Take(1), Take(2), Roll(2), Take(2)) == played.orders
    assert [fact.fact for fact in played.facts] == ["took", "took", "rolled", "took"]
    assert played.refusal is not None
    assert played.refusal.code == "not-there"
    assert played.position == Pile(1, "blue", 1, secret=2)


def test_nothing_played_is_nothing_refused() -> None:
    """An empty list of orders changes nothing."""
    assert play(GAME, Pile(6), []) == Judged(Pile(6), (), ())


@pytest.mark.parametrize(
    ("position", "order", "code"),
    [
        (Pile(6), Take(1), None),
        (Pile(6), Take(7), "not-there"),
        (Pile(0), Take(1), "game-over"),
        (Pile(3, rolling=True), Roll(1), None),
        (Pile(3, rolling=True), Roll(6), "not-an-outcome"),
        (Pile(3, rolling=True), Take(1), "not-an-outcome"),
    ],
)
def test_why_an_order_is_refused(position: Pile, order: Order, code: str | None) -> None:
    """Chance may only do what it lists, and nobody anything after the end."""
    refused = refusal(GAME, position, order)
    assert (refused and refused.code) == code


def test_a_submission_is_judged_until_another_seat_acts() -> None:
    """The seat's turn ends with its second counter; what follows is for later."""
    judged = judge(GAME, Pile(9), "red", [Take(1), Take(1, "loudly"), Take(2), Look()])
    assert (Take(1), Take(1)) == judged.orders
    assert judged.rest == (Take(2), Look())
    assert judged.position == Pile(7, "blue")
    assert judged.refusal is None


def test_a_submission_is_judged_until_chance_acts() -> None:
    """After an order that makes chance act the rest is judged afterwards."""
    judged = judge(GAME, Pile(5), "red", [Take(2), Take(7)])
    assert (judged.orders, judged.rest) == ((Take(2),), (Take(7),))


def test_a_submission_is_judged_until_its_seat_learns_something() -> None:
    """News for the seat end the group, so that nobody looks by sending something half wrong."""
    judged = judge(GAME, Pile(9), "red", [Look(), Take(7)])
    assert (judged.orders, judged.rest) == ((Look(),), (Take(7),))
    assert [fact.fact for fact in judged.facts] == ["looked", "saw"]


def test_a_submission_is_judged_until_the_game_is_over() -> None:
    """Orders after the end are for later, where they will be refused."""
    judged = judge(GAME, Pile(2), "red", [Take(2), Take(1)])
    assert (judged.orders, judged.rest, judged.refusal) == ((Take(2),), (Take(1),), None)


def test_of_a_refused_group_nothing_happens() -> None:
    """Position and facts stay as they were, and the order refused is numbered."""
    judged = judge(GAME, Pile(9), "red", [Take(1), Take(7), Take(1)])
    assert (judged.position, judged.orders, judged.facts) == (Pile(9), (), ())
    assert judged.refusal is not None
    assert (judged.refusal.code, judged.at, judged.rest) == ("not-there", 1, ())


@pytest.mark.parametrize(
    ("position", "seat", "actor"),
    [
        (Pile(9), "blue", "red"),
        (Pile(3, rolling=True), "red", "chance"),
        (Pile(3, rolling=True), CHANCE, "chance"),
        (Pile(0), "red", None),
    ],
)
def test_who_is_not_to_act_is_refused(position: Pile, seat: Seat, actor: Seat | None) -> None:
    """Out of turn, while chance acts, in chance's name or after the end nothing is played."""
    judged = judge(GAME, position, seat, [Take(1)])
    assert judged.refusal is not None
    assert (judged.refusal.code, judged.refusal.fields) == ("not-your-turn", {"seat": actor})
    assert (judged.position, judged.at) == (position, 0)


def test_no_orders_are_judged_to_nothing() -> None:
    """An empty submission changes nothing and refuses nothing."""
    judged = judge(GAME, Pile(9), "blue", [])
    assert (judged.position, judged.orders, judged.refusal, judged.at) == (Pile(9), (), None, None)


def test_a_replay_leads_to_the_same_position() -> None:
    """The orders that were played lead where they led."""
    orders = [Take(1), Take(2), Roll(2), Take(2)]
    assert replay(GAME, Pile(6), orders) == play(GAME, Pile(6), orders).position


def test_the_nearest_orders_are_of_the_same_kind_with_few_differences() -> None:
    """Suggestions share kind and words with what was wanted; equals stay as listed."""
    listed = [
        Look(),
        Place(("A1",)),
        Place(("D6", "D7")),
        Place(("D6",)),
        Place(("D8", "E8")),
        Take(1),
    ]
    assert nearest(Place(("D6", "D8")), listed)[:4] == (
        Place(("D6",)),
        Place(("D6", "D7")),
        Place(("D8", "E8")),
        Place(("A1",)),
    )


def test_orders_of_other_kinds_come_last_and_ten_are_enough() -> None:
    """Of another kind are named when nothing else is left, at most ten in all."""
    assert nearest(Look(), [Take(1), Look()]) == (Look(), Take(1))
    assert len(nearest(Look(), [Take(many) for many in range(20)])) == 10


def test_options_are_completed_with_defaults() -> None:
    assert complete_options(GAME, {"left": 9}) == {"left": 9, "mood": "calm", "name": "pile"}


@pytest.mark.parametrize(
    ("given_options", "message"),
    [
        ({"speed": 1}, "no option 'speed'; there are: left, mood, name"),
        ({"left": "six"}, "a value like 6"),
        ({"left": True}, "a value like 6"),
        ({"left": 10}, "from 1 to 9"),
        ({"left": 0}, "from 1 to 9"),
        ({"mood": "wild"}, "one of calm, loud"),
    ],
)
def test_options_that_do_not_fit_are_refused(given_options: Any, message: str) -> None:
    """Unknown names, other kinds of value and values out of bounds name what would be right."""
    with pytest.raises(ValueError, match=message):
        complete_options(GAME, given_options)


def test_a_random_game_goes_on_to_the_end() -> None:
    """Each step goes on from the one before."""
    steps = list(random_play(GAME, Pile(9), Random(1)))
    assert all(one.after == two.position for one, two in pairwise(steps))
    assert GAME.to_act(steps[-1].after) is None


def test_chance_keeps_its_weights_in_random_games() -> None:
    """An outcome three times as heavy comes three times as often."""
    rolling, rng = Pile(3, rolling=True), Random(2)
    pips = [next(random_play(GAME, rolling, rng)).order for _ in range(4000)]
    assert 2850 < pips.count(Roll(2)) < 3150


@pytest.mark.parametrize(
    ("position", "depth", "count"),
    [
        (Pile(2), 0, 1),
        (Pile(2), 1, 3),
        (Pile(2), 2, 4),
        (Pile(2), 3, 4),
        (Pile(1), 2, 0),
        (Pile(3, rolling=True), 1, 2),
        (Pile(3, rolling=True), 2, 6),
    ],
)
def test_perft_counts_sequences_of_orders(position: Pile, depth: int, count: int) -> None:
    """Games that are over earlier do not count; outcomes of chance do."""
    assert perft(GAME, position, depth) == count


@given(st.integers(min_value=0, max_value=10**6))
def test_a_playthrough_is_settled_by_its_seed(seed: int) -> None:
    """The same seed gives the same text, which ends with the result."""
    options = complete_options(GAME)
    text = playthrough(GAME, ("red", "blue"), options, seed)
    assert text == playthrough(GAME, ("red", "blue"), options, seed)
    assert text.splitlines()[-1].startswith(("result empty", "unfinished"))


def test_a_playthrough_tells_orders_facts_audiences_and_digests() -> None:
    """What is compared line by line holds all that may change."""
    lines = playthrough(GAME, ("red", "blue"), complete_options(GAME), SEED_OF_ALL).splitlines()
    assert lines[0] == "game piles edition 1"
    assert any(line.endswith("red take 1 (of 3)") for line in lines)
    assert '  saw {"secret":3} to red, news' in lines
    assert "7 blue take 1 (of 1) forced" in lines
    assert any(line.startswith("  digest ") for line in lines)
    assert any(line == 'view spectator {"left":0}' for line in lines)


def test_points_are_worth_less_than_none_where_the_fewest_win() -> None:
    """Whoever compares them need not know which of the two a game is."""

    class Scored(Piles):
        def points(self, position: Pile) -> dict[Seat, int]:
            return {"red": 3, "blue": 0}

    class Bad(Scored):
        fewest = True

    most, fewest = merits(Scored(), Pile(6)), merits(Bad(), Pile(6))
    assert most["red"] > most["blue"]
    assert fewest["red"] < fewest["blue"]
