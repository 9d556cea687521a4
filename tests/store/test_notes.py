"""What is asked of the store by whoever watches over the referee."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from support.storing import NOW, a_match

from referee.store import notes
from referee.store.play import matches
from referee.store.store import REVISIONS, Store, database_faults, revision_of


def test_who_is_out_of_time_is_listed_oldest_first(store: Store) -> None:
    """Running matches whose time is up, by since when; not others, not those in time."""
    hours = {"first": 5, "second": 9, "third": 1, "fourth": -1}
    with store.writing() as connection:
        named = {}
        for name, late in hours.items():
            placed = a_match(connection)
            named[matches.get_match(connection, placed.match).name] = name
            state = "paused" if name == "third" else "running"
            matches.set_match_state(connection, placed.match, state, now=NOW)
            due = NOW - timedelta(hours=late)
            matches.change_match(connection, placed.match, due=due, time_per_turn=60, clock={})
    with store.reading() as connection:
        found = notes.late_matches(connection, NOW)
    assert [(named[name], due) for name, _, due in found] == [
        ("second", NOW - timedelta(hours=9)),
        ("first", NOW - timedelta(hours=5)),
    ]


def test_a_fresh_database_has_no_faults(store: Store, url: str) -> None:
    """Nothing is damaged, no reference leads nowhere, and the tables are of this version."""
    assert database_faults(url) == ()
    with store.reading() as connection:
        assert revision_of(connection) == REVISIONS[-1]


@pytest.mark.parametrize(
    ("note", "value"),
    [
        (notes.LAST_POLL, NOW),
        (notes.INTAKE_SINCE, NOW + timedelta(microseconds=7)),
        (notes.BROKEN, {7: "pebbles-7 is broken: its game is gone", 12: "so is another"}),
        (notes.WAITED_FOR, frozenset({3, 1})),
        (notes.WAITED_FOR, frozenset()),
        (notes.TROUBLES["alarm"], notes.Trouble(NOW.replace(microsecond=0), "3 letters in a row")),
    ],
    ids=lambda given: getattr(given, "key", None),
)
def test_a_note_is_read_as_it_was_written(
    store: Store, note: notes.StoredNote[Any], value: Any
) -> None:
    """Its value, of its own type, until it is removed; there is none before."""
    with store.writing() as connection:
        assert note.read(connection) is None
        assert note.lock(connection) is None
        assert note.read(connection) is None
        note.write(connection, value)
        assert note.lock(connection) == value
    with store.writing() as connection:
        assert note.read(connection) == value
        note.remove(connection)
        assert note.read(connection) is None


def test_each_thing_has_a_note_of_its_own(store: Store) -> None:
    """What is kept about one player says nothing about another."""
    with store.writing() as connection:
        notes.DIGEST_DAY.write(connection, "2026-03-02", 1)
        notes.DIGEST_DAY.write(connection, "2026-03-03", 12)
        notes.DIGEST_DAY.remove(connection, 1)
        found = [notes.DIGEST_DAY.read(connection, each) for each in (1, 12, 2)]
    assert found == [None, "2026-03-03", None]
