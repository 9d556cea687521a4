"""Ends of turns and rounds, and cards dealt, drawn and exchanged (Origo 2, 3, 4, 6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from referee.games.game import Fact, Json, Order, replace
from referee.games.origo.orders import Draw, Exchange, Start
from referee.games.origo.position import (
    EXCHANGED,
    HAND,
    NEW_TURN,
    QUIET_ROUNDS,
    Position,
    clockwise,
    discarded,
    hands_without,
    with_card,
)
from referee.games.origo.rules.scoring import last, score_tribes
from referee.games.play import places
from referee.games.values import private_fact
from referee.value import add_at, put_at

Ending: TypeAlias = Literal["founded", "exhausted", "passed", "quiet"]
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
        after = replace(position, phase="over", seat=0, ordered=0)
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
    return replace(position, phase="start", seat=seat, ordered=left), facts


def end_due(position: Position) -> Ending | None:
    """Return the ending that this complete round brings, or None if the game goes on."""
    number = len(position.seats)
    if len(position.founded) == len(position.board.track):
        return "founded"
    if not all(position.supply):
        return "exhausted"
    # One bit for each seat, all of them set.
    if position.passed == (1 << number) - 1:
        return "passed"
    if position.last_round or position.round - position.supplied >= QUIET_ROUNDS:
        return "quiet"
    return None


def new_round(position: Position, start: int) -> tuple[Position, list[Fact]]:
    """Return the position at the beginning of the next round."""
    after = replace(
        position, phase="turn", round=position.round + 1, start=start, seat=start, passed=0
    )
    return after, [Fact("round", {"seat": after.colour, "round": after.round})]


def name_start(position: Position, order: Start) -> tuple[Position, list[Fact]]:
    """Return the position after the next start player was named (Origo 4)."""
    facts = [Fact("named", {"seat": position.colour, "start": order.seat})]
    after, more = new_round(position, position.seats.index(order.seat))
    return after, facts + more


def draw_due(position: Position) -> int | None:
    """Return the seat that draws a card next, or None if no draw is due or no card is left."""
    # With both piles empty nobody draws, and the game goes on.
    if not any(position.draw) and not any(position.discards):
        return None
    turn = position.turn
    if position.phase != "place" and not turn.ended:
        # Within a turn only an exchange draws cards.
        return position.seat if turn.exchanged and turn.drawn < EXCHANGED else None
    drawing: Sequence[int] = range(len(position.seats))
    if position.phase != "place":
        # The seat at turn draws first, as it matters when the pile runs out (Origo 3, ruling), and
        # then the defenders, clockwise.
        clock = clockwise(position, position.seat)
        drawing = [position.seat, *(seat for seat in clock if turn.defended >> seat & 1)]
    return next((seat for seat in drawing if len(position.hands[seat]) < HAND), None)


_draw: Final = lru_cache(maxsize=1024)(Draw)
"""A draw, made once for each seat and card."""


def outcomes(position: Position) -> list[tuple[Order, int]]:
    """Return the possible draws of chance with their weights, sorted by text."""
    seat = draw_due(position) if position.chance else None
    if seat is None:
        return []
    # The weights must be those of the pile that will be drawn from, before it is turned over.
    pile = position.draw if any(position.draw) else position.discards
    colour, cards = position.seats[seat], position.board.cards
    return [(_draw(colour, cards[i]), weight) for i, weight in enumerate(pile) if weight]


def draw_card(position: Position, order: Draw) -> tuple[Position, list[Fact]]:
    """Return the position after a card was drawn, which only the seat learns.

    When the draw pile is empty the discards become it first.
    """
    seat, card = position.seats.index(order.seat), position.board.number[order.card]
    pile, discards = position.draw, position.discards
    facts: list[Fact] = []
    if not any(pile):
        pile, discards = discards, (0,) * len(discards)
        facts.append(Fact("reshuffled", {"number": sum(pile)}))
    after = replace(
        position,
        draw=add_at(pile, card, -1),
        discards=discards,
        hands=put_at(position.hands, seat, with_card(position.hands[seat], card)),
        turn=position.turn._replace(drawn=position.turn.drawn + 1),
    )
    # At the deal the whole hand is told at once instead.
    if position.phase != "place":
        facts.append(private_fact("drew-card", order.seat, card=order.card))
    following = draw_due(after)
    # The seat's last card: now it is told how many it drew, at the deal also which.
    if following != seat:
        facts.append(Fact("drew", {"seat": order.seat, "number": after.turn.drawn}))
        if after.phase == "place":
            cards: list[Json] = list(after.board.named(after.hands[seat]))
            facts.append(private_fact("dealt", order.seat, cards=cards))
        after = replace(after, turn=after.turn._replace(drawn=0))
    if following is not None:
        return after, facts
    after, more = _resume(after)
    return after, facts + more


def _resume(position: Position) -> tuple[Position, list[Fact]]:
    """Return the position after the last card was drawn."""
    if position.phase != "place" and position.turn.ended:
        return next_turn(position)
    return replace(position, chance=False), []


def settle(position: Position) -> tuple[Position, list[Fact]]:
    """Return the position in which chance acts if a card is due, else after a finished draw."""
    if draw_due(position) is not None:
        return replace(position, chance=True), []
    return _resume(position)


def exchange(position: Position, order: Exchange) -> tuple[Position, list[Fact]]:
    """Return the position after two cards were discarded, with two to be drawn (Origo 3)."""
    board, seat = position.board, position.seat
    cards = tuple(board.number[card] for card in order.cards)
    after = replace(
        position,
        hands=hands_without(position, seat, cards),
        discards=discarded(position.discards, cards),
        turn=position.turn._replace(exchanged=True),
    )
    facts = [Fact("exchanged", {"seat": position.colour, "cards": list(order.cards)})]
    # Drawn at once, so that the new cards can be used in the rest of the turn.
    after, more = settle(after)
    return after, facts + more
