"""Letters as people write them: what becomes of each kind is what the benchmark's page says."""

from __future__ import annotations

from support.people import TREE, peoples_letters, table

PAGE = TREE / "benchmarks/letters/README.md"


def test_the_page_tells_what_becomes_of_letters() -> None:
    """Its table holds every letter, by language and kind."""
    letters = peoples_letters()
    assert len(letters) == 200
    told = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    assert told == list(table(letters))
