"""What readers were told of is kept with the match, so that no report replays its log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import delete
from support.club import Club, Mail, with_attachment

from referee.desk.desk import Change
from referee.desk.mails import since
from referee.desk.matches import ledger
from referee.games import registry
from referee.matches import replay
from referee.store import tables as t
from referee.store.play import matches
from referee.store.tables.play import MatchRow

pytestmark = pytest.mark.fast

SEATS = {"red": "alice@example.test", "blue": "bob@example.test"}
WATCHER = "carol@example.test"


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the name of a match each time its log is replayed for a report."""
    found: list[str] = []
    whole = ledger.log_of

    def noted(connection: Any, row: Any) -> Any:
        found.append(row.name)
        return whole(connection, row)

    monkeypatch.setattr(since.ledger, "log_of", noted)
    return found


def turns(club: Club, name: str, number: int) -> Iterator[dict[str, Mail]]:
    """Play turns of random length by mail; yield each turn's reports by seat, all delivered."""
    for _ in range(number):
        reports = {}
        for seat, who in SEATS.items():
            reports[seat] = club.last(who, "report")
        yield reports
        acting = club.match(name).to_act or ""
        club.answer(reports[acting], reports[acting].turn_file["legal"][0], SEATS[acting])
        for who in SEATS.values():
            club.mails(who)
        club.work()


def test_no_report_replays_the_log(club: Club, replays: list[str]) -> None:
    """Players, a spectator and somebody who was told long ago are told what has changed."""
    name = club.new_match("pebbles", *(f"{seat}={who}" for seat, who in SEATS.items())).name
    club.work()
    for number, _ in enumerate(turns(club, name, 6)):
        if number == 2:
            add_watcher(club, name)
    assert "Red is to act" in club.last(WATCHER).text
    assert replays == []


def add_watcher(club: Club, name: str) -> None:
    """Let a player who sits nowhere watch a match."""
    other = club.new_match("pebbles", f"red={WATCHER}", "blue=bot:random")
    club.work()
    club.answer(club.last(WATCHER, "report"), f"watch {name}", WATCHER)
    club.mails(WATCHER)
    assert other.name != name


def test_a_report_that_never_left_costs_no_replay(club: Club, replays: list[str]) -> None:
    """The next one goes back to what its reader was told last, which is still kept."""
    name = club.new_match("pebbles", *(f"{seat}={who}" for seat, who in SEATS.items())).name
    club.work()
    for _ in turns(club, name, 2):
        pass
    # The reports of now wait, and those of the next turn take their place.
    acting = club.match(name).to_act or ""
    with club.desk.reading() as change:
        loaded = ledger.load_match(change, club.match(name))
    order = loaded.game.format(next(iter(loaded.game.orders(loaded.live.position))), "en")
    document = {"code": club.code(name, acting), "orders": [order]}
    club.put(with_attachment(SEATS[acting], "", json.dumps(document)))
    club.work()
    assert {club.last(who, "report").kind for who in SEATS.values()} == {"report"}
    assert replays == []


def test_a_log_is_replayed_once_for_all_readers(club: Club, replays: list[str]) -> None:
    """In a database of before nothing is kept; what the replay shows is the same."""
    name = club.new_match("pebbles", *(f"{seat}={who}" for seat, who in SEATS.items())).name
    club.work()
    for _ in turns(club, name, 3):
        pass
    row, seqs = club.match(name), (0, 1, club.match(name).seq - 1)
    with club.desk.writing() as change:
        looks = [look(change, row, seq) for seq in seqs]
        change.connection.execute(delete(t.told_positions))
        loaded = ledger.load_match(change, row)
        hashes = {each.seq: each.hash for each in matches.events(change.connection, row.id)}
        replays.clear()
        for seq, seen in zip(seqs, looks, strict=True):
            found = since.earlier_position(change.connection, loaded, seq, hashes.get(seq), "red")
            assert found == seen
    assert replays == [name]


def look(change: Change, row: MatchRow, seq: int) -> object:
    """Return what red saw after an event, as the rules say."""
    game, terms = registry.find_installed(row.game), ledger.terms_of(row)
    log = ledger.log_of(change.connection, row)
    position = replay.at_event(game, terms, row.seed, log, seq).position
    return game.scene(game.view(position, "red")), game.points(position)
