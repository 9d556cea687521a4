"""What the seats of a match ordered in advance."""

from __future__ import annotations

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from support.storing import NOW, SECOND, a_match

from referee.store import tables
from referee.store.play import matches
from referee.store.store import Store


def states(store: Store, match_id: int) -> list[tuple[str, str, str]]:
    """Return seat, text and state of every standing order, as they came."""
    c = tables.standing_orders.c
    statement = select(c.seat, c.text, c.state).where(c.match_id == match_id).order_by(c.id)
    with store.reading() as connection:
        return [(row.seat, row.text, row.state) for row in connection.execute(statement)]


def test_standing_orders_come_back_as_they_were_given(store: Store) -> None:
    """Only those that wait, each with its number, which ended ones count for."""
    with store.writing() as connection:
        first, second = a_match(connection).match, a_match(connection).match
        one = matches.add_standing_order(connection, first, "red", "queue", "put 1 A1\npass", NOW)
        matches.add_standing_order(connection, first, "blue", "policy", "guard never", NOW)
        matches.add_standing_order(connection, second, "red", "rest", "pass", NOW)
        matches.end_standing_order(connection, one.id, "used", NOW + SECOND)
        matches.add_standing_order(connection, first, "red", "rest", "pass", NOW)
    with store.reading() as connection:
        mine = matches.standing_orders_of(connection, first, "red")
        assert [(each.number, each.kind, each.text) for each in mine] == [(2, "rest", "pass")]
        assert len(matches.standing_orders_of(connection, first)) == 2
        latest = matches.latest_standing_order(connection, first, "red")
        earlier = matches.latest_standing_order(connection, first, "red", back=1)
        assert latest == mine[0]
        assert earlier is not None
        assert (earlier.id, earlier.text, earlier.state) == (one.id, "put 1 A1\npass", "used")
        assert (earlier.created, earlier.ended_at) == (NOW, NOW + SECOND)
        assert matches.latest_standing_order(connection, first, "red", back=2) is None


def test_numbers_begin_anew_for_whoever_gets_the_seat(store: Store) -> None:
    """Nobody reads from a number how much the holder before ordered in advance."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        given = [
            matches.add_standing_order(
                connection, match_id, seat, "queue", "a", NOW, handed_on=held
            )
            for seat, held in (("red", 0), ("red", 0), ("blue", 0), ("red", 1), ("red", 1))
        ]
    assert [each.number for each in given] == [1, 2, 1, 1, 2]


def test_what_is_left_of_one_that_waits_can_change(store: Store) -> None:
    """An ended one keeps its text and its end."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        which = matches.add_standing_order(connection, match_id, "red", "queue", "a\nb", NOW).id
        matches.set_standing_order(connection, which, "b", "queue")
        (left,) = matches.standing_orders_of(connection, match_id, "red")
        assert left.text == "b"
        matches.end_standing_order(connection, which, "cancelled", NOW)
        matches.set_standing_order(connection, which, "c", "queue")
        matches.end_standing_order(connection, which, "used", NOW)
    assert states(store, match_id) == [("red", "b", "cancelled")]


def test_all_that_wait_can_be_ended_at_once(store: Store) -> None:
    """Those of the whole match; what had ended before keeps how it did."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        first, *_ = (
            matches.add_standing_order(connection, match_id, seat, "queue", text, NOW)
            for seat, text in (("red", "a"), ("red", "b"), ("blue", "c"))
        )
        matches.end_standing_order(connection, first.id, "cancelled", NOW)
        matches.void_standing_orders(connection, match_id, NOW)
    assert states(store, match_id) == [
        ("red", "a", "cancelled"),
        ("red", "b", "void"),
        ("blue", "c", "void"),
    ]


@pytest.mark.parametrize("word", ["defend", ""])
def test_only_known_kinds_are_kept(store: Store, word: str) -> None:
    """The database itself refuses another kind."""
    with store.writing() as connection:
        match_id = a_match(connection).match
    with pytest.raises(IntegrityError), store.writing() as connection:
        matches.add_standing_order(connection, match_id, "red", word, "a", NOW)
