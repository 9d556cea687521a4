"""Free seats of an open match: how many wait for players, who gets which, who fills the rest."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Connection
from support.club import ALICE, BOB, Club

from referee.desk.seats import vacancies
from referee.desk.seats.vacancies import Seating
from referee.store.play import matches
from referee.store.tables.play import SeatRow

pytestmark = pytest.mark.fast

Free = Callable[[], tuple[SeatRow, ...]]
THREE = ("red=open", "blue=open", "green=open")


def holders(connection: Connection, match: int) -> list[str]:
    """Return who sits in a match, seat by seat."""
    found = [each.bot or each.holder for each in matches.seats(connection, match)]
    return [str(each) for each in found]


def test_a_seating_is_kept_as_it_was_agreed(club: Club) -> None:
    """It comes back from the match's row; a match whose seats are all given has none."""
    agreed = Seating(drawn=True, players=2, fill="greedy")
    row = club.new_match("pebbles", *THREE, begins=False, seating=agreed)
    assert vacancies.seating_of(row) == agreed
    assert vacancies.seating_of(club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")) is None


@pytest.mark.parametrize(
    ("seats", "seating", "wanted"),
    [
        (THREE, Seating(), 3),
        (THREE, Seating(players=2, fill="greedy"), 2),
        ((f"red={ALICE}", "blue=open", "green=open"), Seating(players=2, fill="greedy"), 1),
        ((f"red={ALICE}", f"blue={BOB}", "green=open"), Seating(players=2, fill="greedy"), 0),
        ((f"red={ALICE}", "blue=bot:greedy", "green=open"), Seating(players=3), 1),
    ],
)
def test_so_many_players_may_still_join(
    club: Club, seats: tuple[str, ...], seating: Seating, wanted: int
) -> None:
    """As many as seats are free, or fewer where the match begins with fewer players."""
    row = club.new_match("pebbles", *seats, begins=False, seating=seating)
    with club.desk.reading() as change:
        assert vacancies.players_wanted(change.connection, row) == wanted
        assert [each.name for each in vacancies.open_matches(change.connection)] == (
            [row.name] if wanted else []
        )


@pytest.fixture
def free(club: Club) -> Free:
    """Return a function that gives the seats still free in the one match there is."""
    row = club.new_match("pebbles", *THREE, begins=False, seating=Seating(drawn=True))

    def of_match() -> tuple[SeatRow, ...]:
        with club.desk.reading() as change:
            return vacancies.free_seats(change.connection, row)

    return of_match


def test_a_player_draws_the_same_seat_each_time(free: Free) -> None:
    """While it is free, whichever others are; different players draw different ones."""
    seats = free()
    first = vacancies.drawn_seat(b"seed", 1, seats)
    for gone in {each.seat for each in seats} - {first}:
        left = [each for each in seats if each.seat != gone]
        assert vacancies.drawn_seat(b"seed", 1, left) == first
    assert len({vacancies.drawn_seat(b"seed", player, seats) for player in range(20)}) == 3


def test_a_seat_that_is_given_back_is_free_for_another(club: Club) -> None:
    """Nobody has agreed to anything on it, and its holder's words for chance are gone."""
    row = club.new_match("pebbles", "red=open", f"blue={BOB}", begins=False, seating=Seating())
    with club.desk.writing() as change:
        connection = change.connection
        bob = matches.find_seat(connection, row.id, "blue")
        assert bob is not None
        vacancies.take_seat(connection, row, "red", bob.player_id)
        matches.change_match(connection, row.id, words={"red": "seven swans"})
        vacancies.free_seat(connection, matches.get_match(connection, row.id), "red")
        seat = matches.find_seat(connection, row.id, "red")
        assert seat is not None
        assert (seat.holder, seat.player_id, seat.agreed) == ("nobody", None, "unasked")
        assert matches.get_match(connection, row.id).words == {}


def test_bots_take_what_is_free_where_that_was_agreed(club: Club) -> None:
    """Without a bot the seats stay free, and are named."""
    row = club.new_match("pebbles", *THREE, begins=False, seating=Seating(players=2))
    other = club.new_match(
        "pebbles", f"red={ALICE}", *THREE[1:], begins=False, seating=Seating(fill="random")
    )
    with club.desk.writing() as change:
        assert vacancies.fill_with_bots(change.connection, row) == ("red", "blue", "green")
        assert vacancies.fill_with_bots(change.connection, other) == ()
        assert holders(change.connection, other.id) == ["player", "random", "random"]
