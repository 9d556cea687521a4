"""Stand-ins: somebody sits for a player for some days; then the seat returns by itself."""

from __future__ import annotations

import logging
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk import health
from referee.desk.desk import Change
from referee.desk.mails import report
from referee.desk.matches import codes, ledger, reasons
from referee.desk.seats.handover import Taker, hand_on, holder_of, introduce_seat
from referee.desk.work import Work
from referee.games.game import Seat
from referee.render.answers import Signed, signed
from referee.render.words.moments import day_text
from referee.render.words.wording import Catalogue
from referee.store.people import players
from referee.store.play import matches, standins
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, StandInRow

log = logging.getLogger(__name__)

LONGEST: Final = timedelta(days=366)
"""The longest time somebody may sit for another."""


def arranged_for(connection: Connection, match_id: int, seat: Seat) -> StandInRow | None:
    """Return the stand-in of a seat, present or to come; at most one is arranged."""
    arranged = standins.stand_ins(connection, match_id)
    return next((stand_in for stand_in in arranged if stand_in.seat == seat), None)


def sitting_for(connection: Connection, match_id: int, seat: Seat) -> StandInRow | None:
    """Return the stand-in that holds a seat now."""
    stand_in = arranged_for(connection, match_id, seat)
    return stand_in if stand_in is not None and stand_in.state == "sitting" else None


def cancel(connection: Connection, match_id: int, seat: Seat) -> bool:
    """End the stand-in arranged for a seat; return whether there was one."""
    stand_in = arranged_for(connection, match_id, seat)
    if stand_in is not None:
        standins.set_stand_in(connection, stand_in.id, "over")
    return stand_in is not None


def turn_over(change: Change, row: MatchRow, arrived: datetime | None) -> bool:
    """Let the next seat whose day has come change hands.

    Return whether one did. A letter counts for the holder at its arrival: all letters that came
    before the day must be handled, and orders held until then be played. ``arrived`` is the
    arrival of the letter handled next, if there is one.
    """
    if row.state == "over":
        return _after_the_end(change, row)
    if row.state != "running":
        return False
    by = arrived or change.desk.now()
    for stand_in in standins.stand_ins(change.connection, row.id):
        moment = _next(stand_in)
        if moment > by or not (arrived or health.all_letters_known(change, moment)):
            continue
        # Orders whose grace ended before are played first: the hand-over would end them.
        if matches.has_orders_held_until(change.connection, row.id, moment):
            return False
        if stand_in.state == "sitting":
            _end(_work(change, row, stand_in), stand_in)
            return True
        if by < stand_in.ends:
            begin_stand_in(_work(change, row, stand_in), stand_in)
            return True
        # Its days passed while the match stood still.
        standins.set_stand_in(change.connection, stand_in.id, "over")
    return False


def _next(stand_in: StandInRow) -> datetime:
    """Return when a seat changes hands next."""
    return stand_in.begins if stand_in.state == "planned" else stand_in.ends


def return_seat(change: Change, row: MatchRow, seat: Seat) -> bool:
    """Return a seat early from its stand-in; return whether there was one."""
    stand_in = sitting_for(change.connection, row.id, seat)
    if stand_in is not None:
        _end(_work(change, row, stand_in), stand_in)
        matches.set_agenda(change.connection, row.id, change.desk.now())
    return stand_in is not None


def _after_the_end(change: Change, row: MatchRow) -> bool:
    """Return a seat to its player after a match is over.

    The stand-in gets the last report first, and then the player gets one, too. Return whether there
    was a seat to return.
    """
    for stand_in in standins.stand_ins(change.connection, row.id):
        standins.set_stand_in(change.connection, stand_in.id, "over")
        if stand_in.state != "sitting":
            continue
        loaded = ledger.load_match(change, row)
        seat = loaded.seat(stand_in.seat)
        # The stand-in, too, gets the last report, with the record.
        if seat.holder == "player":
            report.write_again(change, loaded, seat)
        owner = stand_in.owner_id
        matches.set_holder(
            change.connection, row.id, stand_in.seat, holder="player", player_id=owner
        )
        matches.set_reported(change.connection, row.id, stand_in.seat, seat.reported_seq, row.turn)
        taken = [
            one for one in matches.seats(change.connection, row.id) if one.seat == stand_in.seat
        ]
        codes.add_codes(change, row, taken, row.turn, row.turn_began_seq)
        return True
    return False


def next_moments(connection: Connection, row: MatchRow) -> list[datetime]:
    """Return when each seat of a match changes hands next, perhaps in the past."""
    arranged = standins.stand_ins(connection, row.id) if row.state == "running" else ()
    return [_next(stand_in) for stand_in in arranged]


def _work(change: Change, row: MatchRow, stand_in: StandInRow) -> Work:
    """Return the continuation of an earlier act, with its actor and reason."""
    details = stand_in.details
    why = reasons.find_text(change.connection, row, details["why"]) or "–"
    return Work(change, row.name, details["by"], why)


def begin_stand_in(work: Work, stand_in: StandInRow) -> None:
    """Begin a stand-in's days."""
    seat = work.seat(stand_in.seat)
    # The seat has passed on meanwhile, and with it the reason to stand in.
    if seat.player_id != stand_in.owner_id:
        standins.set_stand_in(work.connection, stand_in.id, "over")
        return
    standins.set_stand_in(work.connection, stand_in.id, "sitting")
    owner = holder_of(work, seat)
    player = stand_in.player_id and players.get_player(work.connection, stand_in.player_id)
    taker = Taker(player or None, stand_in.bot)
    days = stand_in.details
    hand_on(work, seat, taker, first=days["first"], last=days["last"])
    if taker.player is not None:
        until = day_text(date.fromisoformat(days["last"]), Catalogue(taker.player.language))
        introduce_seat(work, seat.seat, owner, until)


def _end(work: Work, stand_in: StandInRow) -> None:
    standins.set_stand_in(work.connection, stand_in.id, "over")
    seat = work.seat(stand_in.seat)
    sat = holder_of(work, seat)
    owner = Taker(players.get_player(work.connection, stand_in.owner_id))
    hand_on(work, seat, owner, returned=True)

    def said(reader: PlayerRow) -> Signed:
        who, whom = owner.name(reader), sat.name(reader)
        return signed("stand-in-over", seat=seat.seat, who=who, whom=whom)

    work.tell(said)
    # The stand-in holds no seat any more, and so needs a mail of its own, without a code.
    if sat.player is not None:
        work.tell_one(said(sat.player), seat, sat.player, bound=False)
    loaded = work.load()
    report.write_again(work.change, loaded, loaded.seat(seat.seat))
