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
    held = shields_by_area(board, shields)
    return _players(document), _lands(document, board, held), _seas(document, board, held)


def shields_by_area(board: Board, shields: Shields) -> dict[str, dict[Seat, int]]:
    """Return the number of each seat's shields by area."""
    held: dict[str, dict[Seat, int]] = {}
    for square, seat in shields:
        here = held.setdefault(board.area_at[MASK[square]], {})
        here[seat] = here.get(seat, 0) + 1
    return held


def _players(document: Any) -> Table:
    placed = Counter(document["shields"].values())
    rows = []
    for seat in document["seats"]:
        hand = document["hands"][seat]
        cards = hand if isinstance(hand, int) else len(hand)
        points, supply = document["path"][seat], document["supply"][seat]
        rows.append(Row((Word("seat", seat), points, supply, placed[seat], cards)))
    piles: dict[str, Json] = {
        "draw": document["draw"],
        "number": sum(document["discards"].values()),
    }
    heads = _heads("player", "points", "supply", "on-board", "cards")
    return Table("players", heads, tuple(rows), (Sentence("pile-sizes", piles),))


def _heads(*keys: str) -> tuple[CellValue, ...]:
    return tuple(Word("column", key) for key in keys)


def _lands(document: Any, board: Board, held: Mapping[str, Mapping[Seat, int]]) -> Table:
    rows = []
    for land, mask, values in zip(board.lands, board.land_masks, board.values, strict=True):
        founded = Sentence("founded-land", {"land": land})
        name = founded if land in document["founded"] else Sentence("coded", {"area": land})
        worth = "/".join(map(str, values))
        rows.append(_area(document, land, mask, held.get(land, {}), name, worth))
    heads = (*_heads("land", "values"), *_seats(document), Word("column", "free"))
    return Table("lands", heads, tuple(rows))


def _seas(document: Any, board: Board, held: Mapping[str, Mapping[Seat, int]]) -> Table:
    rows = tuple(
        _area(document, sea, mask, held.get(sea, {}), Sentence("coded", {"area": sea}))
        for sea, mask in zip(SEAS, board.sea_masks, strict=True)
    )
    heads = (*_heads("sea"), *_seats(document), Word("column", "free"))
    return Table("seas", heads, rows)


def _seats(document: Any) -> tuple[CellValue, ...]:
    return tuple(Word("seat", seat) for seat in document["seats"])


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
    found = []
    # Equal cards open the same squares and are told once, with their number.
    for card in dict.fromkeys(hand):
        number = board.number[card]
        allowed = beside(own) if number == board.people else board.allows[number]
        found.append((card, hand.count(card), square_names(allowed & ALL & ~occupied)))
    return found


def combat_sides(document: Any) -> Iterator[tuple[Seat, int, int, list[str]]]:
    """Yield attacker and defender: their points, shields that count, and cards."""
    combat = document["combat"]
    square = MASK[combat["square"]]
    for side in ("attacker", "defender"):
        seat, cards = combat[side], combat[f"{side}_cards"]
        # Computed from the view: a scene is drawn without the position, by programs too.
        near = sum(document["shields"].get(each) == seat for each in square_names(NEAR[square]))
        # The defender's own shield on the square counts for it.
        shields = near + (side == "defender")
        yield seat, OF_A_CARD * len(cards) + shields, shields, cards


def question(document: Any, board: Board, seat: Seat | None) -> Question | None:
    """Return both sides of a combat, and the answers to it.

    Answers are for the seat behind, if the view is its own.
    """
    if not document["combat"]:
        return None
    sides = tuple(
        Side(
            each,
            points,
            (
                Sentence("side-shields", {"shields": shields}),
                *(Sentence("side-card", {"card": card}) for card in cards),
            ),
        )
        for each, points, shields, cards in combat_sides(document)
    )
    asked = seat is not None and seat == document["to_act"]
    return Question("combat", sides, tuple(_choices(document, board, sides)) if asked else ())


def _choices(document: Any, board: Board, sides: tuple[Side, ...]) -> Iterator[Choice]:
    seat, combat = document["to_act"], document["combat"]
    square = MASK[combat["square"]]
    own = next(each.points for each in sides if each.seat == seat) + OF_A_CARD
    other = next(each.points for each in sides if each.seat != seat)
    # People count for whoever stands next to the square.
    near = any(document["shields"].get(each) == seat for each in square_names(NEAR[square]))
    for card in dict.fromkeys(document["hands"][seat]):
        number = board.number[card]
        if number in board.fitting[square] or (near and number == board.people):
            yield Choice(Add(card), Sentence("after-adding", {"own": own, "other": other}))
    lost = {"square": combat["square"], "taken": seat == combat["defender"]}
    yield Choice(Yield(), Sentence("after-yielding", lost))


def path_track(document: Any) -> Track:
    """Return the path of points, the seat ahead last."""
    ranked = sorted(document["path"].items(), key=lambda each: each[1])
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
    found = []
    for number, points in enumerate(board.track):
        done, special = number < len(founded), "scoring" if number + 1 in board.red else None
        label = founded[number] if done else f"+{points}"
        stage: Any = "done" if done else "next" if number == len(founded) else "later"
        marks = (Mark(STONE, "stone", shape="star"),) if done else ()
        found.append(Place(label, marks, stage, special))
    return Track("steps", "track", tuple(found))


PARTS = ("clans", "sea", "lands")

DETAILS = frozenset({"scored-clans", "scored-sea", "scored-land"})
"""Facts that tell the sums of a scoring step by step."""


def tribe_sheets(facts: Sequence[Fact]) -> Iterator[Fact | Scoresheet]:
    """Yield facts, those of each scoring replaced by its sheet."""
    title: Fact | None = None
    details: list[Fact] = []
    sums: list[Fact] = []
    for each in facts:
        if each.fact in DETAILS and title is not None:
            details.append(each)
        elif each.fact == "scored" and title is not None:
            sums.append(each)
        else:
            yield from _sheet(title, details, sums)
            title, details, sums = None, [], []
            if each.fact in {"scoring", "final-scoring"}:
                title = each
            else:
                yield each
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
    told: list[dict[str, Any]] = [dict(each.fields) for each in sums]
    yield Scoresheet(
        title=title,
        seats=tuple(each["seat"] for each in told),
        rows=tuple((Word("column", key), _numbers(told, key)) for key in PARTS),
        sums=tuple((Word("column", key), _numbers(told, key)) for key in ("points", "total")),
        notes=tuple(_notes(details)),
    )


def _numbers(told: list[dict[str, Any]], key: str) -> tuple[int | None, ...]:
    return tuple(each[key] for each in told)


def _notes(details: Sequence[Fact]) -> Iterator[Sentence]:
    """Yield the details of clans, sea and lands, each as one sentence."""
    for kind in ("scored-clans", "scored-sea", "scored-land"):
        parts: list[Json] = [dict(each.fields) for each in details if each.fact == kind]
        if parts:
            yield Sentence(f"{kind}-together", {"parts": parts})


def shield_ways(facts: Sequence[Fact]) -> Iterator[Move]:
    """Yield the ways of shields that migrated or sailed."""
    for each in facts:
        if each.fact in {"migrated", "sailed"}:
            told: Any = each.fields
            yield Move(told["seat"], (told["start"], told["goal"]))
