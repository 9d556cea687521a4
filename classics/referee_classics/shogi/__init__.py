"""Shogi: Western notation, squares, and moves as Japanese players write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from referee.games.documents import Node
from referee.games.game import (
    MOST_SUGGESTIONS,
    Board,
    Cell,
    Fact,
    Figure,
    Ground,
    Json,
    Mark,
    Option,
    Options,
    Order,
    Panel,
    Scene,
    Seat,
    Sentence,
    View,
)
from referee_classics.aside import pieces_aside
from referee_classics.classic import Classic
from referee_classics.engine import State, beginning
from referee_classics.position import Move, Position
from referee_classics.strokes import STROKES

PIECES: Final[Mapping[str, str]] = {
    "K": "king", "R": "rook", "B": "bishop", "G": "gold", "S": "silver", "N": "knight",
    "L": "lance", "P": "pawn", "+R": "dragon", "+B": "horse", "+S": "promoted-silver",
    "+N": "promoted-knight", "+L": "promoted-lance", "+P": "tokin",
}  # fmt: skip
"""The words of the pieces, by letter."""

FILES, RANKS = "987654321", "abcdefghi"

_GOLD: Final = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1))
_AROUND: Final = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0))
_STEPS: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    "P": ((0, -1),), "N": ((-1, -2), (1, -2)), "S": ((-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)),
    "G": _GOLD, "+P": _GOLD, "+L": _GOLD, "+N": _GOLD, "+S": _GOLD,
    "K": _AROUND, "+B": _AROUND, "+R": _AROUND,
}  # fmt: skip
"""One step of each piece, to the right and down, as Black sees the board."""

_SLIDES: Final[Mapping[str, tuple[tuple[int, int], ...]]] = {
    "L": ((0, -1),), "B": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "R": ((0, -1), (0, 1), (-1, 0), (1, 0)),
    "+B": ((-1, -1), (1, -1), (-1, 1), (1, 1)), "+R": ((0, -1), (0, 1), (-1, 0), (1, 0)),
}  # fmt: skip

_SIGNS: Final = str.maketrans(
    {
        "歩": "P", "香": "L", "桂": "N", "銀": "S", "金": "G", "角": "B", "飛": "R", "王": "K",
        "玉": "K", "と": "+P", "杏": "+L", "圭": "+N", "全": "+S", "馬": "+B", "龍": "+R",
        "竜": "+R", "打": "*", "'": "*", "’": "*", "@": "*", "×": "x", ":": "x", "–": "-",
        **dict.fromkeys("▲△☗☖▼▽!?右左直上寄引行入"),
        **dict(zip("一二三四五六七八九", RANKS, strict=True)),
    }
)  # fmt: skip

_JAPANESE: Final = re.compile(
    r"([1-9][1-9a-i])((?:成|\+)?[PLNSGBRK])(\*?)(不?成)?(?:\(([1-9])([1-9])\))?"
)
_WRITTEN: Final = re.compile(
    r"(?P<piece>\+?[PLNSGKBRDH]?)(?P<start>(?:[1-9][a-i1-9])?)(?P<how>[-x*]?)"
    r"(?P<to>[1-9][a-i1-9])(?P<becomes>[+=]?)",
    re.IGNORECASE,
)


def men_of(sfen: str) -> dict[str, str]:
    """Return the pieces of a board by their squares, Black's in capitals."""
    men: dict[str, str] = {}
    for rank, row in zip(RANKS, sfen.split(maxsplit=1)[0].split("/"), strict=True):
        filled = re.sub(r"\d", lambda empty: " " * int(empty[0]), row)
        spread = re.findall(r"\+?[a-zA-Z]| ", filled)
        men |= {f"{file}{rank}": man for file, man in zip(FILES, spread, strict=True) if man != " "}
    return men


