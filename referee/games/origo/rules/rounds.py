"""Ends of turns and rounds, and their consequences (Origo 3, 4, 6)."""

from __future__ import annotations

from referee.games.game import Fact, replace
from referee.games.origo.orders import Start
from referee.games.origo.position import NEW_TURN, OVER, QUIET_ROUNDS, START, TURN, Position
from referee.games.origo.rules.scoring import last, score_tribes
from referee.games.play import places

FOUNDED = "founded"
EXHAUSTED = "exhausted"
PASSED = "passed"
QUIET = "quiet"
ENDINGS = (FOUNDED, EXHAUSTED, PASSED, QUIET)
"""Twelve stones; an empty supply; a round of passes; ten rounds without a new shield."""


def next_turn(position: Position) -> tuple[Position, list[Fact]]:
    """Return the position for the next turn, or after the round's end."""
    seat = (position.seat + 1) % len(position.seats)
    position = replace(position, seat=seat, turn=NEW_TURN, chance=False)
    # A round ends when the turn comes back to the start player.
    if seat != position.start:
        return position, []
    # Before any scoring ordered: the last scoring takes its place (Origo 6).
    if cause := end_due(position):
        facts = [Fact("final-scoring", {"round": position.round, "cause": cause})]
        position, scored = score_tribes(position)
        after = replace(position, phase=OVER, seat=0, ordered=0)
        totals = dict(zip(after.seats, after.path, strict=True))
        ranked = sorted(places(totals).items(), key=lambda pair: pair[1])
        over = [
            Fact("over", {"seat": colour, "place": place, "points": totals[colour]})
            for colour, place in ranked
        ]
        return after, [*facts, *scored, *over]
    if not position.ordered:
        return new_round(position, position.start)
    # A red field orders a scoring, carried out when the round is over. Only one a round; another
    # that was ordered waits for the next round's end (Origo 4, ruling).
    left = position.ordered - 1
    facts = [Fact("scoring", {"round": position.round, "left": left})]
    position, scored = score_tribes(position)
    # After the scoring, which may have moved somebody else to the end.
    seat = last(position)
    facts += [*scored, Fact("names-start", {"seat": position.seats[seat]})]
    return replace(position, phase=START, seat=seat, ordered=left), facts


def end_due(position: Position) -> str | None:
    """Return the ending that this complete round brings, or None if the game goes on."""
    number = len(position.seats)
    if len(position.founded) == len(position.board.track):
        return FOUNDED
    if not all(position.supply):
        return EXHAUSTED
    # One bit for each seat, all of them set.
    if position.passed == (1 << number) - 1:
        return PASSED
    if position.last_round or position.round - position.supplied >= QUIET_ROUNDS:
        return QUIET
    return None


def new_round(position: Position, start: int) -> tuple[Position, list[Fact]]:
    """Return the position at the beginning of the next round."""
    after = replace(
        position, phase=TURN, round=position.round + 1, start=start, seat=start, passed=0
    )
    return after, [Fact("round", {"seat": after.colour, "round": after.round})]


def name_start(position: Position, order: Start) -> tuple[Position, list[Fact]]:
    """Return the position after the next start player was named (Origo 4)."""
    facts = [Fact("named", {"seat": position.colour, "start": order.seat})]
    after, more = new_round(position, position.seats.index(order.seat))
    return after, facts + more
