"""The drawing of a view: cells with marks, panels beside the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from referee.games.documents import Node
from referee.games.game import (
    CHANCE,
    Area,
    Cell,
    Ground,
    Json,
    Mark,
    Panel,
    Scene,
    Seat,
    Sentence,
    View,
)
from referee.games.origo.board import Board, read_board
from referee.games.origo.cards import SEAS
from referee.games.origo.orders import Done, Pass
from referee.games.origo.position import ACTIONS, COMBAT, OVER, PLACE, STARTING, TURN
from referee.games.origo.rules.path import field
from referee.games.origo.squares import MASK, SIDE, square_names
from referee.games.origo.tables import (
    LETTERS,
    STONE,
    Shields,
    board_tables,
    cards_in_hand,
    combat_sides,
    founding_track,
    hand_cards,
    path_track,
    question,
    shields_by_area,
)

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
"""The sign of each area on the text board. Lands have letters, seas do not."""

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

_FILLS: Final = {
    "BRI": "#f3cdb2", "GER": "#efe0a0", "BAL": "#beddb2", "GAL": "#d3e6a9", "HIS": "#f6d68c",
    "ITA": "#f0bdb2", "BEL": "#dac6ea", "SKA": "#c7d6c0", "POL": "#f0c9dd", "HEL": "#dcd8d2",
    "DAK": "#ddc4a0", "DAL": "#fbe6c8", "NOR": "#bcd9e8", "OST": "#afcfe6", "BIS": "#b5dedd",
    "MIT": "#c3d3ee",
}  # fmt: skip

DRAWN: Final = MappingProxyType(
    {area: Ground("sea" if area in SEAS else "none", fill) for area, fill in _FILLS.items()}
)
"""How each area is drawn in pictures."""

NUMBER: Final = {square: number for number, square in enumerate(MASK)}
"""The place of each square in board order."""


def scene(view: View) -> Scene:
    """Return a view described for drawing."""
    document: Any = view.document
    board = read_board(Node(document["board"]))
    shields, founded = tuple(document["shields"].items()), tuple(document["founded"])
    combat = document["combat"]
    attack = (combat["square"], combat["attacker"]) if combat else None
    return Scene(
        rows=SIDE,
        columns=SIDE,
        cells=_drawn_board(board, shields, founded, attack),
        panels=tuple(_panels(document, board, view.seat)),
        palette=PALETTE,
        legend=_legend(tuple(document["seats"]), founded=bool(founded)),
        asked=_attack(combat, board) if combat else None,
        grounds=DRAWN,
        areas=_drawn_areas(board, founded),
        tracks=(path_track(document), founding_track(board, founded)),
        tables=board_tables(document, board, shields),
        secrets=cards_in_hand(document, board, view.seat),
        question=question(document, board, view.seat),
        ends=Done() if document["phase"] == TURN else None,
        passes=Pass() if document["phase"] == TURN else None,
        begun=document["phase"] == TURN and any(document["turn"].values()),
    )


@lru_cache(maxsize=64)
def _drawn_areas(board: Board, founded: tuple[str, ...]) -> tuple[Area, ...]:
    """Return the lands with their values, then the seas."""
    lands = (
        Area(
            land,
            tuple(square_names(mask)),
            "/".join(map(str, values)),
            land,
            state="stone" if land in founded else None,
        )
        for land, mask, values in zip(board.lands, board.land_masks, board.values, strict=True)
    )
    seas = (
        Area(sea, tuple(square_names(mask)), code=sea, sea=True)
        for sea, mask in zip(SEAS, board.sea_masks, strict=True)
    )
    return (*lands, *seas)


@lru_cache(maxsize=256)
def _drawn_board(
    board: Board, shields: Shields, founded: tuple[str, ...], attack: tuple[str, Seat] | None
) -> tuple[Cell, ...]:
    # Copied from a cached board: most cells are the same objects as in the scene before.
    cells = list(_empty(board, founded))
    for square, seat in shields:
        area = board.area_at[MASK[square]]
        attacker = attack[1] if attack and attack[0] == square else None
        cells[NUMBER[square]] = _drawn(square, area, seat, attacker, founded=area in founded)
    return tuple(cells)


@lru_cache(maxsize=64)
def _empty(board: Board, founded: tuple[str, ...]) -> tuple[Cell, ...]:
    areas = (area for areas in board.rows for area in areas)
    return tuple(
        _drawn(square, area, None, None, founded=area in founded)
        for square, area in zip(MASK, areas, strict=True)
    )


@lru_cache(maxsize=4096)
def _drawn(
    square: str, area: str, seat: Seat | None, attacker: Seat | None, *, founded: bool
) -> Cell:
    """Return a square with its pieces. Cached, since most look alike in scene after scene."""
    marks = []
    if seat:
        marks.append(Mark(LETTERS[seat], "shield", seat, "shield"))
    if attacker:
        marks.append(Mark(LETTERS[attacker], "attacker", attacker, "shield"))
    if founded:
        marks.append(Mark(STONE, "stone", shape="star", corner=True))
    row, column = divmod(NUMBER[square], SIDE)
    return Cell(square, row, column, area, SIGNS[area], tuple(marks))


@lru_cache(maxsize=64)
def _legend(seats: tuple[Seat, ...], *, founded: bool) -> tuple[tuple[str, str, str], ...]:
    signs = [(sign, "ground", area) for area, sign in SIGNS.items()]
    signs += [(LETTERS[seat], "seat", seat) for seat in seats]
    return (*signs, (STONE, "mark", "stone")) if founded else tuple(signs)


def _panels(document: Any, board: Board, seat: Seat | None) -> Iterator[Panel]:
    placed = Counter(document["shields"].values())
    players = []
    for player in document["seats"]:
        hand, points = document["hands"][player], document["path"][player]
        number = hand if isinstance(hand, int) else len(hand)
        supply = document["supply"][player]
        players.append(_told_player(player, points, supply, placed[player], number))
    discards: list[Json] = []
    for card, number in document["discards"].items():
        kind, _, name = card.partition(":")
        discards.append({"kind": kind, "name": name, "number": number})
    piles: dict[str, Json] = {
        "draw": document["draw"],
        "number": sum(document["discards"].values()),
        "discards": discards,
    }
    yield Panel("players", (*players, Sentence("piles", piles)))
    yield Panel("track", tuple(_track(document, board)))
    shields, founded = tuple(document["shields"].items()), tuple(document["founded"])
    yield from _areas(board, tuple(document["seats"]), shields, founded)
    if document["combat"]:
        sides = [
            Sentence(
                "side",
                {"seat": side, "points": points, "shields": counting, "cards": list[Json](played)},
            )
            for side, points, counting, played in combat_sides(document)
        ]
        behind = Sentence("behind", {"seat": document["to_act"]}, pending=True)
        yield Panel("combat", (_attack(document["combat"], board), *sides, behind))
    if seat is not None and seat in document["hands"]:
        cards = tuple(
            Sentence("card", {"card": card, "number": number, "squares": list[Json](squares)})
            for card, number, squares in hand_cards(document, board, seat)
        )
        yield Panel("hand", cards or (Sentence("no-cards"),))
    yield Panel("course", tuple(_course(document)))


@lru_cache(maxsize=4096)
def _told_player(seat: Seat, points: int, supply: int, placed: int, cards: int) -> Sentence:
    about: dict[str, Json] = {
        "seat": seat,
        "points": points,
        "field": field(points),
        "supply": supply,
        "board": placed,
        "cards": cards,
    }
    return Sentence("player", about)


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
        if later := [stone for stone in sorted(board.red) if stone > used]:
            yield Sentence("red-fields", {"fields": list[Json](later)})
    else:
        yield Sentence("no-stone", {"stones": stones})
    if ordered := document["scorings_ordered"]:
        # The last scoring takes the place of all that are still ordered (Origo 6).
        yield Sentence("ordered", {"ordered": 1 if document["last_round"] else ordered})


@lru_cache(maxsize=256)
def _areas(
    board: Board, seats: tuple[Seat, ...], shields: Shields, founded: tuple[str, ...]
) -> tuple[Panel, Panel]:
    """Return the panels of lands and seas."""
    held = shields_by_area(board, shields)
    lands, seas = [], []
    for land, mask, values in zip(board.lands, board.land_masks, board.values, strict=True):
        here = held.get(land, {})
        size, is_founded = mask.bit_count(), land in founded
        lands.append(_area(seats, land, size, tuple(here.items()), values, founded=is_founded))
    for sea, mask in zip(SEAS, board.sea_masks, strict=True):
        seas.append(_area(seats, sea, mask.bit_count(), tuple(held.get(sea, {}).items())))
    return Panel("lands", tuple(lands)), Panel("seas", tuple(seas))


@lru_cache(maxsize=4096)
def _area(
    seats: tuple[Seat, ...],
    area: str,
    size: int,
    shields: tuple[tuple[Seat, int], ...],
    values: tuple[int, ...] | None = None,
    *,
    founded: bool = False,
) -> Sentence:
    """Return the sentence about an area, the seat with most shields first.

    Only a land has ``values``. From scene to scene most areas stay as they were.
    """
    counts = sorted(shields, key=lambda pair: (-pair[1], seats.index(pair[0])))
    about: dict[str, Json] = {
        "area": area,
        "shields": [{"seat": seat, "number": number} for seat, number in counts],
        "free": size - sum(number for _, number in counts),
        "size": size,
    }
    if values is None:
        return Sentence("sea", about)
    return Sentence("land", about | {"values": list[Json](values), "founded": founded})


def _attack(combat: Any, board: Board) -> Sentence:
    """Return the sentence about an attacker, a defender and their square."""
    about: dict[str, Json] = {key: combat[key] for key in ("attacker", "defender", "square")}
    return Sentence("combat", about | {"area": board.area_at[MASK[combat["square"]]]})


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
        yield Sentence("to-draw", pending=True)
    elif phase == PLACE:
        placed = sum(owner == acting for owner in document["shields"].values())
        left = max(STARTING[len(document["seats"])] - placed, 0)
        yield Sentence("to-place", {"seat": acting, "left": left}, pending=True)
    elif phase == COMBAT:
        yield Sentence("to-combat", {"seat": acting}, pending=True)
        yield _open_turn(document, document["combat"]["attacker"])
    elif phase == TURN:
        yield _open_turn(document, acting)
    else:
        yield Sentence("to-start", {"seat": acting}, pending=True)


def _open_turn(document: Any, seat: Seat) -> Sentence:
    """Return the sentence about the actions still possible in this turn."""
    turn = document["turn"]
    moved = "migrated" if turn["migrated"] else "exchanged" if turn["exchanged"] else ""
    about: dict[str, Json] = {
        "seat": seat,
        "actions": ACTIONS - turn["actions"],
        "moved": moved,
        "sailed": turn["sailed"],
        "waits": document["phase"] == COMBAT,
    }
    return Sentence("to-turn", about, pending=True)
