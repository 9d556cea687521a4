"""Bots at the desk: the same order for the same event, chosen without knowing what is hidden."""

from __future__ import annotations

import dataclasses
from random import Random

import pytest
from support.club import NOON, Club

from referee.bots import BOTS
from referee.desk.desk import stamp
from referee.desk.matches import bots, ledger
from referee.matches.log import AnyMatch

pytestmark = pytest.mark.fast

MOMENT = stamp(NOON)


@pytest.fixture
def live(club: Club) -> AnyMatch:
    """Return a match of Nord whose first seat is to act; hands are hidden in it."""
    row = club.new_match("nord", "red=alice@example.test", "green=bob@example.test")
    club.work()
    with club.desk.reading() as change:
        return ledger.load_match(change, club.match(row.name)).live


@pytest.mark.parametrize("bot", BOTS)
def test_a_step_that_is_repeated_comes_out_the_same(club: Club, live: AnyMatch, bot: str) -> None:
    """After a crash the bot plays what it had played."""
    one, other = (bots.play_turn(club.desk, live, bot, MOMENT) for _ in range(2))
    assert one == other
    assert [each.event.seat for each in one[1]][:1] == [live.turn.seat]


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_chooses_by_what_its_seat_sees(club: Club, live: AnyMatch, bot: str) -> None:
    """However the hidden pieces lie, it plays the same."""
    seat, rng = live.turn.seat, Random(5)
    played = set()
    for _ in range(5):
        position = live.game.redeal(live.position, seat, rng)
        assert live.game.view(position, seat) == live.game.view(live.position, seat)
        other = dataclasses.replace(live, position=position)
        played.add(bots.bot_order(club.desk, other, bot))
    assert len(played) == 1


def test_generators_differ_by_match_event_and_installation() -> None:
    """Who knows one of them knows no other."""
    numbers = {
        bots.bot_rng(key, name, seq).getrandbits(64)
        for key in (b"a", b"b")
        for name in ("nord-1", "nord-11")
        for seq in (1, 11)
    }
    assert len(numbers) == 8


def test_for_a_late_seat_its_turn_is_played_to_the_end(club: Club, live: AnyMatch) -> None:
    """Every order is its own, in the log as chosen, and then somebody else is to act."""
    seat = live.turn.seat
    after, logged, chosen = bots.play_turn(club.desk, live, "greedy", MOMENT)
    assert after.turn != live.turn
    assert len(chosen) == sum(each.event.seat == seat for each in logged) > 0


def test_where_the_rules_know_no_idle_order_nothing_is_played(club: Club, live: AnyMatch) -> None:
    """The match stays as it is."""
    assert bots.play_turn(club.desk, live, None, MOMENT) == (live, (), ())
