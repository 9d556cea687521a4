"""The leaders' path, and tribe scorings: clans, sea power, the twelve lands (Origo 4, 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from referee.games.game import Document, Fact, replace
from referee.games.grid import components
from referee.games.origo.position import Position
from referee.games.origo.squares import WIDTH
from referee.games.play import places
from referee.value import put_at

FIELDS: Final = 100
"""Fields of the path."""

CLAN: Final = 3
"""Shields that make a clan."""

SOLE: Final = 2
"""Points of a founded land's only player beside the first value."""

STRONGEST: Final = 2
TIED_STRONGEST: Final = 1
SECOND: Final = 1
"""Points of those with most shields at sea, and with second most, beside one for each shield."""


def field(total: int) -> int:
    """Return the field, from 1, of a leader with this total."""
    return (total - 1) % FIELDS + 1


def advanced(path: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
    """Return all totals after one leader's move.

    Fields with other leaders are counted; from an occupied last field the leader goes on to the
    next free one.
    """
    # Without points it does not move, or it would be pushed on by nothing but its neighbours.
    if not points:
        return path
    # Totals, not fields, decide who leads; fields only must be free.
    taken = {field(total) for other, total in enumerate(path) if other != seat}
    total = path[seat] + points
    while field(total) in taken:
        total += 1
    return put_at(path, seat, total)


def last(position: Position) -> int:
    """Return the seat whose leader is last."""
    return min(range(len(position.seats)), key=lambda seat: position.path[seat])


def _value(values: Sequence[int], rank: int, *, tied: bool) -> int:
    """Return the value of a place, counted from 1, or where it is shared the next lower one."""
    index = rank if tied else rank - 1
    return values[index] if index < len(values) else 0


class _Tally:
    """A scoring in progress: position, facts, and each seat's sums so far."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.facts: list[Fact] = []
        self.sums = {
            part: dict.fromkeys(range(len(position.seats)), 0) for part in ("clans", "sea", "lands")
        }

    def move(self, part: str, points: Mapping[int, int]) -> list[int]:
        """Move the leaders by one step of the scoring, and return their seats in that order."""
        path, start, number = self.position.path, self.position.start, len(self.position.seats)
        # Most points first; ties in turn order from the start player.
        order = sorted(points, key=lambda seat: (-points[seat], (seat - start) % number))
        for seat in order:
            self.sums[part][seat] += points[seat]
            path = advanced(path, seat, points[seat])
        self.position = replace(self.position, path=path)
        return order

    def clans(self) -> None:
        owners: dict[int, Counter[int]] = {}
        for seat, mask in enumerate(self.position.shields):
            for shields in components(mask, WIDTH):
                if (size := shields.bit_count()) >= CLAN:
                    owners.setdefault(size, Counter())[seat] += 1
        rank = 1
        for size in sorted(owners, reverse=True):
            clans = owners[size]
            # Two clans of one seat do not share: only different seats tie.
            shared = len(clans) > 1
            value = _value(self.position.board.clan_values, rank, tied=shared)
            # What one seat has in the same place is one move on the path (Origo 4, ruling).
            points = {seat: number * value for seat, number in clans.items()}
            # Clans beyond the fifth place are worth nothing, and a move by nothing is not told.
            for seat in self.move("clans", points) if value else ():
                fields: Document = {
                    "seat": self.position.seats[seat],
                    "place": rank,
                    "size": size,
                    "clans": clans[seat],
                    "shared": shared,
                    "points": points[seat],
                    "total": self.position.path[seat],
                }
                self.facts.append(Fact("scored-clans", fields))
            # Clans of one size share their places, and the next size comes after all of them.
            rank += clans.total()

    def sea(self) -> None:
        counts = self.counts(self.position.board.sea)
        ranks = places(counts)
        tied = Counter(ranks.values())
        # A tie for second place brings no bonus; a tie for first leaves no second place.
        by_rank = {1: STRONGEST if tied[1] == 1 else TIED_STRONGEST, 2: SECOND * (tied[2] == 1)}
        bonuses = {seat: by_rank.get(rank, 0) for seat, rank in ranks.items()}
        points = {seat: shields + bonuses[seat] for seat, shields in counts.items()}
        parts = self.parts("sea", counts, bonuses, points)
        self.facts += [Fact("scored-sea", part) for part in parts]

    def land(self, land: int) -> None:
        board, founded = self.position.board, land in self.position.founded
        counts = self.counts(board.land_masks[land])
        if not counts:
            return
        ranks = places(counts)
        tied = Counter(ranks.values())
        # Alone in a founded land.
        bonuses = dict.fromkeys(counts, SOLE if len(counts) == 1 and founded else 0)
        points = {
            seat: _value(board.values[land], rank, tied=tied[rank] > 1) + bonuses[seat]
            for seat, rank in ranks.items()
        }
        parts = self.parts("lands", counts, bonuses, points)
        fields: Document = {"land": board.lands[land], "founded": founded, "parts": [*parts]}
        self.facts.append(Fact("scored-land", fields))

    def counts(self, area: int) -> dict[int, int]:
        """Return the number of shields in an area of each seat with any."""
        held = enumerate(self.position.shields)
        # Without a shield there is no share, even where only one other plays (Origo 4, ruling).
        return {seat: (mask & area).bit_count() for seat, mask in held if mask & area}

    def parts(
        self,
        part: str,
        counts: Mapping[int, int],
        bonuses: Mapping[int, int],
        points: Mapping[int, int],
    ) -> list[Document]:
        """Move the leaders by their points in an area, and return how each came by them."""
        ranks = places(counts)
        return [
            {
                "seat": self.position.seats[seat],
                "shields": counts[seat],
                "place": ranks[seat],
                "bonus": bonuses[seat],
                "points": points[seat],
                "total": self.position.path[seat],
            }
            for seat in self.move(part, points)
        ]


def score_tribes(position: Position) -> tuple[Position, list[Fact]]:
    """Return the position after a tribe scoring, and the facts that tell it step by step."""
    tally = _Tally(position)
    tally.clans()
    tally.sea()
    # In the board's scoring order: on the path the order of moves can matter.
    for land in range(len(position.board.lands)):
        tally.land(land)
    for seat, colour in enumerate(position.seats):
        sums = {part: sums[seat] for part, sums in tally.sums.items()}
        total = tally.position.path[seat]
        fields: Document = {"seat": colour, **sums, "points": sum(sums.values()), "total": total}
        tally.facts.append(Fact("scored", fields))
    return tally.position, tally.facts
