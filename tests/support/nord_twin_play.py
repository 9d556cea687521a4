"""Answers what an order of Nord does on the table, scorings included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from support.nord_twin import ACTIONS, Key, Table, around
from support.nord_twin_board import Space

DIFFERENT = {0: 0, 1: 1, 2: 2, 3: 3, 4: 5, 5: 10, 6: 15}


def distribution(attackers: int) -> tuple[int, int, int, int, int]:
    """Return how many die, go to B, go to A, are placed by choice, return; A2.3, man by man."""
    fate = {1: "dead", 2: "goal", 3: "start", 4: "dead", 5: "chosen"}
    counts = Counter(fate.get(number, "back") for number in range(1, attackers + 1))
    return (counts["dead"], counts["goal"], counts["start"], counts["chosen"], counts["back"])


def treasure_points(hand: dict[str, int]) -> int:
    """Return what the tiles in hand are worth at the end; §7."""
    held = [number for number in hand.values() if number]
    return DIFFERENT[len(held)] + sum(n * n for n in held if n >= 3)


def places(points: dict[str, int], tiles: dict[str, int]) -> dict[str, int]:
    """Return everybody's place: points, then tiles in hand, else shared; §8."""
    rank = {seat: (points[seat], tiles[seat]) for seat in points}
    return {seat: 1 + sum(other > rank[seat] for other in rank.values()) for seat in points}


def play(table: Table, order: Key) -> Table:
    """Return the table after a legal order."""
    after = table.fork()
    {
        "place": _place,
        "play": _play_tile,
        "attack": _attack,
        "challenge": _challenge,
        "score": _score,
        "lay": _lay,
    }[order[0]](after, *order[1:])
    return after


def perft(table: Table, depth: int) -> int:
    """Return the number of sequences of that many orders, each chance outcome counted."""
    if depth == 0:
        return 1
    return sum(perft(play(table, order), depth - 1) for order in table.orders())


def _place(table: Table, spaces: Iterable[Space]) -> None:
    seat = table.to_act
    for space in spaces:
        table.workers[space] = seat
        table.men[seat] -= 1
        table.boats -= table.grid[space] == "~"
        if space in table.treasures:
            table.hands[seat][table.treasures.pop(space)] += 1
    _attack_or_end(table)


def _play_tile(table: Table, symbol: str, start: Space | None = None, goal: Space | None = None):
    seat = table.to_act
    table.hands[seat][symbol] -= 1
    table.discards[symbol] += 1
    table.played = ACTIONS[symbol]
    if start is not None and goal is not None:
        table.warriors[start][seat] -= 1
        table.warriors[goal][seat] += 1


def _attack(
    table: Table, start: Space, goal: Space, taken: frozenset[Space], fifth: str | None
) -> None:
    seat = table.to_act
    for space in taken:
        del table.workers[space]
        table.boats += table.grid[space] == "~"
    dead, to_goal, to_start, chosen, back = distribution(len(taken))
    table.warriors[goal][seat] += to_goal + (chosen if fifth == "goal" else 0)
    table.warriors[start][seat] += to_start + (chosen if fifth == "start" else 0)
    table.men[seat] += back
    for _ in range(dead):
        if None in table.boat:
            table.boat[table.boat.index(None)] = f"man:{seat}"
        else:
            table.men[seat] += 1
    _attack_or_end(table)


def _challenge(table: Table, space: Space) -> None:
    number = table.boat.index(None)
    table.boat[number] = f"jarl:{table.jarls[space]}"
    table.jarls[space] = None
    table.points[table.to_act] += table.numbers[number]
    _end_turn(table)


def _score(table: Table) -> None:
    scoring(table)
    _next_or_chance(table)


def _lay(table: Table, space: Space, symbol: str) -> None:
    supply, discards = table.drawable()
    table.supply, table.discards = Counter(supply), Counter(discards)
    table.supply[symbol] -= 1
    table.treasures[space] = symbol
    _next_or_chance(table)


def _attack_or_end(table: Table) -> None:
    table.phase = "attack"
    if not table.qualifying(table.to_act):
        _end_turn(table)


def _end_turn(table: Table) -> None:
    if None not in table.boat:
        scoring(table)
        _next_or_chance(table)
    else:
        _next_player(table)


def _next_or_chance(table: Table) -> None:
    if table.phase == "over":
        return
    table.to_act = "chance"
    table.phase = "turn"
    if table.due_space() is None or not table.drawable()[0]:
        _next_player(table)


def _next_player(table: Table) -> None:
    seat = table.seats[(table.seats.index(table.mover) + 1) % len(table.seats)]
    table.to_act = table.mover = seat
    table.phase = "turn"
    table.played = None
    table.links = table.connected_pairs()


def scoring(table: Table) -> None:
    """Carry out the next scoring but for the new tiles; §5, §6, §7."""
    table.done += 1
    if table.done in (1, 3):
        _resources(table)
    else:
        _warriors(table)
    _empty_boat(table)
    if table.done == 4:
        for seat in table.seats:
            table.points[seat] += treasure_points(table.hands[seat])
        table.to_act, table.phase = None, "over"


def may_deliver(table: Table, seat: str, settlement: Space) -> bool:
    """Tell whether a player has warriors there and is not barred as the fewest; §5."""
    counts = [n for n in table.warriors[settlement].values() if n]
    mine = table.warriors[settlement][seat]
    return mine >= 1 and not (mine == min(counts) and min(counts) < max(counts))


def deliveries(table: Table, seat: str) -> tuple[int, set[Space]]:
    """Return a player's points in scorings 1 and 3 and his mountain workers that delivered; §5."""
    points = 0
    delivered: set[Space] = set()
    for settlement in table.warriors:
        if not may_deliver(table, seat, settlement):
            continue
        linked = [
            s
            for s, owner in table.workers.items()
            if owner == seat and table.touches(table.component(s), settlement)
        ]
        points += len({table.region(s) for s in linked if table.grid[s] == "f"})
        on_mountain = {s for s in linked if table.grid[s] == "m"}
        points += len(on_mountain)
        delivered |= on_mountain
    return points, delivered


def _resources(table: Table) -> None:
    outcome = {seat: deliveries(table, seat) for seat in table.seats}
    for seat, (points, delivered) in outcome.items():
        table.points[seat] += points
        for space in delivered:
            del table.workers[space]
            table.men[seat] += 1


def food(table: Table, settlement: Space) -> int:
    """Return how many warriors each player may keep there; §6."""
    fed = [
        s
        for s in around(settlement)
        if s in table.workers and table.touches(table.component(s), settlement)
    ]
    forests = {table.region(s) for s in fed if table.grid[s] == "f"}
    return 1 + len(forests) + sum(table.grid[s] == "~" for s in fed)


def _warriors(table: Table) -> None:
    for settlement, there in table.warriors.items():
        may_keep = food(table, settlement)
        for seat in table.seats:
            kept = min(there[seat], may_keep)
            table.men[seat] += there[seat] - kept
            there[seat] = kept
            table.points[seat] += kept * kept
    for space in [s for s in table.workers if table.grid[s] == "~"]:
        table.men[table.workers.pop(space)] += 1
        table.boats += 1


def _empty_boat(table: Table) -> None:
    jarls = [place for place in table.boat if place and place.startswith("jarl:")]
    for place in table.boat:
        if place and place.startswith("man:"):
            table.men[place.removeprefix("man:")] += 1
    table.boat = jarls + [None] * (len(table.numbers) - len(jarls))
