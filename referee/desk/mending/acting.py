"""Orders an organiser gives for a seat, and looking at what is hidden: done openly, both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from referee.desk import ledger
from referee.desk.ledger import Sitting
from referee.desk.mending.act import Plain, Refused, Work
from referee.desk.posting import players_of
from referee.games.game import LANGUAGES, AnyGame, Document, Json, Order, Seat, Unreadable
from referee.games.play import judge
from referee.matches.events import NOTICE
from referee.matches.log import Logged, play_order
from referee.render.layout import DOT
from referee.render.parts import reason_of
from referee.render.wording import Wording


@dataclass(frozen=True, slots=True)
class Acting:
    """Play orders for the seat to act, all of them or none."""

    name: ClassVar[str] = "act"
    match: str
    seat: Seat
    lines: tuple[str, ...]

    def document(self) -> Document:
        return {"match": self.match, "seat": self.seat, "lines": list(self.lines)}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        return cls(document["match"], document["seat"], tuple(document["lines"]))

    def carry_out(self, work: Work) -> None:
        work.going("running")
        work.seat(self.seat)
        sitting = work.sitting()
        if sitting.live.turn.seat != self.seat:
            raise Refused(f"{self.match}: it is {sitting.live.turn.seat}'s turn, not {self.seat}'s")
        orders = [_read(sitting.game, each) for each in self.lines]
        sitting = work.note(NOTICE, seat=self.seat, act=self.name)
        after = _play(work, sitting, self.seat, orders)
        _tell(work, after, self.seat, orders)


def _read(game: AnyGame, text: str) -> Order:
    for language in LANGUAGES:
        try:
            return game.parse(text, language)
        except Unreadable as error:
            fault = error
    said = Wording(game, LANGUAGES[0]).unreadable(fault)
    raise Refused(f"{text!r} cannot be read: {said}")


def _play(work: Work, sitting: Sitting, seat: Seat, orders: Sequence[Order]) -> Sitting:
    """Play orders up to where chance or another seat comes in; nothing is drawn here."""
    live, moment = sitting.live, ledger.stamp(work.desk.now())
    judged = judge(live.game, live.position, seat, orders)
    if judged.refusal is not None:
        text = live.game.format(orders[judged.at or 0], LANGUAGES[0])
        reason = reason_of(judged.refusal, Wording(live.game, LANGUAGES[0]))
        raise Refused(f"{text!r} is refused: {reason}")
    if judged.rest:
        text = live.game.format(judged.rest[0], LANGUAGES[0])
        raise Refused(f"{text!r} hangs on what chance or another seat does first: give it later")
    logged: list[Logged] = []
    for order in judged.orders:
        live, each = play_order(live, order, moment)
        logged.append(each)
    return ledger.save(work.desk, work.connection, sitting, live, logged)


def _tell(work: Work, sitting: Sitting, seat: Seat, orders: Sequence[Order]) -> None:
    """Tell everybody for whom there were orders, and the seat's own player which."""
    for each, player in players_of(work.connection, sitting.seats).items():
        wording = Wording(sitting.game, player.language)
        fields: dict[str, Json] = {"seat": seat}
        if each == seat:
            fields["ordered"] = " ".join(f"{DOT}{wording.order(order)}" for order in orders)
        work.tell_one("acted", fields, sitting.seat(each), player)


@dataclass(frozen=True, slots=True)
class Looking(Plain):
    """Show the organiser the whole position, what is hidden included; the players are told."""

    name: ClassVar[str] = "look"
    match: str

    def carry_out(self, work: Work) -> None:
        work.going("running", "paused")
        work.note(NOTICE, act=self.name)
        work.tell("looked")
