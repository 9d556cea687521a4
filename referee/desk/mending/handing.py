"""Giving a seat to somebody else: another player, a bot, nobody; for good or for some days."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from referee.desk import ledger, opening, reports, seating, standing, timing, waiting
from referee.desk.mending.act import Plain, Refused, Work, uninvite
from referee.desk.mending.urging import GOING
from referee.desk.people import player_at
from referee.desk.posting import names_of
from referee.games.game import Json, Seat
from referee.matches.events import NOTICE, SEAT
from referee.render.wording import Catalogue, Wording
from referee.store import matches as tables
from referee.store import outbox, players, standins
from referee.store.matches import SeatRow
from referee.store.players import PlayerRow


@dataclass(frozen=True, slots=True)
class Taker:
    """Who gets a seat: a player, a bot by name; neither: nobody."""

    player: PlayerRow | None = None
    bot: str | None = None

    @property
    def kind(self) -> str:
        """What holds the seat then."""
        return "player" if self.player else "bot" if self.bot else "nobody"

    def name(self, reader: PlayerRow) -> str:
        """Return how a reader is told of the taker."""
        if self.player is not None:
            return self.player.name
        return f"bot {self.bot}" if self.bot else Catalogue(reader.language).say("by.nobody")


@dataclass(frozen=True, slots=True)
class HandOver(Plain):
    """Give a seat to the player of an address, to a bot, or with neither to nobody."""

    name: ClassVar[str] = "seat"
    match: str
    seat: Seat
    address: str | None = None
    bot: str | None = None

    def carry_out(self, work: Work) -> None:
        row = work.going("invited", *GOING)
        seat = work.seat(self.seat)
        if row.state == "invited":
            _invite(work, seat, taker_of(work, seat, self.address, self.bot))
            return
        if self._stays(work, seat):
            return
        taker = taker_of(work, seat, self.address, self.bot)
        old = holder_of(work, seat)
        if taker.kind == "nobody":
            work.warn(f"nobody plays {seat.seat} then: the match stands still on its turn")
        hand_on(work, seat, taker)
        if old.player is not None:
            fields = {"seat": seat.seat, "whom": taker.name(old.player)}
            acts = work.row.to_act == seat.seat
            work.tell_one("seat-left", fields, seat, old.player, bound=False, moved=acts)
        introduce(work, seat.seat, old)
        tell_others(work, "seat-changed", seat.seat, old, taker)

    def _stays(self, work: Work, seat: SeatRow) -> bool:
        """End what was arranged for some days; tell whether the seat is meant to stay as it is."""
        arranged = [
            each
            for each in standins.stand_ins(work.connection, seat.match_id)
            if each.seat == seat.seat
        ]
        for each in arranged:
            standins.set_stand_in(work.connection, each.id, "over")
            work.warn(f"what was arranged for {seat.seat} for some days ends with this")
        holder = holder_of(work, seat).player
        if not arranged or holder is None or self.address is None:
            return False
        meant = players.by_address(work.connection, self.address)
        if meant is None or meant.id != holder.id:
            return False
        work.note(NOTICE, seat=seat.seat, act=self.name)
        work.tell("stand-in-off", {"seat": seat.seat, "who": holder.name})
        return True


def taker_of(work: Work, seat: SeatRow, address: str | None, bot: str | None) -> Taker:
    """Return who is to get a seat, a new player for an unknown address. Raises Refused."""
    if address is None:
        if bot == seat.bot and seat.holder != "player":
            raise Refused(f"{seat.seat} is held by {f'the bot {bot}' if bot else 'nobody'} already")
        return Taker(bot=bot)
    if address == work.desk.address:
        raise Refused(f"{address} is the referee's own address; it cannot play")
    player = player_at(work.desk, work.connection, address)
    if player.id == seat.player_id:
        raise Refused(f"{seat.seat} is held by {player.name} already")
    held = tables.seats_of_player(work.connection, player.id, seat.match_id)
    for each in held:
        work.warn(f"{player.name} holds {each.seat} in this match too, and would see both hands")
    return Taker(player)


def holder_of(work: Work, seat: SeatRow) -> Taker:
    """Return who holds a seat."""
    if seat.player_id is None:
        return Taker(bot=seat.bot)
    return Taker(players.by_id(work.connection, seat.player_id))


def _invite(work: Work, seat: SeatRow, taker: Taker) -> None:
    """Give a seat of a match that has not begun to somebody else, who is asked to agree.

    What its holder agreed to goes with him, his words for chance too; nothing of it is logged.
    """
    row, old = work.row, holder_of(work, seat)
    if taker.kind == "nobody" and row.seating is None:
        raise Refused(f"{row.name} has no open seats: give {seat.seat} an address or a bot")
    knows = not uninvite(work, seat)
    seating.give_back(work.connection, row, seat.seat)
    if taker.kind != "nobody":
        _put(work.connection, seat, taker)
    if old.player is not None and knows:
        fields: dict[str, Json] = {"seat": seat.seat, "whom": taker.name(old.player)}
        fields["invited"] = True
        work.tell_one("seat-left", fields, seat, old.player, bound=False)
    if taker.player is not None:
        opening.invite(work.desk, work.connection, row, work.seat(seat.seat))
    tell_others(work, "seat-changed", seat.seat, old, taker)
    people = [s for s in tables.seats(work.connection, row.id) if s.holder == "player"]
    if people and seating.complete(work.connection, row):
        work.warn(f"all players have agreed, so {row.name} begins")
        opening.begin(work.desk, work.connection, work.row)


def hand_on(work: Work, seat: SeatRow, taker: Taker, **more: Json) -> None:
    """Let a seat change hands: the event, the codes, its clock; what it had ordered ahead ends."""
    desk, connection = work.desk, work.connection
    sitting = work.sitting()
    standing.end_all(desk, connection, sitting, seat.seat)
    work.warn(f"whatever {seat.seat} had ordered in advance ends")
    sitting = work.note(SEAT, seat=seat.seat, holder=taker.kind, bot=taker.bot, **more)
    row, player = sitting.row, taker.player
    outbox.supersede_reports(connection, row.id, seat.seat)
    with timing.calendar_change(desk, connection, [row]):
        _put(connection, seat, taker)
    if row.to_act == seat.seat:
        waiting.pass_on(desk, connection, row, player.id if player else None)
    if player is not None:
        tables.add_hand(connection, row.id, row.seq, player.id)
    told = sitting.live.turn.number
    tables.set_reported(connection, row.id, seat.seat, sitting.live.seq, told)
    if player is None:
        timing.go_on(desk, connection, row, timing.UNREACHABLE)
        return
    timing.settle_reach(desk, connection, player.id)
    taken = [work.seat(seat.seat)]
    ledger.add_codes(desk, connection, row, taken, row.turn, row.turn_began_seq)


def _put(connection: Connection, seat: SeatRow, taker: Taker) -> None:
    """Write down who holds a seat from now on."""
    tables.set_holder(
        connection,
        seat.match_id,
        seat.seat,
        holder=taker.kind,
        player_id=taker.player.id if taker.player else None,
        bot=taker.bot,
    )


def introduce(work: Work, seat: Seat, old: Taker, until: str | None = None) -> None:
    """Tell a player that he has a seat and who else plays, and send him the board.

    Only the report bears a reply code: it is superseded if the turn passes before it leaves.
    """
    taken = work.seat(seat)
    if taken.player_id is None:
        return
    player = players.by_id(work.connection, taken.player_id)
    fields: dict[str, Json] = {
        "seat": seat,
        "who": old.name(player) if old.kind != "nobody" else "",
        "holders": _holders(work, player),
    }
    if until is not None:
        fields["until"] = until
    work.tell_one("seat-taken", fields, taken, player, bound=False)
    sitting = ledger.load(work.desk, work.connection, work.row)
    reports.write_again(work.desk, work.connection, sitting, sitting.seat(seat))


def _holders(work: Work, reader: PlayerRow) -> list[Json]:
    row = work.row
    names = names_of(work.connection, tables.seats(work.connection, row.id))
    wording = Wording(work.desk.find_game(row.game, row.edition), reader.language)
    return [f"{wording.seat(seat)} ({name})" for seat, name in names.items()]


def tell_others(work: Work, key: str, seat: Seat, old: Taker, taker: Taker) -> None:
    """Tell everybody else that a seat changed hands."""
    others = [
        each.seat for each in tables.seats(work.connection, work.row.id) if each.seat != seat
    ]
    held = old.kind != "nobody"
    work.tell(
        key,
        lambda reader: {
            "seat": seat,
            "who": old.name(reader) if held else "",
            "whom": taker.name(reader),
        },
        others,
    )
