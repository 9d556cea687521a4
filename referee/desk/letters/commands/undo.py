"""The command ``undo``: a player asks to take back a turn, and all others agree."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.health import all_letters_known
from referee.desk.letters import reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words.keywords import Command
from referee.desk.matches import broken, ledger
from referee.desk.matches.ledger import Sitting
from referee.desk.matches.rewind import CONSENT
from referee.desk.plans import act
from referee.desk.plans.board import Undo, revealed
from referee.desk.players import names_of, players_of
from referee.desk.work import Refused, Work
from referee.games.game import Seat
from referee.matches import line
from referee.matches.events import ANNOTATIONS, ORDER, SEAT, Event
from referee.render.answers import Answer, answer
from referee.render.moments import moment
from referee.render.wording import Catalogue
from referee.store.people import consents
from referee.store.people.consents import ConsentRow
from referee.store.people.players import PlayerRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.states import UNFINISHED

CALM: Final = ANNOTATIONS - {SEAT}
"""Events after which a question still stands: same players, same board."""


def ask(case: Case, claim: Claim, _: Command) -> None:
    """Ask the other players to take back the sender's latest turn."""
    row, seat = claim.match, claim.seat.seat
    if row.state != "running":
        reply.send(case, answer("undo-not", why="state"), claim)
        return
    # An older request that is over must not stand in the way.
    _lapse_if_due(case, row)
    sitting = ledger.load(case.change, row)
    log = ledger.log_of(case.connection, row)
    turn = _latest_turn(log, seat)
    start = None if turn is None else line.start_of(log, turn)
    work = _work(case.change, row, seat)
    if turn is None or start is None:
        reply.send(case, answer("undo-not", why="nothing"), claim)
    elif consents.waiting_in(case.connection, row.id) is not None:
        reply.send(case, answer("undo-not", why="open"), claim)
    # A board can be set back; what somebody has learnt cannot.
    elif revealed(work, row, start):
        reply.send(case, answer("undo-not", why="revealed", turn=turn), claim)
    else:
        _put(case, claim, sitting, turn)


def _latest_turn(log: Sequence[Event], seat: Seat) -> int | None:
    """Return the latest turn in force in which a seat chose something."""
    own = [each for each in line.current(log) if each.kind == ORDER and each.seat == seat]
    # Forced orders are not a player's to take back.
    turns = [each.turn for each in own if not each.forced]
    return turns[-1] if turns else None


def _put(case: Case, claim: Claim, sitting: Sitting, turn: int) -> None:
    """Ask the other players; if there are none, take the turn back at once."""
    desk, connection, row = case.desk, case.connection, claim.match
    until = desk.now() + timedelta(days=desk.undo_days)
    asked = _others(connection, sitting.seats, claim.seat)
    when = _worded(until, case.player)
    if not asked:
        reply.send(case, answer("undo-asking", turn=turn, when=when), claim)
        _take_back(case.change, row, claim.seat.seat, turn)
        return
    consents.add(
        connection,
        match_id=row.id,
        seat=claim.seat.seat,
        turn=turn,
        # Play after this event makes the request void.
        asked_seq=row.seq,
        now=desk.now(),
        expires=until,
    )
    seat, who = claim.seat.seat, case.player.name

    def worded(player: PlayerRow) -> Answer:
        return answer("undo-asked", turn=turn, seat=seat, who=who, when=_worded(until, player))

    names = names_of(connection, sitting.seats)
    to = [names[each] for each in asked]
    _work(case.change, row, seat).tell(worded, asked)
    said = answer("undo-asking", turn=turn, when=when, to=to, to_one=len(to) == 1)
    reply.send(case, said, claim)


