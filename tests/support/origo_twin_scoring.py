"""Answers what a tribe scoring of Origo is worth and where the leaders then stand, step by step."""

from __future__ import annotations

from collections import Counter

from support.origo_twin import Table
from support.origo_twin_board import BIG, CLANS, SMALL, SQUARES_OF, VALUES


def advance(table: Table, seat: str, points: int) -> None:
    """Move a leader; the last field occupied, he goes on to the next free one; §5."""
    if points == 0:
        return
    taken = {(total - 1) % 100 for other, total in table.path.items() if other != seat}
    table.path[seat] += points
    while (table.path[seat] - 1) % 100 in taken:
        table.path[seat] += 1


def step(table: Table, gains: dict[str, int]) -> None:
    """Move all leaders of one step: most points first, ties from the start player; §4."""
    order = table.from_seat(table.start_player)
    for seat in sorted(order, key=lambda each: (-gains.get(each, 0), order.index(each))):
        advance(table, seat, gains.get(seat, 0))


def scoring(table: Table) -> None:
    """Hold a tribe scoring: clans place by place, sea power, the lands one by one; §4."""
    for gains in clan_gains(table):
        step(table, gains)
    step(table, sea_gains(table))
    for land in (*BIG, *SMALL):
        step(table, land_gains(table, land))


def clans(table: Table) -> list[tuple[int, str]]:
    """Return size and owner of every clan; §1."""
    groups = {frozenset(table.linked(square)) for square in table.shields}
    return [(len(g), table.shields[min(g)]) for g in groups if len(g) >= 3]


def clan_gains(table: Table) -> list[dict[str, int]]:
    """Return what each player earns with the clans of each place, first place first; §4."""
    found = clans(table)
    worth = (*CLANS, 0)
    gains = []
    for size in sorted({size for size, _ in found}, reverse=True):
        place = 1 + sum(other > size for other, _ in found)
        owners = [owner for other, owner in found if other == size]
        if len(set(owners)) > 1:
            place += 1
        each = worth[place - 1] if place <= 5 else 0
        gains.append({owner: each * owners.count(owner) for owner in set(owners)})
    return gains


def sea_gains(table: Table) -> dict[str, int]:
    """Return what the seas earn each player, points and bonus in one; §4."""
    power = Counter(owner for square, owner in table.shields.items() if table.is_sea(square))
    sizes = sorted(set(power.values()), reverse=True)
    strongest = [s for s in power if power[s] == sizes[0]]
    second = [s for s in power if len(sizes) > 1 and power[s] == sizes[1]]
    gains = dict(power)
    for seat in strongest:
        gains[seat] += 2 if len(strongest) == 1 else 1
    if len(strongest) == 1 and len(second) == 1:
        gains[second[0]] += 1
    return gains


def land_gains(table: Table, land: str) -> dict[str, int]:
    """Return what a land earns each player; §4."""
    there = Counter(table.shields[s] for s in SQUARES_OF[land] if s in table.shields)
    if len(there) == 1:
        return dict.fromkeys(there, VALUES[land][0] + (2 if land in table.founded else 0))
    gains = {}
    for seat, number in there.items():
        place = 1 + sum(other > number for other in there.values())
        if list(there.values()).count(number) > 1:
            place += 1
        gains[seat] = VALUES[land][place - 1] if place <= 3 else 0
    return gains
