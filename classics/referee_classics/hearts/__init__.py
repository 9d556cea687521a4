"""Hearts for four, deal after deal until somebody has as many points as were agreed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Final

from referee.games.documents import Node
from referee.games.game import (
    Board,
    Cell,
    Fact,
    Json,
    Option,
    Order,
    Panel,
    Result,
    Row,
    Scene,
    Seat,
    Sentence,
    Table,
    Value,
    View,
    Word,
    replace,
)
from referee_classics.cards import (
    PACK,
    SIGHS,
    SIGNS,
    Trick,
    card_on_table,
    hand_of,
    in_order,
    read_cards,
    said_card,
    write_card,
)
from referee_classics.classic import Classic
from referee_classics.engine import Reached, State, reach
from referee_classics.position import Move, Position

NORTH_FIRST: Final = ("north", "east", "south", "west")

SHIFTS: Final = (0, 1, 3, 2)
"""How many places on the passed cards go, by the number of the deal: to the left, to the right,
across, and every fourth deal not at all."""

ENGINES: Final[Mapping[int, str]] = {0: "No Pass", 1: "Left", 2: "Across", 3: "Right"}
"""What the engine calls them."""

WAYS: Final[Mapping[int, str]] = {0: "hold", 1: "left", 2: "across", 3: "right"}

FIRST: Final = "1 0 0 0 0"
"""The first deal's number, and everybody's points before it."""

PASSED: Final = 3
"""Cards that everybody passes."""

POINTS: Final[Mapping[str, int]] = {
    card: 13 if card == "QS" else 1 for card in PACK if card == "QS" or card[1] == "H"
}
ALL_POINTS: Final = sum(POINTS.values())

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"pass": "pass", "play": "play"},
    "de": {"pass": "schiebe", "play": "spiele"},
}
_KEYWORD: Final = re.compile(
    r"(?:ich\s|i\s)?(?:(?P<pass>pass|give|schiebe?|gib|gebe?)|(?:play|spiele?|lege?))\s+(?P<rest>.+)",
    re.IGNORECASE,
)


class Deal(Value):
    """One deal as far as it has come. Players are numbers from north, in the order of play.

    ``dealt`` and ``hands`` are their cards as dealt and now, ``passed`` what those who have passed
    gave away, ``tricks`` all of them, the last one perhaps in progress.
    """

    number: int
    before: tuple[int, ...]
    dealt: tuple[tuple[str, ...], ...]
    passed: tuple[tuple[str, ...], ...]
    hands: tuple[frozenset[str], ...]
    tricks: tuple[Trick, ...]

    @property
    def shift(self) -> int:
        """How many places on the passed cards go."""
        return SHIFTS[self.number % 4]

    @property
    def is_dealt(self) -> bool:
        """Whether all cards are in the hands."""
        return sum(map(len, self.dealt)) == len(PACK)

    @property
    def passing(self) -> bool:
        """Whether somebody is still to pass."""
        return self.is_dealt and bool(self.shift) and len(self.passed) < len(NORTH_FIRST)

    @property
    def is_over(self) -> bool:
        """Whether all cards are played."""
        return self.is_dealt and not any(self.hands)

    @property
    def done(self) -> list[Trick]:
        """The complete tricks."""
        return [trick for trick in self.tricks if trick.is_complete]

    @property
    def table(self) -> Trick | None:
        """The trick in progress, if any."""
        return self.tricks[-1] if self.tricks and not self.tricks[-1].is_complete else None

    @property
    def broken(self) -> bool:
        """Whether a heart was played."""
        return any(card[1] == "H" for trick in self.tricks for card in trick.cards)

    @property
    def taken(self) -> list[int]:
        """The points that everybody has taken."""
        points = [0] * len(NORTH_FIRST)
        for trick in self.done:
            points[trick.winner] += sum(map(value_of, trick.cards))
        return points

    @property
    def scores(self) -> list[int]:
        """The points that everybody gets for the deal: at its end all go to the others of one."""
        taken = self.taken
        if self.is_over and ALL_POINTS in taken:
            return [ALL_POINTS - points for points in taken]
        return taken


def value_of(card: str) -> int:
    """Return the points of a card."""
    return POINTS.get(card, 0)


@lru_cache(maxsize=512)
def deal_of(start: str, moves: tuple[str, ...]) -> Deal:
    """Return the deal that moves lead to."""
    number, *before = map(int, (start or FIRST).split())
    drawn = [move.removeprefix("deal ") for move in moves[: len(PACK)]]
    dealt = tuple(tuple(drawn[player::4]) for player in range(4))
    hands, passed, tricks = [set(cards) for cards in dealt], list[tuple[str, ...]](), list[Trick]()
    for move in moves[len(PACK) :]:
        if move.startswith("pass "):
            passed.append(tuple(move.split()[1:]))
            hands[len(passed) - 1] -= set(passed[-1])
            if len(passed) == len(hands):
                for player, cards in enumerate(passed):
                    hands[(player + SHIFTS[number % 4]) % 4] |= set(cards)
            continue
        if not tricks:
            tricks.append(Trick(next(n for n, hand in enumerate(hands) if "2C" in hand)))
        elif tricks[-1].is_complete:
            tricks.append(Trick(tricks[-1].winner))
        trick = tricks[-1]
        hands[trick.player].remove(move)
        tricks[-1] = Trick(trick.leader, (*trick.cards, move))
    frozen = tuple(frozenset(hand) for hand in hands)
    return Deal(number, tuple(before), dealt, tuple(passed), frozen, tuple(tricks))


class Hearts(Classic):
    """Hearts: four play for themselves, and whoever has fewest points wins."""

    name = "hearts"
    engine = "hearts(qs_breaks_hearts=false)"
    colours = NORTH_FIRST
    seats = range(4, 5)
    players: Mapping[Seat, int] = {seat: number for number, seat in enumerate(NORTH_FIRST)}
    max_orders = 20000
    endings = frozenset({"target"})
    options: Mapping[str, Option] = {
        "target": Option(100, "points at which the last deal ends", least=1, most=500),
    }
    draws = False
    scored = True
    fewest = True

    # The engine plays one deal; those before it are the start.

    def reached(self, position: Position) -> Reached:
        number = int((position.start or FIRST).split()[0])
        way = ENGINES[SHIFTS[number % 4]]
        return reach(position.rules, "", (way, *position.moves), self.listing)

    def deal(self, position: Position) -> Deal:
        """Return the deal of a position."""
        return deal_of(position.start, position.moves)

    def read_board(self, board: Json) -> Board:
        members = Node(board).fields((), ("start",))
        if "start" not in members or not members["start"].text():
            return {}
        start = members["start"].text()
        if not re.fullmatch(r"[1-9]\d{0,2}( (0|[1-9]\d{0,2})){4}", start):
            told = "the number of the deal and the points of north, east, south and west"
            members["start"].fail(f"must be {told}, such as '4 20 0 33 25'")
        return {"start": start}

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        actions = {state.action_to_string(action): action for action in state.legal_actions()}
        if state.is_chance_node():
            if state.move_number() == 0:
                return {text: (action,) for text, action in actions.items()}
            return {f"deal {card}": (action,) for card, action in actions.items()}
        passing = state.move_number() < 1 + len(PACK) + PASSED * len(NORTH_FIRST)
        # Where nobody passes the text of the state says so, not its number.
        if passing and "No Pass" not in str(state).partition("\n")[0]:
            return {
                f"pass {' '.join(cards)}": tuple(actions[card] for card in cards)
                for cards in combinations(in_order(actions), PASSED)
            }
        return {card: (actions[card],) for card in in_order(actions)}

    def apply(self, position: Position, order: Order) -> tuple[Position, tuple[Fact, ...]]:
        after, facts = super().apply(position, order)
        deal = self.deal(after)
        if deal.is_over:
            totals = [old + new for old, new in zip(deal.before, deal.scores, strict=True)]
            if max(totals) < int(dict(position.options)["target"]):
                start = " ".join(map(str, (deal.number + 1, *totals)))
                after = replace(after, start=start, moves=())
        return after, facts

    # Moves.

    def tidy(self, line: str) -> str:
        return " ".join(line.split())

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        del language
        keyword = _KEYWORD.fullmatch(tidied)
        cards = read_cards(keyword["rest"] if keyword else "" if tidied in SIGHS else tidied)
        if (keyword and keyword["pass"] and cards) or len(cards) == PASSED:
            yield f"pass {' '.join(cards)}"
        elif len(cards) == 1:
            yield cards[0]

    def read_outcome(self, tidied: str) -> str | None:
        word, _, rest = tidied.partition(" ")
        cards = read_cards(rest) if word.casefold() == "deal" else ()
        return f"deal {cards[0]}" if len(cards) == 1 else None

    def to_text(self, move: str, language: str) -> str:
        *word, cards = move.rpartition("pass ")
        said = " ".join(write_card(card, language) for card in cards.split())
        return f"{WORDS.get(language, WORDS['en'])['pass']} {said}" if word[1] else said

    def clicks(self, view: View, order: Order) -> tuple[str, ...]:
        move = order.move if isinstance(order, Move) else ""
        return tuple(move.removeprefix("pass ").split())

    def readings(self, position: Position, move: str) -> list[str]:
        if move.startswith("pass ") and set(move.split()[1:]) <= set(PACK):
            move = f"pass {' '.join(in_order(move.split()[1:]))}"
        return super().readings(position, move)

    def why_not(self, position: Position, move: str) -> tuple[str, dict[str, Json]]:
        deal, cards = self.deal(position), move.removeprefix("pass ").split()
        hand = deal.hands[self.players[str(self.to_act(position))]]
        if not cards or not set(cards) <= set(PACK):
            return super().why_not(position, move)
        if missing := [card for card in cards if card not in hand]:
            return "not-held", {"card": missing[0]}
        if deal.passing:
            twice = len(set(cards)) < len(cards)
            return ("twice", {"card": cards[0]}) if twice else ("pass-three", {})
        if move.startswith("pass "):
            return "passed-already" if deal.shift else "no-passing", {}
        card, led = cards[0], deal.table.cards[0] if deal.table else None
        if led is not None and card[1] != led[1] and any(held[1] == led[1] for held in hand):
            return "follow-suit", {"suit": SIGNS[led[1]], "card": card}
        if len(deal.tricks) <= 1 and led is not None:
            return "first-trick", {"card": card}
        return ("two-of-clubs", {}) if not deal.tricks else ("not-broken", {})

    def forced(self, position: Position) -> Order | None:
        # Everybody sees who holds the two of clubs, and which card is the last of all.
        deal = self.deal(position)
        if not deal.is_dealt or deal.passing or self.to_act(position) is None:
            return None
        last = sum(map(len, deal.hands)) == 1
        return super().forced(position) if last or not deal.tricks else None

    # What happened.

    def drawn(self, before: Position, outcome: str, after: Position) -> list[Fact]:
        deal = self.deal(after)
        if not deal.is_dealt:
            return []
        hands = [
            Fact("hand", {"cards": [*in_order(hand)]}, frozenset({seat}))
            for seat, hand in zip(NORTH_FIRST, deal.hands, strict=True)
        ]
        return [Fact(f"dealt-{WAYS[deal.shift]}", {"deal": deal.number}), *hands]

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        seat, deal = str(self.to_act(before)), self.deal(after)
        if move.startswith("pass "):
            return list(_passed(seat, deal))
        facts = [Fact("moved", {"seat": seat, "move": move, "spaces": []})]
        if move[1] == "H" and not self.deal(before).broken:
            facts.append(Fact("broken", {}))
        trick = deal.tricks[-1]
        if trick.is_complete:
            points = sum(map(value_of, trick.cards))
            winner = NORTH_FIRST[trick.winner]
            facts.append(Fact("took", {"seat": winner, "points": points}))
        if deal.is_over:
            if ALL_POINTS in deal.taken:
                moon = NORTH_FIRST[deal.taken.index(ALL_POINTS)]
                facts.append(Fact("moon", {"seat": moon, "points": ALL_POINTS}))
            facts += [
                Fact("scored", {"seat": scorer, "points": new, "total": old + new})
                for scorer, old, new in zip(NORTH_FIRST, deal.before, deal.scores, strict=True)
            ]
        return facts

    def points(self, position: Position) -> Mapping[Seat, int]:
        deal = self.deal(position)
        return {
            seat: old + new
            for seat, old, new in zip(NORTH_FIRST, deal.before, deal.scores, strict=True)
        }

    def result(self, position: Position) -> Result | None:
        if self.to_act(position) is not None:
            return None
        points = self.points(position)
        ranked = sorted(points.values())
        places = {seat: ranked.index(own) + 1 for seat, own in points.items()}
        return Result("target", dict(points), places)

    # What a seat may know.

    def view(self, position: Position, seat: Seat | None) -> View:
        deal = self.deal(position)
        document: dict[str, Json] = {
            "game": self.name,
            "edition": self.edition,
            "options": dict(position.options),
            "to_act": self.to_act(position),
            "deal": deal.number,
            "passing": WAYS[deal.shift],
            "passed": [*NORTH_FIRST[: len(deal.passed)]],
            "points": dict(self.points(position)),
            "taken": dict(zip(NORTH_FIRST, deal.taken, strict=True)),
            "broken": deal.broken,
            "tricks": [
                {"leader": NORTH_FIRST[trick.leader], "cards": [*trick.cards]}
                for trick in deal.tricks
            ],
        }
        if seat is not None and deal.is_dealt:
            player = self.players[seat]
            giver = (player - deal.shift) % 4
            document["hand"] = [*in_order(deal.hands[player])]
            document["gave"] = [*in_order(_at(deal.passed, player))]
            received = _at(deal.passed, giver) if len(deal.passed) == len(NORTH_FIRST) else ()
            document["received"] = [*in_order(received)]
        return View(seat, document)

    def scene(self, view: View) -> Scene:
        document: Any = view.document
        tricks = [
            Trick(NORTH_FIRST.index(told["leader"]), tuple(told["cards"]))
            for told in document["tricks"]
        ]
        done = [trick for trick in tricks if trick.is_complete]
        lying = dict(tricks[-1].by_player) if len(done) < len(tricks) else {}
        table = {seat: lying.get(number) for number, seat in enumerate(NORTH_FIRST)}
        cells = [
            Cell(seat, row, column, "table", seat[0].upper(), card_on_table(table[seat]))
            for seat, row, column in (
                ("north", 0, 1),
                ("west", 1, 0),
                ("east", 1, 2),
                ("south", 2, 1),
            )
        ]
        points, taken = document["points"], document["taken"]
        heads = tuple(Word("column", head) for head in ("player", "trick", "taken", "points"))
        rows = [
            Row((Word("seat", seat), said_card(card), taken[seat], points[seat]))
            for seat, card in table.items()
        ]
        deal = [Sentence(document["passing"], {"deal": document["deal"]})]
        if document["tricks"]:
            deal.append(Sentence("broken" if document["broken"] else "unbroken"))
        deal += [
            Sentence(told, {"cards": document[told]})
            for told in ("gave", "received")
            if document.get(told)
        ]
        standing = (
            Sentence("standing", {"seat": seat, "points": points[seat], "taken": taken[seat]})
            for seat in NORTH_FIRST
        )
        panels = [Panel("deal", tuple(deal)), Panel("players", tuple(standing))]
        panels += [Panel("last", (_told_last(done[-1]),))] if done else []
        secrets = []
        if hand := document.get("hand"):
            panels.append(Panel("hand", (Sentence("hand", {"cards": hand}),)))
            secrets.append(hand_of("hand", hand))
        return Scene(
            3, 3, tuple(cells), tuple(panels), {"table": "#dfead9"}, (),
            tables=(Table("players", heads, tuple(rows)),), secrets=tuple(secrets),
            row_names=("", "", ""), column_names=("", "", ""),
        )  # fmt: skip

    def redeal(self, position: Position, seat: Seat | None, rng: Random) -> Position:
        deal = self.deal(position)
        me = -1 if seat is None else self.players[seat]
        if not deal.is_dealt:
            # Nobody looks at his cards before all are dealt.
            drawn = rng.sample(PACK, len(position.moves))
            return replace(position, moves=tuple(f"deal {card}" for card in drawn))
        if not deal.passing:
            return _dealt_again(position, deal, me, rng)
        unseen = sorted(set(PACK).difference(*deal.dealt[me : me + 1] if me >= 0 else ()))
        rng.shuffle(unseen)
        hands = [
            list(deal.dealt[n]) if n == me else [unseen.pop() for _ in range(13)] for n in range(4)
        ]
        passed = [
            cards if player == me else tuple(rng.sample(hands[player], PASSED))
            for player, cards in enumerate(deal.passed)
        ]
        return replace(position, moves=(*_dealing(hands), *_passing(passed)))


def _told_last(trick: Trick) -> Sentence:
    return Sentence("last", {
        "leader": NORTH_FIRST[trick.leader],
        "cards": [*trick.cards],
        "winner": NORTH_FIRST[trick.winner],
        "points": sum(map(value_of, trick.cards)),
    })  # fmt: skip


def _at(passed: Sequence[tuple[str, ...]], player: int) -> tuple[str, ...]:
    return passed[player] if player < len(passed) else ()


def _dealing(hands: Sequence[Iterable[str]]) -> Iterator[str]:
    for cards in zip(*hands, strict=True):
        for card in cards:
            yield f"deal {card}"


def _passing(passed: Sequence[Iterable[str]]) -> Iterator[str]:
    for cards in passed:
        yield f"pass {' '.join(in_order(cards))}"


def _passed(seat: Seat, deal: Deal) -> Iterator[Fact]:
    """Yield the facts of a pass: what it was its seat alone is told, all are when all have."""
    player = NORTH_FIRST.index(seat)
    to = NORTH_FIRST[(player + deal.shift) % 4]
    yield Fact("passed", {"seat": seat, "to": to})
    yield Fact("gave", {"cards": [*in_order(deal.passed[player])], "to": to}, frozenset({seat}))
    if not deal.passing:
        for giver, cards in enumerate(deal.passed):
            taker = NORTH_FIRST[(giver + deal.shift) % 4]
            fields: dict[str, Json] = {"cards": [*in_order(cards)], "giver": NORTH_FIRST[giver]}
            yield Fact("received", fields, frozenset({taker}), news=True)


def barred(deal: Deal) -> list[set[str]]:
    """Return the cards that nobody who saw the play can take for somebody's, by player."""
    never: list[set[str]] = [set() for _ in NORTH_FIRST]
    broken = False
    for trick in deal.tricks:
        for player, card in trick.by_player:
            out = never[player]
            if card[1] != trick.cards[0][1]:
                out |= {other for other in PACK if other[1] == trick.cards[0][1]}
                if trick is deal.tricks[0] and card in POINTS:
                    out |= set(PACK) - set(POINTS)
            elif card == trick.cards[0] and card[1] == "H" and not broken:
                out |= {other for other in PACK if other[1] != "H"}
            broken = broken or card[1] == "H"
    return never


