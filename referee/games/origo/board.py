"""Boards as the rules use them: masks of areas, values, tracks, cards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.games.game import Value
from referee.games.grid import bits
from referee.games.origo.cards import PEOPLE, SEAS, SHIP, lines_mask
from referee.games.origo.squares import ALL, MASK


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
