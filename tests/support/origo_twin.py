"""Answers what the rules of Origo allow, read sentence by sentence from a position document.

A second implementation that shares nothing with the game's own: everything is named by squares
and cards as people write them, and every question is answered by looking at all possibilities.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from support.origo_twin_board import AREA, BIG, SEAS, SHIELDS, SMALL, SQUARES, SQUARES_OF, beside

Key = tuple[Any, ...]


def subsets(cards: Iterable[str], sizes: Iterable[int]) -> set[tuple[str, ...]]:
    """Return every distinct choice of so many of the cards, each in alphabetical order."""
    held = sorted(cards)
    return {chosen for size in sizes for chosen in combinations(held, size)}


class Table:
    """A position document laid out on a table; orders change it."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.seats: list[str] = list(document["seats"])
        self.phase = document.get("phase", "turn")
        self.start_player = document.get("start_player", self.seats[0])
        self.to_act = document.get("to_act", self.seats[0])
        self.shields = dict(document.get("shields", {}))
        self.founded = list(document.get("founded", []))
        self.ordered = document.get("scorings_ordered", 0)
        self._read_pieces(document)
        self._read_combat(document.get("combat"))
        self._read_round(document)
        self.due: list[tuple[str, int]] = []
        self.ending = False

    def _read_pieces(self, document: dict[str, Any]) -> None:
        number = SHIELDS[len(self.seats)]
        on_map = Counter(self.shields.values())
        given = document.get("supply", {})
        self.supply = {s: given.get(s, number - on_map[s]) for s in self.seats}
        path = document.get("path", {})
        self.path = {s: path.get(s, i) for i, s in enumerate(self.seats, 1)}
        hands = document.get("hands", {})
        self.hands = {s: Counter(hands.get(s, [])) for s in self.seats}
        self.draw = Counter(document.get("draw", {}))
        self.discards = Counter(document.get("discards", {}))

    def _read_combat(self, combat: dict[str, Any] | None) -> None:
        self.square = combat["square"] if combat else None
        self.sides = (combat["attacker"], combat["defender"]) if combat else ()
        self.played = {
            side: Counter(combat[f"{role}_cards"])
            for side, role in zip(self.sides, ("attacker", "defender"), strict=False)
        }
        self.mover = self.sides[0] if self.sides else self.to_act

    def _read_round(self, document: dict[str, Any]) -> None:
        turn = document.get("turn", {})
        self.actions = turn.get("actions", 0)
        self.migrated = turn.get("migrated", False)
        self.exchanged = turn.get("exchanged", False)
        self.sailed = set(turn.get("sailed", []))
        self.defended = set(turn.get("defended", []))
        self.round = document.get("round", 1)
        order = self.from_seat(self.start_player)
        before = order[: order.index(self.mover)] if self.mover in order else []
        self.had_turn = list(document.get("had_turn", before))
        self.passed = list(document.get("passed", []))
        self.quiet, self.stirred = 0, False

    def fork(self) -> Table:
        """Return an independent copy."""
        return copy.deepcopy(self)

    def state(self) -> dict[str, Any]:
        """Return everything on the table, to be compared; the turn's marks while it goes on."""
        held = {
            "to_act": self.to_act,
            "phase": self.phase,
            "shields": dict(self.shields),
            "founded": list(self.founded),
            "ordered": self.ordered,
            "supply": dict(self.supply),
            "path": dict(self.path),
            "hands": {seat: dict(+hand) for seat, hand in self.hands.items()},
            "pile": dict(self.pile()),
            "discards": dict(+self.discards) if +self.draw else {},
            "combat": (self.square, self.sides, {s: dict(+c) for s, c in self.played.items()}),
        }
        if self.to_act in self.seats and self.phase in ("turn", "combat"):
            held |= {
                "start player": self.start_player,
                "round": (self.round, sorted(self.had_turn), sorted(self.passed)),
                "done": (self.actions, self.migrated, self.exchanged),
                "marks": (sorted(self.sailed), sorted(self.defended)),
            }
        return held

    def from_seat(self, seat: str) -> list[str]:
        """Return the seats clockwise, beginning with one; §3."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    def free(self, square: str) -> bool:
        """Tell whether a square of the board bears no shield."""
        return square in AREA and square not in self.shields

    def is_sea(self, square: str) -> bool:
        """Tell whether a square lies in one of the seas; §1."""
        return AREA[square] in SEAS

    def own(self, seat: str) -> set[str]:
        """Return the squares of a player's shields."""
        return {square for square, owner in self.shields.items() if owner == seat}

    def next_to_own(self, seat: str, square: str) -> int:
        """Return how many shields of a player stand next to a square."""
        return len(beside(square) & self.own(seat))

    def linked(self, square: str) -> set[str]:
        """Return the shields of one owner linked to the one on a square by a chain; §3, §1."""
        own = self.own(self.shields[square])
        found = {square}
        while more := {s for known in found for s in beside(known) & own} - found:
            found |= more
        return found

    def reach(self, square: str) -> set[str]:
        """Return where the shield on a square may migrate or sail; §3."""
        return {s for known in self.linked(square) for s in beside(known) if self.free(s)}

    def valid(self, card: str, square: str, seat: str) -> bool:
        """Tell whether a card names a square for a player, to expand or to fight; §3."""
        kind, _, names = card.partition(":")
        if kind == "row":
            return square[0] in names.split("/")
        if kind == "col":
            return square[1:] in names.split("/")
        if kind == "land":
            return AREA[square] == names
        if kind == "ship":
            return self.is_sea(square)
        return self.next_to_own(seat, square) > 0

    def full(self, area: str) -> bool:
        """Tell whether no square of a land or sea is free."""
        return all(square in self.shields for square in SQUARES_OF[area])

    def target(self, seat: str, square: str) -> bool:
        """Tell whether a player may attack a square, cards apart; §3, attack."""
        if self.shields.get(square, seat) == seat or not self.next_to_own(seat, square):
            return False
        area = AREA[square]
        return self.full(area) if area in SEAS else area in self.founded

    def points(self) -> tuple[int, int]:
        """Return attacker's and defender's points; §3, attack 2."""
        attacker, defender = self.sides
        a = 2 * self.played[attacker].total() + self.next_to_own(attacker, self.square)
        d = 2 * self.played[defender].total() + self.next_to_own(defender, self.square)
        return a, d + 1

    def orders(self) -> set[Key]:
        """Return every legal order of who is to act, chance included."""
        if self.to_act is None:
            return set()
        if self.to_act == "chance":
            return {("draw", self.due[0][0], card) for card in self.pile()}
        return {
            "place": self._placings,
            "turn": self._turn_orders,
            "combat": self._answers,
            "start": lambda: {("start", seat) for seat in self.seats},
        }[self.phase]()

    def pile(self) -> Counter[str]:
        """Return the cards the next one comes from; §3."""
        return +self.draw or +self.discards

    def capped(self, square: str) -> bool:
        """Tell whether a land holds as many starting shields as it may; §2.3."""
        area = AREA[square]
        most = 4 if area in BIG else 2 if area in SMALL else 100
        return sum(s in self.shields for s in SQUARES_OF[area]) >= most

    def _placings(self) -> set[Key]:
        return {("place", s) for s in SQUARES if self.free(s) and not self.capped(s)}

    def _turn_orders(self) -> set[Key]:
        seat = self.to_act
        found: set[Key] = {("done",) if self.did_something() else ("pass",)}
        if self.actions < 2 and self.supply[seat] > 0:
            found |= self._card_actions(seat)
        if not self.migrated and not self.exchanged:
            pairs = subsets(self.hands[seat].elements(), [2])
            found |= {("exchange", pair) for pair in pairs}
            found |= {("migrate", *move) for move in self._moves(seat, on_sea=False)}
        moves = self._moves(seat, on_sea=True)
        return found | {("sail", s, goal) for s, goal in moves if s not in self.sailed}

    def did_something(self) -> bool:
        """Tell whether the turn is no pass; §3."""
        return bool(self.actions or self.migrated or self.exchanged or self.sailed)

    def _moves(self, seat: str, *, on_sea: bool) -> set[tuple[str, str]]:
        starts = {s for s in self.own(seat) if self.is_sea(s) is on_sea}
        return {(s, goal) for s in starts for goal in self.reach(s)}

    def _card_actions(self, seat: str) -> set[Key]:
        hand = +self.hands[seat]
        found: set[Key] = {
            ("expand", square, card)
            for square in SQUARES
            for card in hand
            if self.free(square) and self.valid(card, square, seat)
        }
        for square in SQUARES:
            if self.target(seat, square):
                cards = [c for c in hand.elements() if self.valid(c, square, seat)]
                chosen = subsets(cards, range(1, len(cards) + 1))
                found |= {("attack", square, each) for each in chosen}
        return found

    def _answers(self) -> set[Key]:
        hand = +self.hands[self.to_act]
        cards = {card for card in hand if self.valid(card, self.square, self.to_act)}
        return {("yield",)} | {("add", card) for card in cards}


def key_of(line: str) -> Key:
    """Return what an English line orders, cards of one order sorted."""
    word, *rest = line.split()
    if word == "expand":
        return (word, rest[0], rest[2])
    if word == "attack":
        return (word, rest[0], tuple(sorted(rest[2:])))
    if word == "exchange":
        return (word, tuple(sorted(rest)))
    return (word, *rest)
