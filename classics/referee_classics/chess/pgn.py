"""Games of chess and its variants as PGN, the text that every program for chess reads."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from referee.games.game import (
    BadDocument,
    Board,
    FileFormat,
    Options,
    Result,
    Transcript,
    Unreadable,
    Value,
    replace,
)
from referee.games.play import complete_options
from referee_classics.chess.fen import PROMOTED
from referee_classics.position import Move, Position

if TYPE_CHECKING:
    from referee_classics.chess import Chess

ROSTER: Final = {
    "Event": "?", "Site": "?", "Date": "????.??.??", "Round": "-", "White": "?", "Black": "?",
    "Result": "*",
}  # fmt: skip
"""The tags that every game has, in their sequence, with the signs for what is unknown."""

WIDEST: Final = 79
"""Signs in a line of moves."""

VARIANTS: Final = {
    "": "chess", "standard": "chess", "normal": "chess", "from position": "chess",
    "chess960": "chess960", "fischerandom": "chess960", "fischerrandom": "chess960",
    "antichess": "antichess", "suicide": "antichess", "giveaway": "antichess",
    "crazyhouse": "crazyhouse", "zh": "crazyhouse",
}  # fmt: skip
"""The names of variants in programs, in small letters."""

_SHOWN: Final = str.maketrans({letter: man for man, letter in PROMOTED.items()})

_TOKEN: Final = re.compile(
    r"\{[^}]*\}|;[^\n]*|^%[^\n]*|\[\s*(?P<tag>\w+)\s+\"(?P<value>(?:\\.|[^\"\\])*)\"\s*\]"
    r"|(?P<open>\()|(?P<close>\))|\$\d+|(?P<result>1-0|0-1|1/2-1/2|½-½|\*)(?=\s|$|[;{(])"
    r"|\d+\s*\.+(?:\s*\.+)?|(?P<move>[^\s{}();\[\]$]+)|(?P<fault>\S)",
    re.MULTILINE,
)


class Game(Value):
    """A game that was read: its tags, the options and the board of a match, and the moves."""

    tags: tuple[tuple[str, str], ...]
    options: Options
    board: Board
    moves: tuple[str, ...]


def write(game: Chess, position: Position, tags: Mapping[str, str]) -> str:
    """Return a position's game as PGN. Tags that are not given are unknown, the result apart."""
    told = {**ROSTER, **tags}
    result = game.result(position)
    if result is not None and "Result" not in tags:
        white, black = result.places["white"], result.places["black"]
        told["Result"] = "1/2-1/2" if white == black else "1-0" if white < black else "0-1"
    if dict(position.options).get("chess960"):
        told["Variant"] = "Chess960"
    elif game.name != "chess":
        told["Variant"] = game.name.capitalize()
    board, _, rest = position.start.partition(" ")
    if board:
        told |= {"SetUp": "1", "FEN": f"{board.translate(_SHOWN)} {rest}"}
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in told.items()]
    moves = " ".join((*_numbered(position), told["Result"]))
    return "\n".join((*lines, "", *textwrap.wrap(moves, WIDEST), ""))


def _quoted(value: str) -> str:
    """Return a tag's value in one line, its quotation marks escaped."""
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _numbered(position: Position) -> Iterator[str]:
    """Yield the moves of a game, numbers before them."""
    for count, move in enumerate(position.moves):
        number, colour = _number(position.start, count)
        if colour == "White" or not count:
            yield f"{number}." if colour == "White" else f"{number}..."
        yield move


def _number(start: str, count: int) -> tuple[int, str]:
    """Return the number and the colour of a move, by how many were made since the start."""
    first = start.split()
    ply = count + (first[1:2] == ["b"])
    return (int(first[5]) if first else 1) + ply // 2, "Black" if ply % 2 else "White"


