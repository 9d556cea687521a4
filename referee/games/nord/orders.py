"""The orders of Nord, as values and as text in two languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from referee.games.game import Order, Seat, Unreadable
from referee.games.grid import parse_space
from referee.games.notation import A_SPACE, LONGEST_WORD, Form, Notation, form, one_of, read_space

SYMBOLS: Final = ("gold", "hammer", "goblet", "axe", "helmet", "sword")
"""The six symbols of treasure tiles. Two and two share an action, see :data:`ACTIONS`."""

ACTIONS: Final = ("negotiator", "two-regions", "many-workers")
"""The actions of tiles. Symbols 0 and 1 have the first, 2 and 3 the second, 4 and 5 the third."""

COLOURS: Final[tuple[Seat, ...]] = ("red", "green", "blue", "yellow")

_SEAT: Final = one_of("no-seat", {"en": COLOURS, "de": ("rot", "grün", "blau", "gelb")})
_TILE: Final = one_of(
    "no-tile", {"en": SYMBOLS, "de": ("gold", "hammer", "kelch", "axt", "helm", "schwert")}
)
_END: Final = one_of("no-end", {"en": ("start", "goal"), "de": ("start", "ziel")})


def action_of(tile: str) -> str:
    """Return the action of a tile by its symbol."""
    return ACTIONS[SYMBOLS.index(tile) // 2]


class Start(Order):
    """Choose a settlement to start from."""

    word: ClassVar[str] = "start"
    space: str


class Play(Order):
    """Play a treasure tile. The negotiator's comes with the settlements it leaves and reaches."""

    word: ClassVar[str] = "play"
    tile: str
    start: str | None = None
    goal: str | None = None


class Place(Order):
    """Place workers; the spaces stand in board order."""

    word: ClassVar[str] = "place"
    spaces: tuple[str, ...]


class Attack(Order):
    """Attack one settlement from another, over a chain if several are possible.

    ``fifth`` is the place where the fifth attacker becomes a warrior: ``start``, ``goal``, or None.
    """

    word: ClassVar[str] = "attack"
    start: str
    goal: str
    via: tuple[str, ...] = ()
    fifth: str | None = None


class Challenge(Order):
    """Challenge the foreign jarl of a settlement."""

    word: ClassVar[str] = "challenge"
    space: str


class Score(Order):
    """Have the next scoring because nothing else is possible."""

    word: ClassVar[str] = "score"


class Deal(Order):
    """Chance deals a treasure tile to a seat."""

    word: ClassVar[str] = "deal"
    seat: str
    tile: str


class Lay(Order):
    """Chance lays a treasure tile face down on a stone pile."""

    word: ClassVar[str] = "lay"
    space: str
    tile: str


def _read_play(words: Sequence[str]) -> Play:
    tiles = [_TILE.read(word) for word in words[:1]]
    spaces = [read_space(word) for word in words[1:]]
    if len(words) not in {1, 3}:
        raise Unreadable("wrong-count", order="play")
    return Play(tiles[0], *spaces)


def _read_place(words: Sequence[str]) -> Place:
    spaces = [read_space(word) for word in words]
    if not spaces:
        raise Unreadable("wrong-count", order="place")
    # One form for each placement, so that a letter sent twice is recognised as a repeat.
    return Place(tuple(sorted(spaces, key=parse_space)))


def _read_attack(words: Sequence[str]) -> Attack:
    ends = [read_space(word) for word in words[:2]]
    rest = list(words[2:])
    fifth = None
    # Taken off from behind, since a chain before it may have any length.
    if len(rest) >= 2 and rest[-2] in {"fifth", "fünfter", "fuenfter"}:
        fifth = _END.read(rest[-1])
        del rest[-2:]
    if rest and rest[0] not in {"via", "over", "über", "ueber"}:
        raise Unreadable("no-via", chatter=True, text=rest[0][:LONGEST_WORD])
    via = tuple(read_space(word) for word in rest[1:])
    if len(ends) != 2:
        raise Unreadable("wrong-count", order="attack")
    if rest and not via:
        raise Unreadable("empty-via")
    return Attack(ends[0], ends[1], via, fifth)


def _write_play(order: Any, language: str) -> str:
    move = (order.start, order.goal)
    return " ".join([_TILE.write(order.tile, language), *(space for space in move if space)])


def _write_place(order: Any, _language: str) -> str:
    return " ".join(order.spaces)


def _write_attack(order: Any, language: str) -> str:
    german = language == "de"
    words = [order.start, order.goal]
    if order.via:
        words += ["über" if german else "via", *order.via]
    if order.fifth:
        words += ["fünfter" if german else "fifth", _END.write(order.fifth, language)]
    return " ".join(words)


NOTATION: Final = Notation(
    [
        form(Start, {"en": "start", "de": "beginne"}, A_SPACE),
        Form(Play, {"en": "play", "de": "spiele"}, _read_play, _write_play),
        Form(Place, {"en": "place", "de": "setze"}, _read_place, _write_place),
        Form(Attack, {"en": "attack", "de": "angriff"}, _read_attack, _write_attack),
        form(Challenge, {"en": "challenge", "de": "bezwinge"}, A_SPACE),
        form(Score, {"en": "score", "de": "wertung"}),
        form(Deal, {"en": "deal", "de": "teile"}, _SEAT, _TILE),
        form(Lay, {"en": "lay", "de": "lege"}, A_SPACE, _TILE),
    ],
    beside={"worker", "workers", "arbeiter", "tile", "plättchen"},
)
