"""Orders of Haggle, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from referee.games.game import Order, Seat, Unreadable
from referee.games.notation import LONGEST_WORD, Form, Notation

COLOURS: Final[tuple[Seat, ...]] = ("red", "green", "blue", "yellow")
GERMAN: Final = {"red": "rot", "green": "grün", "blue": "blau", "yellow": "gelb"}

_SEATS: Final = {word: seat for seat in COLOURS for word in (seat, GERMAN[seat])}
_NUMBER: Final = re.compile(r"[1-9][0-9]?", re.ASCII)


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


def _read_play(words: Sequence[str]) -> Order:
    if not words or not _NUMBER.fullmatch(words[0]):
        word = words[0][:LONGEST_WORD] if words else ""
        raise Unreadable("no-number", chatter=True, word=word)
    if len(words) > 1:
        raise Unreadable("one-card", chatter=not _NUMBER.fullmatch(words[1]))
    return Play(int(words[0]))


def _read_deal(words: Sequence[str]) -> Order:
    if len(words) != 2 or words[0] not in _SEATS or not _NUMBER.fullmatch(words[1]):
        raise Unreadable("no-deal", chatter=True)
    return Deal(_SEATS[words[0]], int(words[1]))


def _write_play(order: Any, _language: str) -> str:
    return str(order.card)


def _write_deal(order: Any, language: str) -> str:
    return f"{GERMAN[order.seat] if language == 'de' else order.seat} {order.card}"


NOTATION: Final = Notation(
    [
        Form(Play, {"en": "play", "de": "spiele"}, _read_play, _write_play),
        Form(Deal, {"en": "deal", "de": "gib"}, _read_deal, _write_deal),
    ]
)
