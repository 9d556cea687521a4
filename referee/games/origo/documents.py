"""Positions written as documents."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from referee.games.game import CHANCE, Document, Json, Seat
from referee.games.origo.board import Board
from referee.games.origo.boards import board_in_document
from referee.games.origo.position import OVER, PLACE, START, Position, clockwise
from referee.games.origo.squares import MASK, square_names


def dump(position: Position) -> Document:
    """Return the complete document of a position."""
    board, seats = position.board, position.seats
    hands = zip(seats, position.hands, strict=True)
    to_act: Seat | None = None
    if position.phase != OVER:
        to_act = CHANCE if position.chance else seats[position.actor]
    return {
        "game": "origo",
        "edition": 1,
        # By name if it ships: a whole board in every turn file would be most of the file.
        "board": board_in_document(board),
        "seats": list(seats),
        "to_act": to_act,
        "phase": position.phase,
        "round": position.round,
        "start_player": seats[position.start],
        "had_turn": [seats[seat] for seat in had_turn(position)],
        "passed": [seats[s] for s in had_turn(position) if position.passed >> s & 1],
        "supplied": position.supplied,
        "last_round": position.last_round,
        "shields": dict(_shields(seats, position.shields)),
        "founded": [board.lands[land] for land in position.founded],
        "scorings_ordered": position.ordered,
        "supply": dict(zip(seats, position.supply, strict=True)),
        "path": dict(zip(seats, position.path, strict=True)),
        "hands": {seat: list[Json](board.named(hand)) for seat, hand in hands},
        "draw": pile(board, position.draw),
        "discards": pile(board, position.discards),
        "turn": _turn(position),
        "combat": _combat(position),
    }


@lru_cache(maxsize=64)
def _shields(seats: tuple[Seat, ...], masks: tuple[int, ...]) -> Mapping[str, Seat]:
    """Return the shield owner of each occupied square, in board order."""
    owner = {
        square: seat
        for seat, mask in zip(seats, masks, strict=True)
        for square in square_names(mask)
    }
    return {square: owner[square] for square in MASK if square in owner}


def had_turn(position: Position) -> list[int]:
    """Return the seats that have had their turn in this round, in order.

    The seat whose turn has ended but who still draws is one of them.
    """
    order = list(clockwise(position, position.start))
    if position.phase == PLACE:
        return []
    if position.phase in {START, OVER}:
        return order
    return order[: order.index(position.seat) + position.turn.ended]


def pile(board: Board, counts: tuple[int, ...]) -> Document:
    """Return how many cards of each name a pile has."""
    return {card: number for card, number in zip(board.cards, counts, strict=True) if number}


def _turn(position: Position) -> Document:
    turn = position.turn
    document: Document = {
        "actions": turn.actions,
        "migrated": turn.migrated,
        "exchanged": turn.exchanged,
        "sailed": list[Json](square_names(turn.sailed)),
        "defended": [s for i, s in enumerate(position.seats) if turn.defended >> i & 1],
    }
    # Otherwise ``to_act`` says whose turn it is; while chance draws nothing else would.
    if position.chance:
        document |= {"seat": position.colour, "ended": turn.ended, "drawn": turn.drawn}
    return document


def _combat(position: Position) -> Json:
    combat = position.combat
    if combat is None:
        return None
    return {
        "square": square_names(combat.square)[0],
        "attacker": position.colour,
        "defender": position.seats[combat.defender],
        "attacker_cards": list[Json](position.board.named(combat.attacking)),
        "defender_cards": list[Json](position.board.named(combat.defending)),
    }
