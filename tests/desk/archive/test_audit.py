"""The audit replays what is stored and names what does not follow from the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, text
from support.archived import by_bots, by_mail, club_in, finish
from support.club import Club

from referee.desk.archive import audit
from referee.desk.archive.audit import Audited, Progress
from referee.store.play import matches

Damage = Callable[[Connection], Any]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """Return a club with one match, which is over; nothing is left of what a test does to it."""
    with club_in(tmp_path_factory.mktemp("ended")) as club:
        by_bots(club, "pebbles")
        yield club


def audited(club: Club, name: str) -> Audited:
    """Return what the audit finds in one match."""
    with club.desk.reading() as change:
        return audit.audit_match(change, club.match(name))


@pytest.mark.parametrize("game", ["pebbles", "nord"])
def test_sound_matches_are_sound(club: Club, game: str) -> None:
    """Matches that are over and that run, with standing orders too, pass."""
    over, running = by_bots(club, game), by_mail(club, game, most=5)
    for name in (over, running):
        found = audited(club, name)
        assert (found.fault, found.pruned) == (None, False)
        assert found.orders > 0


def sql(statement: str) -> Damage:
    """Return what damages the database by a statement."""
    return lambda connection: connection.execute(text(statement))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE events SET body = replace(body, 'false', 'true')", "event 1"),
        ("UPDATE events SET body = substr(body, 1, 10) WHERE seq = 3", "event 3: its text"),
        ("UPDATE events SET body = '[]' WHERE seq = 2", "event 2: its text"),
        ("UPDATE events SET facts = '[]'", "facts"),
        ("UPDATE events SET seat = 'blue' WHERE seat = 'red'", "column seat"),
        ("UPDATE events SET hash = upper(hash)", "column hash"),
        ("DELETE FROM events WHERE seq = 4", "event 5"),
        ("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)", "seq"),
        ("UPDATE matches SET head = 'ff'", "head"),
        ("UPDATE matches SET draws = draws + 1", "draws"),
        ("UPDATE matches SET result = '{}'", "result"),
        ("UPDATE matches SET seed = x'01'", "event 1"),
        ("UPDATE matches SET commitment = 'ff'", "seed"),
        ("UPDATE matches SET header_hash = 'ff'", "header_hash"),
        ("UPDATE matches SET state = 'running'", "over by its log"),
        ("UPDATE matches SET edition = 7", "cannot be replayed"),
        ("UPDATE snapshots SET position = '{}'", "position"),
        ("UPDATE snapshots SET seq = seq + 1", "position"),
        ("UPDATE turns SET seat = 'red'", "turn"),
        ("DELETE FROM turns WHERE number = 2", "turn 2"),
        ("UPDATE turns SET state = 'open'", "turns that are open"),
    ],
)
def test_damage_is_found(ended: Club, damage: str, said: str) -> None:
    """Whatever is changed in the database behind the referee's back is named."""
    with ended.desk.writing() as change:
        undone = change.connection.begin_nested()
        sql(damage)(change.connection)
        row = matches.get_match(change.connection, 1)
        fault = audit.audit_match(change, row).fault
        undone.rollback()
    assert said in str(fault)


def test_faults_of_a_running_match_show_no_secret(club: Club) -> None:
    """What is wrong in a match with secrets is named without its value."""
    name = by_mail(club, "nord", most=4)
    with club.desk.store.writing() as connection:
        sql("UPDATE events SET body = replace(body, 'deal red', 'deal green')")(connection)
    fault = audited(club, name).fault
    assert fault is not None
    assert "deal" not in fault
    with club.desk.store.writing() as connection:
        sql("UPDATE events SET body = replace(body, 'deal green', 'deal red')")(connection)
        sql("UPDATE events SET facts = '[]' WHERE seq = 1")(connection)
    assert audited(club, name).fault == "event 1: facts is not what the log says"


def test_interrupted_audit_goes_on(club: Club) -> None:
    """What was kept of an audit is where the next one begins, faults found before included."""
    names = [by_bots(club, "pebbles") for _ in range(3)]
    with club.desk.store.writing() as connection:
        sql("UPDATE turns SET seat = 'red' WHERE match_id = 1")(connection)
    going = audit.audit_matches(club.desk, Progress())
    progress, first = next(going)
    going.close()
    audit.keep_progress(club.desk, progress)
    kept = audit.interrupted_audit(club.desk)
    assert kept == progress
    rest = list(audit.audit_matches(club.desk, kept))
    assert [first.match, *(found.match for _, found in rest)] == names
    last = rest[-1][0]
    assert (last.matches, [match for match, _ in last.faults]) == (3, [names[0]])
    audit.keep_progress(club.desk, None)
    assert audit.interrupted_audit(club.desk) is None


def test_audit_does_not_disturb_play(club: Club) -> None:
    """A match that was looked at goes on as if nothing had been."""
    row = club.new_match("pebbles", "red=bot:random", "blue=bot:random")
    assert audited(club, row.name).fault is None
    finish(club, row.name)
    assert audited(club, row.name).fault is None
