"""The rules of Pebbles, case by case."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("referee_pebbles", reason="pip install -e tests/pebbles")

from referee_pebbles import FIRST, SECOND

from referee.games.game import BadDocument, Fact
from referee.games.play import complete_options, judge, perft, play
from referee.games.policies import Expired

pytestmark = pytest.mark.fast

GAME: Any = FIRST


def position(**given: Any) -> Any:
    """Return a position of two seats with full hands, red to act."""
    return GAME.load({"game": "pebbles", "hands": {"red": [1, 3], "blue": [1, 2]}, **given})


def texts(*lines: str) -> list[Any]:
    return [GAME.parse(line, "en") for line in lines]


@pytest.mark.parametrize(("depth", "count"), [(1, 3), (2, 9), (3, 27)])
def test_perft_on_a_board_of_one_cell(depth: int, count: int) -> None:
    """Three weights for each of two hands; then put, peek or pass (Pebbles 1 to 4)."""
    options = complete_options(GAME, {"hand": 1})
    start = GAME.start(("red", "blue"), options, {"rows": 1, "columns": 1})
    assert perft(GAME, start, depth) == count


def test_after_putting_one_draws() -> None:
    """Chance draws for who has put; then the next seat acts (Pebbles 2)."""
    played = play(GAME, position(), texts("put 3 A1", "draw red 1"))
    assert played.refusal is None
    assert (GAME.to_act(played.position), played.position.hand("red")) == ("blue", (1, 1))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("put 2 A1", "not-held"),
        ("put 3 A2", "not-open"),
        ("put 3", "which-space"),
        ("peek red", "nobody"),
        ("peek green", "nobody"),
        ("draw red 1", "not-yours"),
    ],
)
def test_what_may_not_be_done(line: str, code: str) -> None:
    """Each refusal says which rule it is about (Pebbles 2 and 3)."""
    refusal = GAME.refusal(position(), *texts(line))
    assert refusal is not None
    assert refusal.code == code


def test_the_only_open_cell_need_not_be_said() -> None:
    """On one row the cell is clear; the order's canonical form leaves it out (Pebbles 2)."""
    (order,) = texts("put 3 A1")
    creek = position(board={"rows": 1, "columns": 5})
    assert texts("put 3") == [GAME.canonical(creek, order)]


def test_peeking_tells_only_who_peeks_and_is_news() -> None:
    """What follows is judged afterwards; a pebble put since is forgotten (Pebbles 3)."""
    judged = judge(GAME, position(), "red", texts("peek blue", "put 3 A1"))
    assert judged.rest == tuple(texts("put 3 A1"))
    assert judged.facts[-1] == Fact(
        "saw", {"seat": "blue", "hand": [1, 2]}, frozenset({"red"}), news=True
    )
    after = play(GAME, judged.position, texts("put 3 A1", "draw red 1", "put 2 A2")).position
    assert GAME.view(after, "red").document["seen"] == {"seat": "blue", "hand": [1]}
    assert GAME.view(after, "blue").document["seen"] is None


def test_one_peeks_once() -> None:
    """A second look is refused (Pebbles 3)."""
    played = play(GAME, position(), texts("peek blue", "peek blue"))
    assert played.refusal is not None
    assert played.refusal.code == "peeked"


def test_who_holds_nothing_must_pass() -> None:
    """The pass is forced, because everybody sees how many pebbles one holds (Pebbles 4)."""
    stones = {f"A{n}": {"seat": "blue", "weight": 1} for n in range(1, 6)}
    stones |= {f"B{n}": {"seat": "blue", "weight": 2} for n in range(1, 5)}
    last = position(hands={"red": [], "blue": [3, 3]}, stones=stones)
    assert [GAME.forced(last)] == list(GAME.orders(last)) == texts("pass")


@pytest.mark.parametrize(("game", "points"), [(FIRST, 5), (SECOND, 7)])
def test_the_last_row_counts_double_in_edition_2(game: Any, points: int) -> None:
    """Edition 2 counts otherwise (Pebbles 6)."""
    stones = {"A1": {"seat": "red", "weight": 3}, "B1": {"seat": "red", "weight": 2}}
    assert game.points(position(stones=stones))["red"] == points


