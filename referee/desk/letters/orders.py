"""Orders of one seat: repeated, refused, tried, held or played, and a yes to held ones.

Their receipt and their preview tell how they were understood, their outcome, and why.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from referee.desk.desk import Change, stamp
from referee.desk.letters.case import Case, Claim, Place, ReplyPart, not_begun, seat_binding
from referee.desk.letters.claims import MOST_NAMED, answered_mail, told_by_way
from referee.desk.letters.commands import votes
from referee.desk.letters.confirm import held_under
from referee.desk.letters.understand import understand
from referee.desk.letters.words import repair
from referee.desk.letters.words.company import says_no
from referee.desk.letters.words.keywords import MOST_COMMANDS, Command
from referee.desk.letters.words.phrases import Tongue, is_polite
from referee.desk.letters.words.places import (
    Company,
    ReadLine,
    Said,
    Understood,
    ordering_line,
    text_of,
)
from referee.desk.letters.words.repair import Repairs, Submitting
from referee.desk.mails import post, since
from referee.desk.mails.composer import turn_files
from referee.desk.mails.post import Binding, Mail
from referee.desk.mails.report import headers_of, shows_pictures
from referee.desk.matches import ledger, rewind, standing_orders
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.standing_orders import Cancel, Queue, advance_lines
from referee.desk.plans.match import pause_of
from referee.desk.players import names_of, told_state
from referee.games.game import Document, Refusal, Unreadable, View
from referee.games.play import canonical_json
from referee.mail.incoming.lines import WrittenLine
from referee.matches import match, private
from referee.matches.events import ORDER, format_head
from referee.matches.log import LOG_LANGUAGE, Logged
from referee.matches.match import Previewed, Submitted
from referee.matches.standing_orders import (
    Hold,
    Kind,
    ListedOrder,
    StandingOrder,
    State,
    read_line,
    write_line,
)
from referee.render.answers import Answer, answer
from referee.render.content import Content
from referee.render.receipts import Fate, Outcome, Receipt, ReceiptLine, TakenBack, receipt_content
from referee.render.words.moments import moment_text
from referee.render.words.wording import Catalogue, Wording
from referee.store.people import questions
from referee.store.play import matches, submissions
from referee.store.post import outbox
from referee.store.states import PLAYABLE, SubmissionOutcome
from referee.store.tables.people import PlayerRow
from referee.value import Value, replace

_FATES: Final[Mapping[State, Outcome]] = {"used": "played", "waiting": "begun", "void": "dropped"}
"""The outcome of a queue that acted at once, by its state afterwards."""


class PlayedPlace(Value):
    """The outcome of a place of a letter: of its orders, and of each order in advance.

    ``hold`` tells how its orders are held, ``view`` is the board as they would leave it,
    ``outcome`` that of the submission. An order in advance is ``given`` an Unreadable that names
    the limit it exceeded; there are none if none was carried out. ``led_to`` are the events of its
    own orders; ``done`` has those of others too that acted while it was handled.
    """

    loaded: LoadedMatch
    done: Submitted
    given: tuple[Fate, ...] = ()
    notes: tuple[Document, ...] = ()
    hold: Hold | None = None
    view: View | None = None
    outcome: SubmissionOutcome | None = None
    led_to: tuple[Logged, ...] = ()

    @property
    def again(self) -> bool:
        """Whether its orders were played before."""
        return self.outcome == "repeat" and self.hold is None


def submit_orders(
    case: Case,
    claim: Claim,
    understood: Understood,
    room: int = MOST_COMMANDS,
    *,
    confirmed: Hold | None = None,
) -> None:
    """Play the orders of one place of a letter, hold or refuse them.

    ``room`` is how many of its orders in advance are looked at: they count as commands.
    ``confirmed``: they were held so, and their player has said yes.
    """
    row = claim.match
    refusal: Answer | None = None
    understood = _by_their_ways(case, claim, understood)
    mend = rewind.took_back(case.connection, row, claim.code.turn, claim.code.seq)
    # Where the turn was undone the same orders mean to play it again.
    again = confirmed or mend is not None
    if understood.faults:
        refusal = answer("schema", faults=understood.faults)
    elif row.state == "invited":
        refusal = not_begun(case, claim)
    elif not again and _repeated(case, claim, understood):
        return
    # Only playing pauses: what is held back can be held back for good.
    elif row.state == "paused" and not understood.all_withdrawn:
        refusal = pause_of(case.connection, row, case.player)
    elif row.state not in PLAYABLE:
        refusal = answer("match-over", state=told_state(row))
    # Trying changes nothing, so it may be done at any time, also with the code of an older mail.
    elif understood.previews:
        _send_preview(case, claim, understood)
        # Kept as a command, so that the same orders afterwards are no repeat.
        _keep(case, claim, understood, "command")
    # Orders in advance may come at any time, also with the code of an older mail.
    elif understood.all_ahead:
        _play(case, claim, understood, room, confirmed)
    # Asked before the code's age: that a turn was undone explains more than an old code.
    elif mend is not None:
        live = ledger.load_match(case.change, row).live
        when = moment_text(mend.at, case.player.zone, case.catalogue)
        turn, now, scene = claim.code.turn, live.turn.number, live.scene(claim.seat.seat)
        refusal = answer("taken-back", turn=turn, now=now, when=when, kind=mend.kind, scene=scene)
    # A turn may begin anew under the same number, and then its codes are new as well.
    elif claim.code.turn != row.turn or claim.code.seq != row.turn_began_seq:
        refusal = answer("old-code", turn=claim.code.turn, now=row.turn)
    elif row.to_act != claim.seat.seat:
        refusal = answer("not-your-turn", slip=played_last(case, claim))
    else:
        _play(case, claim, understood, room, confirmed)
    if refusal is not None:
        case.tell(refusal, claim)
        _keep(case, claim, understood, "unclear" if understood.faults else "refused")


def played_last(case: Case, claim: Claim) -> bool:
    """Return whether a seat may want back its own last order, as nobody has played since."""
    latest = matches.latest_event(case.connection, claim.match.id, ORDER)
    mine = latest is not None and latest.seat == claim.seat.seat
    return mine and questions.open_question_in(case.connection, claim.match.id) is None


def _repeated(case: Case, claim: Claim, understood: Understood) -> bool:
    """Give the receipt anew if these orders answered this mail before.

    It is made from the log, as mails that have left are not kept for long. Only orders that were
    carried out are not repeated: refused or unreadable ones are judged anew, a preview asks again,
    and orders that are all for later may be given again after they were taken back. A box written
    after they were played means them once more. Return whether the orders were a repeat.
    """
    if understood.all_ahead or understood.unreadable or understood.previews:
        return False
    before = submissions.repeat_of(case.connection, _digest(case, claim, understood))
    if before is None or before.outcome not in {"accepted", "partly"}:
        return False
    if before.first_seq and before.first_seq <= (understood.said.seq or 0):
        return False
    # Of a match that is over the answer says so.
    if not case.letter.automatic and (before.receipt is None or claim.match.state not in PLAYABLE):
        return False
    kept = _keep(case, claim, understood, "repeat", receipt_id=before.receipt)
    now = case.desk.now()
    if before.receipt and not outbox.send_refused_again(case.connection, before.receipt, now):
        loaded = ledger.load_match(case.change, claim.match)
        # What happened then, in the match as it stands now.
        first, last = before.first_seq or 1, before.last_seq or 0
        rows = matches.events(case.connection, loaded.row.id, after=first - 1) if last else ()
        logged = tuple(
            Logged(ledger.event_of(row), tuple(ledger.facts_from_json(row.facts)))
            for row in rows
            if row.seq <= last
        )
        orders = len(understood.orders)
        if before.outcome == "partly":
            mine = (entry.event for entry in logged if entry.event.seat == before.seat)
            orders = sum(event.kind == ORDER and not event.forced for event in mine)
        done = Submitted(loaded.live, logged, orders, None, None)
        _put_receipt(case, claim, understood, PlayedPlace(loaded, done, outcome="repeat"), kept)
    return True


def _play(
    case: Case, claim: Claim, understood: Understood, room: int, confirmed: Hold | None
) -> None:
    """Judge orders that may be given now: play, hold or refuse them, and put their receipt."""
    loaded, seat = ledger.load_match(case.change, claim.match), claim.seat.seat
    nothing = Submitted(loaded.live, (), 0, None, None)
    asked, hold = understood, None
    # Orders of a letter stand or fall together, so one unreadable line plays none of them.
    if understood.unreadable:
        judged = nothing
        if understood.orders:
            shown = match.preview(loaded.live, seat, understood.orders)
            judged = replace(nothing, refusal=shown.refusal, at=shown.at)
        played = PlayedPlace(loaded, judged, outcome="unclear")
    else:
        understood = _only_possible(claim, understood, loaded)
        understood = _said_once(claim, understood, loaded)
        understood = _as_one_turn(claim, understood, loaded)
        if not (confirmed or understood.all_withdrawn):
            way, arrived = understood.company.way, case.row.arrived
            hold = standing_orders.hold_for(
                case.change, claim.match, seat, case.player, arrived, way
            )
            # A program reads no questions, so its orders wait for no yes.
            hold = None if hold and case.letter.automatic and hold.until is None else hold
        if clash := _clash(case, claim, understood, loaded):
            case.tell(clash, claim)
            _keep(case, claim, understood, "refused")
            return
        given = understood.given[:room]
        taken = standing_orders.take_back(case.change, loaded, seat, given)
        taken = votes.told_late(case, loaded, seat, taken)
        understood, hold = _join_to_held(case, claim, understood, loaded, hold)
        if not understood.orders:
            played = PlayedPlace(loaded, nothing, hold=hold)
        elif hold is None:
            # Before the turn ends, since the time given back belongs to it.
            loaded = ledger.give_credit(case.change, loaded)
            since = stamp(confirmed.arrived if confirmed else case.row.arrived)
            done = match.submit(loaded.live, seat, understood.orders, since)
            replaced: Sequence[str] = ()
            if done.logged:
                lines = [write_line(loaded.game, entry) for entry in understood.entries]
                before = standing_orders.held_orders(case.connection, loaded, seat)
                if before is not None and standing_orders.begins_with(lines, before):
                    # Played as well: their letter is a repeat if it comes once more.
                    played_as = _outcome(understood, done)
                    submissions.settle_held(case.connection, loaded.row.id, seat, played_as)
                # Those that were held give way to them.
                replaced = standing_orders.drop_held(case.change, loaded, seat, lines)
                loaded = ledger.save_match(case.change, loaded, done.match, done.logged)
                loaded = ledger.renew_time(case.change, loaded) if done.anew else loaded
            played = PlayedPlace(loaded, done, notes=_replaced(replaced))
        else:
            played = _hold(case, claim, understood, loaded, hold)
        played = replace(played, given=taken, led_to=played.done.logged)
        played = _look_ahead(case, claim, understood, played, room)
    outcome = played.outcome or _outcome(understood, played.done)
    # Kept as it was written, so that the same letter is known again.
    kept = _keep(case, claim, asked, outcome, logged=played.led_to)
    _put_receipt(case, claim, understood, played, kept)


def _outcome(understood: Understood, done: Submitted) -> SubmissionOutcome:
    """Return the outcome of orders that were submitted."""
    whole = done.accepted + done.waiting == len(understood.orders)
    return "accepted" if whole else "partly" if done.accepted else "refused"


def _by_their_ways(case: Case, claim: Claim, understood: Understood) -> Understood:
    """Return orders told in sentences as those whose way the sentences tell.

    “The b1 knight moves to c3” is no pawn's move to c3.
    """
    if sum(bool(line.spoken) for line in understood.lines) > MOST_NAMED:
        # Nobody means so many, and to look for each takes long.
        return understood
    lines, read = list[ReadLine](), set[str]()
    for line in understood.lines:
        if line.text in read and (line.spoken or line.is_talk):
            # Another reading of that sentence, or what parts the two.
            continue
        told = None
        if line.order is not None and line.spoken == line.text and line.policy is None:
            told = told_by_way(case, claim, [line.spoken])
        if told:
            read.add(line.text)
        lines.append(replace(line, order=told[1]) if told else line)
    return replace(understood, lines=tuple(lines))


def _only_possible(claim: Claim, understood: Understood, loaded: LoadedMatch) -> Understood:
    """Return orders that talk names, of which one can be played, with that one, to be asked about.

    “After your e4 I play c6” names two, the first of which is none of the writer's.
    """
    named = any(line.spoken for line in understood.lines if line.order is not None)
    sets = understood.sets if named else ()
    possible = [entries for entries in sets if _accepted(claim, loaded, entries)]
    if len(possible) != 1 or len(sets) == 1:
        return understood
    # The sentence itself parts its moves, and is read as an order.
    spoken = understood.company.words
    lines = tuple(
        line
        for line in understood.lines
        if (line.text != spoken if line.order is None else line.entry in possible[0])
    )
    return replace(understood, lines=lines, company=Company("contradicted", spoken))


def _said_once(claim: Claim, understood: Understood, loaded: LoadedMatch) -> Understood:
    """Return orders without those said before, where they can be played once and not twice.

    A program means what it says, and beside orders in advance one may be for a later turn.
    """
    first = {line.entry: line for line in reversed(understood.lines) if line.entry}
    lines = [line for line in understood.lines if not line.entry or line is first[line.entry]]
    once = replace(understood, lines=tuple(lines))
    twice = len(lines) < len(understood.lines) and not _accepted(claim, loaded, understood.entries)
    apart = understood.said.source == "json" or understood.company.way == "alternatives"
    apart = apart or bool(understood.given)
    return once if twice and not apart and _accepted(claim, loaded, once.entries) else understood


def _as_one_turn(claim: Claim, understood: Understood, loaded: LoadedMatch) -> Understood:
    """Return orders of a kind that do not fit into one turn with what is to be asked about instead.

    That is the order they are parts of, “place C7” and “place C8”, or else the one that can be
    played: “Bxf7” below “Bc4” may correct it, or tell a plan.
    """
    turns = _past_the_end(claim, understood, loaded)
    if not turns:
        return understood
    game, (*before, first), second = loaded.game, turns[0], turns[1][0]
    possible = [entries for entries in turns if _accepted(claim, loaded, entries)]
    parts = [first, *(entry for entries in turns[1:] for entry in entries)]
    told, *more = (write_line(game, entry).partition(" ") for entry in parts)
    with suppress(Unreadable):
        whole = read_line(game, " ".join([*told, *(spaces for _, _, spaces in more)]))
        if isinstance(whole, ListedOrder) and whole not in parts:
            joined = (*before, whole)
            possible = [joined] if _accepted(claim, loaded, joined) else possible
    if len(possible) != 1:
        return understood
    texts = {line.entry: line.text for line in reversed(understood.lines)}
    both = "; ".join(dict.fromkeys(texts[entry] for entry in parts))
    lines = [ordering_line(texts.get(entry, both), entry) for entry in possible[0]]
    beside = texts[second]
    if possible[0][-1] not in texts:
        # As in a sentence, the order is part of what stands in other lines.
        beside, lines[-1] = both, replace(lines[-1], spoken=both)
    lines += [line for line in understood.lines if line.order is None]
    return replace(understood, lines=tuple(lines), company=Company("contradicted", beside))


def _past_the_end(
    claim: Claim, understood: Understood, loaded: LoadedMatch
) -> tuple[tuple[ListedOrder, ...], ...]:
    """Return orders turn by turn, where the second turn's is of a kind with the first's last.

    A program means what it says.
    """
    sets = understood.sets
    if len(sets) != 1 or len(understood.orders) < 2 or understood.said.source == "json":
        return ()
    mine, *over = _turn_by_turn(claim, loaded, sets[0])
    alike = over and type(mine[-1].order) is type(over[0][0].order)
    turns = tuple(dict.fromkeys([mine, *over]))
    return turns if alike and len(turns) > 1 else ()


def _clash(case: Case, claim: Claim, understood: Understood, loaded: LoadedMatch) -> Answer | None:
    """Return the answer to a letter of which a yes would not say what it means, else None.

    It has alternatives; or takes orders back, and something in it contradicts that; or orders what
    may stand in place of held orders as well as behind them.
    """
    sets, language = understood.sets, case.player.language
    # With talk between them, orders that cannot all be played are alternatives as well.
    apart = len(sets) > 1 and not _accepted(claim, loaded, understood.entries)
    # And so are those of a kind, the second of which is behind the end of the turn.
    turns = _past_the_end(claim, understood, loaded)
    choices = tuple(turn for turn in turns if _accepted(claim, loaded, turn))
    apart, sets = (True, choices) if len(choices) > 1 else (apart, sets)
    undecided = understood.company.way == "alternatives" or apart
    # Nobody chooses among orders none of which can be played: those are refused.
    if undecided and any(_accepted(claim, loaded, entries) for entries in sets):
        told = [
            tuple(write_line(loaded.game, entry, language) for entry in entries) for entries in sets
        ]
        return answer("two-sets", sets=told, choice=understood.company.words or "…")
    contradicted = understood.company.way == "contradicted"
    if understood.all_withdrawn and contradicted and not says_no(understood.company.words):
        word = next(line.text for line in understood.lines if line.given is not None)
        return answer("two-sets", word=word, beside=understood.company.words)
    before = standing_orders.held_orders(case.connection, loaded, claim.seat.seat)
    if before is None or not understood.orders:
        return None
    cancels = (given for given in understood.given if isinstance(given, Cancel))
    if any(cancel.covers(before) for cancel in cancels):
        return None
    first = _held_entries(loaded, before)
    instead = tuple(ledger.as_meant(loaded, understood.entries))
    behind = (*first, *understood.entries)
    if instead == first or not _accepted(claim, loaded, instead, behind, surely=True):
        return None
    withdraw = Catalogue(language).keyword("withdraw")
    both: list[Sequence[str]] = [
        (withdraw, *(write_line(loaded.game, entry, language) for entry in entries))
        for entries in (instead, behind)
    ]
    return answer("held-both", sets=both)


def _turn_by_turn(
    claim: Claim, loaded: LoadedMatch, entries: Sequence[ListedOrder]
) -> Iterator[tuple[ListedOrder, ...]]:
    """Yield orders that end the turn, and those behind them as if they were given in their place.

    Orders of one turn stay together. Behind its end one that cannot be played parts the others.
    """
    left, behind = tuple(entries), False
    while left:
        shown = match.preview(loaded.live, claim.seat.seat, [entry.order for entry in left])
        parted = shown.behind is not None or (behind and shown.refusal is not None)
        end = max(shown.accepted, 1) if parted else len(left)
        yield left[:end]
        left, behind = left[end:], True


def _held_entries(loaded: LoadedMatch, standing: StandingOrder) -> tuple[ListedOrder, ...]:
    entries = (read_line(loaded.game, line) for line in standing.lines)
    return tuple(entry for entry in entries if isinstance(entry, ListedOrder))


def _accepted(
    claim: Claim, loaded: LoadedMatch, *lists: Sequence[ListedOrder], surely: bool = False
) -> bool:
    """Return whether each list would be accepted as a whole, on the board as it stands.

    What depends on chance or another seat is accepted, unless it has to be ``surely``.
    """
    for entries in lists:
        shown = match.preview(loaded.live, claim.seat.seat, [entry.order for entry in entries])
        whole = shown.accepted == len(entries) or (shown.stopped and not surely)
        if shown.refusal is not None or shown.behind is not None or not whole:
            return False
    return True


def _join_to_held(
    case: Case, claim: Claim, understood: Understood, loaded: LoadedMatch, hold: Hold | None
) -> tuple[Understood, Hold | None]:
    """Return orders joined to those that are held, where they are legal only behind them."""
    before = standing_orders.held_orders(case.connection, loaded, claim.seat.seat)
    if before is None or before.hold is None or not understood.orders:
        return understood, hold
    first = _held_entries(loaded, before)
    both = (*first, *understood.entries)
    if _accepted(claim, loaded, understood.entries) or not _accepted(claim, loaded, both):
        return understood, hold
    lines = [ordering_line(write_line(loaded.game, entry), entry) for entry in first]
    # What waits for a yes goes on waiting for it.
    longer = before.hold if hold is None or before.hold.until is None else hold
    return replace(understood, lines=(*lines, *understood.lines)), longer


def _hold(
    case: Case, claim: Claim, understood: Understood, loaded: LoadedMatch, hold: Hold
) -> PlayedPlace:
    """Hold orders that a preview accepts; those behind the end of the turn are refused."""
    seat, entries = claim.seat.seat, ledger.as_meant(loaded, understood.entries)
    shown = match.preview(loaded.live, seat, understood.orders)
    if shown.refusal is not None:
        return PlayedPlace(loaded, Submitted(loaded.live, (), 0, shown.refusal, shown.at))
    at = None if shown.behind is None else shown.accepted
    lines = [write_line(loaded.game, entry) for entry in entries[:at]]
    before = standing_orders.held_orders(case.connection, loaded, seat)
    again = before is not None and before.lines == tuple(lines)
    hold, replaced = standing_orders.hold_orders(case.change, loaded, seat, lines, hold)
    done, notes = Submitted(loaded.live, (), len(lines), shown.behind, at), _replaced(replaced)
    return PlayedPlace(
        loaded, done, notes=notes, hold=hold, view=shown.view, outcome="repeat" if again else "held"
    )


def _replaced(lines: Sequence[str]) -> tuple[Document, ...]:
    """Return the note that held orders were replaced, if any were."""
    note: Document = {"note": private.REPLACED, "kind": "held", "lines": list(lines)}
    return (note,) if lines else ()


def _look_ahead(
    case: Case, claim: Claim, understood: Understood, played: PlayedPlace, room: int
) -> PlayedPlace:
    """Keep orders for later, and let those act that can now.

    After a refused order the rest of the letter is left undone, orders for later included.
    """
    seat = claim.seat.seat
    if played.loaded.live.turn.over:
        return played
    keep, done = standing_orders.keep_standing_order, played.done
    # The policies of held orders stand from when these are played.
    for entry in understood.entries[: 0 if played.hold else done.accepted]:
        if entry.policy is not None:
            line = played.loaded.game.format_policy(entry.policy, "en")
            keep(case.change, played.loaded, seat, "policy", (line,))
    if done.refusal is not None:
        return played
    # Orders after one that lets chance or another seat act wait until that has happened.
    if done.waiting:
        left = understood.entries[done.accepted :]
        lines = [write_line(played.loaded.game, entry) for entry in left]
        keep(case.change, played.loaded, seat, "rest", lines)
    take = standing_orders.take_advance
    # A letter cancels orders in advance, but not its own for this turn.
    spared: Kind | None = "held" if played.hold else "rest" if done.waiting else None
    ahead = [
        replace(order, spared=spared) if isinstance(order, Cancel) else order
        for order in understood.given
    ]
    taken = [
        take(case.change, played.loaded, seat, order, played.hold)
        if outcome == "waiting"
        else outcome
        for order, outcome in zip(ahead, played.given, strict=False)
    ]
    left_out = [Unreadable("many-commands", most=MOST_COMMANDS)] * len(understood.given[room:])
    played = replace(played, given=(*taken, *left_out))
    # What takes something back is heard in a pause too, but nothing is played.
    if played.loaded.row.state == "paused":
        return played
    # The receipt is to tell all of it.
    moment = stamp(case.row.arrived)
    while acting := standing_orders.act_once(case.change, played.loaded, moment, seat):
        after, acted = acting
        logged = acted.done.logged if acted.done else ()
        # An order in advance that has acted is not merely noted.
        fates: list[Fate] = []
        for given, fate in zip(understood.given, played.given, strict=False):
            mine = (
                isinstance(given, Queue)
                and advance_lines(played.loaded.game, given, "en") == acted.standing.lines
            )
            fates.append(_FATES[acted.state] if mine and fate == "noted" else fate)
        done = replace(played.done, match=after.live, logged=(*played.done.logged, *logged))
        notes = (*played.notes, *(note.to_document() for note in acted.notes))
        # What an earlier letter had held is that one's.
        own = () if acted.standing.kind == "held" else logged
        led_to = (*played.led_to, *own)
        played = replace(
            played, loaded=after, done=done, notes=notes, given=tuple(fates), led_to=led_to
        )
    return played


def _put_receipt(
    case: Case, claim: Claim, understood: Understood, played: PlayedPlace, kept: int
) -> None:
    # Above the hourly limit orders that were played or newly held still get their receipt.
    done = bool(played.done.logged and not played.again) or played.outcome == "held"
    if case.letter.automatic or (case.reply.left_this_hour <= 0 and not done):
        return
    # Only now: the receipt must bear the code of the turn that follows the orders.
    binding = seat_binding(case, claim.match.id, claim.seat.seat)
    after, seat = played.loaded, claim.seat.seat
    content = receipt_of(case.change, case.player, binding, understood, played)
    files = turn_files(case.change, after, binding, case.player, content.subject)
    mail = Mail(
        "receipt", files.offered_in(content), headers=headers_of(after), attachments=files.attached
    )
    about, lines = (binding.match.id, seat), case.reply.lines
    case.reply.parts.append(ReplyPart(mail, about, lines=lines, submission=kept))


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
        repairs = Submitting(live, wording, seat, understood.lines, *came).repairs()
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
    # Held orders are told as they are kept.
    told = iter(ledger.as_meant(loaded, understood.entries) if hold else ())
    read_lines = [
        replace(line, order=entry.order) if line.order and (entry := next(told, None)) else line
        for line in understood.lines
    ]
    lines = judged_lines(wording, read_lines, done, repairs, hold=hold, given=played.given)
    # The seat's own orders that the rules left no choice about.
    for event in (logged.event for logged in done.logged):
        if event.kind == "order" and event.forced and event.seat == seat and event.order:
            order = game.parse(event.order, "en")
            lines.append(ReceiptLine(game.format(order, player.language), "forced"))
    waiting = [
        entry
        for entry in standing_orders.kept_standing_orders(change.connection, loaded, seat)
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
            at_once=bool(beside) and not standing_orders.grace_of(binding.match, player),
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
        text = text_of(read, wording.game, wording.language)
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
        elif is_polite(read.text, read_lines[place - 1].text if place else ""):
            continue
        else:
            judged = ReceiptLine(text, "ignored")
        if found := repairs.lines.get(place):
            near, answers = found.orders, found.answers
            judged = replace(judged, near=near, answers=answers, replaced=found.replaced)
        lines.append(judged)
    return lines


def _send_preview(case: Case, claim: Claim, understood: Understood) -> None:
    """Answer with the outcome orders would have if it were the seat's turn; none is played."""
    loaded = ledger.load_match(case.change, claim.match)
    live, wording = loaded.live, case.wording_of(claim.match)
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
        case.tell(answer("preview-not"), claim)
        return
    repairs, wrong = repair.NO_REPAIRS, shown.refusal is not None or understood.unreadable
    # What was meant for later is not corrected: sent so it would be played at once.
    if wrong and not ahead and lines is understood.lines:
        repairs = Submitting(live, wording, seat, lines, 0, shown.at, shown.refusal).repairs()
    said = answer(
        "preview",
        judged=judged_lines(wording, lines, shown, repairs),
        accepted=shown.accepted,
        stopped=shown.stopped,
        wrong=wrong,
        scene=loaded.game.scene(shown.view),
        corrected=repairs.corrected,
        ahead=ahead,
    )
    case.tell(said, claim)


