"""Games of go as SGF (FF[4]), the text that every program for go reads."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from referee.games.game import BadDocument, Result, Transcript, replace
from referee.games.play import complete_options
from referee_classics.data import patterns
from referee_classics.go.points import handicap_points, pair_of, sgf_point

if TYPE_CHECKING:
    from referee_classics.go import Go

WIDEST: Final = 79
"""Signs in a line of moves."""

_TOKEN: Final = patterns("referee_classics.go", "patterns")["token"]

Node = dict[str, list[str]]
"""A node's properties: the values of each by its name."""


def write_sgf(game: Go, told: Transcript) -> str:
    """Return a match as SGF: the moves that count, without the talk about dead stones."""
    position = replace(game.start(told.seats, told.options, told.board), moves=told.orders)
    size, options = game.size(position), dict(position.options)
    stones = handicap_points(size, int(options["handicap"]))
    root = {
        "GM": "1",
        "FF": "4",
        "CA": "UTF-8",
        "AP": "referee",
        "SZ": str(size),
        "KM": game.komi(options),
        "RU": "Chinese" if options["count"] == "area" else "Japanese",
        "HA": str(len(stones)) if stones else "",
        "GN": told.match,
        "PB": told.players.get("black", "").strip("–"),
        "PW": told.players.get("white", "").strip("–"),
        "DT": ",".join(dict.fromkeys(day for day in (told.began, told.ended) if day)),
        "RE": _result(told.result, game.margin(position)),
    }
    escaped = {
        name: re.sub(r"([\]\\])", r"\\\1", " ".join(value.split())) for name, value in root.items()
    }
    head = "".join(f"{name}[{value}]" for name, value in escaped.items() if value)
    head += "AB" * bool(stones) + "".join(f"[{pair_of(stone, size)}]" for stone in stones)
    first = len(stones) * 2 - 1 if stones else 0
    played = game.talk(position).played[first:]
    nodes = [
        f";{'BW'[(number + first) % 2]}[{'' if move == 'pass' else pair_of(move, size)}]"
        for number, move in enumerate(played)
    ]
    return "\n".join((f"(;{head}", *textwrap.wrap(" ".join(nodes), WIDEST), ")", ""))


def _result(result: Result | None, margin: str) -> str:
    """Return a result such as ``B+3.5``; ``Void`` for a match that was broken off."""
    if result is None or not result.ranks:
        return "Void"
    black, white = result.places["black"], result.places["white"]
    if black == white:
        return "0"
    counted = result.ending in {"counted", "long"}
    how = margin[1:] if counted else {"resigned": "+R", "late": "+T"}.get(result.ending, "+F")
    return f"{'B' if black < white else 'W'}{how}"


def read_sgf(game: Go, text: str) -> Iterator[Transcript]:
    """Yield the games of a text one after the other, the main line of each alone.

    Raises BadDocument for a text that is none, naming the move.
    """
    nodes: list[Node] = []
    depth, name, branched, games = 0, "", False, 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "open":
            depth += 1
        elif not nodes and depth == 1 and kind == "close":
            raise BadDocument("SGF", "a game begins with ;")
        elif kind == "close" and depth == 1:
            games, depth, branched = games + 1, 0, False
            yield _transcript(game, nodes)
            nodes = []
        elif kind == "close":
            # Whatever stands behind the first end of a line is a variation.
            depth, branched = depth - 1, True
        elif depth < 1:
            raise BadDocument("SGF", f"{token[0][:20]!r} stands outside of a game")
        elif kind == "fault":
            raise BadDocument(f"move {_moves(nodes) + 1}", f"{token[0]!r} has no other end")
        elif branched:
            continue
        elif kind == "node":
            nodes.append({})
        elif not nodes:
            raise BadDocument("SGF", "a game begins with ;")
        elif kind == "name":
            # Small letters in names are of older forms, and mean nothing.
            name = re.sub(r"[a-z]", "", token["name"])
            nodes[-1].setdefault(name, [])
        else:
            value = re.sub(r"\\(.)", r"\1", token["value"], flags=re.DOTALL)
            nodes[-1].setdefault(name, []).append(value)
    if depth > 0 or not games:
        raise BadDocument(f"move {_moves(nodes)}" if nodes else "SGF", "the game has no end")


