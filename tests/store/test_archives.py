"""What the archive asks of the tables, in every database."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from sqlalchemy import text
from support.storing import NOW, a_letter, a_mail, a_match, an_event

from referee.store.people import players
from referee.store.play import archives, matches, moves, submissions
from referee.store.post import letters, outbox
from referee.store.store import Store


def test_numbers_taken_are_not_given_again(store: Store) -> None:
    """A number that came from elsewhere is skipped; a smaller one changes nothing."""
    with store.writing() as connection:
        archives.take_number(connection, "pebbles", 7)
        archives.take_number(connection, "pebbles", 3)
        assert matches.new_name(connection, "pebbles") == "pebbles-8"


def test_matches_are_found_by_their_header(store: Store) -> None:
    """The hash of the header finds the match, and nothing else."""
    with store.writing() as connection:
        placed = a_match(connection, begun=True)
        found = archives.matches_with_header(connection, "ab")
        assert [each.id for each in found] == [placed.match]
        assert archives.matches_with_header(connection, "cd") == ()


def test_only_letters_of_one_match_and_mails_that_left_go(store: Store) -> None:
    """A letter of two matches and a mail that waits keep their bytes."""
    with store.writing() as connection:
        one, other = a_match(connection), a_match(connection)
        for uid, spoke_for in enumerate([[one], [one, other], [other], []], start=1):
            letter = a_letter(connection, uid)
            letters.finish_letter(connection, letter.id, "handled", None, NOW)
            for each in spoke_for:
                _submitted(connection, letter.id, each.match)
        for state in ("sent", "waiting", "failed"):
            mail = a_mail(connection, match_id=one.match, message_id=f"<{state}@example.test>")
            outbox.mark_mail(connection, mail, state, now=NOW)
        found = archives.prunable_weight(connection, one.match)
        assert (found.letters.count, found.mails.count) == (1, 2)
        assert found.letters.bytes > 0
        archives.drop_raw(connection, one.match)
        after = archives.prunable_weight(connection, one.match)
        assert (after.letters.count, after.mails.count, after.mails.bytes) == (0, 0, 0)
        assert archives.prunable_weight(connection, other.match).letters.count == 1
        kept = "SELECT count(*) FROM letters WHERE raw IS NOT NULL"
        assert connection.execute(text(kept)).scalar() == 3


def _submitted(connection: Any, letter_id: int, match_id: int) -> None:
    submissions.add_submission(
        connection,
        letter_id=letter_id,
        match_id=match_id,
        orders="[]",
        digest="d",
        outcome="accepted",
    )


def test_a_match_and_its_players_are_packed_and_unpacked(store: Store) -> None:
    """Every row comes back under other numbers, moments and bytes as they were."""
    with store.writing() as connection:
        placed = a_match(connection, begun=True)
        matches.append_events(connection, placed.match, [an_event(1), an_event(2)])
        matches.save_snapshot(connection, placed.match, 2, "{}")
        matches.open_turn(connection, placed.match, 1, "red", 0, NOW)
        players.add_away_days(connection, placed.alice, "2026-12-20", "2026-12-27", NOW)
        rows = moves.pack_match(connection, placed.match)
        assert [each["address"] for each in rows["addresses"]] == [
            "alice@example.test",
            "bob@example.test",
        ]
        assert len(rows["away"]) == 1
        values = moves.plain_row(matches_table(), rows["matches"][0])
        del values["id"]
        number = archives.add_whole(connection, {**values, "name": "pebbles-9"})
        moves.unpack_match(connection, rows, number, {placed.alice: placed.bob, placed.bob: None})
        before, after = (
            matches.get_match(connection, placed.match),
            matches.get_match(connection, number),
        )
        assert asdict(after) == {**asdict(before), "id": number, "name": "pebbles-9"}
        assert matches.events(connection, number) == matches.events(connection, placed.match)
        assert [each.player_id for each in matches.seats(connection, number)] == [placed.bob, None]
        [one], [other] = (matches.turns(connection, each) for each in (placed.match, number))
        assert (one.due, one.began_at) == (other.due, other.began_at)
        moves.clear_match(connection, number)
        assert matches.events(connection, number) == matches.seats(connection, number) == ()


def matches_table() -> Any:
    """Return the table of matches."""
    from referee.store import tables

    return tables.matches


def test_rows_of_another_version_are_refused(store: Store) -> None:
    """A row that lacks a column cannot be taken."""
    with store.writing() as connection:
        rows = moves.pack_match(connection, a_match(connection).match)
    del rows["matches"][0]["seed"]
    with pytest.raises(KeyError, match="seed"):
        moves.plain_row(matches_table(), rows["matches"][0])
