"""How a seat passes on: handed over, to a stand-in for some days and back, or given up."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from referee.bots import BOTS
from referee.desk import health
from referee.desk.desk import REFEREE, Change, stamp
from referee.desk.mails import report, summary
from referee.desk.mails.post import notify
from referee.desk.matches import codes, ledger, reasons, standing_orders, told
from referee.desk.matches.time import clock, outages, stoppages
from referee.desk.players import holders_of, names_of, player_at
from referee.desk.work import Refused, Work
from referee.games.game import Json, Result, Seat
from referee.games.play import merits
from referee.games.play import places as places_of
from referee.matches.events import SEAT
from referee.matches.log import LATE, conclude
from referee.matches.time.pace import DEFAULT_BOT
from referee.render.answers import Signed, answer, signed
from referee.render.words.moments import day_text
from referee.render.words.wording import Catalogue, Wording
from referee.store.people import players
from referee.store.play import matches, standins
from referee.store.post import outbox, reports
from referee.store.states import Holder
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, SeatRow, StandInRow
from referee.value import Value

LONGEST: Final = timedelta(days=366)
"""The longest time somebody may sit for another."""

RESIGNED: Final = "resigned"
"""The ending of a match whose last opponent but one resigned."""


class Taker(Value):
    """The one who gets a seat: a player, a bot, or nobody."""

    player: PlayerRow | None = None
    bot: str | None = None

    @property
    def kind(self) -> Holder:
        """The kind of holder the seat has then."""
        return "player" if self.player else "bot" if self.bot else "nobody"

    def name(self, reader: PlayerRow) -> str:
        """Return the taker's name in a reader's language."""
        if self.player is not None:
            return self.player.name
        return f"bot {self.bot}" if self.bot else Catalogue(reader.language).say("by.nobody")


def taker_of(work: Work, seat: SeatRow, address: str | None, bot: str | None) -> Taker:
    """Return the taker an organiser names; an unknown address makes a player. Raises Refused."""
    if address is None:
        if bot == seat.bot and seat.holder != "player":
            raise Refused(f"{seat.seat} is held by {f'the bot {bot}' if bot else 'nobody'} already")
        return Taker(bot=bot)
    # Its reports would come back to it as letters.
    if address == work.desk.settings.address:
        raise Refused(f"{address} is the referee's own address; it cannot play")
    player = player_at(work.change, address)
    if player.id == seat.player_id:
        raise Refused(f"{seat.seat} is held by {player.name} already")
    for other in matches.seats_of_player(work.connection, player.id, seat.match_id):
        work.warn(f"{player.name} holds {other.seat} in this match too, and would see both hands")
    return Taker(player)


def taker_in(work: Work, seat: SeatRow) -> Taker:
    """Return the present holder of a seat."""
    if seat.player_id is None:
        return Taker(bot=seat.bot)
    return Taker(players.get_player(work.connection, seat.player_id))


def hand_on(work: Work, seat: SeatRow, taker: Taker, **more: Json) -> None:
    """Let a seat change hands: event, codes, clock, and the end of orders given in advance."""
    connection = work.connection
    # The new holder must not play by orders they cannot see.
    standing_orders.end_all_of_seat(work.change, work.load(), seat.seat)
    work.warn(f"whatever {seat.seat} had ordered in advance ends")
    loaded = work.note(SEAT, seat=seat.seat, holder=taker.kind, bot=taker.bot, **more)
    row, player = loaded.row, taker.player
    # A report to the old holder that has not left must not leave any more.
    reports.withdraw_reports(connection, row.id, seat.seat)
    outbox.replace_failed(connection, row.id, seat.seat)
    if seat.player_id is not None:
        told.withdraw_digests(connection, row.id, seat.player_id)
    # Days away are the holder's, so the running turn's clock is reckoned anew.
    with clock.calendar_change(work.change, [row]):
        put_in_seat(connection, seat, taker)
    if row.to_act == seat.seat:
        stoppages.pass_on(work.change, row, player.id if player else None)
    if player is not None:
        matches.add_seat_holder(connection, row.id, row.seq, player.id)
        stoppages.settle_reach(work.change, player.id)
        codes.add_codes(work.change, row, [work.seat(seat.seat)], row.turn, row.turn_began_seq)
    # A bot needs no mail, so its clock does not wait for an address; another seat's does.
    elif row.to_act == seat.seat:
        clock.resume_clock(work.change, row, clock.UNREACHABLE)
    # Last, as a new holder is told by their introduction.
    live = loaded.live
    matches.set_reported(connection, row.id, [seat.seat], live.seq, live.turn.number)


def put_in_seat(connection: Connection, seat: SeatRow, taker: Taker) -> None:
    """Write down who holds a seat from now on."""
    player_id = taker.player.id if taker.player else None
    matches.set_holder(connection, seat.match_id, seat.seat, player_id=player_id, bot=taker.bot)


def introduce_seat(work: Work, seat: Seat, old: Taker, until: str | None = None) -> None:
    """Tell a player about the new seat, and send the board.

    Only the report bears a reply code: it is superseded if the turn passes before it leaves.
    """
    taken = work.seat(seat)
    if taken.player_id is None:
        return
    player = players.get_player(work.connection, taken.player_id)
    who = old.name(player) if old.kind != "nobody" else ""
    row = work.row
    names = names_of(work.connection, matches.seats(work.connection, row.id))
    wording = Wording(work.desk.find_game(row.game, row.edition), player.language)
    holders = [f"{wording.seat(other)} ({name})" for other, name in names.items()]
    said = signed("seat-taken", seat=seat, who=who, holders=holders, until=until)
    work.tell_one(said, taken, player, bound=False)
    loaded = work.load()
    report.write_again(work.change, loaded, loaded.seat(seat))


def tell_others(work: Work, seat: Seat, old: Taker, taker: Taker) -> None:
    """Tell everybody else that a seat changed hands."""
    seats = matches.seats(work.connection, work.row.id)

    def said(reader: PlayerRow) -> Signed:
        who = old.name(reader) if old.kind != "nobody" else ""
        return signed("seat-changed", seat=seat, who=who, whom=taker.name(reader))

    work.tell(said, [other.seat for other in seats if other.seat != seat])


def arranged_for(connection: Connection, match_id: int, seat: Seat) -> StandInRow | None:
    """Return the stand-in of a seat, present or to come; at most one is arranged."""
    arranged = standins.stand_ins(connection, match_id)
    return next((stand_in for stand_in in arranged if stand_in.seat == seat), None)


def sitting_for(connection: Connection, match_id: int, seat: Seat) -> StandInRow | None:
    """Return the stand-in that holds a seat now."""
    stand_in = arranged_for(connection, match_id, seat)
    return stand_in if stand_in is not None and stand_in.state == "sitting" else None


def end_stand_in(connection: Connection, match_id: int, seat: Seat) -> bool:
    """End the stand-in arranged for a seat; return whether there was one."""
    stand_in = arranged_for(connection, match_id, seat)
    if stand_in is not None:
        standins.set_stand_in(connection, stand_in.id, "over")
    return stand_in is not None


def pass_next_seat(change: Change, row: MatchRow, arrived: datetime | None) -> bool:
    """Let the next seat whose day has come change hands.

    Return whether one did. A letter counts for the holder at its arrival: all letters that came
    before the day must be handled, and orders held until then be played. ``arrived`` is the
    arrival of the letter handled next, if there is one.
    """
    if row.state == "over":
        return _after_the_end(change, row)
    if row.state != "running":
        return False
    # By a clock that has jumped no day can be told; a letter's arrival is told by its server.
    if arrived is None and outages.lasting_outage(change.connection) is not None:
        return False
    by = arrived or change.desk.now()
    for stand_in in standins.stand_ins(change.connection, row.id):
        moment = _next(stand_in)
        if moment > by or not (arrived or health.all_letters_known(change, moment)):
            continue
        # Orders whose grace ended before are played first: the hand-over would end them.
        orders = matches.standing_orders_of(change.connection, row.id)
        if any(order.until is not None and order.until <= moment for order in orders):
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
        owner = players.get_player(change.connection, stand_in.owner_id)
        put_in_seat(change.connection, seat, Taker(owner))
        matches.set_reported(change.connection, row.id, [seat.seat], seat.reported_seq, row.turn)
        if taken := matches.find_seat(change.connection, row.id, stand_in.seat):
            codes.add_codes(change, row, [taken], row.turn, row.turn_began_seq)
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
    owner = taker_in(work, seat)
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
    sat = taker_in(work, seat)
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


def resign(change: Change, row: MatchRow, seat: Seat, *, late: bool = False) -> str | None:
    """Let a seat resign; return the bot that plays on, None if the match is over.

    With one opponent the match ends and the opponent comes first. The others are told, and the
    organiser reads of it in the summary; also where it was ``late``, and did not say so itself. A
    stand-in cannot give up a seat that belongs to somebody else: it is returned instead.
    """
    loaded = ledger.load_match(change, row)
    held = loaded.seat(seat)
    name = names_of(change.connection, [held])[seat]
    # Bots among themselves need no match: without another player it ends, too.
    people = [other for other in loaded.seats if other.holder == "player" and other.seat != seat]
    if len(loaded.seats) == 2 or not people:
        bot = None
        standing_orders.end_all_of_seat(change, loaded, seat)
        live = loaded.live
        worth = merits(live.game, live.position)
        # Places go by what points are worth, equal ones shared. Whoever resigns comes last, or one
        # could give up to save a good place.
        others = {other: mine for other, mine in worth.items() if other != seat}
        places = {**places_of(others), seat: len(worth)}
        result = Result(LATE if late else RESIGNED, live.game.points(live.position), places)
        after, logged = conclude(live, result, stamp(change.desk.now()), seat=seat)
        ledger.save_match(change, loaded, after, [logged])
    else:
        agreed = clock.pace_of(row).bot
        bot = agreed if agreed is not None and agreed in BOTS else DEFAULT_BOT
        # There is no player any more for whom somebody could sit.
        end_stand_in(change.connection, row.id, seat)
        by, why = (REFEREE, "the time was up") if late else (seat, RESIGNED)
        work = Work(change, row.name, by=by, why=why)
        hand_on(work, work.seat(seat), Taker(bot=bot))
    now = matches.get_match(change.connection, row.id)
    said = answer("resigned-other", who=name, seat=seat, bot=bot, ended=bot is None, late=late)
    for rival, player in holders_of(change.connection, row.id):
        if rival.seat != seat:
            notify(change, now, rival, player, said)
    fields = {
        "match": row.name, "seat": seat, "name": name, "bot": bot, "late": late,
        "player": held.player_id,
    }  # fmt: skip
    summary.note_news(change.connection, "resigned", fields)
    return bot
