"""Answers how a view is drawn: cells with marks, panels of sentences beside the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from referee.games.game import CHANCE, Cell, Json, Mark, Panel, Scene, Seat, Sentence, View
from referee.games.origo.board import Board
from referee.games.origo.boards import read_board
from referee.games.origo.cards import SEAS
from referee.games.origo.path import field
from referee.games.origo.position import ACTIONS, COMBAT, OVER, PLACE, STARTING
from referee.games.origo.reading import Node
from referee.games.origo.squares import ALL, MASK, NEAR, SIDE, beside, names

SIGNS: Final = MappingProxyType(
    {
        "BRI": "b",
        "GER": "g",
        "BAL": "t",
        "GAL": "l",
        "HIS": "h",
        "ITA": "i",
        "BEL": "e",
        "SKA": "s",
        "POL": "p",
        "HEL": "v",
        "DAK": "d",
        "DAL": "m",
        "NOR": "^",
        "OST": "%",
        "BIS": ":",
        "MIT": "~",
    }
)
"""The sign of each area on the text board: letters for lands, none for seas."""

PALETTE: Final = MappingProxyType(
    {
        "BRI": "#f6d5c3",
        "GER": "#f3e7c9",
        "BAL": "#cfe8c8",
        "GAL": "#d8efd3",
        "HIS": "#f7e3b5",
        "ITA": "#f6cfcf",
        "BEL": "#e9d8f2",
        "SKA": "#dfe6d0",
        "POL": "#f2dcea",
        "HEL": "#e3e3e3",
        "DAK": "#ead9c5",
        "DAL": "#fbe9d9",
        "NOR": "#d6ebf7",
        "OST": "#c9e2f5",
        "BIS": "#d3f0f0",
        "MIT": "#dce6fa",
    }
)

LETTERS: Final = MappingProxyType(
    {"red": "R", "blue": "B", "black": "K", "green": "G", "orange": "O"}
)
"""How a shield is drawn, by its owner's colour; black must not look like blue."""

STONE: Final = "*"


def scene(view: View) -> Scene:
    """Return a view described for drawing."""
    document: Any = view.document
    board = read_board(Node(document["board"]))
    cells = tuple(
        _cell(document, square, area, row, column)
        for row, areas in enumerate(board.rows)
        for column, (square, area) in enumerate(
            zip(list(MASK)[row * SIDE : (row + 1) * SIDE], areas, strict=True)
        )
    )
    return Scene(
        rows=SIDE,
        columns=SIDE,
        cells=cells,
        panels=tuple(_panels(document, board, view.seat)),
        palette=PALETTE,
        legend=tuple(_legend(document)),
    )


def _cell(document: Any, square: str, area: str, row: int, column: int) -> Cell:
    combat = document["combat"]
    attacker = combat["attacker"] if combat and combat["square"] == square else None
    seat, founded = document["shields"].get(square), area in document["founded"]
    return _drawn(square, area, row, column, seat, attacker, founded=founded)


@lru_cache(maxsize=4096)
def _drawn(
    square: str,
    area: str,
    row: int,
    column: int,
    seat: Seat | None,
    attacker: Seat | None,
    *,
    founded: bool,
) -> Cell:
    """Return a square with what stands on it; most look alike in scene after scene."""
    marks = []
    if seat:
        marks.append(Mark(LETTERS[seat], "shield", seat))
    if attacker:
        marks.append(Mark(LETTERS[attacker], "attacker", attacker))
    if founded:
        marks.append(Mark(STONE, "stone"))
    return Cell(square, row, column, area, SIGNS[area], tuple(marks))


def _legend(document: Any) -> Iterator[tuple[str, str, str]]:
    for area, sign in SIGNS.items():
        yield sign, "ground", area
    for seat in document["seats"]:
        yield LETTERS[seat], "seat", seat
    if document["founded"]:
        yield STONE, "mark", "stone"


def _panels(document: Any, board: Board, seat: Seat | None) -> Iterator[Panel]:
    players = [_player(document, each) for each in document["seats"]]
    yield Panel("players", (*players, _piles(document)))
    yield Panel("track", tuple(_track(document, board)))
    yield Panel("lands", tuple(_areas(document, board)))
    if document["combat"]:
        yield Panel("combat", tuple(_combat(document, board)))
    if seat is not None and seat in document["hands"]:
        yield Panel("hand", tuple(_hand(document, board, seat)))
    yield Panel("course", tuple(_course(document)))


def _player(document: Any, seat: Seat) -> Sentence:
    total, hand = document["path"][seat], document["hands"][seat]
    about: dict[str, Json] = {
        "seat": seat,
        "points": total,
        "field": field(total),
        "supply": document["supply"][seat],
        "board": sum(each == seat for each in document["shields"].values()),
        "cards": hand if isinstance(hand, int) else len(hand),
    }
    return Sentence("player", about)


