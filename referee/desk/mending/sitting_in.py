"""Somebody sits for a player from one day to another; the seat returns by itself."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, ClassVar, Final, Self

from sqlalchemy import Connection

from referee.desk import broken, health, ledger, reports
from referee.desk.desk import Desk
from referee.desk.mending import reasons
from referee.desk.mending.act import Refused, Work
from referee.desk.mending.handing import Taker, hand_on, holder_of, introduce, taker_of
from referee.desk.mending.urging import GOING
from referee.games.game import Document, Json, Seat
from referee.games.play import canonical_json
from referee.matches.events import NOTICE
from referee.render.moments import day, zone_of
from referee.render.wording import Catalogue
from referee.store import matches as tables
from referee.store import players, standins
from referee.store.matches import MatchRow, SeatRow
from referee.store.players import PlayerRow
from referee.store.standins import StandInRow

log = logging.getLogger(__name__)

LONGEST: Final = timedelta(days=366)
"""How long somebody may sit for another at most."""

AGAIN: Final = timedelta(seconds=30)
"""How long to wait for letters still on their way before a day that has come is looked at again."""


@dataclass(frozen=True, slots=True)
class SitIn:
    """Let a player or a bot sit for the player of a seat from a day to a day, both included.

    The days are those of the player's zone.
    """

    name: ClassVar[str] = "sit"
    match: str
    seat: Seat
    first: date
    last: date
    address: str | None = None
    bot: str | None = None

    def document(self) -> Document:
        days = {"first": self.first.isoformat(), "last": self.last.isoformat()}
        who = {"seat": self.seat, "address": self.address, "bot": self.bot}
        return {"match": self.match, **who, **days}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        return cls(
            document["match"],
            document["seat"],
            date.fromisoformat(document["first"]),
            date.fromisoformat(document["last"]),
            document["address"],
            document["bot"],
        )

    def carry_out(self, work: Work) -> None:
        row = work.going(*GOING)
        seat = work.seat(self.seat)
        if seat.player_id is None:
            raise Refused(f"no player holds {self.seat} in {self.match}, so nobody sits for one")
        owner = players.by_id(work.connection, seat.player_id)
        begins, ends = self._span(work, owner, row)
        taker = taker_of(work, seat, self.address, self.bot)
        if taker.kind == "nobody":
            raise Refused("who is to sit for the player? an address, or a bot such as bot:greedy")
        days: dict[str, Json] = {"first": self.first.isoformat(), "last": self.last.isoformat()}
        work.note(NOTICE, seat=seat.seat, act=self.name, holder=taker.kind, bot=taker.bot, **days)
        standins.add_stand_in(
            work.connection,
            row.id,
            seat.seat,
            owner_id=owner.id,
            player_id=taker.player.id if taker.player else None,
            bot=taker.bot,
            begins=begins,
            ends=ends,
            details=canonical_json({"by": work.by, "why": work.reason, **days}),
            now=work.desk.now(),
        )
        at_once = begins <= work.desk.now()
        self._tell(work, seat, owner, taker, at_once=at_once)
        if at_once:
            for each in standins.stand_ins(work.connection, row.id):
                if each.seat == seat.seat:
                    _begin(work, each, told=True)

    def _span(self, work: Work, owner: PlayerRow, row: MatchRow) -> tuple[datetime, datetime]:
        """Return when the days begin and end. Raises Refused when they cannot be meant."""
        if not self.first <= self.last:
            raise Refused(f"--from {self.first} --to {self.last}: the first day comes first")
        if self.last - self.first > LONGEST:
            raise Refused(f"--to {self.last}: at most {LONGEST.days} days")
        zone = zone_of(owner.zone)
        begins = datetime.combine(self.first, time(), zone)
        ends = datetime.combine(self.last + timedelta(days=1), time(), zone)
        if ends <= work.desk.now():
            raise Refused(f"--to {self.last}: that day is over")
        for each in standins.stand_ins(work.connection, row.id):
            if each.seat == self.seat:
                raise Refused(
                    f"somebody sits for the player of {self.seat} already, or will: "
                    f"referee match seat {self.match} {self.seat} with his address ends that"
                )
        return begins, ends

    def _tell(
        self, work: Work, seat: SeatRow, owner: PlayerRow, taker: Taker, *, at_once: bool
    ) -> None:
        """Tell everybody; whose code dies now gets none, and who takes over now is told by that."""

        def fields(reader: PlayerRow) -> dict[str, Json]:
            return _fields(seat, owner, taker, (self.first, self.last), reader)

        seats = tables.seats(work.connection, seat.match_id)
        work.tell("stand-in", fields, [each.seat for each in seats if each.seat != seat.seat])
        acts = at_once and work.row.to_act == seat.seat
        work.tell_one("stand-in", fields(owner), seat, owner, bound=not at_once, moved=acts)
        if taker.player is not None and not at_once:
            work.tell_one("stand-in", fields(taker.player), seat, taker.player, bound=False)


def _fields(
    seat: SeatRow, owner: PlayerRow, taker: Taker, days: tuple[date, date], reader: PlayerRow
) -> dict[str, Json]:
    """Return what a reader is told of who sits for whom, and when."""
    first, last = (_day(each, reader) for each in days)
    whom = taker.name(reader)
    return {"seat": seat.seat, "who": owner.name, "whom": whom, "first": first, "last": last}


@dataclass(frozen=True, slots=True)
class Arranged:
    """Who sits for whom, now or on days to come; the days are those of the player's zone."""

    seat: Seat
    who: str
    owner: str
    first: str
    last: str
    sits: bool

    def __str__(self) -> str:
        verb = "sits" if self.sits else "will sit"
        return f"{self.who} {verb} for {self.owner} as {self.seat}, {self.first} to {self.last}"


