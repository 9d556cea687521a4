"""Tribe scorings: clans, sea power, the twelve lands (Origo 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from referee.games.game import Fact, Json, Value
from referee.games.grid import components
from referee.games.origo.position import Position
from referee.games.origo.rules.path import move_all, movers
from referee.games.origo.squares import WIDTH

CLAN: Final = 3
"""Shields that make a clan."""

SOLE: Final = 2
"""Points of a founded land's only player beside the first value."""

STRONGEST: Final = 2

TIED_STRONGEST: Final = 1

SECOND: Final = 1


class ClanPlace(Value):
    """All clans of one size: their place, the worth of each, and the number each seat has."""

    place: int
    size: int
    value: int
    clans: Mapping[int, int]


class Share(Value):
    """A seat's share in one step of a scoring: shields, place, and points with any bonus."""

    seat: int
    shields: int
    place: int
    points: int
    bonus: int


def clan_places(position: Position) -> list[ClanPlace]:
    """Return the places of all clans, the largest first, each with the points for one clan."""
    sizes: Counter[int] = Counter()
    owners: dict[int, Counter[int]] = {}
    for seat, mask in enumerate(position.shields):
        for part in components(mask, WIDTH):
            size = part.bit_count()
            if size >= CLAN:
                sizes[size] += 1
                owners.setdefault(size, Counter())[seat] += 1
    places, rank = [], 1
    for size in sorted(sizes, reverse=True):
        # Two clans of one seat do not share: only different seats tie.
        value = _value(position.board.clan_values, rank, tied=len(owners[size]) > 1)
        places.append(ClanPlace(rank, size, value, owners[size]))
        # Clans of one size share their places, and the next size comes after all of them.
        rank += sizes[size]
    return places


def _value(values: Sequence[int], rank: int, *, tied: bool) -> int:
    """Return the value of a place, counted from 1, or where it is shared the next lower one."""
    index = rank if tied else rank - 1
    return values[index] if index < len(values) else 0


def sea_shares(position: Position) -> list[Share]:
    """Return the shares of all seats with shields at sea."""
    counts = _counts(position, position.board.sea)
    ranks = _ranks(counts)
    leaders = sum(1 for rank in ranks.values() if rank == 1)
    seconds = sum(1 for rank in ranks.values() if rank == 2)
    shares = []
    for seat, shields in counts.items():
        bonus = 0
        if ranks[seat] == 1:
            bonus = STRONGEST if leaders == 1 else TIED_STRONGEST
        # A tie for second place brings no bonus; a tie for first leaves no second place.
        elif ranks[seat] == 2 and seconds == 1:
            bonus = SECOND
        shares.append(Share(seat, shields, ranks[seat], shields + bonus, bonus))
    return shares


def land_shares(position: Position, land: int) -> list[Share]:
    """Return the shares of all seats with shields in a land."""
    board = position.board
    counts = _counts(position, board.land_masks[land])
    ranks = _ranks(counts)
    tied = Counter(ranks.values())
    # Alone in a founded land.
    bonus = SOLE if len(counts) == 1 and land in position.founded else 0
    shares = []
    for seat, shields in counts.items():
        rank = ranks[seat]
        value = _value(board.values[land], rank, tied=tied[rank] > 1)
        shares.append(Share(seat, shields, rank, value + bonus, bonus))
    return shares


def _counts(position: Position, area: int) -> dict[int, int]:
    """Count each seat's shields in an area, leaving out seats without any."""
    # Without a shield there is no share, even where only one other plays (Origo 4, ruling).
    counts = ((seat, (mask & area).bit_count()) for seat, mask in enumerate(position.shields))
    return {seat: number for seat, number in counts if number}


def _ranks(counts: Mapping[int, int]) -> dict[int, int]:
    """Return each seat's place by the standard competition ranking."""
    return {
        seat: 1 + sum(1 for other in counts.values() if other > number)
        for seat, number in counts.items()
    }


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
        order = movers(self.position, points)
        for seat, number in points.items():
            self.sums[part][seat] += number
        self.position = move_all(self.position, points)
        return order

    def clans(self) -> None:
        for place in clan_places(self.position):
            # Clans beyond the fifth place are worth nothing, and a move by nothing is not told.
            if not place.value:
                continue
            # What one seat has in the same place is one move on the path (Origo 4, ruling).
            points = {seat: number * place.value for seat, number in place.clans.items()}
            for seat in self.move("clans", points):
                fields: dict[str, Json] = {
                    "seat": self.position.seats[seat],
                    "place": place.place,
                    "size": place.size,
                    "clans": place.clans[seat],
                    "shared": len(place.clans) > 1,
                    "points": points[seat],
                    "total": self.position.path[seat],
                }
                self.facts.append(Fact("scored-clans", fields))

    def sea(self) -> None:
        shares = {share.seat: share for share in sea_shares(self.position)}
        points = {seat: share.points for seat, share in shares.items()}
        order = self.move("sea", points)
        self.facts += [Fact("scored-sea", self.part(shares[seat])) for seat in order]

    def land(self, land: int) -> None:
        shares = {share.seat: share for share in land_shares(self.position, land)}
        if not shares:
            return
        points = {seat: share.points for seat, share in shares.items()}
        order = self.move("lands", points)
        fields: dict[str, Json] = {
            "land": self.position.board.lands[land],
            "founded": land in self.position.founded,
            "parts": [self.part(shares[seat]) for seat in order],
        }
        self.facts.append(Fact("scored-land", fields))

    def part(self, share: Share) -> dict[str, Json]:
        return {
            "seat": self.position.seats[share.seat],
            "shields": share.shields,
            "place": share.place,
            "bonus": share.bonus,
            "points": share.points,
            "total": self.position.path[share.seat],
        }

    def close(self) -> None:
        for seat, colour in enumerate(self.position.seats):
            sums = {part: sums[seat] for part, sums in self.sums.items()}
            fields: dict[str, Json] = {
                "seat": colour,
                **sums,
                "points": sum(sums.values()),
                "total": self.position.path[seat],
            }
            self.facts.append(Fact("scored", fields))


def score_tribes(position: Position) -> tuple[Position, list[Fact]]:
    """Return the position after a tribe scoring, and the facts that tell it step by step."""
    tally = _Tally(position)
    tally.clans()
    tally.sea()
    # In the board's scoring order: on the path the order of moves can matter.
    for land in range(len(position.board.lands)):
        tally.land(land)
    tally.close()
    return tally.position, tally.facts