def hand_of(sfen: str, *, black: bool) -> list[str]:
    """Return the letters of the pieces that a side has in hand, the strongest first."""
    counted = re.findall(r"(\d*)([a-zA-Z])", sfen.split()[2])
    own = [(int(count or 1), man.upper()) for count, man in counted if man.isupper() is black]
    return [man for letter in PIECES for count, man in own if man == letter for _ in range(count)]


def goes(men: Mapping[str, str], square: str) -> Iterator[str]:
    """Yield the squares that a piece attacks."""
    man = men[square].upper()
    ahead = 1 if men[square].isupper() else -1
    steps = [(step, 1) for step in _STEPS.get(man, ())]
    steps += [
        (step, 8) for step in _SLIDES.get(man.lstrip("+") if man in {"+B", "+R"} else man, ())
    ]
    for (along, down), most in steps:
        for far in range(1, most + 1):
            x = FILES.index(square[0]) + along * far * ahead
            y = RANKS.index(square[1]) + down * far * ahead
            if not (0 <= x < 9 and 0 <= y < 9):
                break
            yield f"{FILES[x]}{RANKS[y]}"
            if f"{FILES[x]}{RANKS[y]}" in men:
                break


def _first_between(men: Mapping[str, str], start: str, to: str) -> str:
    """Return the square of the first piece on the straight way from one square to another."""
    x, y = FILES.index(start[0]), RANKS.index(start[1])
    steps = FILES.index(to[0]) - x, RANKS.index(to[1]) - y
    along, down = ((step > 0) - (step < 0) for step in steps)
    way = (
        f"{FILES[x + along * far]}{RANKS[y + down * far]}"
        for far in range(1, max(map(abs, steps)) + 1)
    )
    return next(square for square in way if square in men)


def attackers(men: Mapping[str, str], *, black: bool) -> list[str]:
    """Return the squares of the pieces that give check to a side's king."""
    king = next(square for square, man in men.items() if man == ("K" if black else "k"))
    others = [square for square, man in men.items() if man.isupper() is not black]
    return [square for square in others if king in goes(men, square)]


