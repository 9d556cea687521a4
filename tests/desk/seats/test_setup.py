"""How a match is set up, and what keeps it from being set up or begun."""

from __future__ import annotations

from datetime import timedelta

import pytest
from referee_pebbles.game import Pebbles
from support.club import ALICE, BOB, REFEREE, SEATS, Club

from referee.desk.players import add_player
from referee.desk.seats import setup
from referee.desk.work import Refused
from referee.errors import RefereeError
from referee.store.people import players

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        (("red=nobody",), "no mail address: write an address such as bert@club.test, or bot:NAME"),
        (("purple=bot:random",), "has the seats red"),
        (("red=bot:clever",), "the bots are greedy, random"),
        (("red",), "write it like"),
        (("red=bot:random",), "not 1"),
        (("red=bot:random", "red=bot:greedy"), "given twice"),
        ((f"red={REFEREE}", "blue=bot:random"), "the referee's own address"),
        ((f"red={ALICE}", f"blue={ALICE}"), "is given red and blue, and would see both hands"),
    ],
)
def test_seats_that_cannot_be_given_are_named(
    club: Club, seats: tuple[str, ...], said: str
) -> None:
    """The refusal names the seat and says what would be right; nothing is written."""
    with pytest.raises(Refused, match=said):
        club.new_match("pebbles", *seats)
    assert club.mails(ALICE) == []


@pytest.mark.parametrize("option", ["hand=999", "hand=many", "hand=--2", "colour=blue"])
@pytest.mark.parametrize("begins", [True, False])
def test_options_a_game_does_not_have_are_refused_before_anybody_is_invited(
    club: Club, option: str, begins: bool
) -> None:
    """Also when the match only begins later."""
    with pytest.raises(Refused):
        club.new_match("pebbles", *SEATS, options=[option], begins=begins)
    assert club.mails(ALICE) == []


def test_a_match_somebody_declined_cannot_be_begun(club: Club) -> None:
    """Nobody is seated against his word."""
    row = club.new_match("pebbles", *SEATS, begins=False)
    club.answer(club.last(BOB), "decline", BOB)
    with pytest.raises(Refused, match="blue declined"), club.desk.writing() as change:
        setup.begin_match(change, club.match(row.name))


def test_the_values_of_a_games_options_are_told(club: Club) -> None:
    """Those of a number by its bounds."""
    with pytest.raises(RefereeError) as told:
        setup.read_setup(club.desk, "nord", (), setup.Conditions(), begins=False)
    (margin,) = [line for line in str(told.value).splitlines() if "margin=" in line]
    assert margin.endswith(": 1 to 4")


def test_a_game_for_two_is_said_to_be_for_two(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not for two to two."""
    monkeypatch.setattr(Pebbles, "seats", range(2, 3))
    seating = setup.Seating()
    with pytest.raises(RefereeError, match="--seats 3: pebbles is for 2 seats"):
        setup.read_open_setup(club.desk, "pebbles", 3, (), seating, setup.Conditions())


def test_a_match_begins_once(club: Club) -> None:
    """A second start is refused and says how to see the match."""
    row = club.new_match("pebbles", *SEATS)
    with pytest.raises(Refused, match="has begun"), club.desk.writing() as change:
        setup.begin_match(change, row)


def test_names_of_matches_are_counted_for_each_game(club: Club) -> None:
    """pebbles-1, pebbles-2."""
    names = [club.new_match("pebbles", *SEATS).name for _ in range(2)]
    assert names == ["pebbles-1", "pebbles-2"]


@pytest.mark.parametrize(
    ("asked", "kept"),
    [({}, 604_800), ({"per_turn": timedelta(days=2)}, 172_800), ({"per_turn": None}, None)],
)
def test_the_time_per_turn_is_the_default_what_was_asked_or_none(
    club: Club, asked: dict[str, timedelta | None], kept: int | None
) -> None:
    """Seconds; None means no limit."""
    assert club.new_match("pebbles", *SEATS, **asked).time_per_turn == kept


def test_a_german_invitation_tells_days_off_and_grace_in_whole_sentences(club: Club) -> None:
    """No date ends in two full stops, and no span stands in a wrong case."""
    with club.desk.writing() as change:
        for address in (ALICE, BOB):
            add_player(
                change, address,
                name=None, language="de", zone="Europe/Berlin", format="html",
            )  # fmt: skip
    off = frozenset({"sat", "12-25", "2026-12-31"})
    club.new_match("pebbles", *SEATS, begins=False, days_off=off, leeway=timedelta(days=1))
    told = club.last(BOB).flat
    assert "läuft bei dir keine Zeit: Samstag, 25. Dezember und Do., 31. Dezember 2026. " in told
    assert "Ist die Zeit um und auch die Nachfrist vorbei (1 Tag), wartet die Partie" in told
    assert ".." not in told


def test_a_player_is_known_by_each_of_his_addresses(club: Club) -> None:
    """Nobody gets two seats by naming two addresses of one player."""
    with club.desk.writing() as change:
        add_player(change, ALICE, name="Alice", language="en", zone=None, format="html")
        found = players.by_address(change.connection, ALICE)
        assert found is not None
        players.give_address(change.connection, found.id, BOB, now=club.desk.now())
    with pytest.raises(Refused, match="Alice is given red and blue"):
        club.new_match("pebbles", *SEATS)
