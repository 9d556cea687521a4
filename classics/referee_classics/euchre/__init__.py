"""Euchre for two against two: name the trump suit, and take three of the five tricks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from referee.games.game import Fact, Json, Seat, Sentence
from referee.games.notation import bare
from referee_classics.cards import PLACES, SIGNS, SUIT_NAMES, SUIT_OF, CardGame, Deal, Trick
from referee_classics.classic import Position, State, Why
from referee_classics.data import patterns

DEALT: Final = 20
"""Cards in the hands of a deal; the next one is turned up, and three stay unseen."""

COLOURS: Final[Mapping[str, str]] = {"S": "C", "C": "S", "H": "D", "D": "H"}
"""The other suit of the same colour."""

_BIDS: Final = patterns(__name__, "bids")
_CALLS: Final = patterns(__name__, "call")


class EuchreTrick(Trick):
    """A trick in which jacks are the highest trumps; ``out`` is the partner of one who is alone."""

    out: int = -1

    @property
    def sequence(self) -> Sequence[int]:
        """The players in sequence, without the partner of one who plays alone."""
        return [player for player in super().sequence if player != self.out]

    @property
    def bowers(self) -> tuple[str, ...]:
        """The jack of trumps and that of the other suit of its colour, the highest first."""
        return (f"J{self.trump}", f"J{COLOURS[self.trump]}") if self.trump else ()

    def suit_of(self, card: str) -> str:
        return self.trump if card in self.bowers else card[1]

    def place_of(self, card: str) -> int:
        return self.bowers.index(card) - 2 if card in self.bowers else PLACES[card]


class EuchreDeal(Deal):
    """One deal as far as it has come.

    ``card`` is the one turned up, ``maker`` whoever named trumps, ``away`` what the dealer put away
    for it, and ``choice`` whether the maker plays alone, once that is said.
    """

    dealer: int
    card: str
    bids: tuple[str, ...]
    away: str
    choice: str
    first: EuchreTrick

    @property
    def maker(self) -> int | None:
        """The player who named trumps, if somebody has."""
        return (self.dealer + len(self.bids)) % 4 if self.first.trump else None

    @property
    def stage(self) -> str:
        """The next thing to do: ``bid``, ``away``, ``choice`` or ``play``."""
        if not self.first.trump:
            return "bid"
        # The card that was turned up went to the dealer.
        if self.bids[-1] == "order up" and not self.away:
            return "away"
        return "play" if self.choice else "choice"

    @property
    def is_over(self) -> bool:
        """Whether all tricks are taken; the partner of one who is alone keeps their cards."""
        return sum(self.won) == 5


class Euchre(CardGame):
    """Euchre with 24 cards; north and south play against east and west."""

    seats = range(4, 5)
    pack = tuple(card for card in PLACES if card[0] in "AKQJT9")

    @lru_cache(maxsize=512)  # noqa: B019 - a game lives as long as the program
    def deal(self, position: Position) -> EuchreDeal:
        dealer, moves = (self.begun(position)[0] - 1) % 4, position.moves
        drawn = [move.removeprefix("deal ") for move in moves[: DEALT + 1]]
        card = drawn[DEALT] if len(drawn) > DEALT else ""
        # The engine begins with the dealer.
        dealt = tuple(tuple(drawn[:DEALT][(player - dealer) % 4 :: 4]) for player in range(4))
        rest = [*moves[DEALT + 1 :]]
        bids: list[str] = []
        while rest and bids[-1:] in ([], ["pass"]):
            bids.append(rest.pop(0))
        hands, trump, away = [set(cards) for cards in dealt], "", ""
        if bids[-1:] == ["order up"]:
            trump = card[1]
            hands[dealer].add(card)
            if rest:
                away = rest.pop(0)
                hands[dealer].remove(away)
        elif bids and bids[-1] != "pass":
            trump = SUIT_OF[bids[-1].removeprefix("call ")]
        choice = rest.pop(0) if rest else ""
        out = (dealer + len(bids) + 2) % 4 if choice == "alone" else -1
        leader = (dealer + 1) % 4
        first = EuchreTrick((leader + 1) % 4 if leader == out else leader, (), 4, trump, out)
        table = dealt, bool(card), *first.play_out(hands, rest)
        return EuchreDeal(*table, dealer, card, tuple(bids), away, choice, first)

    def settled(self, position: Position) -> tuple[str, ...]:
        return ("NESW"[(self.begun(position)[0] - 1) % 4],)

    def gained(self, position: Position) -> Sequence[int]:
        deal = self.deal(position)
        if deal.maker is None or not deal.is_over:
            return [0] * 4
        made = deal.won[deal.maker] + deal.won[(deal.maker + 2) % 4]
        points = (4 if deal.choice == "alone" else 2) if made == 5 else 1 if made >= 3 else 0
        defended = 0 if points else 2
        return [points if n % 2 == deal.maker % 2 else defended for n in range(4)]

    def spell(self, state: State, action: int) -> str:
        text = super().spell(state, action)
        if text[-2:] in PLACES or state.is_chance_node():
            return text
        if text in {"Pass", "Alone", "Partner"}:
            return text.lower()
        # Of the suits only that of the card turned up can be named before four have passed.
        return "order up" if len(state.legal_actions()) == 2 else f"call {text.lower()}"

    # Moves.

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        said = tidied.casefold()
        yield from (bid for bid, pattern in _BIDS.items() if pattern.fullmatch(said))
        called = _CALLS["call"].fullmatch(said)
        # A letter or a sign alone names nothing.
        if called and called[1] in SUIT_OF and (len(called[1]) > 1 or said != called[1]):
            yield f"call {SUIT_NAMES[SUIT_OF[called[1]]]}"
        yield from super().spellings(tidied, language)

    def parts(self, line: str) -> list[str]:
        """Return a line that names trumps and says “alone” as lines of one each."""
        both = _CALLS["both"].fullmatch(bare(line))
        bids = [*self.spellings(self.tidy(both[1]), "en")] if both else []
        names = any(bid == "order up" or bid.startswith("call ") for bid in bids)
        return [*both.groups()] if both and names else [line]

    def interrupted(self, position: Position) -> Seat | None:
        # Whoever ordered the card up may say that they are alone before the dealer put one away.
        deal = self.deal(position)
        maker = deal.maker if deal.stage == "away" else None
        return None if maker is None or maker == deal.dealer else position.seats[maker]

    def readings(self, position: Position, move: str) -> list[str]:
        deal = self.deal(position)
        named = deal.card and move == f"call {SUIT_NAMES[deal.card[1]]}"
        return super().readings(position, "order up" if named and len(deal.bids) < 4 else move)

    def why_not(self, position: Position, move: str) -> Why:
        deal = self.deal(position)
        fields = {"card": deal.card, "move": move}
        if move not in PLACES:
            if deal.stage != "bid":
                return f"{deal.stage}-now", fields
            if move == "pass":
                return "stuck", {}
            if move in {"alone", "partner"}:
                return "bid-now", fields
            return ("turned-up" if len(deal.bids) < 4 else "turned-down"), fields
        if move not in self.hand(position):
            return "not-held", {"card": move}
        if deal.stage in {"bid", "choice"}:
            return f"{deal.stage}-now", fields
        if deal.stage == "away":
            return "kept", fields
        trick, hand = deal.tricks[-1], self.hand(position)
        left = deal.first.bowers[-1]
        following = {card for card in hand if trick.suit_of(card) == trick.led}
        if left == move or {left} == following:
            suits = {"trump": SIGNS[trick.trump], "suit": SIGNS[trick.led]}
            return "left-bower", {"card": left, **suits}
        return self.why_not_suit(trick, move)

    # What happened.

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        seat, stage, deal = str(self.to_act(before)), self.deal(before).stage, self.deal(after)
        if stage == "bid":
            if move.startswith("call "):
                return [Fact("called", {"seat": seat, "suit": SIGNS[deal.first.trump]})]
            return [Fact("bid-pass" if move == "pass" else "ordered", {"seat": seat})]
        if stage == "away":
            told = Fact("put-away", {"card": move}, frozenset({seat}))
            return [Fact("exchanged", {"seat": seat, "card": deal.card}), told]
        if stage == "choice":
            return [Fact(move, {"seat": seat})]
        return super().told(before, move, after)

    # What a seat may know.

    def seen_by_all(self, deal: EuchreDeal, seats: Sequence[Seat]) -> dict[str, Json]:
        return {
            "dealer": seats[deal.dealer],
            "card": deal.card,
            "bids": [*deal.bids],
            "maker": None if deal.maker is None else seats[deal.maker],
            "trump": deal.first.trump,
            "choice": deal.choice,
            "out": deal.first.out,
            "exchanged": bool(deal.away),
            "won": dict(zip(seats, deal.won, strict=True)),
        }

    def seen_by(self, deal: EuchreDeal, player: int) -> dict[str, Json]:
        return {"away": deal.away if player == deal.dealer else ""}

    def stage(self, document: Any) -> Sentence:
        if (maker := document["maker"]) is not None:
            suit, alone = SIGNS[document["trump"]], document["choice"] == "alone"
            told = {name: document[name] for name in ("deal", "dealer", "card")}
            takes_up = document["bids"][-1] == "order up" and not document["exchanged"]
            stage = "away" if takes_up else "play" if document["choice"] else "choice"
            told |= {"seat": maker, "suit": suit, "alone": alone, "stage": stage}
            return Sentence("maker", told)
        stage = "dealing" if not document["card"] else "up" if len(document["bids"]) < 4 else "down"
        return Sentence(stage, {name: document[name] for name in ("deal", "dealer", "card")})

    def first(self, document: Any) -> Trick:
        return EuchreTrick(0, (), 4, document["trump"], document["out"])

    def notes(self, document: Any) -> Sequence[Sentence]:
        away = [Sentence("away", {"card": document["away"]})] if document["away"] else []
        trump, suit_of = document["trump"], self.first(document).suit_of
        left = [card for card in document["hand"] if suit_of(card) != card[1]]
        return [*away, *(Sentence("left-bower", {"card": c, "trump": SIGNS[trump]}) for c in left)]

    def redealt(self, position: Position, me: int, rng: Random) -> Iterable[str]:
        deal = self.deal(position)
        # What nobody was dealt is with one player more, and what was put away with another.
        unseen, away = 4, 5
        holders = dict.fromkeys(self.pack, unseen) | deal.holders
        holders |= {deal.away: away} if deal.away else {}
        put = [deal.away] if me == deal.dealer else []
        holders = deal.exchange(holders, me, rng, deal.card, *put)
        rest = [*position.moves[DEALT + 1 :]]
        for card in self.held_by(away, holders):
            holders[card] = deal.dealer
            rest[len(deal.bids)] = card
        players = [(deal.dealer + n) % 4 for n in range(4)]
        return (*self.dealing(holders, players), f"deal {deal.card}", *rest)


GAME: Final = Euchre("euchre")
