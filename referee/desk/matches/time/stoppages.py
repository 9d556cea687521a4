"""Stoppages of clocks: a letter in quarantine, a player whom no mail reaches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.matches import told
from referee.desk.matches.time import clock
from referee.matches.time.moments import DAY
from referee.matches.time.turn_clock import UNTOLD
from referee.store import notes
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import letters, outbox, reports
from referee.store.tables.play import MatchRow, SeatRow

MOST_BOUNCES: Final = 5
"""Bounces of one player's mails for which a match's clock stands."""


def out_of_reach(connection: Connection, row: MatchRow, seat: SeatRow | None) -> bool:
    """Return whether all addresses of a seat's player fail.

    Whoever reads a mail can make it come back, its player too. So only the first few bounces in a
    match stop its clock.
    """
    if seat is None or seat.player_id is None:
        return False
    known = players.addresses_of(connection, seat.player_id)
    if any(address.state == "ok" for address in known):
        return False
    return outbox.count_bounces(connection, seat.player_id, row.created) <= MOST_BOUNCES


def reasons_to_stand(connection: Connection, row: MatchRow, seat: SeatRow | None) -> list[str]:
    """Return the reasons for a beginning turn's clock to stand."""
    waits = seat is not None and seat.player_id in _known(connection)
    unreachable = [clock.UNREACHABLE] if out_of_reach(connection, row, seat) else []
    return [*unreachable, clock.ASIDE] if waits else unreachable


def follow_merge(connection: Connection, old: int, into: int) -> None:
    """Let a letter set aside count for the player its writer becomes."""
    if old in _known(connection):
        _wait_for(connection, {into}, instead_of={old})


def stop_clocks(change: Change, player_id: int) -> None:
    """Stop a player's clocks, as a letter waits for the organiser: that is not their fault."""
    _wait_for(change.connection, {player_id})
    for row in clock.rows_of(change.connection, player_id):
        clock.stop_clock(change, row, clock.ASIDE)


def resume_clocks(change: Change, player_id: int) -> None:
    """Let a player's clocks go on: the letter was handled or dropped."""
    # Asked without a lock first: nearly every letter passes here, and few have stopped a clock.
    if player_id not in _known(change.connection) or player_id in unfetched_from(change):
        return
    _wait_for(change.connection, instead_of={player_id})
    for row in clock.rows_of(change.connection, player_id):
        clock.resume_clock(change, row, clock.ASIDE)
        # Orders in advance stood as well.
        matches.set_agenda(change.connection, row.id, change.desk.now())


def unfetched_from(change: Change) -> set[int]:
    """Return the players of letters that the server has not given for less than a day."""
    since = change.desk.now() - DAY
    unfetched = letters.unfetched_letters(change.connection)
    return {letter.player_id for letter in unfetched if letter.player_id and letter.kept_at > since}


def wait_for_unfetched(change: Change, before: set[int | None]) -> None:
    """Stop the clocks of these players; those that stood for them ``before`` may go on."""
    players_now = unfetched_from(change)
    for player_id in filter(None, before - players_now):
        resume_clocks(change, player_id)
    for player_id in players_now:
        stop_clocks(change, player_id)


def settle_reach(change: Change, player_id: int, *, anew: bool = False) -> list[MatchRow]:
    """Stop or start a player's clocks as mail reaches them or not.

    A turn whose report was lost is reported once more, and its clock waits for that; ``anew``: it
    has all its time again. Return the matches whose clocks stopped.
    """
    stopped = []
    for row in clock.rows_of(change.connection, player_id):
        seat = matches.find_seat(change.connection, row.id, row.to_act or "")
        stands = clock.clock_stands(row, clock.UNREACHABLE)
        if not out_of_reach(change.connection, row, seat):
            if stands and seat and reports.is_lost(change.connection, row.id, seat.seat):
                clock.stop_clock(change, row, UNTOLD, anew=anew)
                told.owe_report(change.connection, seat, row.turn)
                matches.set_agenda(change.connection, row.id, change.desk.now())
            clock.resume_clock(change, row, clock.UNREACHABLE)
        elif not stands:
            clock.stop_clock(change, row, clock.UNREACHABLE)
            stopped.append(row)
    return stopped


def pass_on(change: Change, row: MatchRow, player_id: int | None) -> None:
    """Let a handed-over seat's clock stand if a letter of its new holder lies aside, or run."""
    waits = player_id in _known(change.connection)
    follow = clock.stop_clock if waits else clock.resume_clock
    follow(change, row, clock.ASIDE)


def _known(connection: Connection) -> frozenset[int]:
    return notes.WAITED_FOR.read(connection) or frozenset()


def _wait_for(
    connection: Connection, new: Iterable[int] = (), *, instead_of: Iterable[int] = ()
) -> None:
    known = notes.WAITED_FOR.lock(connection) or frozenset()
    notes.WAITED_FOR.write(connection, known.difference(instead_of).union(new))
