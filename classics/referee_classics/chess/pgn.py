"""Games of chess and its variants as PGN, the text that every program for chess reads."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from referee.games.game import BadDocument, Result, Transcript, replace
from referee_classics.chess.fen import PROMOTED, number_of, numbered
from referee_classics.data import patterns, signs_by_word

if TYPE_CHECKING:
    from referee_classics.chess import Chess

ROSTER: Final = {
    "Event": "?", "Site": "?", "Date": "????.??.??", "Round": "-", "White": "?", "Black": "?",
    "Result": "*",
}  # fmt: skip
"""The tags that every game has, in their sequence, with the signs for what is unknown."""

WIDEST: Final = 79
"""Signs in a line of moves."""

_TOKEN: Final = patterns("referee_classics.chess", "patterns")["token"]

RESULTS: Final = {"1-0": (1, 2), "0-1": (2, 1), "1/2-1/2": (1, 1)}
"""The places of White and Black, by the text of a result."""


def write_pgn(game: Chess, told: Transcript) -> str:
    """Return a match as PGN."""
    position = replace(game.start(told.seats, told.options, told.board), moves=told.orders)
    tags = {
        **ROSTER,
        "Event": told.match or "?",
        "Date": told.began.replace("-", ".") or ROSTER["Date"],
        **{seat.capitalize(): name.strip("–") or "?" for seat, name in told.players.items()},
    }
    # A game that was given up or agreed upon has its result from the match.
    result = told.result or game.result(position)
    if result is not None and result.ranks:
        places = result.places["white"], result.places["black"]
        tags["Result"] = next(text for text, both in RESULTS.items() if both == places)
    name = "Chess960" if told.options.get("chess960") else game.name.capitalize()
    tags |= {"Variant": name} if name != "Chess" else {}
    board, _, rest = position.start.partition(" ")
    if board:
        tags |= {"SetUp": "1", "FEN": f"{board.translate(str.maketrans({**PROMOTED}))} {rest}"}
    escapes = str.maketrans({"\\": r"\\", '"': r"\""})
    quoted = {name: " ".join(value.split()).translate(escapes) for name, value in tags.items()}
    lines = [f'[{name} "{value}"]' for name, value in quoted.items()]
    text = " ".join((*chain(*numbered(position.start, position.moves)), tags["Result"]))
    return "\n".join((*lines, "", *textwrap.wrap(text.replace("…", "..."), WIDEST), ""))


def read_pgn(game: Chess, text: str) -> Transcript:
    """Return the one game that a text holds. Raises BadDocument for any other.

    Its moves are as they stand there. Comments, variations, judgements and clocks are passed over.
    """
    tags: dict[str, str] = {}
    moves: list[str] = []
    games, depth, stage, end = 1, 0, "tags", "*"
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
            end = token["result"].replace("½-½", "1/2-1/2") if games == 1 else end
        else:
            games, stage = games + (stage == "ended"), "moves"
            moves.append(token["move"])
    if depth > 0:
        raise BadDocument("PGN", "“(” of a variation has no other end")
    if games > 1:
        raise BadDocument("PGN", f"holds {games} games: give one of them")
    if not tags and not moves:
        raise BadDocument("PGN", "holds no game")
    # An asterisk in one of both places says nothing against the other.
    known = [text for text in (tags.get("Result"), end) if text in RESULTS]
    if len({*known}) > 1:
        raise BadDocument("Result", f"is {known[0]}, but the moves end with {known[1]}")
    return _transcript(game, {**tags, "Result": "".join(known[:1])}, moves)


def _transcript(game: Chess, tags: Mapping[str, str], moves: Sequence[str]) -> Transcript:
    """Return the game of tags and moves. Raises BadDocument if it cannot begin so."""
    named = tags.get("Variant", "").casefold()
    variant = signs_by_word("referee_classics.chess", "variants").get(named)
    if variant != game.name and (variant, game.name) != ("chess960", "chess"):
        raise BadDocument("Variant", f"is {tags.get('Variant', 'chess')!r}, not {game.name}")
    options = {"chess960": variant == "chess960"} if "chess960" in game.options else {}
    try:
        board = game.read_board({"start": tags["FEN"]} if "FEN" in tags else {})
        start = game.start(game.colours, options, board).start
    except BadDocument as error:
        raise BadDocument("FEN", error.message) from None
    places = dict(zip(game.colours, RESULTS.get(tags.get("Result", ""), ()), strict=False))
    date = tags.get("Date", "").replace(".", "-")
    numbers = (number_of(start, count) for count in range(len(moves)))
    return Transcript(
        game.colours, options, tuple(moves), board or None,
        Result("", dict.fromkeys(places, 0), places) if places else None,
        {seat: tags.get(seat.capitalize(), "?") for seat in game.colours},
        began=date if re.fullmatch(r"\d{4}(?:-(?:\d\d|\?\?)){2}", date) else "",
        places=tuple(f"move {number} of {colour}" for number, colour in numbers),
    )  # fmt: skip
