"""The drawing of a view: cells with marks, panels beside the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any, Final, TypeAlias

from referee.games.documents import Node
from referee.games.game import (
    CHANCE,
    Area,
    Card,
    CardKind,
    Cell,
    CellValue,
    Choice,
    Fact,
    Ground,
    Json,
    Mark,
    Move,
    Panel,
    Place,
    Question,
    Row,
    Scene,
    Scoresheet,
    Seat,
    Secret,
    Sentence,
    Side,
    Table,
    Track,
    View,
    Word,
)
from referee.games.origo.board import Board, read_board
from referee.games.origo.orders import Add, Done, Pass, Yield
from referee.games.origo.position import ACTIONS, STARTING
from referee.games.origo.rules.scoring import field
from referee.games.origo.squares import ALL, MASK, NEAR, SEAS, SIDE, beside, square_names
from referee.games.scene import stage_of

Shields: TypeAlias = tuple[tuple[str, Seat], ...]
"""Each square with a shield on it, and the shield's owner."""

LETTERS: Final = {"red": "R", "blue": "B", "black": "K", "green": "G", "orange": "O"}
"""The letter of a shield, by its owner's colour. Black must not look like blue."""

STONE: Final = "*"

KINDS: Final[Mapping[str, CardKind]] = {
    "row": "row",
    "col": "column",
    "land": "land",
    "people": "people",
    "ship": "ship",
}
"""How cards are drawn, by the first part of their names."""

OF_A_CARD: Final = 2
"""Points of a card in a combat."""

AREAS: Final = {
    "BRI": ("b", "#f6d5c3", "#f3cdb2"),
    "GER": ("g", "#f3e7c9", "#efe0a0"),
    "BAL": ("t", "#cfe8c8", "#beddb2"),
    "GAL": ("l", "#d8efd3", "#d3e6a9"),
    "HIS": ("h", "#f7e3b5", "#f6d68c"),
    "ITA": ("i", "#f6cfcf", "#f0bdb2"),
    "BEL": ("e", "#e9d8f2", "#dac6ea"),
    "SKA": ("s", "#dfe6d0", "#c7d6c0"),
    "POL": ("p", "#f2dcea", "#f0c9dd"),
    "HEL": ("v", "#e3e3e3", "#dcd8d2"),
    "DAK": ("d", "#ead9c5", "#ddc4a0"),
    "DAL": ("m", "#fbe9d9", "#fbe6c8"),
    "NOR": ("^", "#d6ebf7", "#bcd9e8"),
    "OST": ("%", "#c9e2f5", "#afcfe6"),
    "BIS": (":", "#d3f0f0", "#b5dedd"),
    "MIT": ("~", "#dce6fa", "#c3d3ee"),
}
"""The sign of each area on the text board, its colour there, and its fill in pictures.

Lands have letters, seas do not.
"""

PALETTE: Final = {area: colour for area, (_, colour, _) in AREAS.items()}

DRAWN: Final = {
    area: Ground("sea" if area in SEAS else "none", fill) for area, (*_, fill) in AREAS.items()
}
"""How each area is drawn in pictures."""

NUMBER: Final = {square: number for number, square in enumerate(MASK)}
"""The place of each square in board order."""


