"""Tables and tracks beside the board, cards in hand, combats, scorings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from referee.games.game import (
    Card,
    CardKind,
    CellValue,
    Choice,
    Fact,
    Json,
    Mark,
    Move,
    Place,
    Question,
    Row,
    Scoresheet,
    Seat,
    Secret,
    Sentence,
    Side,
    Table,
    Track,
    Word,
)
from referee.games.origo.board import Board
from referee.games.origo.cards import SEAS
from referee.games.origo.orders import Add, Yield
from referee.games.origo.squares import ALL, MASK, NEAR, beside, square_names

Shields: TypeAlias = tuple[tuple[str, Seat], ...]
"""Each square with a shield on it, and the shield's owner."""

LETTERS: Final = MappingProxyType(
    {"red": "R", "blue": "B", "black": "K", "green": "G", "orange": "O"}
)
"""The letter of a shield, by its owner's colour. Black must not look like blue."""

STONE: Final = "*"

KINDS: Final[Mapping[str, CardKind]] = MappingProxyType(
    {"row": "row", "col": "column", "land": "land", "people": "people", "ship": "ship"}
)
"""How cards are drawn, by the first part of their names."""

OF_A_CARD: Final = 2
"""Points of a card in a combat."""


def board_tables(document: Any, board: Board, shields: Shields) -> tuple[Table, ...]:
    """Return the tables of a view."""
    placed = Counter(document["shields"].values())
    players = []
    for seat in document["seats"]:
        hand = document["hands"][seat]
        cards = hand if isinstance(hand, int) else len(hand)
        points, supply = document["path"][seat], document["supply"][seat]
        players.append(Row((Word("seat", seat), points, supply, placed[seat], cards)))
    piles: dict[str, Json] = {
        "draw": document["draw"],
        "number": sum(document["discards"].values()),
    }
    held = shields_by_area(board, shields)
    lands = []
    for land, mask, values in zip(board.lands, board.land_masks, board.values, strict=True):
        founded = Sentence("founded-land", {"land": land})
        name = founded if land in document["founded"] else Sentence("coded", {"area": land})
        worth = "/".join(map(str, values))
        lands.append(_area(document, land, mask, held.get(land, {}), name, worth))
    seas = [
        _area(document, sea, mask, held.get(sea, {}), Sentence("coded", {"area": sea}))
        for sea, mask in zip(SEAS, board.sea_masks, strict=True)
    ]
    seats = (*(Word("seat", seat) for seat in document["seats"]), Word("column", "free"))
    heads = _heads("player", "points", "supply", "on-board", "cards")
    return (
        Table("players", heads, tuple(players), (Sentence("pile-sizes", piles),)),
        Table("lands", (*_heads("land", "values"), *seats), tuple(lands)),
        Table("seas", (*_heads("sea"), *seats), tuple(seas)),
    )


def shields_by_area(board: Board, shields: Shields) -> dict[str, dict[Seat, int]]:
    """Return the number of each seat's shields by area."""
    held: dict[str, dict[Seat, int]] = {}
    for square, seat in shields:
        here = held.setdefault(board.area_at[MASK[square]], {})
        here[seat] = here.get(seat, 0) + 1
    return held


def _heads(*keys: str) -> tuple[CellValue, ...]:
    return tuple(Word("column", key) for key in keys)


def _area(document: Any, area: str, mask: int, here: Mapping[Seat, int], *head: CellValue) -> Row:
    counts: list[CellValue] = [here.get(seat) for seat in document["seats"]]
    return Row((*head, *counts, mask.bit_count() - sum(here.values())), area)


def cards_in_hand(document: Any, board: Board, seat: Seat | None) -> tuple[Secret, ...]:
    """Return the cards in the hand of the view's seat."""
    if seat is None or seat not in document["hands"]:
        return ()
    cards = tuple(
        Card(
            Sentence("card-name", {"card": card}),
            spaces=tuple(squares),
            count=number,
            kind=KINDS[card.partition(":")[0]],
        )
        for card, number, squares in hand_cards(document, board, seat)
    )
    return (Secret("hand", cards, () if cards else (Sentence("no-cards"),)),)


def hand_cards(document: Any, board: Board, seat: Seat) -> list[tuple[str, int, list[str]]]:
    """Return each card in a hand with its number and free squares."""
    hand = document["hands"][seat]
    own, occupied = 0, 0
    for square, owner in document["shields"].items():
        occupied |= MASK[square]
        own |= MASK[square] if owner == seat else 0
    cards = []
    # Equal cards open the same squares and are told once, with their number.
    for card in dict.fromkeys(hand):
        number = board.number[card]
        allowed = beside(own) if number == board.people else board.allows[number]
        cards.append((card, hand.count(card), square_names(allowed & ALL & ~occupied)))
    return cards


