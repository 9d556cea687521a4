"""The turn file and the schemas of what goes in and out."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from support.matches import GAME, SEED, exported, played, terms

from referee import resources
from referee.matches import turnfile
from referee.matches.log import AnyMatch
from referee.matches.match import new_match
from referee.matches.turnfile import turn_file

pytestmark = pytest.mark.fast

DUE = datetime(2026, 11, 24, 10, tzinfo=UTC)


@pytest.fixture
def match() -> AnyMatch:
    """Return a match at its first turn."""
    return new_match(GAME, terms(), SEED)[0]


def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(resources.schema(name))


@pytest.mark.parametrize("name", ["record", "submission", "turn-file"])
def test_schema_is_valid_and_describes_everything(name: str) -> None:
    """Each schema is one of 2020-12, and every property has a title and a description."""
    schema = resources.schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert [
        path for path, each in _properties(schema, "$") if not {"title", "description"} <= set(each)
    ] == []


def _properties(schema: Any, path: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the schema itself and every property in it, with where it stands."""
    found = [(path, schema)]
    for holder in ("properties", "$defs"):
        for name, each in schema.get(holder, {}).items():
            found += _properties(each, f"{path}.{name}")
    return found


def test_turn_file_of_the_seat_to_act(match: AnyMatch) -> None:
    """It holds view, head, code, due and every legal order as a line."""
    document = turn_file(match, "red", code="K7PQ-M2XD", due=DUE)
    legal = [GAME.format(order, "en") for order in GAME.orders(match.position)]
    assert document == {
        "kind": "turn",
        "referee": 1,
        "match": "pebbles-7",
        "game": "pebbles",
        "edition": 1,
        "turn": 1,
        "seat": "red",
        "to_act": "red",
        "code": "K7PQ-M2XD",
        "head": match.head,
        "due": "2026-11-24T10:00:00Z",
        "view": GAME.view(match.position, "red").document,
        "legal": legal,
        "legal_count": len(legal),
    }


def test_turn_file_of_another_seat_lists_no_orders(match: AnyMatch) -> None:
    """Who is not to act gets his own view and no legal orders."""
    document = turn_file(match, "blue", code="K7PQ-M2XD", due=None)
    assert document["view"] == GAME.view(match.position, "blue").document
    assert (document["legal"], document["legal_count"], document["due"]) == ([], 0, None)


def test_turn_file_lists_no_more_orders_than_it_may(
    match: AnyMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of very many orders the first are listed, and how many there are."""
    monkeypatch.setattr(turnfile, "MOST_LEGAL", 2)
    document = turn_file(match, "red", code="K7PQ-M2XD", due=None)
    orders = GAME.orders(match.position)
    assert document["legal"] == [GAME.format(order, "en") for order in orders[:2]]
    assert document["legal_count"] == len(orders) > 2


@pytest.mark.parametrize("choice", range(3))
def test_turn_files_fit_their_schema(choice: int) -> None:
    """At every stage of a match, for every seat, at its end too."""
    for most in range(30):
        match, _ = played(terms(), choice, most)
        for seat in match.terms.seats:
            document = turn_file(match, seat, code="K7PQ-M2XD", due=DUE)
            assert list(_validator("turn-file").iter_errors(document)) == []


def test_lines_of_a_record_fit_their_schema() -> None:
    """Each line fits just one of header, event and closing line."""
    match, log = played(terms())
    for line in exported(match, log):
        assert list(_validator("record").iter_errors(json.loads(line))) == []


@pytest.mark.parametrize(
    "document",
    [
        {"orders": ["put 1 A1"]},
        {"orders": [{"order": "put", "weight": 1, "space": "A1"}, "pass"]},
        {"match": "pebbles-7", "code": "k7pqm2xd", "turn": 14, "orders": ["pass"] * 100},
    ],
)
def test_submission_fits(document: Any) -> None:
    """Orders are lines or objects; match, code and turn may be said."""
    assert list(_validator("submission").iter_errors(document)) == []


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        {"orders": []},
        {"orders": ["pass"] * 101},
        {"orders": [7]},
        {"orders": [{"weight": 1}]},
        {"orders": [""]},
        {"orders": ["x" * 999]},
        {"orders": ["pass"], "seat": "red"},
        {"orders": ["pass"], "match": "Pebbles 7"},
        {"orders": ["pass"], "turn": 0},
        {"orders": ["pass"], "turn": True},
        {"orders": ["pass"], "code": "K7"},
        {"orders": "pass"},
    ],
)
def test_what_is_no_submission_does_not_fit(document: Any) -> None:
    """Other keys, too many orders and other values are refused."""
    assert list(_validator("submission").iter_errors(document)) != []


def test_turn_file_coming_back_is_no_submission(match: AnyMatch) -> None:
    """Our own attachment, returned unread, cannot be taken for orders."""
    document = turn_file(match, "red", code="K7PQ-M2XD", due=DUE)
    assert list(_validator("submission").iter_errors(document)) != []
