"""The referee's protocol for any game of the engine; a game says only what differs.

Two things are told apart. A *move* is a text as players write it, and names what is done in any
position alike; the *legal* moves of a position are texts too, one for each thing that may be done.
Which of them a written move means only the position tells.

The engine (OpenSpiel, imported only when a game of it is played) takes an illegal action without a
word in some games, so nothing reaches it but actions that it lists itself.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeAlias, get_type_hints

from msgspec import convert

from referee.games.defaults import Defaults
from referee.games.documents import Node, missing
from referee.games.game import (
    MOST_SUGGESTIONS,
    BadDocument,
    Board,
    Fault,
    Option,
    Options,
    Refusal,
    Result,
    Unreadable,
    View,
)
from referee.games.notation import LONGEST_WORD, bare
from referee.games.play import complete_options, merits, places
from referee.games.scene import Move as Way
from referee.games.scene import Scene
from referee.games.values import CHANCE, Document, Fact, Json, Order, Seat
from referee.text import likeness
from referee.value import Value, replace
from referee_classics.data import SHARED, data, retold

State: TypeAlias = Any
"""A state of the engine, which has no types."""

Listing: TypeAlias = Callable[[State], dict[str, tuple[int, ...]]]
"""How a game names what may be done in a state: the engine's actions in sequence, by text."""

MOST_KEPT: Final = 500
"""States that are kept, of about ten kilobytes each: those of the matches that are played now."""

LARGEST: Final = MappingProxyType({"havannah": "havannah(board_size=10)", "y": "y(board_size=19)"})
"""The largest board of games whose states break when a larger one begins than any before.

The engine keeps the neighbours of all boards in one table that moves when it grows, and the states
of smaller boards go on to look where it was.
"""


class Reached:
    """A state that was reached, and what may be done in it, listed once."""

    def __init__(self, state: State, listing: Listing) -> None:
        self.state = state
        self._listing = listing

    @cached_property
    def legal(self) -> dict[str, tuple[int, ...]]:
        """The engine's actions of each legal move, by its text; of chance, of each outcome."""
        return {} if self.state.is_terminal() else self._listing(self.state)


Key: TypeAlias = tuple[Listing, str, str, tuple[str, ...]]

_KEPT: OrderedDict[Key, Reached] = OrderedDict()


@cache
def rules_of(parameters: str) -> Any:
    """Return the engine's game, such as ``go(board_size=9)``."""
    import pyspiel  # noqa: PLC0415 - half a second, and only for those who play

    if largest := LARGEST.get(parameters.partition("(")[0]):
        pyspiel.load_game(largest).new_initial_state()
    return pyspiel.load_game(parameters)


def beginning(parameters: str, start: str) -> State:
    """Return the state in which a game begins: the usual one, or that of a text of the engine's."""
    rules = rules_of(parameters)
    return rules.new_initial_state(start) if start else rules.new_initial_state()


def reach(parameters: str, start: str, moves: Sequence[str], listing: Listing) -> Reached:
    """Return the state that moves lead to. Raises ValueError at the first that is not listed.

    The state is shared and must not be changed: play on a clone.
    """
    game, played, known = (listing, parameters, start), tuple(moves), len(moves)
    # Taken out and put back as the latest, for another thread may drop it between two looks.
    while (reached := _KEPT.pop((*game, played[:known]), None)) is None and known:
        known -= 1
    reached = reached or Reached(beginning(parameters, start), listing)
    _KEPT[*game, played[:known]] = reached
    for number, move in enumerate(played[known:], known + 1):
        if (actions := reached.legal.get(move)) is None:
            raise ValueError(f"move {number}, {move!r}, cannot be played")
        state = reached.state.clone()
        for action in actions:
            state.apply_action(action)
        reached = _KEPT[*game, played[:number]] = Reached(state, listing)
        while len(_KEPT) > MOST_KEPT:
            _KEPT.popitem(last=False)
    return reached


class Move(Order):
    """Make a move, as the players of the game write it."""

    word: ClassVar[str] = "move"
    move: str


class Chance(Order):
    """Chance: roll the dice, or deal a card."""

    word: ClassVar[str] = "chance"
    outcome: str


class Position(Value):
    """The complete state: everything but the moves is settled when the game begins.

    Its document has the board too, so that an engine which reads the moves in another way is
    noticed. ``rules`` are the engine's game and its parameters, ``start`` the engine's text of the
    first state (empty: the usual one), ``options`` those of the match, by name.
    """

    rules: str
    start: str
    seats: tuple[Seat, ...]
    options: tuple[tuple[str, str | int | bool], ...]
    moves: tuple[str, ...] = ()


