"""A view described for drawing: the words in which games say what is there.

Everything but cells, panels, palette and legend may be left out; formats draw what they get.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from referee.games.values import Fact, Order, Seat, Sentence

Shape: TypeAlias = Literal[
    "token",
    "shield",
    "banner",
    "count",
    "tile",
    "heap",
    "boat",
    "star",
    "pawn",
    "cube",
    "house",
    "ring",
]
"""The shapes pieces are drawn in."""

MotifName: TypeAlias = Literal[
    "none", "sea", "forest", "mountain", "rock", "walls", "hills", "plain", "field", "desert",
    "swamp", "ice", "town", "light", "dark",
]  # fmt: skip
"""The motifs grounds are drawn with."""


@dataclass(frozen=True, slots=True)
class Ground:
    """How a ground is drawn: its motif, and a fill (``#rrggbb``) in place of the motif's own."""

    motif: MotifName = "none"
    fill: str | None = None


Heading: TypeAlias = Literal["column", "seat", "ground", "mark", "panel"]
"""The sections of a game's words that tables take words from."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word not yet worded: its section and its key there."""

    section: Heading
    key: str


@dataclass(frozen=True, slots=True)
class Area:
    """An area of the board, with borders of its own.

    ``key``: its word under ``ground``; ``code``: the short name orders use; ``values``: what it is
    worth, as text; ``state``: a key under ``mark`` of a state it is in.
    """

    key: str
    spaces: tuple[str, ...]
    values: str = ""
    code: str = ""
    sea: bool = False
    state: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a track: its label, the marks on it, how far the match has come.

    ``special``: a key under ``mark`` of what happens there; ``word``: a word behind the label.
    """

    label: str
    marks: tuple[Mark, ...] = ()
    stage: Literal["done", "next", "later"] = "later"
    special: str | None = None
    word: Word | None = None


@dataclass(frozen=True, slots=True)
class Track:
    """Something that is counted beside the board. ``title`` is a key under ``panel``.

    On a ``ruler`` places are numbers, and only those where somebody stands are named.
    """

    kind: Literal["steps", "places", "course", "ruler"]
    title: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that stands on a cell.

    ``letter``: at most two characters for the text board; ``word``: its key under ``mark``;
    ``seat``: whose it is, if anybody's. The rest is for pictures: ``shape`` (a token if it is a
    seat's, else a tile), ``count`` behind the letter, ``afloat`` with a hull, ``corner`` small at
    the edge of its space, ``hidden`` face down.
    """

    letter: str
    word: str
    seat: Seat | None = None
    shape: Shape | None = None
    count: int | None = None
    afloat: bool = False
    corner: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One space for drawing; ``row`` and ``column`` count from 0.

    ``ground`` is a key under ``ground`` and in the scene's palette, ``sign`` its one character on
    the text board.
    """

    space: str
    row: int
    column: int
    ground: str
    sign: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """A titled list of sentences beside the board. ``title`` is a key under ``panel``."""

    title: str
    sentences: tuple[Sentence, ...]


Value: TypeAlias = "int | str | Word | Sentence | Mark | None"
"""The content of a table's cell: a number, a text without words, a word, a piece, or nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table. Its first cell is its head; ``place``: the space or area it tells of."""

    cells: tuple[Value, ...]
    place: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers to compare, in columns. ``title`` is a key under ``panel``.

    Every row has a cell for each of ``columns``. ``notes`` stand below it. Where tables are shown,
    a panel of the same title is left out: it tells the same in sentences.
    """

    title: str
    columns: tuple[Value, ...]
    rows: tuple[Row, ...]
    notes: tuple[Sentence, ...] = ()


CardKind: TypeAlias = Literal["card", "tile", "row", "column", "land", "people", "ship"]
"""The kinds of cards that are drawn differently."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card or tile in a hand: its name, a word about it, and the spaces it opens.

    ``spaces`` None: it opens none by its nature; empty: it opens none now.
    """

    name: Sentence
    note: Sentence | None = None
    spaces: tuple[str, ...] | None = None
    count: int = 1
    kind: CardKind = "card"


@dataclass(frozen=True, slots=True)
class Secret:
    """Something only its seat sees. ``title`` is a key under ``panel``, which it replaces."""

    title: str
    cards: tuple[Card, ...]
    notes: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a question, such as the attacker: its points, and where they come from."""

    seat: Seat
    points: int
    parts: tuple[Sentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An order that answers a question, and where it leads to."""

    order: Order
    outcome: Sentence


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a seat within another's turn.

    ``title`` is the key of the panel it replaces. Only the scene of the seat that is asked has
    ``choices``.
    """

    title: str
    sides: tuple[Side, ...]
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """A scoring as a table: parts in rows, seats in columns.

    Every row has a number for each of ``seats``, or None; ``sums`` are rows of the same form, the
    points gained first. ``notes`` are the details. At the end of a match the rows tell where
    everybody's points come from, or the sum does under the name ``part``.
    """

    title: Word | Fact
    seats: tuple[Seat, ...]
    rows: tuple[tuple[Value, tuple[int | None, ...]], ...]
    sums: tuple[tuple[Value, tuple[int | None, ...]], ...]
    notes: tuple[Sentence | Fact, ...] = ()
    part: Word | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A way that a piece went, drawn as an arrow: its seat, the spaces from first to last."""

    seat: Seat
    spaces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A view described for drawing, independent of any format.

    Cells stand in board order. ``palette`` gives each ground a light background colour
    (``#rrggbb``) for formats that have colours; no meaning hangs on it alone. ``legend`` lists the
    signs and letters used on the board with the section and key of their word: ``("f", "ground",
    "forest")``. ``asked`` is the question to the seat to act when it answers within another turn.
    ``ends`` is the order that ends its turn where it goes on until then, and ``begun`` says that
    something was done in it. The rest makes pictures and mails better: ``grounds`` by key,
    ``areas``, ``tracks``, ``tables``, ``secrets``, ``question``.
    """

    rows: int
    columns: int
    cells: tuple[Cell, ...]
    panels: tuple[Panel, ...]
    palette: Mapping[str, str]
    legend: tuple[tuple[str, str, str], ...]
    asked: Sentence | None = None
    grounds: Mapping[str, Ground] = field(default_factory=dict)
    areas: tuple[Area, ...] = ()
    tracks: tuple[Track, ...] = ()
    tables: tuple[Table, ...] = ()
    secrets: tuple[Secret, ...] = ()
    question: Question | None = None
    ends: Order | None = None
    begun: bool = False

    def told(self) -> tuple[Panel, ...]:
        """Return the panels that no table, secret or question replaces."""
        shown = {each.title for each in self.tables} | {each.title for each in self.secrets}
        shown |= {self.question.title} if self.question else set()
        return tuple(each for each in self.panels if each.title not in shown)
