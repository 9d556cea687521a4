"""Finished matches come in from their records, whole and once, or are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.archived import by_bots, by_mail, club_in, record_of
from support.club import ALICE, Club
from support.evidence import rewritten
from support.tampering import PROMISED

from referee.desk.archive import audit, take_in
from referee.desk.archive.take_in import BadRecord
from referee.desk.desk import Change
from referee.desk.matches import ledger
from referee.desk.players import add_player
from referee.errors import RefereeError
from referee.games import registry
from referee.games.play import canonical_json
from referee.matches import record
from referee.store.play import matches
from referee.store.tables.people import PlayerRow

GAMES = ["pebbles", "nord"]


def taken(club: Club, data: bytes, **more: Any) -> tuple[str, str]:
    """Import a record; return the name of its match here, and the outcome."""
    found = take_in.read_record(club.desk, data.splitlines())
    with club.desk.writing() as change:
        return take_in.take_record(change, found, **more)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return the lines of a record."""
    with club_in(tmp_path_factory.mktemp("ended")) as club:
        return record_of(club, by_bots(club, "pebbles")).splitlines()


def added(club: Club, connection: Any) -> PlayerRow:
    """Return Alice, who is known at a club from now on."""
    return add_player(
        Change(club.desk, connection), ALICE, name="Alice", language=None, zone=None, format="html"
    )


@pytest.mark.parametrize("game", GAMES)
def test_record_comes_out_as_it_went_in(club: Club, other: Club, game: str) -> None:
    """An imported match exports the same bytes, passes the audit, and stands at its end."""
    name = by_bots(club, game)
    data = record_of(club, name)
    assert taken(other, data)[1] == "taken"
    with other.desk.reading() as change:
        row = other.match(name)
        assert audit.audit_match(change, row).fault is None
        assert ledger.load_match(change, row).live.turn.over
    assert (row.state, row.released, row.agenda_at) == ("over", True, None)
    assert record_of(other, name) == data


def test_record_with_promised_words_comes_out_as_it_went_in(club: Club) -> None:
    """Its header keeps them; the match shows whose words are in its seed."""
    data = PROMISED.read_bytes()
    assert taken(club, data)[1] == "taken"
    row = club.match("pebbles-1")
    assert row.words == {"red": "seven swans"}
    with club.desk.reading() as change:
        assert audit.audit_match(change, row).fault is None
    assert record_of(club, row.name) == data


def test_imported_match_is_at_rest(club: Club, other: Club) -> None:
    """Nobody gets mail because of an imported match, and no bot moves in it."""
    with other.desk.store.writing() as connection:
        alice = added(other, connection)
    name = by_bots(club, "pebbles")
    taken(other, record_of(club, name), holders={"red": alice.id})
    before = other.match(name)
    other.later(days=30)
    assert other.work() == 0
    assert other.mails(ALICE) == []
    assert other.match(name) == before


def test_players_known_here_hold_their_seats(club: Club, other: Club) -> None:
    """A seat named to be a player's is his; any other is nobody's."""
    with other.desk.store.writing() as connection:
        alice = added(other, connection)
    name = by_bots(club, "pebbles")
    taken(other, record_of(club, name), holders={"red": alice.id})
    with other.desk.store.reading() as connection:
        seats = matches.seats(connection, other.match(name).id)
    assert [(each.holder, each.player_id) for each in seats] == [
        ("player", alice.id),
        ("nobody", None),
    ]


def test_second_import_changes_nothing(club: Club, other: Club) -> None:
    """A record that is here already is said to be, also where it was played."""
    name = by_bots(club, "pebbles")
    data = record_of(club, name)
    taken(other, data)
    assert taken(other, data) == (taken(club, data)[0], "there")
    with other.desk.store.reading() as connection:
        assert len(matches.select_matches(connection)) == 1