def _piles(document: Any) -> Sentence:
    discards = document["discards"]
    about: dict[str, Json] = {
        "draw": document["draw"],
        "number": sum(discards.values()),
        "discards": [{"card": card, "number": number} for card, number in discards.items()],
    }
    return Sentence("piles", about)


def _track(document: Any, board: Board) -> Iterator[Sentence]:
    used, stones = len(document["founded"]), len(board.track)
    if used < stones:
        about: dict[str, Json] = {
            "stone": used + 1,
            "stones": stones,
            "points": board.track[used],
            "red": used + 1 in board.red,
        }
        yield Sentence("next-stone", about)
        if later := [each for each in sorted(board.red) if each > used]:
            yield Sentence("red-fields", {"fields": list[Json](later)})
    else:
        yield Sentence("no-stone", {"stones": stones})
    if ordered := document["scorings_ordered"]:
        yield Sentence("ordered", {"ordered": ordered})


def _areas(document: Any, board: Board) -> Iterator[Sentence]:
    shields: dict[str, dict[Seat, int]] = {}
    for square, seat in document["shields"].items():
        held = shields.setdefault(board.area_at[MASK[square]], {})
        held[seat] = held.get(seat, 0) + 1
    for land, mask, values in zip(board.lands, board.land_masks, board.values, strict=True):
        more: dict[str, Json] = {
            "values": list[Json](values),
            "founded": land in document["founded"],
        }
        yield Sentence("land", _area(document, land, mask, shields.get(land, {})) | more)
    for sea, mask in zip(SEAS, board.sea_masks, strict=True):
        yield Sentence("sea", _area(document, sea, mask, shields.get(sea, {})))


def _area(document: Any, area: str, mask: int, shields: Mapping[Seat, int]) -> dict[str, Json]:
    """Return who has how many shields in an area, most first, and how many squares are free."""
    counts = [(seat, shields[seat]) for seat in document["seats"] if seat in shields]
    counts.sort(key=lambda each: -each[1])
    size = mask.bit_count()
    return {
        "area": area,
        "shields": [{"seat": seat, "number": number} for seat, number in counts],
        "free": size - sum(shields.values()),
        "size": size,
    }


def _combat(document: Any, board: Board) -> Iterator[Sentence]:
    combat = document["combat"]
    square = MASK[combat["square"]]
    about: dict[str, Json] = {key: combat[key] for key in ("attacker", "defender", "square")}
    yield Sentence("combat", about | {"area": board.area_at[square]})
    for side in ("attacker", "defender"):
        seat, cards = combat[side], combat[f"{side}_cards"]
        near = sum(document["shields"].get(each) == seat for each in names(NEAR[square]))
        shields = near + (side == "defender")
        points = 2 * len(cards) + shields
        fields: dict[str, Json] = {
            "seat": seat,
            "points": points,
            "shields": shields,
            "cards": cards,
        }
        yield Sentence("side", fields)
    yield Sentence("behind", {"seat": document["to_act"]})


def _hand(document: Any, board: Board, seat: Seat) -> Iterator[Sentence]:
    """Yield each card in hand with the free squares it lets its owner expand to."""
    hand = document["hands"][seat]
    own, occupied = 0, 0
    for square, owner in document["shields"].items():
        occupied |= MASK[square]
        own |= MASK[square] if owner == seat else 0
    for card in dict.fromkeys(hand):
        number = board.number[card]
        allowed = beside(own) if number == board.people else board.allows[number]
        squares: list[Json] = list(names(allowed & ALL & ~occupied))
        yield Sentence("card", {"card": card, "number": hand.count(card), "squares": squares})
    if not hand:
        yield Sentence("no-cards")


def _course(document: Any) -> Iterator[Sentence]:
    phase, acting = document["phase"], document["to_act"]
    if phase != PLACE:
        about: dict[str, Json] = {
            "round": document["round"],
            "start": document["start_player"],
            "passed": document["passed"],
        }
        yield Sentence("round", about)
    if phase == OVER:
        yield Sentence("over")
        return
    if document["last_round"]:
        yield Sentence("last-round")
    if acting == CHANCE:
        yield Sentence("to-draw")
    elif phase == PLACE:
        placed = sum(each == acting for each in document["shields"].values())
        left = max(STARTING[len(document["seats"])] - placed, 0)
        yield Sentence("to-place", {"seat": acting, "left": left})
    elif phase == COMBAT:
        yield Sentence("to-combat", {"seat": acting})
        yield _open_turn(document, document["combat"]["attacker"])
    elif phase == "turn":
        yield _open_turn(document, acting)
    else:
        yield Sentence("to-start", {"seat": acting})


def _open_turn(document: Any, seat: Seat) -> Sentence:
    """Return what is still possible in the turn in progress."""
    turn = document["turn"]
    moved = "migrated" if turn["migrated"] else "exchanged" if turn["exchanged"] else ""
    about: dict[str, Json] = {
        "seat": seat,
        "actions": ACTIONS - turn["actions"],
        "moved": moved,
        "sailed": turn["sailed"],
    }
    return Sentence("to-turn", about)
