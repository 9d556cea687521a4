"""What can be ordered in Pebbles, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from referee.games.game import Order, Seat, Unreadable
from referee.games.notation import Form, Notation

COLOURS: Final[tuple[Seat, ...]] = ("red", "blue", "green")
GERMAN: Final[Mapping[Seat, str]] = {"red": "rot", "blue": "blau", "green": "grün"}
SEATS: Final = {word.casefold(): seat for seat in COLOURS for word in (seat, GERMAN[seat])}
SPACE: Final = re.compile(r"[a-z][1-9]", re.ASCII)


class Put(Order):
    """Put a pebble on a cell; the cell need not be said when only one can be meant."""

    word: ClassVar[str] = "put"
    weight: int
    space: str | None = None


class Peek(Order):
    """Look at somebody's hand."""

    word: ClassVar[str] = "peek"
    seat: Seat


class Let(Order):
    """Let somebody peek."""

    word: ClassVar[str] = "let"


class Bar(Order):
    """Keep somebody from peeking, for a pebble given back to the deck."""

    word: ClassVar[str] = "bar"
    weight: int


class Pass(Order):
    """Leave the game."""

    word: ClassVar[str] = "pass"


class Draw(Order):
    """Chance: a seat draws a pebble."""

    word: ClassVar[str] = "draw"
    seat: Seat
    weight: int


KINDS: Final[Mapping[str, type[Order]]] = {
    each.word: each for each in (Put, Peek, Let, Bar, Pass, Draw)
}


def read_weight(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", word, re.ASCII):
        raise Unreadable("no-weight", chatter=True, word=word)
    return int(word)


def read_seat(word: str) -> Seat:
    if word not in SEATS:
        raise Unreadable("no-seat", chatter=True, word=word)
    return SEATS[word]


def counted(least: int, most: int, words: Sequence[str]) -> Sequence[str]:
    if not least <= len(words) <= most:
        raise Unreadable("wrong-count", chatter=True)
    return words


def _read_put(words: Sequence[str]) -> Order:
    weight, *space = counted(1, 2, words)
    if space and not SPACE.fullmatch(space[0]):
        raise Unreadable("no-space", chatter=not weight.isdecimal(), word=space[0])
    return Put(read_weight(weight), space[0].upper() if space else None)


def _read_peek(words: Sequence[str]) -> Order:
    return Peek(read_seat(*counted(1, 1, words)))


def _read_let(words: Sequence[str]) -> Order:
    counted(0, 0, words)
    return Let()


def _read_bar(words: Sequence[str]) -> Order:
    return Bar(read_weight(*counted(1, 1, words)))


def _read_pass(words: Sequence[str]) -> Order:
    counted(0, 0, words)
    return Pass()


def _read_draw(words: Sequence[str]) -> Order:
    seat, weight = counted(2, 2, words)
    return Draw(read_seat(seat), read_weight(weight))


def named(seat: Seat, language: str) -> str:
    return GERMAN.get(seat, seat) if language == "de" else seat


def _form(
    kind: type[Order],
    english: str,
    german: str,
    read: Callable[[Sequence[str]], Order],
    write: Callable[[Any, str], str],
) -> Form:
    return Form(kind, {"en": english, "de": german}, read, write)


NOTATION: Final = Notation(
    [
        _form(Put, "put", "lege", _read_put, lambda o, _: f"{o.weight} {o.space or ''}".rstrip()),
        _form(Peek, "peek", "schau", _read_peek, lambda o, language: named(o.seat, language)),
        _form(Let, "let", "lass", _read_let, lambda _, __: ""),
        _form(Bar, "bar", "wehre", _read_bar, lambda o, _: f"{o.weight}"),
        _form(Pass, "pass", "passe", _read_pass, lambda _, __: ""),
        _form(Draw, "draw", "ziehe", _read_draw, lambda o, lg: f"{named(o.seat, lg)} {o.weight}"),
    ]
)
