"""Hive: tiles are put to a hive and moved around it, until a queen is surrounded.

A spot is a column and a row, counted from the first tile; each row lies half a tile to the right
of the one above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from referee.games.game import Cell, Figure, Json, Mark, Order, Scene, Sentence, View
from referee_classics.above import aside, connected, panels_of, plain_scene
from referee_classics.classic import Classic, Move, Position, State, Why
from referee_classics.data import data, patterns

Spot: TypeAlias = tuple[int, int]

Stacks: TypeAlias = Mapping[Spot, tuple[str, ...]]
"""The tiles on each spot that has any, the lowest first."""

BEHIND: Final[Mapping[str, Spot]] = {"-": (1, 0), "/": (1, -1), "\\": (0, 1), "": (0, 0)}
"""Where a tile lies, seen from another: “wQ-” is to the right of it, “-wQ” to the left."""

BASE: Final = ("Q", "A1", "A2", "A3", "G1", "G2", "G3", "S1", "S2", "B1", "B2")
ALL: Final = (*BASE, "M", "L", "P")
"""The tiles of either side, without and with those of the expansions."""

KINDS: Final[Mapping[str, str]] = data(__name__)["kinds"]

_SAID: Final = patterns(__name__, "said")


class Hive(Classic):
    """Hive, with the mosquito, the ladybug and the pillbug or without them."""

    said = dict.fromkeys(("pass", "passe", "passen", "passing"), "pass")

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        stacks = stacks_of(tuple(filter(None, str(state).split(";")[3:])))
        legal: dict[tuple[str, Spot], tuple[str, int]] = {}
        for action in state.legal_actions():
            text: str = state.action_to_string(action)
            # The engine tells a spot by each of its neighbours.
            legal.setdefault(_goal(stacks, text), (text, action))
        # While White's queen is in hand it lets Black take the hive apart.
        held = {pile[-1] for spot, pile in stacks.items() if not _may_leave(stacks, spot)}
        return {text: (action,) for (tile, _), (text, action) in legal.items() if tile not in held}

    # Moves.

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        if _SAID["first"].fullmatch(tidied):
            yield tidied
        elif move := _SAID["move"].fullmatch(tidied):
            yield f"{move['tile']} {move['space'] or move['beside']}"

    def readings(self, position: Position, move: str) -> list[str]:
        legal = self.reached(position).legal
        if move in legal or move == "pass":
            return super().readings(position, move)
        stacks, wanted = stacks_of(position.moves), self._goals(position, move)
        return [text for text in legal if _goal(stacks, text) in wanted]

    def _goals(self, position: Position, move: str) -> set[tuple[str, Spot]]:
        """Return the tiles that a written move may mean, each with the spot it may mean."""
        stacks, (named, _, to) = stacks_of(position.moves), move.partition(" ")
        if not to:
            spots = set() if stacks else {(0, 0)}
        elif _SAID["space"].fullmatch(to):
            near = {(0, 0)} if not stacks else {*stacks}.union(*map(around, stacks))
            spots = {spot for spot in near if name_of(spot) == to}
        else:
            before, beside, behind = split_beside(to)
            sides = "wb" if beside[0] not in "wb" else beside[0]
            known = [f"{side}{tile}" for side in sides for tile in _numbered(beside.lstrip("wb"))]
            lying = [tile for tile in known if spot_of(stacks, tile) is not None]
            spots = {spot_beside(stacks, f"{before}{tile}{behind}") for tile in lying}
        return {(tile, spot) for tile in self._tiles(position, named) for spot in spots}

    def _tiles(self, position: Position, named: str) -> list[str]:
        """Return the tiles that are named: by letters, by those without a side, or by a space.

        Of several of a kind in hand it is the first.
        """
        stacks = stacks_of(position.moves)
        if _SAID["space"].fullmatch(named):
            return [pile[-1] for spot, pile in stacks.items() if name_of(spot) == named]
        side = named[0] if named[0] in "wb" else str(self.to_act(position))[0]
        tiles = [f"{side}{tile}" for tile in _numbered(named.lstrip("wb"))]
        in_hand = [tile for tile in tiles if spot_of(stacks, tile) is None]
        return [tile for tile in tiles if tile not in in_hand[1:]]

    def why_not(self, position: Position, move: str) -> Why:
        if move == "pass":
            return "no-pass", {}
        stacks, side = stacks_of(position.moves), str(self.to_act(position))[0]
        named = move.partition(" ")[0]
        tile = next(iter(self._tiles(position, named)), "")
        fields = {"tile": tile, "move": move}
        if not tile:
            return "nothing-there", {"space": named}
        if tile[1:] not in self.tiles(position):
            return "no-such-tile", fields
        spots = {spot for _, spot in self._goals(position, move)}
        if not spots:
            return ("first-tile" if not stacks else "no-such-place"), fields
        (spot, *_), start = spots, spot_of(stacks, tile)
        turns = len(position.moves) // 2
        placed = any(f"{side}Q" in pile for pile in stacks.values())
        if start is None:
            if tile[0] != side:
                return "not-yours", fields
            if tile[1:] == "Q" and not turns:
                return "queen-first", {}
            if turns >= 3 and not placed and tile[1:] != "Q":
                return "queen-now", {}
            return ("occupied" if spot in stacks else "touch-own"), {"space": name_of(spot)}
        if not placed:
            return "queen-before", {}
        if tile[0] != side and spot_of(stacks, f"{side}P") is None:
            return "not-yours", fields
        if stacks[start][-1] != tile:
            return "covered", {**fields, "by": stacks[start][-1]}
        if not _may_leave(stacks, start):
            return "one-hive", fields
        if position.moves[-1].startswith(f"{tile} "):
            return "just-moved", fields
        left = {place for place in stacks if place != start or len(stacks[start]) > 1}
        if left.isdisjoint(around(spot)):
            return "touch-none", fields
        if tile[0] != side:
            return "not-lifted", fields
        return f"goes-{KINDS[tile[1]]}", fields

    def tiles(self, position: Position) -> tuple[str, ...]:
        """Return the tiles of either side, without its letter."""
        return ALL if dict(position.options)["expansions"] else BASE

    def way(self, position: Position, move: str) -> tuple[str, ...]:
        if move == "pass":
            return ()
        stacks = stacks_of(position.moves)
        tile, spot = _goal(stacks, move)
        start = spot_of(stacks, tile)
        return (name_of(spot),) if start is None else (name_of(start), name_of(spot))

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:
        way, move = super().clicks(view, order), order.move if isinstance(order, Move) else ""
        # A tile from the hand comes before its space.
        return (move.partition(" ")[0], *way) if len(way) == 1 and way != (move,) else way

    # What is seen.

    def scene(self, view: View) -> Scene:
        document: Any = view.document
        position, moves = self.seen(view), document["moves"]
        stacks = stacks_of(tuple(moves))
        spots = {(0, 0), *stacks, *(near for spot in stacks for near in around(spot))}
        left, top = (min(axis) for axis in zip(*spots, strict=True))
        right, low = (max(axis) for axis in zip(*spots, strict=True))
        cells = list[Cell]()
        for spot in sorted(spots, key=lambda spot: (spot[1], spot[0])):
            pile, place = stacks.get(spot, ()), (spot[1] - top, spot[0] - left)
            marks = tuple(_mark(tile, raised=len(pile) > 1) for tile in pile[-1:])
            cells.append(Cell(name_of(spot), *place, "hex", ".", marks))
        lying = {tile for pile in stacks.values() for tile in pile}
        hands = {
            seat: [tile for tile in self.tiles(position) if f"{seat[0]}{tile}" not in lying]
            for seat in self.colours
        }
        full = {seat: hand for seat, hand in hands.items() if hand}
        told = [Sentence("in-hand", {"seat": seat, "tiles": [*full[seat]]}) for seat in full]
        piles: list[Json] = [[*pile[::-1]] for pile in stacks.values() if len(pile) > 1]
        last: list[Json] = [[number, move] for number, move in enumerate(moves, 1)]
        held = (_mark(f"{seat[0]}{tile[0]}") for seat, hand in hands.items() for tile in hand)
        kinds = dict.fromkeys(tile[0] for tile in self.tiles(position))
        return plain_scene(
            cells, {"hex": "#efe6d2"}, lattice="hexes", tracks=aside("hand", held),
            panels=panels_of(
                hand=told,
                stacks=[Sentence("stacks", {"piles": piles})] if piles else [],
                moves=[Sentence("last-moves", {"moves": last[-6:]})] if last else [],
            ),
            legend=tuple((kind, "mark", KINDS[kind]) for kind in kinds),
            row_names=tuple(name_of((0, row))[1:] for row in range(top, low + 1)),
            column_names=tuple(name_of((column, 0))[:-2] for column in range(left, right + 1)),
        )  # fmt: skip


def _goal(stacks: Stacks, text: str) -> tuple[str, Spot]:
    """Return the tile of a move of the engine's, and the spot where it goes."""
    tile, _, beside = text.partition(" ")
    return tile, spot_beside(stacks, beside) if beside else (0, 0)


