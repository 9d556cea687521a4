"""The receipt: how a submission was understood, its outcome, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from referee.desk.letters.words import repair
from referee.desk.letters.words.lines import ReadLine, with_language_text
from referee.desk.letters.words.repair import Repair, Repairs, Submitting
from referee.desk.mails import post, since
from referee.desk.mails.post import Binding
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.standing_orders import Hold
from referee.games.game import Refusal, Scene, Seat, Unreadable, View
from referee.matches.events import format_head
from referee.matches.match import Submitted
from referee.render import mails
from referee.render.mails import Content
from referee.render.words.moments import moment_text
from referee.render.words.wording import Catalogue, Wording
from referee.value import Value, replace


class ReceiptContent(Value):
    """The content of a receipt: the lines as read, their outcome, and its reader.

    ``given`` is the outcome of each order in advance, an Unreadable naming the limit it exceeded,
    empty if none was carried out; ``hold`` tells how its orders are held, ``words`` what in their
    letter decided it, ``view`` the board as they would leave it; ``standing`` and ``ended`` are
    sentences; ``again``: the orders were played before.
    """

    lines: tuple[ReadLine, ...]
    done: Submitted
    names: Mapping[Seat, str]
    zone: str
    language: str
    now: datetime
    given: tuple[mails.Fate, ...] = ()
    standing: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    hold: Hold | None = None
    words: str = ""
    view: View | None = None
    again: bool = False


def receipt_of(loaded: LoadedMatch, binding: Binding, told: ReceiptContent) -> Content:
    """Return the receipt of a submission, from its seat's view and facts."""
    game, live = loaded.game, told.done.match
    seat = binding.seat.seat
    wording = Wording(game, told.language)
    mine = live.turn.seat == seat
    repairs = _repairs(told, seat)
    facts = [fact for each in told.done.logged for fact in each.facts if fact.known_to(seat)]
    return mails.receipt_content(
        wording,
        mails.Receipt(
            match=binding.match.name,
            seat=seat,
            turn=binding.turn,
            lines=tuple(_lines(loaded, told, seat, repairs)),
            corrected=repairs.corrected,
            facts=tuple(facts),
            to_act=live.turn.seat,
            due=binding.match.due,
            zone=told.zone,
            # Once the turn has passed on, the report that follows shows the board.
            scene=_scene(loaded, told, seat),
            rest=live.scene(seat),
            head=format_head(live.head),
            names=told.names,
            nothing_happened=not told.done.logged,
            possible=tuple(game.orders(live.position)) if mine and told.hold is None else (),
            now=told.now,
            standing=told.standing,
            ended=told.ended,
            held=_moment(told),
            beside=told.words,
            again=told.again,
        ),
        post.seat_framing(wording, binding, box=mine),
    )


def _scene(loaded: LoadedMatch, told: ReceiptContent, seat: Seat) -> Scene | None:
    """Return the board to show: of held orders as they would leave it."""
    if told.hold is not None:
        return None if told.view is None else loaded.game.scene(told.view)
    return told.done.match.scene(seat) if told.done.match.turn.seat == seat else None


def _moment(told: ReceiptContent) -> str | None:
    """Return until when orders are held, worded; empty until a yes, None if they are not."""
    if told.hold is None or told.hold.until is None:
        return None if told.hold is None else ""
    return moment_text(told.hold.until, told.zone, Catalogue(told.language))


def _repairs(told: ReceiptContent, seat: Seat) -> Repairs:
    """Return the repairs of lines refused or not understood."""
    done = told.done
    if done.refusal is None and not any(line.fault for line in told.lines):
        return repair.NO_REPAIRS
    came = (done.accepted, done.at, done.refusal, told.hold is not None)
    return repair.repairs_of(Submitting(done.match, seat, told.language, told.lines, *came))


def _lines(
    loaded: LoadedMatch, told: ReceiptContent, seat: Seat, repairs: Repairs
) -> Sequence[mails.ReceiptLine]:
    lines: list[mails.ReceiptLine] = []
    index = 0
    given, wording = iter(told.given), Wording(loaded.game, told.language)
    # One unreadable line keeps all orders of the letter from being played.
    unreadable = any(line.fault is not None for line in told.lines)
    for place, read in enumerate(told.lines):
        line = with_language_text(read, loaded.game, told.language)
        found = repairs.lines.get(place)
        if read.order is not None:
            judged = _order_line(line.text, index, told.done, idle=unreadable)
            if told.hold is not None and judged.outcome == "accepted":
                lines.append(replace(judged, outcome="held" if told.hold.until else "asked"))
            else:
                lines.append(_repaired(judged, found))
            index += 1
        elif read.given is not None:
            lines.append(_given_line(wording, line.text, next(given, "waiting")))
        elif read.fault is not None:
            judged = mails.ReceiptLine(line.text, "unreadable", unreadable=read.fault)
            lines.append(_repaired(judged, found))
        elif read.command is None:
            lines.append(mails.ReceiptLine(line.text, "ignored"))
    return lines + _forced_lines(loaded, told, seat)


def _repaired(line: mails.ReceiptLine, found: Repair | None) -> mails.ReceiptLine:
    if found is None:
        return line
    return replace(line, near=found.orders, answers=found.answers, replaced=found.replaced)


def _given_line(wording: Wording, text: str, came: mails.Fate) -> mails.ReceiptLine:
    if isinstance(came, mails.TakenBack):
        orders = since.worded_orders(wording, came.orders)
        return mails.ReceiptLine(text, "cancelled", orders=orders)
    if isinstance(came, Unreadable):
        return mails.ReceiptLine(text, "full", unreadable=came)
    if isinstance(came, Refusal):
        near = came.legal[: repair.MOST_NEAR]
        return mails.ReceiptLine(text, "refused", refusal=came, near=near, alone=True)
    return mails.ReceiptLine(text, came)


def _order_line(text: str, index: int, done: Submitted, *, idle: bool) -> mails.ReceiptLine:
    if index == done.at and done.refusal is not None:
        return mails.ReceiptLine(text, "refused", refusal=done.refusal)
    if idle:
        return mails.ReceiptLine(text, "waiting")
    return mails.ReceiptLine(text, "accepted" if index < done.accepted else "waiting")


def _forced_lines(loaded: LoadedMatch, told: ReceiptContent, seat: Seat) -> list[mails.ReceiptLine]:
    """Return the seat's own orders that the rules left no choice about."""
    found = []
    for each in told.done.logged:
        event = each.event
        if event.kind == "order" and event.forced and event.seat == seat and event.order:
            order = loaded.game.parse(event.order, "en")
            found.append(mails.ReceiptLine(loaded.game.format(order, told.language), "forced"))
    return found
