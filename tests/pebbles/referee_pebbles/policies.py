"""What can be ordered in advance in edition 2 of Pebbles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from referee.games.game import Order, Seat, Unreadable
from referee.games.notation import words_of
from referee.games.policies import Expired, Policy
from referee_pebbles.orders import Bar, Let, Pass, named, read_seat, read_weight
from referee_pebbles.position import Position


class Guard(Policy):
    """Bar with the lightest pebble while it weighs no more than this; 0: let everybody peek."""

    word: ClassVar[str] = "guard"
    most: int


class PeekOrPass(Policy):
    """Peek, and pass if barred."""

    word: ClassVar[str] = "peek"
    seat: Seat


KINDS: Final[Mapping[str, type[Policy]]] = {each.word: each for each in (Guard, PeekOrPass)}


def parse(line: str, language: str, known: Mapping[str, type[Policy]]) -> Policy:
    """Return the policy a line holds. Raises Unreadable."""
    del language
    words = words_of(line)
    match words:
        case ["peek" | "schau", seat, "or" | "oder", "pass" | "passe"] if known:
            return PeekOrPass(read_seat(seat))
        case ["guard" | "hüte", "never" | "nie"] if known:
            return Guard(0)
        case ["guard", "up", "to", most] | ["hüte", "bis", "zu", most] if (
            known and most.isdecimal()
        ):
            return Guard(read_weight(most))
        case ["guard" | "hüte", *_] if known:
            raise Unreadable("no-guard", chatter=len(words) > 4)
    raise Unreadable("unknown-order", chatter=True, word=words[0][:40] if words else "")


def format(policy: Policy, language: str) -> str:
    """Return a policy as a line."""
    english = language != "de"
    if isinstance(policy, PeekOrPass):
        words = ("peek", "or pass") if english else ("schau", "oder passe")
        return f"{words[0]} {named(policy.seat, language)} {words[1]}"
    if not isinstance(policy, Guard):
        raise TypeError(policy)
    if not policy.most:
        return "guard never" if english else "hüte nie"
    return f"guard up to {policy.most}" if english else f"hüte bis zu {policy.most}"


def follow(position: Position, seat: Seat, policy: Policy, *, acts: bool) -> Order | Expired | None:
    """Return what a seat's policy does now, as it sees the game."""
    if isinstance(policy, Guard):
        return _guarded(position, seat, policy, acts=acts)
    seen = [what for by, _, what in position.seen if by == seat]
    if position.asked and position.turn == seat:
        return None
    if seen != [()] or position.turn != seat or seat in position.passed:
        return Expired("peek")
    return Pass() if acts else None


def _guarded(
    position: Position, seat: Seat, policy: Guard, *, acts: bool
) -> Order | Expired | None:
    if position.asked == seat and acts:
        hand = position.hand(seat)
        return Bar(hand[0]) if hand and hand[0] <= policy.most else Let()
    peeked = {by for by, _, _ in position.seen}
    others = set(position.seats) - peeked - set(position.passed) - {seat}
    return None if others and seat not in position.passed else Expired("guard")
