"""The answers ``yes`` and ``no`` to orders that are held, and a yes to what the other side said."""

from __future__ import annotations

from referee.desk.letters import orders, reply
from referee.desk.letters.case import Case
from referee.desk.letters.claims import Claim, Place, answered_mail
from referee.desk.letters.confirm import held_under
from referee.desk.letters.understand import understand
from referee.desk.letters.words.lines import ReadLine, Understood
from referee.desk.letters.words.places import Said
from referee.desk.matches import held, ledger
from referee.desk.matches.standing_orders import Cancel
from referee.desk.plans.pause import pause_of
from referee.games.play import consent
from referee.mail.incoming.lines import WrittenLine
from referee.matches.log import LOG_LANGUAGE


def play_at_once(case: Case, claim: Claim) -> bool:
    """Play the held orders of a seat, or let them act; return whether there were any.

    It is as if its orders were sent once more, alone.
    """
    kept_orders = held_under(case, claim)
    if not kept_orders:
        return False
    if claim.match.state == "paused":
        reply.send_answer(case, pause_of(case.connection, claim.match, case.player), claim)
        return True
    game = case.game_of(claim.match)
    lines: list[str] = []
    for kept in kept_orders:
        queued = kept.standing.kind == "queue"
        lines += ("queue", *kept.standing.lines, "end") if queued else kept.standing.lines
    understood = understand(Said("box", lines=tuple(map(WrittenLine, lines))), game, LOG_LANGUAGE)
    confirmed = next(kept.hold for kept in kept_orders if kept.hold is not None)
    orders.submit_orders(case, claim, understood, confirmed=confirmed)
    return True


def take_back_held(case: Case, claim: Claim) -> bool:
    """Take back the held orders of a seat; return whether there were any."""
    numbers = tuple(kept.standing.number for kept in held_under(case, claim))
    if numbers:
        said = Understood(Said("box"), (ReadLine(case.reply.first_line, given=Cancel(numbers)),))
        orders.submit_orders(case, claim, said)
    return bool(numbers)


def heed_doubt(case: Case, place: Place) -> None:
    """Have the held orders of a seat wait for a yes if a place of a letter contradicts.

    Orders in it are held themselves, and take the place of the others.
    """
    said = place.understood
    if place.claim is not None and said.company.way == "contradicted" and not said.orders:
        held.ask_about(case.change, held_under(case, place.claim))


def consent_of(case: Case, claim: Claim) -> Understood | None:
    """Return the order by which a yes agrees to what the other side has said, where there is one.

    As in go, where both agree on dead stones. It answers a report or receipt of that seat: a yes
    to a message or to an old question is none.
    """
    mail = answered_mail(case.connection, case.letter)
    about = mail is None or (
        mail.kind in {"report", "receipt", "answer"}
        and (mail.match_id, mail.seat) == (claim.match.id, claim.seat.seat)
    )
    if not about or claim.match.state != "running" or claim.match.to_act != claim.seat.seat:
        return None
    loaded = ledger.load_match(case.change, claim.match)
    order = consent(loaded.game, loaded.live.position)
    if order is None:
        return None
    return Understood(Said("text"), (ReadLine(case.reply.first_line, order=order),))
