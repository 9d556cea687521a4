"""Euchre for two against two: name the trump suit, and take three of the five tricks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from referee.games.game import Fact, Json, Option, Seat, Sentence
from referee_classics.cards import (
    PACK,
    PLACES,
    SIGNS,
    SUIT_NAMES,
    SUIT_OF,
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
from referee_classics.data import data
from referee_classics.hearts import AROUND, NORTH_FIRST

DEALT: Final = 20
"""Cards in the hands of a deal; the next one is turned up, and three stay unseen."""

CARDS: Final = tuple(card for card in PACK if card[0] in "AKQJT9")

COLOURS: Final[Mapping[str, str]] = {"S": "C", "C": "S", "H": "D", "D": "H"}
"""The other suit of the same colour."""

SUITS_BY_NAME: Final[Mapping[str, str]] = {name: suit for suit, name in SUIT_NAMES.items()}

_BIDS: Final = (
    ("pass", r"(?:i\s|ich\s)?passe?"),
    ("order up", r"(?:i\s)?(?:order|pick)\s(?:it\s)?up|(?:nimm\s(?:es\s|sie\s)?auf|aufnehmen)"),
    ("alone", r"(?:i\s(?:am\s)?|ich\s)?(?:go(?:ing)?\s|play\s|spiele?\s)?(?:alone|alleine?)"),
    ("partner", r"(?:with\s(?:my\s)?|mit\s(?:meinem\s)?)?partner"),
)
_CALL: Final = re.compile(
    r"(?:(?:i\s)?(?:call|name|make\sit)|trumpf?(?:\sist)?|ich\ssage|sage?)?\s?(\S+?)(?:\san)?"
)


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
        """Return the suit that a card belongs to: trump for both bowers."""
        return self.trump if card in self.bowers else card[1]

    def place_of(self, card: str) -> int:
        """Return a number for a card that is lower than those of weaker cards of its suit."""
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
    def taken(self) -> bool:
        """Whether the card turned up went to the dealer."""
        return self.bids[-1:] == ("order up",)

    @property
    def stage(self) -> str:
        """The next thing to do: ``bid``, ``away``, ``choice`` or ``play``."""
        if not self.first.trump:
            return "bid"
        if self.taken and not self.away:
            return "away"
        return "play" if self.choice else "choice"

    @property
    def is_over(self) -> bool:
        """Whether all tricks are taken; the partner of one who is alone keeps their cards."""
        return sum(self.won) == 5


@lru_cache(maxsize=512)
def deal_of(dealer: int, moves: tuple[str, ...]) -> EuchreDeal:
    """Return the deal that moves lead to."""
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
        trump = SUITS_BY_NAME[bids[-1].removeprefix("call ")]
    choice = rest.pop(0) if rest else ""
    out = (dealer + len(bids) + 2) % 4 if choice == "alone" else -1
    leader = (dealer + 1) % 4
    first = EuchreTrick((leader + 1) % 4 if leader == out else leader, (), 4, trump, out)
    tricks = play_out(hands, rest, first)
    return EuchreDeal(
        dealt, bool(card), tuple(map(frozenset, hands)), tricks,
        dealer, card, tuple(bids), away, choice, first,
    )  # fmt: skip


class Euchre(CardGame):
    """Euchre with 24 cards; north and south play against east and west."""

    name = "euchre"
    engine = "euchre"
    colours = NORTH_FIRST
    seats = range(4, 5)
    max_orders = 5000
    ends = ("target", "target")
    options: Mapping[str, Option] = {
        "target": Option(10, "points at which the match ends", least=1, most=50),
    }

    pack, places = CARDS, AROUND
    columns = {"won": "won", "points": "points"}
    written = data(__name__)["written"]

    def deal(self, position: Position) -> EuchreDeal:
        return deal_of((self.begun(position)[0] - 1) % 4, position.moves)

    def settled(self, position: Position) -> tuple[str, ...]:
        return ("NESW"[(self.begun(position)[0] - 1) % 4],)

    def gained(self, position: Position) -> Sequence[int]:
        deal = self.deal(position)
        if deal.maker is None or not deal.is_over:
            return [0] * 4
        made = deal.won[deal.maker] + deal.won[(deal.maker + 2) % 4]
        points = (4 if deal.choice == "alone" else 2) if made == 5 else 1 if made >= 3 else 0
        return [
            points if (player - deal.maker) % 2 == 0 else 0 if points else 2 for player in range(4)
        ]

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        texts = {state.action_to_string(action): action for action in state.legal_actions()}
        if state.is_chance_node() and "N" in texts:
            return {text: (action,) for text, action in texts.items()}
        cards = {text[::-1]: action for text, action in texts.items() if text[::-1] in PLACES}
        if cards:
            return listed(state, cards)
        # Of the suits only that of the card turned up can be named before four have passed.
        ordered = len(texts) == 2 and "Pass" in texts
        known = {"Pass": "pass", "Alone": "alone", "Partner": "partner"}
        return {
            known.get(text, "order up" if ordered else f"call {text.lower()}"): (action,)
            for text, action in texts.items()
        }

    # Moves.

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        said = tidied.casefold()
        yield from (bid for bid, pattern in _BIDS if re.fullmatch(pattern, said))
        called = _CALL.fullmatch(said)
        if called and len(called[1]) > 1 and called[1] in SUIT_OF:
            yield f"call {SUIT_NAMES[SUIT_OF[called[1]]]}"
        yield from super().spellings(tidied, language)

    def readings(self, position: Position, move: str) -> list[str]:
        deal = self.deal(position)
        named = deal.card and move == f"call {SUIT_NAMES[deal.card[1]]}"
        return super().readings(position, "order up" if named and len(deal.bids) < 4 else move)

    def why_not(self, position: Position, move: str) -> Why:
        deal = self.deal(position)
        fields: dict[str, Json] = {"card": deal.card, "move": move}
        if move not in PLACES:
            if deal.stage != "bid":
                return f"{deal.stage}-now", fields
            if move == "pass":
                return "stuck", {}
            if move in {"alone", "partner"}:
                return "bid-now", fields
            return ("turned-up" if len(deal.bids) < 4 else "turned-down"), fields
        if why := self.why_not_held(position, move):
            return why
        if deal.stage in {"bid", "choice"}:
            return f"{deal.stage}-now", fields
        if deal.stage == "away":
            return "kept", fields
        return "follow-suit", {"suit": SIGNS[deal.tricks[-1].led], "card": move}

    # What happened.

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        seat, deal = str(self.to_act(before)), self.deal(after)
        stage = self.deal(before).stage
        if stage == "bid":
            fields: dict[str, Json] = {"seat": seat}
            if move.startswith("call "):
                return [Fact("called", fields | {"suit": SIGNS[deal.first.trump]})]
            return [Fact("bid-pass" if move == "pass" else "ordered", fields)]
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
            named = {"seat": maker, "suit": suit, "alone": alone, "deal": document["deal"]}
            return Sentence("maker", named)
        stage = "dealing" if not document["card"] else "up" if len(document["bids"]) < 4 else "down"
        return Sentence(stage, {name: document[name] for name in ("deal", "dealer", "card")})

    def first(self, document: Any) -> Trick:
        return EuchreTrick(0, (), 4, document["trump"], document["out"])

    def notes(self, document: Any) -> Sequence[Sentence]:
        return [Sentence("away", {"card": document["away"]})] if document["away"] else []

    def redealt(self, position: Position, me: int, rng: Random) -> Iterable[str]:
        deal = self.deal(position)
        # What nobody was dealt is with one player more, and what was put away with another.
        unseen, away = 4, 5
        where = {card: player for player, hand in enumerate(deal.hands) for card in hand}
        if deal.away:
            where[deal.away] = away
        played = {card for _, card in deal.played}
        for card in CARDS:
            if card not in played and card != deal.card:
                where.setdefault(card, unseen)
        never = [*lacking(deal.tricks, 4), set[str](), set[str]()]
        for player in range(6):
            # The card turned up is with the dealer, who may not put it away, or turned down.
            never[player] |= set() if player == deal.dealer else {deal.card}
        own = {me, away} if me == deal.dealer else {me}
        hidden = {card: player for card, player in where.items() if player not in own}
        where |= exchange(hidden, never, rng)
        hands = [{card for card, n in where.items() if n == player} for player in range(4)]
        for player, card in deal.played:
            hands[player].add(card)
        rest = [*position.moves[DEALT + 1 :]]
        if deal.taken:
            put = [card for card, player in where.items() if player == away]
            hands[deal.dealer] = (hands[deal.dealer] | {*put}) - {deal.card}
            rest[len(deal.bids) : len(deal.bids) + len(put)] = put
        sequence = [in_order(hands[(deal.dealer + n) % 4]) for n in range(4)]
        return (*dealing(sequence), f"deal {deal.card}", *rest)


GAME: Final = Euchre()
