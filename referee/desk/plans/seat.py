"""Acts that change who plays a seat: handover and stand-in."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import ClassVar

from referee.desk.mails import invitation
from referee.desk.matches.time.away import AHEAD
from referee.desk.plans.act import OnMatch
from referee.desk.seats import handover, setup, vacancies
from referee.desk.seats.handover import Taker
from referee.desk.seats.setup import known_bot
from referee.desk.work import Refused, Telling, Work, uninvite
from referee.games.game import Json, Seat
from referee.mail import addressing
from referee.matches.events import NOTICE, SEAT
from referee.render.answers import Signed, signed
from referee.render.words.moments import day_text, zone_of
from referee.render.words.wording import Catalogue
from referee.store.people import players
from referee.store.play import matches, standins
from referee.store.states import PLAYABLE
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import SeatRow


def parse_taker(text: str) -> tuple[str | None, str | None]:
    """Return the address or the bot a text names, neither for nobody. Raises Refused."""
    if text.strip().lower() == "nobody":
        return None, None
    if text.startswith("bot:"):
        return None, known_bot(text.removeprefix("bot:"), f"HOLDER {text}")
    address = addressing.valid_address(text.strip())
    if address is None:
        raise Refused(f"HOLDER {text}: an address, bot:greedy, or nobody")
    return address, None


class HandOver(OnMatch):
    """Give a seat to a player, a bot, or nobody."""

    name: ClassVar[str] = "seat"
    seat: Seat
    address: str | None = None
    bot: str | None = None

    def carry_out(self, work: Work) -> None:
        row = work.going("invited", *PLAYABLE)
        seat = work.seat(self.seat)
        if row.state == "invited":
            _invite(work, seat, handover.taker_of(work, seat, self.address, self.bot))
            return
        # The player for whom somebody sits there now.
        sits = handover.sitting_for(work.connection, row.id, seat.seat)
        owner = players.get_player(work.connection, sits.owner_id) if sits else None
        if self._stays(work, seat, owner):
            return
        taker = handover.taker_of(work, seat, self.address, self.bot)
        old = handover.taker_in(work, seat)
        if taker.kind == "nobody":
            work.warn(f"nobody plays {seat.seat} then: the match stands still on its turn")
        handover.hand_on(work, seat, taker)
        if old.player is not None:
            _tell_left(work, seat, taker, old.player)
        if owner is not None and owner != taker.player:
            _tell_left(work, seat, taker, owner)
        handover.introduce_seat(work, seat.seat, old)
        handover.tell_others(work, seat.seat, old, taker)

    def _stays(self, work: Work, seat: SeatRow, owner: PlayerRow | None) -> bool:
        """End a seat's stand-ins; return whether its holder just keeps it.

        That is its player, or whoever sits for ``owner`` and gets the seat for good.
        """
        if not handover.end_stand_in(work.connection, seat.match_id, seat.seat):
            return False
        work.warn(f"what was arranged for {seat.seat} for some days ends with this")
        holder = handover.taker_in(work, seat)
        meant = players.by_address(work.connection, addressing.same_address(self.address or ""))
        if holder != Taker(meant, self.bot):
            return False
        if owner is None:
            # The player named has the seat already: only the stand-in was to end.
            work.note(NOTICE, seat=seat.seat, act=self.name)
            work.tell(self._off(holder))
            return True
        row = work.note(SEAT, seat=seat.seat, holder=holder.kind, bot=holder.bot).row
        if holder.player is not None:
            matches.add_seat_holder(work.connection, row.id, row.seq, holder.player.id)
        work.tell(self._off(holder), [seat.seat])
        _tell_left(work, seat, holder, owner)
        handover.tell_others(work, seat.seat, Taker(owner), holder)
        return True

    def _off(self, holder: Taker) -> Telling:
        return lambda reader: signed("stand-in-off", seat=self.seat, who=holder.name(reader))


def _tell_left(
    work: Work, seat: SeatRow, taker: Taker, left: PlayerRow, *, invited: bool = False
) -> None:
    """Tell somebody who had a seat whose it is now."""
    said = signed("seat-left", seat=seat.seat, whom=taker.name(left), invited=invited)
    # Without a code: it would speak for somebody else's seat.
    work.tell_one(said, seat, left, bound=False)


def _invite(work: Work, seat: SeatRow, taker: Taker) -> None:
    """Give a seat to somebody else before the match begins.

    The new player is asked to agree. The old one's agreement goes, and so do their words for
    chance; no log exists yet.
    """
    row, old = work.row, handover.taker_in(work, seat)
    if taker.kind == "nobody" and row.seating is None:
        raise Refused(f"{row.name} has no open seats: give {seat.seat} an address or a bot")
    # An invitation that never left need not be taken back by mail.
    knows = not uninvite(work, seat)
    vacancies.free_seat(work.connection, row, seat.seat)
    if taker.kind != "nobody":
        handover.put_in_seat(work.connection, seat, taker)
    if old.player is not None and knows:
        _tell_left(work, seat, taker, old.player, invited=True)
    if taker.player is not None:
        invitation.invite_player(work.change, row, work.seat(seat.seat))
    handover.tell_others(work, seat.seat, old, taker)
    seats = matches.seats(work.connection, row.id)
    people = [held for held in seats if held.holder == "player"]
    if people and vacancies.is_complete(work.connection, row):
        work.warn(f"all players have agreed, so {row.name} begins")
        setup.begin_match(work.change, work.row)


class SitIn(OnMatch):
    """Let a player or bot sit in for some days, both included, in the zone of the seat's player."""

    name: ClassVar[str] = "sit"
    seat: Seat
    first: date
    last: date
    address: str | None = None
    bot: str | None = None

    def carry_out(self, work: Work) -> None:
        row = work.going(*PLAYABLE)
        seat = work.seat(self.seat)
        if seat.player_id is None:
            raise Refused(f"no player holds {self.seat} in {self.match}, so nobody sits for one")
        owner = players.get_player(work.connection, seat.player_id)
        now, zone = work.desk.now(), zone_of(owner.zone)
        if not self.first <= self.last:
            raise Refused(f"--from {self.first} --to {self.last}: the first day comes first")
        if self.last - self.first > handover.LONGEST:
            raise Refused(f"--to {self.last}: at most {handover.LONGEST.days} days")
        if self.last > now.date() + AHEAD:
            raise Refused(f"--to {self.last}: at most {AHEAD.days} days from now")
        begins = datetime.combine(self.first, time(), zone)
        # The last day is included, so it ends with the next one's beginning.
        ends = datetime.combine(self.last + timedelta(days=1), time(), zone)
        if ends <= now:
            raise Refused(f"--to {self.last}: that day is over")
        if handover.arranged_for(work.connection, row.id, self.seat):
            raise Refused(
                f"somebody sits for the player of {self.seat} already, or will: "
                f"referee match seat {self.match} {self.seat} with their address ends that"
            )
        taker = handover.taker_of(work, seat, self.address, self.bot)
        if taker.kind == "nobody":
            raise Refused("who is to sit for the player? an address, or a bot such as bot:greedy")
        held: dict[str, Json] = {"act": self.name, "holder": taker.kind, "bot": taker.bot}
        row = work.note(NOTICE, seat=self.seat, **held, **self._days()).row
        if taker.player is not None:
            matches.add_seat_holder(work.connection, row.id, row.seq, taker.player.id)
        standins.add_stand_in(
            work.connection,
            row.id,
            self.seat,
            owner_id=owner.id,
            player_id=taker.player.id if taker.player else None,
            bot=taker.bot,
            begins=begins,
            ends=ends,
            # Kept for the day it begins and the day it ends, which log the same reason.
            details=work.details(**self._days()),
            created=now,
        )
        stand_in = handover.arranged_for(work.connection, row.id, seat.seat)
        at_once = begins <= now
        self._tell(work, seat, owner, taker, at_once=at_once)
        if at_once and stand_in is not None:
            handover.begin_stand_in(work, stand_in)

    def _days(self) -> dict[str, Json]:
        return {"first": self.first.isoformat(), "last": self.last.isoformat()}

    def _tell(
        self, work: Work, seat: SeatRow, owner: PlayerRow, taker: Taker, *, at_once: bool
    ) -> None:
        """Tell everybody, each with a code only if it lives on.

        A stand-in who takes over at once is told by the report instead.
        """

        def said(reader: PlayerRow) -> Signed:
            who, whom = owner.name, taker.name(reader)
            first, last = (
                day_text(day, Catalogue(reader.language)) for day in (self.first, self.last)
            )
            return signed("stand-in", seat=seat.seat, who=who, whom=whom, first=first, last=last)

        seats = matches.seats(work.connection, seat.match_id)
        work.tell(said, [other.seat for other in seats if other.seat != seat.seat])
        work.tell_one(said(owner), seat, owner, bound=not at_once)
        if taker.player is not None and not at_once:
            work.tell_one(said(taker.player), seat, taker.player, bound=False)
