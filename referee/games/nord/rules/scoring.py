"""Scorings and treasures: their points, and the pieces they sweep away (Nord 5 to 8)."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.game import Document, Fact, Json, Seat, replace
from referee.games.grid import flood
from referee.games.nord.position import Position, add_to, settlements_of, tiles_by_symbol
from referee.games.play import places
from referee.value import add_at

LAST_SCORING = 4

KINDS = (0, 1, 2, 3, 5, 10, 15)
"""Points for so many different symbols."""


def after_scoring(position: Position) -> tuple[Position, list[Fact]]:
    """Return the position after the next scoring, new treasures not yet laid, and the facts."""
    number = position.scorings + 1
    kind = "resources" if number % 2 else "warriors"
    facts = [Fact("scoring", {"number": number, "kind": kind})]
    # Resources and warriors are scored in turn, four scorings in all.
    steps = (_resources,) if kind == "resources" else (_feed, _warriors, _storm)
    for step in steps:
        position, more = step(position)
        facts += more
    # The boat is emptied after the points, cave-in and storm (Nord 5, 6).
    dead = [position.large_boat.count(f"man:{colour}") for colour in position.seats]
    if any(dead):
        # Jarls slide to the lowest places in order, for no points (Nord 6).
        jarls = tuple(piece for piece in position.large_boat if piece.startswith("jarl:"))
        men = tuple(n + back for n, back in zip(position.men, dead, strict=True))
        position = replace(position, large_boat=jarls, men=men)
        facts.append(Fact("boat-emptied", {"men": sum(dead), "jarls": len(jarls)}))
    position = replace(position, scorings=number)
    if number < LAST_SCORING:
        return position, facts
    points = position.points
    for seat, colour in enumerate(position.seats):
        hand = position.hands[seat]
        worth = treasure_points(hand)
        points = add_at(points, seat, worth)
        fields: Document = {"seat": colour, "tiles": tiles_by_symbol(hand), "points": worth}
        # News, because hands are hidden until the end.
        facts.append(Fact("treasures-scored", fields, news=True))
    position = replace(position, points=points, phase="over", seat=0)
    for colour, place in final_places(position).items():
        worth = points[position.seats.index(colour)]
        facts.append(Fact("over", {"seat": colour, "points": worth, "place": place}))
    return position, facts


def may_deliver(warriors: tuple[int, ...], seat: int) -> bool:
    """Whether a seat is present in a settlement, and not barred as the one with fewest."""
    present = [n for n in warriors if n]
    own = warriors[seat]
    # A seat alone, or tied with all others, is both fewest and most: it delivers.
    return own > 0 and (own > min(present) or own == max(present))


def delivery(position: Position, seat: int, settlement: int) -> tuple[int, int]:
    """Return the number of forest regions and the mask of mountains a seat delivers from."""
    geo = position.geometry
    reached = flood(geo.gates[settlement], position.all_workers, geo.width)
    own = reached & position.workers[seat]
    return sum(1 for region in geo.forests if region & own), own & geo.mountain


def food(position: Position, settlement: int) -> int:
    """Return how many warriors of each player a settlement feeds."""
    geo = position.geometry
    reached = flood(geo.gates[settlement], position.all_workers, geo.width)
    # Only connected spaces around the settlement feed it, diagonals included.
    near = reached & geo.surroundings[settlement]
    return 1 + sum(1 for region in geo.forests if region & near) + (near & geo.sea).bit_count()


def treasure_points(hand: tuple[int, ...]) -> int:
    """Return the points for the tiles of a hand at the end."""
    return KINDS[sum(1 for n in hand if n)] + sum(n * n for n in hand if n >= 3)


def _resources(position: Position) -> tuple[Position, list[Fact]]:
    geo = position.geometry
    facts: list[Fact] = []
    caved = []
    points = position.points
    for seat, colour in enumerate(position.seats):
        total = spent = 0
        parts: list[Json] = []
        for settlement in settlements_of(position, seat):
            if not may_deliver(position.warriors[settlement], seat):
                continue
            forests, mask = delivery(position, seat, settlement)
            mountains = mask.bit_count()
            # A worker may deliver to several settlements and caves in once (Nord 5).
            spent |= mask
            total += forests + mountains
            if forests or mountains:
                part: Document = {
                    "space": geo.settlements[settlement],
                    "forests": forests,
                    "mountains": mountains,
                    "points": forests + mountains,
                }
                parts.append(part)
        points = add_at(points, seat, total)
        caved.append(spent)
        fields: Document = {"seat": colour, "points": total, "parts": parts}
        facts.append(Fact("scored-resources", fields))
    # Told after all points, since mountains cave in at the end for everybody at once.
    for seat, spent in enumerate(caved):
        if spent:
            fields = {"seat": position.seats[seat], "spaces": list(geo.names(spent))}
            facts.append(Fact("cave-in", fields))
    return replace(_without_workers(position, caved), points=points), facts


def _without_workers(position: Position, leaving: Sequence[int]) -> Position:
    """Return the position with workers of each seat, as masks, gone to supply."""
    workers = zip(position.workers, leaving, strict=True)
    men = zip(position.men, leaving, strict=True)
    return replace(
        position,
        workers=tuple(mask & ~gone for mask, gone in workers),
        men=tuple(n + gone.bit_count() for n, gone in men),
    )


def _warriors(position: Position) -> tuple[Position, list[Fact]]:
    facts = []
    for seat, colour in enumerate(position.seats):
        total = 0
        parts: list[Json] = []
        for settlement in settlements_of(position, seat):
            n = position.warriors[settlement][seat]
            space = position.geometry.settlements[settlement]
            parts.append({"space": space, "warriors": n, "points": n * n})
            total += n * n
        position = replace(position, points=add_at(position.points, seat, total))
        fields: Document = {"seat": colour, "points": total, "parts": parts}
        facts.append(Fact("scored-warriors", fields))
    return position, facts


def _feed(position: Position) -> tuple[Position, list[Fact]]:
    """Return the position with the warriors no settlement can feed gone to supply."""
    facts = []
    # Food depends on workers only, so who starves first makes no difference.
    feeds = [food(position, i) for i in range(len(position.warriors))]
    for settlement, enough in enumerate(feeds):
        for seat, colour in enumerate(position.seats):
            surplus = position.warriors[settlement][seat] - enough
            if surplus <= 0:
                continue
            space = position.geometry.settlements[settlement]
            fields: Document = {"seat": colour, "space": space, "men": surplus, "food": enough}
            facts.append(Fact("starved", fields))
            position = replace(
                position,
                warriors=add_to(position.warriors, settlement, seat, -surplus),
                men=add_at(position.men, seat, surplus),
            )
    return position, facts


def _storm(position: Position) -> tuple[Position, list[Fact]]:
    drowned = [mask & position.geometry.sea for mask in position.workers]
    number = sum(mask.bit_count() for mask in drowned)
    if not number:
        return position, []
    after = _without_workers(position, drowned)
    boats = position.fishing_boats + number
    return replace(after, fishing_boats=boats), [Fact("storm", {"number": number})]


def final_places(position: Position) -> dict[Seat, int]:
    """Return each seat's place: points decide, then tiles in hand, or it is shared (Nord 8)."""
    worths = zip(position.points, map(sum, position.hands), strict=True)
    return places(dict(zip(position.seats, worths, strict=True)))
