"""Previews: orders tried, and orders that wait for their player's yes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from referee.desk.letters import confirm, reply
from referee.desk.letters.case import Case, ReplyPart
from referee.desk.letters.claims import Claim, Place, refreshed_claim
from referee.desk.letters.words import repair
from referee.desk.letters.words.keywords import Command
from referee.desk.letters.words.lines import PREVIEW, Understood, with_language_text
from referee.desk.mails import since
from referee.desk.mails.post import Mail
from referee.desk.matches import grace, ledger, standing_orders
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.standing_orders import Cancel, Given, Queue, advance_lines, key_of
from referee.desk.players import names_of
from referee.games.game import AnyGame, Seat
from referee.matches import match
from referee.matches.match import Previewed, Submitted
from referee.matches.standing_orders import ListedOrder, write_line
from referee.render import mails
from referee.render.answers import Answer, answer
from referee.render.mails import About, Fate, TakenBack
from referee.render.words.wording import Catalogue, Wording
from referee.store.people import players, questions
from referee.store.people.questions import QuestionRow
from referee.store.play.matches import MatchRow
from referee.store.states import QuestionKind

ORDERS: Final = "orders"
"""The command a question keeps for orders that wait for a yes."""

AHEAD: Final = "ahead"
"""Its last argument if all of them are orders in advance."""


def send_preview(case: Case, claim: Claim, understood: Understood) -> None:
    """Answer with the outcome orders would have, without playing them.

    Out of turn they are tried as if it were the seat's turn now.
    """
    loaded = ledger.load_match(case.change, claim.match)
    seat, entries = claim.seat.seat, _entries(understood)
    shown, ahead = _tried(loaded, seat, understood), loaded.live.turn.seat != seat
    if shown is None:
        reply.send_answer(case, answer("preview-not"), claim)
        return
    wording = Wording(loaded.game, case.player.language)
    repairs = (
        repair.NO_REPAIRS
        if ahead
        else repair.repairs_of_preview(loaded.live, seat, wording.language, understood, shown)
    )
    first = next(iter(repairs.lines.values()), repair.NO_REPAIR)
    wrong = [(each.text, wording.unreadable(each.fault)) for each in understood.lines if each.fault]
    words = {understood.tried, *(each.word for each in understood.commands)}
    said = answer(
        "preview",
        orders=_lines(loaded, case, entries),
        accepted=shown.accepted,
        stopped=shown.stopped,
        unreadable=wrong,
        at=shown.at,
        scene=loaded.game.scene(shown.view),
        refusal=shown.refusal,
        legal=first.orders,
        answers=first.answers,
        corrected=repairs.corrected,
        ahead=ahead,
        unsure="" if PREVIEW.word in words else understood.tried,
    )
    reply.send_answer(case, said, claim)


def _entries(understood: Understood) -> tuple[ListedOrder, ...]:
    """Return the orders to try; without any for this turn those of the first queue."""
    queues = [each for each in understood.given if isinstance(each, Queue)]
    return understood.entries or (queues[0].entries if queues else ())


def _lines(loaded: LoadedMatch, case: Case, entries: Sequence[ListedOrder]) -> list[str]:
    return [write_line(loaded.game, each, case.player.language) for each in entries]


def judged(claim: Claim, understood: Understood, loaded: LoadedMatch) -> Submitted:
    """Return an outcome without any play, with a preview's refusal."""
    if not understood.orders:
        return Submitted(loaded.live, (), 0, None, None)
    shown = match.preview(loaded.live, claim.seat.seat, understood.orders)
    return Submitted(loaded.live, (), 0, shown.refusal, shown.at)


