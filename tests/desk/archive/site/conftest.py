"""An archive with matches of several games, written once as pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.archived import by_bots, by_mail, club_in, rated, written
from support.browser import Browser, chromium

from referee.desk.archive.site.pages import Site


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of pages: matches of bots that are over, one by mail, one that runs."""
    folder = tmp_path_factory.mktemp("archive")
    with club_in(folder) as club:
        by_bots(club, "pebbles")
        by_bots(club, "nord")
        by_mail(club, "pebbles")
        by_mail(club, "nord", most=4)
        for _ in range(3):
            rated(club)
        written(Site(club.desk, folder / "pages", "en"))
    return folder / "pages"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a browser that all tests share."""
    with chromium() as found:
        yield found
