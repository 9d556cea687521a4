"""The command ``preview``: orders tried without playing them."""

from __future__ import annotations

from referee.desk.letters import reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.words import repair
from referee.desk.letters.words.lines import Understood
from referee.desk.matches import ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.standing_orders import Queue
from referee.matches import match
from referee.matches.match import Submitted
from referee.matches.standing_orders import write_line
from referee.render.answers import answer
from referee.render.words.wording import Wording


def send_preview(case: Case, claim: Claim, understood: Understood) -> None:
    """Answer with the outcome orders would have, without playing them.

    Out of turn they are tried as if it were the seat's turn now.
    """
    loaded = ledger.load_match(case.change, claim.match)
    queues = [given for given in understood.given if isinstance(given, Queue)]
    # Without any orders for this turn those of the first queue are tried.
    entries = understood.entries or (queues[0].entries if queues else ())
    seat, ahead = claim.seat.seat, loaded.live.turn.seat != claim.seat.seat
    preview = match.preview_ahead if ahead else match.preview
    shown = preview(loaded.live, seat, [entry.order for entry in entries])
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
    wrong = [(line.text, wording.unreadable(line.fault)) for line in understood.lines if line.fault]
    said = answer(
        "preview",
        orders=[write_line(loaded.game, entry, wording.language) for entry in entries],
        accepted=shown.accepted,
        stopped=shown.stopped,
        news=shown.news,
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


def judged(claim: Claim, understood: Understood, loaded: LoadedMatch) -> Submitted:
    """Return an outcome without any play, with a preview's refusal."""
    if not understood.orders:
        return Submitted(loaded.live, (), 0, None, None)
    shown = match.preview(loaded.live, claim.seat.seat, understood.orders)
    return Submitted(loaded.live, (), 0, shown.refusal, shown.at)