def arranged(connection: Connection, row: MatchRow) -> list[Arranged]:
    """Return who sits for somebody in a match, or will, the earliest first."""
    return [_arranged(connection, each) for each in standins.stand_ins(connection, row.id)]


def cut_short(connection: Connection, row: MatchRow, now: datetime) -> list[Arranged]:
    """Return what was arranged last for each seat, where it ended before its days were over."""
    latest = {each.seat: each for each in standins.arranged(connection, row.id)}
    return [
        _arranged(connection, each)
        for each in latest.values()
        if each.state == "over" and each.ends > now
    ]


def _arranged(connection: Connection, stand_in: StandInRow) -> Arranged:
    days, player = json.loads(stand_in.details), stand_in.player_id
    return Arranged(
        stand_in.seat,
        players.by_id(connection, player).name if player else f"bot {stand_in.bot}",
        players.by_id(connection, stand_in.owner_id).name,
        days["first"],
        days["last"],
        stand_in.state == "sitting",
    )


def turn_over(
    desk: Desk, connection: Connection, row: MatchRow, arrived: datetime | None = None
) -> bool:
    """Let the next seat change hands whose day has come; tell whether one did.

    A letter counts as its writer's who held the seat when it arrived: all that came before must be
    handled. ``arrived`` is when the letter came that is handled next, if there is one.
    """
    if row.state == "over":
        return _after_the_end(desk, connection, row)
    if row.state != "running":
        return False
    by = arrived or desk.now()
    for each in standins.stand_ins(connection, row.id):
        moment = _next(each)
        if moment > by or not (arrived or health.all_letters_known(desk, connection, moment)):
            continue
        if each.state == "sitting":
            _end(_work(desk, connection, row, each), each)
            return True
        if by < each.ends:
            _begin(_work(desk, connection, row, each), each)
            return True
        standins.set_stand_in(connection, each.id, "over")
    return False


def catch_up(desk: Desk, arrived: datetime) -> None:
    """Let every seat change hands whose day came before a letter arrived that is handled next.

    A mail server whose clock is ahead brings no day before it comes.
    """
    arrived = min(arrived, desk.now())
    with desk.store.reading() as connection:
        due = standins.due(connection, arrived)
    for match_id in due:
        try:
            _catch_up(desk, match_id, arrived)
        except Exception as fault:
            if broken.is_ours(fault):
                raise
            # The agenda notes it, and tries again.
            log.exception("match %d cannot go on", match_id, extra={"action": "broken"})


def _catch_up(desk: Desk, match_id: int, arrived: datetime) -> None:
    with desk.store.writing() as connection:
        row = tables.hold(connection, match_id)
        while row.state == "running" and turn_over(desk, connection, row, arrived):
            tables.set_agenda(connection, match_id, desk.now())
            row = tables.by_id(connection, match_id)


def _next(stand_in: StandInRow) -> datetime:
    """Return when a seat changes hands next."""
    return stand_in.begins if stand_in.state == "planned" else stand_in.ends


