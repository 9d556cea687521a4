"""What the archive asks of the tables, in every database."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import PrimaryKeyConstraint, UniqueConstraint, text
from support.storing import NOW, a_letter, a_mail, a_match

from referee.store import tables as t
from referee.store.play import archives, matches, submissions
from referee.store.post import letters, outbox
from referee.store.store import Store


def test_numbers_taken_are_not_given_again(store: Store) -> None:
    """A number that came from elsewhere is skipped; a smaller one changes nothing."""
    with store.writing() as connection:
        archives.take_number(connection, "pebbles", 7)
        archives.take_number(connection, "pebbles", 3)
        assert matches.new_name(connection, "pebbles") == "pebbles-8"


@pytest.mark.parametrize("kept", ["letters", "outbox"])
def test_whatever_refers_to_what_is_pruned_is_found_by_an_index(kept: str) -> None:
    """A row written anew would cost the more the more rows there are."""
    for table in t.metadata.tables.values():
        led = {next(iter(index.columns)).name for index in table.indexes}
        for constraint in table.constraints:
            if isinstance(constraint, UniqueConstraint | PrimaryKeyConstraint):
                led.add(next(iter(constraint.columns)).name)
        for key in table.foreign_keys:
            assert key.column.table.name != kept or key.parent.name in led


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
