"""Positions written as documents, and read from them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from referee.games.documents import Node
from referee.games.game import CHANCE, Document, Json, Seat
from referee.games.nord.board import Board, Geometry, geometry
from referee.games.nord.boards import read_board
from referee.games.nord.orders import ACTIONS, COLOURS, SYMBOLS, Start
from referee.games.nord.position import (
    ATTACK,
    MEN,
    NEUTRAL,
    NO_JARL,
    NO_TILE,
    OVER,
    PHASES,
    START,
    TURN,
    Position,
    tiles_by_symbol,
)
from referee.games.nord.rules.attack import attacks, owed
from referee.games.nord.rules.piles import outcomes
from referee.games.nord.rules.placing import open_spaces
from referee.games.nord.rules.scoring import LAST_SCORING
from referee.games.nord.rules.turn import legal_orders

REQUIRED: Final = ("game", "board", "seats")

OPTIONAL: Final = (
    "edition",
    "to_act",
    "phase",
    "scorings_done",
    "settlements",
    "workers",
    "treasures",
    "supply",
    "discards",
    "hands",
    "large_boat",
    "men",
    "points",
    "fishing_boats",
    "unplayed",
    "turn",
)


def dump(position: Position) -> Document:
    """Return the complete document of a position."""
    geo, seats = position.geometry, position.seats
    actor = None if position.phase == OVER else CHANCE if position.chance else position.colour
    workers = {
        space: seat
        for seat, mask in zip(seats, position.workers, strict=True)
        for space in geo.names(mask)
    }
    treasures = {
        geo.name[bit]: tile for bit, tile in zip(geo.piles, position.treasures, strict=True) if tile
    }
    hands = zip(seats, position.hands, strict=True)
    unplayed = zip(seats, position.unplayed, strict=True)
    return {
        "game": "nord",
        "edition": 1,
        "board": {
            "map": list(position.board.rows),
            "boat_numbers": list(position.board.boat_numbers),
        },
        "seats": list(seats),
        "to_act": actor,
        "phase": position.phase,
        "scorings_done": position.scorings,
        "settlements": _settlements(position),
        "workers": {space: workers[space] for space in geo.mask if space in workers},
        "treasures": dict(treasures),
        "supply": dict(tiles_by_symbol(position.supply)),
        "discards": dict(tiles_by_symbol(position.discards)),
        "hands": {seat: dict(tiles_by_symbol(hand)) for seat, hand in hands},
        "large_boat": list(position.large_boat),
        "men": dict(zip(seats, position.men, strict=True)),
        "points": dict(zip(seats, position.points, strict=True)),
        "fishing_boats": position.fishing_boats,
        "unplayed": {
            seat: [action for i, action in enumerate(ACTIONS) if mask >> i & 1]
            for seat, mask in unplayed
        },
        "turn": _turn(position),
    }


def _settlements(position: Position) -> Document:
    settlements: Document = {}
    for i, space in enumerate(position.geometry.settlements):
        counts = zip(position.seats, position.warriors[i], strict=True)
        warriors: Document = {seat: n for seat, n in counts if n}
        jarl = position.jarls[i]
        here: Document = {"jarl": jarl} if jarl != NO_JARL else {}
        settlements[space] = here | ({"warriors": warriors} if warriors else {})
    return settlements


def _turn(position: Position) -> Document:
    if position.chance:
        return {"seat": position.colour}
    if position.phase == ATTACK:
        names = position.geometry.settlements
        return {
            "connected": [
                [one, names[j]]
                for i, one in enumerate(names)
                for j in range(i + 1, len(names))
                if position.linked[i] >> j & 1
            ]
        }
    return {"played": position.played} if position.played else {}


def load(document: Json) -> Position:
    """Return the position a document describes. Raises BadDocument, naming the place."""
    fields = Node(document).fields(REQUIRED, OPTIONAL)
    fields["game"].one_of(["nord"])
    if "edition" in fields:
        fields["edition"].whole(1, 1)
    board = read_board(fields["board"])
    seats = tuple(seat.one_of(COLOURS) for seat in fields["seats"].elements())
    if not 2 <= len(seats) <= 4 or len(set(seats)) != len(seats):
        fields["seats"].fail("there are 2 to 4 different seats")
    # With a path of its own, so that a fault in what is missing still names its place.
    nothing: dict[str, Node] = {key: Node({}, f"$.{key}") for key in OPTIONAL if key not in fields}
    return _Reader(board, seats, fields, nothing | fields).position()


class _Reader:
    """Reads the parts of a position document; ``nodes`` has an empty object for each absent one."""

    def __init__(
        self,
        board: Board,
        seats: tuple[Seat, ...],
        given: Mapping[str, Node],
        nodes: Mapping[str, Node],
    ) -> None:
        self.board = board
        self.geo: Geometry = geometry(board)
        self.seats = seats
        self.given = given
        self.nodes = nodes

    def position(self) -> Position:
        phase = self.nodes["phase"].one_of(PHASES) if "phase" in self.given else TURN
        jarls, warriors = self.settlements()
        workers = self.workers()
        large_boat = self.large_boat(phase)
        seat, chance = self.to_act(phase)
        played, linked = self.turn(phase, chance=chance)
        position = Position(
            board=self.board,
            seats=self.seats,
            seat=seat,
            phase=phase,
            chance=chance,
            scorings=self.scorings(phase),
            jarls=jarls,
            warriors=warriors,
            workers=workers,
            treasures=self.treasures(workers),
            supply=self.tiles(self.nodes["supply"]),
            discards=self.tiles(self.nodes["discards"]),
            hands=self.hands(),
            large_boat=large_boat,
            men=self.men(workers, warriors, large_boat),
            points=self.points(),
            fishing_boats=self.fishing_boats(workers),
            unplayed=self.unplayed(),
            played=played,
            linked=linked,
        )
        self.must_go_on(position)
        return position

    def by_seat(self, node: Node) -> dict[int, Node]:
        nodes = {}
        for key, member in node.members().items():
            if key not in self.seats:
                member.fail(f"is no seat of this game; these are {', '.join(self.seats)}")
            nodes[self.seats.index(key)] = member
        return nodes

    def space(self, node: Node, name: str, among: Collection[str], what: str) -> str:
        if name not in among:
            node.fail(f"{name} is no {what} of this map")
        return name

    def settlements(self) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
        jarls = [NO_JARL] * len(self.geo.settlements)
        warriors = [(0,) * len(self.seats)] * len(self.geo.settlements)
        for name, node in self.nodes["settlements"].members().items():
            i = self.geo.index[self.space(node, name, self.geo.index, "settlement")]
            fields = node.fields((), ("jarl", "warriors"))
            if "jarl" in fields:
                jarls[i] = fields["jarl"].one_of([NEUTRAL, *COLOURS])
            if "warriors" in fields:
                counts = self.by_seat(fields["warriors"])
                warriors[i] = tuple(
                    counts[seat].whole() if seat in counts else 0 for seat in range(len(self.seats))
                )
        return tuple(jarls), tuple(warriors)

    def workers(self) -> tuple[int, ...]:
        masks = [0] * len(self.seats)
        for name, node in self.nodes["workers"].members().items():
            mask = self.geo.mask[self.space(node, name, self.geo.mask, "space")]
            if not mask & (self.geo.land | self.geo.sea):
                node.fail("a worker stands neither on a settlement nor on the small boat")
            masks[self.seats.index(node.one_of(self.seats))] |= mask
        return tuple(masks)

    def treasures(self, workers: tuple[int, ...]) -> tuple[str, ...]:
        tiles = dict.fromkeys(self.geo.piles, NO_TILE)
        for name, node in self.nodes["treasures"].members().items():
            mask = self.geo.mask[self.space(node, name, self.geo.mask, "space")]
            if mask not in tiles:
                node.fail("a treasure tile lies on a stone pile (K)")
            # A worker claims the tile under it at once (Nord A1).
            if any(mask & standing for standing in workers):
                node.fail("no treasure tile lies under a worker")
            tiles[mask] = node.one_of(SYMBOLS)
        return tuple(tiles.values())

    def tiles(self, node: Node) -> tuple[int, ...]:
        counts = node.fields((), SYMBOLS)
        return tuple(counts[symbol].whole() if symbol in counts else 0 for symbol in SYMBOLS)

    def hands(self) -> tuple[tuple[int, ...], ...]:
        given = self.by_seat(self.nodes["hands"])
        nothing = (0,) * len(SYMBOLS)
        return tuple(
            self.tiles(given[seat]) if seat in given else nothing for seat in range(len(self.seats))
        )

    def large_boat(self, phase: str) -> tuple[str, ...]:
        if "large_boat" not in self.given:
            return ()
        node = self.nodes["large_boat"]
        known = [f"jarl:{colour}" for colour in (NEUTRAL, *COLOURS)]
        known += [f"man:{seat}" for seat in self.seats]
        pieces = tuple(piece.one_of(known) for piece in node.elements())
        places = len(self.board.boat_numbers)
        if len(pieces) > places:
            node.fail(f"the large boat has {places} places")
        # Only between two attacks may it be full: at the end of the turn it is emptied (Nord A3).
        if len(pieces) == places and phase != ATTACK:
            node.fail("the large boat is already full")
        return pieces

    def to_act(self, phase: str) -> tuple[int, bool]:
        node = self.nodes["to_act"]
        turn = self.nodes["turn"].fields((), ("seat", "played", "connected"))
        if phase == OVER:
            if "to_act" in self.given and node.value is not None:
                node.fail("must be null when the game is over")
            return 0, False
        seat = node.one_of([*self.seats, CHANCE]) if "to_act" in self.given else self.seats[0]
        if "seat" in turn and seat != CHANCE:
            turn["seat"].fail("is only given while chance acts")
        if seat != CHANCE:
            return self.seats.index(seat), False
        after = turn["seat"].one_of(self.seats) if "seat" in turn else self.seats[0]
        return self.seats.index(after), True

    def turn(self, phase: str, *, chance: bool) -> tuple[str, tuple[int, ...]]:
        node = self.nodes["turn"]
        fields = node.fields((), ("seat", "played", "connected"))
        if "played" in fields and (phase != TURN or chance):
            fields["played"].fail("a tile is played only in a turn, before placing")
        if "connected" in fields and phase != ATTACK:
            fields["connected"].fail("is only given while an attack is owed")
        if phase == ATTACK and "connected" not in fields:
            # Not to be computed: workers placed since have joined more than was connected.
            node.fail("an owed attack needs 'connected', the pairs at the start of the turn")
        played = fields["played"].one_of(SYMBOLS) if "played" in fields else ""
        return played, self.linked(fields["connected"]) if phase == ATTACK else ()

    def linked(self, node: Node) -> tuple[int, ...]:
        rows = [0] * len(self.geo.settlements)
        for pair in node.elements():
            names = [
                self.space(space, space.text(), self.geo.index, "settlement")
                for space in pair.elements()
            ]
            if len(names) != 2 or names[0] == names[1]:
                pair.fail("must be two different settlements")
            one, other = (self.geo.index[name] for name in names)
            rows[one] |= 1 << other
            rows[other] |= 1 << one
        return tuple(rows)

    def scorings(self, phase: str) -> int:
        if "scorings_done" not in self.given:
            return LAST_SCORING if phase == OVER else 0
        least = LAST_SCORING if phase == OVER else 0
        most = LAST_SCORING if phase == OVER else LAST_SCORING - 1
        return self.nodes["scorings_done"].whole(least, most)

    def men(
        self,
        workers: tuple[int, ...],
        warriors: tuple[tuple[int, ...], ...],
        large_boat: tuple[str, ...],
    ) -> tuple[int, ...]:
        given = self.by_seat(self.nodes["men"])
        men = []
        for seat, colour in enumerate(self.seats):
            used = 1 + workers[seat].bit_count() + sum(counts[seat] for counts in warriors)
            left = MEN - used - large_boat.count(f"man:{colour}")
            if seat not in given and left < 0:
                self.nodes["men"].fail(f"{colour} has more than {MEN} men")
            men.append(given[seat].whole() if seat in given else left)
        return tuple(men)

    def points(self) -> tuple[int, ...]:
        given = self.by_seat(self.nodes["points"])
        return tuple(given[seat].whole() if seat in given else 0 for seat in range(len(self.seats)))

    def fishing_boats(self, workers: tuple[int, ...]) -> int:
        node = self.nodes["fishing_boats"]
        if "fishing_boats" in self.given:
            return node.whole()
        at_sea = sum((mask & self.geo.sea).bit_count() for mask in workers)
        left = len(self.seats) + 4 - at_sea
        if left < 0:
            node.fail("there are more sea workers than fishing boats")
        return left

    def unplayed(self) -> tuple[int, ...]:
        given = self.by_seat(self.nodes["unplayed"])
        hands = self.hands()
        masks = [0] * len(self.seats)
        for seat, node in given.items():
            for element in node.elements():
                action = ACTIONS.index(element.one_of(ACTIONS))
                # The first tile of an action goes only by being played; it must be there.
                if not any(hands[seat][2 * action : 2 * action + 2]):
                    element.fail("the seat has no such tile in hand")
                masks[seat] |= 1 << action
        return tuple(masks)

    def must_go_on(self, position: Position) -> None:
        """Refuse a position in which no seat could go on."""
        if position.chance and not outcomes(position):
            self.nodes["to_act"].fail("chance has nothing to do here")
        if position.phase == START and not position.chance:
            if not any(isinstance(order, Start) for order in legal_orders(position)):
                self.nodes["phase"].fail("no settlement is free to start from")
            if position.colour in position.jarls:
                self.nodes["to_act"].fail("has already chosen a settlement")
        if position.played and not open_spaces(position):
            self.nodes["turn"].fail("after the tile played nothing can be placed")
        if position.phase == ATTACK:
            if not any(True for _ in owed(position)):
                self.nodes["turn"].fail("no attack is owed")
            if not attacks(position):
                self.nodes["turn"].fail("no attack is possible")