def _lines(case: Case, claim: Claim, understood: Understood) -> Sequence[str]:
    """Return the orders as English text, equal for equal meaning."""
    game = case.game_of(claim.match)
    ahead = [standing_orders.key_of(game, given) for given in understood.given]
    return [write_line(game, entry) for entry in understood.entries] + ahead


def _digest(case: Case, claim: Claim, understood: Understood) -> str:
    mail = answered_mail(case.connection, case.letter)
    text = canonical_json(
        {
            "match": claim.match.name,
            "seat": claim.seat.seat,
            "code": claim.code.code,
            # The same words in answer to another mail are no repeat.
            "answers": mail.message_id if mail else "",
            "orders": list(_lines(case, claim, understood)),
        }
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _keep(
    case: Case,
    claim: Claim,
    understood: Understood,
    outcome: SubmissionOutcome,
    *,
    logged: Sequence[Logged] = (),
    receipt_id: int | None = None,
) -> int:
    """Keep a seat's submission, its outcome and the events it led to; return its id."""
    return submissions.add_submission(
        case.connection,
        letter_id=case.row.id,
        match_id=claim.match.id,
        seat=claim.seat.seat,
        code=claim.code.code,
        turn=claim.code.turn,
        orders="\n".join(_lines(case, claim, understood)),
        digest=_digest(case, claim, understood),
        outcome=outcome,
        first_seq=logged[0].event.seq if logged else None,
        last_seq=logged[-1].event.seq if logged else None,
        receipt=receipt_id,
    )


def play_at_once(case: Case, claim: Claim) -> bool:
    """Play the held orders of a seat, as if sent again alone; return whether there were any."""
    kept_orders = held_under(case, claim)
    if not kept_orders:
        return False
    if claim.match.state == "paused":
        case.tell(pause_of(case.connection, claim.match, case.player), claim)
        return True
    lines: list[str] = []
    for kept in kept_orders:
        lines += ("queue", *kept.lines, "end") if kept.kind == "queue" else kept.lines
    tongue = Tongue(case.game_of(claim.match), LOG_LANGUAGE)
    understood = understand(Said("box", lines=tuple(map(WrittenLine, lines))), tongue)
    confirmed = next(kept.hold for kept in kept_orders if kept.hold is not None)
    room = standing_orders.MOST_WAITING
    submit_orders(case, claim, understood, room, confirmed=confirmed)
    return True


def take_back_held(case: Case, claim: Claim) -> bool:
    """Take back the held orders of a seat; return whether there were any."""
    numbers = tuple(kept.number for kept in held_under(case, claim))
    if numbers:
        said = Understood(Said("box"), (ReadLine(case.reply.first_line, given=Cancel(numbers)),))
        submit_orders(case, claim, said)
    return bool(numbers)


def heed_doubt(case: Case, place: Place) -> None:
    """Have the held orders of a seat wait for a yes if a place of a letter doubts them.

    It does so with the words that would have made them wait in their own letter, or with ``stop``.
    Orders in it are held themselves, and take the place of the others.
    """
    understood = place.understood
    talks = all(line.is_prose for line in understood.lines)
    ways = {"contradicted", "company"} if talks else {"contradicted"}
    doubts = understood.company.way in ways or Command("stop") in understood.commands
    if place.claim is not None and doubts and not understood.orders:
        for kept in held_under(case, place.claim):
            matches.ask_standing_order(case.connection, kept.id)
            case.reply.doubted.add((place.claim.match.id, place.claim.seat.seat))
