"""What the ledger keeps beside the events of a match."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from referee.desk.matches import ledger
from referee.games.game import Fact

pytestmark = pytest.mark.fast


def test_facts_are_read_as_they_were_kept() -> None:
    facts = [
        Fact("placed", {"seat": "red", "spaces": ["A1", "B2"]}),
        Fact("drew", {"card": 7}, frozenset({"red", "blue"}), news=True),
    ]
    assert ledger.facts_from_json(ledger.facts_to_json(facts)) == facts


@pytest.mark.parametrize("wrong", [{"a1", "b2"}, b"a1", date(2026, 11, 21), Fact("placed", {})])
def test_facts_that_are_no_json_are_refused(wrong: Any) -> None:
    """They would be kept as something else, and a set in another sequence each time."""
    with pytest.raises(ValueError, match="canonical JSON"):
        ledger.facts_to_json([Fact("placed", {"spaces": wrong})])