def test_name_taken_by_another_match(club: Club, other: Club) -> None:
    """Another match of the same name makes the newcomer get a name of its own; it exports alike."""
    name = by_bots(club, "pebbles")
    data = record_of(club, name)
    other.later(hours=1)
    by_bots(other, "pebbles")
    assert taken(other, data)[0] == "pebbles-2"
    assert record_of(other, "pebbles-2") == data


@pytest.mark.parametrize("called", ["nord-7", "pebbles-007", "pebbles-0", "pebbles-" + "9" * 30])
def test_names_that_would_stand_in_the_way_are_not_kept(
    club: Club, lines: list[bytes], called: str
) -> None:
    """A record named like another game's matches, or past counting, gets a name that counts on."""
    header = canonical_json({**json.loads(lines[0]), "match": called})
    assert taken(club, rewritten([header.encode(), *lines[1:]], 0))[0] == "pebbles-1"
    assert by_bots(club, "pebbles") == "pebbles-2"


def test_new_matches_do_not_take_imported_names(club: Club, other: Club) -> None:
    for _ in range(3):
        name = by_bots(club, "pebbles")
    taken(other, record_of(club, name))
    assert by_bots(other, "pebbles") == "pebbles-4"


def test_other_end_of_the_same_match_is_refused(club: Club) -> None:
    """A record with the same header and another course is named as such."""
    name = by_bots(club, "pebbles")
    lines = record_of(club, name).splitlines()
    other = rewritten(lines, kept=12)
    assert record.verify_record(other.splitlines(), registry.find_installed).ok
    with pytest.raises(BadRecord, match=f"{name} is here and ended otherwise"):
        taken(club, other)


def test_running_match_is_not_ended_by_a_record(club: Club, other: Club) -> None:
    data = record_of(club, by_bots(club, "pebbles"))
    running = by_mail(other, most=3)
    row = other.match(running)
    assert row.header == data.splitlines()[0].decode()
    with pytest.raises(BadRecord, match="is running here"):
        taken(other, data)
    assert other.match(running) == row


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:5] + lines[6:], "line 6: event 6: seq is 6"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b'"seal":"', b'"seal":"0')], "seal"),
        (lambda lines: [lines[0].replace(b'"edition":2', b'"edition":7'), *lines[1:]], "edition 7"),
        (lambda lines: [lines[0].replace(b'"pebbles"', b'"ludo"'), *lines[1:]], "no game ludo"),
        (lambda lines: lines[:-1], "cut off here: its closing line is missing"),
        (lambda lines: [b"Dear Alice,", *lines], "line 1"),
        (lambda lines: [], "a record has a header"),
        (lambda lines: [b"\xff\xfe" + lines[0], *lines[1:]], "line 1: the line is not UTF-8"),
    ],
)
def test_wrong_records_are_refused(lines: list[bytes], other: Club, change: Any, said: str) -> None:
    """What does not verify, or is of an unknown game or edition, leaves nothing behind."""
    with pytest.raises(BadRecord, match=said):
        taken(other, b"\n".join(change(lines)))
    with other.desk.store.reading() as connection:
        assert matches.select_matches(connection) == ()


def test_pruned_match_gets_its_events_back(club: Club) -> None:
    """The record of a match whose events were pruned brings them back; a changed one does not."""
    from referee.store import notes
    from referee.store.play import archives

    name = by_bots(club, "nord")
    data = record_of(club, name)
    row = club.match(name)
    with club.desk.store.writing() as connection:
        seal = json.loads(data.splitlines()[-1])["seal"]
        notes.PRUNED.write(connection, seal, row.id)
        archives.drop_events(connection, row.id)
    with pytest.raises(RefereeError, match="was pruned"):
        record_of(club, name)
    assert taken(club, data)[1] == "restored"
    assert record_of(club, name) == data
    with club.desk.reading() as change:
        found = audit.audit_match(change, club.match(name))
    assert (found.fault, found.pruned) == (None, False)