def scene(view: View) -> Scene:
    """Return a view described for drawing."""
    document: Any = view.document
    board = read_board(Node(document["board"]))
    seats, turn = tuple(document["seats"]), document["phase"] == "turn"
    shields, founded = tuple(document["shields"].items()), tuple(document["founded"])
    combat = document["combat"]
    attack = (combat["square"], combat["attacker"]) if combat else None
    players, player_table = _players(document)
    area_panels, area_tables = _areas(board, seats, shields, founded)
    fight, asked, question = _combat(document, board, view.seat)
    hand, secrets = _hand(document, board, view.seat)
    legend = [(sign, "ground", area) for area, (sign, *_) in AREAS.items()]
    legend += [(LETTERS[seat], "seat", seat) for seat in seats]
    legend += [(STONE, "mark", "stone")] if founded else []
    track = Panel("track", tuple(_track(document, board)))
    course = Panel("course", tuple(_course(document)))
    return Scene(
        rows=SIDE,
        columns=SIDE,
        cells=_drawn_board(board, shields, founded, attack),
        panels=(players, track, *area_panels, *fight, *hand, course),
        palette=PALETTE,
        legend=tuple(legend),
        asked=asked,
        grounds=DRAWN,
        areas=_drawn_areas(board, founded),
        tracks=(path_track(document), founding_track(board, founded)),
        tables=(player_table, *area_tables),
        secrets=secrets,
        question=question,
        ends=Done() if turn else None,
        passes=Pass() if turn else None,
        begun=turn and any(document["turn"].values()),
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
    return Cell(square, row, column, area, AREAS[area][0], tuple(marks))


def _players(document: Any) -> tuple[Panel, Table]:
    """Return everybody's points and pieces, and the piles, in sentences and as a table."""
    placed = Counter(document["shields"].values())
    sentences, rows = [], []
    for seat in document["seats"]:
        points, supply, hand = (document[key][seat] for key in ("path", "supply", "hands"))
        cards = hand if isinstance(hand, int) else len(hand)
        about: dict[str, Json] = {
            "seat": seat,
            "points": points,
            "field": field(points),
            "supply": supply,
            "board": placed[seat],
            "cards": cards,
        }
        sentences.append(Sentence("player", about))
        rows.append(Row((Word("seat", seat), points, supply, placed[seat], cards)))
    discards: list[Json] = []
    for card, number in document["discards"].items():
        kind, _, name = card.partition(":")
        discards.append({"kind": kind, "name": name, "number": number})
    sizes = {"draw": document["draw"], "number": sum(document["discards"].values())}
    sentences.append(Sentence("piles", {**sizes, "discards": discards}))
    heads = _heads("player", "points", "supply", "on-board", "cards")
    return (
        Panel("players", tuple(sentences)),
        Table("players", heads, tuple(rows), (Sentence("pile-sizes", sizes),)),
    )


def _heads(*keys: str) -> tuple[CellValue, ...]:
    return tuple(Word("column", key) for key in keys)


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
) -> tuple[tuple[Panel, Panel], tuple[Table, Table]]:
    """Return the lands and the seas, in sentences and as tables."""
    held: dict[str, Counter[Seat]] = {area: Counter() for area in AREAS}
    for square, seat in shields:
        held[board.area_at[MASK[square]]][seat] += 1
    lands = [
        _area(seats, land, mask.bit_count(), tuple(held[land].items()), values, land in founded)
        for land, mask, values in zip(board.lands, board.land_masks, board.values, strict=True)
    ]
    seas = [
        _area(seats, sea, mask.bit_count(), tuple(held[sea].items()))
        for sea, mask in zip(SEAS, board.sea_masks, strict=True)
    ]
    heads = (*(Word("seat", seat) for seat in seats), Word("column", "free"))
    land_heads, sea_heads = (*_heads("land", "values"), *heads), (*_heads("sea"), *heads)
    return (
        (
            Panel("lands", tuple(sentence for sentence, _ in lands)),
            Panel("seas", tuple(sentence for sentence, _ in seas)),
        ),
        (
            Table("lands", land_heads, tuple(row for _, row in lands)),
            Table("seas", sea_heads, tuple(row for _, row in seas)),
        ),
    )


