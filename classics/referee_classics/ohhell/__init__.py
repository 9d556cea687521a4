"""Oh hell: bid how many tricks you will take, and take no more and no fewer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
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
    Scene,
    Seat,
    Sentence,
    Value,
    View,
    replace,
)
from referee_classics.cards import (
    PACK,
    PLACES,
    SIGNS,
    CardGame,
    Trick,
    dealing,
    exchange,
    in_order,
    lacking,
    play_out,
    read_played,
    table_scene,
    told_trick,
)
from referee_classics.classic import Why
from referee_classics.engine import State
from referee_classics.position import Position

EXACT: Final = 10
"""Points for as many tricks as were bid, beside one for each trick."""

_BID: Final = re.compile(
    r"(?:i |ich )?(?:bid|ansage|sage|biete|reize) (\d{1,2})(?: an)?"
    r"|(\d{1,2}) (?:tricks?|stiche?)",
    re.IGNORECASE,
)


class Deal(Value):
    """One deal as far as it has come; ``card`` is the one turned up, whose suit is trump."""

    dealer: int
    size: int
    dealt: tuple[tuple[str, ...], ...]
    card: str
    bids: tuple[int, ...]
    hands: tuple[frozenset[str], ...]
    tricks: tuple[Trick, ...]

    @property
    def by_player(self) -> dict[int, int]:
        """The bids by player."""
        return {(self.dealer + 1 + n) % len(self.hands): bid for n, bid in enumerate(self.bids)}

    @property
    def won(self) -> list[int]:
        """How many tricks everybody has taken."""
        winners = [trick.winner for trick in self.tricks if trick.is_complete]
        return [winners.count(player) for player in range(len(self.hands))]


@lru_cache(maxsize=512)
def deal_of(dealer: int, size: int, players: int, moves: tuple[str, ...]) -> Deal:
    """Return the deal of so many cards for everybody that moves lead to."""
    drawn = [move.removeprefix("deal ") for move in moves[: size * players + 1]]
    card = drawn[-1] if len(drawn) > size * players else ""
    dealt = tuple(tuple(drawn[: size * players][player::players]) for player in range(players))
    rest = moves[len(drawn) :]
    bids = tuple(int(move.split()[1]) for move in rest if move.startswith("bid "))
    hands = [set(cards) for cards in dealt]
    first = Trick((dealer + 1) % players, (), players, card[1:])
    tricks = play_out(hands, rest[len(bids) :], first)
    return Deal(dealer, size, dealt, card, bids, tuple(map(frozenset, hands)), tricks)


class OhHell(CardGame):
    """Oh hell for three to seven, with a card less in every deal."""

    name = "ohhell"
    engine = "oh_hell"
    colours = ("red", "blue", "green", "yellow", "white", "orange", "purple")
    seats = range(3, 8)
    max_orders = 2000
    endings = frozenset({"played"})
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

    def deal(self, position: Position) -> Deal:
        """Return the deal of a position."""
        size, dealer = map(int, self.settled(position))
        return deal_of(dealer, size, len(position.seats), position.moves)

    def settled(self, position: Position) -> tuple[str, ...]:
        number, players = self.begun(position)[0], len(position.seats)
        cards = int(dict(position.options)["cards"])
        return str(cards + 1 - number), str((number - 2) % players)

    def gained(self, position: Position) -> Sequence[int]:
        deal = self.deal(position)
        over = bool(deal.card) and not any(deal.hands)
        return [
            won + (EXACT if over and deal.by_player.get(player) == won else 0)
            for player, won in enumerate(deal.won)
        ]

    def is_last(self, position: Position, totals: Sequence[int]) -> bool:
        return self.deal(position).size == 1

    def ending(self, position: Position) -> str:
        return "played"

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        texts = {action: state.action_to_string(action) for action in state.legal_actions()}
        if state.is_chance_node() and state.move_number() < 2:
            return {text: (action,) for action, text in texts.items()}
        if all(text.isdigit() for text in texts.values()):
            return {f"bid {text}": (action,) for action, text in texts.items()}
        # The engine names the suit first.
        cards = {text[::-1]: action for action, text in texts.items()}
        word = "deal " if state.is_chance_node() else ""
        return {f"{word}{card}": (cards[card],) for card in in_order(cards)}

    # Moves.

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        if bid := _BID.fullmatch(tidied):
            yield f"bid {int(bid[1] or bid[2])}"
        cards = read_played(tidied)
        if len(cards) == 1:
            yield cards[0]

    def to_text(self, move: str, language: str) -> str:
        word, _, number = move.partition(" ")
        if word == "bid":
            return f"ansage {number}" if language == "de" else move
        return super().to_text(move, language)

    def why_not(self, position: Position, move: str) -> Why:
        deal, players = self.deal(position), len(position.seats)
        hand = deal.hands[position.seats.index(str(self.to_act(position)))]
        if re.fullmatch(r"bid \d{1,2}", move):
            if len(deal.bids) == players:
                return "bid-already", {}
            bid = int(move.split()[1])
            code = "bid-sum" if bid <= deal.size else "bid-high"
            return code, {"bid": bid, "tricks": deal.size}
        if move not in PLACES:
            return super().why_not(position, move)
        if move not in hand:
            return "not-held", {"card": move}
        if len(deal.bids) < players:
            return "bid-first", {}
        return "follow-suit", {"suit": SIGNS[deal.tricks[-1].cards[0][1]], "card": move}

    # What happened.

    def drawn(self, before: Position, outcome: str, after: Position) -> list[Fact]:
        deal = self.deal(after)
        if not deal.card:
            return []
        fields: dict[str, Json] = {
            "deal": self.begun(after)[0], "cards": deal.size, "card": deal.card,
            "seat": after.seats[deal.dealer],
        }  # fmt: skip
        return [Fact("dealt", fields), *self.told_hands(after, deal.hands)]

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        seat, deal = str(self.to_act(before)), self.deal(after)
        if move.startswith("bid "):
            return [Fact("bid", {"seat": seat, "bid": deal.bids[-1]})]
        facts = [self.told_card(before, move)]
        if deal.tricks[-1].is_complete:
            facts.append(Fact("took", {"seat": after.seats[deal.tricks[-1].winner]}))
        return facts if any(deal.hands) else [*facts, self.told_points(after)]

    # What a seat may know.

    def view(self, position: Position, seat: Seat | None) -> View:
        deal, seats = self.deal(position), position.seats
        document: dict[str, Json] = {
            "game": self.name,
            "edition": self.edition,
            "options": dict(position.options),
            "seats": [*seats],
            "to_act": self.to_act(position),
            "deal": self.begun(position)[0],
            "cards": deal.size,
            "dealer": seats[deal.dealer],
            "card": deal.card,
            "bids": {seats[player]: bid for player, bid in deal.by_player.items()},
            "won": dict(zip(seats, deal.won, strict=True)),
            "points": dict(self.points(position)),
            "tricks": [told_trick(trick, seats) for trick in deal.tricks],
        }
        if seat is not None and deal.card:
            document["hand"] = [*in_order(deal.hands[seats.index(seat)])]
        return View(seat, document)

    def scene(self, view: View) -> Scene:
        document: Any = view.document
        fields = {name: document[name] for name in ("deal", "cards", "dealer", "card")}
        deal = Sentence("deal" if document["card"] else "dealing", fields)
        columns = {"bid": document["bids"], "won": document["won"], "points": document["points"]}
        row = [(0, player) for player in range(len(document["seats"]))]
        first = Trick(0, (), len(row), document["card"][1:])
        return table_scene(document, row, columns, [deal], {}, first)

    def redeal(self, position: Position, seat: Seat | None, rng: Random) -> Position:
        deal, players = self.deal(position), len(position.seats)
        me = -1 if seat is None else position.seats.index(seat)
        if not deal.card:
            # Nobody looks at their cards before all are dealt.
            drawn = rng.sample(PACK, len(position.moves))
            return replace(position, moves=tuple(f"deal {card}" for card in drawn))
        seen = {deal.card}.union(*(cards for n, cards in enumerate(deal.dealt) if n == me))
        seen |= {card for trick in deal.tricks for card in trick.cards}
        # What is not dealt is with one player more, who may have anything.
        where = {card: n for n, cards in enumerate(deal.dealt) for card in cards}
        hidden = {card: where.get(card, players) for card in PACK if card not in seen}
        never = [*lacking(deal.tricks, players), set[str]()]
        where |= exchange(hidden, never, rng)
        hands = [
            in_order(card for card, n in where.items() if n == player) for player in range(players)
        ]
        rest = position.moves[deal.size * players :]
        return replace(position, moves=(*dealing(hands), *rest))


GAME: Final = OhHell()
