"""Answers what the rules of Nord allow, read sentence by sentence and played out slowly.

A second implementation that shares nothing with the game's own: it lays a position document out
as dictionaries and sets and answers every question by looking at all possibilities.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from support.nord_twin_board import Space, map_of, space_name, space_of

Chain = tuple[Space, ...]
Key = tuple[Any, ...]

LAND = {"f": "forest", "m": "mountain", "k": "karst", "K": "karst"}
ACTIONS = {
    "gold": "negotiator",
    "hammer": "negotiator",
    "goblet": "two regions",
    "axe": "two regions",
    "helmet": "many workers",
    "sword": "many workers",
}


def beside(space: Space) -> set[Space]:
    """Return the up to 4 orthogonally adjacent spaces; §1, neighbours."""
    row, column = space
    return {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}


def around(space: Space) -> set[Space]:
    """Return the 8 spaces around, diagonals included; §1, surroundings."""
    row, column = space
    square = {(r, c) for r in (row - 1, row, row + 1) for c in (column - 1, column, column + 1)}
    return square - {space}


def contiguous(spaces: Iterable[Space]) -> bool:
    """Tell whether a set hangs together orthogonally by itself; A1.2."""
    rest = set(spaces)
    reached = {min(rest)}
    while more := {s for s in rest - reached if beside(s) & reached}:
        reached |= more
    return reached == rest


class Table:
    """A position document laid out on a table; orders change it."""

    def __init__(self, document: dict[str, Any]) -> None:
        rows = map_of(document["board"])
        self.grid = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row)}
        self.numbers = document["board"].get("boat_numbers", list(range(2, 21, 2)))
        self.seats = list(document["seats"])
        self.to_act = document.get("to_act", self.seats[0])
        self.phase = document.get("phase", "turn")
        self.done = document.get("scorings_done", 0)
        self.workers = {space_of(n): seat for n, seat in document.get("workers", {}).items()}
        self._read_settlements(document.get("settlements", {}))
        self._read_pieces(document)
        self.played: str | None = None
        self.links = self.connected_pairs()
        self.mover = self.to_act

    def _read_settlements(self, given: dict[str, Any]) -> None:
        self.jarls: dict[Space, str | None] = {}
        self.warriors: dict[Space, Counter[str]] = {}
        for space in (s for s, sign in self.grid.items() if sign == "S"):
            holds = given.get(space_name(space), {})
            self.jarls[space] = holds.get("jarl")
            self.warriors[space] = Counter(holds.get("warriors", {}))

    def _read_pieces(self, document: dict[str, Any]) -> None:
        self.treasures = {space_of(n): t for n, t in document.get("treasures", {}).items()}
        self.supply = Counter(document.get("supply", {}))
        self.discards = Counter(document.get("discards", {}))
        hands = document.get("hands", {})
        self.hands = {seat: Counter(hands.get(seat, {})) for seat in self.seats}
        boat = document.get("large_boat", [])
        self.boat = list(boat) + [None] * (len(self.numbers) - len(boat))
        men = document.get("men", {})
        self.men = {seat: men.get(seat, 25 - self.men_out(seat)) for seat in self.seats}
        points = document.get("points", {})
        self.points = {seat: points.get(seat, 0) for seat in self.seats}
        sea_workers = sum(self.grid[s] == "~" for s in self.workers)
        self.boats = document.get("fishing_boats", len(self.seats) + 4 - sea_workers)

    def men_out(self, seat: str) -> int:
        """Return how many of a player's 25 men are not in supply; §1, man."""
        posted = sum(there[seat] for there in self.warriors.values())
        dead = sum(place == f"man:{seat}" for place in self.boat)
        return 1 + list(self.workers.values()).count(seat) + posted + dead

    def fork(self) -> Table:
        """Return an independent copy."""
        return copy.deepcopy(self)

    def state(self) -> dict[str, Any]:
        """Return everything on the table, to be compared."""
        return {
            "to_act": self.to_act,
            "phase": self.phase,
            "done": self.done if self.to_act != "chance" else None,
            "workers": dict(self.workers),
            "jarls": dict(self.jarls),
            "warriors": {s: dict(+there) for s, there in self.warriors.items()},
            "treasures": dict(self.treasures),
            "hands": {seat: dict(+hand) for seat, hand in self.hands.items()},
            "tiles left": self.drawable(),
            "boat": list(self.boat),
            "men": dict(self.men),
            "points": dict(self.points),
            "fishing boats": self.boats,
        }

    def kind(self, space: Space) -> str | None:
        """Return land, sea, or None for what a worker can never stand on; §1 and A1.1."""
        sign = self.grid.get(space)
        if sign in LAND:
            return "land"
        return "sea" if sign == "~" else None

    def region(self, space: Space) -> frozenset[Space]:
        """Return the maximal connected set of one terrain, all sea together; §1, region."""
        if self.grid[space] == "~":
            return frozenset(s for s, sign in self.grid.items() if sign == "~")
        terrain = LAND[self.grid[space]]
        found = {space}
        while more := {
            s
            for known in found
            for s in beside(known) - found
            if LAND.get(self.grid.get(s, "")) == terrain
        }:
            found |= more
        return frozenset(found)

    def component(self, space: Space) -> set[Space]:
        """Return all workers linked to the one there, whoever they belong to; §3."""
        found = {space}
        frontier = {space}
        while frontier:
            frontier = {s for f in frontier for s in beside(f) if s in self.workers} - found
            found |= frontier
        return found

    def components(self) -> set[frozenset[Space]]:
        """Return the worker graph's components; §3."""
        found: set[frozenset[Space]] = set()
        for space in self.workers:
            if not any(space in part for part in found):
                found.add(frozenset(self.component(space)))
        return found

    def touches(self, component: Iterable[Space], target: Space) -> bool:
        """Tell whether one of its workers stands on a neighbour of the target; §3."""
        return any(target in beside(space) for space in component)

    def connected(self, one: Space, other: Space) -> bool:
        """Tell whether one component touches both; §3."""
        return any(
            self.touches(part, one) and self.touches(part, other) for part in self.components()
        )

    def connected_pairs(self) -> set[frozenset[Space]]:
        """Return every two settlements that are connected; §3."""
        parts = self.components()
        return {
            frozenset((one, other))
            for one, other in combinations(self.warriors, 2)
            if any(self.touches(part, one) and self.touches(part, other) for part in parts)
        }

    def placement_fits(self, seat: str, spaces: Iterable[Space], tile: str | None) -> bool:
        """Tell whether a set of new workers obeys number, kind and A1.1 to A1.5."""
        chosen = set(spaces)
        kinds = {self.kind(s) for s in chosen}
        if kinds not in ({"land"}, {"sea"}) or chosen & set(self.workers):
            return False
        on_sea = kinds == {"sea"}
        if on_sea and tile == "two regions":
            return False
        most = (3, 2) if tile != "many workers" else (5, 3)
        if len(chosen) > most[on_sea] or not contiguous(chosen):
            return False
        regions = {self.region(s) for s in chosen}
        if len(regions) > (2 if tile == "two regions" else 1):
            return False
        if len(chosen) > self.men[seat] or (on_sea and len(chosen) > self.boats):
            return False
        return self.reaches_own_warriors(seat, chosen)

    def reaches_own_warriors(self, seat: str, chosen: set[Space]) -> bool:
        """Tell whether the new workers end up touching a settlement with own warriors; A1.4."""
        before = self.workers
        self.workers = before | dict.fromkeys(chosen, seat)
        part = self.component(min(chosen))
        self.workers = before
        return any(there[seat] and self.touches(part, s) for s, there in self.warriors.items())

    def placements(self, seat: str, tile: str | None = None) -> set[frozenset[Space]]:
        """Return every legal set: all contiguous sets of free spaces, each judged; A1."""
        free = {s for s in self.grid if self.kind(s) and s not in self.workers}
        sets = {frozenset({s}) for s in free}
        legal: set[frozenset[Space]] = set()
        for _ in range(5 if tile == "many workers" else 3):
            legal |= {chosen for chosen in sets if self.placement_fits(seat, chosen, tile)}
            sets = {
                chosen | {more}
                for chosen in sets
                for s in chosen
                for more in beside(s) & free - chosen
                if self.kind(more) == self.kind(s)
            }
            if tile != "two regions":
                sets = {chosen for chosen in sets if len({self.region_key(s) for s in chosen}) == 1}
        return legal

    def region_key(self, space: Space) -> str:
        """Return the terrain: contiguous spaces of one terrain are of one region."""
        return LAND.get(self.grid[space], "sea")

    def can_place(self, seat: str) -> bool:
        """Tell whether one worker can be placed without any treasure tile; A4."""
        return any(self.placement_fits(seat, {s}, None) for s in self.grid if s not in self.workers)

    def challenges(self, seat: str) -> set[Space]:
        """Return the settlements whose jarl may be challenged; B."""
        boat = [s for s, sign in self.grid.items() if sign == "D"]
        return {
            s
            for s, there in self.warriors.items()
            if self.jarls[s] not in (None, seat)
            and there[seat] >= 2
            and all(there[seat] > there[other] for other in self.seats if other != seat)
            and any(self.connected(s, b) for b in boat)
        }

    def plays(self, seat: str) -> Iterator[Key]:
        """Yield every treasure tile that may be played, and how; A0."""
        if not self.can_place(seat):
            return
        for symbol in +self.hands[seat]:
            action = ACTIONS[symbol]
            if action == "negotiator":
                yield from self.negotiations(seat, symbol)
            elif action == "many workers" or self.placements(seat, action):
                yield ("play", symbol)

    def negotiations(self, seat: str, symbol: str) -> Iterator[Key]:
        """Yield each own warrior's way to a connected settlement that leaves a placement; A0."""
        for start, there in self.warriors.items():
            for goal in self.warriors:
                if there[seat] and start != goal and self.connected(start, goal):
                    later = self.fork()
                    later.warriors[start][seat] -= 1
                    later.warriors[goal][seat] += 1
                    if later.can_place(seat):
                        yield ("play", symbol, start, goal)

    def qualifying(self, seat: str) -> set[tuple[Space, Space]]:
        """Return the pairs of start and goal over which the player must attack; A2."""
        return {
            (start, goal)
            for start, mine in self.warriors.items()
            for goal, there in self.warriors.items()
            if start != goal
            and mine[seat] >= 1
            and there[seat] == 0
            and frozenset((start, goal)) not in self.links
            and self.connected(start, goal)
        }

    def chains(self, start: Space, goal: Space) -> list[Chain]:
        """Return all shortest chains of workers from a neighbour to a neighbour; A2.1."""
        chains = [(s,) for s in sorted(beside(start)) if s in self.workers]
        while chains:
            if arrived := [c for c in chains if goal in beside(c[-1])]:
                return arrived
            known = {s for chain in chains for s in chain}
            chains = [
                (*chain, s)
                for chain in chains
                for s in sorted(beside(chain[-1]))
                if s in self.workers and s not in known
            ]
        return []

    def own_on(self, seat: str, chain: Iterable[Space]) -> frozenset[Space]:
        """Return the player's own workers on a chain: what an attack takes off; A2.2."""
        return frozenset(s for s in chain if self.workers[s] == seat)

    def attacks(self, seat: str) -> Iterator[Key]:
        """Yield every attack: the pair, the own workers it takes, the fifth man's place; A2."""
        for start, goal in self.qualifying(seat):
            for taken in {self.own_on(seat, c) for c in self.chains(start, goal)}:
                for fifth in ("start", "goal") if len(taken) >= 5 else (None,):
                    yield ("attack", start, goal, taken, fifth)

    def due_space(self) -> Space | None:
        """Return the stone pile that gets the next tile, in board order; §6, new treasures."""
        bare = [
            s
            for s in sorted(self.grid)
            if self.grid[s] == "K" and s not in self.treasures and s not in self.workers
        ]
        return bare[0] if bare else None

    def drawable(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return supply and discards, refilled when a tile is due and none is left; §6."""
        if self.to_act == "chance" and not +self.supply:
            return dict(+self.discards), {}
        return dict(+self.supply), dict(+self.discards)

    def orders(self) -> set[Key]:
        """Return every order of whoever acts; §4."""
        seat = self.to_act
        if seat is None:
            return set()
        if seat == "chance":
            return {("lay", self.due_space(), symbol) for symbol in self.drawable()[0]}
        if self.phase == "attack":
            return set(self.attacks(seat))
        found: set[Key] = {("place", s) for s in self.placements(seat, self.played)}
        if self.played is None:
            found |= {("challenge", s) for s in self.challenges(seat)}
            found |= set(self.plays(seat))
        return found or {("score",)}


def key_of(line: str, table: Table) -> Key:
    """Return an order's line as the table names it; an attack by the workers it takes."""
    word, *rest = line.split()
    if word == "place":
        return ("place", frozenset(map(space_of, rest)))
    if word == "attack":
        return _attack_key(rest, table)
    if word == "lay":
        return ("lay", space_of(rest[0]), rest[1])
    if word == "play":
        return ("play", rest[0], *map(space_of, rest[1:]))
    return (word, *map(space_of, rest))


def _attack_key(rest: list[str], table: Table) -> Key:
    start, goal = space_of(rest[0]), space_of(rest[1])
    fifth = rest[rest.index("fifth") + 1] if "fifth" in rest else None
    spaces = rest[2 : rest.index("fifth") if fifth else None]
    chains = table.chains(start, goal)
    if spaces:
        via = tuple(map(space_of, spaces[1:]))
        assert via in chains, f"{rest} is not over a shortest chain"
        return ("attack", start, goal, table.own_on(table.to_act, via), fifth)
    (taken,) = {table.own_on(table.to_act, chain) for chain in chains}
    return ("attack", start, goal, taken, fifth)
