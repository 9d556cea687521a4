"""Logs, snapshots, turns and codes of a match."""

from __future__ import annotations

import pytest
from support.storing import NOW, SECOND, a_match, an_event

from referee.store.database.errors import StaleLog
from referee.store.play import matches
from referee.store.store import Store
from referee.store.tables.play import CodeRow, EventRow, PrivateEventRow
from referee.value import replace

BODIES = [
    "{}",
    '{"a":"ä ö ü ß → 🙂","b":"\\u0000 \\\\ \\""}',
    ' {"b" : 1,\t"a":1.0}\r\n ',
    '{"combining":"e\u0301","composed":"\u00e9"}',
    "1e400",
]


@pytest.mark.parametrize("body", BODIES)
def test_a_body_comes_back_byte_for_byte(store: Store, body: str) -> None:
    """The text of an event and of its facts is kept exactly, never read as JSON."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        event = EventRow(1, "deal", None, 0, body, f"[{body}]", "ff", NOW)
        matches.append_events(connection, match_id, [event])
    with store.reading() as connection:
        assert matches.events(connection, match_id) == (event,)


def test_events_are_read_in_part(store: Store) -> None:
    """Events come in order, after one, of one match only."""
    with store.writing() as connection:
        first, second = a_match(connection).match, a_match(connection).match
        matches.append_events(connection, first, [an_event(seq) for seq in range(1, 6)])
        matches.append_events(connection, second, [an_event(1)])
        matches.append_events(connection, second, [])

        def seqs(after: int) -> list[int]:
            return [each.seq for each in matches.events(connection, first, after)]

        assert seqs(0) == [1, 2, 3, 4, 5]
        assert seqs(3) == [4, 5]
        assert seqs(5) == []


def test_a_taken_place_refuses_all_that_was_appended(store: Store) -> None:
    """If one event's place is taken a savepoint undoes those appended with it; the rest goes on."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        matches.append_events(connection, match_id, [an_event(2, '"first"')])
    with store.writing() as connection:
        with pytest.raises(StaleLog, match="went on"), connection.begin_nested():
            matches.append_events(connection, match_id, [an_event(1), an_event(2, '"second"')])
        matches.set_agenda(connection, match_id, NOW)
    with store.reading() as connection:
        assert [each.body for each in matches.events(connection, match_id)] == ['"first"']
        assert matches.get_match(connection, match_id).agenda_at == NOW


def test_an_event_of_no_match_is_no_stale_log(store: Store) -> None:
    """An event of a match that does not exist is a mistake, not a conflict."""
    with pytest.raises(Exception, match=r"(?i)foreign key"), store.writing() as connection:
        matches.append_events(connection, 99, [an_event(1)])


def test_private_chains_are_kept_apart(store: Store) -> None:
    """Each seat's private events are numbered on their own, beside the board's."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        matches.append_events(connection, match_id, [an_event(1)])
        mine = PrivateEventRow("red", 1, "note", '{"x":"ä"}', "aa", NOW)
        theirs = PrivateEventRow("blue", 1, "note", "{}", "bb", NOW)
        matches.append_events(connection, match_id, [mine, theirs])
        assert matches.private_events(connection, match_id) == (theirs, mine)
        assert len(matches.events(connection, match_id)) == 1
    with pytest.raises(StaleLog), store.writing() as connection:
        matches.append_events(connection, match_id, [mine])


def test_the_latest_snapshot_replaces_the_one_before(store: Store) -> None:
    with store.writing() as connection:
        first, second = a_match(connection).match, a_match(connection).match
        assert matches.find_snapshot(connection, first) is None
        matches.save_snapshot(connection, first, 3, '{"p":3}')
        matches.save_snapshot(connection, second, 1, '{"p":1}')
        matches.save_snapshot(connection, first, 4, '{"p":4}')
        assert matches.find_snapshot(connection, first) == (4, '{"p":4}')
        assert matches.find_snapshot(connection, second) == (1, '{"p":1}')


def test_turns_open_and_close(store: Store) -> None:
    """A turn is open until it is closed, and keeps when and where it began and ended."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        matches.open_turn(connection, match_id, 1, "red", 2)
        matches.close_turn(connection, match_id, 1, 5, NOW + SECOND)
        matches.open_turn(connection, match_id, 2, "blue", 5)
        first, second = matches.turns(connection, match_id)
    assert (first.number, first.seat, first.began_seq) == (1, "red", 2)
    assert (first.state, first.ended_seq, first.ended_at) == ("done", 5, NOW + SECOND)
    assert (second.state, second.ended_seq) == ("open", None)


def test_a_turn_taken_back_can_be_played_again(store: Store) -> None:
    """Undone turns stay; a number gives its latest."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        for number, seat in ((1, "red"), (2, "blue"), (3, "red")):
            matches.open_turn(connection, match_id, number, seat, number * 2)
            matches.close_turn(connection, match_id, number, number * 2 + 2, NOW)
        for each in matches.turns(connection, match_id)[1:]:
            matches.update_turn(connection, each.id, state="undone")
        matches.open_turn(connection, match_id, 2, "blue", 9)
        again = matches.turns(connection, match_id)[-1].id
        matches.update_turn(connection, again, late_told_at=NOW)
        found = [(each.number, each.state) for each in matches.turns(connection, match_id)]
        assert found == [(1, "done"), (2, "undone"), (3, "undone"), (2, "open")]
        latest = matches.find_turn(connection, match_id, 2)
        assert latest is not None
        assert (latest.id, latest.late_told_at) == (again, NOW)
        assert matches.find_turn(connection, match_id, 4) is None


def test_a_code_stands_for_one_seat(store: Store) -> None:
    with store.writing() as connection:
        match_id = a_match(connection).match
        code = CodeRow("K7PQM2XD", match_id, "red", 0, -1, 0, NOW)
        later = CodeRow("AAAA0000", match_id, "red", 1, 4, 0, NOW + SECOND)
        asked = [code.code, later.code, "K7PQM2XE"]
        assert matches.find_codes(connection, asked) == dict.fromkeys(asked)
        assert {*matches.keep_codes(connection, [code, later])} == {code, later}
        assert matches.keep_codes(connection, []) == []
        assert matches.find_code(connection, code.code) == code
    with store.writing() as connection:
        # What it stands for already is returned, also beside one that is free.
        taken, free = replace(code, seat="blue"), replace(later, code="BBBB0000")
        assert {*matches.keep_codes(connection, [taken, free])} == {code, free}
    with store.reading() as connection:
        found = matches.find_codes(connection, asked)
        assert found == {code.code: code, later.code: later, "K7PQM2XE": None}
