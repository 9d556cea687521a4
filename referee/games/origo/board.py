"""Boards as the rules use them, and the rules for board files (Origo 10)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from referee.games.documents import Node, shipped
from referee.games.game import BadDocument, Document, Json, Value
from referee.games.grid import bits, components
from referee.games.origo.squares import (
    ALL,
    LAND_NAMES,
    MASK,
    PEOPLE,
    SEAS,
    SHIP,
    SIDE,
    WIDTH,
    is_card,
    lines_mask,
)
from referee.games.play import ENCODER


class Board(Value, eq=False):
    """Everything about a board that never changes; equal when the text of its document is.

    Lands are numbered in scoring order, cards in the order of their names. ``allows`` has the
    squares each card names, none for the population card, whose squares depend on the player.
    ``fitting`` has, for each square, the cards that name it. ``land_at`` is -1 at sea.
    """

    text: str
    rows: tuple[tuple[str, ...], ...]
    lands: tuple[str, ...]
    land_masks: tuple[int, ...]
    limits: tuple[int, ...]
    values: tuple[tuple[int, ...], ...]
    sea_masks: tuple[int, ...]
    sea: int
    area_at: Mapping[int, str]
    land_at: Mapping[int, int]
    track: tuple[int, ...]
    red: frozenset[int]
    clan_values: tuple[int, ...]
    cards: tuple[str, ...]
    counts: tuple[int, ...]
    number: Mapping[str, int]
    allows: tuple[int, ...]
    people: int
    fitting: Mapping[int, frozenset[int]]

    # Boards are keys of caches; comparing all masks would cost more than those save.
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def named(self, hand: tuple[int, ...]) -> list[str]:
        """Return cards by name."""
        return [self.cards[card] for card in hand]


def board_of(text: str) -> Board:
    """Return the board of the text of a document that has already been judged."""
    document: Any = json.loads(text)
    rows = tuple(tuple(row.split()) for row in document["map"])
    area_at = dict(zip(MASK.values(), (area for row in rows for area in row), strict=True))
    masks: dict[str, int] = {}
    for square, area in area_at.items():
        masks[area] = masks.get(area, 0) | square
    lands = tuple(document["scoring_order"])
    sea_masks = tuple(masks[sea] for sea in SEAS)
    sea = sum(sea_masks)
    # Sorted, because chance's outcomes need one sequence for all who recompute draws.
    cards = tuple(sorted(document["cards"]))
    named = {SHIP: sea} | {f"land:{area}": mask for area, mask in masks.items()}
    allows = tuple(named.get(card) or lines_mask(card) for card in cards)
    return Board(
        text=text,
        rows=rows,
        lands=lands,
        land_masks=tuple(masks[land] for land in lands),
        limits=tuple(document["lands"][land]["setup_limit"] for land in lands),
        values=tuple(tuple(document["lands"][land]["values"]) for land in lands),
        sea_masks=sea_masks,
        sea=sea,
        area_at=area_at,
        land_at={s: lands.index(a) if a in lands else -1 for s, a in area_at.items()},
        track=tuple(document["founding_track"]),
        red=frozenset(document["founding_red"]),
        clan_values=tuple(document["clan_values"]),
        cards=cards,
        counts=tuple(document["cards"][card] for card in cards),
        number={card: i for i, card in enumerate(cards)},
        allows=allows,
        # An organiser's board may do without the card; -1 is no card's number.
        people=cards.index(PEOPLE) if PEOPLE in cards else -1,
        fitting={
            square: frozenset(i for i, mask in enumerate(allows) if mask & square)
            for square in bits(ALL)
        },
    )


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
    document: Document = shipped("referee.games.origo", f"boards/{RECONSTRUCTED}.json")
    return document


@lru_cache(maxsize=1)
def shipped_board() -> Board:
    """Return the board that comes with the game."""
    return read_board(Node(shipped_document()))


def make(name: str, given: Json) -> Document:
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


def read_board(node: Node) -> Board:
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
def _judged(text: str) -> Board:
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
    return board_of(text)


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