def _may_leave(stacks: Stacks, spot: Spot) -> bool:
    """Return whether the hive stays in one piece without the highest tile of a spot."""
    return len(stacks[spot]) > 1 or is_one_hive(frozenset(stacks) - {spot})


def _numbered(tile: str) -> list[str]:
    """Return the tiles that one without a side may be: of “A?” all ants."""
    return [known for known in ALL if known[0] == tile[0]] if tile[1:] == "?" else [tile]


def _mark(tile: str, *, raised: bool = False) -> Mark:
    """Return a tile as it lies, upon another or not: capital if it is White's.

    It shows its insect, and as many dots as its number; one upon another has a second rim.
    """
    letter = tile[1:] if tile[0] == "w" else tile[1:].lower()
    seat = "white" if tile[0] == "w" else "black"
    signs = (*tile[1:], "raised") if raised else tile[1:]
    drawn = data(__name__)
    figure = Figure(drawn["hexagon"], "".join(drawn["drawings"][sign] for sign in signs))
    return Mark(letter, KINDS[tile[1]], seat, figure)


@lru_cache(maxsize=512)
def stacks_of(moves: tuple[str, ...]) -> Stacks:
    """Return the tiles on the table after moves."""
    stacks: dict[Spot, tuple[str, ...]] = {}
    for move in moves:
        tile, _, beside = move.partition(" ")
        if move == "pass":
            continue
        spot = spot_beside(stacks, beside) if beside else (0, 0)
        if (start := spot_of(stacks, tile)) is not None:
            stacks[start] = stacks[start][:-1]
            if not stacks[start]:
                del stacks[start]
        stacks[spot] = (*stacks.get(spot, ()), tile)
    return MappingProxyType(stacks)


