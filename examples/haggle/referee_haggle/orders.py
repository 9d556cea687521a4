"""Orders of Haggle, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar, Final

from referee.games.game import Order, Seat, Unreadable
from referee.games.notation import LONGEST_WORD, Notation, Noun, form, one_of

COLOURS: Final[tuple[Seat, ...]] = ("red", "green", "blue", "yellow")


class Play(Order):
    """Play a card."""

    word: ClassVar[str] = "play"
    card: int


class Deal(Order):
    """Chance: deal a seat a card."""

    word: ClassVar[str] = "deal"
    seat: Seat
    card: int


KINDS: Final[Mapping[str, type[Order]]] = {each.word: each for each in (Play, Deal)}


def _read_card(word: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]?", word, re.ASCII):
        raise Unreadable("no-number", chatter=True, word=word[:LONGEST_WORD])
    return int(word)


SEAT: Final = one_of("no-seat", {"en": COLOURS, "de": ("rot", "grün", "blau", "gelb")})
CARD: Final = Noun(_read_card, lambda card, _: str(card))

NOTATION: Final = Notation(
    [
        form(Play, {"en": "play", "de": "spiele"}, CARD),
        form(Deal, {"en": "deal", "de": "gib"}, SEAT, CARD),
    ]
)
