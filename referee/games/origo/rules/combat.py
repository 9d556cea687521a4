"""Combats: possible targets, valid cards, and the course (Origo 3, attack)."""

from __future__ import annotations

from referee.games.game import Fact, Json, replace
from referee.games.grid import bits
from referee.games.origo.orders import Add, Attack
from referee.games.origo.position import (
    Combat,
    Position,
    combat_points,
    discarded,
    hands_without,
    owner_of,
    with_card,
)
from referee.games.origo.rules.moves import from_supply
from referee.games.origo.squares import MASK, NAME, NEAR, beside
from referee.value import add_at


def open_areas(position: Position) -> int:
    """Return the squares on which shields may be attacked: founded lands and full seas."""
    board, occupied = position.board, position.occupied
    mask = 0
    for land in position.founded:
        mask |= board.land_masks[land]
    for sea in board.sea_masks:
        # A sea is open to attack only when no square of it is free.
        if not sea & ~occupied:
            mask |= sea
    return mask


def valid_cards(position: Position, seat: int, square: int) -> tuple[int, ...]:
    """Return a seat's cards that count in a combat for a square."""
    fitting, people = position.board.fitting[square], position.board.people
    # The defender's shield on the square itself does not count for it (Origo 3, ruling).
    if NEAR[square] & position.shields[seat]:
        return tuple(card for card in position.hands[seat] if card in fitting or card == people)
    return tuple(card for card in position.hands[seat] if card in fitting)


def has_no_answer(position: Position, combat: Combat) -> bool:
    """Return whether everybody can see that the side behind has no valid card (Origo 3).

    Its hand is empty, or all cards that count on the square have been played.
    """
    board, actor = position.board, position.actor
    near = NEAR[combat.square] & position.shields[actor]
    played = discarded(position.discards, combat.attacking + combat.defending)
    hidden = {card for card, count in enumerate(board.counts) if count > played[card]}
    counting = board.fitting[combat.square] | ({board.people} if near else set())
    return not position.hands[actor] or hidden.isdisjoint(counting)


def open_combat(position: Position, order: Attack) -> tuple[Position, list[Fact]]:
    """Return the position after an attack was opened with its cards."""
    board, seat, square = position.board, position.seat, MASK[order.square]
    cards = tuple(sorted(board.number[card] for card in order.cards))
    defender = owner_of(position, square)
    combat = Combat(square, defender, cards, ())
    # The attacking shield is taken from the supply and waits for the outcome.
    after, last = from_supply(position)
    after = replace(
        after,
        phase="combat",
        hands=hands_without(position, seat, cards),
        turn=position.turn._replace(actions=position.turn.actions + 1),
        combat=combat,
    )
    fields: dict[str, Json] = {
        "seat": position.colour,
        "defender": position.seats[defender],
        "square": order.square,
        "area": board.area_at[square],
        "cards": list(order.cards),
        **_points(after, combat),
    }
    return after, [Fact("attacked", fields), *last]


def _points(position: Position, combat: Combat) -> dict[str, Json]:
    attacker, defender = combat_points(position, combat)
    return {"attacker_points": attacker, "defender_points": defender}


def add_card(position: Position, combat: Combat, order: Add) -> tuple[Position, list[Fact]]:
    """Return the position after the side behind added a card."""
    seat, card = position.actor, position.board.number[order.card]
    turn = position.turn
    if seat == combat.defender:
        combat = combat._replace(defending=with_card(combat.defending, card))
        # Noted, because whoever spent cards in defence draws at the end of the turn.
        turn = turn._replace(defended=turn.defended | 1 << seat)
    else:
        combat = combat._replace(attacking=with_card(combat.attacking, card))
    hands = hands_without(position, seat, (card,))
    after = replace(position, hands=hands, turn=turn, combat=combat)
    fields: dict[str, Json] = {
        "seat": position.seats[seat],
        "square": NAME[combat.square],
        "card": order.card,
        **_points(after, combat),
    }
    return after, [Fact("added", fields)]


def give_up(position: Position, combat: Combat) -> tuple[Position, list[Fact]]:
    """Return the position after the side behind gave up and its shield left the game."""
    loser = position.actor
    won = loser == combat.defender
    winner = position.seat if won else combat.defender
    shields = position.shields
    if won:
        # The attacker's waiting shield takes the square; the defender's leaves the game.
        # No land is founded by it: a square won by an attack founds nothing (Origo 3).
        shields = add_at(add_at(shields, loser, -combat.square), winner, combat.square)
    after = replace(
        position,
        phase="turn",
        shields=shields,
        # Only now: until the combat is over its cards are in play, and no reshuffle may take them.
        discards=discarded(position.discards, combat.attacking + combat.defending),
        combat=None,
    )
    square = NAME[combat.square]
    area = position.board.area_at[combat.square]
    fields: dict[str, Json] = {
        "seat": position.seats[winner],
        "loser": position.seats[loser],
        "square": square,
        "area": area,
        "taken": won,
    }
    gave_up = Fact("yielded", {"seat": position.seats[loser], "square": square})
    return after, [gave_up, Fact("won", fields)]


def attackable(position: Position) -> list[tuple[int, tuple[int, ...]]]:
    """Return the squares the seat at turn may attack now, each with the valid cards in hand."""
    own = position.shields[position.seat]
    # An attacker must stand next to the shield attacked.
    targets = open_areas(position) & position.occupied & ~own & beside(own)
    attacks = [(square, valid_cards(position, position.seat, square)) for square in bits(targets)]
    # An attack opens with a card at least.
    return [attack for attack in attacks if attack[1]]
