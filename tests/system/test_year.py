"""A small club's year: twelve members, three matches of each game, and whatever can happen to them.

Time passes as fast as the desk works. In the end nothing is lost: every record verifies, and every
member's last mail of every match agrees with its record.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Protocol

import pytest
from support.club import open_club
from support.postgresql import PostgreSQL
from support.year import Member, Year

from referee.desk.archive import record as archive_record
from referee.desk.matches import ledger
from referee.desk.plans import plan as plans_plan
from referee.desk.plans.board import Fix, Undo
from referee.desk.plans.match import End, Pause, Resume
from referee.desk.plans.plan import apply_act, apply_plan
from referee.desk.plans.seat import HandOver
from referee.desk.service import backup
from referee.desk.work import Refused
from referee.games import registry
from referee.games.game import Document
from referee.matches import record
from referee.matches.events import Event
from referee.matches.time.calendar import parse_days_off
from referee.matches.time.pace import Pace
from referee.store.play import matches
from referee.store.store import Store, create_store, open_store

NAMES = (
    "amber", "azure", "birch", "brown", "coral", "denim",
    "ebony", "flint", "green", "hazel", "ivory", "jade",
)  # fmt: skip
GAMES = ("nord", "origo")

WEEK = timedelta(days=7)
BANKED = Pace(bank=timedelta(days=60), increment=timedelta(days=2), late="bot", bot="random")
VERIFIER = Path(__file__).parents[2] / "docs" / "verify_record.py"

LONGEST = timedelta(days=365)


def begin_match(year: Year, game: str, names: Sequence[str], pace: Pace) -> None:
    """Begin a match of four members, in the order of the game's colours."""
    colours = registry.find_installed(game).colours
    seats = [f"{c}={name}@example.test" for c, name in zip(colours, names, strict=False)]
    agreed = {name: getattr(pace, name) for name in pace.__struct_fields__}
    year.club.new_match(game, *seats, **agreed)


def seat_of(year: Year, match: str, name: str) -> str:
    """Return the seat a member holds in a match."""
    return str(year.members[name].known[match].turn["seat"])


def kinds(year: Year, match: str) -> list[str]:
    """Return the kinds of a match's events, with who did them where that is said."""
    found = []
    for event in events(year, match):
        by = event.details.get("by")
        found.append(f"{event.kind} by {by}" if by else event.kind)
    return found


def events(year: Year, match: str) -> list[Event]:
    """Return the log of a match."""
    with year.club.desk.store.reading() as connection:
        rows = matches.events(connection, year.club.match(match).id)
    return [Event.from_document(json.loads(each.body)) for each in rows]


def somebody_is_late_and_replaced(year: Year) -> None:
    """Let one never read his mail again, until the organiser gives his seat to somebody new."""
    year.members["denim"].diligence = 0.0
    year.pass_days(16)
    assert year.club.match("nord-1").to_act == seat_of(year, "nord-1", "denim")
    year.members["lilac"] = Member("lilac", year.members["amber"].diligence)
    taken = HandOver("nord-1", seat_of(year, "nord-1", "denim"), address="lilac@example.test")
    plan = plans_plan.propose(year.club.desk, taken, "no word for two weeks")
    apply_plan(year.club.desk, plan.id)
    year.pass_days(2)
    year.members["denim"].diligence = year.members["amber"].diligence


def somebody_goes_away(year: Year) -> None:
    """Let one say by mail when he will be away; his opponents read it."""
    first = year.now + timedelta(days=1)
    last = first + timedelta(days=13)
    year.members["ebony"].gone = (first, last + timedelta(days=1))
    year.say("ebony", "origo-1", f"away {first:%Y-%m-%d} to {last:%Y-%m-%d}")
    year.pass_days(20)
    others = [year.members[name] for name in ("flint", "green", "hazel")]
    assert any("away until" in text for each in others for text in each.texts)


def a_turn_is_taken_back(year: Year, match: str) -> None:
    """Take a turn back as planned; a plan that is stale by then does nothing."""
    desk = year.club.desk
    year.pass_days(1)
    plan = plans_plan.propose(desk, Undo(match, revealed=True), "red hit the wrong key")
    stale = plans_plan.propose(desk, Undo(match, revealed=True), "once more")
    apply_plan(desk, plan.id)
    with pytest.raises(Refused, match="moved on"):
        apply_plan(desk, stale.id)
    year.pass_days(3)