def asks_first(case: Case, claim: Claim, understood: Understood, room: int) -> bool:
    """Ask a player who wants that for a yes to their orders; return whether a question waits.

    Orders that would be refused need none, nor do those that are held or noted already. A program
    reads no questions. ``room`` is how many orders in advance are looked at.
    """
    if not case.player.confirms or case.silent or understood.unreadable:
        return False
    given, ahead = understood.given[:room], not understood.orders
    address = players.address_for(case.connection, case.player.id)
    loaded = ledger.load_match(case.change, claim.match)
    tried = _tried(loaded, claim.seat.seat, understood)
    shown = tried or match.preview(loaded.live, claim.seat.seat, ())
    if address is None or not _needs_yes(case, claim, understood, loaded, given):
        return False
    # What is for later may well be refused on the board as it stands.
    if shown.refusal is not None and not ahead:
        return False
    # What is taken back must not be played while the question waits, nor what is replaced.
    command = _command(loaded.game, claim, understood)
    taken = take_back(case, claim, understood, loaded, room, but=command)
    waits = _waits_alone(case, command)
    dropped = () if ahead else grace.drop_held(case.change, loaded, claim.seat.seat)
    # Like a receipt it passes the limits, or orders would be swallowed; but only once.
    if waits and case.unanswered:
        return True
    kept = confirm.keep_question(
        case.change, case.letter, "orders", address, case.player.id, (command,)
    )
    said = answer(
        "confirm-orders",
        orders=_lines(loaded, case, _entries(understood)) if tried else (),
        accepted=shown.accepted,
        stopped=shown.stopped,
        at=shown.at,
        refusal=shown.refusal,
        lines=_ahead(loaded.game, case.player.language, understood, taken),
        scene=loaded.game.scene(shown.view),
        days=confirm.LIFE.days,
        match=claim.match.name,
        ahead=ahead,
        # A policy alone is for another's turn: no time runs out for it.
        mine=loaded.live.turn.seat == claim.seat.seat and bool(_entries(understood)),
        dropped=bool(dropped),
    )
    _put(case, claim, loaded, said, kept)
    return True


def _tried(loaded: LoadedMatch, seat: Seat, understood: Understood) -> Previewed | None:
    """Return the outcome orders would have now; None if nothing could be tried."""
    orders = [each.order for each in _entries(understood)]
    ahead = loaded.live.turn.seat != seat
    return (match.preview_ahead if ahead else match.preview)(loaded.live, seat, orders)


def _needs_yes(
    case: Case,
    claim: Claim,
    understood: Understood,
    loaded: LoadedMatch,
    given: Sequence[Given],
) -> bool:
    """Return whether a yes to orders would change anything."""
    if understood.orders:
        lines = [write_line(loaded.game, each) for each in understood.entries]
        held = grace.are_held(case.connection, loaded, claim.seat.seat, lines)
        return not held or bool(understood.given)
    kept = [each for each in given if not isinstance(each, Cancel)]
    # What is taken back first makes room.
    seat, fate, cleared = claim.seat.seat, standing_orders.foreseen_fate, len(kept) < len(given)
    return any(cleared or fate(case.change, loaded, seat, each) is None for each in kept)


def asks_back(
    case: Case, claim: Claim, understood: Understood, loaded: LoadedMatch, room: int
) -> bool:
    """Ask back if held orders are said again with others; return whether asked."""
    before = grace.held_orders(case.connection, loaded, claim.seat.seat)
    said = {write_line(loaded.game, each) for each in understood.entries}
    said |= {key_of(loaded.game, each) for each in understood.given}
    if before is None or not set(before.standing.lines) < said:
        return False
    cancels = (each for each in understood.given[:room] if isinstance(each, Cancel))
    if any(each.covers(before.standing) for each in cancels):
        return False
    shown = match.preview(loaded.live, claim.seat.seat, understood.orders)
    if shown.refusal is not None or shown.accepted == len(understood.entries):
        return False
    held = [each.text for each in understood.lines if each.order is not None]
    reply.send_answer(case, answer("held-both", lines=held), claim)
    return True


def _ahead(
    game: AnyGame, language: str, understood: Understood, taken: Sequence[Fate]
) -> list[str]:
    """Return the orders in advance as lines, cancellations with their outcomes."""
    say, outcomes, wording = Catalogue(language).say, iter(taken), Wording(game, language)
    lines = []
    for each in understood.lines:
        if each.given is not None:
            came = next(outcomes, "waiting")
            text = with_language_text(each, game, language).text
            if isinstance(came, TakenBack):
                orders = since.worded_orders(wording, came.orders)
                lines.append(f"{text}: {say('line.cancelled', orders=orders)}")
            else:
                told = isinstance(came, str) and came != "waiting"
                lines.append(f"{text}: {say(f'line.{came}')}" if told else text)
    return lines


def _put(
    case: Case, claim: Claim, loaded: LoadedMatch, said: Answer, question: QuestionRow
) -> None:
    """Put a question in the reply."""
    framing = confirm.question_framing(question, case.player.language)
    names = names_of(case.connection, loaded.seats)
    about = About(claim.match.name, claim.seat.seat, names=names)
    wording = Wording(loaded.game, case.player.language)
    content = mails.answer_content(wording, said, framing, about)
    case.reply.put(ReplyPart(Mail("answer", content), question=question))


def _command(game: AnyGame, claim: Claim, understood: Understood) -> Command:
    """Return orders as the command a question keeps of them.

    Cancellations above other orders in advance are carried out before it is asked.
    """
    lines: list[str] = []
    ahead = False
    # What waits beside the orders of a turn must not wait for them.
    turn = (claim.match.name, claim.code.code)
    arguments = turn if understood.orders else (*turn, AHEAD)
    for each in understood.lines:
        ahead = ahead or not isinstance(each.given, Cancel | None)
        if each.order is not None or (ahead and each.given is not None):
            lines += repair.written(each, game, "en")
    return Command(ORDERS, arguments, "\n".join(lines))


