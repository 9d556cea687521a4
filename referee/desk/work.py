"""One transaction of one actor on one match: lock, reason, mails, warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from sqlalchemy import Connection

from referee.desk.desk import Change, Desk, stamp
from referee.desk.directory import no_match
from referee.desk.mails.post import notify
from referee.desk.matches import ledger, reasons
from referee.desk.players import holders_of
from referee.errors import RefereeError
from referee.games.game import Document, Json, Seat
from referee.matches.log import annotate
from referee.render.answers import Answer, Signed
from referee.render.words.moments import moment_text
from referee.render.words.wording import Catalogue
from referee.store.play import matches
from referee.store.post import reports
from referee.store.states import MatchState
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, SeatRow

ORGANISER: Final = "organiser"
"""The actor in the log for whatever the organiser does."""

ANOTHER: Final = "set up another with referee match new"
"""What is left to do about a match that was called off."""

Telling: TypeAlias = Answer | Signed | Callable[[PlayerRow], Answer | Signed]
"""The answer a mail gives: the same for everybody, or made for each reader."""


class Refused(RefereeError):
    """An act that is impossible as the match stands; the message says what would work."""


def uninvite(work: Work, seat: SeatRow) -> bool:
    """Take back a seat's invitation if it has not left yet; return whether it was.

    Its player then knows nothing of the match. If the seat has agreed, the player has answered the
    invitation and so has read it.
    """
    if seat.agreed == "yes":
        return False
    return reports.withdraw_invitation(work.connection, seat.match_id, seat.seat)


def hindrance(row: MatchRow, seats: Sequence[SeatRow]) -> str | None:
    """Return why an invited match cannot begin, and the remedy; None if it can be begun."""
    declined = [seat.seat for seat in seats if seat.agreed == "no"]
    free = [seat.seat for seat in seats if seat.holder == "nobody"]
    give = f"give the seat to somebody: referee match seat {row.name}"
    if declined:
        return f"{', '.join(declined)} declined; {give} {declined[0]} …"
    if free and not (row.seating or {}).get("fill"):
        return f"{', '.join(free)} still open; wait until somebody joins, or {give} {free[0]} …"
    return None


def way_to_begin(row: MatchRow, seats: Sequence[SeatRow]) -> str:
    """Return the commands by which an invited match can begin, or why it cannot yet."""
    begin = f"referee match start {row.name} begins it"
    if any(seat.holder == "player" and seat.agreed == "unasked" for seat in seats):
        begin = f"referee match resend {row.name} sends the invitations again, and {begin}"
    return hindrance(row, seats) or begin


@dataclass
class Work:
    """An act being carried out by ``organiser``, ``referee`` or a seat: where, on what, and why."""

    change: Change
    match: str
    by: str
    why: str
    warnings: list[str] = field(default_factory=list)
    mails: list[int] = field(default_factory=list)

    @property
    def desk(self) -> Desk:
        """The desk at which it happens."""
        return self.change.desk

    @property
    def connection(self) -> Connection:
        """The connection of its transaction."""
        return self.change.connection

    @property
    def row(self) -> MatchRow:
        """The match as it stands, locked until the transaction ends. Raises Refused."""
        locked = matches.lock_matches(self.connection, [self.match])
        if not locked:
            raise Refused(no_match(self.connection, self.match))
        return locked[0]

    @property
    def moment(self) -> str:
        """The present moment, as events bear it."""
        return stamp(self.desk.now())

    def load(self) -> ledger.LoadedMatch:
        """Return the match loaded. Raises Refused if it has not begun."""
        row = self.row
        if row.header is None:
            if row.state != "invited":
                raise Refused(f"{row.name} was called off before it began: {ANOTHER}")
            seats = matches.seats(self.connection, row.id)
            raise Refused(f"{row.name} has not begun: {way_to_begin(row, seats)}")
        return ledger.load_match(self.change, row)

    def going(self, *states: MatchState) -> MatchRow:
        """Return the match if it is in one of these states. Raises Refused otherwise."""
        row = self.row
        if row.state not in states:
            said = f"{row.name} is {row.state}, not {' or '.join(states)}"
            if row.state == "invited":
                said += f": {way_to_begin(row, matches.seats(self.connection, row.id))}"
            raise Refused(said)
        return row

    def seat(self, seat: Seat) -> SeatRow:
        """Return a seat of the match. Raises Refused, naming the seats there are."""
        seats = matches.seats(self.connection, self.row.id)
        for row in seats:
            if row.seat == seat:
                return row
        colours = ", ".join(row.seat for row in seats)
        raise Refused(f"{self.match} has no seat {seat}; it has {colours}")

    @cached_property
    def reason(self) -> str:
        """The hash of the reason, one for all events of the act.

        The log is public and bears the hash alone, so that the text can be erased without breaking
        the chain.
        """
        return reasons.keep_text(self.change, self.row, self.why)

    def details(self, **more: Json) -> Document:
        """Return the details of an event of this act: who, why, and more."""
        return {"by": self.by, "why": self.reason, **more}

    def note(self, kind: str, *, seat: Seat | None = None, **more: Json) -> ledger.LoadedMatch:
        """Write an event that leaves position and turn alone, with its reason."""
        # Loaded anew each time, since an act may write several events.
        before = self.load()
        live, logged = annotate(
            before.live, kind, self.moment, seat=seat, details=self.details(**more)
        )
        return ledger.save_match(self.change, before, live, [logged])

    def warn(self, text: str) -> None:
        """Add a line to the warnings the organiser sees before deciding."""
        self.warnings.append(text)

    def tell(self, telling: Telling, seats: Iterable[Seat] | None = None) -> None:
        """Mail the players of these seats, or of all, about the act."""
        told = None if seats is None else frozenset(seats)
        for seat, player in holders_of(self.connection, self.row.id):
            if told is None or seat.seat in told:
                said = telling(player) if callable(telling) else telling
                self.tell_one(said, seat, player)

    def due(self, player: PlayerRow) -> str | None:
        """Return the deadline of the running turn, worded for a player; None without one."""
        row = self.row
        if row.due is None or row.state != "running":
            return None
        return moment_text(row.due, player.zone, Catalogue(player.language))

    def tell_one(
        self, said: Answer | Signed, seat: SeatRow, player: PlayerRow, *, bound: bool = True
    ) -> None:
        """Mail one player about one seat; ``bound`` with its reply code, not for former holders."""
        row = self.row
        if isinstance(said, Signed):
            said = said.sign(row.name, self.by, self.why)
        sent = notify(self.change, row, seat, player, said, bound=bound, acts=True)
        if sent is not None:
            self.mails.append(sent)
