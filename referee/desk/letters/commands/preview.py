"""The command ``preview``: orders tried without playing them."""

from __future__ import annotations

from collections.abc import Sequence

from referee.desk.letters import reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words import repair
from referee.desk.letters.words.lines import Understood
from referee.desk.matches import ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.standing_orders import Queue
from referee.games.game import Seat
from referee.matches import match
from referee.matches.match import Previewed, Submitted
from referee.matches.standing_orders import ListedOrder, write_line
from referee.render.answers import answer
from referee.render.words.wording import Wording


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


def _tried(loaded: LoadedMatch, seat: Seat, understood: Understood) -> Previewed | None:
    """Return the outcome orders would have now; None if nothing could be tried."""
    orders = [each.order for each in _entries(understood)]
    ahead = loaded.live.turn.seat != seat
    return (match.preview_ahead if ahead else match.preview)(loaded.live, seat, orders)
