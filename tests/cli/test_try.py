"""`referee try` plays orders on a position file and tells what happens, as positions.md says."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

POSITION = {
    "game": "pebbles",
    "edition": 1,
    "seats": ["red", "blue"],
    "turn": "red",
    "hands": {"red": [1, 3], "blue": [2, 2]},
}

COMPLETE = POSITION | {
    "board": {"rows": 2, "columns": 5},
    "hand": 2,
    "stones": {},
    "passed": [],
    "seen": {},
}

pytestmark = pytest.mark.fast

Try = Callable[..., Any]


@pytest.fixture
def attempt(run: Callable[..., Any], tmp_path: Path) -> Try:
    """Return a function that tries a document: its exit status and output."""

    def attempt_document(document: object, *arguments: object) -> Any:
        file = tmp_path / "position.json"
        text = document if isinstance(document, str) else json.dumps(document)
        file.write_text(text, encoding="utf-8")
        return run("try", file, *arguments)

    return attempt_document


@pytest.fixture
def told(attempt: Try) -> Callable[..., dict[str, Any]]:
    """Return a function that tries a document and gives the JSON object it prints."""

    def told_document(document: object, *arguments: object) -> dict[str, Any]:
        ran = attempt(document, "--json", *arguments)
        answer: dict[str, Any] = json.loads(ran.out)
        assert ran.err == ""
        assert (ran.status == 0) == answer["ok"]
        return answer

    return told_document


def test_orders_are_played(told: Callable[..., dict[str, Any]]) -> None:
    """A legal order leads to the next position, with what happened and who is to act."""
    answer = told(POSITION, "--order", "put 3 A1")
    assert answer["to_act"] == "blue"
    assert answer["position"]["stones"] == {"A1": {"seat": "red", "weight": 3}}
    assert answer["facts"][0] == {
        "fact": "put",
        "audience": "all",
        "text": "Red put a pebble of weight 3 on A1.",
        "seat": "red",
        "weight": 3,
        "space": "A1",
    }
    assert answer["result"] is None


def test_a_private_fact_names_its_audience(told: Callable[..., dict[str, Any]]) -> None:
    """A fact that only some may learn lists their seats."""
    facts = told(POSITION, "--order", "peek blue")["facts"]
    saw = next(each for each in facts if each["fact"] == "saw")
    assert (saw["audience"], saw["hand"]) == (["red"], [2, 2])


def test_what_it_writes_it_reads(told: Callable[..., dict[str, Any]]) -> None:
    """The position printed is complete and is read back as itself."""
    position = told(POSITION, "--order", "put 3 A1")["position"]
    assert (position["game"], position["edition"]) == ("pebbles", 1)
    assert told(position)["position"] == position
    assert told(position, "--check") == {"ok": True, "faults": []}


def test_what_show_prints_around_a_position_is_read(told: Callable[..., dict[str, Any]]) -> None:
    """As `match fix` reads it, too."""
    printed = {"match": "pebbles-1", "made_from": "0" * 64, "position": POSITION}
    orders = ("--order", "put 3 A1")
    assert told(printed, *orders) == told(POSITION, *orders)


def test_the_seed_decides_chance(told: Callable[..., dict[str, Any]]) -> None:
    """The same seed draws the same, another one may not; without a seed it is 0."""
    hands = [
        told(POSITION, "--order", "put 3 A1", "--seed", seed)["position"]["hands"]["red"]
        for seed in range(12)
    ]
    again = told(POSITION, "--order", "put 3 A1")["position"]["hands"]["red"]
    assert again == hands[0]
    assert len({tuple(hand) for hand in hands}) > 1


def test_chance_is_drawn_between_orders(told: Callable[..., dict[str, Any]]) -> None:
    answer = told(POSITION, "--order", "put 3 A1", "--order", "put 2 A2")
    assert [each["fact"] for each in answer["facts"]] == ["put", "drawn", "drew"] * 2
    assert answer["to_act"] == "red"


def test_an_outcome_of_chance_may_be_ordered(told: Callable[..., dict[str, Any]]) -> None:
    """What chance does can be given as an order, to see what would follow."""
    for seed in range(5):
        orders = ("--order", "put 3 A1", "--order", "draw red 2")
        answer = told(POSITION, *orders, "--seed", seed)
        assert answer["position"]["hands"]["red"] == [1, 2]


def test_forced_steps_run_after_the_last_order(told: Callable[..., dict[str, Any]]) -> None:
    """After the last order, what is forced is played and told like the rest."""
    lone = COMPLETE | {
        "seats": ["red", "blue", "green"],
        "hand": 1,
        "hands": {"red": [1], "blue": [], "green": [1]},
        "board": {"rows": 2, "columns": 5},
        "stones": {
            "A1": {"seat": "red", "weight": 1},
            "A2": {"seat": "red", "weight": 1},
            "A3": {"seat": "red", "weight": 1},
            "A4": {"seat": "blue", "weight": 2},
            "A5": {"seat": "blue", "weight": 2},
            "B1": {"seat": "blue", "weight": 2},
            "B2": {"seat": "blue", "weight": 2},
            "B3": {"seat": "red", "weight": 3},
            "B4": {"seat": "red", "weight": 3},
        },
    }
    answer = told(lone, "--order", "pass")
    assert answer["position"]["passed"] == ["red", "blue"]
    assert answer["to_act"] == "green"


def test_the_end_has_a_result(told: Callable[..., dict[str, Any]]) -> None:
    """When the last order ends the game, nobody is to act and the result is told."""
    last = COMPLETE | {"passed": ["blue"], "stones": {"A1": {"seat": "blue", "weight": 2}}}
    answer = told(last, "--order", "pass")
    assert answer["to_act"] is None
    assert answer["result"] == {
        "ending": "passed",
        "points": {"red": 0, "blue": 2},
        "places": {"red": 2, "blue": 1},
    }


def test_a_refusal_says_why_and_what_is_legal(told: Callable[..., dict[str, Any]]) -> None:
    """A refused order is named with number, line, reason, rule and at most ten suggestions."""
    answer = told(POSITION, "--order", "peek blue", "--order", " put  2 A1 ")
    refusal = answer["refusal"]
    assert set(answer) == {"ok", "refusal"}
    assert (refusal["order"], refusal["line"]) == (2, "put  2 A1")
    assert (refusal["code"], refusal["rule"]) == ("not-held", "Pebbles 2")
    assert refusal["text"] == "You hold no pebble of that weight."
    assert refusal["legal"][:2] == ["put 1 A1", "put 3 A1"]
    assert len(refusal["legal"]) <= 10


def test_a_seat_out_of_turn_is_refused(told: Callable[..., dict[str, Any]]) -> None:
    refusal = told(POSITION, "--seat", "blue", "--order", "pass")["refusal"]
    assert (refusal["code"], refusal["text"]) == ("not-your-turn", "Red is to act.")


def test_orders_after_the_end_are_refused(told: Callable[..., dict[str, Any]]) -> None:
    """Nobody plays on when the game is over."""
    over = COMPLETE | {"passed": ["red", "blue"]}
    refusal = told(over, "--order", "pass")["refusal"]
    assert (refusal["code"], refusal["text"]) == ("game-over", "The match is over.")


def test_a_view_shows_what_a_seat_may_see(told: Callable[..., dict[str, Any]]) -> None:
    """With --view the position's place is taken by the view, and private facts stay private."""
    answer = told(POSITION, "--order", "peek blue", "--view", "blue")
    assert "position" not in answer
    assert answer["view"]["own"] == [2, 2]
    assert [each["fact"] for each in answer["facts"]] == ["peeked"]


