"""A match whose events are damaged, or whose game is gone, leaves the rest of the archive whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text
from support.archived import by_bots, record_of, written
from support.club import Club

from referee.desk import desk
from referee.desk.archive import audit, prune
from referee.desk.archive.audit import begun_matches
from referee.desk.archive.site.pages import Site, WritingProgress
from referee.games.game import AnyGame
from referee.store.play import matches
from referee.value import replace

BAD = "pebbles-2"


def events_damaged(club: Club) -> None:
    """Damage an event of the bad match."""
    with club.desk.store.writing() as connection:
        connection.execute(text("UPDATE events SET body = '{' WHERE match_id = 2 AND seq = 3"))


def events_lost(club: Club) -> None:
    """Lose an event of the bad match."""
    with club.desk.store.writing() as connection:
        connection.execute(text("DELETE FROM events WHERE match_id = 2 AND seq = 3"))


def game_gone(club: Club) -> None:
    """Let the edition of the bad match be installed no more."""
    with club.desk.store.writing() as connection:
        connection.execute(text("UPDATE matches SET edition = 99 WHERE id = 2"))


def game_fails(club: Club) -> None:
    """Let the package of the bad match's game fail in a way of its own."""

    def find(name: str, edition: int | None) -> AnyGame:
        if edition == 99:
            raise RecursionError(name)
        return desk.find_game(name, edition)

    game_gone(club)
    club.desk = replace(club.desk, find_game=find)


@pytest.fixture(params=[events_damaged, events_lost, game_gone, game_fails])
def three(club: Club, request: pytest.FixtureRequest) -> Club:
    """Return a club with three matches that are over, the second of which is broken."""
    for _ in range(3):
        by_bots(club, "pebbles")
    harm: Callable[[Club], None] = request.param
    harm(club)
    return club


def test_an_audit_goes_on(three: Club) -> None:
    """All others are replayed, and the fault of one is told."""
    *_, (done, _) = audit.audit_matches(three.desk, audit.Progress())
    assert done.matches == 3
    assert [name for name, _ in done.faults] == [BAD]


def test_pages_are_written_of_the_others(three: Club, tmp_path: Path) -> None:
    """What has no page is told, in one line."""
    done, site = WritingProgress(), Site(three.desk, tmp_path, "en")
    for _ in site.write_matches(begun_matches(site.desk), done):
        pass
    site.write_lists(done)
    pages = {each.stem for each in (tmp_path / "matches").iterdir()}
    assert pages >= {"pebbles-1", "pebbles-3"}
    assert [*done.broken] == [BAD]
    assert done.broken[BAD].startswith(f"{BAD} is broken: ")
    assert "\n" not in done.broken[BAD]
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "pebbles-3" in index
    linked = {each.partition('"')[0] for each in index.split('href="matches/')[1:]}
    assert linked == {f"{each}.html" for each in pages}


def test_an_older_page_goes_with_names_that_were_erased(three: Club, tmp_path: Path) -> None:
    """While the names are right the page of a broken match stays as it was."""
    site, page = Site(three.desk, tmp_path, "en"), tmp_path / "matches" / f"{BAD}.html"
    written(site)
    # The names in this one are the same: those of bots.
    old = page.with_name("pebbles-1.html").read_bytes()
    page.write_bytes(old.replace(b'content="referee ', b'content="referee 0', 1))
    written(site)
    assert page.is_file()
    with three.desk.store.writing() as connection:
        matches.set_holder(connection, 2, "red")
    written(site)
    assert not page.exists()
    assert f"matches/{BAD}.html" not in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_pruning_looks_at_the_others(three: Club, tmp_path: Path) -> None:
    """Nothing goes of one whose record cannot be made again."""
    for name in ("pebbles-1", "pebbles-3"):
        (tmp_path / f"{name}.jsonl").write_bytes(record_of(three, name))
    (tmp_path / f"{BAD}.jsonl").write_bytes(record_of(three, "pebbles-1"))
    found = {each.match: each.why for each in prune.candidates(three.desk, tmp_path)}
    assert (found["pebbles-1"], found["pebbles-3"]) == ("", "")
    assert found[BAD] in {"broken", "another record"}
