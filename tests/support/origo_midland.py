"""The rule book's example of an attack, from which tests of attacks and fights begin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from support.origo_cases import Doc, document, owned

MIDLAND = owned(orange="E7 D7 E6 D6 D8 E5", black="E8 F7 F8 G7")
"""The example of the rule book: black may attack E7 in founded Polen."""


def fight(
    shields: dict[str, str] = MIDLAND,
    black: Iterable[str] = (),
    orange: Iterable[str] = (),
    **fields: Any,
) -> Doc:
    """Return a position with black to act against orange, each holding cards."""
    base = {
        "seats": ["orange", "black", "red"],
        "to_act": "black",
        "shields": shields,
        "founded": ["POL"],
        "hands": {"black": list(black), "orange": list(orange)},
    }
    return document(**(base | fields))


MANY = ("land:POL", "col:7", "row:E", "people", "ship", "row:A", "col:1", "land:GER")
