"""The rule book's example of an attack, from which tests of attacks and fights begin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from support.club import Club
from support.origo_cases import GAME, Doc, document, owned, whole

from referee.desk.matches import ledger
from referee.desk.plans.board import Fix
from referee.desk.plans.plan import apply_act

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


def attacked(club: Club, defender: str, attacker: str) -> None:
    """Let black attack a player's orange, who holds one card twice; both are addresses."""
    club.new_match("origo", f"orange={defender}", f"black={attacker}", "red=bot:greedy")
    club.work()
    black = ("row:E", "col:7", "land:POL", "people")
    before = whole(**fight(black=black, orange=("people", "people", "ship")))
    apply_act(club.desk, Fix("origo-1", before), "a test")
    club.work()
    club.answer(club.last(attacker, "report"), f"attack E7 with {' '.join(black)}", attacker)
    club.work()


def added(club: Club) -> list[str]:
    """Return the cards that the defender of the attack has added."""
    with club.desk.reading() as change:
        live = ledger.load_match(change, club.match("origo-1")).live
    found: list[str] = GAME.dump(live.position)["combat"].get("defender_cards", [])
    return found
