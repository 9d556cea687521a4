"""Boards of matches, and the rules for board files (Origo 7)."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import Final

from referee.games.documents import Node
from referee.games.game import BadDocument, Board, Document, Json
from referee.games.grid import components
from referee.games.origo import board as tables
from referee.games.origo.cards import LAND_NAMES, SEAS, is_card
from referee.games.origo.squares import MASK, SIDE, WIDTH
from referee.games.play import ENCODER

RECONSTRUCTED: Final = "reconstructed"
CARDS: Final = 98
STONES: Final = 12
MOST_STARTING: Final = 24
"""Starting shields of all players together, at two players and at three."""

_FIELDS: Final = (
    *("game", "name", "provenance", "map", "lands", "seas", "scoring_order"),
    *("founding_track", "founding_red", "clan_values", "cards"),
)


def shipped_document() -> Document:
    """Return the board file that comes with the game."""
    folder = resources.files("referee.games.origo").joinpath("boards")
    text = folder.joinpath(f"{RECONSTRUCTED}.json").read_text(encoding="utf-8")
    document: Document = json.loads(text)
    return document


@lru_cache(maxsize=1)
def shipped_board() -> tables.Board:
    """Return the board that comes with the game."""
    return read_board(Node(shipped_document()))


def make(name: str, given: Json) -> Board:
    """Return the complete board document of a match.

    ``given`` is an organiser's board file, or None for the one called ``name``. Raises BadDocument
    when the file breaks a rule, ValueError when there is no such board.
    """
    if given is None:
        if name != RECONSTRUCTED:
            raise ValueError(f"there is no board {name!r}; there is {RECONSTRUCTED!r}")
        return shipped_document()
    # From the text the board is judged and hashed by, so that its header holds just this form.
    document: Document = json.loads(read_board(Node(given)).text)
    return document


def read_board(node: Node) -> tables.Board:
    """Return a board by its name or from its document. Raises BadDocument, naming the place."""
    if isinstance(node.value, str):
        node.one_of([RECONSTRUCTED])
        return shipped_board()
    document = {key: member.value for key, member in node.members().items()}
    try:
        return _judged(ENCODER.encode(document))
    except BadDocument as error:
        raise BadDocument(node.path + error.path.removeprefix("$"), error.message) from None


@lru_cache(maxsize=64)
def _judged(text: str) -> tables.Board:
    """Return the board of a document after judging it."""
    fields = Node(json.loads(text)).fields(_FIELDS)
    fields["game"].one_of(["origo"])
    fields["name"].text()
    fields["provenance"].text()
    sizes = _map(fields["map"])
    room = sum(sizes[code] for code in SEAS)
    for code, node in fields["lands"].fields(tuple(LAND_NAMES)).items():
        land = node.fields(("de", "en", "values", "setup_limit"))
        land["de"].text()
        land["en"].text()
        _numbers(land["values"], 3, "one value for each place")
        limit = land["setup_limit"].whole()
        # A land full before the first round would never be founded: nobody could arrive last.
        if limit >= sizes[code]:
            land["setup_limit"].fail(f"{code} has {sizes[code]} squares and must be larger")
        room += limit
    for sea in fields["seas"].fields(SEAS).values():
        for name in sea.fields(("de", "en")).values():
            name.text()
    if sorted(fields["scoring_order"].one_each(LAND_NAMES)) != sorted(LAND_NAMES):
        fields["scoring_order"].fail("names every land once")
    _numbers(fields["founding_track"], STONES, "one value for each founding stone")
    red = [number.whole(1, STONES) for number in fields["founding_red"].elements()]
    if len(set(red)) != len(red):
        fields["founding_red"].fail("names every red field once, counted from 1")
    _numbers(fields["clan_values"], 5, "one value for each place")
    total = 0
    for card, number in fields["cards"].members().items():
        if not is_card(card):
            number.fail(f"{card} is no card")
        total += number.whole(1)
    if total != CARDS:
        fields["cards"].fail(f"there are {total} cards, not {CARDS}")
    # Otherwise the set-up could come to a seat that has no square left.
    if room < MOST_STARTING:
        fields["map"].fail(f"lands and seas have room for {room} starting shields, not 24")
    return tables.board_of(text)


def _map(node: Node) -> dict[str, int]:
    """Return the number of squares of each area; each must hang together."""
    rows = node.elements()
    if len(rows) != SIDE:
        node.fail(f"has {SIDE} rows")
    masks = dict.fromkeys((*LAND_NAMES, *SEAS), 0)
    squares = iter(MASK.values())
    for row in rows:
        codes = row.text().split()
        if len(codes) != SIDE:
            row.fail(f"has {SIDE} squares, parted by spaces")
        for code in codes:
            if code not in masks:
                row.fail(f"{code} is no area; these are {', '.join(masks)}")
            masks[code] |= next(squares)
    for code, mask in masks.items():
        if len(components(mask, WIDTH)) != 1:
            node.fail(f"{code} must be on the map and hang together")
    return {code: mask.bit_count() for code, mask in masks.items()}


def _numbers(node: Node, many: int, what: str) -> None:
    if len([number.whole(0, 1000) for number in node.elements()]) != many:
        node.fail(f"has {many} numbers, {what}")


def board_in_document(board: tables.Board) -> Json:
    """Return a board as position documents have it: by name if it ships, else whole."""
    if board == shipped_board():
        return RECONSTRUCTED
    document: Document = json.loads(board.text)
    return document
