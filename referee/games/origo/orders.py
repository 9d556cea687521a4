"""The orders of Origo, as values and as text in two languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from referee.games.game import Order, Seat, Unreadable
from referee.games.notation import A_SPACE, Form, Notation, form, one_of, read_space
from referee.games.origo.cards import WITH, read_cards, write_card, write_with

COLOURS: Final[tuple[Seat, ...]] = ("red", "blue", "black", "green", "orange")

_SEAT: Final = one_of(
    "no-seat", {"en": COLOURS, "de": ("rot", "blau", "schwarz", "grün", "orange")}
)


class Place(Order):
    """Place a starting shield."""

    word: ClassVar[str] = "place"
    square: str


class Expand(Order):
    """Play a card and put a shield on a square it allows."""

    word: ClassVar[str] = "expand"
    square: str
    card: str


class Attack(Order):
    """Attack the shield on a square with one or more sorted cards."""

    word: ClassVar[str] = "attack"
    square: str
    cards: tuple[str, ...]


class Add(Order):
    """Add a card in a combat."""

    word: ClassVar[str] = "add"
    card: str


class Yield(Order):
    """Give up a combat."""

    word: ClassVar[str] = "yield"


class Migrate(Order):
    """Move a shield that stands on land."""

    word: ClassVar[str] = "migrate"
    start: str
    goal: str


class Exchange(Order):
    """Discard two cards, which stand sorted, and draw two."""

    word: ClassVar[str] = "exchange"
    cards: tuple[str, ...]


class Sail(Order):
    """Move a shield that stands on sea."""

    word: ClassVar[str] = "sail"
    start: str
    goal: str


class Done(Order):
    """End a turn in which something was done."""

    word: ClassVar[str] = "done"


class Pass(Order):
    """End a turn in which nothing was done."""

    word: ClassVar[str] = "pass"


class Start(Order):
    """Name the start player of the next round."""

    word: ClassVar[str] = "start"
    seat: str


class Draw(Order):
    """Chance gives a seat a card from the draw pile."""

    word: ClassVar[str] = "draw"
    seat: str
    card: str


def _count(words: Sequence[object], number: int, order: str) -> None:
    """Refuse words that look right but are too few or too many."""
    if len(words) != number:
        raise Unreadable("wrong-count", order=order)


def _square_and_cards(words: Sequence[str], order: str) -> tuple[str, tuple[str, ...]]:
    squares = [read_space(word) for word in words[:1]]
    # “with” may be left out (Origo 7).
    rest = words[2:] if len(words) > 1 and words[1] in WITH else words[1:]
    cards = tuple(sorted(read_cards(rest)))
    if not squares or not cards:
        raise Unreadable("wrong-count", order=order)
    return squares[0], cards


def _read_expand(words: Sequence[str]) -> Expand:
    square, cards = _square_and_cards(words, "expand")
    _count(cards, 1, "expand")
    return Expand(square, cards[0])


def read_attack(words: Sequence[str]) -> Attack:
    """Return the attack that the words after its keyword hold. Raises Unreadable."""
    return Attack(*_square_and_cards(words, "attack"))


def _read_add(words: Sequence[str]) -> Add:
    cards = read_cards(words)
    _count(cards, 1, "add")
    return Add(cards[0])


def _read_exchange(words: Sequence[str]) -> Exchange:
    cards = read_cards(words)
    _count(cards, 2, "exchange")
    return Exchange(tuple(sorted(cards)))


def _read_draw(words: Sequence[str]) -> Draw:
    seats = [_SEAT.read(word) for word in words[:1]]
    cards = read_cards(words[1:])
    _count([*seats, *cards], 2, "draw")
    return Draw(seats[0], cards[0])


def _write_expand(order: Any, language: str) -> str:
    return f"{order.square} {write_with((order.card,), language)}"


def _write_attack(order: Any, language: str) -> str:
    return f"{order.square} {write_with(order.cards, language)}"


def _write_cards(order: Any, language: str) -> str:
    return " ".join(write_card(card, language) for card in order.cards)


def _write_card(order: Any, language: str) -> str:
    return write_card(order.card, language)


def _write_draw(order: Any, language: str) -> str:
    return f"{_SEAT.write(order.seat, language)} {write_card(order.card, language)}"


_ENDED: Final = (
    *("end turn", "end my turn", "end the turn", "end of turn", "my turn is over", "i am done"),
    *("finish", "finished", "i am finished", "zug beenden", "beende zug", "beende den zug"),
    *(
        "beende meinen zug",
        "zug ende",
        "zugende",
        "mein zug ist zu ende",
        "beendet",
        "ich bin fertig",
    ),
)

NOTATION: Final = Notation(
    [
        form(Place, {"en": "place", "de": "setze"}, A_SPACE),
        Form(Expand, {"en": "expand", "de": "ausbreiten"}, _read_expand, _write_expand),
        Form(Attack, {"en": "attack", "de": "angriff"}, read_attack, _write_attack),
        Form(Add, {"en": "add", "de": "nachlegen"}, _read_add, _write_card),
        form(Yield, {"en": "yield", "de": "aufgeben"}),
        form(Migrate, {"en": "migrate", "de": "wandern"}, A_SPACE, A_SPACE),
        Form(Exchange, {"en": "exchange", "de": "tausche"}, _read_exchange, _write_cards),
        form(Sail, {"en": "sail", "de": "segeln"}, A_SPACE, A_SPACE),
        form(Done, {"en": "done", "de": "fertig"}, also=_ENDED),
        form(Pass, {"en": "pass", "de": "passe"}),
        form(Start, {"en": "start", "de": "startspieler"}, _SEAT),
        Form(Draw, {"en": "draw", "de": "ziehe"}, _read_draw, _write_draw),
    ]
)