def a_position_is_fixed(year: Year, match: str) -> None:
    """Put a worker where its player meant it to stand; a fix that loses it is refused."""
    desk = year.club.desk
    before = position(year, match)
    workers: Document = before["workers"]  # type: ignore[assignment]
    space, worker = min(workers.items())
    rest = {key: value for key, value in workers.items() if key != space}
    with pytest.raises(Refused, match="does not accept"):
        plans_plan.propose(desk, Fix(match, {**before, "workers": rest}), "a slip")
    for free in (f"{row}{column}" for row in "CDEFGHIJKLM" for column in range(3, 13)):
        try:
            moved = Fix(match, {**before, "workers": {**rest, free: worker}})
            plan = plans_plan.propose(desk, moved, f"{free} was meant, not {space}")
        except Refused:
            continue
        apply_plan(desk, plan.id)
        break
    assert position(year, match) != before
    year.pass_days(3)


def position(year: Year, match: str) -> Document:
    """Return the position of a match as the organiser sees it."""
    with year.club.desk.reading() as change:
        row = year.club.match(match)
        live = ledger.load_match(change, row).live
    return live.game.dump(live.position)


def the_referee_is_out(year: Year) -> None:
    """Let nobody poll for four days; then every clock is given the time back, publicly."""
    year.outage = True
    year.pass_days(4)
    year.outage = False
    year.pass_days(4)


def a_copy_takes_the_place_of_the_database(year: Year, databases: Databases, folder: Path) -> None:
    """Lose three days with a disk; the letters of these days are in the mailbox still."""
    copy = databases.copy("club", folder / "copy")
    year.pass_days(3)
    heads = {name: year.club.match(name).head for name in year.running()}
    year.club.desk.store.close()
    year.reopened(databases.put_back(copy, "club", year.now))
    year.read_again()
    assert {name: year.club.match(name).head for name in heads} == heads
    year.pass_days(2)


def the_club_moves(year: Year, databases: Databases, folder: Path) -> None:
    """Go on in another place, on another host."""
    copy = databases.copy("club", folder / "moving")
    year.club.desk.store.close()
    year.reopened(databases.put_back(copy, "elsewhere", year.now))
    year.read_again()
    year.pass_days(3)


def a_match_rests(year: Year, match: str) -> None:
    """Pause a match for ten days; nothing happens in it meanwhile."""
    desk = year.club.desk
    apply_act(desk, Pause(match), "two of you asked for it")
    turn = year.club.match(match).turn
    year.pass_days(10)
    assert year.club.match(match).turn == turn
    apply_act(desk, Resume(match), "everybody is back")
    year.write_again(match)
    year.pass_days(1)


class Databases(Protocol):
    """The databases of a club, by name."""

    def begin(self) -> Store:
        """Make the database ``club`` and open it."""

    def copy(self, name: str, file: Path) -> Path:
        """Write a copy of a database to a file and return that."""

    def put_back(self, copy: Path, name: str, now: datetime) -> Store:
        """Make a copy the database of a name, there already or not, and open it."""


@dataclass
class OnSqlite:
    """Files of SQLite, copied by the referee itself."""

    folder: Path

    def _url(self, name: str) -> str:
        return f"sqlite:///{self.folder / name}.db"

    def begin(self) -> Store:
        return open_store(self._url("club"))

    def copy(self, name: str, file: Path) -> Path:
        backup.take_backup(self._url(name), file)
        return file

    def put_back(self, copy: Path, name: str, now: datetime) -> Store:
        there = (self.folder / f"{name}.db").exists()
        backup.restore_backup(copy, self._url(name), now, replace=there)
        return open_store(self._url(name))


@dataclass
class OnPostgresql:
    """Databases of PostgreSQL, copied by its own tools."""

    server: PostgreSQL

    def begin(self) -> Store:
        self._make("club")
        create_store(self.server.url("club"))
        return open_store(self.server.url("club"))

    def _make(self, name: str) -> None:
        self.server.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}")

    def copy(self, name: str, file: Path) -> Path:
        self.server.dump(name, file)
        return file

    def put_back(self, copy: Path, name: str, now: datetime) -> Store:
        del now
        self._make(name)
        self.server.fill(name, copy)
        return open_store(self.server.url(name))


