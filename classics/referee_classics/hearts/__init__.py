"""Hearts for four, deal after deal until somebody has as many points as were agreed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Final

from referee.games.game import Fact, Json, Order, Seat, Sentence, Unreadable
from referee.games.notation import LONGEST_WORD
from referee_classics.cards import PACK, CardGame, Deal, Trick, in_order, read_cards, read_played
from referee_classics.classic import Move, Position, State, Why
from referee_classics.data import patterns

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

_SAID: Final = patterns(__name__, "said")


class HeartsDeal(Deal):
    """One deal as far as it has come. ``passed`` is what those who have passed gave away."""

    shift: int
    passed: tuple[tuple[str, ...], ...]

    @property
    def passing(self) -> bool:
        return self.is_dealt and bool(self.shift) and len(self.passed) < len(self.hands)

    @property
    def broken(self) -> bool:
        return any(card[1] == "H" for trick in self.tricks for card in trick.cards)

    @property
    def taken(self) -> list[int]:
        points = [0] * len(self.hands)
        for trick in self.tricks:
            if trick.is_complete:
                points[trick.winner] += trick.worth(POINTS)
        return points

    @property
    def lacking(self) -> defaultdict[int, set[str]]:
        never = super().lacking
        # Whoever plays points in the first trick has nothing else.
        for player, card in self.played[:4]:
            never[player] |= set(PACK) - set(POINTS) if card in POINTS else set()
        # Whoever leads the first heart that is played has nothing else.
        first = next((play for play in self.played if play[1][1] == "H"), None)
        if first is not None and first[1] in {trick.cards[0] for trick in self.tricks}:
            never[first[0]] |= {card for card in PACK if card[1] != "H"}
        return never


class Hearts(CardGame):
    """Hearts: four play for themselves, and whoever has fewest points wins."""

    seats = range(4, 5)
    values = POINTS

    @lru_cache(maxsize=512)  # noqa: B019 - a game lives as long as the program
    def deal(self, position: Position) -> HeartsDeal:
        number, moves = self.begun(position)[0], position.moves
        drawn = [move.removeprefix("deal ") for move in moves[: len(PACK)]]
        dealt, shift = tuple(tuple(drawn[player::4]) for player in range(4)), SHIFTS[number % 4]
        passed = [tuple(move.split()[1:]) for move in moves if move.startswith("pass ")]
        hands = [set(cards).difference(*passed[n : n + 1]) for n, cards in enumerate(dealt)]
        if len(passed) == len(hands):
            for player, cards in enumerate(passed):
                hands[(player + shift) % 4] |= set(cards)
        leader = next((n for n, hand in enumerate(hands) if "2C" in hand), 0)
        played = Trick(leader).play_out(hands, moves[len(PACK) + len(passed) :])
        return HeartsDeal(dealt, len(drawn) == len(PACK), *played, shift, tuple(passed))

    def settled(self, position: Position) -> tuple[str, ...]:
        return (ENGINES[SHIFTS[self.begun(position)[0] % 4]],)

    def gained(self, position: Position) -> Sequence[int]:
        deal = self.deal(position)
        if ALL_POINTS in deal.taken and deal.is_over:
            return [ALL_POINTS - points for points in deal.taken]
        return deal.taken

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        legal = super().listing(state)
        # Where nobody passes the text of the state says so, not its number.
        passing = len(PACK) < state.move_number() < 1 + len(PACK) + PASSED * 4
        if not passing or "No Pass" in str(state).partition("\n")[0]:
            return legal
        return {
            f"pass {' '.join(cards)}": tuple(action for card in cards for action in legal[card])
            for cards in combinations(legal, PASSED)
        }

    # Moves.

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        given = _SAID["given"].fullmatch(_SAID["again"].sub(" ", tidied))
        cards = read_cards(given[1]) if given else read_played(tidied)
        said = _SAID["parted"].split(given[1]) if given and not cards else []
        if len(said) == PASSED:
            unread = [text for text in said if len(read_cards(text)) != 1]
            # One misspelt would go unsaid beside the others; the last may be a remark.
            if len(unread) == 1 and unread != said[-1:]:
                raise Unreadable("no-card", text=unread[0][:LONGEST_WORD])
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
            count = len(cards)
            why = ("too-many", {"count": count}) if count > PASSED else ("pass-three", {})
            return ("twice", {"card": twice[0]}) if twice else why
        if not deal.tricks:
            return "two-of-clubs", {}
        if deal.tricks[-1].is_complete:
            return "not-broken", {}
        led = deal.tricks[-1].led
        if cards[0][1] != led and any(held[1] == led for held in hand):
            return self.why_not_suit(deal.tricks[-1], cards[0])
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
            facts = [
                Fact("passed", {"seat": seat, "to": takers[seat]}),
                Fact("gave", {"cards": [*deal.passed[-1]], "to": takers[seat]}, frozenset({seat})),
            ]
            # Nobody is told what they get before all have passed.
            if not deal.passing:
                for giver, cards in zip(before.seats, deal.passed, strict=True):
                    taker = frozenset({takers[giver]})
                    facts.append(Fact("received", {"cards": [*cards], "giver": giver}, taker, True))
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
        target = document["options"][self.goal]
        return Sentence(stage, {"deal": document["deal"], "target": target})

    def notes(self, document: Any) -> Sequence[Sentence]:
        told = [name for name in ("gave", "received") if document[name]]
        return [Sentence(name, {"cards": document[name]}) for name in told]

    def redealt(self, position: Position, me: int, rng: Random) -> Iterable[str]:
        deal = self.deal(position)
        # Who has passed gave away three of the cards that were dealt, whichever they are.
        holders, shift = deal.holders, deal.shift if len(deal.passed) == 4 else 0
        for giver, cards in enumerate(deal.passed):
            holders |= dict.fromkeys(cards, (giver + shift) % 4)
        # What one passed is with its taker, and whoever is to lead holds the two of clubs.
        seen = [] if deal.passing or deal.tricks else ["2C"]
        seen += deal.passed[me] if shift and me >= 0 else ()
        holders, passed = deal.exchange(holders, me, rng, *seen), list[tuple[str, ...]]()
        for giver, cards in enumerate(deal.passed):
            taker = (giver + shift) % 4
            drawn = in_order(rng.sample(self.held_by(taker, holders), PASSED))
            passed.append(cards if me in {giver, taker} else tuple(drawn))
        for giver, cards in enumerate(passed):
            holders |= dict.fromkeys(cards, giver)
        yield from self.dealing(holders, range(4))
        yield from (f"pass {' '.join(cards)}" for cards in passed)
        yield from position.moves[len(PACK) + len(passed) :]


GAME: Final = Hearts("hearts")
