"""A browser for mails and the composer's page, and players who click."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.browser import Browser, chromium
from support.clicking import Hand


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a browser that all tests share."""
    with chromium() as found:
        yield found


@pytest.fixture
def mouse(browser: Browser, tmp_path: Path) -> Hand:
    """Return a hand on a mouse."""
    return Hand(browser, tmp_path)
