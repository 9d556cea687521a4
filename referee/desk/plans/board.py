"""Acts on the board: undo, redo, fix, orders for a seat; and a look at what is hidden."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, ClassVar, Final

from referee.desk.matches import ledger, rewind, standing_orders
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock
from referee.desk.plans.act import OnMatch
from referee.desk.players import players_of
from referee.desk.seats.arrangements import cut_short
from referee.desk.work import Refused, Work
from referee.games.game import LANGUAGES, AnyGame, BadDocument, Json, Order, Seat, Unreadable
from referee.games.play import Judged, judge, position_digest
from referee.matches import croupier, events, match, private, takeback
from referee.matches.events import Event
from referee.matches.log import AnyMatch, Logged, play_order
from referee.matches.replay import at_event
from referee.render.answers import signed
from referee.render.common import reason_of
from referee.render.layout import DOT
from referee.render.words.wording import Wording
from referee.store.play import matches
from referee.store.post import reports
from referee.store.states import ENDED, PLAYABLE, REWINDABLE
from referee.store.tables.play import MatchRow

DONE = frozenset({events.ORDER, events.END, events.FIX})
"""The events that can be taken back; draws follow from them."""

SHOWN = DONE | events.BOARD_KINDS | events.SETTING
"""The events after which a mail shows another position."""


DEALS: Final = 200
"""How often hidden things are dealt anew to see whether an answer depends on them."""


class Undo(OnMatch):
    """Take back everything since a turn began.

    Without ``turn``, since the last that was played in; an end by hand or a fix that came last is
    then taken back alone. ``revealed``: even if somebody learnt a secret by it.
    """

    name: ClassVar[str] = "undo"
    turn: int | None = None
    revealed: bool = False

    def carry_out(self, work: Work) -> None:
        work.going(*REWINDABLE)
        loaded = work.load()
        log = whole_log(work, loaded)
        to = undo_goal(loaded, log, self.turn)
        known = revealed_lines(work, loaded.row, to)
        if known and not self.revealed:
            raise Refused(
                f"{self.match}: this would take back what is known: {'; '.join(known)}. "
                "With --reveal-known it is done all the same"
            )
        for secret in known:
            work.warn(f"known already: {secret}")
        _warn_of_mails(
            work, loaded, [event for event in events.current_events(log) if event.seq > to]
        )
        # Stand-ins that ended with the match do not come back with it.
        ended = loaded.row.state in ENDED
        for cut in cut_short(work.connection, loaded.row, work.desk.now()) if ended else ():
            work.warn(
                f"{cut.who} was to sit for {cut.owner} as {cut.seat}, {cut.first} to {cut.last}; "
                f"that stays ended: referee match seat {self.match} {cut.seat} arranges it again"
            )
        live = loaded.live
        earlier: AnyMatch = at_event(live.game, live.terms, live.seed, log, to)
        moment, who = work.moment, {"by": work.by, "why": work.reason}
        if loaded.row.released:
            # Its seed is known with the record.
            work.warn("the record is out, so what chance draws from now on comes from a new seed")
            seed = croupier.new_seed()
            after, logged = takeback.reopen(live, earlier, seed, moment, **who)
        else:
            after, logged = takeback.stand_again(live, events.UNDO, earlier, moment, **who)
        _set_again(work, loaded, after, logged)


def whole_log(work: Work, loaded: LoadedMatch) -> list[Event]:
    """Return all events of a match. Raises Refused if pruned."""
    log = ledger.log_of(work.connection, loaded.row)
    if len(log) != loaded.row.seq:
        raise Refused(f"{loaded.row.name} was pruned: its log is in the record exported before")
    return log


def undo_goal(loaded: LoadedMatch, log: Sequence[Event], turn: int | None) -> int:
    """Return the event to go back to: the one after which ``turn`` began.

    Without it the last turn played in counts. Raises Refused if nothing would be taken back.
    """
    name, now = loaded.row.name, loaded.live.turn.number
    done = [event for event in events.current_events(log) if event.kind in DONE]
    # An end or a fix by hand is taken back alone, as its own step.
    if turn is None and done and done[-1].kind != events.ORDER:
        return events.base_of(done[-1])
    if turn is None:
        turn = _last_played(loaded, log)
        if turn is None:
            raise Refused(f"{name}: nobody has ordered anything yet, so there is nothing to undo")
    if not 1 <= turn <= now:
        raise Refused(f"--to {turn}: {name} is at turn {now}; name one from 1 to {now}")
    start = events.turn_start(log, turn)
    if start is None or not any(event.seq > start for event in done):
        raise Refused(f"{name}: nothing has been played since turn {turn} began")
    return start


def _last_played(loaded: LoadedMatch, log: Sequence[Event]) -> int | None:
    """Return the last turn that a player ordered in; among bots alone, that anybody did."""
    orders = [
        event
        for event in events.current_events(log)
        if event.kind == events.ORDER and not event.forced
    ]
    for order in reversed(orders):
        given = [event for event in log if event.kind == events.SEAT and event.seat == order.seat]
        # Before a seat was first given away, a player held it.
        holders: list[Json] = ["player" if given else loaded.seat(str(order.seat)).holder]
        holders += [event.details["holder"] for event in given if event.seq < order.seq]
        if holders[-1] == "player":
            return order.turn
    among_bots = not any(seat.holder == "player" for seat in loaded.seats)
    return orders[-1].turn if orders and among_bots else None


def revealed_lines(work: Work, row: MatchRow, to: int) -> list[str]:
    """Return a line for each thing somebody learnt after an event.

    An undo cannot make it unknown again. A line tells its kind and who learnt it, never the hidden
    thing itself.
    """
    rows = ledger.kept_events(matches.events(work.connection, row.id))
    gone = [event for event in rows if event.seq > to]
    draws = [draw.number for event in gone if (draw := ledger.event_of(event).draw)]
    lines = []
    # Chance follows from the seed, so playing the turn again would draw what is known already.
    if draws:
        first, last = draws[0], draws[-1]
        which = f"draw {first}" if first == last else f"draws {first} to {last}"
        lines.append(f"{which}, which would give the same numbers again")
    for event in gone:
        for fact in ledger.facts_from_json(event.facts):
            # By an order of its own a seat learns nothing but news: it knew what it ordered.
            own = not fact.news and fact.audience is not None and {*fact.audience} == {event.seat}
            if (fact.audience is not None and not own) or fact.news:
                whom = "everybody" if fact.audience is None else ", ".join(sorted(fact.audience))
                lines.append(
                    f"{whom or 'nobody'} learnt something in turn {event.turn} ({fact.fact})"
                )
    return [*dict.fromkeys(lines)]


def _warn_of_mails(work: Work, loaded: LoadedMatch, undone: Sequence[Event]) -> None:
    """Warn about mails that show events that would be taken back."""
    shown: dict[Seat, list[str]] = {}
    first = next(event.seq for event in undone if event.kind in SHOWN)
    for mail in reports.mails_showing(work.connection, loaded.row.id, first):
        # It never left, so nobody has seen it.
        if mail.state == "superseded":
            continue
        left = mail.state in {"sent", "uncertain", "sending"}
        fate = "sent" if left else "not sent yet"
        if not left and mail.kind == "report":
            fate = "not sent yet and will not be"
        # A receipt for several matches belongs to no seat.
        held = (seat.seat for seat in loaded.seats if seat.player_id == mail.player_id)
        shown.setdefault(mail.seat or next(held, ""), []).append(f"{mail.kind} {mail.id} ({fate})")
    for seat, mails in shown.items():
        work.warn(f"{seat} is shown what would be taken back by {', '.join(mails)}")


class Redo(OnMatch):
    """Set a match forward to before the last undo."""

    name: ClassVar[str] = "redo"

    def carry_out(self, work: Work) -> None:
        work.going(*REWINDABLE)
        loaded = work.load()
        live, log = loaded.live, whole_log(work, loaded)
        to = events.redo_goal(log)
        if to is None:
            raise Refused(f"{self.match}: nothing was taken back that could be done again")
        later = at_event(live.game, live.terms, live.seed, log, to)
        after, logged = takeback.stand_again(
            live, events.REDO, later, work.moment, by=work.by, why=work.reason
        )
        _set_again(work, loaded, after, logged)


class Fix(OnMatch):
    """Set the position, by a whole document or a JSON Patch.

    ``made_from`` is the digest of the position that was edited, if known: whoever knows it has been
    shown all that is hidden, and the players know that.
    """

    name: ClassVar[str] = "fix"
    given: Any
    made_from: str | None = None

    def carry_out(self, work: Work) -> None:
        work.going(*PLAYABLE)
        loaded = work.load()
        # An edited position is whole, so it would undo everything played since.
        if self.made_from not in {None, position_digest(loaded.game, loaded.live.position)}:
            raise Refused(
                f"{self.match} has moved on since this position was printed; nothing was done: "
                "print it anew with show --full"
            )
        if self.made_from is None and _betrays(loaded.live, self.given):
            raise Refused(
                f"what comes of this hangs on what is hidden in {self.match}: make it from what "
                f"referee match show {self.match} --full prints; the players are told of that look"
            )
        patch = patch_of(loaded.live, self.given)
        if not patch:
            raise Refused(f"{self.match}: the position is just that already")
        # The names of the parts only: their values may be hidden. Which parts of a whole position
        # are other ones is hidden too from whoever has not looked.
        parts = dict.fromkeys(str(step["path"]).split("/")[1] for step in patch)
        looked = self.made_from is not None or isinstance(self.given, list)
        changed = f"changes in the position: {', '.join(parts)}" if looked else "sets the position"
        work.warn(f"this {changed}")
        live, moment = loaded.live, work.moment
        after, logged = takeback.fix_position(live, patch, moment, by=work.by, why=work.reason)
        _set_again(work, loaded, after, logged)


def _set_again(work: Work, loaded: LoadedMatch, live: AnyMatch, logged: Logged) -> None:
    """Set the position, and warn where orders of players end with the one they were given for."""
    if standing_orders.kept_standing_orders(work.connection, loaded):
        work.warn("orders wait in this match: they end, and whoever gave them is told")
    if clock.pace_of(loaded.row).per_turn is not None and not live.turn.over:
        work.warn(f"the turn of {live.turn.seat} begins anew with its time")
    rewind.set_again(work.change, loaded, live, logged)


def patch_of(match: AnyMatch, given: Any) -> takeback.Patch:
    """Return the patch from the present position to the one given. Raises Refused if none."""
    game = match.game
    before = game.dump(match.position)
    if isinstance(given, dict) and "op" in given and "op" not in before:
        raise Refused("this is one operation; a JSON Patch is a list of them, so put it into [ ]")
    if isinstance(given, dict):
        given = takeback.patch_between(before, given)
    if not isinstance(given, list):
        raise Refused("this is neither a JSON Patch (a list) nor a position document (an object)")
    try:
        after = game.dump(takeback.patched_position(match, given))
    except BadDocument as fault:
        raise Refused(f"the game does not accept this position: {fault}") from None
    return takeback.patch_between(before, after)


def _betrays(match: AnyMatch, given: Any) -> bool:
    """Return whether the fate of a correction would tell something hidden."""

    def outcome(match: AnyMatch) -> str | Sequence[str]:
        try:
            parts = [str(step["path"]).split("/")[1] for step in patch_of(match, given)]
            # The parts that a patch changes are named; of a whole position it is told whether any.
            return [*dict.fromkeys(parts)] if isinstance(given, list) else str(bool(parts))
        except Refused as fault:
            return str(fault)

    told = outcome(match)
    return any(
        outcome(dataclasses.replace(match, position=position)) != told for position in _dealt(match)
    )


def _dealt(match: AnyMatch) -> Iterator[Any]:
    """Yield positions in which all that a spectator cannot see is dealt anew.

    From the head, so that asking twice says the same.
    """
    rng = Random(match.head)
    for _ in range(DEALS):
        position = match.game.redeal(match.position, None, rng)
        if position != match.position:
            yield position


MOST_POSSIBLE: Final = 3
"""Orders that a refused one is answered with; the player's own receipt names more."""


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
        orders = _read_all(loaded.game, self.lines)
        loaded = work.note(events.NOTICE, seat=self.seat, act=self.name)
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
            after = ledger.renew_time(work.change, after)
        # Ordered for a position that is gone, they must not be played where the turn goes on.
        kept = standing_orders.held_orders(work.connection, after, self.seat)
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
        possible = judged.refusal.legal if judged.refusal else ()
        # A refusal can betray a hand: the organiser may be a player, too.
        if self.eyes != self.seat:
            others = [judge(live.game, position, self.seat, orders) for position in _dealt(live)]
            # So can the orders that are possible.
            if any(other.refusal and other.refusal.legal != possible for other in others):
                possible = ()
            if any(_said(other) != _said(judged) for other in others):
                raise Refused(
                    f"this cannot be played so, for a reason that {self.seat} alone may know: "
                    f"with --as {self.seat} you are told it"
                )
        if judged.refusal is not None:
            text = live.game.format(orders[judged.at or 0], LANGUAGES[0])
            reason = reason_of(judged.refusal, Wording(live.game, LANGUAGES[0]))
            near = " or ".join(
                live.game.format(order, LANGUAGES[0]) for order in possible[:MOST_POSSIBLE]
            )
            instead = f" You could write: {near}" if near else ""
            raise Refused(f"{text!r} is refused: {reason}{instead}")
        text = live.game.format(judged.rest[0], LANGUAGES[0])
        raise Refused(f"{text!r} hangs on what chance or another seat does first: give it later")


def _read_all(game: AnyGame, lines: Sequence[str]) -> list[Order]:
    try:
        return [_read(game, line) for line in lines]
    except Refused as fault:
        # A shell makes several of an order without quotes.
        whole = " ".join(lines)
        try:
            _read(game, whole)
        except Refused:
            raise fault from None
        raise Refused(f'{str(fault).rstrip(".")}. Each order stands in quotes: "{whole}"') from None


def _read(game: AnyGame, text: str) -> Order:
    # The organiser may write in any language the players may.
    for language in LANGUAGES:
        try:
            return game.parse(text, language)
        except Unreadable as error:
            fault = error
    said = Wording(game, LANGUAGES[0]).unreadable(fault)
    raise Refused(f"{text!r} cannot be read: {said}")


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
        work.note(events.NOTICE, act=self.name)
        work.tell(signed("looked"))
