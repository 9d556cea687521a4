"""Orders an organiser gives for a seat, and a look at secrets: openly, as the players are told."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar, Final

from referee.desk.matches import credit, held, ledger, standing_orders
from referee.desk.plans.act import OnMatch
from referee.desk.players import players_of
from referee.desk.work import Refused, Work
from referee.games.game import LANGUAGES, AnyGame, Order, Seat, Unreadable
from referee.games.play import Judged, judge
from referee.matches import match, private
from referee.matches.events import NOTICE
from referee.matches.log import AnyMatch, Logged, play_order
from referee.render.answers import signed
from referee.render.layout import DOT
from referee.render.parts import reason_of
from referee.render.words.wording import Wording
from referee.store.states import PLAYABLE

DEALS: Final = 200
"""How often hidden things are dealt anew to see whether a refusal depends on them."""


class Acting(OnMatch):
    """Play orders for the seat to act: all of them or none.

    ``eyes`` is the seat whose secrets the organiser may be told. With any other than the seat's
    own, a refusal that depends on its hand keeps its reason.
    """

    name: ClassVar[str] = "act"
    seat: Seat
    lines: list[str]
    eyes: Seat | None = None

    def carry_out(self, work: Work) -> None:
        work.going("running")
        for named in (self.seat, self.eyes or self.seat):
            work.seat(named)
        loaded = work.load()
        if loaded.live.turn.seat != self.seat:
            raise Refused(f"{self.match}: it is {loaded.live.turn.seat}'s turn, not {self.seat}'s")
        orders = [_read(loaded.game, line) for line in self.lines]
        loaded = work.note(NOTICE, seat=self.seat, act=self.name)
        live = loaded.live
        judged = judge(live.game, live.position, self.seat, orders)
        self._refuse(live, orders, judged)
        logged, stages = list[Logged](), [live]
        # Up to where chance or another seat comes in: nothing is drawn here.
        for order in judged.orders:
            live, played = play_order(live, order, work.moment)
            logged.append(played)
            stages.append(live)
        after = ledger.save_match(work.change, loaded, live, logged)
        if match.begins_anew(stages):
            after = credit.renew_time(work.change, after)
        # Ordered for a position that is gone, they must not be played where the turn goes on.
        kept = held.held_orders(work.connection, after, self.seat)
        if kept is not None:
            standing_orders.end_one(work.change, after, kept, private.CANCELLED)
        # The orders' text, and that others were held, is only for the seat's player. Which ones
        # those were is not told: an organiser reads the mail in the plan.
        for seat, player in players_of(work.connection, after.seats).items():
            mine, wording = seat == self.seat, Wording(after.game, player.language)
            ordered = " ".join(f"{DOT}{wording.order(order)}" for order in orders) if mine else None
            said = signed("acted", seat=self.seat, ordered=ordered, held=mine and kept is not None)
            work.tell_one(said, after.seat(seat), player)

    def _refuse(self, live: AnyMatch, orders: Sequence[Order], judged: Judged) -> None:
        """Raise Refused unless all orders can be played, with a reason the organiser may know."""
        if judged.refusal is None and not judged.rest:
            return
        # A refusal can betray a hand: the organiser may be a player, too.
        if self.eyes != self.seat and _hangs_on_a_hand(live, self.seat, orders, judged):
            raise Refused(
                f"this cannot be played so, for a reason that {self.seat} alone may know: "
                f"with --as {self.seat} you are told it"
            )
        if judged.refusal is not None:
            text = live.game.format(orders[judged.at or 0], LANGUAGES[0])
            reason = reason_of(judged.refusal, Wording(live.game, LANGUAGES[0]))
            raise Refused(f"{text!r} is refused: {reason}")
        text = live.game.format(judged.rest[0], LANGUAGES[0])
        raise Refused(f"{text!r} hangs on what chance or another seat does first: give it later")


def _read(game: AnyGame, text: str) -> Order:
    # The organiser may write in any language the players may.
    for language in LANGUAGES:
        try:
            return game.parse(text, language)
        except Unreadable as error:
            fault = error
    said = Wording(game, LANGUAGES[0]).unreadable(fault)
    raise Refused(f"{text!r} cannot be read: {said}")


def _hangs_on_a_hand(live: AnyMatch, seat: Seat, orders: Sequence[Order], judged: Judged) -> bool:
    """Return whether the verdict on orders depends on hidden things.

    Everything a spectator cannot see is dealt anew several times and the orders judged each time.
    """
    # From the head, so that asking twice says the same.
    rng = Random(live.head)
    for _ in range(DEALS):
        other = judge(live.game, live.game.redeal(live.position, None, rng), seat, orders)
        if _said(other) != _said(judged):
            return True
    return False


def _said(judged: Judged) -> object:
    """Return the answer an organiser gets about orders not played."""
    refusal = judged.refusal
    why = refusal and (refusal.rule, refusal.code, dict(refusal.fields))
    return why, judged.at, judged.rest


class Looking(OnMatch):
    """Show the organiser the whole position, secrets included; the players are told."""

    name: ClassVar[str] = "look"

    def carry_out(self, work: Work) -> None:
        work.going(*PLAYABLE)
        work.note(NOTICE, act=self.name)
        work.tell(signed("looked"))
