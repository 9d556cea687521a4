"""What the seats of a match ordered in advance."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError
from support.storing import NOW, SECOND, a_match

from referee.store import matches
from referee.store.store import Store


def states(store: Store, match_id: int) -> list[tuple[str, str, str]]:
    """Return seat, text and state of every standing order, as they came."""
    with store.reading() as connection:
        found = matches.standing(connection, match_id)
    return [(each.seat, each.text, each.state) for each in found]


def test_standing_orders_come_back_as_they_were_given(store: Store) -> None:
    """Ended ones stay, so that the number of one among its seat's never changes."""
    with store.writing() as connection:
        first, second = a_match(connection).match, a_match(connection).match
        one = matches.add_standing(connection, first, "red", "queue", "put 1 A1\npass", NOW)
        matches.add_standing(connection, first, "blue", "policy", "guard never", NOW)
        matches.add_standing(connection, second, "red", "rest", "pass", NOW)
        assert matches.end_standing(connection, one, "used", NOW + SECOND)
        matches.add_standing(connection, first, "red", "rest", "pass", NOW)
    with store.reading() as connection:
        mine = matches.standing(connection, first, "red")
        assert [(each.kind, each.text, each.state) for each in mine] == [
            ("queue", "put 1 A1\npass", "used"),
            ("rest", "pass", "waiting"),
        ]
        assert (mine[0].created, mine[0].ended_at) == (NOW, NOW + SECOND)
        assert len(matches.standing(connection, first)) == 3


def test_what_is_left_of_one_that_waits_can_change(store: Store) -> None:
    """An ended one keeps its text and its end."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        which = matches.add_standing(connection, match_id, "red", "queue", "a\nb", NOW)
        assert matches.set_standing(connection, which, "b")
        assert matches.end_standing(connection, which, "cancelled", NOW)
        assert not matches.set_standing(connection, which, "c")
        assert not matches.end_standing(connection, which, "used", NOW)
    assert states(store, match_id) == [("red", "b", "cancelled")]


def test_all_that_wait_can_be_ended_at_once(store: Store) -> None:
    """Of one seat or of the whole match; what had ended before keeps how it did."""
    with store.writing() as connection:
        match_id = a_match(connection).match
        for seat, text in (("red", "a"), ("red", "b"), ("blue", "c")):
            matches.add_standing(connection, match_id, seat, "queue", text, NOW)
        assert matches.end_all_standing(connection, match_id, "cancelled", NOW, "red") == 2
        assert matches.end_all_standing(connection, match_id, "void", NOW) == 1
    assert states(store, match_id) == [
        ("red", "a", "cancelled"),
        ("red", "b", "cancelled"),
        ("blue", "c", "void"),
    ]


@pytest.mark.parametrize("word", ["defend", ""])
def test_only_known_kinds_are_kept(store: Store, word: str) -> None:
    """The database itself refuses another kind."""
    with store.writing() as connection:
        match_id = a_match(connection).match
    with pytest.raises(IntegrityError), store.writing() as connection:
        matches.add_standing(connection, match_id, "red", word, "a", NOW)
