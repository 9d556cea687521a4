"""The banks of a match: the time left to each seat."""

from __future__ import annotations

from datetime import timedelta

from referee.desk.desk import Change
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock as matches_clock
from referee.games.game import Seat
from referee.store.play import matches


def bank_holdings(change: Change, loaded: LoadedMatch) -> dict[Seat, timedelta]:
    """Return the time in each seat's bank now; empty without banks.

    The seat to act has what its running clock shows.
    """
    row = loaded.row
    bank = matches_clock.pace_of(row).bank
    if bank is None:
        return {}
    clock = matches_clock.clock_of(change, row)
    found = {}
    for seat in matches.seats(change.connection, row.id):
        # A bank may be overdrawn after an undo; nobody is shown less than nothing.
        held = bank if seat.bank is None else timedelta(seconds=max(seat.bank, 0))
        acts = seat.seat == row.to_act and clock.left is not None
        found[seat.seat] = clock.left if acts and clock.left is not None else held
    return found
