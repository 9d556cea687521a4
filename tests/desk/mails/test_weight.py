"""The bytes of a whole report: telephones fetch it over the air, and many lie in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.archived import club_in
from support.pictures import SHOWN, TURNS, report_of
from support.thorough import some

MOST_BYTES = 100_000


@pytest.mark.parametrize("game", some(["nord"], sorted(SHOWN.keys() - {"nord"})))
def test_a_report_with_picture_and_page_weighs_less_than_100_kb(tmp_path: Path, game: str) -> None:
    """Half a game on, with three at the table: all tables are filled by then."""
    with club_in(tmp_path / "club") as club:
        club.settle(pictures=True)
        report = report_of(club, game, SHOWN[game], TURNS[game])
    parts = [part.get_content_type() for part in report.message.walk()]
    assert parts.count("image/png") == 1
    assert parts.count("text/html") == 2
    assert len(report.message.as_bytes()) < MOST_BYTES