def test_a_spectator_sees_no_hand(told: Callable[..., dict[str, Any]]) -> None:
    """The spectator's view holds no hand and none of its legal orders."""
    answer = told(POSITION, "--view", "spectator")
    assert answer["view"]["own"] is None
    assert answer["legal"] == []


def test_without_orders_it_tells_what_is_legal(told: Callable[..., dict[str, Any]]) -> None:
    answer = told(POSITION)
    assert answer["facts"] == []
    assert answer["legal"] == [
        "put 1 A1", "put 1 B1", "put 3 A1", "put 3 B1", "peek blue", "pass",
    ]  # fmt: skip


def test_orders_come_from_a_file_too(told: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    """A file holds an order per line, blank lines between; single ones follow."""
    file = tmp_path / "orders.txt"
    file.write_text("peek blue\n\nput 3 A1\n", encoding="utf-8")
    answer = told(POSITION, "--orders", file, "--order", "put 2 A2")
    assert [each["fact"] for each in answer["facts"] if each["audience"] == "all"] == [
        "peeked", "put", "drawn", "put", "drawn",
    ]  # fmt: skip


def test_text_shows_the_board_what_happened_and_what_is_legal(attempt: Try) -> None:
    """Without --json people read the board, the facts, and what may be played."""
    ran = attempt(POSITION, "--order", "put 3 A1")
    assert ran.status == 0
    assert ran.out.splitlines()[0].split() == ["1", "2", "3", "4", "5"]
    assert "Red put a pebble of weight 3 on A1." in ran.out
    assert "Blue is to act." in ran.out
    assert "  put 2 A2" in ran.out.splitlines()


def test_text_is_in_the_language_wanted(attempt: Try) -> None:
    """The language of texts can be chosen, and orders of any language are understood."""
    ran = attempt(POSITION, "--order", "lege 3 A1", "--language", "de")
    assert "Blau ist am Zug." in ran.out


def test_a_refusal_as_text_has_status_1(attempt: Try) -> None:
    """As text a refusal is the line, the reason with its rule, and suggestions below."""
    ran = attempt(POSITION, "--order", "put 2 A1")
    lines = ran.out.splitlines()
    assert ran.status == 1
    assert lines[0] == "put 2 A1: You hold no pebble of that weight. (Pebbles 2)"
    assert lines[1] == "  put 1 A1"


def test_check_names_what_is_missing(told: Callable[..., dict[str, Any]], attempt: Try) -> None:
    """--check lists everything that keeps a document from being complete."""
    answer = told(POSITION, "--check")
    assert {"path": "$.board", "message": "is missing"} in answer["faults"]
    ran = attempt(POSITION, "--check")
    assert ran.status == 1
    assert "$.board: is missing" in ran.out.splitlines()


def test_check_counts_pieces(told: Callable[..., dict[str, Any]]) -> None:
    """--check finds more pieces than there are."""
    crowded = COMPLETE | {"hands": {"red": [3, 3], "blue": [3]}}
    (fault,) = told(crowded, "--check")["faults"]
    assert fault["message"] == "the deck has no more of weight 3"


def test_a_complete_document_passes_the_check(attempt: Try) -> None:
    """A complete document that conserves all pieces has status 0."""
    ran = attempt(COMPLETE, "--check")
    assert (ran.status, ran.out) == (0, "complete\n")


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ("{", "is no JSON"),
        ("[]", "$: a position is an object"),
        ("[" * 100_000, "is no JSON"),
        ({"turn": "red"}, "$.game: names the game in quotes"),
        ({"game": "chess"}, "$.game: no game chess is installed"),
        ({"game": "pebbles", "edition": 9}, "$.game: no game pebbles edition 9 is installed"),
        ({"game": "pebbles", "edition": "1"}, "$.edition: is a whole number"),
        (POSITION | {"turn": "purple"}, "$.turn: 'purple' is not one of"),
        (POSITION | {"hands": {"red": [7]}}, "$.hands.red[0]: 7 is not one of"),
        (POSITION | {"stone": {}}, "$: Additional properties are not allowed ('stone'"),
        (POSITION | {"turn": "green"}, "$: not a position of Pebbles"),
    ],
)
def test_an_unreadable_document_is_named_with_its_place(
    attempt: Try, document: object, place: str
) -> None:
    """What cannot be read has status 2 and one line with the place."""
    ran = attempt(document)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("referee: /")
    assert f"position.json: {place}" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_every_wrong_place_is_named(attempt: Try) -> None:
    """Several faults of a document are told together, one line each."""
    ran = attempt(POSITION | {"hand": 9, "hands": {"red": [7], "blue": ["x"]}})
    assert len(ran.err.splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--order", "pass", "--order", "jump"], "--order 2: 'jump' cannot be read: "),
        (["--orders", "/nowhere"], "/nowhere: cannot be read: No such file or directory"),
        (["--seat", "green"], "--seat: 'green' has no seat here; there are: red, blue, chance"),
        (["--view", "x"], "--view: 'x' has no seat here; there are: red, blue, spectator"),
    ],
)
def test_an_unreadable_order_is_named_with_its_place(
    attempt: Try, arguments: list[str], message: str
) -> None:
    """An order or option that cannot be read has status 2, and nothing is played."""
    ran = attempt(POSITION, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"referee: {message}")


def test_a_line_of_a_file_is_named_by_its_number(attempt: Try, tmp_path: Path) -> None:
    file = tmp_path / "orders.txt"
    file.write_text("pass\n\njump\n", encoding="utf-8")
    ran = attempt(POSITION, "--orders", file)
    assert ran.err.startswith(f"referee: {file}:3: 'jump' cannot be read: ")
