"""The orders of Origo, as values and as text in two languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from referee.games.game import Order, Seat, Unreadable
from referee.games.notation import A_SPACE, Form, Notation, Noun, form, one_of
from referee.games.origo.squares import WITH, read_cards, write_cards

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


def _with_cards(
    kind: type[Order],
    keywords: Mapping[str, str],
    first: Noun | None = None,
    number: int | None = 1,
) -> Form:
    """Return the form of an order that ends with cards: a number of them, None for one or more.

    ``first`` is the noun for the field before them, if there is one.
    """
    joined = first is A_SPACE

    def read(words: Sequence[str]) -> Order:
        values = [first.read(word) for word in words[:1]] if first else []
        rest = words[1:] if first else words
        # “with” may be left out (Origo 7).
        cards = read_cards(rest[1:] if joined and rest and rest[0] in WITH else rest)
        if not cards or len(cards) != (number or len(cards)):
            raise Unreadable("wrong-count", order=kind.word)
        return kind(*values, cards[0] if number == 1 else tuple(sorted(cards)))

    def write(order: Order, language: str) -> str:
        *values, held = (getattr(order, name) for name in kind.__struct_fields__)
        written = [first.write(value, language) for value in values] if first else []
        cards = write_cards((held,) if isinstance(held, str) else held, language, joined=joined)
        return " ".join([*written, cards])

    return Form(kind, keywords, read, write)


ATTACK: Final = _with_cards(Attack, {"en": "attack", "de": "angriff"}, A_SPACE, number=None)
"""The form of an attack, which a policy holds too."""

_ENDED: Final = (
    *("end turn", "end my turn", "end the turn", "end of turn", "my turn is over", "i am done"),
    *("finish", "finished", "i am finished", "zug beenden", "beende zug", "beende den zug"),
    *("beende meinen zug", "zug ende", "zugende", "mein zug ist zu ende"),
    *("beendet", "ich bin fertig"),
)

NOTATION: Final = Notation(
    [
        form(Place, {"en": "place", "de": "setze"}, A_SPACE),
        _with_cards(Expand, {"en": "expand", "de": "ausbreiten"}, A_SPACE),
        ATTACK,
        _with_cards(Add, {"en": "add", "de": "nachlegen"}),
        form(Yield, {"en": "yield", "de": "aufgeben"}),
        form(Migrate, {"en": "migrate", "de": "wandern"}, A_SPACE, A_SPACE),
        _with_cards(Exchange, {"en": "exchange", "de": "tausche"}, number=2),
        form(Sail, {"en": "sail", "de": "segeln"}, A_SPACE, A_SPACE),
        form(Done, {"en": "done", "de": "fertig"}, also=_ENDED),
        form(Pass, {"en": "pass", "de": "passe"}),
        form(Start, {"en": "start", "de": "startspieler"}, _SEAT),
        _with_cards(Draw, {"en": "draw", "de": "ziehe"}, _SEAT),
    ],
    beside={"shield", "shields", "schild", "schilde"},
    toward={"to", "nach"},
)
