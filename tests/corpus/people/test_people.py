"""Letters as people write them: what becomes of each kind is what the benchmark's page says."""

from __future__ import annotations

import pytest
from support.people import TREE, peoples_letters, table
from support.thorough import some

PAGE = TREE / "benchmarks/letters/README.md"


@pytest.mark.parametrize(
    ("name", "count"), some([("after", 150)], [("before", 200), ("again", 150)])
)
def test_the_page_tells_what_becomes_of_letters(name: str, count: int) -> None:
    """Its table holds every letter of a set, by language and kind."""
    letters = [letter for letter in peoples_letters() if letter.set == name]
    assert len(letters) == count
    _, _, section = PAGE.read_text(encoding="utf-8").partition(f"\n## The set `{name}`\n")
    told = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]
    assert told == list(table(letters))
