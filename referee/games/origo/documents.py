"""Positions written as documents, whole or as a seat's view, and read from them.

Missing parts of a document have defaults.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from random import Random
from typing import Any, Final

from referee.games.documents import Node, missing
from referee.games.game import CHANCE, BadDocument, Document, Fault, Json, Seat, View, replace
from referee.games.origo.board import RECONSTRUCTED, Board, read_board, shipped_board
from referee.games.origo.orders import COLOURS
from referee.games.origo.position import (
    ACTIONS,
    EXCHANGED,
    NEW_TURN,
    PHASES,
    SHIELDS,
    STARTING,
    Combat,
    Phase,
    Position,
    TurnSoFar,
    clockwise,
    to_act,
)
from referee.games.origo.rules.moves import open_squares
from referee.games.origo.rules.rounds import draw_due
from referee.games.origo.rules.scoring import field, last
from referee.games.origo.squares import MASK, square_names

OPTIONAL: Final = (
    *("edition", "board", "to_act", "phase", "round", "start_player", "had_turn", "passed"),
    *("supplied", "last_round", "shields", "founded", "scorings_ordered", "supply", "path"),
    *("hands", "draw", "discards", "turn", "combat"),
)


def dump(position: Position) -> Document:
    """Return the complete document of a position."""
    board, seats = position.board, position.seats
    hands = zip(seats, position.hands, strict=True)
    turn: Document = {
        "actions": position.turn.actions,
        "migrated": position.turn.migrated,
        "exchanged": position.turn.exchanged,
        "sailed": list[Json](square_names(position.turn.sailed)),
        "defended": [seat for i, seat in enumerate(seats) if position.turn.defended >> i & 1],
    }
    # Otherwise ``to_act`` says whose turn it is; while chance draws nothing else would.
    if position.chance:
        ended, drawn = position.turn.ended, position.turn.drawn
        turn |= {"seat": position.colour, "ended": ended, "drawn": drawn}
    combat: Document | None = None
    if position.combat is not None:
        combat = {
            "square": square_names(position.combat.square)[0],
            "attacker": position.colour,
            "defender": seats[position.combat.defender],
            "attacker_cards": list[Json](board.named(position.combat.attacking)),
            "defender_cards": list[Json](board.named(position.combat.defending)),
        }
    return {
        "game": "origo",
        "edition": 1,
        # By name if it ships: a whole board in every turn file would be most of the file.
        "board": RECONSTRUCTED if board == shipped_board() else json.loads(board.text),
        "seats": list(seats),
        "to_act": to_act(position),
        "phase": position.phase,
        "round": position.round,
        "start_player": seats[position.start],
        "had_turn": [seats[seat] for seat in had_turn(position)],
        "passed": [seats[s] for s in had_turn(position) if position.passed >> s & 1],
        "supplied": position.supplied,
        "last_round": position.last_round,
        "shields": dict(_shields(seats, position.shields)),
        "founded": [board.lands[land] for land in position.founded],
        "scorings_ordered": position.ordered,
        "supply": dict(zip(seats, position.supply, strict=True)),
        "path": dict(zip(seats, position.path, strict=True)),
        "hands": {seat: list[Json](board.named(hand)) for seat, hand in hands},
        "draw": pile(board, position.draw),
        "discards": pile(board, position.discards),
        "turn": turn,
        "combat": combat,
    }


@lru_cache(maxsize=64)
def _shields(seats: tuple[Seat, ...], masks: tuple[int, ...]) -> Mapping[str, Seat]:
    """Return the shield owner of each occupied square, in board order."""
    owner = {
        square: seat
        for seat, mask in zip(seats, masks, strict=True)
        for square in square_names(mask)
    }
    return {square: owner[square] for square in MASK if square in owner}


def had_turn(position: Position) -> list[int]:
    """Return the seats that had their turn in this round, in order, one that still draws too."""
    order = list(clockwise(position, position.start))
    if position.phase == "place":
        return []
    if position.phase in {"start", "over"}:
        return order
    return order[: order.index(position.seat) + position.turn.ended]


def pile(board: Board, counts: tuple[int, ...]) -> Document:
    """Return how many cards of each name a pile has."""
    return {card: number for card, number in zip(board.cards, counts, strict=True) if number}


FOR_TWO: Final = frozenset({"red", "blue"})
"""The colours with enough shields for a match of two (Origo 1)."""


def first_position(seats: Sequence[Seat], document: Document) -> Position:
    """Return the position before the first card is dealt. Raises ValueError for wrong seats."""
    if len(seats) not in SHIELDS:
        raise ValueError("there are 2 to 5 seats")
    if not set(seats) <= set(COLOURS) or len(set(seats)) != len(seats):
        raise ValueError(f"seats are different colours among {', '.join(COLOURS)}")
    if len(seats) == len(FOR_TWO) and set(seats) != FOR_TWO:
        raise ValueError("a match for two is red and blue, who alone have 44 shields")
    # Cards are dealt before the first shield is placed (Origo 2, ruling).
    return load(
        {
            "game": "origo",
            "board": document,
            "seats": [*seats],
            "to_act": CHANCE,
            "phase": "place",
            "draw": document["cards"],
        }
    )


def load(document: Json) -> Position:
    """Return the position a document describes. Raises BadDocument, naming the place."""
    node = Node(document)
    fields = node.fields(("game", "seats"), OPTIONAL)
    fields["game"].one_of(["origo"])
    node.field("edition", 1).whole(1, 1)
    board = read_board(fields["board"]) if "board" in fields else shipped_board()
    seats = tuple(fields["seats"].one_each(COLOURS))
    if len(seats) not in SHIELDS:
        fields["seats"].fail("there are 2 to 5 seats")
    return _Reader(board, seats, node).position()


class _Reader:
    """Reads the parts of a position document."""

    def __init__(self, board: Board, seats: tuple[Seat, ...], document: Node) -> None:
        self.board = board
        self.seats = seats
        # A field or its default, by name.
        self.field = document.field

    def position(self) -> Position:
        phase = self.field("phase", "turn").one_of(PHASES)
        shields, lands = self.shields(), self.field("founded", []).one_each(self.board.lands)
        founded = tuple(self.board.lands.index(land) for land in lands)
        turn, owner = self.turn(phase)
        combat, attacker = self.combat(phase, shields)
        # Whoever has spent cards in defence draws at the end of the turn (Origo 3).
        if combat and combat.defending:
            turn = turn._replace(defended=turn.defended | 1 << combat.defender)
        # The leaders stand on 1, 2, 3, … in turn order (Origo 2, ruling).
        leaders = range(1, len(self.seats) + 1)
        path = self.field("path", {}).each(self.seats, lambda node: node.whole(1), leaders)
        seat, chance = self.whose(phase, owner, attacker, path)
        supply = self.supply(shields, combat, attacker)
        number = self.field("round", 1).whole(1)
        position = Position(
            board=self.board,
            seats=self.seats,
            phase=phase,
            seat=seat,
            chance=chance,
            round=number,
            start=self.field("start_player", self.seats[0]).index(self.seats),
            passed=self.mask(self.field("passed", [])),
            # By default as if the round before had seen a new shield.
            supplied=self.field("supplied", number - 1).whole(0, number),
            # All stones or an empty supply are for good, so a document need not say it.
            last_round=self.field("last_round", default=False).flag()
            or len(founded) == len(self.board.track)
            or not all(supply),
            shields=shields,
            founded=founded,
            ordered=self.field("scorings_ordered", 0).whole(),
            supply=supply,
            path=path,
            hands=self.field("hands", {}).each(self.seats, self.cards, repeat(())),
            draw=self.field("draw", {}).counts(self.board.cards),
            discards=self.field("discards", {}).counts(self.board.cards),
            turn=turn,
            combat=combat,
        )
        self.must_agree(position)
        return position

    def mask(self, node: Node) -> int:
        return sum(1 << self.seats.index(seat) for seat in node.one_each(self.seats))

    def square(self, node: Node) -> int:
        if node.text() not in MASK:
            node.fail("must be a square, A1 to J10")
        return MASK[node.text()]

    def shields(self) -> tuple[int, ...]:
        masks = [0] * len(self.seats)
        for name, node in self.field("shields", {}).members().items():
            if name not in MASK:
                node.fail(f"{name} is no square; these are A1 to J10")
            masks[node.index(self.seats)] |= MASK[name]
        return tuple(masks)

    def cards(self, node: Node) -> tuple[int, ...]:
        return tuple(sorted(element.index(self.board.cards) for element in node.elements()))

    def supply(
        self, shields: tuple[int, ...], combat: Combat | None, attacker: int
    ) -> tuple[int, ...]:
        number = SHIELDS[len(self.seats)]
        # The attacking shield has left the supply and stands nowhere yet.
        left = [
            number - mask.bit_count() - (combat is not None and seat == attacker)
            for seat, mask in enumerate(shields)
        ]
        node = self.field("supply", {})
        supply = node.each(self.seats, Node.whole, left)
        for colour, rest in zip(self.seats, supply, strict=True):
            if rest < 0:
                node.fail(f"{colour} has more than {number} shields")
        return supply

    def turn(self, phase: Phase) -> tuple[TurnSoFar, int | None]:
        """Return the record of the turn, and its seat if given."""
        node = self.field("turn", {})
        steps = ("actions", "migrated", "exchanged", "sailed", "defended", "ended", "drawn")
        given = node.fields((), (*steps, "seat"))
        sailed = 0
        for square in node.field("sailed", []).elements():
            sailed |= self.square(square)
        owner = given["seat"].index(self.seats) if "seat" in given else None
        # The attack is a card action itself (Origo 3): after it nobody has passed.
        least = 1 if phase == "combat" else 0
        turn = TurnSoFar(
            actions=node.field("actions", least).whole(least, ACTIONS),
            migrated=node.field("migrated", default=False).flag(),
            exchanged=node.field("exchanged", default=False).flag(),
            sailed=sailed,
            defended=self.mask(node.field("defended", [])),
            ended=node.field("ended", default=False).flag(),
            drawn=node.field("drawn", 0).whole(),
        )
        return turn, owner

    def combat(self, phase: Phase, shields: tuple[int, ...]) -> tuple[Combat | None, int]:
        """Return the combat and its attacker."""
        node = self.field("combat", None)
        if phase != "combat":
            node.null("is only given in the phase 'combat'")
            return None, 0
        fields = node.fields(
            ("square", "attacker", "defender"), ("attacker_cards", "defender_cards")
        )
        square = self.square(fields["square"])
        sides = [fields[side].index(self.seats) for side in ("attacker", "defender")]
        if sides[0] == sides[1]:
            fields["defender"].fail("must be another than the attacker")
        if not shields[sides[1]] & square:
            fields["square"].fail("must bear a shield of the defender")
        attacking, defending = (
            self.cards(node.field(key, [])) for key in ("attacker_cards", "defender_cards")
        )
        return Combat(square, sides[1], attacking, defending), sides[0]

    def whose(
        self, phase: Phase, owner: int | None, attacker: int, path: tuple[int, ...]
    ) -> tuple[int, bool]:
        """Return the seat whose turn it is, and whether chance acts."""
        node = self.field("to_act", None)
        if phase == "over":
            node.null("must be null when the game is over")
            return 0, False
        chance = node.value == CHANCE
        if owner is not None and not chance:
            self.field("turn", {}).fail("'seat' is only given while chance acts")
        if chance and phase not in {"place", "turn"}:
            node.fail(f"chance does not act in the phase {phase!r}")
        if phase == "combat":
            return attacker, False
        if chance:
            return owner or 0, True
        # Whoever is last on the path names the start player (Origo 4).
        seat = path.index(min(path)) if phase == "start" else 0
        named = self.field("to_act", self.seats[seat]).one_of([*self.seats, CHANCE])
        return self.seats.index(named), False

    def must_agree(self, position: Position) -> None:
        """Refuse a position whose parts contradict each other, or in which no seat could go on."""
        actor = position.seats[position.actor]
        node = self.field("to_act", actor)
        if position.phase == "combat" and node.value != actor:
            node.fail(f"must be {actor}, the side that is behind")
        if position.chance and draw_due(position) is None:
            node.fail("chance has nothing to draw here")
        if position.phase == "start" and position.seat != last(position):
            node.fail(f"must be {self.seats[last(position)]}, who is last on the path")
        turn, node = position.turn, self.field("turn", {})
        if position.phase not in {"turn", "combat"} and turn != NEW_TURN and not position.chance:
            node.fail("only a turn in progress has done anything")
        if position.phase == "place" and turn._replace(drawn=0) != NEW_TURN:
            node.fail("nobody has had a turn while the first cards are dealt")
        if turn.ended and not position.chance:
            node.fail("'ended' is only true while chance acts")
        if turn.drawn and not position.chance:
            node.fail("'drawn' is only given while chance acts")
        if turn.exchanged and position.chance and not turn.ended and turn.drawn >= EXCHANGED:
            node.fail("both cards of the exchange are drawn")
        if turn.migrated and turn.exchanged:
            node.fail("a turn has a migration or an exchange, never both")
        # The mark goes with the shield (Origo 3), so it never lies on an empty square.
        if turn.sailed & ~position.shields[position.seat]:
            node.fail("'sailed' are squares with shields of the seat whose turn it is")
        been = [self.seats[seat] for seat in had_turn(position)]
        node = self.field("had_turn", list[Json](been))
        if sorted(node.one_each(self.seats)) != sorted(been):
            node.fail(f"must be {', '.join(been) or 'empty'}: all before the seat to act")
        for seat, colour in enumerate(self.seats):
            if position.passed >> seat & 1 and colour not in been:
                self.field("passed", []).fail(f"{colour} has not had a turn in this round")
        # While chance deals, too: the first shield is placed from just this position.
        if position.phase == "place":
            placed = position.shields[position.seat].bit_count()
            if placed >= STARTING[len(self.seats)] or not position.supply[position.seat]:
                message = f"{position.colour} has no starting shield left to place"
                self.field("to_act", None).fail(message)
            if not open_squares(position):
                self.field("phase", "place").fail("no square is left for a starting shield")


def view(position: Position, seat: Seat | None) -> View:
    """Return the view of a seat or a spectator: other hands and the draw pile are numbers."""
    document: Any = dump(position)
    for colour, hand in zip(position.seats, position.hands, strict=True):
        if colour != seat:
            document["hands"][colour] = len(hand)
    document["draw"] = sum(position.draw)
    return View(seat, document)


def redeal(position: Position, seat: Seat | None, rng: Random) -> Position:
    """Return a position with other hands and the draw pile dealt anew.

    Hands are never publicly known, so every deal of the unseen cards is possible.
    """
    pool = [card for card, number in enumerate(position.draw) for _ in range(number)]
    hidden = [i for i, colour in enumerate(position.seats) if colour != seat]
    for i in hidden:
        pool += position.hands[i]
    # The order must carry nothing of the true deal into the new one.
    pool.sort()
    rng.shuffle(pool)
    hands = list(position.hands)
    for i in hidden:
        hands[i] = tuple(sorted(pool.pop() for _ in position.hands[i]))
    draw = [0] * len(position.draw)
    for card in pool:
        draw[card] += 1
    return replace(position, hands=tuple(hands), draw=tuple(draw))


COMPLETE: Final = tuple(key for key in OPTIONAL if key not in {"supplied", "had_turn", "passed"})
"""The fields of a complete document; derived ones are optional."""


def check(document: Json) -> list[Fault]:
    """Return every fault of a document, or only the first if it cannot be read."""
    try:
        position = load(document)
    except BadDocument as error:
        return [Fault(error.path, error.message)]
    parts = dict.fromkeys(("supply", "path", "hands"), position.seats)
    faults = [*missing(document, COMPLETE, parts)]
    number = SHIELDS[len(position.seats)]
    # Only surplus shields are a fault: missing ones have left the game (Origo 3).
    for seat, colour in enumerate(position.seats):
        on_board = _on_board(position, seat)
        if on_board + position.supply[seat] > number:
            message = (
                f"{colour} has {on_board} shields on the board and {position.supply[seat]} in "
                f"supply, more than {number}; at most {max(0, number - on_board)} would be right"
            )
            faults.append(Fault(f"$.supply.{colour}", message))
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
            message = f"there are {found[card]} cards {card}, not {number}"
            faults.append(Fault(f"$.draw.{card}", message))
    taken: dict[int, str] = {}
    for colour, total in zip(position.seats, position.path, strict=True):
        # No two leaders share a field, which is why there are no ties (Origo 6).
        other = taken.setdefault(field(total), colour)
        if other != colour:
            message = f"the leaders of {other} and {colour} both stand on field {field(total)}"
            faults.append(Fault(f"$.path.{colour}", message))
    return faults


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
