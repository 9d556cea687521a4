"""Chess, Chess960 and from any start, in algebraic notation of several languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import product
from random import Random
from typing import Any, Final

from referee.games.documents import Node
from referee.games.game import BadDocument, Figure, FileFormat, Json, Options, Order, Seat
from referee.text import likeness
from referee_classics.above import CHEQUERED
from referee_classics.chess.fen import SQUARES, USUAL, numbered, reaches, read_fen, unusual_castling
from referee_classics.chess.pgn import read_pgn, write_pgn
from referee_classics.classic import Move, Position, State, Why, beginning
from referee_classics.data import data, patterns, signs_by_word
from referee_classics.pieces import LONGEST_TOLD, TAKING, Men, PieceGame, king_of, moved

MOST_HALF_MOVES: Final = 100
"""Moves of either side without a capture or a pawn's move that end a game."""

_DATA: Final = data(__name__)

LETTERS: Final[Mapping[str, str]] = _DATA["letters"]
"""The letters of king, queen, rook, bishop and knight, by language."""

PASSING: Final = "e.p."
"""The move that takes in passing, told by nothing else."""

_FIGURINES: Final = str.maketrans("♔♕♖♗♘♚♛♜♝♞×–—→", "KQRBNKQRBNx---", "♙♟>")

_SAID: Final = patterns(__name__, "patterns")

_SIDES: Final = signs_by_word(__name__, "sides")
"""The words in which castling is told: one of each, in any sequence."""


def alphabets(language: str) -> list[dict[str, str]]:
    """Return, for each language, the English letters of pieces by its own.

    The reader's language comes first.
    """
    spoken = dict.fromkeys((LETTERS.get(language, LETTERS["en"]), *LETTERS.values()))
    return [dict(zip(f"{letters}P", "KQRBNP", strict=True)) | {"": ""} for letters in spoken]


ENGLISH: Final = alphabets("en")[0]


def read_written(move: str, english: Mapping[str, str] = ENGLISH) -> re.Match[str] | None:
    """Return a text as a move in its one spelling, of English letters; None if it is none."""
    parts = _SAID["written"].fullmatch(move)
    if parts is None:
        return None
    piece, file, rank, takes, to, promoted, sign = parts.groups("")
    # “exd” names two files side by side.
    beside = to not in SQUARES.files or (not piece and abs(ord(file) - ord(to)) == 1)
    # A pawn that goes straight has no file of its own: “Cc3” is a knight's in other languages.
    twice = not (piece or rank or takes) and file == to[0]
    if twice or not beside or not {piece, promoted} <= english.keys():
        return None
    # "Pawn takes d5" is no capture by a piece, which "takes d5" may be.
    kind = piece if piece == "P" and takes and not file else english[piece].strip("P")
    becomes = f"={english[promoted]}" if promoted.strip("P") else ""
    return _SAID["written"].fullmatch(f"{kind}{file}{rank}{'x' * bool(takes)}{to}{becomes}{sign}")


