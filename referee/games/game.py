"""The protocol of a game, and the values it speaks in.

Everything here is pure: no clock, no files but the package's, no generator of its own. Chance is a
seat called "chance".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from msgspec import field

from referee.games.policies import Expired, Policy
from referee.games.scene import (
    Area,
    Called,
    Card,
    CardKind,
    Cell,
    CellValue,
    Choice,
    Face,
    Figure,
    Ground,
    Heading,
    Mark,
    MotifName,
    Move,
    Panel,
    Place,
    Question,
    Row,
    Scene,
    Scoresheet,
    Secret,
    Shape,
    Side,
    Table,
    Track,
    Word,
)
from referee.games.values import CHANCE, Document, Fact, Json, Order, Seat, Sentence
from referee.resources import languages
from referee.value import Value, replace

__all__ = [
    "ABANDONED", "CHANCE", "LANGUAGES", "MOST_SUGGESTIONS", "Ambiguous", "AnyGame", "Area",
    "BadDocument", "Board", "Called", "Card", "CardKind", "Cell", "CellValue", "Choice", "Document",
    "Face", "Fact", "Fault", "Figure", "FileFormat", "Game", "Ground", "Heading", "Json", "Mark",
    "MotifName", "Move", "Option", "Options", "Order", "Panel", "Place", "Question", "Refusal",
    "Result", "Row", "Scene", "Scoresheet", "Seat", "Secret", "Sentence", "Shape", "Side", "Table",
    "Track", "Transcript", "Unreadable", "Value", "View", "Word", "replace",
]  # fmt: skip

Board: TypeAlias = Document
"""A board document, as its game's ``board.schema.json`` describes it."""

Options: TypeAlias = Mapping[str, str | int | bool]
"""The variants of a match, complete: every option has its value."""

ABANDONED: Final = "abandoned"
"""The ending of a match that was broken off, in any game."""

LANGUAGES: Final = languages()
"""The languages players may read; a game without words in one speaks English."""

MOST_SUGGESTIONS: Final = 10
"""Legal orders a refusal names at most."""


class Refusal(Value):
    """Why an order may not be played. Worded by the game's sentences under ``code``.

    ``rule`` cites the paragraph (``Nord A1.2``), if any; ``legal`` holds at most ten orders that
    could be played instead, nearest first.
    """

    code: str
    rule: str
    fields: Mapping[str, Json] = field(default_factory=dict)
    legal: tuple[Order, ...] = ()


class Unreadable(Exception):
    """The line or document is no order of this game.

    ``code`` and ``fields`` are worded by the game's sentences (or the core's) under ``unreadable``.
    ``chatter`` is true when the text does not even look like an order: no known keyword followed
    by what that order takes.
    """

    def __init__(self, code: str, *, chatter: bool = False, **fields: Json) -> None:
        super().__init__(code, fields)
        self.code = code
        self.chatter = chatter
        self.fields: Mapping[str, Json] = fields


class Ambiguous(Unreadable):
    """The line could be two orders; ``meanings`` holds them as text."""

    def __init__(self, meanings: Sequence[str]) -> None:
        super().__init__("ambiguous", meanings=list(meanings))
        self.meanings = tuple(meanings)


