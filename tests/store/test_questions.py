"""What waits for a yes, and who watches."""

from __future__ import annotations

from datetime import timedelta

from support.storing import NOW, a_match, a_player

from referee.store.people import players, requests
from referee.store.play import watchers
from referee.store.store import Store

LATER = NOW + timedelta(days=7)


def test_a_request_is_settled_once(store: Store) -> None:
    """What was granted cannot be declined any more."""
    with store.writing() as connection:
        row = requests.add(
            connection,
            code="K7PQM2XD",
            address="New@Example.test",
            player_id=a_player(connection),
            what="{}",
            now=NOW,
            expires=LATER,
        )
        assert requests.answered_by(connection, "new@example.test") == (row,)
        assert requests.expired(connection, NOW) == ()
        assert requests.expired(connection, LATER) == (row,)
        assert requests.settle(connection, row.id, "granted")
        assert not requests.settle(connection, row.id, "declined")
        assert requests.expired(connection, LATER) == ()
        found = requests.find(connection, "K7PQM2XD")
        assert found is not None
        assert found.state == "granted"


def test_what_somebody_asked_is_found_by_himself_alone(store: Store) -> None:
    """Not what others asked, nor what he asked before the moment that is named."""
    with store.writing() as connection:
        alice, bob = a_player(connection, "alice"), a_player(connection, "bob")
        for number, (who, address) in enumerate(
            [(alice, "a@example.test"), (bob, "b@example.test"), (None, "c@example.test")]
        ):
            requests.add(
                connection, code=f"K7PQM2X{number}", address=address, player_id=who, what="{}",
                now=NOW, expires=LATER,
            )  # fmt: skip
        for who in (alice, bob):
            assert [each.player_id for each in requests.of_player(connection, who)] == [who]
        assert requests.of_player(connection, bob, NOW) == ()


def test_who_watches_is_known_by_match_and_by_player(store: Store) -> None:
    """Watching twice is once; how far a watcher has been told is kept."""
    with store.writing() as connection:
        match, carol = a_match(connection).match, a_player(connection, "carol")
        assert watchers.add(connection, match, carol, NOW)
        assert not watchers.add(connection, match, carol, NOW)
        watchers.set_told(connection, match, carol, 12, 3)
        (row,) = watchers.of_match(connection, match)
        assert (row.reported_seq, row.reported_turn) == (12, 3)
        assert watchers.of_player(connection, carol) == (row,)
        assert watchers.drop(connection, match, carol)
        assert not watchers.drop(connection, match, carol)


def test_nobody_is_known_by_an_unconfirmed_address(store: Store) -> None:
    """Until it is confirmed an address is nobody's; then it is found."""
    with store.writing() as connection:
        alice = a_player(connection)
        players.add_address(connection, alice, "new@example.test", now=NOW, state="unconfirmed")
        assert players.by_address(connection, "new@example.test") is None
        players.set_address(connection, "new@example.test", "ok")
        assert players.by_address(connection, "new@example.test") is not None
        players.drop_address(connection, "new@example.test")
        assert players.address(connection, "new@example.test") is None


def test_settled_requests_are_forgotten_in_the_end(store: Store) -> None:
    """Those that wait stay, and so do those that were settled of late."""
    with store.writing() as connection:
        rows = [
            requests.add(
                connection, code=f"K7PQM2X{n}", address="new@example.test", player_id=None,
                what="{}", now=NOW, expires=LATER,
            )
            for n in range(2)
        ]  # fmt: skip
        assert requests.settle(connection, rows[0].id, "granted")
        assert not requests.any_settled(connection, NOW)
        assert requests.drop_settled(connection, NOW) == 0
        assert requests.any_settled(connection, LATER)
        assert requests.drop_settled(connection, LATER) == 1
        assert requests.find(connection, rows[0].code) is None
        assert requests.find(connection, rows[1].code) == rows[1]