def read(game: Chess, text: str) -> Game:
    """Return the one game that a text holds. Raises BadDocument for any other.

    Comments, variations, judgements and clocks are passed over.
    """
    tags: dict[str, str] = {}
    moves: list[str] = []
    games, depth, stage = 1, 0, "tags"
    for token in _TOKEN.finditer(text.removeprefix("\ufeff")):
        kind = token.lastgroup
        if kind in {"open", "close"}:
            depth += 1 if kind == "open" else -1
            if depth < 0:
                raise BadDocument("PGN", "“)” ends no variation")
        elif kind == "fault":
            raise BadDocument("PGN", f"{token[0]} behind {len(moves)} moves has no other end")
        elif depth > 0 or kind is None:
            continue
        elif kind == "value":
            games, stage = games + (stage != "tags"), "tags"
            tags |= {token["tag"]: re.sub(r"\\(.)", r"\1", token["value"])} if games == 1 else {}
        elif kind == "result":
            stage = "ended"
            tags |= {"Result": token["result"].replace("½-½", "1/2-1/2")} if games == 1 else {}
        else:
            games, stage = games + (stage == "ended"), "moves"
            moves.append(token["move"])
    if depth > 0:
        raise BadDocument("PGN", "“(” of a variation has no other end")
    if games > 1:
        raise BadDocument("PGN", f"holds {games} games: give one of them")
    if not tags and not moves:
        raise BadDocument("PGN", "holds no game")
    return _played(game, tags, moves)


def _played(game: Chess, tags: Mapping[str, str], moves: Sequence[str]) -> Game:
    """Return the game of tags and moves, each in its one spelling."""
    variant = VARIANTS.get(tags.get("Variant", "").casefold())
    if variant != game.name and (variant, game.name) != ("chess960", "chess"):
        raise BadDocument("Variant", f"is {tags.get('Variant', 'chess')!r}, not {game.name}")
    options = complete_options(
        game, {"chess960": variant == "chess960"} if "chess960" in game.options else {}
    )
    try:
        board = game.read_board({"start": tags["FEN"]} if "FEN" in tags else {})
        position = game.start(game.colours, options, board)
    except BadDocument as error:
        raise BadDocument("FEN", error.message) from None
    for count, text in enumerate(moves):
        number, colour = _number(position.start, count)
        place = f"move {number} of {colour}"
        try:
            order = game.parse(text, "en")
        except Unreadable:
            raise BadDocument(place, f"{text!r} is no move") from None
        if game.to_act(position) is None:
            raise BadDocument(place, f"{text!r} comes after the end: {game.ending(position)}")
        readings = game.readings(position, order.move) if isinstance(order, Move) else []
        if len(readings) != 1:
            several = f"may mean {' or '.join(readings)}" if readings else "cannot be played there"
            raise BadDocument(place, f"{text!r} {several}")
        position = replace(position, moves=(*position.moves, readings[0]))
    return Game(tuple(tags.items()), options, board, position.moves)


def file_format(game: Chess) -> FileFormat:
    """Return the form in which the referee writes and reads a game's files."""
    return FileFormat(
        "application/vnd.chess-pgn",
        lambda transcript: _written(game, transcript),
        lambda text: [_transcript(game, read(game, text))],
    )


def _written(game: Chess, told: Transcript) -> str:
    position = game.start(told.seats, told.options, told.board)
    position = replace(position, moves=told.orders)
    tags = {
        "Event": told.match or "?",
        "Site": "?",
        "Date": told.began.replace("-", ".") or "????.??.??",
        "Round": "-",
        **{seat.capitalize(): name.strip("–") or "?" for seat, name in told.players.items()},
    }
    # A game that was given up or agreed upon has its result from the match.
    if told.result is not None:
        white, black = told.result.places["white"], told.result.places["black"]
        tags["Result"] = "1/2-1/2" if white == black else "1-0" if white < black else "0-1"
        tags["Result"] = tags["Result"] if told.result.ranks else "*"
    return write(game, position, tags)


def _transcript(game: Chess, found: Game) -> Transcript:
    tags = dict(found.tags)
    places = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}.get(tags.get("Result", ""))
    result = None
    if places is not None:
        result = Result(
            "", dict.fromkeys(game.colours, 0), dict(zip(game.colours, places, strict=True))
        )
    numbers = (_number(str(found.board.get("start", "")), n) for n in range(len(found.moves)))
    date = tags.get("Date", "").replace(".", "-")
    return Transcript(
        game.colours,
        found.options,
        found.moves,
        found.board or None,
        result,
        {seat: tags.get(seat.capitalize(), "?") for seat in game.colours},
        began=date if re.fullmatch(r"\d{4}-\d\d-\d\d", date) else "",
        places=tuple(f"move {number} of {colour}" for number, colour in numbers),
    )
