"""The check of position documents: complete, every piece there, the island possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from referee.games.documents import missing
from referee.games.game import BadDocument, Fault, Json
from referee.games.grid import bits, distance, parse_space
from referee.games.nord.board import LEAST_PLACES
from referee.games.nord.documents import OPTIONAL, load
from referee.games.nord.island import LEAST_DISTANCE, TILE_SPACES
from referee.games.nord.orders import COLOURS, SYMBOLS
from referee.games.nord.position import MEN, NEUTRAL, NO_JARL, START, Position
from referee.games.nord.rules.turn import TILES_PER_SYMBOL

COMPLETE: Final = tuple(key for key in OPTIONAL if key not in {"unplayed", "turn"})
"""The fields of a complete document. The record of the turn in progress is optional."""


def check(document: Json) -> list[Fault]:
    """Return every fault of a document, or only the first if it cannot be read."""
    try:
        position = load(document)
    except BadDocument as error:
        return [Fault(error.path, error.message)]
    parts = dict.fromkeys(("hands", "men", "points"), position.seats)
    parts["settlements"] = position.geometry.settlements
    return [*missing(document, COMPLETE, parts), *_pieces(position), *_map(position)]


def _pieces(position: Position) -> Iterator[Fault]:
    for seat, colour in enumerate(position.seats):
        warriors = sum(counts[seat] for counts in position.warriors)
        dead = position.large_boat.count(f"man:{colour}")
        workers = position.workers[seat].bit_count()
        # One man is always on the score track (Nord 2.5).
        found = 1 + position.men[seat] + workers + warriors + dead
        if found != MEN:
            right = position.men[seat] + MEN - found
            yield Fault(
                f"$.men.{colour}",
                f"{colour} has {found} men with the one on the score track, not {MEN}; "
                f"{max(0, right)} in supply would be right",
            )
    for i, symbol in enumerate(SYMBOLS):
        held = sum(hand[i] for hand in position.hands)
        lying = position.treasures.count(symbol)
        found = position.supply[i] + position.discards[i] + held + lying
        if found != TILES_PER_SYMBOL:
            message = f"there are {found} tiles of {symbol}, not {TILES_PER_SYMBOL}"
            yield Fault(f"$.supply.{symbol}", message)
    jarls = Counter(jarl for jarl in position.jarls if jarl != NO_JARL)
    aboard = (piece.split(":") for piece in position.large_boat)
    jarls.update(colour for kind, colour in aboard if kind == "jarl")
    # Jarls of seats that have yet to choose a start are not on the map (Nord 2.7).
    choosing = set(position.seats[position.seat :]) if position.phase == START else set()
    if position.phase == START and position.chance:
        choosing = {seat for seat in position.seats if not jarls[seat]}
    for colour in COLOURS:
        wanted = 0 if colour in choosing else 1
        if jarls[colour] != wanted:
            message = f"there are {jarls[colour]} jarls of {colour}, not {wanted}"
            yield Fault("$.settlements", message)
    wanted = 0 if choosing else len(position.jarls) - len(position.seats)
    if jarls[NEUTRAL] != wanted:
        yield Fault("$.settlements", f"there are {jarls[NEUTRAL]} neutral jarls, not {wanted}")
    at_sea = sum((mask & position.geometry.sea).bit_count() for mask in position.workers)
    boats = len(position.seats) + 4
    if position.fishing_boats + at_sea != boats:
        message = f"{boats - at_sea} fishing boats in supply would be right: {boats} in all"
        yield Fault("$.fishing_boats", message)


def _map(position: Position) -> Iterator[Fault]:
    geo, path = position.geometry, "$.board.map"
    players = len(position.seats)
    wanted = players + 4
    if len(geo.settlements) != wanted:
        yield Fault(path, f"{players} players need {wanted} settlements")
    # Each settlement covers a land space of its tile.
    if geo.land.bit_count() + len(geo.settlements) != TILE_SPACES * wanted:
        yield Fault(path, f"{players} players need {TILE_SPACES * wanted} land spaces")
    if len(position.board.boat_numbers) < LEAST_PLACES:
        yield Fault("$.board.boat_numbers", f"the large boat has at least {LEAST_PLACES} places")
    if geo.boats.bit_count() != 1:
        yield Fault(path, "there is one small boat (D)")
    settlement_mask = sum(geo.mask[space] for space in geo.settlements)
    if geo.boats and not geo.boat_gates & (geo.land | settlement_mask):
        yield Fault(path, "the small boat needs a neighbouring land space")
    for space, gates in zip(geo.settlements, geo.gates, strict=True):
        if not gates & geo.sea:
            yield Fault(path, f"the settlement {space} needs a neighbouring sea space")
    fixed = [*geo.settlements, *(geo.name[bit] for bit in bits(geo.boats))]
    for one, other in combinations(fixed, 2):
        if distance(parse_space(one), parse_space(other)) < LEAST_DISTANCE:
            yield Fault(path, f"{one} and {other} are less than 3 steps apart")
