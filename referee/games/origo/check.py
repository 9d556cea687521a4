"""The check of position documents: complete, and every piece there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from referee.games.documents import missing
from referee.games.game import BadDocument, Fault, Json
from referee.games.origo.documents import OPTIONAL, load
from referee.games.origo.position import SHIELDS, Position
from referee.games.origo.rules.path import field

COMPLETE: Final = tuple(key for key in OPTIONAL if key not in {"supplied", "had_turn", "passed"})
"""The fields of a complete document; derived ones are optional."""


def check(document: Json) -> list[Fault]:
    """Return every fault of a document, or only the first if it cannot be read."""
    try:
        position = load(document)
    except BadDocument as error:
        return [Fault(error.path, error.message)]
    parts = dict.fromkeys(("supply", "path", "hands"), position.seats)
    return [*missing(document, COMPLETE, parts), *_pieces(position)]


def shields(position: Position) -> dict[str, int]:
    """Count each seat's shields, on the board and in supply (Origo 3)."""
    return {
        f"shields of {colour}": position.supply[seat] + _on_board(position, seat)
        for seat, colour in enumerate(position.seats)
    }


def _on_board(position: Position, seat: int) -> int:
    # One that attacks has left its supply and stands nowhere until the combat is decided.
    fighting = position.combat is not None and seat == position.seat
    return position.shields[seat].bit_count() + fighting


def _pieces(position: Position) -> Iterator[Fault]:
    number = SHIELDS[len(position.seats)]
    # Only surplus shields are a fault: missing ones have left the game (Origo 3).
    for seat, colour in enumerate(position.seats):
        on_board = _on_board(position, seat)
        if on_board + position.supply[seat] > number:
            yield Fault(
                f"$.supply.{colour}",
                f"{colour} has {on_board} shields on the board and {position.supply[seat]} in "
                f"supply, more than {number}; at most {max(0, number - on_board)} would be right",
            )
    found: Counter[str] = Counter()
    for card, *numbers in zip(position.board.cards, position.draw, position.discards, strict=True):
        found[card] += sum(numbers)
    for hand in position.hands:
        found.update(position.board.named(hand))
    if position.combat is not None:
        found.update(position.board.named(position.combat.attacking))
        found.update(position.board.named(position.combat.defending))
    for card, number in zip(position.board.cards, position.board.counts, strict=True):
        if found[card] != number:
            yield Fault(f"$.draw.{card}", f"there are {found[card]} cards {card}, not {number}")
    taken: dict[int, str] = {}
    for colour, total in zip(position.seats, position.path, strict=True):
        # No two leaders share a field, which is why there are no ties (Origo 6).
        other = taken.setdefault(field(total), colour)
        if other != colour:
            message = f"the leaders of {other} and {colour} both stand on field {field(total)}"
            yield Fault(f"$.path.{colour}", message)