@pytest.mark.timeout(1800)
def test_a_club_plays_a_season(tmp_path: Path) -> None:
    """The same happens in the first months, and what is not over then the organiser ends."""
    play_year(OnSqlite(tmp_path), tmp_path, pairs=1, season=timedelta(days=80))


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("pairs", [2, 3])
def test_a_club_plays_its_year(tmp_path: Path, pairs: int) -> None:
    """Late, away, replaced, undone, fixed, out, restored, moved: all records verify in the end.

    ``pairs``: how many matches of each game there are.
    """
    play_year(OnSqlite(tmp_path), tmp_path, pairs)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_a_club_plays_its_year_on_postgresql(tmp_path: Path, postgresql: PostgreSQL) -> None:
    """The same happens on PostgreSQL; its copies are made with pg_dump and pg_restore."""
    play_year(OnPostgresql(postgresql), tmp_path, pairs=1)


def play_year(databases: Databases, folder: Path, pairs: int, season: timedelta = LONGEST) -> None:
    """Let all of it happen to a club with so many matches of each game, within a season."""
    club = open_club(folder)
    year = Year(club, Random(12), {name: Member(name, 0.6) for name in NAMES})
    club.desk.store.close()
    year.reopened(databases.begin())
    began = year.now
    begin_match(year, "nord", NAMES[2:6], Pace(per_turn=WEEK, reminders=(timedelta(days=1),)))
    begin_match(year, "origo", NAMES[6:10], Pace(per_turn=WEEK, late="idle"))
    year.pass_days(6)
    somebody_goes_away(year)
    somebody_is_late_and_replaced(year)
    if pairs > 1:
        begin_match(year, "nord", [*NAMES[10:], *NAMES[:2]], BANKED)
        begin_match(year, "origo", NAMES[2:6], BANKED)
    year.pass_days(5)
    mended = f"nord-{min(pairs, 2)}"
    a_turn_is_taken_back(year, mended)
    a_position_is_fixed(year, mended)
    the_referee_is_out(year)
    a_copy_takes_the_place_of_the_database(year, databases, folder)
    if pairs == 3:
        weekends = Pace(per_turn=WEEK, days_off=parse_days_off("weekends"))
        begin_match(year, "nord", NAMES[6:10], weekends)
        begin_match(year, "origo", [*NAMES[10:], *NAMES[:2]], Pace(per_turn=WEEK))
        year.pass_days(5)
    a_match_rests(year, f"origo-{pairs}")
    the_club_moves(year, databases, folder)
    while year.running() and year.now < began + season:
        year.pass_days(1)
    if season < LONGEST:
        for match in year.running():
            apply_act(year.club.desk, End(match), "the season is over")
        year.pass_days(1)
    assert year.running() == []
    assert_what_happened_stands_in_the_logs(year, pairs)
    assert_records_agree_with_mails(year, folder, pairs)
    year.club.desk.store.close()


def assert_what_happened_stands_in_the_logs(year: Year, pairs: int) -> None:
    """Check that every act of the year is an event of its match, with who did it."""
    assert "seat by organiser" in kinds(year, "nord-1")
    mended = f"nord-{min(pairs, 2)}"
    assert {"undo by organiser", "fix by organiser"} <= set(kinds(year, mended))
    assert {"pause by organiser", "resume by organiser"} <= set(kinds(year, f"origo-{pairs}"))
    for name in ("nord-1", mended, f"origo-{min(pairs, 2)}"):
        assert "extend by referee" in kinds(year, name), name


def assert_records_agree_with_mails(year: Year, folder: Path, pairs: int) -> None:
    """Check that both verifiers accept every record and every last mail has its last head."""
    for game in GAMES:
        for number in range(1, pairs + 1):
            name = f"{game}-{number}"
            with year.club.desk.store.reading() as connection:
                found = archive_record.record_bytes(connection, year.club.match(name))
            file = folder / f"{name}.record.jsonl"
            file.write_bytes(found)
            hashes = [json.loads(line).get("hash") for line in found.splitlines()]
            last = hashes[-2]
            heads = {
                each.name: each.known[name].head
                for each in year.members.values()
                if name in each.known
            }
            verdict = record.verify_record(found.splitlines(), registry.find_installed)
            assert verdict.ok, verdict.message
            assert set(heads.values()) <= set(hashes)
            left_early = {"denim"} if name == "nord-1" else set()
            stayed = heads.keys() - left_early
            assert {heads[each] for each in stayed} == {last}, name
            assert {year.members[each].records[name] for each in stayed} == {found}, name
            subprocess.run(
                [sys.executable, "-I", "-S", str(VERIFIER), str(file)],
                check=True,
                capture_output=True,
                cwd=folder,
            )
