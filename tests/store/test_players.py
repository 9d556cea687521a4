"""Players, their addresses and the days they are away."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError
from support.storing import NOW, a_player

from referee.store.people import players
from referee.store.store import Store


def test_a_player_is_found_by_any_address_in_any_case(store: Store) -> None:
    with store.writing() as connection:
        alice = a_player(connection, "alice")
        players.give_address(connection, alice, "Alice@Work.test", now=NOW)
        for address in ("ALICE@example.test", "alice@work.test"):
            found = players.by_address(connection, address)
            assert found is not None
            assert (found.id, found.name, found.format, found.created) == (
                alice,
                "alice",
                "html",
                NOW,
            )
        assert players.by_address(connection, "bob@example.test") is None


def test_an_address_belongs_to_one_player(store: Store) -> None:
    """The same address in another case cannot be given to a second player."""
    with store.writing() as connection:
        a_player(connection, "alice")
        bob = a_player(connection, "bob")
    with pytest.raises(IntegrityError), store.writing() as connection:
        players.give_address(connection, bob, "ALICE@EXAMPLE.TEST", now=NOW)


def test_players_are_listed_and_looked_up(store: Store) -> None:
    """Players are listed as they came; looking for one who is not there says so."""
    with store.writing() as connection:
        ids = [a_player(connection, name) for name in ("bob", "alice")]
        assert [each.id for each in players.all_players(connection)] == ids
        assert players.get_player(connection, ids[1]).name == "alice"
        assert players.find_player(connection, ids[0]) == players.get_player(connection, ids[0])
        assert players.find_player(connection, 99) is None
        with pytest.raises(KeyError):
            players.get_player(connection, 99)


def test_what_a_player_sets_is_kept(store: Store) -> None:
    """A change touches what it names, of that player only."""
    with store.writing() as connection:
        alice, bob = a_player(connection, "alice"), a_player(connection, "bob")
        players.update_player(connection, alice, language="de", format="text", zone="Europe/Berlin")
        changed = players.get_player(connection, alice)
        assert (changed.name, changed.language, changed.format) == ("alice", "de", "text")
        assert players.get_player(connection, bob).language == "en"


def test_mail_goes_to_the_preferred_address(store: Store) -> None:
    """Mail goes to the first address until another is preferred, never to an unconfirmed one."""
    with store.writing() as connection:
        alice = a_player(connection, "alice")
        players.give_address(connection, alice, "new@example.test", now=NOW, state="unconfirmed")
        assert players.address_for(connection, alice) == "alice@example.test"
        players.set_preferred(connection, alice, "new@example.test")
        assert players.address_for(connection, alice) == "alice@example.test"
        players.set_address(connection, "NEW@example.test", "ok")
        assert players.address_for(connection, alice) == "new@example.test"
        listed = players.addresses_of(connection, alice)
        assert [(each.address, each.preferred) for each in listed] == [
            ("new@example.test", True),
            ("alice@example.test", False),
        ]


def test_a_failing_address_says_why(store: Store) -> None:
    """What made an address fail is kept with it, until it works again."""
    with store.writing() as connection:
        a_player(connection, "alice")
        players.set_address(connection, "alice@example.test", "failing", "550 no such user")
        found = players.find_address(connection, "Alice@example.test")
        assert found is not None
        assert (found.state, found.reason) == ("failing", "550 no such user")
        players.set_address(connection, "alice@example.test", "ok")
        found = players.find_address(connection, "alice@example.test")
        assert found is not None
        assert (found.state, found.reason) == ("ok", None)


def test_days_away_come_in_order(store: Store) -> None:
    """A player's days away are listed by date and can be forgotten."""
    with store.writing() as connection:
        alice, bob = a_player(connection, "alice"), a_player(connection, "bob")
        later = players.add_away_days(connection, alice, "2026-12-20", "2027-01-03", NOW)
        players.add_away_days(connection, alice, "2026-11-01", "2026-11-02", NOW)
        players.add_away_days(connection, bob, "2026-11-05", "2026-11-05", NOW)
        days = [each.first_day for each in players.away_of(connection, alice)]
        assert days == ["2026-11-01", "2026-12-20"]
        players.drop_away_days(connection, later)
        assert [each.last_day for each in players.away_of(connection, alice)] == ["2026-11-02"]


def test_several_players_are_looked_up_at_once(store: Store) -> None:
    """Players and their days away come by number, each once; one who is not there is missed."""
    with store.writing() as connection:
        alice, bob, carol = (a_player(connection, name) for name in ("alice", "bob", "carol"))
        for who, day in ((bob, "2026-12-24"), (alice, "2026-12-20"), (carol, "2026-12-22")):
            players.add_away_days(connection, who, day, day, NOW)
        found = players.get_players(connection, [bob, alice, bob])
        assert {each: row.name for each, row in found.items()} == {alice: "alice", bob: "bob"}
        away = players.away_of_all(connection, [bob, alice])
        days = {who: [each.first_day for each in rows] for who, rows in away.items()}
        assert days == {alice: ["2026-12-20"], bob: ["2026-12-24"]}
        assert players.get_players(connection, []) == {}
        assert players.away_of_all(connection, []) == {}
        with pytest.raises(KeyError):
            players.get_players(connection, [alice, 99])
