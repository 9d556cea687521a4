"""The receipt and the preview: how orders were understood, their outcome, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.desk.desk import Change
from referee.desk.letters import reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words import repair
from referee.desk.letters.words.lines import ReadLine, Understood, ordering_line, with_language_text
from referee.desk.letters.words.repair import Repairs, Submitting
from referee.desk.mails import post, since
from referee.desk.mails.post import Binding
from referee.desk.mails.report import shows_pictures
from referee.desk.matches import ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.standing_orders import Queue, grace_of, kept_standing_orders
from referee.desk.players import names_of
from referee.games.game import Document, Refusal, Unreadable, View
from referee.matches import match
from referee.matches.events import format_head
from referee.matches.log import LOG_LANGUAGE
from referee.matches.match import Previewed, Submitted
from referee.matches.standing_orders import Hold, ListedOrder, write_line
from referee.render.answers import answer
from referee.render.content import Content
from referee.render.receipts import Fate, Outcome, Receipt, ReceiptLine, TakenBack, receipt_content
from referee.render.words.moments import moment_text
from referee.render.words.wording import Wording
from referee.store.states import SubmissionOutcome
from referee.store.tables.people import PlayerRow
from referee.value import Value, replace


class PlayedPlace(Value):
    """The outcome of a place of a letter: of its orders, and of each order in advance.

    ``hold`` tells how its orders are held, ``view`` is the board as they would leave it,
    ``outcome`` that of the submission. An order in advance is ``given`` an Unreadable that names
    the limit it exceeded; there are none if none was carried out.
    """

    loaded: LoadedMatch
    done: Submitted
    given: tuple[Fate, ...] = ()
    notes: tuple[Document, ...] = ()
    hold: Hold | None = None
    view: View | None = None
    outcome: SubmissionOutcome | None = None

    @property
    def again(self) -> bool:
        """Whether its orders were played before."""
        return self.outcome == "repeat" and self.hold is None


def receipt_of(
    change: Change, player: PlayerRow, binding: Binding, understood: Understood, played: PlayedPlace
) -> Content:
    """Return the receipt of a submission, from its seat's view and facts."""
    loaded, done, hold = played.loaded, played.done, played.hold
    game, live, seat, zone = loaded.game, done.match, binding.seat.seat, player.zone
    wording, mine = Wording(game, player.language), live.turn.seat == seat
    repairs = repair.NO_REPAIRS
    if done.refusal is not None or understood.unreadable:
        came = (done.accepted, done.at, done.refusal, hold is not None)
        repairs = repair.repairs_of(
            Submitting(live, seat, player.language, understood.lines, *came)
        )
    facts = [fact for logged in done.logged for fact in logged.facts if fact.known_to(seat)]
    # Once the turn has passed on, the report that follows shows the board; of held orders it is
    # shown as they would leave it.
    scene = live.scene(seat) if mine else None
    if hold is not None:
        scene = None if played.view is None else game.scene(played.view)
    # Empty: held until a yes.
    until = None if hold is None else ""
    if hold is not None and hold.until is not None:
        until = moment_text(hold.until, zone, wording.catalogue)
    lines = judged_lines(wording, understood.lines, done, repairs, hold=hold, given=played.given)
    # The seat's own orders that the rules left no choice about.
    for event in (logged.event for logged in done.logged):
        if event.kind == "order" and event.forced and event.seat == seat and event.order:
            order = game.parse(event.order, "en")
            lines.append(ReceiptLine(game.format(order, player.language), "forced"))
    waiting = [
        entry
        for entry in kept_standing_orders(change.connection, loaded, seat)
        # The receipt says of these itself how they are held.
        if hold is None or entry.kind != "held"
    ]
    return receipt_content(
        wording,
        Receipt(
            match=binding.match.name,
            seat=seat,
            turn=binding.turn,
            lines=tuple(lines),
            corrected=repairs.corrected,
            facts=tuple(facts),
            to_act=live.turn.seat,
            due=binding.match.due,
            zone=zone,
            scene=scene,
            rest=live.scene(seat),
            head=format_head(live.head),
            names=names_of(change.connection, loaded.seats),
            nothing_happened=not done.logged,
            possible=tuple(game.orders(live.position)) if mine and hold is None else (),
            now=change.desk.now(),
            pictured=shows_pictures(change, player),
            standing=since.standing_order_sentences(wording, waiting, zone),
            ended=tuple(since.came_of(wording, played.notes)),
            held=until,
            beside=(beside := understood.company.words),
            own=any(line.order and line.spoken == beside != "" for line in understood.lines),
            at_once=bool(beside) and not grace_of(binding.match, player),
            again=played.again,
        ),
        post.seat_framing(wording, binding, box=mine),
    )


