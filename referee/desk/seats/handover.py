"""The handover of a seat to another player, a bot, or nobody."""

from __future__ import annotations

from sqlalchemy import Connection

from referee.desk.mails import report
from referee.desk.matches import codes, ledger, standing_orders, told
from referee.desk.matches.time import clock, stoppages
from referee.desk.players import names_of, player_at
from referee.desk.work import Refused, Work
from referee.games.game import Json, Seat
from referee.matches.events import SEAT
from referee.render.answers import Signed, signed
from referee.render.words.wording import Catalogue, Wording
from referee.store.people import players
from referee.store.play import matches
from referee.store.post import outbox, reports
from referee.store.states import Holder
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import SeatRow
from referee.value import Value


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
    held = matches.seats_of_player(work.connection, player.id, seat.match_id)
    for other in held:
        work.warn(f"{player.name} holds {other.seat} in this match too, and would see both hands")
    return Taker(player)


def holder_of(work: Work, seat: SeatRow) -> Taker:
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
    matches.set_reported(connection, row.id, seat.seat, live.seq, live.turn.number)


def put_in_seat(connection: Connection, seat: SeatRow, taker: Taker) -> None:
    """Write down who holds a seat from now on."""
    matches.set_holder(
        connection,
        seat.match_id,
        seat.seat,
        holder=taker.kind,
        player_id=taker.player.id if taker.player else None,
        bot=taker.bot,
    )


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
    loaded = ledger.load_match(work.change, work.row)
    report.write_again(work.change, loaded, loaded.seat(seat))


def tell_others(work: Work, seat: Seat, old: Taker, taker: Taker) -> None:
    """Tell everybody else that a seat changed hands."""
    others = [
        other.seat for other in matches.seats(work.connection, work.row.id) if other.seat != seat
    ]

    def said(reader: PlayerRow) -> Signed:
        who = old.name(reader) if old.kind != "nobody" else ""
        return signed("seat-changed", seat=seat, who=who, whom=taker.name(reader))

    work.tell(said, others)