class Chess(PieceGame):
    """Chess by the laws of FIDE, with draws by rule declared at once.

    A pawn may become the pieces whose letters are in ``becomes``. ``royal`` says that each side
    has a king that may not be taken, ``pockets`` that captured pieces come back.
    """

    players: Mapping[Seat, int] = {"white": 1, "black": 0}
    squares, usual, grounds, kinds = SQUARES, USUAL, CHEQUERED, _DATA["kinds"]
    max_orders = 12000
    written = {"de": {"pass": "passe", "castle": "Rochade"}}
    becomes: str = "QRBN"
    promotes = "=[A-Z]"
    royal: bool = True
    pockets: bool = False

    @property
    def files(self) -> Mapping[str, FileFormat]:
        media, read = "application/vnd.chess-pgn", partial(read_pgn, self)
        return {"pgn": FileFormat(media, partial(write_pgn, self), lambda text: [read(text)])}

    def uses_chance(self, options: Options) -> bool:
        return bool(options.get("chess960") and not options.get("fen"))

    def parameters(self, options: Options) -> str:
        return f"{self.engine}(chess960=true)" if options.get("chess960") else self.engine

    # Boards.

    def wanted(self, options: Options, rng: Random) -> str:
        if not self.uses_chance(options):
            return super().wanted(options, rng)
        state = beginning(self.parameters(options), "")
        starts = state.chance_outcomes()
        state.apply_action(starts[rng.randrange(len(starts))][0])
        return str(state.board().to_fen())

    def check_start(self, position: Position) -> None:
        fen, chess960 = position.start, dict(position.options).get("chess960")
        if chess960 and not fen:
            raise BadDocument("$.start", "must be the FEN that this match of Chess960 begins with")
        if fen and not chess960 and (castling := unusual_castling(fen)):
            wanted = "the option chess960, or no castling (-)"
            raise BadDocument("$.start", f"castling {castling} is that of Chess960: give {wanted}")

    def read_start(self, node: Node) -> str:
        return self.unfinished(node, read_fen(node, kings=self.royal, pockets=self.pockets))

    # Moves.

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        sign = tidied[len(tidied.rstrip("+#")) :]
        tidied = tidied.removesuffix(sign)
        if tidied == "castle":
            yield tidied
        if castled := _SAID["castling"].fullmatch(tidied):
            yield f"{'O-O-O' if castled[1] or castled[2] else 'O-O'}{sign}"
        if tidied.casefold() in {"pass", "passe"}:
            yield "pass"
        promoted = _SAID["promoted"].sub(lambda piece: f"={piece[1].upper()}", tidied.lower())
        capital = f"{promoted[:1].upper()}{promoted[1:]}"
        small = (promoted, capital) if tidied[:1].islower() else (capital, promoted)
        if tidied == PASSING:
            yield tidied
        if _SAID["loud"].fullmatch(tidied):
            yield f"{tidied}{sign}"
        # A line in capitals is told in its reader's letters first: "DXE5" is an English pawn's.
        own, *others = alphabets(language)
        ways = [(text, own) for text in small] if tidied.isupper() else []
        texts = dict.fromkeys((tidied, *small))
        for text, english in (*ways, *product(texts, (own, *others))):
            trade = _SAID["trade"].fullmatch(text)
            if written := read_written(f"{text}{sign}", english):
                yield written[0]
            if trade and {*trade.groups("")} <= english.keys():
                becomes = f"={english[trade[3]]}" if trade[3] else ""
                yield f"{english[trade[1]]}x{english[trade[2]]}{becomes}"

    def tidy(self, line: str) -> str:
        if _SAID["passing"].fullmatch(line.strip()):
            return PASSING
        text, tail, _ = _SAID["signs"].split(line.translate(_FIGURINES).strip(), 1)
        sign = "#" if _SAID["mate"].search(tail) else "+" if _SAID["check"].search(tail) else ""
        text = _SAID["number"].sub("", text.strip())
        text = re.sub(r"(?<=von [a-h][1-8]) auf (?=[a-h][1-8]$)", " nach ", text)
        # “Mit dem Läufer auf c4 schlagen”, “take on c4 with the bishop”.
        text = _SAID["lastly"].sub(r"schlage \1", text)
        text = _SAID["by"].sub(r"\2 \1 \3", text).strip()
        text = _SAID["chosen"].sub(r"\1 schlage", text)
        # “c8=queen” and “c8, queen” are told in words, “c8 Q” in signs.
        text = re.sub(r"(?<=[18])[\s=(,]+(?=[^\W\d]{3})", " ", text)
        text = re.sub(r"(?<=[a-h][18])\s+(?=[QRBNDTLS]$)", "=", text)
        words = re.sub(r"[ -]side\b", "side", text.casefold()).split()
        sides = [_SIDES[word] for word in words if word in _SIDES]
        others = set(words) - _SIDES.keys() - {"to", "make", "mache"} - {*_DATA["beside"]}
        if len(sides) <= 1 == len(others) and others <= {*_DATA["castled"]}:
            return sides[0] + sign if sides else "castle"
        words = text.casefold().split()
        if text.startswith("B ") and words[1] in _DATA["english"]:
            # “B takes c4” is a bishop's; a German's “B schlägt c4” is a pawn's (“Bauer”).
            words[0] = "B" if text.isupper() else "L"
        if len(words) <= LONGEST_TOLD and not self.words.keys().isdisjoint(words):
            if any(self.words.get(word) == "=" for word in words):
                words = [word.strip(",") for word in words if word not in _DATA["becoming"]]
            if not {*_DATA["going"], *TAKING}.isdisjoint(words):
                words = [word.strip("()") for word in words if word not in _DATA["beside"]]
            taking = next((at for at, word in enumerate(words, 1) if word in TAKING), None)
            if taking and len(words) > taking + 1 and self.words.get(words[taking + 1]) != "=":
                # What is taken stands on the square that is named behind it.
                words = words[:taking] + words[taking + (words[taking] in self.words) :]
                words = [word for word in words if word != "auf"]
            elif taking and self.words.get(words[-1]) == "":
                words[-1] = "P"
            if taking and self.words.get(words[0]) == "":
                words[0] = "P"
            told = "".join(self.words.get(word, word) for word in words)
            told = re.sub(r"(?<=x)[kqrbnp]$", lambda piece: piece[0].upper(), told)
            text = told.upper() if text.isupper() else told
        # Two squares, and what stands between them; other words are not drawn together.
        text = re.sub(r"\s*([-x:=/(@])\s*", r"\1", text)
        text = re.sub(r"^([KQRBNDTLS])\s*([a-h])\s*(?=[1-8]$)", r"\1\2", text)
        return re.sub(r"(?<=[a-hA-H][1-8])\s+(?=[a-hA-H][1-8]$)", "", text) + sign

    def to_text(self, move: str, language: str) -> str:
        loud = _SAID["loud"].fullmatch(move.rstrip("+#"))
        if language not in LETTERS or move.startswith(("O", "pass", "castle")) or loud:
            return super().to_text(move, language)
        return move.translate(str.maketrans(LETTERS["en"], LETTERS[language]))

    def readings(self, position: Position, move: str) -> list[str]:
        reached, bare = self.reached(position), move.rstrip("+#")
        if _SAID["loud"].fullmatch(bare):
            takes = f"x{bare[2:].lower()}"
            return [*self.readings(position, f"b{takes}"), *self.readings(position, f"B{takes}")]
        if bare == PASSING:
            men = SQUARES.men(self.board_text(position))
            return [
                text
                for text, way in self.ways(position).items()
                if text[1] == "x" and text[0] == way[0] and way[2:4] not in men
            ]
        # Whoever leaves a sign of check out, or writes one too many, means the same move.
        named = [text for text in reached.legal if text.rstrip("+#") == bare]
        if move == "castle":
            named = [text for text in reached.legal if text.startswith("O")]
        if named:
            return named
        written = read_written(move)
        if trade := _SAID["trade"].fullmatch(bare):
            men = SQUARES.men(self.board_text(position))
            ways = {text: way for text, way in self.ways(position).items() if "x" in text}
            by = [text for text in ways if not trade[1] or trade[1].strip("P") == kind_of(text)]
            by = [text for text in by if trade[3] in {None, promoted_in(text)}]
            return [text for text in by if men.get(ways[text][2:4], "P").upper() == trade[2]]
        if written is None:
            return []
        # A lone square is a pawn's that goes straight; coordinates name no piece.
        piece, file, rank, takes, to, promoted, _ = written.groups("")
        is_way = not piece and bool(file and rank)
        straight = file or ("" if piece or takes else to[0])
        meant = [
            text
            for text, way in self.ways(position).items()
            if (to == way[2:4] or (to == way[2] and "x" in text))
            and straight in {"", way[0]}
            and (not takes or "x" in text)
            and rank in {"", way[1]}
            and (piece.strip("P") == kind_of(text) or is_way or bare[0] == "x")
            and promoted in {"", promoted_in(text)}
        ]
        if rank and not file and piece in {"B", "Q"}:
            # A square's letter in capitals may have been taken for that of a piece.
            way = self.readings(position, f"{'bd'[piece == 'Q']}{move[1:]}")
            meant += [text for text in way if text not in meant]
        if is_way and not (meant or takes) and position.moves[-1:] == (move[:2],):
            # Whoever writes the move that was answered before the answer: “1. e4 e5”.
            meant = self.readings(position, to)
        if move.startswith("b") and not is_way and not (meant and takes):
            # Whoever writes small letters may mean the bishop; only what takes is surely a pawn.
            meant += self.readings(position, f"B{move[1:]}")
        return sorted(meant, key=lambda text: self.becomes.find(promoted_in(text)))

    def to_way(self, state: State, action: int) -> str:
        rules = getattr(import_module("pyspiel"), self.engine)
        way: str = rules.action_to_move(action, state.board()).to_lan()
        return way

    def orders(self, position: Position) -> Sequence[Order]:
        # Of many moves a few are shown as examples, the first of all: that a pawn becomes a queen.
        def rank(order: Order) -> int:
            promoted = promoted_in(order.move) if isinstance(order, Move) else ""
            return 1 if not promoted else 0 if promoted == self.becomes[0] else 2

        return sorted(super().orders(position), key=rank)

    def nearest(self, position: Position, move: str) -> list[str]:
        """Return moves of the same piece first, then those to the same square, then those near it.

        Where castling is not possible, what stands between king and rook comes behind the king.
        """
        legal, bare = self.ways(position), "O-O" if move == "castle" else move.rstrip("+#")
        between: tuple[str, ...] = ()
        if bare.startswith("O"):
            rank = "1" if self.to_act(position) == "white" else "8"
            between = tuple(f"{file}{rank}" for file in ("bcd" if bare == "O-O-O" else "fg"))
            bare = f"K{'c' if len(between) > 2 else 'g'}{rank}"
        written = read_written(bare)
        if written is None:
            return super().nearest(position, move)
        piece, file, rank, _, to, *_ = written.groups()

        def strangeness(text: str) -> tuple[bool | int | float, ...]:
            way = legal[text]
            return (
                kind_of(text) != piece, way[2:4] != to, bool(between) and text[0] != "O",
                way[:2] not in between, file + rank not in way[:2], SQUARES.apart(way[2:4], to),
                self.becomes.find(promoted_in(text)), -likeness(bare, text),
            )  # fmt: skip

        return sorted(legal, key=strangeness)

    def why_not(self, position: Position, move: str) -> Why:
        board, white = self.board_text(position), self.to_act(position) == "white"
        men = SQUARES.men(board)
        if move.startswith("pass"):
            return "no-passing", {}
        if move.startswith(("O", "castle")):
            return self.why_not_castle(board, move)
        written = read_written(move)
        if written is None:
            return super().why_not(position, move)
        piece, file, rank, takes, to, promoted, _ = written.groups("")
        if to in SQUARES.files:
            return "no-capture", {"move": move}
        if to[1] in "09":
            return "no-such-square", {"square": to}
        if move[0] == "x" and to in men:
            mine = men[to].isupper() is white
            fields: dict[str, Json] = {"piece": self.word(men, to), "square": to}
            return ("own-piece", fields) if mine else ("no-taker", {"square": to})
        is_way = not piece and bool(file and rank)
        if is_way and (why := self.why_not_own(men, file + rank, capital=white)):
            return why
        kind = men[file + rank].upper() if is_way else piece or "P"
        # A lone square is a pawn's that goes straight.
        file = file or ("" if piece or takes else to[0])
        own = (square for square, man in men.items() if man == (kind if white else kind.lower()))
        able = [at for at in own if file in {"", at[0]} and rank in {"", at[1]}]
        if not able:
            return "no-such-piece", {"piece": self.kinds[kind], "file": file, "rank": rank}
        if kind == "K" and able[0] + to in {"e1g1", "e1c1", "e8g8", "e8c8"}:
            return self.why_not_castle(board, "O-O" if to[0] == "g" else "O-O-O")
        last = kind == "P" and to[1] == ("8" if white else "1")
        if promoted and not (last and promoted in self.becomes):
            return "no-promotion", {"move": move}
        passed = board.split()[3]
        for square in able:
            if reaches(men, square, to, passed):
                there = moved(men, square, to)
                if kind == "P" and to == passed:
                    # A pawn that is taken in passing stands beside the one that takes it.
                    del there[to[0] + square[1]]
                if barred := self.barred(men, there, move, white=white):
                    return barred
        if takes and to not in men:
            beside = any(is_beside_pawn(men, square, to) for square in able)
            return "nothing-to-take", {"square": to, "passed": beside}
        for square in able:
            if hindered := self.hindrance(men, square, to):
                return hindered
        start = able[0] if len(able) == 1 else ""
        return "out-of-reach", {"piece": self.kinds[kind], "start": start, "square": to}

    def hindrance(self, men: Men, square: str, to: str) -> Why | None:
        """Return the hindrance on a piece's way to a square that it could reach if it stood alone.

        None if even then it could not.
        """
        alone = {square: men[square]}
        attacks = to in SQUARES.goes(alone, square)
        if attacks and men[square] in "Pp" and to not in men:
            return "nothing-to-take", {"square": to, "passed": is_beside_pawn(men, square, to)}
        if not attacks and not reaches(alone, square, to):
            return None
        if to in men and men[to].isupper() is men[square].isupper():
            return "own-piece", {"piece": self.word(men, to), "square": to}
        # What stands on the way is what the piece may at most go up to.
        return self.why_blocked(men, square, to)

    def why_not_castle(self, board: str, move: str) -> Why:
        white = board.split()[1] == "w"
        right, to = ("Q", "c") if move.startswith("O-O-O") else ("K", "g")
        men = SQUARES.men(board)
        king = king_of(men, capital=white)
        own = [letter.upper() for letter in board.split()[2] if letter.isupper() is white]
        # In Chess960 the rights are the files of the rooks.
        side = [file for file in SQUARES.files if (file > king[0]) is (right == "K")]
        if right not in own and not set(own) & set("".join(side).upper()):
            # “Castle” alone may mean the other side.
            return self.why_not_castle(board, "O-O-O") if move == "castle" else ("no-castling", {})
        rank, rook = king[1], "R" if white else "r"
        rooks = [file for file in side if men.get(f"{file}{rank}") == rook]
        # In Chess960 another rook may stand beyond the one that castles, and a piece beyond both of
        # them where king or rook would go.
        corner = [file for file in rooks if file.upper() in own] or rooks or [king[0]]
        end = max(corner) if right == "K" else min(corner)
        way = sorted((king[0], end, to, "f" if right == "K" else "d"))
        for square in (f"{file}{rank}" for file in SQUARES.files if way[0] <= file <= way[-1]):
            if square in men and square[0] not in {king[0], end}:
                return "castling-blocked", {"piece": self.word(men, square), "square": square}
        for square in (king, *sorted(SQUARES.way(king, to + rank))):
            for by in SQUARES.attackers(men, square, capital=not white):
                told = {"piece": self.word(men, by), "square": by}
                through = "castling-through-check", {**told, "to": square}
                return ("castling-in-check", told) if square == king else through
        return "castling-blocked", {"piece": "", "square": ""}

    def barred(self, before: Men, men: Men, move: str, *, white: bool) -> Why | None:
        """Return why a piece may not stand where it could go, by the board as it would be."""
        if why := self.why_not_check(men, capital=white):
            still = why[1]["square"] in SQUARES.checks(before, capital=white)
            return why[0], {**why[1], "still": still}
        return None

    # What happened.

    def gave_check(self, move: str, after: Position, seat: Seat) -> bool:
        return move[-1] in "+#"

    def ending(self, position: Position) -> str:
        state = self.reached(position).state
        if len(set(state.returns())) > 1:
            return "checkmate"
        if state.is_repetition_draw():
            return "repetition"
        if not state.board().has_legal_moves():
            return "stalemate"
        half = int(self.board_text(position).split()[4])
        return "fifty-moves" if half >= MOST_HALF_MOVES else "dead-position"

    def figure(self, kind: str, *, own: bool) -> Figure:
        outline, detail = _DATA["figures"][self.kinds[kind]]
        return Figure(outline.format(**_DATA["figures"]), detail)

    def last_moves(self, document: Any) -> list[Json]:
        """Return the last five pairs of moves with their numbers, as players write them."""
        return [[*pair] for pair in numbered(document["start"], document["moves"])[-5:]]


def is_beside_pawn(men: Men, square: str, to: str) -> bool:
    """Return whether a pawn stands beside another that it could take in passing on a square.

    It may if the other came there with the last move.
    """
    pawn, passed, rank = ("P", "p", "5") if men[square].isupper() else ("p", "P", "4")
    return men[square] == pawn and square[1] == rank and men.get(to[0] + rank) == passed


def promoted_in(move: str) -> str:
    """Return the letter of the piece that a pawn becomes, empty for none."""
    return move.rstrip("+#").partition("=")[2]


def kind_of(move: str) -> str:
    """Return the letter of the piece that a move in its one spelling moves, empty for a pawn."""
    return "K" if move.startswith("O") else move[0] if move[0].isupper() else ""


GAME: Final = Chess("chess")
