"""Positions written as documents, whole or as a seat's view, and read from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, repeat
from random import Random
from typing import Any, Final

from referee.games.documents import Node, missing
from referee.games.game import CHANCE, BadDocument, Document, Fault, Json, Seat, View, replace
from referee.games.grid import bits, distance, parse_space
from referee.games.nord.board import (
    LEAST_PLACES,
    Board,
    Geometry,
    geometry,
    links,
    read_board,
    read_match_board,
)
from referee.games.nord.island import LEAST_DISTANCE, TILE_SPACES, shuffled
from referee.games.nord.orders import ACTIONS, COLOURS, SYMBOLS
from referee.games.nord.position import (
    MEN,
    NEUTRAL,
    NO_JARL,
    NO_TILE,
    PHASES,
    TILES_PER_SYMBOL,
    Phase,
    Position,
    tiles_by_symbol,
    to_act,
)
from referee.games.nord.rules.attack import owed
from referee.games.nord.rules.piles import deal_due, outcomes
from referee.games.nord.rules.placing import open_spaces
from referee.games.nord.rules.scoring import LAST_SCORING

OPTIONAL: Final = (
    *("edition", "to_act", "phase", "scorings_done", "settlements", "workers", "treasures"),
    *("supply", "discards", "hands", "large_boat", "men", "points", "fishing_boats"),
    *("unplayed", "turn"),
)


def dump(position: Position) -> Document:
    """Return the complete document of a position."""
    geo, seats = position.geometry, position.seats
    settlements: Document = {}
    for space, jarl, counts in zip(geo.settlements, position.jarls, position.warriors, strict=True):
        here: Document = {"jarl": jarl} if jarl != NO_JARL else {}
        if any(counts):
            here["warriors"] = {seat: n for seat, n in zip(seats, counts, strict=True) if n}
        settlements[space] = here
    workers = {
        space: seat
        for seat, mask in zip(seats, position.workers, strict=True)
        for space in geo.names(mask)
    }
    treasures: Document = {
        geo.name[bit]: tile for bit, tile in zip(geo.piles, position.treasures, strict=True) if tile
    }
    turn: Document = {"played": position.played} if position.played else {}
    if position.chance:
        turn = {"seat": position.colour}
    elif position.phase == "attack":
        names = geo.settlements
        linked: list[Json] = [
            [one, names[j]]
            for i, one in enumerate(names)
            for j in range(i + 1, len(names))
            if position.linked[i] >> j & 1
        ]
        turn = {"connected": linked}
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
        "to_act": to_act(position),
        "phase": position.phase,
        "scorings_done": position.scorings,
        "settlements": settlements,
        "workers": {space: workers[space] for space in geo.mask if space in workers},
        "treasures": treasures,
        "supply": tiles_by_symbol(position.supply),
        "discards": tiles_by_symbol(position.discards),
        "hands": {seat: tiles_by_symbol(hand) for seat, hand in hands},
        "large_boat": list(position.large_boat),
        "men": dict(zip(seats, position.men, strict=True)),
        "points": dict(zip(seats, position.points, strict=True)),
        "fishing_boats": position.fishing_boats,
        "unplayed": {
            seat: [action for i, action in enumerate(ACTIONS) if mask >> i & 1]
            for seat, mask in unplayed
        },
        "turn": turn,
    }


def first_position(seats: Sequence[Seat], document: Document) -> Position:
    """Return the position before the first tile is dealt, on the board of a match's document.

    Raises ValueError if the seats do not fit.
    """
    board, players, starts = read_match_board(document)
    if not set(seats) <= set(COLOURS) or len(set(seats)) != len(seats):
        raise ValueError(f"seats are different colours among {', '.join(COLOURS)}")
    if len(seats) != players:
        raise ValueError(f"the board is for {players} players, not for {len(seats)}")
    settlements: Document = {}
    # Without given starts neutral jarls wait until the last seat has chosen (Nord 2.6).
    if starts:
        settlements |= {space: {"jarl": NEUTRAL} for space in geometry(board).settlements}
    for seat, space in zip(seats, starts, strict=False):
        settlements[space] = {"jarl": seat, "warriors": {seat: 1}}
    return load(
        {
            "game": "nord",
            "board": {"map": document["map"], "boat_numbers": document["boat_numbers"]},
            "seats": [*seats],
            "to_act": CHANCE,
            "phase": "start",
            "settlements": settlements,
            "supply": dict.fromkeys(SYMBOLS, TILES_PER_SYMBOL),
            "large_boat": [f"jarl:{colour}" for colour in COLOURS if colour not in seats],
        }
    )


def load(document: Json) -> Position:
    """Return the position a document describes. Raises BadDocument, naming the place."""
    node = Node(document)
    fields = node.fields(("game", "board", "seats"), OPTIONAL)
    fields["game"].one_of(["nord"])
    node.field("edition", 1).whole(1, 1)
    seats = tuple(fields["seats"].one_each(COLOURS))
    if not 2 <= len(seats) <= 4:
        fields["seats"].fail("there are 2 to 4 seats")
    return _Reader(read_board(fields["board"]), seats, node).position()


class _Reader:
    """Reads the parts of a position document."""

    def __init__(self, board: Board, seats: tuple[Seat, ...], document: Node) -> None:
        self.board = board
        self.geo: Geometry = geometry(board)
        self.seats = seats
        # A field or its default, by name.
        self.field = document.field

    def position(self) -> Position:
        phase = self.field("phase", "turn").one_of(PHASES)
        jarls, warriors = self.settlements()
        workers = self.workers()
        large_boat = self.large_boat(phase)
        turn = self.field("turn", {})
        seat, chance = self.to_act(phase, turn)
        played, linked = self.turn(phase, turn, chance=chance)
        # The last scoring ends the game, and nothing else does.
        least, most = (LAST_SCORING, LAST_SCORING) if phase == "over" else (0, LAST_SCORING - 1)
        none = repeat((0,) * len(SYMBOLS))
        hands = self.field("hands", {}).each(self.seats, lambda hand: hand.counts(SYMBOLS), none)
        position = Position(
            board=self.board,
            seats=self.seats,
            seat=seat,
            phase=phase,
            chance=chance,
            scorings=self.field("scorings_done", least).whole(least, most),
            jarls=jarls,
            warriors=warriors,
            workers=workers,
            treasures=self.treasures(workers),
            supply=self.field("supply", {}).counts(SYMBOLS),
            discards=self.field("discards", {}).counts(SYMBOLS),
            hands=hands,
            large_boat=large_boat,
            men=self.men(workers, warriors, large_boat),
            points=self.field("points", {}).counts(self.seats),
            fishing_boats=self.fishing_boats(workers),
            unplayed=self.unplayed(hands),
            played=played,
            linked=linked,
        )
        self.must_go_on(position)
        return position

    def settlement(self, node: Node, name: str) -> int:
        if name not in self.geo.index:
            node.fail(f"{name} is no settlement of this map")
        return self.geo.index[name]

    def by_space(self, key: str) -> Iterator[tuple[int, Node]]:
        """Yield the members of a field by space, as a mask."""
        for name, node in self.field(key, {}).members().items():
            if name not in self.geo.mask:
                node.fail(f"{name} is no space of this map")
            yield self.geo.mask[name], node

    def settlements(self) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
        jarls = [NO_JARL] * len(self.geo.settlements)
        warriors = [(0,) * len(self.seats)] * len(self.geo.settlements)
        for name, node in self.field("settlements", {}).members().items():
            i = self.settlement(node, name)
            fields = node.fields((), ("jarl", "warriors"))
            if "jarl" in fields:
                jarls[i] = fields["jarl"].one_of([NEUTRAL, *COLOURS])
            warriors[i] = node.field("warriors", {}).counts(self.seats)
        return tuple(jarls), tuple(warriors)

    def workers(self) -> tuple[int, ...]:
        masks = [0] * len(self.seats)
        for mask, node in self.by_space("workers"):
            if not mask & (self.geo.land | self.geo.sea):
                node.fail("a worker stands neither on a settlement nor on the small boat")
            masks[node.index(self.seats)] |= mask
        return tuple(masks)

    def treasures(self, workers: tuple[int, ...]) -> tuple[str, ...]:
        tiles = dict.fromkeys(self.geo.piles, NO_TILE)
        for mask, node in self.by_space("treasures"):
            if mask not in tiles:
                node.fail("a treasure tile lies on a stone pile (K)")
            # A worker claims the tile under it at once (Nord A1).
            if any(mask & standing for standing in workers):
                node.fail("no treasure tile lies under a worker")
            tiles[mask] = node.one_of(SYMBOLS)
        return tuple(tiles.values())

    def large_boat(self, phase: Phase) -> tuple[str, ...]:
        node = self.field("large_boat", [])
        known = [f"jarl:{colour}" for colour in (NEUTRAL, *COLOURS)]
        known += [f"man:{seat}" for seat in self.seats]
        pieces = tuple(piece.one_of(known) for piece in node.elements())
        places = len(self.board.boat_numbers)
        if len(pieces) > places:
            node.fail(f"the large boat has {places} places")
        # Only between two attacks may it be full, or with jarls alone: at the end of the turn it is
        # emptied of men (Nord A3).
        men = any(piece.startswith("man:") for piece in pieces)
        if len(pieces) == places and men and phase != "attack":
            node.fail("the large boat is already full")
        return pieces

    def to_act(self, phase: Phase, turn: Node) -> tuple[int, bool]:
        if phase == "over":
            self.field("to_act", None).null("must be null when the game is over")
            return 0, False
        seat = self.field("to_act", self.seats[0]).one_of([*self.seats, CHANCE])
        if seat == CHANCE:
            return turn.field("seat", self.seats[0]).index(self.seats), True
        if isinstance(turn.value, dict) and "seat" in turn.value:
            turn.field("seat", None).fail("is only given while chance acts")
        return self.seats.index(seat), False

    def turn(self, phase: Phase, node: Node, *, chance: bool) -> tuple[str, tuple[int, ...]]:
        fields = node.fields((), ("seat", "played", "connected"))
        if "played" in fields and (phase != "turn" or chance):
            fields["played"].fail("a tile is played only in a turn, before placing")
        if "connected" in fields and phase != "attack":
            fields["connected"].fail("is only given while an attack is owed")
        if phase == "attack" and "connected" not in fields:
            # Not to be computed: workers placed since have joined more than was connected. Without
            # the turn that owes it, an attack is not the phase.
            phases = self.field("phase", "turn")
            phases.fail("an attack needs 'turn.connected', the pairs at the start of the turn")
        played = fields["played"].one_of(SYMBOLS) if "played" in fields else ""
        linked = [0] * len(self.geo.settlements) if phase == "attack" else []
        for pair in fields["connected"].elements() if phase == "attack" else ():
            ends = [self.settlement(end, end.text()) for end in pair.elements()]
            if len(ends) != 2 or ends[0] == ends[1]:
                pair.fail("must be two different settlements")
            linked[ends[0]] |= 1 << ends[1]
            linked[ends[1]] |= 1 << ends[0]
        return played, tuple(linked)

    def men(
        self,
        workers: tuple[int, ...],
        warriors: tuple[tuple[int, ...], ...],
        large_boat: tuple[str, ...],
    ) -> tuple[int, ...]:
        left = []
        for seat, colour in enumerate(self.seats):
            used = 1 + workers[seat].bit_count() + sum(counts[seat] for counts in warriors)
            left.append(MEN - used - large_boat.count(f"man:{colour}"))
        node = self.field("men", {})
        men = node.each(self.seats, Node.whole, left)
        for colour, number in zip(self.seats, men, strict=True):
            if number < 0:
                node.fail(f"{colour} has more than {MEN} men")
        return men

    def fishing_boats(self, workers: tuple[int, ...]) -> int:
        at_sea = sum((mask & self.geo.sea).bit_count() for mask in workers)
        left = len(self.seats) + 4 - at_sea
        node = self.field("fishing_boats", left)
        if node.value == left < 0:
            node.fail("there are more sea workers than fishing boats")
        return node.whole()

    def unplayed(self, hands: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
        masks = [0] * len(self.seats)
        for colour, node in self.field("unplayed", {}).fields((), self.seats).items():
            seat = self.seats.index(colour)
            for element in node.elements():
                action = element.index(ACTIONS)
                # The first tile of an action goes only by being played; it must be there.
                if not any(hands[seat][2 * action : 2 * action + 2]):
                    element.fail("the seat has no such tile in hand")
                masks[seat] |= 1 << action
        return tuple(masks)

    def must_go_on(self, position: Position) -> None:
        """Refuse a position in which no seat could go on."""
        to_act, turn = self.field("to_act", None), self.field("turn", {})
        if position.chance and not outcomes(position):
            to_act.fail("chance has nothing to do here")
        if position.chance and deal_due(position):
            self.can_be_dealt(position)
        # Given starts are on the map while chance deals; a turn follows, and nobody chooses.
        given = position.chance and position.colour in position.jarls
        if position.phase == "start" and not given:
            self.can_be_chosen(position)
        if position.played and not open_spaces(position):
            turn.fail("after the tile played nothing can be placed")
        if position.phase == "attack":
            if not any(True for _ in owed(position)):
                turn.fail("no attack is owed")
            # Workers of others were there when the turn began. A pair they join alone would be owed
            # for ever: an attack takes off workers of its own seat only (Nord A2.2).
            others = position.all_workers & ~position.workers[position.seat]
            rows = zip(links(self.geo, others), position.linked, self.geo.settlements, strict=True)
            for joined, before, space in rows:
                if joined & ~before:
                    turn.field("connected", []).fail(
                        f"workers of others alone connect {space} with another settlement, as they "
                        "did when the turn began: the pair is missing"
                    )

    def can_be_dealt(self, position: Position) -> None:
        """Refuse a supply without a tile of each action for every seat that has none."""
        for action, name in enumerate(ACTIONS):
            both = slice(2 * action, 2 * action + 2)
            waiting = sum(1 for hand in position.hands if not any(hand[both]))
            if sum(position.supply[both]) < waiting:
                message = f"{waiting} tiles for {name} are still to be dealt"
                self.field("supply", {}).fail(message)

    def can_be_chosen(self, position: Position) -> None:
        """Refuse a map on which not every seat that has yet to choose a start could do so."""
        choosing = position.seats[position.seat :]
        if position.jarls.count(NO_JARL) < len(choosing):
            phase = self.field("phase", "start")
            phase.fail(f"{len(choosing)} seats choose, and too few settlements are free")
        for colour in choosing:
            if colour in position.jarls:
                self.field("to_act", None).fail(f"{colour} has already chosen a settlement")
        # They come only when the last seat has chosen (Nord 2.6).
        if NEUTRAL in position.jarls:
            self.field("settlements", {}).fail("there are no neutral jarls while seats choose")


def hidden_hands(position: Position, seat: Seat | None) -> list[int]:
    """Return the seats whose tiles are hidden from a seat (Nord 2)."""
    # Hands are counted openly at the end (Nord 7).
    if position.phase == "over":
        return []
    return [i for i, colour in enumerate(position.seats) if colour != seat]


def view(position: Position, seat: Seat | None) -> View:
    """Return the view of a seat or a spectator, symbols hidden from it as counts."""
    document: Any = dump(position)
    for i in hidden_hands(position, seat):
        document["hands"][position.seats[i]] = sum(position.hands[i])
    # That a pile has a tile is public, its symbol is not.
    document["treasures"] = dict.fromkeys(document["treasures"], "?")
    # By symbol it would tell, together with one's own tiles, what the others hold.
    document["supply"] = sum(position.supply)
    return View(seat, document)


def redeal(position: Position, seat: Seat | None, rng: Random) -> Position:
    """Return a position with everything hidden from a seat dealt anew.

    Every count stays, and a seat that never played an action still holds a tile of it.
    """
    hidden = hidden_hands(position, seat)
    pool = list(position.supply)
    for i in hidden:
        pool = [n + own for n, own in zip(pool, position.hands[i], strict=True)]
    for tile in position.treasures:
        if tile:
            pool[SYMBOLS.index(tile)] += 1
    # Drawn before the rest, or the pool could run out of the symbols needed.
    kept: dict[int, list[int]] = {i: [] for i in hidden}
    for i in hidden:
        for first in range(0, len(SYMBOLS), 2):
            if position.unplayed[i] >> first // 2 & 1:
                # Weighted by the tiles left, as if drawn from a bag with both symbols.
                symbol = first + (rng.randrange(pool[first] + pool[first + 1]) >= pool[first])
                pool[symbol] -= 1
                kept[i].append(symbol)
    rest = shuffled([symbol for symbol, n in enumerate(pool) for _ in range(n)], rng)
    hands = list(position.hands)
    for i in hidden:
        drawn = [rest.pop() for _ in range(sum(position.hands[i]) - len(kept[i]))]
        hands[i] = _counted(drawn + kept[i])
    treasures = tuple(SYMBOLS[rest.pop()] if tile else NO_TILE for tile in position.treasures)
    return replace(position, hands=tuple(hands), treasures=treasures, supply=_counted(rest))


def _counted(tiles: list[int]) -> tuple[int, ...]:
    return tuple(tiles.count(symbol) for symbol in range(len(SYMBOLS)))


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
    choosing = set(position.seats[position.seat :]) if position.phase == "start" else set()
    if position.phase == "start" and position.chance:
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