def _dealt_again(position: Position, deal: Deal, me: int, rng: Random) -> Position:
    """Return a deal in play with all that a player cannot know dealt anew, as the play allows."""
    players = range(len(NORTH_FIRST))
    given = deal.passed[me] if deal.passed and me >= 0 else ()
    known = {*given, *(() if deal.tricks else ("2C",))}
    holder = {
        card: player
        for player in players
        for card in in_order(deal.hands[player])
        if player != me and card not in known
    }
    never, cards = barred(deal), list(holder)
    # From the true hands by exchanges: so the play stays possible, however much it has shown.
    for _ in range(12 * len(cards)):
        one, other = rng.choice(cards), rng.choice(cards)
        if one not in never[holder[other]] and other not in never[holder[one]]:
            holder[one], holder[other] = holder[other], holder[one]
    hands = [
        {card for card in deal.hands[player] if player == me or card in known}
        | {card for card, holding in holder.items() if holding == player}
        for player in players
    ]
    for trick in deal.tricks:
        for player, card in trick.by_player:
            hands[player].add(card)
    passed: list[tuple[str, ...]] = []
    if deal.passed:
        for player in players:
            taker = (player + deal.shift) % 4
            seen = me in {player, taker}
            passed.append(
                deal.passed[player] if seen else tuple(rng.sample(in_order(hands[taker]), PASSED))
            )
        for player, cards_passed in enumerate(passed):
            hands[(player + deal.shift) % 4] -= set(cards_passed)
        for player, cards_passed in enumerate(passed):
            hands[player] |= set(cards_passed)
    dealt = [in_order(hand) for hand in hands]
    played = position.moves[len(PACK) + len(passed) :]
    return replace(position, moves=(*_dealing(dealt), *_passing(passed), *played))


GAME: Final = Hearts()
