"""Acts that change who plays a seat: handover and stand-in."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, ClassVar, Self

from referee.desk.mails import invitation
from referee.desk.plans.act import Plain
from referee.desk.seats import setup, vacancies
from referee.desk.seats.handover import (
    Taker,
    hand_on,
    holder_of,
    introduce,
    put_in_seat,
    taker_of,
    tell_others,
)
from referee.desk.seats.standins import LONGEST, arrangement, begin
from referee.desk.work import Refused, Work, uninvite
from referee.games.game import Document, Json, Seat
from referee.games.play import canonical_json
from referee.matches.events import NOTICE
from referee.render.answers import Signed, signed
from referee.render.moments import zone_of
from referee.store.people import players
from referee.store.people.players import PlayerRow
from referee.store.play import matches, standins
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.states import PLAYABLE


@dataclass(frozen=True, slots=True)
class HandOver(Plain):
    """Give a seat to a player, a bot, or nobody."""

    name: ClassVar[str] = "seat"
    match: str
    seat: Seat
    address: str | None = None
    bot: str | None = None

    def carry_out(self, work: Work) -> None:
        row = work.going("invited", *PLAYABLE)
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
        # The old holder gets no code: it would speak for somebody else's seat.
        if old.player is not None:
            acts = work.row.to_act == seat.seat
            said = _left(seat, taker, old.player, invited=False)
            work.tell_one(said, seat, old.player, bound=False, moved=acts)
        introduce(work, seat.seat, old)
        tell_others(work, seat.seat, old, taker)

    def _stays(self, work: Work, seat: SeatRow) -> bool:
        """End a seat's stand-ins; return whether its player just keeps it."""
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
        # The player named has the seat already: only the stand-in was to end.
        if meant is None or meant.id != holder.id:
            return False
        work.note(NOTICE, seat=seat.seat, act=self.name)
        work.tell(signed("stand-in-off", seat=seat.seat, who=holder.name))
        return True


def _left(seat: SeatRow, taker: Taker, reader: PlayerRow, *, invited: bool) -> Signed:
    return signed("seat-left", seat=seat.seat, whom=taker.name(reader), invited=invited)


def _invite(work: Work, seat: SeatRow, taker: Taker) -> None:
    """Give a seat to somebody else before the match begins.

    The new player is asked to agree. The old one's agreement goes, and so do their words for
    chance; no log exists yet.
    """
    row, old = work.row, holder_of(work, seat)
    if taker.kind == "nobody" and row.seating is None:
        raise Refused(f"{row.name} has no open seats: give {seat.seat} an address or a bot")
    # An invitation that never left need not be taken back by mail.
    knows = not uninvite(work, seat)
    vacancies.give_back(work.connection, row, seat.seat)
    if taker.kind != "nobody":
        put_in_seat(work.connection, seat, taker)
    if old.player is not None and knows:
        said = _left(seat, taker, old.player, invited=True)
        work.tell_one(said, seat, old.player, bound=False)
    if taker.player is not None:
        invitation.invite(work.change, row, work.seat(seat.seat))
    tell_others(work, seat.seat, old, taker)
    people = [s for s in matches.seats(work.connection, row.id) if s.holder == "player"]
    if people and vacancies.complete(work.connection, row):
        work.warn(f"all players have agreed, so {row.name} begins")
        setup.begin(work.change, work.row)


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SitIn:
    """Let a player or bot sit for a player for some days.

    Both days are included, in the zone of the seat's player.
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
        row = work.going(*PLAYABLE)
        seat = work.seat(self.seat)
        if seat.player_id is None:
            raise Refused(f"no player holds {self.seat} in {self.match}, so nobody sits for one")
        owner = players.by_id(work.connection, seat.player_id)
        begins, ends = self._span(work, owner, row)
        taker = taker_of(work, seat, self.address, self.bot)
        if taker.kind == "nobody":
            raise Refused("who is to sit for the player? an address, or a bot such as bot:greedy")
        days: dict[str, Json] = {"first": self.first.isoformat(), "last": self.last.isoformat()}
        details = {"act": self.name, "holder": taker.kind, "bot": taker.bot, **days}
        sitting = work.note(NOTICE, seat=seat.seat, **details)
        if taker.player is not None:
            matches.add_seat_holder(work.connection, row.id, sitting.row.seq, taker.player.id)
        standins.add_stand_in(
            work.connection,
            row.id,
            seat.seat,
            owner_id=owner.id,
            player_id=taker.player.id if taker.player else None,
            bot=taker.bot,
            begins=begins,
            ends=ends,
            # Kept for the day it begins and the day it ends, which log the same reason.
            details=canonical_json({"by": work.by, "why": work.reason, **days}),
            now=work.desk.now(),
        )
        at_once = begins <= work.desk.now()
        self._tell(work, seat, owner, taker, at_once=at_once)
        if at_once:
            for each in standins.stand_ins(work.connection, row.id):
                if each.seat == seat.seat:
                    begin(work, each, told=True)

    def _span(self, work: Work, owner: PlayerRow, row: MatchRow) -> tuple[datetime, datetime]:
        """Return when the days begin and end. Raises Refused if impossible."""
        if not self.first <= self.last:
            raise Refused(f"--from {self.first} --to {self.last}: the first day comes first")
        if self.last - self.first > LONGEST:
            raise Refused(f"--to {self.last}: at most {LONGEST.days} days")
        zone = zone_of(owner.zone)
        begins = datetime.combine(self.first, time(), zone)
        # The last day is included, so it ends with the next one's beginning.
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
        """Tell everybody, each with a code only if it lives on.

        A stand-in who takes over at once is told by the report instead.
        """

        def said(reader: PlayerRow) -> Signed:
            return arrangement(seat, owner, taker, (self.first, self.last), reader)

        seats = matches.seats(work.connection, seat.match_id)
        work.tell(said, [each.seat for each in seats if each.seat != seat.seat])
        acts = at_once and work.row.to_act == seat.seat
        work.tell_one(said(owner), seat, owner, bound=not at_once, moved=acts)
        if taker.player is not None and not at_once:
            work.tell_one(said(taker.player), seat, taker.player, bound=False)
