"""The hundred squares, as bit masks, and the cards that name them (Origo 1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from referee.games.game import Unreadable
from referee.games.grid import bits, format_space, spread
from referee.games.notation import LONGEST_WORD

SIDE: Final = 10
"""Rows, and columns, of the board."""

WIDTH: Final = SIDE + 1
"""Bits a row takes in a mask: one more than its squares, as ``referee.games.grid`` needs."""

ROW: Final = (1 << SIDE) - 1
"""All squares of the first row."""

ALL: Final = sum(ROW << r * WIDTH for r in range(SIDE))
"""All squares."""

COLUMN: Final = sum(1 << r * WIDTH for r in range(SIDE))
"""All squares of the first column."""

MASK: Final = {format_space(r, c): 1 << r * WIDTH + c for r in range(SIDE) for c in range(SIDE)}
"""The mask of each square by name, in board order."""

NAME: Final = {mask: square for square, mask in MASK.items()}
"""The name of each square by mask."""

NEAR: Final = {mask: spread(mask, WIDTH) & ALL for mask in NAME}
"""The squares orthogonally next to each square."""


def square_names(mask: int) -> list[str]:
    """Return the squares of a mask by name, in board order."""
    return [NAME[square] for square in bits(mask)]


def beside(mask: int) -> int:
    """Return the squares next to any of a mask's. Some may be of the mask themselves."""
    return spread(mask, WIDTH) & ALL


LINES: Final[dict[str, tuple[str, ...]]] = {
    "row": tuple("ABCDEFGHIJ"),
    "col": tuple(str(number) for number in range(1, SIDE + 1)),
}
"""The rows and columns by name, in board order."""

LAND_NAMES: Final = {
    "BRI": ("Britannia", "Britannien"),
    "GER": ("Germania", "Germanien"),
    "BAL": ("Baltics", "Baltikum"),
    "GAL": ("Gaul", "Gallien"),
    "HIS": ("Hispania", "Hispanien"),
    "ITA": ("Italy", "Italien"),
    "BEL": ("Belgica", "Belgica"),
    "SKA": ("Scandinavia", "Skandinavien"),
    "POL": ("Poland", "Polen"),
    "HEL": ("Helvetia", "Helvetien"),
    "DAK": ("Dacia", "Dakien"),
    "DAL": ("Dalmatia", "Dalmatien"),
}
"""The twelve lands by code, with their names in English and German."""

LANDS: Final = {
    word.casefold(): code for code, names in LAND_NAMES.items() for word in (code, *names)
}
"""The code of each land by all its names, as letters write them."""

SEAS: Final = ("NOR", "OST", "BIS", "MIT")

PEOPLE: Final = "people"
SHIP: Final = "ship"

CARD_PATTERN: Final = re.compile(
    r"row:[A-J](/[A-J])*|col:(10|[1-9])(/(10|[1-9]))*|land:[A-Z]{3}|people|ship", re.ASCII
)

WITH: Final = {"with", "mit"}
"""Words before the cards of a line."""

_PREFIXES: Final = {
    "row": "row",
    "reihe": "row",
    "col": "col",
    "column": "col",
    "spalte": "col",
    "land": "land",
}
_ALONE: Final = {"people": PEOPLE, "volk": PEOPLE, "ship": SHIP, "schiff": SHIP}
_GERMAN: Final = {"row": "reihe", "col": "spalte", "land": "land", PEOPLE: "volk", SHIP: "schiff"}


def is_card(card: str) -> bool:
    """Whether a text is a card as documents write it, its lines in board order."""
    if not CARD_PATTERN.fullmatch(card):
        return False
    kind, _, rest = card.partition(":")
    if kind == "land":
        return rest in LAND_NAMES
    return kind not in LINES or _in_order(kind, rest.split("/")) == rest.split("/")


def _in_order(kind: str, lines: Sequence[str]) -> list[str]:
    return [line for line in LINES[kind] if line in lines]


def lines_mask(card: str) -> int:
    """Return the squares of a row or column card, and none of any other card."""
    kind, _, rest = card.partition(":")
    mask = 0
    for line in rest.split("/"):
        if kind == "row":
            mask |= ROW << LINES[kind].index(line) * WIDTH
        if kind == "col":
            mask |= COLUMN << LINES[kind].index(line)
    return mask


def read_cards(words: Sequence[str]) -> list[str]:
    """Return the cards of casefolded words, ``row E`` as ``row:E``. Raises Unreadable."""
    cards = []
    left = list(words)
    while left:
        word = left.pop(0)
        # People write “row E” and “row: E”.
        if word.removesuffix(":") in _PREFIXES and left:
            word = f"{word.removesuffix(':')}:{left.pop(0)}"
        prefix, _, rest = word.partition(":")
        kind = _PREFIXES.get(prefix, "")
        lines = rest.upper().split("/")
        if word in _ALONE:
            cards.append(_ALONE[word])
        elif kind == "land" and rest in LANDS:
            cards.append(f"land:{LANDS[rest]}")
        # In board order, so that “row:B/A” and “row:A/B” are one card.
        elif kind in LINES and len(ordered := _in_order(kind, lines)) == len(lines):
            cards.append(f"{kind}:{'/'.join(ordered)}")
        else:
            raise Unreadable("no-card", chatter=True, text=word[:LONGEST_WORD])
    return cards


def write_cards(cards: Sequence[str], language: str, *, joined: bool) -> str:
    """Return cards as people write them in a language, after ``with`` if they are joined to it."""
    german = language == "de"
    words = ["mit" if german else "with"] if joined else []
    for card in cards:
        kind, colon, rest = card.partition(":")
        words.append(f"{_GERMAN.get(kind, kind)}{colon}{rest}" if german else card)
    return " ".join(words)
