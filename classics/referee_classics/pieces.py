"""Games of pieces that two sides move over a board: chess, shogi, xiangqi and their kin.

The engine knows the rules; where pieces can go is told here too, so that a player hears why one
may not go somewhere.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from random import Random
from typing import Any, Final, TypeAlias

from msgspec import convert

from referee.games.documents import Node
from referee.games.game import Options, View, replace
from referee.games.scene import Figure, Mark, Scene
from referee.games.values import Fact, Json, Order, Seat, Sentence
from referee.value import Value
from referee_classics.above import Grounds, aside, from_above, panels_of
from referee_classics.classic import Classic, Move, Position, State, Why, beginning
from referee_classics.data import SHARED, data, signs_by_word

Men: TypeAlias = Mapping[str, str]
"""The letter of each piece by its square, capital if it is the first side's."""

Steps: TypeAlias = Sequence[tuple[int, int]]
"""Directions, to the right and ahead."""

STRAIGHT: Final[Steps] = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONAL: Final[Steps] = ((1, 1), (1, -1), (-1, 1), (-1, -1))
TAKING: Final = dict.fromkeys(data(SHARED)["taking"], "x")

LONGEST_TOLD: Final = 9
"""Words of a move that is told in words, such as "pawn e7 takes d8 queen"."""


class Squares(Value):
    """The squares of a board, named by a file and a rank, and the ways of pieces over them.

    ``files`` are named from left to right and ``ranks`` from the lowest, as the first side sees
    them. ``steps`` are where a piece goes at once, by its letter, ``slides`` where it goes on and
    on. ``engines`` are letters of the engine's, and ours for them.
    """

    files: str
    ranks: str
    steps: Mapping[str, Steps] = {}
    slides: Mapping[str, Steps] = {}
    engines: tuple[str, str] = ("", "")

    @property
    def ours(self) -> dict[int, int]:
        return str.maketrans(*self.engines)

    def men(self, board: str) -> dict[str, str]:
        """Return the pieces of a board's text, such as FEN: its rows, the highest first."""
        men: dict[str, str] = {}
        rows = re.split(r"[/\n]", re.split(r"[ \[]", board, maxsplit=1)[0].translate(self.ours))
        for rank, row in zip(self.ranks[::-1], rows, strict=True):
            spread = re.sub(r"\d", lambda empty: "." * int(empty[0]), row)
            signs = zip(self.files, re.findall(r"\+?[a-zA-Z]|\.", spread), strict=True)
            men |= {f"{file}{rank}": man for file, man in signs if man != "."}
        return men

    def check_rows(self, node: Node, board: str, signs: str) -> None:
        """Raise BadDocument for a board whose rows are not of its size, or hold other signs."""
        rows = board.split("/")
        if len(rows) != len(self.ranks):
            node.fail(f"must have {len(self.ranks)} ranks, not {len(rows)}")
        for rank, row in zip(self.ranks[::-1], rows, strict=True):
            if not re.fullmatch(signs, row):
                node.fail(f"rank {rank} holds something else than pieces and numbers: {row}")
            size = sum(int(sign) if sign.isdigit() else 1 for sign in row.replace("+", ""))
            if size != len(self.files):
                node.fail(f"rank {rank} has {size} squares, not {len(self.files)}: {row}")

    def at(self, square: str, along: int, up: int) -> str:
        """Return the square so many files to the right and ranks up, empty beyond the edge."""
        x, y = self.files.index(square[0]) + along, self.ranks.index(square[1]) + up
        inside = 0 <= x < len(self.files) and 0 <= y < len(self.ranks)
        return f"{self.files[x]}{self.ranks[y]}" if inside else ""

    def apart(self, square: str, other: str) -> int:
        """Return how far two squares are from each other, along files or ranks."""
        return max(abs(ord(one) - ord(two)) for one, two in zip(square, other, strict=False))

    def line(self, square: str, along: int, up: int) -> Iterator[str]:
        """Yield the squares in a direction up to the edge, the nearest first."""
        while square := self.at(square, along, up):
            yield square

    def way(self, square: str, to: str) -> list[str]:
        """Return the squares on the straight way to another one, which is the last."""
        across = self.files.index(to[0]) - self.files.index(square[0])
        ahead = self.ranks.index(to[1]) - self.ranks.index(square[1])
        along, up = ((far > 0) - (far < 0) for far in (across, ahead))
        return [*islice(self.line(square, along, up), max(abs(across), abs(ahead)))]

    def goes(self, men: Men, square: str) -> Iterator[str]:
        """Yield the squares that a piece attacks."""
        kind, ahead = men[square].upper(), 1 if men[square].isupper() else -1
        for ways, most in ((self.steps, 1), (self.slides, len(self.ranks))):
            for along, up in ways.get(kind, ()):
                for to in islice(self.line(square, along * ahead, up * ahead), most):
                    yield to
                    if to in men:
                        break

    def attackers(self, men: Men, square: str, *, capital: bool) -> list[str]:
        """Return the squares from which one side's pieces attack a square."""
        own = [place for place, man in men.items() if man.isupper() is capital]
        return [place for place in own if square in self.goes(men, place)]

    def checks(self, men: Men, *, capital: bool) -> list[str]:
        """Return the squares of the pieces that give check to a side's king."""
        return self.attackers(men, king_of(men, capital=capital), capital=not capital)


