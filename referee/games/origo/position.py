"""The complete state of a game of Origo, and its immediate consequences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from referee.games.game import CHANCE, Seat, Value
from referee.games.origo.board import Board
from referee.games.origo.squares import NEAR
from referee.value import put_at

Phase: TypeAlias = Literal["place", "turn", "combat", "start", "over"]
PHASES: Final[tuple[Phase, ...]] = get_args(Phase)

SHIELDS: Final = {2: 44, 3: 30, 4: 25, 5: 22}
"""Shields of each player, by number of players (Origo 1)."""

STARTING: Final = {2: 12, 3: 8, 4: 5, 5: 4}
"""Starting shields of each player, by number of players (Origo 2)."""

HAND: Final = 10
ACTIONS: Final = 2
EXCHANGED: Final = 2
QUIET_ROUNDS: Final = 10
"""Rounds in a row without a new shield of any seat that end the game (Origo 6)."""


class TurnSoFar(NamedTuple):
    """The record of the turn in progress.

    ``sailed`` has the squares of shields that have sailed, ``defended`` a bit for each seat that
    spent cards in defence. ``ended``: only drawing is left. ``drawn`` counts the cards that the
    seat drawing now has drawn.
    """

    actions: int = 0
    migrated: bool = False
    exchanged: bool = False
    sailed: int = 0
    defended: int = 0
    ended: bool = False
    drawn: int = 0

    @property
    def begun(self) -> bool:
        """Whether something was done, so the turn is no pass (Origo 3)."""
        return bool(self.actions or self.migrated or self.exchanged or self.sailed)


NEW_TURN: Final = TurnSoFar()


class Combat(NamedTuple):
    """A combat with the seat at turn: square, defender, and both sides' cards, sorted."""

    square: int
    defender: int
    attacking: tuple[int, ...]
    defending: tuple[int, ...]


class Position(Value):
    """The complete state of a game at one moment.

    Tuples run by seat or, for ``draw`` and ``discards``, by card of the board. ``seat`` is the
    index of whose turn it is, who places, or who names the start player; 0 when the game is over.
    ``passed`` has a bit for each seat that passed this round, ``supplied`` is the last round in
    which a shield left a supply. ``shields`` are masks; ``founded`` numbers the lands with a stone
    in the order of founding; ``path`` has totals; hands are sorted.
    """

    board: Board
    seats: tuple[Seat, ...]
    phase: Phase
    seat: int
    chance: bool
    round: int
    start: int
    passed: int
    supplied: int
    last_round: bool
    shields: tuple[int, ...]
    founded: tuple[int, ...]
    ordered: int
    supply: tuple[int, ...]
    path: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    draw: tuple[int, ...]
    discards: tuple[int, ...]
    turn: TurnSoFar = NEW_TURN
    combat: Combat | None = None

    @property
    def colour(self) -> Seat:
        """The seat at turn, or placing, or naming the start player."""
        return self.seats[self.seat]

    @property
    def occupied(self) -> int:
        """Every square with a shield on it."""
        mask = 0
        for own in self.shields:
            mask |= own
        return mask

    @property
    def actor(self) -> int:
        """The index of the seat that acts, chance aside: in a combat the side behind."""
        if self.combat is None:
            return self.seat
        attacker, defender = combat_points(self, self.combat)
        # Ties favour the defender: at equal points the attacker is behind (Origo 3).
        return self.combat.defender if attacker > defender else self.seat


def to_act(position: Position) -> Seat | None:
    """Return the seat that acts now, CHANCE, or None after the end."""
    if position.phase == "over":
        return None
    return CHANCE if position.chance else position.seats[position.actor]


def combat_points(position: Position, combat: Combat) -> tuple[int, int]:
    """Return the attacker's and the defender's points (Origo 3, attack, step 2)."""
    near = NEAR[combat.square]
    attacker = 2 * len(combat.attacking) + (near & position.shields[position.seat]).bit_count()
    # One for the shield attacked; the attacker's, only put beside it, counts nothing.
    shields = (near & position.shields[combat.defender]).bit_count() + 1
    return attacker, 2 * len(combat.defending) + shields


def owner_of(position: Position, square: int) -> int:
    """Return the index of a shield's owner by its square, -1 for a square without a shield."""
    for seat, mask in enumerate(position.shields):
        if mask & square:
            return seat
    return -1


def clockwise(position: Position, first: int) -> Iterator[int]:
    """Yield the seats in order, beginning with one."""
    number = len(position.seats)
    for step in range(number):
        yield (first + step) % number


def with_card(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return a hand with one card more."""
    # Sorted: in the order drawn, a hand would be another position with the same cards.
    return tuple(sorted((*hand, card)))


def hands_without(
    position: Position, seat: int, cards: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """Return all hands, that of a seat without some cards it holds."""
    left = list(position.hands[seat])
    for card in cards:
        left.remove(card)
    return put_at(position.hands, seat, tuple(left))


def discarded(discards: tuple[int, ...], cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return the discards with some cards more."""
    counts = list(discards)
    for card in cards:
        counts[card] += 1
    return tuple(counts)