def are_asked_about(case: Case, question: QuestionRow, place: Place) -> bool:
    """Return whether a question is about the orders of a place."""
    if place.claim is None or place.understood.unreadable:
        return False
    game = case.desk.find_game(place.claim.match.game, place.claim.match.edition)
    return confirm.commands_of(question)[0] == _command(game, place.claim, place.understood)


def is_ahead(command: Command) -> bool:
    """Return whether orders kept by a question are all orders in advance."""
    return AHEAD in command.arguments[2:]


def is_added(question: QuestionRow, place: Place) -> bool:
    """Return whether orders beside a yes leave it standing.

    Orders of a turn and orders in advance add to each other, and so do others in advance below the
    yes.
    """
    understood, ahead = place.understood, is_ahead(confirm.commands_of(question)[0])
    if ahead != understood.all_ahead:
        return True
    said = [line for line in understood.lines if line.given or line.fault or line.command]
    return ahead and said[0].command is not None and said[0].command.word == "agree"


def _waits_alone(case: Case, command: Command) -> bool:
    """Let other questions about the same turn lapse; return whether this one waits already."""
    since, waits = case.row.arrived - confirm.LIFE, False
    for each in questions.questions_of(case.connection, case.player.id, "orders", since):
        known = confirm.commands_of(each)[0]
        if known == command:
            waits = waits or confirm.still_waits(each, case.desk.now())
        # Orders in advance add to each other; those of a turn replace each other.
        elif known.arguments == command.arguments and not is_ahead(known):
            questions.settle_question(case.connection, each.id, "dropped")
    return waits


def take_back(
    case: Case,
    claim: Claim,
    understood: Understood,
    loaded: LoadedMatch,
    room: int,
    but: Command | None = None,
) -> tuple[Fate, ...]:
    """Carry out the cancellations before other orders in advance; return each outcome.

    One without numbers takes back orders that wait for a yes as well, ``but`` some.
    """
    given = understood.given[:room]
    taken = list(grace.take_back(case.change, loaded, claim.seat.seat, given))
    for at, (each, fate) in enumerate(zip(given, taken, strict=True)):
        if not isinstance(each, Cancel) or each.numbers or fate == "waiting":
            continue
        if orders := _drop_asked(case, claim, but, policies=not each.orders):
            before = fate.orders if isinstance(fate, TakenBack) else ()
            taken[at] = TakenBack((*before, *orders))
    return tuple(taken)


def _drop_asked(
    case: Case, claim: Claim, but: Command | None, *, policies: bool
) -> tuple[str, ...]:
    """Let a seat's orders lapse that wait for a yes; return them."""
    since, dropped = case.row.arrived - confirm.LIFE, []
    for each in questions.questions_of(case.connection, case.player.id, "orders", since):
        command = confirm.commands_of(each)[0]
        mine = command.arguments[0] == claim.match.name and command != but
        # Read only then: another match may be over, and its game gone.
        if not mine or not confirm.still_waits(each, case.row.arrived):
            continue
        held, game, asked = confirm.orders_of(case, command)
        queues = any(isinstance(one, Queue) for one in asked.given)
        if held.seat.seat == claim.seat.seat and (asked.orders or queues or policies):
            confirm.drop_question(case.change, each)
            dropped += [write_line(game, one) for one in asked.entries]
            dropped += chain.from_iterable(advance_lines(game, one, "en") for one in asked.given)
    return tuple(dropped)


def orders_kept(case: Case, command: Command) -> tuple[Claim | Answer, Understood]:
    """Return orders that waited for a yes, with their present claim."""
    held, _, understood = confirm.orders_of(case, command)
    return refreshed_claim(case.connection, case.player, held), understood


def awaited(case: Case, row: MatchRow) -> list[str]:
    """Return the lines of the latest question that waits for a yes.

    Questions about the orders of other matches are left out.
    """
    kinds: Sequence[QuestionKind] = ("orders", "command")
    since = case.desk.now() - confirm.LIFE
    asked = [
        each
        for kind in kinds
        for each in questions.questions_of(case.connection, case.player.id, kind, since)
        if confirm.still_waits(each, case.row.arrived)
    ]
    for each in sorted(asked, key=lambda each: -each.id):
        if each.kind == "command" or confirm.commands_of(each)[0].arguments[0] == row.name:
            return confirm.asked_lines(case, each)
    return []
