"""The orders of Nord, as values and as text in two languages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from referee.games.game import Order, Seat, Unreadable
from referee.games.grid import parse_space
from referee.games.notation import LONGEST_WORD, Form, Notation, read_space

SYMBOLS: Final = ("gold", "hammer", "goblet", "axe", "helmet", "sword")
"""The six symbols of treasure tiles. Two and two share an action, see :data:`ACTIONS`."""

ACTIONS: Final = ("negotiator", "two-regions", "many-workers")
"""The actions of tiles. Symbols 0 and 1 have the first, 2 and 3 the second, 4 and 5 the third."""

COLOURS: Final[tuple[Seat, ...]] = ("red", "green", "blue", "yellow")

_GERMAN_SYMBOLS: Final = {
    "gold": "gold",
    "hammer": "hammer",
    "goblet": "kelch",
    "axe": "axt",
    "helmet": "helm",
    "sword": "schwert",
}
_GERMAN_COLOURS: Final = {"red": "rot", "green": "grün", "blue": "blau", "yellow": "gelb"}
_GERMAN_ENDS: Final = {"start": "start", "goal": "ziel"}


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


ORDER_TYPES: Final[dict[str, type[Order]]] = {
    kind.word: kind for kind in (Start, Play, Place, Attack, Challenge, Score, Deal, Lay)
}


def board_order(space: str) -> tuple[int, int]:
    """Return a sort key for spaces: row and column. Raises ValueError."""
    return parse_space(space)


def _known(table: dict[str, str], code: str) -> Callable[[str], str]:
    words = {name: name for name in table} | {german: name for name, german in table.items()}
    # Keyboards without umlauts write ue for ü.
    plain = str.maketrans({"ü": "ue", "ö": "oe", "ä": "ae"})
    words |= {word.translate(plain): name for word, name in words.items()}

    def read(word: str) -> str:
        if word not in words:
            raise Unreadable(code, chatter=True, text=word[:LONGEST_WORD])
        return words[word]

    return read


_symbol = _known(_GERMAN_SYMBOLS, "no-tile")
_colour = _known(_GERMAN_COLOURS, "no-seat")
_end = _known(_GERMAN_ENDS, "no-end")


def _count(words: Sequence[object], order: str, *allowed: int) -> None:
    """Refuse words that look right but are too few or too many."""
    if len(words) not in allowed:
        raise Unreadable("wrong-count", order=order)


def _read_one(kind: type[Start | Challenge]) -> Callable[[Sequence[str]], Order]:
    def read(words: Sequence[str]) -> Order:
        spaces = [read_space(word) for word in words]
        _count(spaces, kind.word, 1)
        return kind(spaces[0])

    return read


def _read_play(words: Sequence[str]) -> Play:
    tiles = [_symbol(word) for word in words[:1]]
    spaces = [read_space(word) for word in words[1:]]
    _count(words, "play", 1, 3)
    return Play(tiles[0], *spaces)


def _read_place(words: Sequence[str]) -> Place:
    spaces = [read_space(word) for word in words]
    if not spaces:
        raise Unreadable("wrong-count", order="place")
    # One form for each placement, so that a letter sent twice is recognised as a repeat.
    return Place(tuple(sorted(spaces, key=board_order)))


def _read_attack(words: Sequence[str]) -> Attack:
    ends = [read_space(word) for word in words[:2]]
    rest = list(words[2:])
    fifth = None
    # Taken off from behind, since a chain before it may have any length.
    if len(rest) >= 2 and rest[-2] in {"fifth", "fünfter", "fuenfter"}:
        fifth = _end(rest[-1])
        del rest[-2:]
    if rest and rest[0] not in {"via", "over", "über", "ueber"}:
        raise Unreadable("no-via", chatter=True, text=rest[0][:LONGEST_WORD])
    via = tuple(read_space(word) for word in rest[1:])
    _count(ends, "attack", 2)
    if rest and not via:
        raise Unreadable("empty-via")
    return Attack(ends[0], ends[1], via, fifth)


def _read_score(words: Sequence[str]) -> Score:
    if words:
        raise Unreadable("wrong-count", chatter=True, order="score")
    return Score()


def _read_deal(words: Sequence[str]) -> Deal:
    seats = [_colour(word) for word in words[:1]]
    tiles = [_symbol(word) for word in words[1:]]
    _count(words, "deal", 2)
    return Deal(seats[0], tiles[0])


def _read_lay(words: Sequence[str]) -> Lay:
    spaces = [read_space(word) for word in words[:1]]
    tiles = [_symbol(word) for word in words[1:]]
    _count(words, "lay", 2)
    return Lay(spaces[0], tiles[0])


def _tile_in(tile: str, language: str) -> str:
    return _GERMAN_SYMBOLS.get(tile, tile) if language == "de" else tile


def _write_play(order: Any, language: str) -> str:
    move = (order.start, order.goal)
    return " ".join([_tile_in(order.tile, language), *(space for space in move if space)])


def _write_place(order: Any, _language: str) -> str:
    return " ".join(order.spaces)


def _write_attack(order: Any, language: str) -> str:
    german = language == "de"
    words = [order.start, order.goal]
    if order.via:
        words += ["über" if german else "via", *order.via]
    if order.fifth:
        end = _GERMAN_ENDS.get(order.fifth, order.fifth) if german else order.fifth
        words += ["fünfter" if german else "fifth", end]
    return " ".join(words)


def _write_space(order: Any, _language: str) -> str:
    return str(order.space)


def _write_nothing(_order: Any, _language: str) -> str:
    return ""


def _write_deal(order: Any, language: str) -> str:
    seat = _GERMAN_COLOURS.get(order.seat, order.seat) if language == "de" else order.seat
    return f"{seat} {_tile_in(order.tile, language)}"


def _write_lay(order: Any, language: str) -> str:
    return f"{order.space} {_tile_in(order.tile, language)}"


NOTATION: Final = Notation(
    [
        Form(Start, {"en": "start", "de": "beginne"}, _read_one(Start), _write_space),
        Form(Play, {"en": "play", "de": "spiele"}, _read_play, _write_play),
        Form(Place, {"en": "place", "de": "setze"}, _read_place, _write_place),
        Form(Attack, {"en": "attack", "de": "angriff"}, _read_attack, _write_attack),
        Form(Challenge, {"en": "challenge", "de": "bezwinge"}, _read_one(Challenge), _write_space),
        Form(Score, {"en": "score", "de": "wertung"}, _read_score, _write_nothing),
        Form(Deal, {"en": "deal", "de": "teile"}, _read_deal, _write_deal),
        Form(Lay, {"en": "lay", "de": "lege"}, _read_lay, _write_lay),
    ]
)
