"""The policies of Origo: defending, and pursuing an attack."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final

from referee.games.game import Order, Seat, Unreadable
from referee.games.grid import format_space, parse_space
from referee.games.notation import LONGEST_WORD, UNKNOWN, one_typing_error, surely_meant, words_of
from referee.games.origo.orders import ATTACK, Add, Attack, Yield
from referee.games.origo.position import Position
from referee.games.origo.rules.combat import valid_cards
from referee.games.origo.squares import LANDS, MASK, NAME, SEAS, WITH, read_cards, write_cards
from referee.games.policies import Expired, Policy

ALL: Final = "all"
"""The target of a defence that holds everywhere."""


class Defend(Policy):
    """Defend a square, a land, a sea or everything with at most so many cards, then give up.

    ``cards``, if any are named, are played in that sequence and no others.
    """

    word: ClassVar[str] = "defend"
    target: str
    most: int
    cards: tuple[str, ...] = ()

    @property
    def topic(self) -> str:
        return f"defend {self.target}"

    @property
    def rank(self) -> int:
        if self.target in MASK:
            return 0
        # A square goes before its land or sea, and these before everything (Origo 8).
        return 2 if self.target == ALL else 1


class Pursue(Policy):
    """Attack, and follow it with at most so many cards beside the opening ones, then give up."""

    word: ClassVar[str] = "attack"
    square: str
    cards: tuple[str, ...]
    most: int

    @property
    def topic(self) -> str:
        return f"attack {self.square}"


POLICY_TYPES: Final[dict[str, type[Policy]]] = {kind.word: kind for kind in (Defend, Pursue)}

_DEFEND: Final = ("defend", "verteidige")
_ATTACK: Final = ("attack", "angriff")
_ALL: Final = {"all", "alle", "alles", "everything"}
_NEVER: Final = {"never", "nie"}
_UP_TO: Final = (("up", "to"), ("bis", "zu"), ("bis",))
_NUMBER: Final = re.compile(r"[0-9]{1,2}", re.ASCII)
_AREAS: Final = LANDS | {sea.casefold(): sea for sea in SEAS}


def read_policy(line: str) -> Policy:
    """Return the policy a line holds. Raises Unreadable."""
    keyword, *words = words_of(line) or [""]
    try:
        if _meant(keyword, _DEFEND):
            return _read_defend(words)
        # Without a limit it is an ordinary attack, which the game's notation reads.
        if _meant(keyword, _ATTACK) and not {"up", "bis"}.isdisjoint(words):
            return _read_pursue(words)
    except Unreadable as fault:
        raise surely_meant(fault, line) from None
    raise Unreadable(UNKNOWN, chatter=True, word=keyword[:LONGEST_WORD])


@lru_cache(maxsize=4096)
def _meant(word: str, keywords: tuple[str, ...]) -> bool:
    return word in keywords or any(one_typing_error(word, keyword) for keyword in keywords)


def _read_defend(words: Sequence[str]) -> Defend:
    if not words:
        raise Unreadable("defend-what")
    place = words[0]
    target = ALL if place in _ALL else _AREAS.get(place)
    if target is None:
        try:
            target = format_space(*parse_space(place))
        except ValueError:
            # “defend” is an everyday word; only with a limit behind it was it surely an order.
            talk = {"up", "bis", *_NEVER}.isdisjoint(words[1:])
            raise Unreadable("no-target", chatter=talk, text=place[:LONGEST_WORD]) from None
        if target not in MASK:
            raise Unreadable("no-target", text=place[:LONGEST_WORD])
    if len(words) == 2 and words[1] in _NEVER:
        return Defend(target, 0)
    most, rest = _cut_most(words[1:])
    if rest and rest[0] not in WITH:
        raise Unreadable("how-many", chatter={"up", "bis"}.isdisjoint(rest))
    cards = tuple(read_cards(rest[1:]))
    if most is None and not cards:
        raise Unreadable("how-many")
    # Whoever began to name cards did not mean any there are.
    if rest and not cards:
        raise Unreadable("no-card", text=rest[0])
    # Named cards without a number are a limit by themselves.
    return Defend(target, len(cards) if most is None else most, cards if most != 0 else ())


def _read_pursue(words: Sequence[str]) -> Pursue:
    most, rest = _cut_most(words)
    if most is None:
        raise Unreadable("how-many", chatter=words[0].upper() not in MASK)
    attack: Any = ATTACK.read(rest)
    return Pursue(attack.square, attack.cards, most)


def _cut_most(words: Sequence[str]) -> tuple[int | None, list[str]]:
    """Return the number behind ``up to``, if any, and the other words."""
    for index in range(len(words)):
        for mark in _UP_TO:
            end = index + len(mark)
            if tuple(words[index:end]) == mark and _NUMBER.fullmatch("".join(words[end : end + 1])):
                return int(words[end]), [*words[:index], *words[end + 1 :]]
    return None, list(words)


def write_policy(policy: Policy, language: str) -> str:
    """Return a policy as a line. Raises TypeError for one of another game."""
    german = language == "de"
    if isinstance(policy, Pursue):
        keyword, target, most = _ATTACK[german], policy.square, policy.most
        cards = write_cards(policy.cards, language, joined=True)
        return f"{keyword} {target} {cards} {'bis zu' if german else 'up to'} {most}"
    if not isinstance(policy, Defend):
        raise TypeError(f"no policy of Origo: {policy!r}")
    target = policy.target if policy.target != ALL else "alles" if german else ALL
    text = f"{_DEFEND[german]} {target}"
    if not policy.most:
        return f"{text} {'nie' if german else 'never'}"
    text = f"{text} {'bis zu' if german else 'up to'} {policy.most}"
    if not policy.cards:
        return text
    return f"{text} {write_cards(policy.cards, language, joined=True)}"


def opening(policy: Policy) -> Order | None:
    """Return the attack that a line also gives."""
    return Attack(policy.square, policy.cards) if isinstance(policy, Pursue) else None


def follow_policy(position: Position, seat: Seat, policy: Policy) -> Order | Expired | None:
    """Return the act of a seat's policy now (Origo 3, attack, steps 3 and 4)."""
    number, combat = position.seats.index(seat), position.combat
    if isinstance(policy, Defend):
        return _defended(position, number, policy)
    if not isinstance(policy, Pursue):
        return None
    if combat is None or position.seat != number or NAME[combat.square] != policy.square:
        # The attack it followed is over; a new one on the same square is another decision.
        return Expired("attack-over", {"square": policy.square})
    if position.chance or position.actor != number:
        return None
    # The opening cards do not count against the limit (Origo 8).
    added = len(combat.attacking) - len(policy.cards)
    fitting = least_useful(position, number, combat.square)
    return _card_or_yield(position, fitting if added < policy.most else [])


