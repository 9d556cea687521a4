"""Two clubs: one that plays, and one that gets what is brought from there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.archived import club_in
from support.club import Club


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Return a club with nobody in it yet."""
    with club_in(tmp_path / "here") as found:
        yield found


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Club]:
    """Return another club, on a database of its own."""
    with club_in(tmp_path / "there") as found:
        yield found