def combat_sides(document: Any) -> Iterator[tuple[Seat, int, int, list[str]]]:
    """Yield attacker and defender: their points, shields that count, and cards."""
    combat = document["combat"]
    square = MASK[combat["square"]]
    for side in ("attacker", "defender"):
        seat, cards = combat[side], combat[f"{side}_cards"]
        # Computed from the view: a scene is drawn without the position, by programs too.
        near = sum(document["shields"].get(name) == seat for name in square_names(NEAR[square]))
        # The defender's own shield on the square counts for it.
        shields = near + (side == "defender")
        yield seat, OF_A_CARD * len(cards) + shields, shields, cards


def question(document: Any, board: Board, seat: Seat | None) -> Question | None:
    """Return both sides of a combat, and the answers to it if the view is of the seat behind."""
    if not document["combat"]:
        return None
    sides = tuple(
        Side(
            side,
            points,
            (
                Sentence("side-shields", {"shields": shields}),
                *(Sentence("side-card", {"card": card}) for card in cards),
            ),
        )
        for side, points, shields, cards in combat_sides(document)
    )
    if seat is None or seat != document["to_act"]:
        return Question("combat", sides)
    combat = document["combat"]
    square = MASK[combat["square"]]
    own = next(side.points for side in sides if side.seat == seat) + OF_A_CARD
    other = next(side.points for side in sides if side.seat != seat)
    # People count for whoever stands next to the square.
    near = any(document["shields"].get(name) == seat for name in square_names(NEAR[square]))
    choices = []
    for card in dict.fromkeys(document["hands"][seat]):
        number = board.number[card]
        if number in board.fitting[square] or (near and number == board.people):
            adding = Sentence("after-adding", {"own": own, "other": other})
            choices.append(Choice(Add(card), adding))
    lost = {"square": combat["square"], "taken": seat == combat["defender"]}
    choices.append(Choice(Yield(), Sentence("after-yielding", lost)))
    return Question("combat", sides, tuple(choices))


def path_track(document: Any) -> Track:
    """Return the path of points, the seat ahead last."""
    ranked = sorted(document["path"].items(), key=lambda pair: pair[1])
    return Track(
        "ruler",
        "path",
        tuple(
            Place(str(points), (Mark(LETTERS[seat], "marker", seat),), "done")
            for seat, points in ranked
        ),
    )


@lru_cache(maxsize=64)
def founding_track(board: Board, founded: tuple[str, ...]) -> Track:
    """Return the founding track: lands founded so far, points of the stones to come."""
    places = []
    for number, points in enumerate(board.track):
        done, special = number < len(founded), "scoring" if number + 1 in board.red else None
        label = founded[number] if done else f"+{points}"
        stage: Any = "done" if done else "next" if number == len(founded) else "later"
        marks = (Mark(STONE, "stone", shape="star"),) if done else ()
        places.append(Place(label, marks, stage, special))
    return Track("steps", "track", tuple(places))


PARTS = ("clans", "sea", "lands")

DETAILS = frozenset({"scored-clans", "scored-sea", "scored-land"})
"""Facts that tell the sums of a scoring step by step."""


def tribe_sheets(facts: Sequence[Fact]) -> Iterator[Fact | Scoresheet]:
    """Yield facts, those of each scoring replaced by its sheet."""
    title: Fact | None = None
    details: list[Fact] = []
    sums: list[Fact] = []
    for fact in facts:
        if fact.fact in DETAILS and title is not None:
            details.append(fact)
        elif fact.fact == "scored" and title is not None:
            sums.append(fact)
        else:
            yield from _sheet(title, details, sums)
            title, details, sums = None, [], []
            if fact.fact in {"scoring", "final-scoring"}:
                title = fact
            else:
                yield fact
    yield from _sheet(title, details, sums)


def _sheet(
    title: Fact | None, details: Sequence[Fact], sums: Sequence[Fact]
) -> Iterator[Fact | Scoresheet]:
    if title is None:
        return
    # A scoring told in part, as to somebody who came to it late, stays as it is.
    if not sums:
        yield from (title, *details)
        return
    told: list[dict[str, Any]] = [dict(fact.fields) for fact in sums]
    notes = []
    for kind in ("scored-clans", "scored-sea", "scored-land"):
        parts: list[Json] = [dict(fact.fields) for fact in details if fact.fact == kind]
        if parts:
            notes.append(Sentence(f"{kind}-together", {"parts": parts}))
    yield Scoresheet(
        title=title,
        seats=tuple(seat["seat"] for seat in told),
        rows=tuple((Word("column", key), _numbers(told, key)) for key in PARTS),
        sums=tuple((Word("column", key), _numbers(told, key)) for key in ("points", "total")),
        notes=tuple(notes),
    )


def _numbers(told: list[dict[str, Any]], key: str) -> tuple[int | None, ...]:
    return tuple(seat[key] for seat in told)


def shield_ways(facts: Sequence[Fact]) -> Iterator[Move]:
    """Yield the ways of shields that migrated or sailed."""
    for fact in facts:
        if fact.fact in {"migrated", "sailed"}:
            told: Any = fact.fields
            yield Move(told["seat"], (told["start"], told["goal"]))