def judged_lines(
    wording: Wording,
    read_lines: Sequence[ReadLine],
    done: Submitted | Previewed,
    repairs: Repairs,
    *,
    hold: Hold | None = None,
    given: Iterable[Fate] = (),
) -> list[ReceiptLine]:
    """Return the lines of a letter with their outcomes, played or only tried."""
    lines: list[ReceiptLine] = []
    index, fates, tried = 0, iter(given), done if isinstance(done, Previewed) else None
    good: Outcome = "accepted" if hold is None else "held" if hold.until else "asked"
    # One unreadable line keeps all orders of the letter from being played.
    unreadable = any(line.fault is not None for line in read_lines)
    # What was played is told as it was meant: "cxd5" for "I take on d5".
    logged = () if isinstance(done, Previewed) else done.logged
    events = (step.event for step in logged)
    played = (event.order for event in events if event.kind == "order" and not event.forced)
    for place, read in enumerate(read_lines):
        text = with_language_text(read, wording.game, wording.language).text
        if read.order is not None:
            if index == done.at and done.refusal is not None:
                near = done.refusal.legal[: repair.MOST_NEAR] if tried else ()
                judged = ReceiptLine(text, "refused", refusal=done.refusal, near=near)
            elif index < done.accepted and not unreadable:
                if meant := next(played, None):
                    listed = ListedOrder(wording.game.parse(meant, LOG_LANGUAGE), read.policy)
                    text = write_line(wording.game, listed, wording.language)
                judged = ReceiptLine(text, good)
            elif tried and not unreadable and (tried.at is None or index < tried.at):
                news = tried.news and index == tried.accepted
                judged = ReceiptLine(text, "news" if news else "unknown")
            else:
                judged = ReceiptLine(text, "waiting")
            index += 1
        # What is tried orders nothing in advance, and talk beside it needs no answer.
        elif read.command is not None or (tried and read.fault is None):
            continue
        elif read.given is not None:
            came: Fate = next(fates, "waiting")
            if isinstance(came, TakenBack):
                taken = since.worded_orders(wording, came.orders)
                judged = ReceiptLine(text, "cancelled", orders=taken)
            elif isinstance(came, Unreadable):
                judged = ReceiptLine(text, "full", unreadable=came)
            elif isinstance(came, Refusal):
                near = came.legal[: repair.MOST_NEAR]
                judged = ReceiptLine(text, "refused", refusal=came, near=near, alone=True)
            else:
                judged = ReceiptLine(text, came)
        elif read.fault is not None:
            judged = ReceiptLine(text, "unreadable", unreadable=read.fault)
        else:
            judged = ReceiptLine(text, "ignored")
        if found := repairs.lines.get(place):
            near, answers = found.orders, found.answers
            judged = replace(judged, near=near, answers=answers, replaced=found.replaced)
        lines.append(judged)
    return lines


def send_preview(case: Case, claim: Claim, understood: Understood) -> None:
    """Answer with the outcome orders would have, without playing them.

    Out of turn they are tried as if it were the seat's turn now.
    """
    loaded = ledger.load_match(case.change, claim.match)
    game, live, language = loaded.game, loaded.live, case.player.language
    lines = understood.lines
    queue = next((given for given in understood.given if isinstance(given, Queue)), None)
    # Without any orders for this turn those of the first queue are tried.
    if queue is not None and not understood.orders:
        tried = [ordering_line("", entry) for entry in queue.entries]
        lines = (*tried, *(line for line in lines if line.given is not queue))
    seat, ahead = claim.seat.seat, live.turn.seat != claim.seat.seat
    preview = match.preview_ahead if ahead else match.preview
    shown = preview(live, seat, [line.order for line in lines if line.order])
    if shown is None:
        reply.send_answer(case, answer("preview-not"), claim)
        return
    repairs, wrong = repair.NO_REPAIRS, shown.refusal is not None or understood.unreadable
    # What was meant for later is not corrected: sent so it would be played at once.
    if wrong and not ahead and lines is understood.lines:
        came = (0, shown.at, shown.refusal)
        repairs = repair.repairs_of(repair.Submitting(live, seat, language, lines, *came))
    said = answer(
        "preview",
        judged=judged_lines(Wording(game, language), lines, shown, repairs),
        accepted=shown.accepted,
        stopped=shown.stopped,
        wrong=wrong,
        scene=game.scene(shown.view),
        corrected=repairs.corrected,
        ahead=ahead,
    )
    reply.send_answer(case, said, claim)
