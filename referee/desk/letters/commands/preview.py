"""The command ``preview``: orders tried without playing them."""

from __future__ import annotations

from referee.desk.letters import reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim
from referee.desk.letters.receipt import judged_lines
from referee.desk.letters.words import repair
from referee.desk.letters.words.lines import Understood, ordering_line
from referee.desk.matches import ledger
from referee.desk.matches.standing_orders import Queue
from referee.matches import match
from referee.render.answers import answer
from referee.render.words.wording import Wording


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
