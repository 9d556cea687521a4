"""Hearts for four, deal after deal until somebody has as many points as were agreed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Final

from referee.games.game import Fact, Json, Option, Order, Seat, Sentence
from referee_classics.cards import (
    PACK,
    SIGNS,
    CardGame,
    Deal,
    Trick,
    dealing,
    exchange,
    in_order,
    lacking,
    listed,
    play_out,
    read_cards,
    read_played,
)
from referee_classics.classic import Move, Position, State, Why

NORTH_FIRST: Final = ("north", "east", "south", "west")

AROUND: Final = ((0, 1), (1, 2), (2, 1), (1, 0))
"""Where their cards lie on the table, row and column."""

SHIFTS: Final = (0, 1, 3, 2)
"""How many places on the passed cards go, by the number of the deal: to the left, to the right,
across, and every fourth deal not at all."""

ENGINES: Final = ("No Pass", "Left", "Across", "Right")
WAYS: Final = ("hold", "left", "across", "right")
"""The names of the directions in the engine and here, by places."""

PASSED: Final = 3
"""Cards that everybody passes."""

POINTS: Final[Mapping[str, int]] = {card: 1 for card in PACK if card[1] == "H"} | {"QS": 13}
ALL_POINTS: Final = sum(POINTS.values())

_GIVEN: Final = re.compile(
    r"(?:ich\s|i\s)?(?:pass|give|schiebe?|gib|gebe?)(?:\son)?:?\s(.+?)"
    r"(?:\s(?:weiter|on|across|to(?:\sthe)?\s\w+|an\s\w+|nach\s\w+))?",
    re.IGNORECASE,
)


class HeartsDeal(Deal):
    """One deal as far as it has come. ``passed`` is what those who have passed gave away."""

    shift: int
    passed: tuple[tuple[str, ...], ...]

    @property
    def passing(self) -> bool:
        """Whether somebody is still to pass."""
        return self.is_dealt and bool(self.shift) and len(self.passed) < len(self.hands)

    @property
    def broken(self) -> bool:
        """Whether a heart was played."""
        return any(card[1] == "H" for trick in self.tricks for card in trick.cards)

    @property
    def taken(self) -> list[int]:
        """The points that everybody has taken."""
        points = [0] * len(self.hands)
        for trick in self.tricks:
            if trick.is_complete:
                points[trick.winner] += trick.worth(POINTS)
        return points


@lru_cache(maxsize=512)
def deal_of(number: int, moves: tuple[str, ...]) -> HeartsDeal:
    """Return the deal of a number that moves lead to."""
    drawn = [move.removeprefix("deal ") for move in moves[: len(PACK)]]
    dealt, shift = tuple(tuple(drawn[player::4]) for player in range(4)), SHIFTS[number % 4]
    passed = [tuple(move.split()[1:]) for move in moves if move.startswith("pass ")]
    hands = [set(cards).difference(*passed[n : n + 1]) for n, cards in enumerate(dealt)]
    if len(passed) == len(hands):
        for player, cards in enumerate(passed):
            hands[(player + shift) % 4] |= set(cards)
    leader = next((n for n, hand in enumerate(hands) if "2C" in hand), 0)
    tricks = play_out(hands, moves[len(PACK) + len(passed) :], Trick(leader))
    is_dealt = len(drawn) == len(PACK)
    return HeartsDeal(dealt, is_dealt, tuple(map(frozenset, hands)), tricks, shift, tuple(passed))


class Hearts(CardGame):
    """Hearts: four play for themselves, and whoever has fewest points wins."""

    name = "hearts"
    engine = "hearts(qs_breaks_hearts=false)"
    colours = NORTH_FIRST
    seats = range(4, 5)
    max_orders = 20000
    ends = ("target", "target")
    options: Mapping[str, Option] = {
        "target": Option(100, "points at which the last deal ends", least=1, most=500),
    }
    fewest, values, places = True, POINTS, AROUND
    columns = {"taken": "taken", "points": "points"}
    joins = True
    written = {"de": {"pass": "schiebe"}}

    def deal(self, position: Position) -> HeartsDeal:
        return deal_of(self.begun(position)[0], position.moves)

    def settled(self, position: Position) -> tuple[str, ...]:
        return (ENGINES[SHIFTS[self.begun(position)[0] % 4]],)

    def gained(self, position: Position) -> Sequence[int]:
        deal = self.deal(position)
        if ALL_POINTS in deal.taken and deal.is_over:
            return [ALL_POINTS - points for points in deal.taken]
        return deal.taken

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        actions = {state.action_to_string(action): action for action in state.legal_actions()}
        number = state.move_number()
        if not number:
            return {text: (action,) for text, action in actions.items()}
        # Where nobody passes the text of the state says so, not its number.
        passing = number < 1 + len(PACK) + PASSED * 4
        if (
            passing
            and not state.is_chance_node()
            and "No Pass" not in str(state).partition("\n")[0]
        ):
            return {
                f"pass {' '.join(cards)}": tuple(actions[card] for card in cards)
                for cards in combinations(in_order(actions), PASSED)
            }
        return listed(state, actions)

    # Moves.

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        given = _GIVEN.fullmatch(tidied)
        cards = read_cards(given[1]) if given else read_played(tidied)
        if (given and cards) or len(cards) == PASSED:
            yield f"pass {' '.join(in_order(cards))}"
        else:
            yield from super().spellings(tidied, language)

    def why_not(self, position: Position, move: str) -> Why:
        deal, cards = self.deal(position), move.removeprefix("pass ").split()
        hand = self.hand(position)
        if not cards or not set(cards) <= set(PACK):
            return super().why_not(position, move)
        if move.startswith("pass ") and not deal.passing:
            return "passed-already" if deal.shift else "no-passing", {}
        if missing := [card for card in cards if card not in hand]:
            return "not-held", {"card": missing[0]}
        if deal.passing:
            twice = [card for card in cards if cards.count(card) > 1]
            return ("twice", {"card": twice[0]}) if twice else ("pass-three", {})
        if not deal.tricks:
            return "two-of-clubs", {}
        if deal.tricks[-1].is_complete:
            return "not-broken", {}
        led = deal.tricks[-1].cards[0][1]
        if cards[0][1] != led and any(held[1] == led for held in hand):
            return "follow-suit", {"suit": SIGNS[led], "card": cards[0]}
        return "first-trick", {"card": cards[0]}

    def forced(self, position: Position) -> Order | None:
        # Everybody sees who holds the two of clubs.
        deal = self.deal(position)
        opens = deal.is_dealt and not deal.passing and not deal.tricks
        return Move("2C") if opens else super().forced(position)

    # What happened.

    def told_deal(self, after: Position, deal: HeartsDeal) -> Fact:
        return Fact(f"dealt-{WAYS[deal.shift]}", {"deal": self.begun(after)[0]})

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        deal = self.deal(after)
        if move.startswith("pass "):
            seats = [*before.seats, *before.seats]
            takers = dict(zip(before.seats, seats[deal.shift :], strict=False))
            seat = before.seats[len(deal.passed) - 1]
            gave: dict[str, Json] = {"cards": [*deal.passed[-1]], "to": takers[seat]}
            facts = [
                Fact("passed", {"seat": seat, "to": takers[seat]}),
                Fact("gave", gave, frozenset({seat})),
            ]
            # Nobody is told what they get before all have passed.
            if not deal.passing:
                for giver, cards in zip(before.seats, deal.passed, strict=True):
                    got: dict[str, Json] = {"cards": [*cards], "giver": giver}
                    facts.append(Fact("received", got, frozenset({takers[giver]}), news=True))
            return facts
        card, *others = super().told(before, move, after)
        facts = [card]
        if deal.broken and not self.deal(before).broken:
            facts.append(Fact("broken", {}))
        if deal.is_over and ALL_POINTS in deal.taken:
            moon = before.seats[deal.taken.index(ALL_POINTS)]
            others.insert(-1, Fact("moon", {"seat": moon, "points": ALL_POINTS}))
        return [*facts, *others]

    # What a seat may know.

    def seen_by_all(self, deal: HeartsDeal, seats: Sequence[Seat]) -> dict[str, Json]:
        return {
            "passing": WAYS[deal.shift],
            "passed": [*seats[: len(deal.passed)]],
            "taken": dict(zip(seats, deal.taken, strict=True)),
            "broken": deal.broken,
        }

    def seen_by(self, deal: HeartsDeal, player: int) -> dict[str, Json]:
        gave = deal.passed[player] if player < len(deal.passed) else ()
        received = deal.passed[(player - deal.shift) % 4] if len(deal.passed) == 4 else ()
        return {"gave": [*in_order(gave)], "received": [*in_order(received)]}

    def stage(self, document: Any) -> Sentence:
        stage = "broken" if document["broken"] else "unbroken"
        if document["passing"] != "hold" and len(document["passed"]) < len(document["seats"]):
            stage = document["passing"]
        return Sentence(stage, {"deal": document["deal"]})

    def notes(self, document: Any) -> Sequence[Sentence]:
        told = [name for name in ("gave", "received") if document[name]]
        return [Sentence(name, {"cards": document[name]}) for name in told]

    def redealt(self, position: Position, me: int, rng: Random) -> Iterable[str]:
        deal, players = self.deal(position), range(4)
        # What one passed is with its taker, and whoever is to lead holds the two of clubs.
        taken = len(deal.passed) == len(players)
        known = {*(deal.passed[me] if taken and me >= 0 else ())}
        known |= set() if deal.passing or deal.tricks else {"2C"}
        # Who has passed gave away three of the cards that were dealt, whichever they are.
        held = deal.hands if taken or not deal.passing else tuple(map(frozenset, deal.dealt))
        never = lacking(deal.tricks, 4)
        for trick in deal.tricks[:1]:
            for player, card in trick.by_player:
                never[player] |= set(PACK) - set(POINTS) if card in POINTS else set()
        broken = False
        for trick in deal.tricks:
            if trick.cards[0][1] == "H" and not broken:
                never[trick.leader] |= {card for card in PACK if card[1] != "H"}
            broken = broken or any(card[1] == "H" for card in trick.cards)
        holders = {
            card: player
            for player in players
            for card in held[player]
            if player != me and card not in known
        }
        holders = exchange(holders, never, rng)
        hands = [
            {card for card in held[player] if player == me or card in known}
            | {card for card, holder in holders.items() if holder == player}
            for player in players
        ]
        for player, card in deal.played:
            hands[player].add(card)
        passed: list[tuple[str, ...]] = []
        for player in range(len(deal.passed)):
            taker = (player + deal.shift) % 4
            source = hands[taker] if taken else hands[player]
            seen = player == me or (taken and taker == me)
            drawn = rng.sample(in_order(source), PASSED)
            passed.append(tuple(in_order(deal.passed[player] if seen else drawn)))
        if taken:
            for player in players:
                hands[(player + deal.shift) % 4] -= set(passed[player])
            for player in players:
                hands[player] |= set(passed[player])
        yield from dealing([in_order(hand) for hand in hands])
        yield from (f"pass {' '.join(cards)}" for cards in passed)
        yield from position.moves[len(PACK) + len(passed) :]


GAME: Final = Hearts()
