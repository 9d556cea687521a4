"""Oh hell: bid how many tricks you will take, and take no more and no fewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from referee.games.game import BadDocument, Fact, Json, Seat, Sentence
from referee_classics.cards import PACK, PLACES, CardGame, Deal, Trick
from referee_classics.classic import Position, State, Why
from referee_classics.data import folded, patterns, signs_by_word

_NUMBERS: Final = signs_by_word(__name__, "numbers") | signs_by_word(__name__, "articles")
_BID: Final = patterns(__name__, "said")["bid"]


class OhHellDeal(Deal):
    """One deal as far as it has come; ``card`` is the one turned up, whose suit is trump."""

    dealer: int
    size: int
    card: str
    bids: tuple[int, ...]

    @property
    def bids_by_player(self) -> dict[int, int]:
        return {(self.dealer + 1 + n) % len(self.hands): bid for n, bid in enumerate(self.bids)}


class OhHell(CardGame):
    """Oh hell for three to seven, with a card less in every deal."""

    seats = range(3, 8)

    def check_start(self, position: Position) -> None:
        super().check_start(position)
        cards, seats = int(dict(position.options)["cards"]), len(position.seats)
        if cards * seats >= len(PACK):
            told = f"{cards} cards for each of {seats} seats are too many"
            raise BadDocument("$.options.cards", told)
        if self.begun(position)[0] > cards:
            raise BadDocument("$.start", f"there are but {cards} deals")

    @lru_cache(maxsize=512)  # noqa: B019 - a game lives as long as the program
    def deal(self, position: Position) -> OhHellDeal:
        size, dealer = map(int, self.settled(position))
        players, moves = len(position.seats), position.moves
        drawn = [move.removeprefix("deal ") for move in moves[: size * players + 1]]
        card = drawn[-1] if len(drawn) > size * players else ""
        dealt = tuple(tuple(drawn[: size * players][player::players]) for player in range(players))
        rest = moves[len(drawn) :]
        bids = tuple(int(move.split()[1]) for move in rest if move.startswith("bid "))
        hands = [set(cards) for cards in dealt]
        opening = Trick((dealer + 1) % players, (), players, card[1:])
        played = opening.play_out(hands, rest[len(bids) :])
        return OhHellDeal(dealt, bool(card), *played, dealer, size, card, bids)

    def settled(self, position: Position) -> tuple[str, ...]:
        number, players = self.begun(position)[0], len(position.seats)
        cards = int(dict(position.options)["cards"])
        return str(cards + 1 - number), str((number - 2) % players)

    def gained(self, position: Position) -> Sequence[int]:
        deal = self.deal(position)
        over = deal.is_dealt and deal.is_over
        # Ten for as many tricks as were bid, beside one for each.
        bids = deal.bids_by_player
        met = [over and bids.get(player) == won for player, won in enumerate(deal.won)]
        return [won + 10 * bonus for won, bonus in zip(deal.won, met, strict=True)]

    def is_last(self, position: Position, totals: Sequence[int]) -> bool:
        return self.deal(position).size == 1

    def spell(self, state: State, action: int) -> str:
        text = super().spell(state, action)
        return f"bid {text}" if text.isdigit() and not state.is_chance_node() else text

    # Moves.

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        if bid := _BID.fullmatch(tidied):
            number = folded(next(filter(None, bid.groups())))
            yield f"bid {int(_NUMBERS.get(number, number))}"
        yield from super().spellings(tidied, language)

    def why_not(self, position: Position, move: str) -> Why:
        deal, players = self.deal(position), len(position.seats)
        if move.startswith("bid "):
            if len(deal.bids) == players:
                return "bid-already", {}
            bid = int(move.split()[1])
            code = "bid-sum" if bid <= deal.size else "bid-high"
            return code, {"bid": bid, "tricks": deal.size}
        if move not in PLACES:
            return super().why_not(position, move)
        if move not in self.hand(position):
            return "not-held", {"card": move}
        if len(deal.bids) < players:
            return "bid-first", {}
        return self.why_not_suit(deal.tricks[-1], move)

    # What happened.

    def told_deal(self, after: Position, deal: OhHellDeal) -> Fact:
        return Fact("dealt", {**super().told_deal(after, deal).fields, "cards": deal.size})

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        if move.startswith("bid "):
            return [Fact("bid", {"seat": self.to_act(before), "bid": self.deal(after).bids[-1]})]
        return super().told(before, move, after)

    # What a seat may know.

    def seen_by_all(self, deal: OhHellDeal, seats: Sequence[Seat]) -> dict[str, Json]:
        return {
            "cards": deal.size,
            "dealer": seats[deal.dealer],
            "card": deal.card,
            "bids": {seats[player]: bid for player, bid in deal.bids_by_player.items()},
            "won": dict(zip(seats, deal.won, strict=True)),
        }

    def stage(self, document: Any) -> Sentence:
        fields = {name: document[name] for name in ("deal", "cards", "dealer", "card")}
        return Sentence("deal" if document["card"] else "dealing", fields)

    def first(self, document: Any) -> Trick:
        return Trick(0, (), len(document["seats"]), document["card"][1:])

    def redealt(self, position: Position, me: int, rng: Random) -> Iterable[str]:
        deal, players = self.deal(position), len(position.seats)
        # What is not dealt is with one player more, who may have anything.
        holders = dict.fromkeys(PACK, players) | deal.holders
        holders = deal.exchange(holders, me, rng, deal.card)
        return (*self.dealing(holders, range(players)), *position.moves[deal.size * players :])


GAME: Final = OhHell("ohhell")
