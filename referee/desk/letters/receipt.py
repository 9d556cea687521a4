"""The receipt: how a submission was understood, its outcome, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from referee.desk.letters.words import repair
from referee.desk.letters.words.lines import ReadLine, with_language_text
from referee.desk.letters.words.repair import Repairs, Submitting
from referee.desk.mails import post, since
from referee.desk.mails.post import Binding
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.standing_orders import Hold
from referee.games.game import Refusal, Seat, Unreadable, View
from referee.matches.events import format_head
from referee.matches.match import Submitted
from referee.render import mails
from referee.render.mails import Content
from referee.render.words.moments import moment_text
from referee.render.words.wording import Wording
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
    hold, done, repairs = told.hold, told.done, repair.NO_REPAIRS
    if done.refusal is not None or any(line.fault for line in told.lines):
        came = (done.accepted, done.at, done.refusal, hold is not None)
        repairs = repair.repairs_of(Submitting(live, seat, told.language, told.lines, *came))
    facts = [fact for logged in done.logged for fact in logged.facts if fact.known_to(seat)]
    # Once the turn has passed on, the report that follows shows the board; of held orders it is
    # shown as they would leave it.
    scene = live.scene(seat) if mine else None
    if hold is not None:
        scene = None if told.view is None else game.scene(told.view)
    # Empty: held until a yes.
    until = None if hold is None else ""
    if hold is not None and hold.until is not None:
        until = moment_text(hold.until, told.zone, wording.catalogue)
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
            scene=scene,
            rest=live.scene(seat),
            head=format_head(live.head),
            names=told.names,
            nothing_happened=not done.logged,
            possible=tuple(game.orders(live.position)) if mine and hold is None else (),
            now=told.now,
            standing=told.standing,
            ended=told.ended,
            held=until,
            beside=told.words,
            again=told.again,
        ),
        post.seat_framing(wording, binding, box=mine),
    )


def _lines(
    loaded: LoadedMatch, told: ReceiptContent, seat: Seat, repairs: Repairs
) -> Sequence[mails.ReceiptLine]:
    lines: list[mails.ReceiptLine] = []
    index = 0
    done, hold = told.done, told.hold
    given, wording = iter(told.given), Wording(loaded.game, told.language)
    # One unreadable line keeps all orders of the letter from being played.
    unreadable = any(line.fault is not None for line in told.lines)
    for place, read in enumerate(told.lines):
        text = with_language_text(read, loaded.game, told.language).text
        if read.order is not None:
            if index == done.at and done.refusal is not None:
                judged = mails.ReceiptLine(text, "refused", refusal=done.refusal)
            elif unreadable or index >= done.accepted:
                judged = mails.ReceiptLine(text, "waiting")
            elif hold is not None:
                judged = mails.ReceiptLine(text, "held" if hold.until else "asked")
            else:
                judged = mails.ReceiptLine(text, "accepted")
            index += 1
        elif read.given is not None:
            judged = _given_line(wording, text, next(given, "waiting"))
        elif read.fault is not None:
            judged = mails.ReceiptLine(text, "unreadable", unreadable=read.fault)
        elif read.command is None:
            judged = mails.ReceiptLine(text, "ignored")
        else:
            continue
        if found := repairs.lines.get(place):
            near, answers = found.orders, found.answers
            judged = replace(judged, near=near, answers=answers, replaced=found.replaced)
        lines.append(judged)
    # The seat's own orders that the rules left no choice about.
    for event in (logged.event for logged in done.logged):
        if event.kind == "order" and event.forced and event.seat == seat and event.order:
            order = loaded.game.parse(event.order, "en")
            lines.append(mails.ReceiptLine(loaded.game.format(order, told.language), "forced"))
    return lines


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
