"""Oh hell: bid how many tricks you will take, and take no more and no fewer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from referee.games.game import (
    BadDocument,
    Board,
    Fact,
    Json,
    Option,
    Options,
    Seat,
    Sentence,
    replace,
)
from referee_classics.cards import (
    PACK,
    PLACES,
    RANK_OF,
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
)
from referee_classics.classic import Position, State, Why
from referee_classics.data import signs_by_word

EXACT: Final = 10
"""Points for as many tricks as were bid, beside one for each trick."""

_NUMBERS: Final = {
    **signs_by_word("referee_classics.cards", "numbers"),
    **{word: rank for word, rank in RANK_OF.items() if rank in "23456789"},
}
"""Numbers of tricks in words."""

_NUMBER: Final = rf"(\d{{1,2}}|{'|'.join(_NUMBERS)})"

_BID: Final = re.compile(
    rf"(?:i |ich )?(?:bid|ansage|sage|biete|reize) {_NUMBER}(?: an)?"
    rf"|{_NUMBER} (?:tricks?|stiche?n?)",
    re.IGNORECASE,
)


class OhHellDeal(Deal):
    """One deal as far as it has come; ``card`` is the one turned up, whose suit is trump."""

    dealer: int
    size: int
    card: str
    bids: tuple[int, ...]

    @property
    def by_player(self) -> dict[int, int]:
        """The bids by player."""
        return {(self.dealer + 1 + n) % len(self.hands): bid for n, bid in enumerate(self.bids)}


@lru_cache(maxsize=512)
def deal_of(dealer: int, size: int, players: int, moves: tuple[str, ...]) -> OhHellDeal:
    """Return the deal of so many cards for everybody that moves lead to."""
    drawn = [move.removeprefix("deal ") for move in moves[: size * players + 1]]
    card = drawn[-1] if len(drawn) > size * players else ""
    dealt = tuple(tuple(drawn[: size * players][player::players]) for player in range(players))
    rest = moves[len(drawn) :]
    bids = tuple(int(move.split()[1]) for move in rest if move.startswith("bid "))
    hands = [set(cards) for cards in dealt]
    first = Trick((dealer + 1) % players, (), players, card[1:])
    tricks = play_out(hands, rest[len(bids) :], first)
    held = tuple(map(frozenset, hands))
    return OhHellDeal(dealt, bool(card), held, tricks, dealer, size, card, bids)


class OhHell(CardGame):
    """Oh hell for three to seven, with a card less in every deal."""

    name = "ohhell"
    engine = "oh_hell"
    colours = ("red", "blue", "green", "yellow", "white", "orange", "purple")
    seats = range(3, 8)
    max_orders = 2000
    ends = ("played", "played")
    written = {"de": {"bid": "ansage"}}
    columns = {"bid": "bids", "won": "won", "points": "points"}
    options: Mapping[str, Option] = {
        "cards": Option(7, "cards that everybody has in the first deal", least=1, most=17),
    }

    def start(
        self, seats: Sequence[Seat], options: Options, board: Board | None = None
    ) -> Position:
        position = super().start(seats, options, board)
        position = replace(position, rules=f"oh_hell(players={len(seats)})")
        cards = int(options["cards"])
        if cards * len(seats) >= len(PACK):
            told = f"{cards} cards for each of {len(seats)} seats are too many"
            raise BadDocument("$.options.cards", told)
        if self.begun(position)[0] > cards:
            raise BadDocument("$.start", f"there are but {cards} deals")
        return position

    def deal(self, position: Position) -> OhHellDeal:
        size, dealer = map(int, self.settled(position))
        return deal_of(dealer, size, len(position.seats), position.moves)

    def settled(self, position: Position) -> tuple[str, ...]:
        number, players = self.begun(position)[0], len(position.seats)
        cards = int(dict(position.options)["cards"])
        return str(cards + 1 - number), str((number - 2) % players)

    def gained(self, position: Position) -> Sequence[int]:
        deal = self.deal(position)
        over = deal.is_dealt and deal.is_over
        return [
            won + (EXACT if over and deal.by_player.get(player) == won else 0)
            for player, won in enumerate(deal.won)
        ]

    def is_last(self, position: Position, totals: Sequence[int]) -> bool:
        return self.deal(position).size == 1

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        texts = {action: state.action_to_string(action) for action in state.legal_actions()}
        if state.is_chance_node() and state.move_number() < 2:
            return {text: (action,) for action, text in texts.items()}
        if all(text.isdigit() for text in texts.values()):
            return {f"bid {text}": (action,) for action, text in texts.items()}
        # The engine names the suit first.
        return listed(state, {text[::-1]: action for action, text in texts.items()})

    # Moves.

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        if bid := _BID.fullmatch(tidied):
            number = (bid[1] or bid[2]).casefold()
            yield f"bid {int(_NUMBERS.get(number, number))}"
        yield from super().spellings(tidied, language)

    def why_not(self, position: Position, move: str) -> Why:
        deal, players = self.deal(position), len(position.seats)
        if re.fullmatch(r"bid \d{1,2}", move):
            if len(deal.bids) == players:
                return "bid-already", {}
            bid = int(move.split()[1])
            code = "bid-sum" if bid <= deal.size else "bid-high"
            return code, {"bid": bid, "tricks": deal.size}
        if move not in PLACES:
            return super().why_not(position, move)
        if why := self.why_not_held(position, move):
            return why
        if len(deal.bids) < players:
            return "bid-first", {}
        return "follow-suit", {"suit": SIGNS[deal.tricks[-1].cards[0][1]], "card": move}

    # What happened.

    def told_deal(self, after: Position, deal: OhHellDeal) -> Fact:
        fact = super().told_deal(after, deal)
        return replace(fact, fields={**fact.fields, "cards": deal.size})

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
            "bids": {seats[player]: bid for player, bid in deal.by_player.items()},
            "won": dict(zip(seats, deal.won, strict=True)),
        }

    def stage(self, document: Any) -> Sentence:
        fields = {name: document[name] for name in ("deal", "cards", "dealer", "card")}
        return Sentence("deal" if document["card"] else "dealing", fields)

    def first(self, document: Any) -> Trick:
        return Trick(0, (), len(document["seats"]), document["card"][1:])

    def redealt(self, position: Position, me: int, rng: Random) -> Iterable[str]:
        deal, players = self.deal(position), len(position.seats)
        seen = {deal.card}.union(*(cards for n, cards in enumerate(deal.dealt) if n == me))
        seen |= {card for _, card in deal.played}
        # What is not dealt is with one player more, who may have anything.
        where = {card: n for n, cards in enumerate(deal.dealt) for card in cards}
        hidden = {card: where.get(card, players) for card in PACK if card not in seen}
        never = [*lacking(deal.tricks, players), set[str]()]
        where |= exchange(hidden, never, rng)
        hands = [
            in_order(card for card, n in where.items() if n == player) for player in range(players)
        ]
        return (*dealing(hands), *position.moves[deal.size * players :])


GAME: Final = OhHell()
