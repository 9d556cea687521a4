"""The course of a turn: the seat to act, orders, effects (Nord 2, 4)."""

from __future__ import annotations

from referee.games.game import Document, Fact, Order, Refusal, replace
from referee.games.nord.board import links, no_settlement
from referee.games.nord.orders import Attack, Challenge, Deal, Lay, Place, Play, Score, Start
from referee.games.nord.position import NEUTRAL, NO_JARL, Position, add_to, boat_has_room
from referee.games.nord.rules import attack, piles, placing
from referee.games.nord.rules.scoring import after_scoring
from referee.value import add_at, put_at


def legal_orders(position: Position) -> list[Order]:
    """Return every legal order of the seat to act, canonical."""
    if position.chance or position.phase == "over":
        return []
    if position.phase == "start":
        settlements = zip(position.geometry.settlements, position.jarls, strict=True)
        return [Start(space) for space, jarl in settlements if jarl == NO_JARL]
    if position.phase == "attack":
        return attack.attacks(position)
    orders = placing.placements(position) + attack.challenges(position)
    # A seat that can do nothing brings on the scoring (Nord 4).
    return orders + placing.playable_tiles(position) or [Score()]


def blocked(position: Position) -> bool:
    """Whether the seat at turn can neither place nor challenge (Nord 4)."""
    if position.phase != "turn" or placing.open_spaces(position):
        return False
    return not attack.challenges(position)


def forced_order(position: Position) -> Order | None:
    """Return the only attack possible, or the scoring of a blocked seat."""
    if position.chance:
        return None
    if position.phase == "attack":
        choices = attack.attacks(position)
        return choices[0] if len(choices) == 1 else None
    # Tiles in hand do not matter here, since they never help a seat that cannot place.
    return Score() if blocked(position) else None


def why_not(position: Position, order: Order) -> Refusal | None:
    """Return why the seat to act may not play an order, without suggestions."""
    if isinstance(order, Deal | Lay):
        return Refusal("only-chance", "Nord 2.4")
    if position.phase == "start":
        if not isinstance(order, Start):
            return Refusal("choose-start", "Nord 2.7")
        if refused := no_settlement(position.geometry, order.space, "Nord 2.7"):
            return refused
        jarl = position.jarls[position.geometry.index[order.space]]
        about: Document = {"space": order.space, "seat": jarl}
        return None if jarl == NO_JARL else Refusal("start-taken", "Nord 2.7", about)
    if position.phase == "attack":
        if not isinstance(order, Attack):
            return Refusal("attack-owed", "Nord A2")
        return attack.attack_refusal(position, order)
    if isinstance(order, Place):
        return placing.placement_refusal(position, order)
    if isinstance(order, Play):
        return placing.play_refusal(position, order)
    if isinstance(order, Challenge):
        return attack.challenge_refusal(position, order)
    if isinstance(order, Attack):
        return Refusal("no-attack-owed", "Nord A2")
    if isinstance(order, Score):
        return None if blocked(position) else Refusal("not-blocked", "Nord 4")
    return Refusal("start-chosen", "Nord 2.7")


def after_order(position: Position, order: Order) -> tuple[Position, list[Fact]]:
    """Return the position after a legal order, and the facts."""
    if isinstance(order, Place):
        after, facts, mask = placing.after_placement(position, order)
        if not attack.new_links(position, mask):
            return _end_turn(after, facts)
        # The links from before the placement: only later ones owe attacks.
        linked = links(position.geometry, position.all_workers)
        return replace(after, phase="attack", linked=linked), facts
    if isinstance(order, Attack):
        after, facts = attack.after_attack(position, order)
        if any(True for _ in attack.owed(after)):
            return after, facts
        return _end_turn(replace(after, phase="turn", linked=()), facts)
    if isinstance(order, Play):
        return placing.after_play(position, order)
    if isinstance(order, Deal):
        return piles.deal(position, order)
    if isinstance(order, Lay):
        return piles.lay(position, order)
    if isinstance(order, Start):
        seat, settlement = position.seat, position.geometry.index[order.space]
        facts = [Fact("started", {"seat": position.colour, "space": order.space})]
        # A jarl and the first warrior (Nord 2.5).
        after = replace(
            position,
            jarls=put_at(position.jarls, settlement, position.colour),
            warriors=add_to(position.warriors, settlement, seat, 1),
            men=add_at(position.men, seat, -1),
        )
        if seat + 1 < len(position.seats):
            return replace(after, seat=seat + 1), facts
        # Neutral jarls wait until the last seat has chosen (Nord 2.6).
        jarls = tuple(jarl or NEUTRAL for jarl in after.jarls)
        return replace(after, jarls=jarls, seat=0, phase="turn"), facts
    if isinstance(order, Challenge):
        return _end_turn(*attack.after_challenge(position, order))
    # Whoever is blocked has the scoring as the whole turn, full boat or not (Nord 4).
    return _end_turn(position, [Fact("blocked", {"seat": position.colour})], scoring=True)


def _end_turn(
    position: Position, facts: list[Fact], *, scoring: bool = False
) -> tuple[Position, list[Fact]]:
    """Return the position in which the next seat is up, after any scoring that is due (Nord A3)."""
    # Passed on first: after the scoring chance lays tiles, and then this seat is up.
    position = replace(position, seat=(position.seat + 1) % len(position.seats))
    if not scoring and boat_has_room(position):
        return position, facts
    position, more = after_scoring(position)
    facts += more
    if position.phase == "over":
        return position, facts
    position, more = piles.settle(replace(position, chance=True))
    return position, facts + more
