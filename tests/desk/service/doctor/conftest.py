"""A club without servers for the checks that need none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.club import Club, open_club


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    """Return a club with nobody in it yet."""
    found = open_club(tmp_path)
    yield found
    found.desk.store.close()