def spot_of(stacks: Stacks, tile: str) -> Spot | None:
    """Return where a tile lies, if it does."""
    return next((spot for spot, pile in stacks.items() if tile in pile), None)


def spot_beside(stacks: Stacks, beside: str) -> Spot:
    """Return the spot that “wQ-”, “-wQ” or “wQ”, upon that tile, tells; the tile must lie there."""
    before, tile, behind = split_beside(beside)
    column, row = next(spot for spot, pile in stacks.items() if tile in pile)
    (right, down), (left, up) = BEHIND[behind], BEHIND[before]
    return column + right - left, row + down - up


def split_beside(beside: str) -> tuple[str, str, str]:
    """Return the sign before a tile, the tile and the sign behind it; either may be empty."""
    before, tile, behind = re.findall(r"^([-/\\]?)([\w?]+)([-/\\]?)$", beside)[0]
    return before, tile, behind


def around(spot: Spot) -> Iterator[Spot]:
    """Yield the six spots around one."""
    for right, down in (*BEHIND.values(),)[:3]:
        yield from ((spot[0] + right, spot[1] + down), (spot[0] - right, spot[1] - down))


def is_one_hive(spots: frozenset[Spot]) -> bool:
    """Return whether one can go from every spot to every other by neighbours."""
    return connected([*spots][:1], lambda spot: spots.intersection(around(spot))) == spots


def name_of(spot: Spot) -> str:
    """Return the name of a spot: the first tile lies on n30.

    Numbers have two digits, so that no spot is called like a tile. Behind z stands aa, and before
    a zz.
    """
    column = spot[0] + 13
    before = "" if 0 <= column < 26 else "a" if column > 0 else "z"
    return f"{before}{ascii_lowercase[column % 26]}{spot[1] + 30:02}"


GAME: Final = Hive("hive")
