"""Answers what an order of Origo does on the table, draws, rounds and the end included."""

from __future__ import annotations

from collections import Counter

from support.origo_twin import Key, Table
from support.origo_twin_board import BIG, RED, SMALL, STARTING, TRACK
from support.origo_twin_scoring import advance, scoring


def play(table: Table, order: Key) -> Table:
    """Return the table after a legal order."""
    after = table.fork()
    DOES[order[0]](after, *order[1:])
    return after


def perft(table: Table, depth: int) -> int:
    """Return the number of sequences of that many orders, each chance outcome counted."""
    if depth == 0:
        return 1
    orders = table.orders()
    return len(orders) if depth == 1 else sum(perft(play(table, o), depth - 1) for o in orders)


def _place(table: Table, square: str) -> None:
    seat = table.to_act
    table.shields[square] = seat
    table.supply[seat] -= 1
    table.to_act = table.mover = table.from_seat(seat)[1]
    if len(table.shields) == STARTING[len(table.seats)] * len(table.seats):
        table.phase = "turn"
        table.to_act = table.mover = table.seats[0]


def _found(table: Table) -> None:
    for land in (*BIG, *SMALL):
        if land not in table.founded and table.full(land):
            table.founded.append(land)
            stones = len(table.founded)
            table.ordered += stones in RED
            advance(table, table.mover, TRACK[stones - 1])


def _discard(table: Table, seat: str, *cards: str) -> None:
    table.hands[seat] -= Counter(cards)
    table.discards += Counter(cards)


def _expand(table: Table, square: str, card: str) -> None:
    seat = table.to_act
    _discard(table, seat, card)
    table.shields[square] = seat
    table.supply[seat] -= 1
    table.stirred = True
    table.actions += 1
    _found(table)


def _move(table: Table, start: str, goal: str) -> None:
    table.shields[goal] = table.shields.pop(start)
    if start in table.sailed:
        table.sailed = (table.sailed - {start}) | {goal}


def _migrate(table: Table, start: str, goal: str) -> None:
    _move(table, start, goal)
    table.migrated = True
    _found(table)


def _sail(table: Table, start: str, goal: str) -> None:
    _move(table, start, goal)
    table.sailed.add(goal)
    _found(table)


def _exchange(table: Table, cards: tuple[str, ...]) -> None:
    _discard(table, table.to_act, *cards)
    table.exchanged = True
    table.due = [(table.to_act, table.hands[table.to_act].total() + 2)]
    _settle(table)


def _attack(table: Table, square: str, cards: tuple[str, ...]) -> None:
    attacker = table.to_act
    table.square = square
    table.sides = (attacker, table.shields[square])
    table.played = {attacker: Counter(cards), table.sides[1]: Counter()}
    table.hands[attacker] -= Counter(cards)
    table.supply[attacker] -= 1
    table.stirred = True
    table.actions += 1
    table.phase = "combat"
    _who_is_behind(table)


def _who_is_behind(table: Table) -> None:
    attacker, defender = table.points()
    table.to_act = table.sides[0] if attacker <= defender else table.sides[1]


def _add(table: Table, card: str) -> None:
    seat = table.to_act
    table.hands[seat] -= Counter([card])
    table.played[seat] += Counter([card])
    if seat == table.sides[1]:
        table.defended.add(seat)
    _who_is_behind(table)


def _yield(table: Table) -> None:
    attacker, defender = table.sides
    if table.to_act == defender:
        table.shields[table.square] = attacker
    for cards in table.played.values():
        table.discards += cards
    table.square, table.sides, table.played = None, (), {}
    table.phase, table.to_act = "turn", attacker


def _pass(table: Table) -> None:
    table.passed.append(table.to_act)
    _done(table)


def _done(table: Table) -> None:
    table.had_turn.append(table.to_act)
    order = table.from_seat(table.to_act)
    table.due = [(s, 10) for s in order if s == table.to_act or s in table.defended]
    table.ending = True
    _settle(table)


def _draw(table: Table, seat: str, card: str) -> None:
    if not +table.draw:
        table.draw, table.discards = table.discards, Counter()
    table.draw -= Counter([card])
    table.hands[seat][card] += 1
    _settle(table)


def _settle(table: Table) -> None:
    """Let chance act while a card is due and there is one; then go on; §3."""
    while table.due:
        seat, wanted = table.due[0]
        if table.hands[seat].total() < wanted and table.pile():
            table.to_act = "chance"
            return
        table.due.pop(0)
    table.to_act = table.mover
    if table.ending:
        _end_turn(table)


def _end_turn(table: Table) -> None:
    table.ending = False
    table.actions, table.migrated, table.exchanged = 0, False, False
    table.sailed, table.defended = set(), set()
    left = [s for s in table.from_seat(table.start_player) if s not in table.had_turn]
    if left:
        table.to_act = table.mover = left[0]
    else:
        _end_round(table)


def _end_round(table: Table) -> None:
    table.quiet, table.stirred = 0 if table.stirred else table.quiet + 1, False
    everybody_passed = set(table.passed) == set(table.seats)
    nothing_left = len(table.founded) == 12 or 0 in table.supply.values()
    if nothing_left or everybody_passed or table.quiet == 10:
        scoring(table)
        table.ordered = 0
        table.phase, table.to_act = "over", None
    elif table.ordered:
        scoring(table)
        table.ordered -= 1
        table.phase = "start"
        table.to_act = table.mover = min(table.seats, key=lambda seat: table.path[seat])
    else:
        _start(table, table.start_player)


def _start(table: Table, seat: str) -> None:
    table.phase = "turn"
    table.round += 1
    table.had_turn, table.passed = [], []
    table.to_act = table.mover = table.start_player = seat


DOES = {
    "place": _place,
    "expand": _expand,
    "attack": _attack,
    "add": _add,
    "yield": _yield,
    "migrate": _migrate,
    "exchange": _exchange,
    "sail": _sail,
    "done": _done,
    "pass": _pass,
    "start": _start,
    "draw": _draw,
}
