"""A submission of orders for one seat: played as far as it stands, and its receipt."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from referee.desk import answers, ledger
from referee.desk.case import Case
from referee.desk.claims import Claim
from referee.desk.ledger import Sitting
from referee.desk.posting import names_of, post
from referee.desk.receipts import Told, receipt
from referee.desk.reports import turn_extras
from referee.desk.understanding import Understood
from referee.games.game import Json
from referee.games.play import canonical_json
from referee.matches import match
from referee.matches.match import Submitted
from referee.render.wording import Wording
from referee.store import letters, outbox
from referee.store import matches as tables


def submit(case: Case, claim: Claim, understood: Understood) -> None:
    """Play the orders of one place of a letter, or answer why not."""
    row = claim.match
    if understood.faults:
        faults: list[Json] = [
            {"path": each.path, "message": each.message} for each in understood.faults
        ]
        answers.send(case, "schema", {"faults": faults}, claim)
        _keep(case, claim, understood, "unclear")
    elif row.state == "invited":
        answers.send(case, "match-not-begun", {}, claim)
        _keep(case, claim, understood, "refused")
    elif not _repeated(case, claim, understood):
        _submit_in_time(case, claim, understood)


def _repeated(case: Case, claim: Claim, understood: Understood) -> bool:
    """Send the first receipt again when the same code came with the same orders before."""
    before = letters.repeat_of(case.connection, _digest(case, claim, understood))
    if before is None or before.receipt is None or before.outcome == "refused":
        return False
    outbox.send_again(case.connection, before.receipt, case.desk.now())
    _keep(case, claim, understood, "repeat", receipt_id=before.receipt)
    return True


def _submit_in_time(case: Case, claim: Claim, understood: Understood) -> None:
    row = claim.match
    if row.state != "running":
        answers.send(case, "match-over", {"state": row.state}, claim)
        _keep(case, claim, understood, "refused")
    elif claim.code.turn != row.turn or claim.code.seq != row.turn_began_seq:
        fields = {"turn": claim.code.turn, "now": row.turn}
        answers.send(case, "old-code", fields, claim)
        _keep(case, claim, understood, "refused")
    elif row.to_act != claim.seat.seat:
        _not_your_turn(case, claim)
        _keep(case, claim, understood, "refused")
    elif any(command.word == "preview" for command in understood.commands):
        _preview(case, claim, understood)
    else:
        _play(case, claim, understood)


def _play(case: Case, claim: Claim, understood: Understood) -> None:
    sitting = ledger.load(case.desk, case.connection, claim.match)
    if understood.unreadable:
        done = Submitted(sitting.live, (), 0, None, None)
    else:
        arrival = ledger.stamp(case.row.arrived)
        done = match.submit(sitting.live, claim.seat.seat, understood.orders, arrival)
    after = sitting
    if done.logged:
        after = ledger.save(case.desk, case.connection, sitting, done.match, done.logged)
    sent = _send_receipt(case, claim, after, understood, done)
    if done.logged:
        seat = claim.seat
        told = seat.reported_turn
        tables.set_reported(case.connection, claim.match.id, seat.seat, done.match.seq, told)
    _keep(case, claim, understood, _outcome(understood, done), done=done, receipt_id=sent)


def _send_receipt(
    case: Case, claim: Claim, after: Sitting, understood: Understood, done: Submitted
) -> int | None:
    binding = answers.binding_of(case, claim)
    told = Told(
        lines=understood.lines,
        done=done,
        names=names_of(case.connection, after.seats),
        zone=case.player.zone,
        language=case.player.language,
        now=case.desk.now(),
    )
    content = receipt(after, binding, told)
    return post(
        case.desk,
        case.connection,
        case.player,
        "receipt",
        content,
        binding=binding,
        answers=case.letter,
        extras=turn_extras(after, claim.seat.seat, binding.code),
    )


def _preview(case: Case, claim: Claim, understood: Understood) -> None:
    sitting = ledger.load(case.desk, case.connection, claim.match)
    seat = claim.seat.seat
    shown = match.preview(sitting.live, seat, understood.orders)
    wrong = next((line for line in understood.lines if line.fault is not None), None)
    wording = Wording(sitting.game, case.player.language)
    fields: dict[str, Any] = {
        "orders": [wording.order(order) for order in understood.orders],
        "accepted": shown.accepted,
        "stopped": shown.stopped,
        "unreadable": None if wrong is None else wrong.text,
    }
    answers.send(
        case,
        "preview",
        fields,
        claim,
        scene=sitting.game.scene(shown.view),
        refusal=shown.refusal,
    )
    _keep(case, claim, understood, "command")


def _not_your_turn(case: Case, claim: Claim) -> None:
    answers.send(case, "not-your-turn", {"to_act": claim.match.to_act}, claim)


def _outcome(understood: Understood, done: Submitted) -> str:
    if done.accepted == len(understood.orders) and not understood.unreadable:
        return "accepted"
    if done.accepted:
        return "partly"
    return "unclear" if understood.unreadable else "refused"


def _lines(case: Case, claim: Claim, understood: Understood) -> Sequence[str]:
    game = case.desk.find_game(claim.match.game, claim.match.edition)
    return ledger.text_of(game, understood.orders)


def _digest(case: Case, claim: Claim, understood: Understood) -> str:
    text = canonical_json(
        {
            "match": claim.match.name,
            "seat": claim.seat.seat,
            "code": claim.code.code,
            "orders": list(_lines(case, claim, understood)),
        }
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _keep(
    case: Case,
    claim: Claim,
    understood: Understood,
    outcome: str,
    *,
    done: Submitted | None = None,
    receipt_id: int | None = None,
) -> None:
    """Keep what the letter asked of this seat, and what became of it."""
    logged = done.logged if done else ()
    letters.add_submission(
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
