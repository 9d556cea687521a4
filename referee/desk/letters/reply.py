"""The answers of a reply other than receipts: help, lists, boards, refusals."""

from __future__ import annotations

from typing import Final, Literal

from referee.desk.letters.case import Case, ReplyPart, seat_binding
from referee.desk.letters.claims import Claim, Place
from referee.desk.mails import post
from referee.desk.mails.post import Binding, Mail
from referee.desk.matches import held, ledger
from referee.desk.players import names_of, told_state
from referee.games.game import AnyGame
from referee.render.answers import About, Answer, answer, answer_content
from referee.render.common import TurnFacts, turn_sentence
from referee.render.words.moments import moment_text
from referee.render.words.wording import Catalogue, Wording
from referee.store.play import matches
from referee.store.states import PLAYABLE
from referee.store.tables.play import MatchRow

_WHOSE_TURN: Final = frozenset(
    {
        *("match-paused", "no-orders", "not-your-turn", "old-code", "other-history"),
        *("preview", "preview-not", "show", "taken-back"),
    }
)
"""Answers that say whose turn it is, and until when, or that the seat's orders are held."""


def send_answer(
    case: Case, said: Answer, claim: Claim | None = None, *, game: AnyGame | None = None
) -> None:
    """Answer the sender; with a claim the answer bears its seat's code.

    ``game`` words an answer without a seat. Above the daily or hourly limit nothing is sent.
    """
    if case.unanswered:
        return
    language = case.player.language
    if game is None and claim is not None:
        game = case.game_of(claim.match)
    wording = Wording(game, language) if game else Catalogue(language)
    if claim is None or not isinstance(wording, Wording):
        content = answer_content(wording, said, post.BARE_FRAMING)
        case.reply.put(ReplyPart(Mail("answer", content), lines=case.reply.lines))
        return
    binding = seat_binding(case, claim.match.id, claim.seat.seat)
    row, seat = binding.match, binding.seat.seat
    framing = post.seat_framing(wording, binding)
    # Orders only while a match runs.
    asks: Literal["orders", "queue", "message", "answer"] = "message"
    if row.state == "running":
        asks = "orders" if row.to_act == seat else "queue"
    elif row.state == "invited":
        asks = "answer"
    about = About(
        row.name,
        seat,
        asks,
        turn=_turn(case, binding, wording) if said.key in _WHOSE_TURN else None,
        options=row.options,
        names=names_of(case.connection, matches.seats(case.connection, row.id)),
    )
    content = answer_content(wording, said, framing, about)
    mail = Mail("answer", content)
    case.reply.put(ReplyPart(mail, about=(row.id, seat), lines=case.reply.lines))


def send_problem(case: Case, place: Place) -> None:
    """Answer why a place of a letter speaks for no seat.

    If it names the sender's own, its board is shown.
    """
    named = place.named
    if named is None:
        send_answer(case, place.problem or answer("no-code"))
        return
    begun = named.match.header is not None
    live = ledger.load_match(case.change, named.match).live if begun else None
    scene = live.scene(named.seat.seat) if live else None
    send_answer(case, answer("other-history", begun=begun, scene=scene), named)


def send_not_begun(case: Case, claim: Claim | None) -> None:
    """Answer that a match has not begun, and whose yes is awaited."""
    left = [] if claim is None else players_awaited(case, claim.match)
    send_answer(case, answer("match-not-begun", waiting=left), claim)


def answer_unplayable(case: Case, claim: Claim) -> bool:
    """Answer that a match has not begun or is over; return whether it is so."""
    if claim.match.state == "invited":
        send_not_begun(case, claim)
    elif claim.match.state not in PLAYABLE:
        send_answer(case, answer("match-over", state=told_state(claim.match)), claim)
    else:
        return False
    return True


def players_awaited(case: Case, row: MatchRow) -> list[str]:
    """Return the names of the players whose yes the beginning of a match waits for."""
    seats = matches.seats(case.connection, row.id)
    names = names_of(case.connection, seats)
    return [names[seat.seat] for seat in seats if seat.holder == "player" and seat.agreed != "yes"]


def _turn(case: Case, binding: Binding, wording: Wording) -> str | None:
    """Return a sentence about the seat to act and its deadline.

    In its place orders of the reader that are held are told of. None if the match waits for nobody.
    """
    row, seat, mine = binding.match, binding.match.to_act, binding.seat.seat
    if row.state not in PLAYABLE or seat is None:
        return None
    loaded = ledger.load_match(case.change, row)
    kept = held.held_orders(case.connection, loaded, mine)
    if kept is not None:
        until = None if row.state == "paused" else kept.standing.until
        when = moment_text(until, case.player.zone, wording.catalogue) if until else None
        return wording.catalogue.say("standing.still", until=when, asked=kept.standing.is_asked)
    if row.state != "running":
        return None
    turn = TurnFacts(
        match=row.name,
        seat=mine,
        turn=row.turn,
        to_act=seat,
        due=row.due,
        zone=case.player.zone,
        names=names_of(case.connection, matches.seats(case.connection, row.id)),
        now=case.desk.now(),
    )
    return turn_sentence(turn, loaded.live.scene(mine), wording)