Why: TypeAlias = tuple[str, Mapping[str, Json]]
"""The code and fields of a refusal."""

FIELDS: Final = ("game", "edition", "seats", "options", "start", "moves", "board")


class Classic(Defaults, ABC):
    """A game of the engine, in one edition; ``engine`` is the name of the engine's game.

    A game of its own kind is a class below this one. Its refusals cite no paragraph of the rules.
    ``ends`` are why a game is won, and why it is drawn, empty where it cannot be; ``written`` is
    how moves, or words of them, are written in other languages, and ``space`` the pattern of the
    spaces of a move; ``said`` are the moves that are words, by each way to say them, and ``retell``
    the words in which only its orders are told, with their signs. ``family`` are the packages of
    words and schemas that it shares with others.
    """

    name: str
    edition: int = 1
    engine: str
    colours: tuple[Seat, ...] = ("white", "black")
    seats: range = range(2, 3)
    max_orders: int = 2000
    ends: tuple[str, str] = ("won", "drawn")
    endings: frozenset[str] = frozenset()
    options: Mapping[str, Option] = {}
    order_types: Mapping[str, type[Order]] = {"move": Move, "chance": Chance}
    written: Mapping[str, Mapping[str, str]] = {}
    said: Mapping[str, str] = {}
    retell: Sequence[Sequence[str]] = ()
    space: str = r"[a-z][0-9]+"
    draws: bool = True
    annotated: bool = True
    scored: bool = False
    family: tuple[str, ...] = (SHARED,)

    def uses_chance(self, options: Options) -> bool:
        return False

    @property
    def players(self) -> Mapping[Seat, int]:
        """The engine's number of each seat."""
        return {seat: number for number, seat in enumerate(self.colours)}

    @property
    def resources(self) -> tuple[str, ...]:
        """The packages of words, rules in short and schemas."""
        return f"referee_classics.{self.name}", *self.family

    def __init__(self, name: str) -> None:
        """Take the game's row in the data of its package: its attributes that are no code."""
        self.name, kinds = name, get_type_hints(type(self))
        self.package = ".".join(type(self).__module__.split(".")[:2])
        for key, value in data(self.package)[name].items():
            setattr(self, key, convert(value, kinds[key]))
        self.endings = self.endings or frozenset(filter(None, self.ends))

    # How a game differs.

    def parameters(self, options: Options) -> str:
        """Return the engine's game with its parameters, for options."""
        return self.engine.format(**{name: str(value).lower() for name, value in options.items()})

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        """Return the engine's actions of each legal move in a state, by its text."""
        return {self.spell(state, action): (action,) for action in state.legal_actions()}

    def spell(self, state: State, action: int) -> str:
        text: str = state.action_to_string(action)
        return text

    def tidy(self, line: str) -> str:
        """Return a line as a move may stand in it, by what its package lists under ``told``."""
        return retold(self.package, line, self.retell)

    def readings(self, position: Position, move: str) -> list[str]:
        """Return the legal moves that a written one may mean."""
        legal = self.reached(position).legal
        return [move] if move in legal else []

    def why_not(self, position: Position, move: str) -> Why:
        """Return the code and fields of a refusal of a move that is none of the legal ones."""
        return "illegal", {"move": move}

    def to_text(self, move: str, language: str) -> str:
        words = self.written.get(language, {})
        return words.get(move) or " ".join(words.get(word, word) for word in move.split(" "))

    def is_drawn(self, position: Position) -> bool:
        """Return whether a game that is over ranks all seats alike."""
        return len({*self.gains(position).values()}) == 1

    def ending(self, position: Position) -> str:
        return self.ends[self.is_drawn(position)]

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        seat = self.to_act(before)
        return [Fact("moved", {"seat": seat, "move": move, "spaces": list(self.way(before, move))})]

    def way(self, position: Position, move: str) -> tuple[str, ...]:
        """Return the spaces of a move, from the first to the last."""
        return tuple(re.findall(self.space, move))

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:
        """Return the spaces or signs that are clicked in sequence to compose a legal move."""
        if not isinstance(order, Move):
            return ()
        # A move that is a word is chosen by it.
        return self.way(self.seen(view), order.move) or (order.move,)

    def seen(self, view: View) -> Position:
        """Return the position of a view that hides nothing."""
        document: Any = view.document
        board = {"start": document["start"]}
        position = self.start(document["seats"], document["options"], board)
        return replace(position, moves=tuple(document["moves"]))

    def moves(self, facts: Sequence[Fact]) -> list[Way]:
        """Return the ways that facts tell of."""
        return [
            Way(str(fact.fields["seat"]), tuple(map(str, spaces)))
            for fact in facts
            if isinstance(spaces := fact.fields.get("spaces"), list) and len(spaces) > 1
        ]

    def board_text(self, position: Position) -> str:
        """Return the board as text; moves give the same one in every version of the engine."""
        return str(self.reached(position).state)

    # The protocol.

    def reached(self, position: Position) -> Reached:
        return reach(position.rules, position.start, position.moves, self.listing)

    def board(
        self, seats: Sequence[Seat], options: Options, given: Board | None, rng: Random
    ) -> Board:
        return self.read_board({"start": self.wanted(options, rng)} if given is None else given)

    def wanted(self, options: Options, rng: Random) -> str:
        """Return the start that options ask for, empty for the usual one."""
        return ""

    def read_board(self, board: Json) -> Board:
        """Return a board document; it has a ``start`` at most. Raises BadDocument."""
        start = Node(board).fields((), ("start",)).get("start", Node(""))
        return {"start": self.read_start(start)} if start.text() else {}

    def read_start(self, node: Node) -> str:
        """Return the text of a start that can be played. Raises BadDocument for any other."""
        node.fail("must be left out: the game begins with the usual position")

    def start(
        self, seats: Sequence[Seat], options: Options, board: Board | None = None
    ) -> Position:
        if len(seats) not in self.seats or not set(seats) <= set(self.colours):
            raise ValueError(f"{self.name} is played by {', '.join(self.colours)}, not {seats!r}")
        if len(set(seats)) < len(seats):
            raise ValueError(f"a seat is named twice among {seats!r}")
        start = str(self.read_board(board or {}).get("start", ""))
        settled, rules = tuple(sorted(options.items())), {**options, "seats": len(seats)}
        position = Position(self.parameters(rules), start, tuple(seats), settled)
        self.check_start(position)
        return position

    def check_start(self, position: Position) -> None:
        """Raise BadDocument for a start that seats and options do not fit."""

    def to_act(self, position: Position) -> Seat | None:
        state = self.reached(position).state
        if state.is_terminal():
            return None
        if state.is_chance_node():
            return CHANCE
        return self.seat_of(position, state.current_player())

    def seat_of(self, position: Position, player: int) -> Seat:
        return next(seat for seat, number in self.players.items() if number == player)

    def orders(self, position: Position) -> Sequence[Order]:
        reached = self.reached(position)
        return [] if reached.state.is_chance_node() else [*map(Move, reached.legal)]

    def chance(self, position: Position) -> Sequence[tuple[Order, int]]:
        return [(Chance(text), 1) for text in sorted(self.reached(position).legal)]

    def is_move(self, move: str) -> bool:
        """Return whether a text is a move in the spelling in which lines are read; JSON may lie."""
        try:
            return self.parse(move, "en") == Move(move)
        except Unreadable:
            return False

    def refusal(self, position: Position, order: Order) -> Refusal | None:
        move, readings = order.move if isinstance(order, Move) else "", list[str]()
        why: Why = "illegal", {"move": move[:LONGEST_WORD]}
        if not isinstance(order, Move):
            why = "only-chance", {}
        elif self.is_move(move):
            readings = self.readings(position, move)
            if len(readings) == 1:
                return None
            several: Why = "several", {"move": move, "readings": [*readings]}
            why = several if readings else self.why_not(position, move)
        legal = (readings or self.nearest(position, move))[:MOST_SUGGESTIONS]
        return Refusal(why[0], "", why[1], tuple(map(Move, legal)))

    def nearest(self, position: Position, move: str) -> list[str]:
        """Return legal moves, those that are most like a written one first."""
        legal = self.reached(position).legal
        return sorted(legal, key=lambda other: -likeness(move, other))

    def canonical(self, position: Position, order: Order) -> Order:
        if not isinstance(order, Move) or self.to_act(position) in {None, CHANCE}:
            return order
        readings = self.readings(position, order.move) if self.is_move(order.move) else []
        return Move(readings[0]) if len(readings) == 1 else order

    def apply(self, position: Position, order: Order) -> tuple[Position, tuple[Fact, ...]]:
        if isinstance(order, Chance):
            after = replace(position, moves=(*position.moves, order.outcome))
            return self.going_on(after), tuple(self.drawn(position, order.outcome, after))
        if not isinstance(order, Move):
            raise TypeError(f"no order of {self.name}: {order!r}")
        # An order of a record stands there in its one spelling; one of a person may not.
        legal = self.reached(position).legal
        move = order.move if order.move in legal else self.readings(position, order.move)[0]
        after = replace(position, moves=(*position.moves, move))
        return self.going_on(after), tuple(self.told(position, move, after))

    def going_on(self, position: Position) -> Position:
        """Return the position from which a match goes on after one that was reached."""
        return position

    def drawn(self, before: Position, outcome: str, after: Position) -> list[Fact]:
        return [Fact("drawn", {"outcome": outcome})]

    def forced(self, position: Position) -> Order | None:
        orders = self.orders(position) if self.to_act(position) else []
        return orders[0] if len(orders) == 1 else None

    def idle(self, position: Position) -> Order | None:
        return None

    def points(self, position: Position) -> Mapping[Seat, int]:
        return dict.fromkeys(position.seats, 0)

    def gains(self, position: Position) -> Mapping[Seat, float]:
        """Return the numbers that rank the seats at the end of a match, the highest first."""
        if self.scored:
            return merits(self, position)
        returns = self.reached(position).state.returns()
        return {seat: returns[self.players[seat]] for seat in position.seats}

    def result(self, position: Position) -> Result | None:
        if self.to_act(position) is not None:
            return None
        ranked = places(self.gains(position))
        return Result(self.ending(position), dict(self.points(position)), ranked)

    def view(self, position: Position, seat: Seat | None) -> View:
        return View(seat, {**self.dump(position), "to_act": self.to_act(position)})

    @abstractmethod
    def scene(self, view: View) -> Scene: ...

    def redeal(self, position: Position, seat: Seat | None, rng: Random) -> Position:
        # Nothing is hidden.
        return position

    def parse(self, line: str, language: str) -> Order:
        tidied = self.tidy(bare(line))
        spellings = iter(self.spellings(tidied, language))
        if (move := self.said.get(tidied) or next(spellings, None)) is not None:
            return Move(move)
        if (outcome := self.read_outcome(tidied)) is not None:
            return Chance(outcome)
        raise Unreadable("unknown-order", chatter=True, word=line[:LONGEST_WORD])

    @abstractmethod
    def spellings(self, tidied: str, language: str) -> Iterable[str]:
        """Return the moves that a tidied line may be, the likeliest first; none for talk."""

    def read_outcome(self, tidied: str) -> str | None:
        """Return the outcome of chance that a tidied line names, if any."""
        return None

    def format(self, order: Order, language: str) -> str:
        if isinstance(order, Move):
            return self.to_text(order.move, language)
        if isinstance(order, Chance):
            return order.outcome
        raise TypeError(f"no order of {self.name}: {order!r}")

    def load(self, document: Json) -> Position:
        node = Node(document)
        fields = node.fields(("game",), FIELDS[1:])
        fields["game"].one_of([self.name])
        node.field("edition", self.edition).whole(self.edition, self.edition)
        given = node.field("seats", list(self.colours[: self.seats[-1]]))
        seats = tuple(given.one_each(self.colours))
        if len(seats) not in self.seats:
            given.fail(f"must be {self.seats[0]} to {self.seats[-1]} seats")
        chosen = node.field("options", {})
        values: dict[str, Any] = {name: value.value for name, value in chosen.members().items()}
        try:
            options = complete_options(self, values)
        except ValueError as error:
            chosen.fail(str(error))
        position = self.start(seats, options, {"start": node.field("start", "").value})
        for element in node.field("moves", []).elements():
            move = element.text()
            if self.to_act(position) is None or move not in self.reached(position).legal:
                element.fail(f"{move!r} cannot be played here")
            position = self.going_on(replace(position, moves=(*position.moves, move)))
        text = self.board_text(position)
        if node.field("board", text).text() != text:
            node.field("board", text).fail(f"the moves lead to another board: {text}")
        return position

    def dump(self, position: Position) -> Document:
        return {
            "game": self.name,
            "edition": self.edition,
            "seats": [*position.seats],
            "options": dict(position.options),
            "start": position.start,
            "moves": [*position.moves],
            "board": self.board_text(position),
        }

    def check(self, document: Json) -> Sequence[Fault]:
        try:
            self.load(document)
        except BadDocument as error:
            return [Fault(error.path, error.message)]
        return missing(document, FIELDS, {"options": self.options})

    def pieces(self, position: Position) -> Mapping[str, int]:
        return {}
