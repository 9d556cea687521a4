"""A match of Origo at the desk of a club, begun in a position written by hand."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

from support.cases import Doc
from support.club import ALICE, BOB, CAROL, Club
from support.origo_cases import GAME, document, load, owned

from referee.desk.matches import ledger
from referee.desk.plans.board import Fix
from referee.desk.plans.plan import apply_act
from referee.games.origo.position import Position
from referee.matches.log import Match

"""The players of the seats of a position, one after the other."""


def round_ends(path: dict[str, int], hands: dict[str, list[str]]) -> Doc:
    """Return a position in which black's turn ends a round; whoever is last names then."""
    shields = owned(red="A1 A2 B1", blue="D7 D8 D9", black="I5")
    rounds = {"round": 3, "scorings_ordered": 1, "to_act": "black"}
    return document(shields=shields, path=path, hands=hands, **rounds)


def begin_at(club: Club, given: Doc, **agreed: Any) -> None:
    """Begin origo-1, of three seats, a day per turn, and set it to a position."""
    seats = [f"{seat}={who}" for seat, who in zip(given["seats"], (ALICE, BOB, CAROL), strict=True)]
    club.new_match("origo", *seats, **{"per_turn": timedelta(days=1), "reminders": (), **agreed})
    club.work()
    apply_act(club.desk, Fix("origo-1", GAME.dump(load(given | {"draw": _pile(given)}))), "test")
    club.work()


def _pile(given: Doc) -> dict[str, int]:
    """Return the draw pile without the cards that are held."""
    held = Counter(card for cards in given["hands"].values() for card in cards)
    board = load(given).board
    pile = Counter(dict(zip(board.cards, board.counts, strict=True)))
    return dict(pile - held)


def stands(club: Club) -> Match[Position]:
    """Return origo-1 as it stands."""
    with club.desk.reading() as change:
        return ledger.load_match(change, club.match("origo-1")).live