class Shogi(Classic):
    """Shogi by the usual rules; a king that enters the far camp with 28 points wins."""

    name = "shogi"
    engine = "shogi"
    colours = ("black", "white")
    max_orders = 20000
    endings = frozenset({"checkmate", "repetition", "perpetual-check", "entering-king", "impasse"})

    options: Mapping[str, Option] = {
        "sfen": Option("", "the position to begin with (SFEN), such as one with a handicap"),
    }

    def board(
        self, seats: Sequence[Seat], options: Options, given: Board | None, rng: Random
    ) -> Board:
        if given is None and options.get("sfen"):
            given = {"start": options["sfen"]}
        return super().board(seats, options, given, rng)

    def read_board(self, board: Json) -> Board:
        members = Node(board).fields((), ("start",))
        if "start" not in members or not members["start"].text():
            return {}
        return {"start": read_sfen(members["start"])}

    # Moves.

    def named(self, state: State) -> dict[str, tuple[str, int]]:
        """Return the squares and the engine's number of each legal move, by its text."""
        men = men_of(str(state))
        usi = {state.action_to_string(action): action for action in state.legal_actions()}
        starts: dict[tuple[str, str], set[str]] = {}
        for way in usi:
            if way[1] != "*":
                starts.setdefault((men[way[:2]].upper(), way[2:4]), set()).add(way[:2])
        named: dict[str, tuple[str, int]] = {}
        for way, action in usi.items():
            if way[1] == "*":
                named[way] = (way, action)
                continue
            man, to = men[way[:2]].upper(), way[2:4]
            start = way[:2] if len(starts[man, to]) > 1 else ""
            declined = "=" if f"{way}+" in usi else ""
            text = f"{man}{start}{'x' if to in men else '-'}{to}{way[4:] or declined}"
            named[text] = (way, action)
        return named

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        return {text: (action,) for text, (_, action) in self.named(state).items()}

    def parse(self, line: str, language: str) -> Order:
        # A plus before a letter is a promoted piece, and no mark of a list.
        return super().parse(re.sub(r"^(\W*)\+(?=[a-zA-Z])", r"\1成", line), language)

    def tidy(self, line: str) -> str:
        text = re.sub(r"^\s*\d{1,3}\s*[.)]\s*", "", unicodedata.normalize("NFKC", line))
        text = re.sub(r"成(?=[a-zA-Z])", "+", text)
        text = re.sub(r"\s*([-x*+=])\s*", r"\1", text.translate(_SIGNS)).strip()
        japanese = _JAPANESE.fullmatch(text)
        if japanese is None:
            return text
        to, man, dropped, becomes, *start = japanese.groups()
        signs = {"成": "+", "不成": "="}
        return f"{man.replace('成', '+')}{''.join(filter(None, start))}{dropped}{to}" + signs.get(
            becomes or "", ""
        )

    def spellings(self, tidied: str, language: str) -> Iterable[str]:
        written = _WRITTEN.fullmatch(tidied)
        if written is None:
            return
        piece = written["piece"].upper().replace("D", "+R").replace("H", "+B").replace("++", "+")
        start, to = (
            square[:1] + RANKS[int(square[1]) - 1] if square[1:].isdigit() else square.lower()
            for square in (written["start"], written["to"])
        )
        # A lone square is a pawn's; two numbers alone are none of the squares that players write.
        if not (piece or start or written["how"]) and tidied[1:2].isalpha():
            piece = "P"
        if piece in PIECES or (not piece and tidied[1:2].isalpha() and start):
            how = written["how"].lower() if piece else ""
            yield f"{piece}{start}{how}{to}{written['becomes']}"

    def readings(self, position: Position, move: str) -> list[str]:
        named = self.named(self.reached(position).state)
        written = _WRITTEN.fullmatch(move)
        if move in named or written is None:
            return [move] if move in named else []
        moved: list[str] = []
        dropped: list[str] = []
        for text, (way, _) in named.items():
            drop = way[1] == "*"
            piece = way[0] if drop else text[: 2 if text[0] == "+" else 1]
            if (
                way[2:4] == written["to"]
                and written["piece"] in {"", piece}
                and written["start"] in {"", "" if drop else way[:2]}
                and (written["becomes"] == "+") <= text.endswith("+")
                and (written["becomes"] == "=") <= (not text.endswith("+"))
            ):
                (dropped if drop else moved).append(text)
        if written["how"] == "*":
            return dropped
        # Who writes no sign of a drop means a piece of the board, where one can go there.
        moved.sort(key=lambda text: not text.endswith("+"))
        return moved or ([] if written["how"] or written["start"] else dropped)

    def nearest(self, position: Position, move: str) -> tuple[Order, ...]:
        """Return moves of the same piece first, then those to the square or near it."""
        written = _WRITTEN.fullmatch(move)
        if written is None:
            return super().nearest(position, move)
        state = self.reached(position).state
        named, man = self.named(state), men_of(str(state)).get(written["start"], "").upper()

        def strangeness(text: str) -> tuple[bool | int, ...]:
            way, _ = named[text]
            piece = way[0] if way[1] == "*" else text[: 2 if text[0] == "+" else 1]
            pairs = zip(way[2:4], written["to"], strict=True)
            far = max(abs(ord(one) - ord(other)) for one, other in pairs)
            return (
                piece != (written["piece"] or man),
                way[:2] != written["start"],
                way[2:4] != written["to"],
                (way[1] == "*") is not (written["how"] == "*"),
                far,
            )

        return tuple(Move(text) for text in sorted(named, key=strangeness)[:MOST_SUGGESTIONS])

    def way(self, position: Position, move: str) -> tuple[str, ...]:
        way, _ = self.named(self.reached(position).state)[move]
        return (way[2:4],) if way[1] == "*" else (way[:2], way[2:4])

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:
        way = super().clicks(view, order)
        move = order.move if isinstance(order, Move) else ""
        if "*" in move:
            return move[:2], *way
        return (*way, move[-1]) if move[-1:] in {"+", "="} else way

    def why_not(self, position: Position, move: str) -> tuple[str, dict[str, Json]]:
        board, black = self.board_text(position), self.to_act(position) == "black"
        written, men = _WRITTEN.fullmatch(move), men_of(board)
        if written is None or move not in self.spellings(move, "en"):
            return super().why_not(position, move)
        piece, start, how, to, becomes = written.groups()
        if how == "*":
            return self._why_not_dropped(board, piece, to, black=black) or ("pawn-mate", {})
        if start and start not in men:
            return "nothing-there", {"square": start}
        if start and men[start].isupper() is not black:
            return "not-yours", {"piece": PIECES[men[start].upper()], "square": start}
        able = [
            square for square, man in men.items()
            if man.isupper() is black and piece in {"", man.upper()} and start in {"", square}
        ]  # fmt: skip
        if not able:
            return "no-such-piece", {"piece": PIECES[piece], "square": start}
        if piece == "P":
            able = [square for square in able if square[0] == to[0]] or able
        named = PIECES[men[able[0]].upper()]
        if to in men and men[to].isupper() is black:
            return "own-piece", {"piece": PIECES[men[to].upper()], "square": to}
        for square in able:
            if to in goes(men, square):
                there = {place: man for place, man in men.items() if place != square}
                there[to] = men[square]
                if checks := attackers(there, black=black):
                    by = PIECES[there[checks[0]].upper()]
                    return "in-check", {"piece": by, "square": checks[0]}
                return "no-promotion" if becomes == "+" else "must-promote", {"piece": named}
        told: dict[str, Json] = {"piece": named, "start": able[0] if len(able) == 1 else ""}
        for square in able:
            if to in goes({square: men[square]}, square):
                by = _first_between(men, square, to)
                other: dict[str, Json] = {"by": PIECES[men[by].upper()], "square": by}
                return "blocked", {"piece": named, "start": square, "to": to, **other}
        return "out-of-reach", {**told, "square": to}

    def _why_not_dropped(
        self, board: str, piece: str, to: str, *, black: bool
    ) -> tuple[str, dict[str, Json]] | None:
        men = men_of(board)
        if piece not in hand_of(board, black=black):
            return "not-in-hand", {"piece": PIECES[piece]}
        if to in men:
            return "occupied", {"square": to}
        if (RANKS if black else RANKS[::-1]).index(to[1]) < {"P": 1, "L": 1, "N": 2}.get(piece, 0):
            return "no-way-on", {"piece": PIECES[piece], "square": to}
        own = [square for square, man in men.items() if man == ("P" if black else "p")]
        if piece == "P" and any(square[0] == to[0] for square in own):
            return "two-pawns", {"file": to[0]}
        checks = attackers({**men, to: piece if black else piece.lower()}, black=black)
        if checks:
            return "in-check", {"piece": PIECES[men[checks[0]].upper()], "square": checks[0]}
        return None

    # What happened.

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        facts, state = super().told(before, move, after), self.reached(after).state
        if attackers(men_of(str(state)), black=self.to_act(before) == "white"):
            seat = "white" if self.to_act(before) == "black" else "black"
            mated = not state.board().has_legal_moves(False)
            facts.append(Fact("mated" if mated else "checked", {"seat": seat}))
        return facts

    def ending(self, position: Position) -> str:
        state = self.reached(position).state
        won = len(set(state.returns())) > 1
        if state.is_repetition_end():
            return "perpetual-check" if won else "repetition"
        if not won:
            return "impasse"
        return "entering-king" if state.board().has_legal_moves(False) else "checkmate"

    def scene(self, view: View) -> Scene:
        document: Any = view.document
        men = men_of(document["board"])
        files, ranks = (FILES, RANKS) if view.seat != "white" else (FILES[::-1], RANKS[::-1])
        cells = tuple(
            Cell(f"{file}{rank}", row, column, "square", ".",
                 _marks(men.get(f"{file}{rank}"), view.seat))
            for row, rank in enumerate(ranks) for column, file in enumerate(files)
        )  # fmt: skip
        held, track = pieces_aside("hand", "in-hand", {
            seat: [
                mark
                for man in hand_of(document["board"], black=black)
                for mark in _marks(man if black else man.lower(), view.seat)
            ]
            for seat, black in (("black", True), ("white", False))
        })  # fmt: skip
        last = Sentence("last-moves", {"moves": list(document["moves"][-6:])})
        panels = (*held, Panel("moves", (last,))) if document["moves"] else held
        return Scene(
            9, 9, cells, panels, {"square": "#f0d9a8"},
            tuple((letter, "mark", word) for letter, word in PIECES.items()),
            grounds={"square": Ground("light", "#f0d9a8", told=False)},
            row_names=tuple(ranks), column_names=tuple(files), tracks=(track,),
        )  # fmt: skip


