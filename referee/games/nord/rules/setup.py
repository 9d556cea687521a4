"""The beginning of a game (Nord 2)."""

from __future__ import annotations

from referee.games.game import Seat
from referee.games.nord.board import Board, geometry
from referee.games.nord.orders import COLOURS, SYMBOLS
from referee.games.nord.position import MEN, NO_JARL, NO_TILE, START, Position
from referee.games.nord.rules.piles import settle
from referee.games.nord.rules.turn import with_neutral_jarls, with_start

TILES_PER_SYMBOL = 6


def first_position(
    seats: tuple[Seat, ...], board: Board, players: int, starts: tuple[str, ...]
) -> Position:
    """Return the position before the first tile is dealt. Raises ValueError if seats do not fit."""
    if not set(seats) <= set(COLOURS) or len(set(seats)) != len(seats):
        raise ValueError(f"seats are different colours among {', '.join(COLOURS)}")
    if len(seats) != players:
        raise ValueError(f"the board is for {players} players, not for {len(seats)}")
    geo = geometry(board)
    none = (0,) * len(SYMBOLS)
    number = len(seats)
    position = Position(
        board=board,
        seats=seats,
        seat=0,
        phase=START,
        chance=True,
        scorings=0,
        jarls=(NO_JARL,) * len(geo.settlements),
        warriors=((0,) * number,) * len(geo.settlements),
        workers=(0,) * number,
        treasures=(NO_TILE,) * len(geo.piles),
        supply=(TILES_PER_SYMBOL,) * len(SYMBOLS),
        discards=none,
        hands=(none,) * number,
        large_boat=tuple(f"jarl:{colour}" for colour in COLOURS if colour not in seats),
        # One stands on the score track; the first warrior is taken off with the start (Nord 2.5).
        men=(MEN - 1,) * number,
        points=(0,) * number,
        fishing_boats=number + 4,
        unplayed=(0,) * number,
    )
    for seat, space in enumerate(starts):
        position = with_start(position, geo.index[space], seat)
    # Without given starts neutral jarls wait until the last seat has chosen (Nord 2.6).
    if starts:
        position = with_neutral_jarls(position)
    return settle(position)[0]
