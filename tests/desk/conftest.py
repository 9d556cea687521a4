"""The club every test of the desk meets in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.club import Club, open_club
from support.mending import seated


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Return a club with nobody in it yet."""
    found = open_club(tmp_path)
    yield found
    found.desk.store.close()


@pytest.fixture
def running(club: Club) -> Club:
    """Return a club with a match that rests, everybody told."""
    return seated(club)
