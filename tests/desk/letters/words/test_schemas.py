"""Faults of JSON submissions: each with its place, and of the shape that was meant."""

from __future__ import annotations

from typing import Any

import pytest

from referee.desk.letters.words.places import LONGEST, SchemaFault, schema_faults
from referee.games import registry

pytestmark = pytest.mark.fast

GAME = registry.find_installed("pebbles")


def places(faults: object) -> list[str]:
    """Return where faults are."""
    assert not isinstance(faults, SchemaFault)
    return sorted(each.path for each in faults)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"orders": ["pass"]}, []),
        ({"code": "K7PQ-M2XD", "orders": [{"order": "pass"}]}, []),
        ({}, ["$"]),
        ({"orders": "pass"}, ["$.orders"]),
        ({"orders": [7]}, ["$.orders[0]"]),
        ({"orders": ["pass"], "extra": 1}, ["$"]),
        ({"orders": []}, ["$.orders"]),
    ],
)
def test_a_submission_is_checked_apart_from_its_orders(
    document: dict[str, Any], where: list[str]
) -> None:
    """Every fault has a path that leads to it."""
    assert places(schema_faults(None, document)) == where


@pytest.mark.parametrize(
    ("order", "where"),
    [
        ({"order": "pass"}, []),
        ({"order": "put", "weight": "heavy", "space": "A1"}, ["$.orders[2].weight"]),
        ({"order": "put", "weight": "heavy", "space": 7},
         ["$.orders[2].space", "$.orders[2].weight"]),
        ({"order": "put"}, ["$.orders[2]"]),
        ({"order": "dance"}, ["$.orders[2]"]),
        ([], ["$.orders[2]"]),
    ],
)  # fmt: skip
def test_the_faults_of_an_order_are_those_of_the_order_that_was_meant(
    order: object, where: list[str]
) -> None:
    """What it lacks to be another one is not told."""
    assert places(schema_faults(GAME, order, "$.orders[2]")) == where  # type: ignore[arg-type]


def test_a_long_value_is_quoted_in_part() -> None:
    """Whatever stands in a letter, the answer stays short."""
    [fault] = schema_faults(GAME, {"order": "x" * 100_000}, "$")
    assert len(str(fault.fields["value"])) == LONGEST + 1
