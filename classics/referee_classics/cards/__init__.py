"""Cards, as every card game here reads, writes and sorts them.

A card is two letters, its rank and its suit: ``QS``, ``TH`` for the ten. Mails show ``Q♠`` and
``10♥``, German ones ``D♠``.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final, TypeAlias

from referee.games.game import Refusal, View, replace
from referee.games.scene import Card, Cell, Face, Mark, Panel, Row, Scene, Secret, Table, Word
from referee.games.values import CHANCE, Fact, Json, Order, Seat, Sentence
from referee.value import Value
from referee_classics.above import plain_scene
from referee_classics.classic import Move, Position, State, Why
from referee_classics.data import SHARED, data, folded, patterns, signs_by_word
from referee_classics.series import Series

RANKS: Final = "AKQJT98765432"
SUITS: Final = "SHCD"
PACK: Final = tuple(f"{rank}{suit}" for suit in SUITS for rank in RANKS)
"""All cards, as a hand is sorted."""

PLACES: Final[Mapping[str, int]] = {card: place for place, card in enumerate(PACK)}

_DATA: Final = data(__name__)

# Of the words of a suit the first is its sign.
SIGNS: Final[Mapping[str, str]] = {suit: said[0] for suit, said in _DATA["suits"].items()}
SUIT_NAMES: Final[Mapping[str, Any]] = {suit: said[2] for suit, said in _DATA["suits"].items()}

RANK_OF: Final = signs_by_word(__name__, "ranks")
SUIT_OF: Final = signs_by_word(__name__, "suits")


_SAID: Final = patterns(__name__, "said")

_SIGHS: Final = frozenset({"ah", "Ah", "as", "As"})
"""Talk, though it could be an ace: that is "AH" or "play ah"; "As" is any ace of a German."""

Holders: TypeAlias = dict[str, int]
"""The players by the cards that they have."""

TRUMPING: Final = "trump "
"""Before a card of which its player says that it is a trump."""

LONGEST_HAND: Final = 400
"""Characters of cards that are read: a whole hand in words has fewer."""


@lru_cache(maxsize=2048)
def read_cards(text: str) -> tuple[str, ...]:
    """Return the cards that a text names, in any usual spelling; none if it is anything else."""
    said = " ".join(folded(text).replace("\ufe0f", "").split())
    if len(said) > LONGEST_HAND:
        return ()
    if not _SAID["several"].fullmatch(said):
        said = _SAID["close"].sub(lambda ranks: " ".join(re.findall("10|.", ranks[0])), said)
        for way in ("before", "behind"):
            said = _SAID[way].sub(_suit_by_suit, said)
    if not _SAID["several"].fullmatch(said):
        return ()
    return tuple(_read_card(written[0]) for written in _SAID["one"].finditer(said))


def _suit_by_suit(written: re.Match[str]) -> str:
    """Return several ranks of a suit, each with the suit."""
    suit, ranks = sorted(written.groups(), key=lambda group: group not in SUIT_OF)
    return ", ".join(f"{suit} {rank}" for rank in _SAID["rank"].findall(ranks))


def _read_card(text: str) -> str:
    said = _SAID["beside"].sub("", text)
    for at in range(1, len(said)):
        for rank, suit in ((said[:at], said[at:]), (said[at:], said[:at])):
            ranks = RANK_OF | {"d": "Q", "b": "J"} if suit in SUIT_OF else RANK_OF
            if rank in ranks and (of := SUIT_OF.get(suit, suit.upper())) in SIGNS:
                return f"{ranks[rank]}{of}"
    raise AssertionError(f"no card: {text!r}")


def read_played(text: str) -> tuple[str, ...]:
    """Return the cards of a line that plays them, with or without a verb."""
    return read_cards("" if text in _SIGHS else _without_verb(text))


def _without_verb(text: str) -> str:
    verb = _SAID["played"].fullmatch(text)
    return verb[1] if verb else text


def write_card(card: str, language: str) -> str:
    """Return a card as people read it: ``Q♠``."""
    return f"{write_rank(card[0], language)}{SIGNS[card[1]]}"


def write_rank(rank: str, language: str) -> str:
    """Return the letter or number of a rank in a language."""
    written: Mapping[str, str] = _DATA["written"].get(language, _DATA["written"]["en"])
    return written.get(rank, rank)


def in_order(cards: Iterable[str]) -> list[str]:
    """Return cards as a hand is sorted."""
    return sorted(cards, key=PLACES.__getitem__)


class Trick(Value):
    """A trick of so many players: the number of the one who led, and the cards in sequence."""

    leader: int
    cards: tuple[str, ...] = ()
    players: int = 4
    trump: str = ""

    @property
    def sequence(self) -> Sequence[int]:
        """The players in the sequence in which they play to it, the leader first."""
        return [(self.leader + n) % self.players for n in range(self.players)]

    def suit_of(self, card: str) -> str:
        return card[1]

    def place_of(self, card: str) -> int:
        """Return a number for a card that is lower than those of weaker cards of its suit."""
        return PLACES[card]

    @property
    def led(self) -> str:
        return self.suit_of(self.cards[0])

    @property
    def is_complete(self) -> bool:
        return len(self.cards) == len(self.sequence)

    @property
    def by_player(self) -> list[tuple[int, str]]:
        return list(zip(self.sequence, self.cards, strict=False))

    def worth(self, values: Mapping[str, int]) -> int:
        return sum(values.get(card, 0) for card in self.cards)

    @property
    def winner(self) -> int:
        """The player of the highest trump, or else of the highest card of the suit led."""
        ranked = [
            (self.suit_of(card) != self.trump, self.place_of(card), player)
            for player, card in self.by_player
            if self.suit_of(card) in {self.led, self.trump}
        ]
        return min(ranked)[-1]

    def play_out(
        self, hands: Sequence[set[str]], cards: Iterable[str]
    ) -> tuple[tuple[frozenset[str], ...], tuple[Trick, ...]]:
        """Return the hands after cards were played out of them, and the tricks, this the first."""
        tricks: list[Trick] = []
        for card in cards:
            if not tricks or tricks[-1].is_complete:
                tricks.append(replace(self, leader=tricks[-1].winner) if tricks else self)
            hands[tricks[-1].sequence[len(tricks[-1].cards)]].remove(card)
            tricks[-1] = replace(tricks[-1], cards=(*tricks[-1].cards, card))
        return tuple(map(frozenset, hands)), tuple(tricks)


class Deal(Value):
    """One deal as far as it has come: the cards of everybody, those still in the hands, the tricks.

    It is dealt when all cards are where they belong.
    """

    dealt: tuple[tuple[str, ...], ...]
    is_dealt: bool
    hands: tuple[frozenset[str], ...]
    tricks: tuple[Trick, ...]

    @property
    def is_over(self) -> bool:
        return not any(self.hands)

    @property
    def won(self) -> list[int]:
        winners = [trick.winner for trick in self.tricks if trick.is_complete]
        return [winners.count(player) for player in range(len(self.hands))]

    @property
    def holders(self) -> Holders:
        """The players by the cards that they were dealt."""
        return {card: player for player, cards in enumerate(self.dealt) for card in cards}

    @property
    def played(self) -> list[tuple[int, str]]:
        """The cards of all tricks in sequence, each with its player."""
        return [play for trick in self.tricks for play in trick.by_player]

    @property
    def lacking(self) -> defaultdict[int, set[str]]:
        """The cards that nobody who saw the tricks can take for somebody's, by player."""
        never = defaultdict[int, set[str]](set)
        for trick in self.tricks:
            of_suit = {card for card in PACK if trick.suit_of(card) == trick.led}
            for player, card in trick.by_player:
                never[player] |= of_suit if card not in of_suit else set()
        return never

    def exchange(self, holders: Holders, me: int, rng: Random, *seen: str) -> Holders:
        """Return the holders of cards dealt anew, so that a player sees the same."""
        own = (card for card, player in holders.items() if player == me)
        known = {*own, *(card for _, card in self.played), *seen}
        return exchange(holders, self.lacking, rng, known)