def give_back(desk: Desk, connection: Connection, row: MatchRow, seat: Seat) -> bool:
    """Return a seat that somebody sits on for its player before the days are over, if one does."""
    for each in standins.stand_ins(connection, row.id):
        if each.seat == seat and each.state == "sitting":
            _end(_work(desk, connection, row, each), each)
            tables.set_agenda(connection, row.id, desk.now())
            return True
    return False


def _after_the_end(desk: Desk, connection: Connection, row: MatchRow) -> bool:
    """Return a seat once who sat on it has his last report, so that its player gets one too."""
    for each in standins.stand_ins(connection, row.id):
        standins.set_stand_in(connection, each.id, "over")
        if each.state != "sitting":
            continue
        sitting = ledger.load(desk, connection, row)
        seat = sitting.seat(each.seat)
        if seat.holder == "player":
            reports.write_again(desk, connection, sitting, seat)
        owner = each.owner_id
        tables.set_holder(connection, row.id, each.seat, holder="player", player_id=owner)
        tables.set_reported(connection, row.id, each.seat, seat.reported_seq, row.turn)
        taken = [one for one in tables.seats(connection, row.id) if one.seat == each.seat]
        ledger.add_codes(desk, connection, row, taken, row.turn, row.turn_began_seq)
        return True
    return False


def next_look(
    desk: Desk, connection: Connection, row: MatchRow, other: datetime | None
) -> datetime | None:
    """Return when a match is looked at next: when a seat changes hands, or at another moment."""
    if row.state != "running":
        return other
    moments = [] if other is None else [other]
    soonest = desk.now() + AGAIN
    for each in standins.stand_ins(connection, row.id):
        moment = _next(each)
        moments.append(moment if moment > desk.now() else soonest)
    return min(moments, default=None)


def _work(desk: Desk, connection: Connection, row: MatchRow, stand_in: StandInRow) -> Work:
    """Return what carries on an act that was decided before: by the same, for the same reason."""
    details = json.loads(stand_in.details)
    why = reasons.text_of(connection, row, details["why"]) or "–"
    return Work(desk, connection, row.name, details["by"], why)


def _begin(work: Work, stand_in: StandInRow, *, told: bool = False) -> None:
    """Let the days begin; ``told``: the owner has heard of it with the entry in his calendar."""
    seat = work.seat(stand_in.seat)
    if seat.player_id != stand_in.owner_id:
        standins.set_stand_in(work.connection, stand_in.id, "over")
        return
    standins.set_stand_in(work.connection, stand_in.id, "sitting")
    owner, before = holder_of(work, seat), work.row
    player = stand_in.player_id and players.by_id(work.connection, stand_in.player_id)
    taker = Taker(player or None, stand_in.bot)
    days = json.loads(stand_in.details)
    hand_on(work, seat, taker, first=days["first"], last=days["last"])
    if owner.player is not None and not told and _has_entry(before, seat, owner.player):
        first, last = (date.fromisoformat(days[each]) for each in ("first", "last"))
        said = _fields(seat, owner.player, taker, (first, last), owner.player)
        work.tell_one("stand-in", said, seat, owner.player, bound=False, moved=True)
    if taker.player is not None:
        until = _day(date.fromisoformat(days["last"]), taker.player)
        introduce(work, seat.seat, owner, until)


def _has_entry(row: MatchRow, seat: SeatRow, player: PlayerRow) -> bool:
    """Tell whether the end of a seat's time stands in the calendar of who holds it."""
    return row.to_act == seat.seat and row.due is not None and not player.no_calendar


def _end(work: Work, stand_in: StandInRow) -> None:
    standins.set_stand_in(work.connection, stand_in.id, "over")
    seat = work.seat(stand_in.seat)
    sat = holder_of(work, seat)
    owner = Taker(players.by_id(work.connection, stand_in.owner_id))
    hand_on(work, seat, owner, returned=True)

    def fields(reader: PlayerRow) -> dict[str, Json]:
        return {"seat": seat.seat, "who": owner.name(reader), "whom": sat.name(reader)}

    work.tell("stand-in-over", fields, moved=seat.seat)
    if sat.player is not None:
        acts = work.row.to_act == seat.seat
        work.tell_one(
            "stand-in-over", fields(sat.player), seat, sat.player, bound=False, moved=acts
        )
    sitting = ledger.load(work.desk, work.connection, work.row)
    reports.write_again(work.desk, work.connection, sitting, sitting.seat(seat.seat))


def _day(when: date, reader: PlayerRow) -> str:
    return day(when, Catalogue(reader.language))