class BadDocument(ValueError):
    """A position or board document is unusable. Names the place and the right content."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


class Option(Value):
    """A variant of a game: its default and its other values.

    ``choices`` lists the values; for a number ``least`` and ``most`` bound it instead; None for
    both means any text. ``about`` is one English line for the command line's help.
    """

    default: str | int | bool
    about: str
    choices: tuple[str, ...] | None = None
    least: int | None = None
    most: int | None = None


class View(Value):
    """The position as one seat (None: a spectator) may see it, as a JSON document."""

    seat: Seat | None
    document: Document


class Result(Value):
    """The result of a match: ending, points and places by seat. Equal places are shared."""

    ending: str
    points: Mapping[Seat, int]
    places: Mapping[Seat, int]

    @property
    def ranks(self) -> bool:
        """Whether the places mean anything. Where a match was broken off, all are the first."""
        return self.ending != ABANDONED


class Transcript(Value):
    """A match as a file of its game's own tells it, such as PGN of chess.

    ``orders`` are English lines, those of chance included. A file that is written has all fields
    but ``places``. One that is read need not tell forced orders, and gives what it knows: for each
    order its place, such as ``line 12, move 31``; a board that is not the usual one; and the
    result, whose points are not looked at. Dates are those of ISO 8601, ``2026-11-20``; of one that
    is read ``??`` may stand for a month or day.
    """

    seats: tuple[Seat, ...]
    options: Options
    orders: tuple[str, ...]
    board: Board | None = None
    result: Result | None = None
    players: Mapping[Seat, str] = field(default_factory=dict)
    match: str = ""
    began: str = ""
    ended: str = ""
    places: tuple[str, ...] = ()


class FileFormat(Value):
    """A kind of file in which a game's matches are kept by other programs.

    ``media`` is its type for mails (RFC 2046). ``read`` gives the matches of a text one after the
    other, and raises BadDocument, which names the line or move, for a text that is none.
    """

    media: str
    write: Callable[[Transcript], str]
    read: Callable[[str], Iterable[Transcript]]


class Fault(Value):
    """A fault of a position document: the place, and the right content."""

    path: str
    message: str


P = TypeVar("P")


class Game(Protocol[P]):
    """The rules of one game in one edition. Every method is pure.

    ``order_types`` maps words to kinds of order; ``max_orders`` bounds random games in tests;
    ``endings`` names every way the game can end; ``resources`` is the package that holds its
    ``schemas/``, ``boards/`` and ``words/``, or several, of which an earlier one goes first.
    ``policies`` maps words to kinds of policy; examples of them stand in the game's words as
    ``policies`` under ``help``, beside those of its orders.

    ``files`` maps endings of names, such as ``pgn``, to the :class:`FileFormat` of the game's own
    files. ``scored``: everybody has points, of which the ``fewest`` or the most win; ``draws``: the
    players may agree on a draw; ``annotated``: a move may bear signs such as ``!?``; ``joins``:
    orders on lines of their own may be parts of one, as those of a roll; ``partners``: so many
    seats win and lose together. What most games say alike stands in
    :class:`referee.games.defaults.Defaults`.
    """

    name: str
    edition: int
    colours: tuple[Seat, ...]
    seats: range
    max_orders: int
    endings: frozenset[str]
    options: Mapping[str, Option]
    order_types: Mapping[str, type[Order]]
    policies: Mapping[str, type[Policy]]
    scored: bool
    fewest: bool
    draws: bool
    annotated: bool
    joins: bool
    partners: int

    @property
    def resources(self) -> str | tuple[str, ...]: ...
    @property
    def files(self) -> Mapping[str, FileFormat]: ...

    def uses_chance(self, options: Options) -> bool:
        """Return whether chance has any part in a match with these options."""
        ...

    def board(
        self, seats: Sequence[Seat], options: Options, given: Board | None, rng: Random
    ) -> Board:
        """Return the complete board of a match. Chance may help to build it.

        ``given`` is an organiser's board file, if any. Called once, before the first event; the
        result is stored with the match. Raises BadDocument when ``given`` breaks a rule.
        """
        ...

    def start(self, seats: Sequence[Seat], options: Options, board: Board | None = None) -> P:
        """Return the first position, by default on the game's own board.

        Raises ValueError when seats or options do not fit.
        """
        ...

    def to_act(self, position: P) -> Seat | None:
        """Return the seat that acts now, CHANCE, or None after the end."""
        ...

    def orders(self, position: P) -> Sequence[Order]:
        """Return every legal order now, canonical, in a stable sequence."""
        ...

    def chance(self, position: P) -> Sequence[tuple[Order, int]]:
        """Return the possible acts of chance with integer weights, sorted by text."""
        ...

    def refusal(self, position: P, order: Order) -> Refusal | None:
        """Return why the seat to act may not play the order, or None if it may."""
        ...

    def apply(self, position: P, order: Order) -> tuple[P, tuple[Fact, ...]]:
        """Return the position after a legal order, and the facts in sequence."""
        ...

    def forced(self, position: P) -> Order | None:
        """Return the only order there is, if everybody can see that."""
        ...

    def idle(self, position: P) -> Order | None:
        """Return the rules' order for a seat out of time, if any."""
        ...

    def view(self, position: P, seat: Seat | None) -> View:
        """Return the view of a seat (None: a spectator)."""
        ...

    def scene(self, view: View) -> Scene:
        """Return a view described for drawing."""
        ...

    def points(self, position: P) -> Mapping[Seat, int]:
        """Return everybody's points now."""
        ...

    def result(self, position: P) -> Result | None:
        """Return the result; None while the game runs."""
        ...

    def redeal(self, position: P, seat: Seat | None, rng: Random) -> P:
        """Return a position dealt anew behind an unchanged view of the seat."""
        ...

    def parse(self, line: str, language: str) -> Order:
        """Return the order of a line, in any language's words. Raises Unreadable or Ambiguous."""
        ...

    def format(self, order: Order, language: str) -> str:
        """Return an order as a line, which is read as the same order again."""
        ...

    def parts(self, line: str) -> Sequence[str]:
        """Return a line with several orders under one word as lines of one; another as it is."""
        ...

    def consent(self, position: P) -> Order | None:
        """Return the order that a plain yes means, such as agreeing to what the other side said."""
        ...

    def dissent(self, position: P) -> Order | None:
        """Return the order that a plain no means, if any."""
        ...

    def scoresheets(self, facts: Sequence[Fact]) -> Iterable[Fact | Scoresheet]:
        """Return facts, those of each scoring replaced by its sheet if the game makes sheets."""
        ...

    def moves(self, facts: Sequence[Fact]) -> Iterable[Move]:
        """Return the ways that facts tell of; they are drawn as arrows."""
        ...

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:
        """Return the choices, one after another, that compose an order.

        Such as the spaces from and to; none if the order's own words say them.
        """
        ...

    def canonical(self, position: P, order: Order) -> Order:
        """Return the order without its dispensable parts in this position."""
        ...

    def load(self, document: Json) -> P:
        """Return a document's position, with defaults for missing parts. Raises BadDocument."""
        ...

    def dump(self, position: P) -> Document:
        """Return the complete document of a position."""
        ...

    def check(self, document: Json) -> Sequence[Fault]:
        """Return every fault of a document: missing parts, and pieces lost or added."""
        ...

    def pieces(self, position: P) -> Mapping[str, int]:
        """Count the pieces left of those that can leave the game.

        The game chooses their names. Pieces that ``check`` counts by itself need not be named. No
        order makes one more; a position set by an organiser may not have one less.
        """
        ...

    def parse_policy(self, line: str, language: str) -> Policy:
        """Return the policy a line holds; keywords of every language are understood.

        Raises Unreadable, with ``chatter`` when the line is no policy at all, an order included.
        """
        ...

    def format_policy(self, policy: Policy, language: str) -> str:
        """Return a policy as a line, which is read as the same policy again."""
        ...

    def opening(self, policy: Policy) -> Order | None:
        """Return the order that a policy's line gives beside the policy, None if it gives none.

        That order is played like any other of a letter, and the policy stands from then on.
        """
        ...

    def follow(self, position: P, seat: Seat, policy: Policy) -> Order | Expired | None:
        """Return the act of a seat's policy now.

        It is judged by the seat's own view. An order, canonical and legal: only when the seat is to
        act. Expired: it can never apply again, whoever is to act. None: it does not apply now.
        """
        ...

    def interrupted(self, position: P) -> Seat | None:
        """Return the seat whose turn must wait for answers, perhaps its own.

        While it does, orders of that seat's letter that are of no legal kind wait, and no seat's
        queue is played. None: whoever is to act has its own turn. Everybody can see it.
        """
        ...

    def never(self, position: P, order: Order) -> Refusal | None:
        """Return why an order has become impossible in the interrupted turn.

        None if it may turn out legal when the turn goes on. Everybody can see it.
        """
        ...


AnyGame: TypeAlias = Game[Any]
"""A game whose kind of position is left open."""