def _marks(man: str | None, seat: Seat | None) -> tuple[Mark, ...]:
    if man is None:
        return ()
    black, letter = man.isupper(), man.upper()
    own = black is (seat != "white")
    outline = "M50 8L73 18L84 92H16L27 18Z" if own else "M50 92L27 82L16 8H84L73 82Z"
    figure = Figure(outline, "".join(STROKES[sign] for sign in letter))
    return (Mark(man, PIECES[letter], "black" if black else "white", figure),)


def read_sfen(node: Node) -> str:
    """Return the text of a start that can be played. Raises BadDocument for any other."""
    parts = node.text().split()
    if len(parts) == 3:
        parts.append("1")
    if len(parts) != 4:
        node.fail("must be an SFEN of four parts: board, colour, hands, number of the move")
    board, colour, hands, number = parts
    rows = board.split("/")
    if len(rows) != 9:
        node.fail(f"must have 9 ranks, not {len(rows)}")
    for rank, row in zip(RANKS, rows, strict=True):
        if not re.fullmatch(r"(?:[1-9]|[KGkg]|\+?[PLNSRBplnsrb])+", row):
            node.fail(f"rank {rank} holds something else than pieces and numbers: {row}")
        size = sum(int(sign) if sign.isdigit() else 1 for sign in row.replace("+", ""))
        if size != 9:
            node.fail(f"rank {rank} has {size} squares, not 9: {row}")
    if colour not in {"b", "w"}:
        node.fail(f"the second part says whose move it is, b or w, not {colour!r}")
    if not re.fullmatch(r"-|(?:(?:[2-9]|1[0-8])?[PLNSGRBplnsgrb])+", hands):
        node.fail(f"the third part holds the pieces in hand, or -, not {hands!r}")
    if not re.fullmatch(r"[1-9]\d{0,3}", number):
        node.fail(f"must end with the number of the move, not {number!r}")
    men = men_of(board)
    kinds = [man.lstrip("+").upper() for man in men.values()]
    kinds += [man for black in (True, False) for man in hand_of(" ".join(parts), black=black)]
    for kind, most in (("P", 18), ("L", 4), ("N", 4), ("S", 4), ("G", 4), ("B", 2), ("R", 2)):
        if kinds.count(kind) > most:
            node.fail(f"has more than {most} of {kind}")
    for man, name in (("K", "Black"), ("k", "White")):
        if list(men.values()).count(man) != 1:
            node.fail(f"{name} must have one king")
        pawns = [
            square[0] for square, other in men.items() if other == ("P" if man == "K" else "p")
        ]
        if len(set(pawns)) < len(pawns):
            node.fail(f"{name} has two pawns on one file")
    for square, man in men.items():
        if not list(goes(men, square)):
            node.fail(f"{PIECES[man.upper()]} on {square} could never move")
    if attackers(men, black=colour == "w"):
        node.fail(f"{'Black' if colour == 'w' else 'White'} is in check, but it is not its move")
    sfen = " ".join(parts)
    if beginning("shogi", sfen).is_terminal():
        node.fail("the game would be over before it begins")
    return sfen


GAME: Final = Shogi()
