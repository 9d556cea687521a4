"""Transaction of one actor on one match: the match locked, its reason, what is mailed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

from sqlalchemy import Connection

from referee.desk import desk as desk_desk
from referee.desk.desk import Desk
from referee.desk.mails.notice import Notice, notify
from referee.desk.matches import ledger, reasons
from referee.desk.matches.ledger import Sitting
from referee.desk.names import no_match
from referee.desk.players import players_of
from referee.errors import RefereeError
from referee.games.game import Document, Json, Seat
from referee.matches import match
from referee.render.moments import moment
from referee.render.wording import Catalogue
from referee.store.people.players import PlayerRow
from referee.store.play import matches
from referee.store.play.matches import MatchRow
from referee.store.play.seats import SeatRow
from referee.store.post import outbox
from referee.store.states import MatchState

ORGANISER: Final = "organiser"
"""Who acts, as the log writes it, when it is no seat."""

REFEREE: Final = "referee"
"""Who acts when the referee does so by itself."""

Telling: TypeAlias = Mapping[str, Json] | Callable[[PlayerRow], Mapping[str, Json]]
"""What a mail tells: the same to everybody, or worded for each reader."""


class Refused(RefereeError):
    """An act cannot be carried out as the match stands; one line that says what would be right."""


def uninvite(work: Work, seat: SeatRow) -> bool:
    """Take back the invitation of a seat that has not left yet; tell whether that was so.

    Its player then knows nothing of the match. Who wrote that he plays was answered with it.
    """
    if seat.agreed == "yes":
        return False
    return outbox.supersede_invitation(work.connection, seat.match_id, seat.seat)


@dataclass
class Work:
    """An act being carried out: the desk and transaction, on which match, by whom and why.

    ``by`` is ``organiser``, ``referee`` or a seat. ``files`` are there, for their owner alone, once
    it is carried out for good, and else not.
    """

    desk: Desk
    connection: Connection
    match: str
    by: str
    why: str
    warnings: list[str] = field(default_factory=list)
    mails: list[int] = field(default_factory=list)
    files: dict[Path, bytes] = field(default_factory=dict)
    _reason: str | None = field(default=None, init=False)

    @property
    def row(self) -> MatchRow:
        """The match as it stands, locked until the transaction ends. Raises Refused."""
        found = matches.lock(self.connection, [self.match])
        if not found:
            raise Refused(no_match(self.connection, self.match))
        return found[0]

    def sitting(self) -> Sitting:
        """Return the match loaded. Raises Refused when it has not begun."""
        row = self.row
        if row.header is None:
            raise Refused(f"{row.name} has not begun: see referee match start")
        return ledger.load(self.desk, self.connection, row)

    def going(self, *states: MatchState) -> MatchRow:
        """Return the match if it is in one of these states. Raises Refused, saying how it is."""
        row = self.row
        if row.state not in states:
            raise Refused(f"{row.name} is {row.state}, not {' or '.join(states)}")
        return row

    def seat(self, seat: Seat) -> SeatRow:
        """Return a seat of the match. Raises Refused, naming those there are."""
        seats = matches.seats(self.connection, self.row.id)
        for each in seats:
            if each.seat == seat:
                return each
        colours = ", ".join(each.seat for each in seats)
        raise Refused(f"{self.match} has no seat {seat}; it has {colours}")

    @property
    def reason(self) -> str:
        """The hash under which the text of why is kept, the same for all events of the act."""
        if self._reason is None:
            self._reason = reasons.keep(self.desk, self.connection, self.row, self.why)
        return self._reason

    def details(self, **more: Json) -> Document:
        """Return the details of an event of this act: who, why, and what else it says."""
        return {"by": self.by, "why": self.reason, **more}

    def note(self, kind: str, *, seat: Seat | None = None, **more: Json) -> Sitting:
        """Write an event that leaves position and turn as they are, with who and why."""
        before = self.sitting()
        arrival = desk_desk.stamp(self.desk.now())
        live, logged = match.annotate(
            before.live, kind, arrival, seat=seat, details=self.details(**more)
        )
        return ledger.save(self.desk, self.connection, before, live, [logged])

    def warn(self, text: str) -> None:
        """Tell the organiser, before he decides, one line of what follows from it."""
        self.warnings.append(text)

    def tell(
        self,
        key: str,
        fields: Telling | None = None,
        seats: Iterable[Seat] | None = None,
        *,
        signed: bool = True,
        moved: Seat | None = None,
    ) -> None:
        """Mail the players of these seats, of all without, what was done.

        ``signed``: by whom and why. ``moved``: of which seat the end of time has changed.
        """
        rows = matches.seats(self.connection, self.row.id)
        told = None if seats is None else frozenset(seats)
        for seat, player in players_of(self.connection, rows).items():
            if told is None or seat in told:
                receiver = next(each for each in rows if each.seat == seat)
                said = fields(player) if callable(fields) else fields or {}
                self.tell_one(key, said, receiver, player, signed=signed, moved=seat == moved)

    def turn(self, player: PlayerRow) -> dict[str, Json]:
        """Return whose turn it is, and until when in a player's words, as fields of a mail."""
        row = self.row
        until = None
        if row.due is not None and row.state == "running":
            until = moment(row.due, player.zone, Catalogue(player.language))
        return {"to_act": row.to_act, "due": until}

    def tell_one(
        self,
        key: str,
        fields: Mapping[str, Json],
        seat: SeatRow,
        player: PlayerRow,
        *,
        bound: bool = True,
        signed: bool = True,
        moved: bool = False,
    ) -> None:
        """Mail one player, in his language, of one seat.

        ``bound``: the mail bears the seat's reply code; not so to whom no longer holds it.
        ``moved``: the end of its time has changed, or is his no more.
        """
        row = self.row
        signature = {"by": self.by, "text": self.why} if signed else {}
        told = {"match": row.name, **signature, **fields}
        notice = Notice(key, told, bound=bound, acts=True, moved=moved)
        sent = notify(self.desk, self.connection, row, seat, player, notice)
        if sent is not None:
            self.mails.append(sent)