def squares_of(package: str) -> Squares:
    """Return the board that the data of a package describes."""
    return convert(data(package)["squares"], Squares)


def king_of(men: Men, *, capital: bool) -> str:
    """Return the square of a side's king."""
    return next(square for square, man in men.items() if man == ("K" if capital else "k"))


def moved(men: Men, square: str, to: str) -> dict[str, str]:
    """Return the pieces after one went somewhere."""
    return {place: man for place, man in men.items() if place != square} | {to: men[square]}


class PieceGame(Classic):
    """A game of pieces; those of the first colour are capitals, and stand below.

    ``kinds`` are the words of the pieces by letter, ``usual`` is the board of the usual start, and
    ``beside`` the title of the pieces beside the board and the sentence that tells of them;
    ``promotes`` is the pattern of the sign in a move of what a piece becomes.
    """

    squares: Squares
    kinds: Mapping[str, str]
    usual: str = ""
    grounds: Grounds
    beside: tuple[str, str] = ("taken", "lost")
    promotes: str = "(?!)"

    def wanted(self, options: Options, rng: Random) -> str:
        return str(options.get("fen") or options.get("sfen") or "")

    def unfinished(self, node: Node, start: str) -> str:
        """Return a start from which a game can go on. Raises BadDocument if it is over at once."""
        if beginning(self.engine, start).is_terminal():
            node.fail("the game would be over before it begins")
        return start

    # Moves.

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The signs for the words in which a move can be told."""
        return {**signs_by_word(self.package, "words"), **TAKING}

    def in_signs(self, line: str) -> str:
        """Return a move that begins with the word of a piece in its signs; other text as it is."""
        said = [word.strip(",.!") for word in line.casefold().split()]
        said = [word for word in said if word not in data(SHARED)["beside"]]
        if not said or len(said) > LONGEST_TOLD or not self.words.get(said[0], "").isalpha():
            return line
        # What is taken stands on the square that is named behind it.
        taking = next((at for at, word in enumerate(said, 1) if word in TAKING), len(said))
        taken = (word for word in said[taking:] if not self.words.get(word, "").isalpha())
        return "".join(self.words.get(word, word) for word in (*said[:taking], *taken))

    @abstractmethod
    def to_way(self, state: State, action: int) -> str:
        """Return the squares of a move, from and to, and the letter of what a piece becomes.

        Of one that is put on the board it is its letter and a sign in place of a square.
        """

    def ways(self, position: Position) -> dict[str, str]:
        """Return the squares of every legal move, from and to, by its text."""
        here = self.reached(position)
        return {text: self.to_way(here.state, action) for text, (action,) in here.legal.items()}

    def way(self, position: Position, move: str) -> tuple[str, ...]:
        reached = self.reached(position)
        way = self.to_way(reached.state, reached.legal[move][0])
        return (way[2:4],) if way[1] in "*@" else (way[:2], way[2:4])

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:
        way, move = super().clicks(view, order), order.move if isinstance(order, Move) else "-"
        dropped = move[:2] if move[1:2] in {"*", "@"} else ""
        return tuple(filter(None, (dropped, *way, self.becomes_in(move))))

    def becomes_in(self, move: str) -> str:
        """Return the sign of what a piece becomes by a move, empty if it stays what it is."""
        return "".join(re.findall(self.promotes, move))

    def word(self, men: Men, square: str) -> str:
        return self.kinds[men[square].upper()]

    def why_not_own(self, men: Men, square: str, *, capital: bool) -> Why | None:
        """Return why a side has no piece on a square that could go."""
        if square not in men:
            return "nothing-there", {"square": square}
        if men[square].isupper() is not capital:
            return "not-yours", {"piece": self.word(men, square), "square": square}
        return None

    def why_not_check(self, men: Men, *, capital: bool) -> Why | None:
        """Return the refusal of a move after which, with these pieces, a king would be in check."""
        for square in self.squares.checks(men, capital=capital):
            return "in-check", {"piece": self.word(men, square), "square": square}
        return None

    def why_blocked(self, men: Men, square: str, to: str) -> Why | None:
        """Return the refusal that names the first piece on the straight way to a square, if any."""
        for by in self.squares.way(square, to):
            if by in men:
                fields = {"by": self.word(men, by), "square": by, "to": to}
                return "blocked", {"piece": self.word(men, square), "start": square, **fields}
        return None

    # What is told, and what is seen.

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        facts = super().told(before, move, after)
        seat = self.colours[self.to_act(before) == self.colours[0]]
        if self.gave_check(move, after, seat):
            over = self.to_act(after) is None and self.ending(after) in {"checkmate", "no-moves"}
            facts.append(Fact("mated" if over else "checked", {"seat": seat}))
        return facts

    def gave_check(self, move: str, after: Position, seat: Seat) -> bool:
        """Return whether a seat is in check after a move."""
        men = self.squares.men(self.board_text(after))
        return bool(self.squares.checks(men, capital=seat == self.colours[0]))

    def stopped(self, position: Position) -> str:
        """Return the ending of a game in which whoever is to move cannot, and has lost."""
        gains = self.gains(position)
        loser = min(gains, key=gains.__getitem__)
        return "checkmate" if self.gave_check("", position, loser) else "no-moves"

    def scene(self, view: View) -> Scene:
        document: Any = view.document
        men, turn = self.squares.men(document["board"]), -1 if view.seat == self.colours[1] else 1
        scene = from_above(
            self.squares.files[::turn], self.squares.ranks[::-turn], self.grounds,
            lambda square: (self.mark(men[square], turn),) if square in men else (),
        )  # fmt: skip
        title, sentence = self.beside
        off = sorted(self.off(document), key=lambda man: [*self.kinds].index(man.upper()))
        marks = [self.mark(man, turn) for man in sorted(off, key=str.islower)]
        told = list[Sentence]()
        for seat in self.colours:
            own = Counter(mark.word for mark in marks if mark.seat == seat)
            pairs: list[Json] = [[word, count] for word, count in own.items()]
            told += [Sentence(sentence, {"seat": seat, "pieces": pairs})] if pairs else []
        last = Sentence("last-moves", {"moves": self.last_moves(document)})
        return replace(
            scene, panels=panels_of(**{title: told, "moves": [last] if document["moves"] else []}),
            legend=tuple((letter, "mark", word) for letter, word in self.kinds.items()),
            tracks=aside(title, marks),
        )  # fmt: skip

    def off(self, document: Any) -> Iterable[str]:
        """Return the letters of the pieces beside the board: those that left it.

        A piece that a pawn became stands in that pawn's place.
        """
        boards = (document["start"] or self.usual, document["board"])
        then, now = (Counter(self.squares.men(board).values()) for board in boards)
        begins = " b " in document["start"]
        for number, move in enumerate(document["moves"]):
            if became := self.becomes_in(move)[1:]:
                first = (number % 2 == 0) is not begins
                then[became if first else became.lower()] += 1
                then["P" if first else "p"] -= 1
        return (then - now).elements()

    def last_moves(self, document: Any) -> list[Json]:
        """Return the last moves of a view's document, as they stand beside the board."""
        return list(document["moves"][-6:])

    def mark(self, man: str, turn: int) -> Mark:
        """Return a piece as it is seen by the first side, or (``turn`` -1) by the other."""
        seat = self.colours[man.islower()]
        figure = self.figure(man.upper(), own=man.isupper() is (turn > 0))
        return Mark(man, self.kinds[man.upper()], seat, figure)

    @abstractmethod
    def figure(self, kind: str, *, own: bool) -> Figure:
        """Return the shape of a piece, of the reader's own or of the other side."""
