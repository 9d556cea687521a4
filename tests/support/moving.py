"""A player in a match who moves to another address by mail."""

from __future__ import annotations

from sqlalchemy import Connection
from support.club import Club, Mail

from referee.store.people import players
from referee.store.tables.people import PlayerRow

ALICE, BOB = "alice.miller@example.test", "bob@example.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")


def begun(club: Club) -> Mail:
    """Begin a match; Alice's report."""
    club.new_match("pebbles", *SEATS)
    club.work()
    return club.last(ALICE, "report")


def who(connection: Connection, address: str) -> PlayerRow:
    """Return the player of an address."""
    found = players.by_address(connection, address)
    assert found is not None
    return found


def told(club: Club, address: str) -> str:
    """Return what an address was answered last, on one line."""
    return club.last(address, "answer").flat


def moves(club: Club, mail: Mail, to: str, sender: str = ALICE, number: int = 0) -> None:
    """Let a player ask for an address in answer to a mail, and say yes where mail goes now."""
    club.answer(mail, f"set address {to}", sender, X_Number=str(number))
    club.answer(club.last(sender, "answer"), "yes", sender, X_Number=f"yes {number}")
