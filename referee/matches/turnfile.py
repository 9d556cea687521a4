"""Turn files: reports for programs, with view and legal orders as JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from referee.games.game import CHANCE, Document, Json, Seat
from referee.matches.log import LOG_LANGUAGE, AnyMatch
from referee.matches.terms import FORMAT
from referee.matches.time.moments import format_moment

MOST_LEGAL: Final = 500
"""Legal orders a turn file lists; ``legal_count`` says how many there are."""


def turn_file(match: AnyMatch, seat: Seat, *, code: str, due: datetime | None) -> Document:
    """Return the turn file of a seat.

    Legal orders are given only when it is to act. ``code`` is the seat's reply code, ``due`` the
    end of its turn.
    """
    game, terms, actor = match.game, match.terms, match.to_act
    # Only for the seat itself: the legal orders of another could tell its hand.
    orders = game.orders(match.position) if actor == seat else ()
    legal: list[Json] = [game.format(order, LOG_LANGUAGE) for order in orders[:MOST_LEGAL]]
    return {
        "kind": "turn",
        "referee": FORMAT,
        "match": terms.match,
        "game": terms.game,
        "edition": terms.edition,
        "turn": match.turn.number,
        "seat": seat,
        "to_act": None if actor == CHANCE else actor,
        "code": code,
        "head": match.head,
        "due": None if due is None else format_moment(due),
        "view": match.view(seat).document,
        "legal": legal,
        "legal_count": len(orders),
    }