@lru_cache(maxsize=4096)
def _area(
    seats: tuple[Seat, ...],
    area: str,
    size: int,
    shields: tuple[tuple[Seat, int], ...],
    values: tuple[int, ...] | None = None,
    founded: bool = False,
) -> tuple[Sentence, Row]:
    """Return the sentence about an area, the seat with most shields first, and its row.

    Only a land has ``values``. From scene to scene most areas stay as they were.
    """
    free = size - sum(number for _, number in shields)
    counts = sorted(shields, key=lambda pair: (-pair[1], seats.index(pair[0])))
    about: dict[str, Json] = {
        "area": area,
        "shields": [{"seat": seat, "number": number} for seat, number in counts],
        "free": free,
        "size": size,
    }
    cells: list[CellValue] = [*map(dict(shields).get, seats), free]
    coded = Sentence("coded", {"area": area})
    if values is None:
        return Sentence("sea", about), Row((coded, *cells), area)
    name = Sentence("founded-land", {"land": area}) if founded else coded
    about |= {"values": list[Json](values), "founded": founded}
    return Sentence("land", about), Row((name, "/".join(map(str, values)), *cells), area)


def _combat(
    document: Any, board: Board, seat: Seat | None
) -> tuple[tuple[Panel, ...], Sentence | None, Question | None]:
    """Return a combat in sentences, the first of them, and as a question.

    If the view is of the seat behind, the question has the answers to it.
    """
    combat, behind = document["combat"], document["to_act"]
    if not combat:
        return (), None, None
    square = MASK[combat["square"]]
    about: dict[str, Json] = {key: combat[key] for key in ("attacker", "defender", "square")}
    asked = Sentence("combat", about | {"area": board.area_at[square]})
    # Computed from the view: a scene is drawn without the position, by programs too.
    near = Counter(document["shields"].get(name) for name in square_names(NEAR[square]))
    told, sides = [asked], []
    for role in ("attacker", "defender"):
        side, cards = combat[role], combat[f"{role}_cards"]
        # The defender's own shield on the square counts for it.
        shields = near[side] + (role == "defender")
        points = OF_A_CARD * len(cards) + shields
        fields: dict[str, Json] = {
            "seat": side,
            "points": points,
            "shields": shields,
            "cards": list[Json](cards),
        }
        told.append(Sentence("side", fields))
        parts = (Sentence("side-card", {"card": card}) for card in cards)
        sides.append(Side(side, points, (Sentence("side-shields", {"shields": shields}), *parts)))
    told.append(Sentence("behind", {"seat": behind}, pending=True))
    choices = []
    if seat == behind:
        own = next(side.points for side in sides if side.seat == seat) + OF_A_CARD
        other = next(side.points for side in sides if side.seat != seat)
        adding = Sentence("after-adding", {"own": own, "other": other})
        for card in dict.fromkeys(document["hands"][seat]):
            number = board.number[card]
            # People count for whoever stands next to the square.
            if number in board.fitting[square] or (near[seat] and number == board.people):
                choices.append(Choice(Add(card), adding))
        lost = {"square": combat["square"], "taken": seat == combat["defender"]}
        choices.append(Choice(Yield(), Sentence("after-yielding", lost)))
    question = Question("combat", tuple(sides), tuple(choices))
    return (Panel("combat", tuple(told)),), asked, question


def _hand(
    document: Any, board: Board, seat: Seat | None
) -> tuple[tuple[Panel, ...], tuple[Secret, ...]]:
    """Return the cards in the hand of the view's seat, in sentences and as cards."""
    if seat is None or seat not in document["hands"]:
        return (), ()
    hand = document["hands"][seat]
    own, occupied = 0, 0
    for square, owner in document["shields"].items():
        occupied |= MASK[square]
        own |= MASK[square] if owner == seat else 0
    sentences, cards = [], []
    # Equal cards open the same squares and are told once, with their number.
    for card, count in Counter(hand).items():
        number = board.number[card]
        allowed = beside(own) if number == board.people else board.allows[number]
        squares = square_names(allowed & ALL & ~occupied)
        about: dict[str, Json] = {"card": card, "number": count, "squares": list[Json](squares)}
        sentences.append(Sentence("card", about))
        name, kind = Sentence("card-name", {"card": card}), KINDS[card.partition(":")[0]]
        cards.append(Card(name, spaces=tuple(squares), count=count, kind=kind))
    none = () if cards else (Sentence("no-cards"),)
    return (Panel("hand", (*sentences, *none)),), (Secret("hand", tuple(cards), none),)


