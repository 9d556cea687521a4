"""A view described for drawing: the words in which games say what is there.

Everything but cells, panels, palette and legend may be left out; formats draw what they get.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import field

from referee.games.values import Fact, Order, Seat, Sentence
from referee.value import Value

Shape: TypeAlias = Literal[
    "token", "shield", "banner", "count", "tile", "heap", "boat", "star", "pawn", "cube", "house",
    "ring", "stone",
]  # fmt: skip
"""The shapes pieces are drawn in."""

MotifName: TypeAlias = Literal[
    "none", "sea", "forest", "mountain", "rock", "walls", "hills", "plain", "field", "desert",
    "swamp", "ice", "town", "light", "dark", "point",
]  # fmt: skip
"""The motifs grounds are drawn with."""


class Ground(Value):
    """How a ground is drawn: its motif, and a fill (``#rrggbb``) in place of the motif's own.

    One that is not ``told`` is a pattern, such as the dark squares of a chequered board: no border
    parts it from others, and no sentence names it.
    """

    motif: MotifName = "none"
    fill: str | None = None
    told: bool = True


Heading: TypeAlias = Literal["column", "seat", "ground", "mark", "panel"]
"""The sections of a game's words that tables take words from."""


class Word(Value):
    """A word not yet worded: its section and its key there."""

    section: Heading
    key: str


class Area(Value):
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


class Place(Value):
    """A place of a track: its label, the marks on it, how far the match has come.

    ``special``: a key under ``mark`` of what happens there; ``word``: a word behind the label.
    """

    label: str
    marks: tuple[Mark, ...] = ()
    stage: Literal["done", "next", "later"] = "later"
    special: str | None = None
    word: Word | None = None


def stage_of(number: int, done: int) -> Literal["done", "next", "later"]:
    """Return how far the match has come at one of a track's places, of which so many are done."""
    return "done" if number < done else "next" if number == done else "later"


class Track(Value):
    """Something that is counted beside the board. ``title`` is a key under ``panel``.

    On a ``ruler`` places are numbers, and only those where somebody stands are named. Of ``dice``
    the labels are the pips, and those done have been used. ``pieces`` are those that stand beside
    the board, captured or in hand, with labels such as ``×2`` where they are several. A panel of
    the same title tells dice and pieces.
    """

    kind: Literal["steps", "places", "course", "ruler", "dice", "pieces"]
    title: str
    places: tuple[Place, ...]


class Figure(Value):
    """A shape of a game's own, in a square of 100 by 100. It fills its space and bears no letter.

    ``outline``: SVG path data, filled with the colour of its seat; ``detail``: data of lines on it.
    """

    outline: str
    detail: str = ""


class Face(Value):
    """The face of a playing card.

    ``rank`` is written on it as it is, such as ``10``, or as the word under ``rank`` says.
    """

    suit: Literal["spades", "hearts", "diamonds", "clubs"]
    rank: str


class Mark(Value):
    """Something that stands on a cell.

    ``letter``: at most two characters for the text board, or the number of things that lie there;
    ``word``: its key under ``mark``;
    ``seat``: whose it is, if anybody's. The rest is for pictures: ``shape`` (a token if it is a
    seat's, else a tile), ``count`` behind the letter, ``afloat`` with a hull, ``corner`` small at
    the edge of its space, ``hidden`` face down.
    """

    letter: str
    word: str
    seat: Seat | None = None
    shape: Shape | Figure | Face | None = None
    count: int | None = None
    afloat: bool = False
    corner: bool = False
    hidden: bool = False

    @property
    def number(self) -> int | None:
        """How many it says that there are, if it says so."""
        numbered = self.letter.isdecimal() and not isinstance(self.shape, Face)
        return int(self.letter) if numbered else self.count


class Called(Value):
    """The name of a seat's space in words: a key under ``sentence``, with ``seat`` and ``name``."""

    key: str
    seat: Seat
    name: str = ""


class Cell(Value):
    """One space for drawing; ``row`` and ``column`` count from 0.

    ``ground`` is a key under ``ground`` and in the scene's palette, ``sign`` its one character on
    the text board. A ``name`` stands on the space itself, as the numbers of draughts do.
    ``called`` names the space to people where ``space`` would tell them nothing.
    """

    space: str
    row: int
    column: int
    ground: str
    sign: str
    marks: tuple[Mark, ...] = ()
    name: str = ""
    called: Called | None = None


class Panel(Value):
    """A titled list of sentences beside the board. ``title`` is a key under ``panel``."""

    title: str
    sentences: tuple[Sentence, ...]


CellValue: TypeAlias = "int | str | Word | Sentence | Mark | None"
"""The content of a table's cell: a number, a text without words, a word, a piece, or nothing."""


class Row(Value):
    """A row of a table. Its first cell is its head; ``place``: the space or area it tells of."""

    cells: tuple[CellValue, ...]
    place: str | None = None


class Table(Value):
    """Numbers to compare, in columns. ``title`` is a key under ``panel``.

    Every row has a cell for each of ``columns``. ``notes`` stand below it. Where tables are shown,
    a panel of the same title is left out: it tells the same in sentences.
    """

    title: str
    columns: tuple[CellValue, ...]
    rows: tuple[Row, ...]
    notes: tuple[Sentence, ...] = ()


CardKind: TypeAlias = Literal["card", "tile", "row", "column", "land", "people", "ship"]
"""The kinds of cards that are drawn differently."""


class Card(Value):
    """A card or tile in a hand: its name, a word about it, and the spaces it opens.

    ``spaces`` None: it opens none by its nature; empty: it opens none now. A playing card has the
    ``mark`` that lies on the table once it is played, and a name as in orders.
    """

    name: Sentence
    note: Sentence | None = None
    spaces: tuple[str, ...] | None = None
    count: int = 1
    kind: CardKind = "card"
    mark: Mark | None = None

    @property
    def face(self) -> Face | None:
        """The face of a playing card."""
        return self.mark.shape if self.mark and isinstance(self.mark.shape, Face) else None


class Secret(Value):
    """Something only its seat sees. ``title`` is a key under ``panel``, which it replaces."""

    title: str
    cards: tuple[Card, ...]
    notes: tuple[Sentence, ...] = ()


class Side(Value):
    """One side of a question, such as the attacker: its points, and where they come from."""

    seat: Seat
    points: int
    parts: tuple[Sentence, ...] = ()


class Choice(Value):
    """An order that answers a question, and where it leads to."""

    order: Order
    outcome: Sentence


class Question(Value):
    """A question to a seat within another's turn.

    ``title`` is the key of the panel it replaces. Only the scene of the seat that is asked has
    ``choices``.
    """

    title: str
    sides: tuple[Side, ...]
    choices: tuple[Choice, ...] = ()


class Scoresheet(Value):
    """A scoring as a table: parts in rows, seats in columns.

    Every row has a number for each of ``seats``, or None; ``sums`` are rows of the same form, the
    points gained first. ``notes`` are the details. At the end of a match the rows tell where
    everybody's points come from, or the sum does under the name ``part``.
    """

    title: Word | Fact
    seats: tuple[Seat, ...]
    rows: tuple[tuple[CellValue, tuple[int | None, ...]], ...]
    sums: tuple[tuple[CellValue, tuple[int | None, ...]], ...]
    notes: tuple[Sentence | Fact, ...] = ()
    part: Word | None = None


class Move(Value):
    """A way of a seat by its spaces, from first to last: that of a piece is drawn as an arrow."""

    seat: Seat
    spaces: tuple[str, ...]


class Scene(Value):
    """A view described for drawing, independent of any format.

    Cells stand in board order. ``palette`` gives each ground a light background colour
    (``#rrggbb``) for formats that have colours; no meaning hangs on it alone. ``legend`` lists the
    signs and letters used on the board with the section and key of their word: ``("f", "ground",
    "forest")``.

    ``asked`` is the question to the seat to act when it answers within another turn. ``ends`` is
    the order that ends its turn where it goes on until then, ``passes`` the one that ends it before
    anything was done, and ``begun`` says that something was.

    ``row_names`` and ``column_names`` are those of a board whose players know its spaces by others
    than ``A1``: its text is then as narrow as can be, the columns named below.

    ``lattice`` is how the board is drawn. On ``crossings`` pieces stand where lines meet, those
    that join all neighbours or ``lines`` by their spaces; a seat's line lies upon the board in its
    colour, and the sign ``+`` is a star point. Of ``hexes`` each row is shifted by half a space to
    the right, and a seat's line runs along the board's edge. On a ``table`` for cards every space
    is the place of a seat and is named like it; while it is bare mails leave it out.

    Spaces are ``tall`` times as high as wide: if more than once, pieces are stacked on them from
    the board's edge, and names of columns beyond their number are those along the lower edge.

    The rest makes pictures and mails better: ``grounds`` by key, ``areas``, ``tracks``, ``tables``,
    ``secrets``, ``question``.
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
    passes: Order | None = None
    begun: bool = False
    row_names: tuple[str, ...] = ()
    column_names: tuple[str, ...] = ()
    lattice: Literal["spaces", "crossings", "hexes", "table"] = "spaces"
    lines: tuple[tuple[str, ...] | Move, ...] = ()
    tall: int = 1

    @property
    def is_bare(self) -> bool:
        """Whether it is a table on which nothing lies."""
        return self.lattice == "table" and not any(cell.marks for cell in self.cells)

    def is_low(self, row: int) -> bool:
        """Whether the pieces of a row's tall spaces are stacked from below."""
        return 2 * row >= self.rows

    def told(self) -> tuple[Panel, ...]:
        """Return the panels that no table, secret or question replaces."""
        shown = {table.title for table in self.tables} | {secret.title for secret in self.secrets}
        shown |= {self.question.title} if self.question else set()
        return tuple(panel for panel in self.panels if panel.title not in shown)