def _defended(position: Position, seat: int, policy: Defend) -> Order | Expired | None:
    square = MASK.get(policy.target, 0)
    # Without a shield there is nothing to defend; a land or sea may see one again and stays.
    if square and not square & position.shields[seat]:
        return Expired("no-shield", {"square": policy.target})
    combat = position.combat
    if combat is None or position.actor != seat or combat.defender != seat:
        return None
    if policy.target not in {ALL, NAME[combat.square], position.board.area_at[combat.square]}:
        return None
    if len(combat.defending) >= policy.most:
        return Yield()
    fitting = least_useful(position, seat, combat.square)
    if policy.cards:
        number = position.board.number
        named = [number[name] for name in policy.cards if name in number]
        # Cards played already, by hand perhaps, use up the names given to them.
        for card in combat.defending:
            if card in named:
                named.remove(card)
        # A named card that does not count here is skipped, not played in vain.
        fitting = [card for card in named if card in fitting]
    return _card_or_yield(position, fitting)


def least_useful(position: Position, seat: int, square: int) -> list[int]:
    """Return a seat's valid cards for a square, the least useful first.

    That is the card that names the fewest squares, by name among equals; the population card,
    which serves next to every shield of one's own, comes last.
    """
    board = position.board

    def use(card: int) -> tuple[bool, int, int]:
        return card == board.people, board.allows[card].bit_count(), card

    return sorted(valid_cards(position, seat, square), key=use)


def _card_or_yield(position: Position, cards: Sequence[int]) -> Order:
    return Add(position.board.cards[cards[0]]) if cards else Yield()
