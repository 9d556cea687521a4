"""What is asked of the store by whoever watches over the referee."""

from __future__ import annotations

from datetime import timedelta

from support.storing import NOW, a_match

from referee.store import checking, notes
from referee.store.play import matches
from referee.store.store import REVISIONS, Store


def test_who_is_out_of_time_is_listed_oldest_first(store: Store) -> None:
    """Running matches whose time is up, by since when; not others, not those in time."""
    hours = {"first": 5, "second": 9, "third": 1, "fourth": -1}
    with store.writing() as connection:
        named = {}
        for name, late in hours.items():
            placed = a_match(connection)
            named[matches.by_id(connection, placed.match).name] = name
            state = "paused" if name == "third" else "running"
            matches.set_state(connection, placed.match, state, now=NOW)
            due = NOW - timedelta(hours=late)
            matches.change(connection, placed.match, due=due, time_per_turn=60, clock="{}")
    with store.reading() as connection:
        found = notes.late(connection, NOW)
    assert [(named[name], due) for name, _, due in found] == [
        ("second", NOW - timedelta(hours=9)),
        ("first", NOW - timedelta(hours=5)),
    ]


def test_a_fresh_database_has_no_faults(store: Store, url: str) -> None:
    """Nothing is damaged, no reference leads nowhere, and the tables are of this version."""
    assert checking.faults(url) == ()
    with store.reading() as connection:
        assert checking.revision(connection) == REVISIONS[-1]