def _moves(nodes: list[Node]) -> int:
    return sum(bool(node.get("B") or node.get("W")) for node in nodes)


def _transcript(game: Go, nodes: list[Node]) -> Transcript:
    """Return the game that the nodes of its main line tell of."""
    root = {name: values[0].strip() for name, values in nodes[0].items() if values}
    if root.get("GM", "1") != "1":
        raise BadDocument("GM", f"is {root['GM']}: no game of go")
    options = _options(game, root)
    position = game.start(game.colours, options)
    size, stones = game.size(position), set(game.stones(position))
    placed = {_named(pair, size, "AB") for pair in nodes[0].get("AB", ())}
    if placed != stones or "AW" in nodes[0]:
        raise BadDocument("AB", "stones stand elsewhere than handicap stones do on their points")
    orders, places = list[str](), list[str]()
    act = "W" if stones else "B"
    for at, node in enumerate(nodes):
        if at and node.keys() & {"AB", "AW", "AE"}:
            raise BadDocument(f"move {_moves(nodes[:at])}", "stones are set by hand")
        for colour in sorted(node.keys() & {"B", "W"}):
            number = len(orders) - orders.count("resume") + 1
            place = f"move {number} of {'Black' if colour == 'B' else 'White'}"
            played = [_named("".join(node[colour]).strip(), size, place)]
            if orders[-2:] == ["pass", "pass"]:
                # Under some rules players pass again and again.
                if played == ["pass"]:
                    continue
                played = ["resume", *played]
            if colour != act:
                raise BadDocument(place, "the other one is to play")
            orders += played
            places += [place] * len(played)
            act = {"B": "W", "W": "B"}[act]
    date = re.match(r"\d{4}-\d\d-\d\d", root.get("DT", ""))
    return Transcript(
        game.colours, options, tuple(orders), result=_told(root.get("RE", "")),
        players={"black": root.get("PB", "?"), "white": root.get("PW", "?")},
        began=date[0] if date else "", places=tuple(places),
    )  # fmt: skip


def _options(game: Go, root: Mapping[str, str]) -> dict[str, str | int | bool]:
    """Return the options of a match that a game's first node asks for."""
    lines, _, rows = root.get("SZ", "19").partition(":")
    if rows not in {"", lines}:
        raise BadDocument("SZ", f"is {root['SZ'][:20]}: boards here are square")
    given: dict[str, str | int | bool] = {"size": f"{lines}x{lines}"}
    try:
        given["komi"] = f"{float(root.get('KM') or '0'):g}"
        given["handicap"] = int(root.get("HA") or "0")
    except ValueError as error:
        raise BadDocument("KM" if "float" in str(error) else "HA", "is no number") from None
    if given["komi"] == game.komi({**given, "komi": "usual"}):
        given["komi"] = "usual"
    japanese = root.get("RU", "").casefold().startswith(("jap", "kor"))
    given["count"] = "territory" if japanese else "area"
    try:
        options = complete_options(game, given)
        game.start(game.colours, options)
    except BadDocument as error:
        raise BadDocument("HA", error.message) from None
    except ValueError as error:
        raise BadDocument("SGF", str(error)) from None
    return dict(options)


def _named(pair: str, size: int, place: str) -> str:
    """Return the point of a pair of letters, or a pass."""
    if not pair or (pair == "tt" and size <= 19):
        return "pass"
    if not re.fullmatch(r"[a-s]{2}", pair) or max(pair) >= chr(97 + size):
        raise BadDocument(place, f"{pair[:20]!r} is no point of a board of {size} lines")
    return sgf_point(pair, size)


def _told(result: str) -> Result | None:
    matched = re.fullmatch(r"(?:([BW])\+(\S*)|0|draw|jigo)", result, re.IGNORECASE)
    if matched is None:
        return None
    winner, how = (matched[1] or "").upper(), (matched[2] or "").upper()
    places = {"black": 2 if winner == "W" else 1, "white": 2 if winner == "B" else 1}
    # On time, or for no reason told, nothing was counted.
    counted = not winner or re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", how)
    ending = "resigned" if how in {"R", "RESIGN"} else "counted" if counted else ""
    return Result(ending, dict.fromkeys(places, 0), places)