def test_the_game_ends_when_everybody_has_passed() -> None:
    """Equal points share the first place (Pebbles 5 and 6)."""
    played = play(GAME, position(), texts("pass", "pass"))
    result = GAME.result(played.position)
    assert (result.ending, result.places) == ("passed", {"red": 1, "blue": 1})


@pytest.mark.parametrize("board", [{"rows": 3}, {"columns": 0}, {"columns": "5"}])
def test_a_board_out_of_bounds_is_refused(board: Any) -> None:
    """A board has one or two rows of one to five cells."""
    with pytest.raises(BadDocument):
        GAME.board(("red", "blue"), {"hand": 2}, board, None)


def test_check_tells_what_is_wrong() -> None:
    """More pebbles than there are, a gap in a row and missing parts are faults."""
    stones = {"A2": {"seat": "red", "weight": 3}}
    faults = GAME.check({"hands": {"red": [3, 3]}, "stones": stones})
    told = {fault.path: fault.message for fault in faults}
    assert told["$.hands"] == "the deck has no more of weight 3"
    assert told["$.stones"] == "row A has a gap"
    assert told["$.turn"] == "is missing"


def test_in_edition_2_who_is_peeked_at_is_asked_first() -> None:
    """The turn of who peeks is interrupted until he lets or bars (Pebbles 7)."""
    asked = play(SECOND, position(), texts("peek blue")).position
    assert (SECOND.to_act(asked), SECOND.interrupted(asked)) == ("blue", "red")
    assert [SECOND.format(each, "en") for each in SECOND.orders(asked)] == ["let", "bar 1", "bar 2"]
    let = play(SECOND, asked, texts("let")).position
    assert (SECOND.to_act(let), SECOND.interrupted(let)) == ("red", None)
    assert SECOND.view(let, "red").document["seen"] == {"seat": "blue", "hand": [1, 2]}


def test_in_edition_2_a_peek_is_barred_for_a_pebble() -> None:
    """The pebble goes back, its owner draws, nothing is seen, and the peek is used (Pebbles 7)."""
    barred = play(SECOND, position(), texts("peek blue", "bar 2", "draw blue 2", "peek blue"))
    assert barred.refusal is not None
    assert barred.refusal.code == "peeked"
    assert SECOND.view(barred.position, "red").document["seen"] == {"seat": "blue", "hand": []}
    assert barred.position.hand("blue") == (1, 2)


@pytest.mark.parametrize(
    ("policy", "answer"),
    [("guard up to 1", "bar 1"), ("hüte bis zu 3", "bar 1"), ("guard never", "let")],
)
def test_a_guard_bars_with_the_lightest_pebble_or_lets(policy: str, answer: str) -> None:
    """A guard answers for its seat alone, and ends when nobody is left to peek."""
    guard = SECOND.parse_policy(policy, "en")
    asked = play(SECOND, position(), texts("peek blue")).position
    assert SECOND.follow(asked, "blue", guard) == texts(answer)[0]
    assert SECOND.follow(asked, "red", guard) is None
    let = play(SECOND, asked, texts("let")).position
    assert SECOND.follow(let, "blue", guard) == Expired("guard")


def test_peek_or_pass_passes_when_barred() -> None:
    """The policy waits for the answer, then passes; or ends when something was seen."""
    policy = SECOND.parse_policy("peek blue or pass", "en")
    assert [SECOND.opening(policy)] == texts("peek blue")
    asked = play(SECOND, position(), texts("peek blue")).position
    assert SECOND.follow(asked, "red", policy) is None
    barred = play(SECOND, asked, texts("bar 2", "draw blue 2")).position
    assert [SECOND.follow(barred, "red", policy)] == texts("pass")
    assert SECOND.follow(play(SECOND, asked, texts("let")).position, "red", policy) == Expired(
        "peek"
    )
