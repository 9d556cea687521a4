"""The receipt: how a submission was understood, its outcome, and why."""

from __future__ import annotations

from collections.abc import Sequence

from referee.desk.desk import Change
from referee.desk.letters.words import repair
from referee.desk.letters.words.lines import Understood, with_language_text
from referee.desk.letters.words.repair import Repairs, Submitting
from referee.desk.mails import post, since
from referee.desk.mails.post import Binding
from referee.desk.matches import standing_orders
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.standing_orders import Hold
from referee.desk.players import names_of
from referee.games.game import Document, Refusal, Seat, Unreadable, View
from referee.matches.events import format_head
from referee.matches.match import Submitted
from referee.render import mails
from referee.render.mails import Content
from referee.render.words.moments import moment_text
from referee.render.words.wording import Wording
from referee.store.states import SubmissionOutcome
from referee.store.tables.people import PlayerRow
from referee.value import Value, replace


class PlayedPlace(Value):
    """The outcome of a place of a letter: of its orders, and of each order in advance.

    An Unreadable among ``given`` names the limit that an order in advance exceeded. ``hold`` tells
    how its orders are held, ``view`` is the board as they would leave it, ``outcome`` that of the
    submission.
    """

    loaded: LoadedMatch
    done: Submitted
    given: tuple[mails.Fate, ...] = ()
    notes: tuple[Document, ...] = ()
    hold: Hold | None = None
    view: View | None = None
    outcome: SubmissionOutcome | None = None


def receipt_of(
    change: Change,
    player: PlayerRow,
    binding: Binding,
    understood: Understood,
    played: PlayedPlace,
    *,
    again: bool = False,
) -> Content:
    """Return the receipt of a submission to its player, from its seat's view and facts.

    ``again``: its orders were played before.
    """
    loaded, done, hold = played.loaded, played.done, played.hold
    game, live, seat = loaded.game, done.match, binding.seat.seat
    wording = Wording(game, player.language)
    mine = live.turn.seat == seat
    repairs = repair.NO_REPAIRS
    if done.refusal is not None or any(line.fault for line in understood.lines):
        came = (done.accepted, done.at, done.refusal, hold is not None)
        repairs = repair.repairs_of(
            Submitting(live, seat, player.language, understood.lines, *came)
        )
    waiting = [
        entry.standing
        for entry in standing_orders.kept_standing_orders(change.connection, loaded, seat)
        # The receipt says of these itself how they are held.
        if hold is None or entry.standing.kind != "held"
    ]
    facts = [fact for logged in done.logged for fact in logged.facts if fact.known_to(seat)]
    # Once the turn has passed on, the report that follows shows the board; of held orders it is
    # shown as they would leave it.
    scene = live.scene(seat) if mine else None
    if hold is not None:
        scene = None if played.view is None else game.scene(played.view)
    # Empty: held until a yes.
    until = None if hold is None else ""
    if hold is not None and hold.until is not None:
        until = moment_text(hold.until, player.zone, wording.catalogue)
    return mails.receipt_content(
        wording,
        mails.Receipt(
            match=binding.match.name,
            seat=seat,
            turn=binding.turn,
            lines=tuple(_lines(wording, understood, played, seat, repairs)),
            corrected=repairs.corrected,
            facts=tuple(facts),
            to_act=live.turn.seat,
            due=binding.match.due,
            zone=player.zone,
            scene=scene,
            rest=live.scene(seat),
            head=format_head(live.head),
            names=names_of(change.connection, loaded.seats),
            nothing_happened=not done.logged,
            possible=tuple(game.orders(live.position)) if mine and hold is None else (),
            now=change.desk.now(),
            standing=since.standing_order_sentences(wording, waiting, player.zone),
            ended=since.came_of(wording, played.notes),
            held=until,
            beside=understood.company.words,
            again=again,
        ),
        post.seat_framing(wording, binding, box=mine),
    )


def _lines(
    wording: Wording, understood: Understood, played: PlayedPlace, seat: Seat, repairs: Repairs
) -> Sequence[mails.ReceiptLine]:
    lines: list[mails.ReceiptLine] = []
    index, game, language = 0, wording.game, wording.language
    done, hold, given = played.done, played.hold, iter(played.given)
    # One unreadable line keeps all orders of the letter from being played.
    unreadable = any(line.fault is not None for line in understood.lines)
    for place, read in enumerate(understood.lines):
        text = with_language_text(read, game, language).text
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
            order = game.parse(event.order, "en")
            lines.append(mails.ReceiptLine(game.format(order, language), "forced"))
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
