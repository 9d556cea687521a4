"""Ratings come from places alone, in the order matches ended, each game for itself."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from referee.desk.archive.site.lists import Ended, RatedPlayer, rate_players

pytestmark = pytest.mark.fast

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def ended(number: int, game: str = "pebbles", **places: int) -> Ended:
    """Return a match that ended on a day."""
    return Ended(f"{game}-{number}", game, NOON + timedelta(days=number), places)


def standing(found: tuple[RatedPlayer, ...], who: str) -> RatedPlayer:
    """Return what is said of a player."""
    return next(each for each in found if each.who == who)


def test_who_wins_is_rated_higher() -> None:
    """After many matches the places order the players; all their matches are counted."""
    matches = [ended(n, alice=1, bob=2, carol=3) for n in range(12)]
    found = rate_players(matches)["pebbles"]
    assert [each.who for each in found] == ["alice", "bob", "carol"]
    assert [(len(each.history), each.won) for each in found] == [(12, 12), (12, 0), (12, 0)]
    assert found[0].rating > found[1].rating > found[2].rating
    assert found[0].spread < rate_players(matches[:1])["pebbles"][0].spread


def test_equal_places_are_equal() -> None:
    """Two who share the first place are rated alike, and both have won."""
    found = rate_players([ended(1, alice=1, bob=1)])["pebbles"]
    assert found[0].rating == pytest.approx(found[1].rating)
    assert [each.won for each in found] == [1, 1]


def test_games_are_rated_apart() -> None:
    """What is won in one game says nothing about another."""
    found = rate_players([ended(1, alice=1, bob=2), ended(1, "nord", bob=1, alice=2)])
    assert list(found) == ["nord", "pebbles"]
    assert (found["nord"][0].who, found["pebbles"][0].who) == ("bob", "alice")


def test_history_follows_the_order_matches_ended_in() -> None:
    """However they are listed, matches count as they ended; the last rating is the one shown."""
    matches = [ended(3, alice=2, bob=1), ended(1, alice=1, bob=2), ended(2, alice=1, bob=2)]
    found = rate_players(matches)["pebbles"]
    assert found == rate_players(reversed(matches))["pebbles"]
    alice = standing(found, "alice")
    assert [number for number, _ in alice.history] == [1, 2, 3]
    one, two, three = (rating for _, rating in alice.history)
    assert one < two
    assert three < two
    assert alice.rating == three


def test_a_match_with_one_player_counts_for_nothing() -> None:
    """Nobody is rated against himself."""
    assert rate_players([ended(1, alice=1)]) == {"pebbles": ()}
    assert rate_players([]) == {}