def _course(document: Any) -> Iterator[Sentence]:
    phase, acting = document["phase"], document["to_act"]
    if phase != "place":
        about: dict[str, Json] = {
            "round": document["round"],
            "start": document["start_player"],
            "passed": document["passed"],
        }
        yield Sentence("round", about)
    if phase == "over":
        yield Sentence("over")
        return
    if document["last_round"]:
        yield Sentence("last-round")
    if acting == CHANCE:
        yield Sentence("to-draw", pending=True)
    elif phase == "place":
        placed = sum(owner == acting for owner in document["shields"].values())
        left = max(STARTING[len(document["seats"])] - placed, 0)
        yield Sentence("to-place", {"seat": acting, "left": left}, pending=True)
    elif phase == "combat":
        yield Sentence("to-combat", {"seat": acting}, pending=True)
        yield _open_turn(document, document["combat"]["attacker"])
    elif phase == "turn":
        yield _open_turn(document, acting)
    else:
        yield Sentence("to-start", {"seat": acting}, pending=True)


def _open_turn(document: Any, seat: Seat) -> Sentence:
    """Return the sentence about the actions still possible in this turn."""
    turn = document["turn"]
    moved = "migrated" if turn["migrated"] else "exchanged" if turn["exchanged"] else ""
    about: dict[str, Json] = {
        "seat": seat,
        # Each takes a shield from supply (Origo 3).
        "actions": min(ACTIONS - turn["actions"], document["supply"][seat]),
        "moved": moved,
        "sailed": turn["sailed"],
        "waits": document["phase"] == "combat",
    }
    return Sentence("to-turn", about, pending=True)


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
        marks = (Mark(STONE, "stone", shape="star"),) if done else ()
        places.append(Place(label, marks, stage_of(number, len(founded)), special))
    return Track("steps", "track", tuple(places))


DETAILS: Final = ("scored-clans", "scored-sea", "scored-land")
"""Facts that tell the sums of a scoring step by step."""


def tribe_sheets(facts: Sequence[Fact]) -> Iterator[Fact | Scoresheet]:
    """Yield facts, those of each scoring replaced by its sheet."""
    rest = list(facts)
    while rest:
        title = rest.pop(0)
        if title.fact not in {"scoring", "final-scoring"}:
            yield title
            continue
        parts = list(takewhile(lambda fact: fact.fact in {*DETAILS, "scored"}, rest))
        del rest[: len(parts)]
        sums: list[Any] = [fact.fields for fact in parts if fact.fact == "scored"]
        # A scoring told in part, as to somebody who came to it late, stays as it is.
        if not sums:
            yield from (title, *parts)
            continue
        notes = []
        for kind in DETAILS:
            told: list[Json] = [dict(fact.fields) for fact in parts if fact.fact == kind]
            if told:
                notes.append(Sentence(f"{kind}-together", {"parts": told}))
        keys = ("clans", "sea", "lands", "points", "total")
        rows = [(Word("column", key), tuple(seat[key] for seat in sums)) for key in keys]
        yield Scoresheet(
            title=title,
            seats=tuple(seat["seat"] for seat in sums),
            rows=tuple(rows[:3]),
            sums=tuple(rows[3:]),
            notes=tuple(notes),
        )


def shield_ways(facts: Sequence[Fact]) -> Iterator[Move]:
    """Yield the ways of shields that migrated or sailed."""
    for fact in facts:
        if fact.fact in {"migrated", "sailed"}:
            told: Any = fact.fields
            yield Move(told["seat"], (told["start"], told["goal"]))