def exchange(holders: Holders, never: Any, rng: Random, seen: Iterable[str] = ()) -> Holders:
    """Return the holders of cards dealt anew, so that nobody gets one that they never can have.

    Those that are ``seen`` stay. Begun at the true ones, cards that several pass on in a ring lead
    nowhere that the play does not allow, and to every deal that it does.
    """
    dealt, cards = dict(holders), sorted({*holders}.difference(seen))
    most = len({holders[card] for card in cards})
    for _ in range(12 * len(cards) if most > 1 else 0):
        ring = rng.sample(cards, rng.randint(2, most))
        takers = [dealt[card] for card in (*ring[1:], ring[0])]
        if not any(card in never[taker] for card, taker in zip(ring, takers, strict=True)):
            dealt |= zip(ring, takers, strict=True)
    return dealt


class CardGame(Series):
    """A game of cards, deal after deal, most often of tricks.

    A player's number is the place of its seat. ``pack`` are the cards, as a hand is sorted, and
    ``values`` the points in them; ``places`` are where everybody's card lies on the table, row and
    column, and ``columns`` the heads of the table of seats, each with the field of a view that
    holds its numbers.
    """

    family = (__name__, SHARED)
    pack: Sequence[str] = PACK
    values: Mapping[str, int] = {}
    places: Sequence[tuple[int, int]] = [(0, player) for player in range(7)]
    columns: Mapping[str, str] = {}

    @abstractmethod
    def deal(self, position: Position) -> Any:
        """Return the deal of a position, a ``Deal``."""

    def spell(self, state: State, action: int) -> str:
        text = super().spell(state, action)
        # Some of the engine's games name the suit first.
        card = text if text in PLACES else text[::-1]
        if card not in PLACES:
            return text
        return f"deal {card}" if state.is_chance_node() else card

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        legal = super().listing(state)
        return dict(sorted(legal.items(), key=lambda named: PLACES.get(named[0][-2:], 0)))

    def hand(self, position: Position) -> frozenset[str]:
        hands: Sequence[frozenset[str]] = self.deal(position).hands
        return hands[position.seats.index(str(self.to_act(position)))]

    def seat_of(self, position: Position, player: int) -> Seat:
        return position.seats[player]

    def drawn(self, before: Position, outcome: str, after: Position) -> list[Fact]:
        deal = self.deal(after)
        if not deal.is_dealt:
            return []
        facts = [self.told_deal(after, deal)]
        for seat, hand in zip(after.seats, deal.hands, strict=True):
            facts.append(Fact("hand", {"cards": [*in_order(hand)]}, frozenset({seat})))
        return facts

    def told_deal(self, after: Position, deal: Any) -> Fact:
        """Return the fact of a deal, as everybody sees it."""
        number, seat = self.begun(after)[0], after.seats[deal.dealer]
        return Fact("dealt", {"deal": number, "card": deal.card, "seat": seat})

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        facts, deal = super().told(before, move, after), self.deal(after)
        trick = deal.tricks[-1]
        if trick.is_complete:
            points = {"points": trick.worth(self.values)} if self.values else {}
            facts.append(Fact("took", {"seat": after.seats[trick.winner], **points}))
        return [*facts, self.told_points(after)] if deal.is_over else facts

    def told_points(self, after: Position) -> Fact:
        """Return the fact of everybody's points at the end of a deal, those who lead first."""
        rows = zip(after.seats, self.gained(after), self.totals(after), strict=True)
        ranked = sorted(rows, key=lambda row: row[-1] if self.fewest else -row[-1])
        standing: list[Json] = [
            {"seat": seat, "points": points, "total": total} for seat, points, total in ranked
        ]
        return Fact("scored", {"deal": self.begun(after)[0], "standing": standing})

    def forced(self, position: Position) -> Order | None:
        # Others do not see that nothing else follows suit, but they do see that a card is the last.
        if self.to_act(position) in {None, CHANCE}:
            return None
        hand = self.hand(position)
        return Move(*hand) if len(hand) == 1 and self.orders(position) == [Move(*hand)] else None

    # Moves.

    def tidy(self, line: str) -> str:
        return " ".join(line.split())

    def read_outcome(self, tidied: str) -> str | None:
        word, _, rest = tidied.partition(" ")
        cards = read_cards(rest) if word.casefold() == "deal" else ()
        return f"deal {cards[0]}" if len(cards) == 1 else None

    def spellings(self, tidied: str, language: str) -> Iterable[str]:
        verb = TRUMPING if _SAID["trumped"].match(tidied) else ""
        named = _SAID["alone"].fullmatch(_without_verb(tidied))
        if named := named or _SAID["bare"].fullmatch(tidied):
            return (f"{verb}the {RANK_OF[folded(named[1])]}",)
        cards = read_played(tidied)
        return (f"{verb}{cards[0]}",) if len(cards) == 1 else ()

    def readings(self, position: Position, move: str) -> list[str]:
        card, tricks = move.removeprefix(TRUMPING), self.deal(position).tricks
        meant = super().readings(position, card)
        # The one card of a rank that may be played: “the queen”.
        if card.startswith("the "):
            legal = self.reached(position).legal
            meant = [other for other in legal if other in PLACES and other[0] == card[-1]]
        if card == move or not tricks:
            return meant
        return [card for card in meant if tricks[-1].suit_of(card) == tricks[-1].trump]

    def refusal(self, position: Position, order: Order) -> Refusal | None:
        refused = super().refusal(position, order)
        if not isinstance(order, Move) or refused is None or refused.code == "several":
            return refused
        card = order.move.removeprefix(TRUMPING)
        if card == order.move:
            return refused
        other = super().refusal(position, Move(card))
        # What could be played but for the verb is no trump.
        if other is None or other.code == "several":
            return replace(refused, code="no-trump", fields={"card": card})
        return other

    def to_text(self, move: str, language: str) -> str:
        named: Mapping[str, str] = _DATA["named"].get(language, _DATA["named"]["en"])
        text = super().to_text(move, language)
        text = re.sub(r"\bthe (\w)$", lambda rank: named.get(rank[1], rank[0]), text)
        write = {True: write_card, False: write_rank}
        return " ".join(write[word in PLACES](word, language) for word in text.split())

    def why_not_suit(self, trick: Trick, card: str) -> Why:
        """Return the refusal of a card of another suit than the one led, of which one has some."""
        return "follow-suit", {"suit": SIGNS[trick.led], "card": card}

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
            "points": dict(self.points(position)),
            "tricks": [
                {"leader": seats[trick.leader], "cards": [*trick.cards]} for trick in deal.tricks
            ],
            **self.seen_by_all(deal, seats),
        }
        if seat is not None and deal.is_dealt:
            player = seats.index(seat)
            document["hand"] = [*in_order(deal.hands[player])]
            document |= self.seen_by(deal, player)
        return View(seat, document)

    @abstractmethod
    def seen_by_all(self, deal: Any, seats: Sequence[Seat]) -> dict[str, Json]:
        """Return the fields of a view that tell everybody of a deal."""

    def seen_by(self, deal: Any, player: int) -> dict[str, Json]:
        """Return the fields of a view that tell a player alone of a deal, beside their hand."""
        return {}

    def redeal(self, position: Position, seat: Seat | None, rng: Random) -> Position:
        if self.deal(position).is_dealt:
            me = -1 if seat is None else position.seats.index(seat)
            return replace(position, moves=(*self.redealt(position, me, rng),))
        # Nobody looks at their cards before all are dealt.
        drawn = rng.sample(self.pack, len(position.moves))
        return replace(position, moves=tuple(f"deal {card}" for card in drawn))

    def held_by(self, player: int, holders: Holders) -> list[str]:
        return in_order(card for card, holder in holders.items() if holder == player)

    def dealing(self, holders: Holders, players: Iterable[int]) -> Iterator[str]:
        """Yield the moves that deal players the cards that they hold, card by card."""
        for cards in zip(*(self.held_by(player, holders) for player in players), strict=True):
            yield from (f"deal {card}" for card in cards)

    @abstractmethod
    def redealt(self, position: Position, me: int, rng: Random) -> Iterable[str]:
        """Return a position's moves, dealt anew so that this player (-1: nobody) sees the same."""

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:
        # The words of orders are the names of cards.
        return ()

    # What is seen.

    @abstractmethod
    def stage(self, document: Any) -> Sentence:
        """Return how far the deal of a view's document has come."""

    def first(self, document: Any) -> Trick:
        """Return a trick of a view's document before its first card."""
        return Trick(0)

    def notes(self, document: Any) -> Sequence[Sentence]:
        """Return further sentences, for the seat of a view's document alone."""
        return ()

    def lying(self, document: Any, trick: Trick) -> Mapping[int, str]:
        """Return the cards on the table by player: those of the trick that is played."""
        return dict(trick.by_player)

    def scene(self, view: View) -> Scene:
        document: Any = view.document
        seats, tricks = document["seats"], [self.first(document)]
        for told in document["tricks"]:
            leader, cards = seats.index(told["leader"]), tuple(told["cards"])
            tricks.append(replace(tricks[0], leader=leader, cards=cards))
        done = [trick for trick in tricks if trick.is_complete]
        lying = self.lying(document, tricks[0] if tricks[-1].is_complete else tricks[-1])
        columns = {head: document[field] for head, field in self.columns.items()}
        cells, rows, standing = {}, [], []
        for player, (seat, place) in enumerate(zip(seats, self.places, strict=False)):
            card, marks, said = lying.get(player), tuple[Mark, ...](), None
            if card is not None:
                marks, said = (mark_of(card),), Sentence("card", {"card": card})
            cells[place] = Cell(seat, *place, "table", " ", marks)
            numbers = {head: column.get(seat) for head, column in columns.items()}
            rows.append(Row((Word("seat", seat), said, *numbers.values())))
            standing.append(Sentence("standing", {"seat": seat, **numbers}))
        high, wide = (max(axis) + 1 for axis in zip(*cells, strict=True))
        panels = [Panel("deal", (self.stage(document),)), Panel("players", tuple(standing))]
        if done:
            last, plays = done[-1], list[Json]()
            plays += [{"seat": seats[player], "card": card} for player, card in last.by_player]
            fields = {"winner": seats[last.winner], "points": last.worth(self.values)}
            panels.append(Panel("last", (Sentence("last", {"plays": plays, **fields}),)))
        secrets = []
        if hand := document.get("hand"):
            notes = tuple(self.notes(document))
            panels.append(Panel("hand", (Sentence("hand", {"cards": hand}), *notes)))
            named = (Card(Sentence("card", {"card": card}), mark=mark_of(card)) for card in hand)
            secrets.append(Secret("hand", tuple(named), notes))
        heads = tuple(Word("column", head) for head in ("player", "trick", *columns))
        return plain_scene(
            [cells[place] for place in sorted(cells)], {"table": "#cfe0c3"}, lattice="table",
            row_names=("",) * high, column_names=("",) * wide, panels=tuple(panels),
            tables=(Table("players", heads, tuple(rows)),), secrets=tuple(secrets),
        )  # fmt: skip


def mark_of(card: str) -> Mark:
    """Return a card as it lies on the table."""
    rank = write_rank(card[0], "en")
    return Mark(rank, card, shape=Face(SUIT_NAMES[card[1]], rank))
