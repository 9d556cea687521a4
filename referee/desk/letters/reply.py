"""The answers of a reply other than receipts: help, lists, boards, refusals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from referee.desk.letters.case import Case, ReplyPart, seat_binding
from referee.desk.letters.claims import Claim, Place
from referee.desk.letters.words.phrases import orders_named
from referee.desk.mails import post
from referee.desk.mails.post import Binding, Mail
from referee.desk.matches import held, ledger
from referee.desk.players import names_of, told_state
from referee.games.game import AnyGame, Order
from referee.matches.log import LOG_LANGUAGE
from referee.render.answer_mail import About, answer_content
from referee.render.answers import Answer, answer
from referee.render.common import deadline_fields, spread_orders, whose_turn
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

MOST_NAMED: Final = 5
"""Lines of talk that one answer shows."""

MOST_PROPOSED: Final = 3
"""Legal orders proposed to the player whose turn it is."""

_NUMBER: Final = re.compile(r"[a-z]?\d+")
"""A space or number of an order, and of talk about it."""


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
        case.reply.parts.append(ReplyPart(Mail("answer", content), lines=case.reply.lines))
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
    case.reply.parts.append(ReplyPart(mail, about=(row.id, seat), lines=case.reply.lines))


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


def not_begun(case: Case, claim: Claim | None) -> Answer:
    """Return the answer that a match has not begun, and whose yes is awaited."""
    return answer("match-not-begun", waiting=players_awaited(case, claim.match) if claim else [])


def unplayable(case: Case, claim: Claim) -> Answer | None:
    """Return the answer that a match has not begun or is over; None if it can be played."""
    if claim.match.state == "invited":
        return not_begun(case, claim)
    over = claim.match.state not in PLAYABLE
    return answer("match-over", state=told_state(claim.match)) if over else None


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
    fields = deadline_fields(row.due, case.player.zone, case.desk.now(), wording)
    names = names_of(case.connection, matches.seats(case.connection, row.id))
    return whose_turn(wording, mine, seat, names, fields, scene=loaded.live.scene(mine))


def legal_orders(case: Case, claim: Claim, talk: Sequence[str] = ()) -> Sequence[Order]:
    """Return some orders that a seat may give now; none if another is to act.

    Those come first that stand in ``talk``, then those that have most of its spaces and numbers.
    """
    if not is_to_act(claim):
        return ()
    loaded = ledger.load_match(case.change, claim.match)
    game, position = loaded.game, loaded.live.position
    legal = tuple(game.orders(position))
    named = {
        game.canonical(position, order)
        for text in talk[:MOST_NAMED]
        for order in orders_named(text, case.tongue_of(claim.match))
    }
    numbers = {number for text in talk for number in _NUMBER.findall(text.casefold())}

    def likeness(order: Order) -> tuple[bool, int]:
        written = _NUMBER.findall(game.format(order, LOG_LANGUAGE).casefold())
        return order in named, len(numbers.intersection(written))

    alike = {order: likeness(order) for order in (legal if named or numbers else ())}
    near = [order for order, like in alike.items() if any(like)]
    ranked = sorted(near, key=alike.__getitem__, reverse=True)
    return list(dict.fromkeys((*ranked, *spread_orders(legal, MOST_PROPOSED))))[:MOST_PROPOSED]


def is_to_act(claim: Claim) -> bool:
    """Return whether a match waits for the orders of a claim's seat."""
    return claim.match.state == "running" and claim.match.to_act == claim.seat.seat