def agree(case: Case, claim: Claim) -> bool:
    """Note a seat's yes; once all agree, take the turn back.

    Return whether anything was asked of the seat. A yes in answer to a mail of an earlier turn was
    meant for something else.
    """
    asked = asked_of(case, claim)
    if asked is None or claim.code.seq < claim.match.turn_began_seq:
        return False
    connection, row = case.connection, claim.match
    seats = matches.seats(connection, row.id)
    agreed = {*asked.seats_agreed, claim.seat.seat}
    consents.note_agreed(connection, asked.id, sorted(agreed))
    asker = next(each for each in seats if each.seat == asked.seat)
    waiting = [each for each in _others(connection, seats, asker) if each not in agreed]
    names = names_of(connection, seats)
    left = [names[each] for each in waiting]
    reply.send(case, answer("undo-agreed", turn=asked.turn, waiting=left), claim)
    if not waiting:
        try:
            _take_back(case.change, row, asked.seat, asked.turn)
        # Something was revealed meanwhile, and the turn cannot be taken back any more.
        except Refused:
            _decline(case.change, asked, moved=True)
        else:
            consents.settle(connection, asked.id, "granted")
    return True


def decline(case: Case, claim: Claim) -> bool:
    """Note a seat's no and tell all; return whether anything was asked."""
    asked = asked_of(case, claim)
    if asked is None:
        return False
    _decline(case.change, asked, who=case.player.name)
    return True


def asked_of(case: Case, claim: Claim) -> ConsentRow | None:
    """Return the open undo request a seat has to answer."""
    _lapse_if_due(case, claim.match)
    asked = consents.waiting_in(case.connection, claim.match.id)
    return None if asked is None or asked.seat == claim.seat.seat else asked


def due(change: Change) -> bool:
    """Return whether any request has expired, or its match has moved on.

    An answer counts by its arrival, so the mailbox must have been read since.
    """
    return any(_has_lapsed(change, each) for each in consents.waiting(change.connection))


def lapse(change: Change) -> None:
    """Let requests that expired, or were played over, count as declined; tell all."""
    for each in consents.waiting(change.connection):
        if _has_lapsed(change, each):
            _lapse(change, each)


def _lapse(change: Change, asked: ConsentRow) -> None:
    """Let a request lapse and tell all; in a broken match nothing can be mailed."""
    row = matches.by_id(change.connection, asked.match_id)
    try:
        with change.connection.begin_nested(), broken.known(row):
            _decline(change, asked, moved=asked.expires > change.desk.now())
    except broken.BrokenMatch:
        consents.settle(change.connection, asked.id, "declined")


def _lapse_if_due(case: Case, row: MatchRow) -> None:
    """Let the request in a match lapse if this letter is late."""
    asked = consents.waiting_in(case.connection, row.id)
    late = asked is not None and asked.expires <= case.row.arrived
    if asked is not None and (late or _moved_on(case.connection, asked)):
        _decline(case.change, asked, moved=not late)


def _has_lapsed(change: Change, asked: ConsentRow) -> bool:
    over = asked.expires <= change.desk.now() and all_letters_known(change, asked.expires)
    return over or _moved_on(change.connection, asked)


def _moved_on(connection: Connection, asked: ConsentRow) -> bool:
    later = matches.events(connection, asked.match_id, after=asked.asked_seq)
    return any(each.kind not in CALM for each in later)


def _decline(change: Change, asked: ConsentRow, *, who: str = "", moved: bool = False) -> None:
    consents.settle(change.connection, asked.id, "declined")
    row = matches.by_id(change.connection, asked.match_id)
    over = row.state not in UNFINISHED
    said = answer("undo-declined", who=who or None, moved=moved, over=over)
    _work(change, row, asked.seat).tell(said)


def _take_back(change: Change, row: MatchRow, seat: Seat, turn: int) -> None:
    act.enact(change, Undo(row.name, turn), CONSENT, seat)


def _work(change: Change, row: MatchRow, seat: Seat) -> Work:
    return Work(change, row.name, seat, CONSENT)


def _others(connection: Connection, seats: Sequence[SeatRow], asker: SeatRow) -> list[Seat]:
    """Return the seats of other players, who have a say; bots have none."""
    held = players_of(connection, seats)
    return [seat for seat, player in held.items() if player.id != asker.player_id]


def _worded(until: datetime, player: PlayerRow) -> str:
    return moment(until, player.zone, Catalogue(player.language))
