"""Gin rummy for two: draw, discard, and knock before the other does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Final

from referee.games.game import Fact, Json, Order, Seat, Sentence
from referee.games.notation import bare
from referee_classics.cards import PACK, PLACES, CardGame, Deal, Trick, in_order
from referee_classics.classic import Move, Position, State, Why
from referee_classics.data import patterns
from referee_classics.ginrummy.melds import ASCENDING, Layout, best, laid_down, value_of

HELD: Final = 10
"""Cards in a hand."""

DEALT: Final = 2 * HELD + 1
"""Cards of a deal, the one turned up among them."""

KNOCK: Final = 10
"""The most deadwood with which one may knock."""

BONUS: Final = 25
"""Points for gin, and for no more deadwood than the one who knocked."""

MOST_TAKEN: Final = 49
"""Cards that are taken from the pile in a deal at most."""

TAKE: Final = {"en": "take it", "de": "nimm sie"}
WORDS: Final = {"Draw upcard": "take", "Draw stock": "draw", "Pass": "pass"}
"""Our words for the engine's."""

_WAYS: Final = patterns(__name__, "ways")
_WITH_CARD: Final = patterns(__name__, "with_card")
_SAID: Final = patterns(__name__, "said")


class GinDeal(Deal):
    """One deal as far as it has come; ``dealer`` has dealt, and the other plays first.

    ``player`` is to act, ``stock`` the cards left to be drawn. ``pile`` are the cards on the pile
    with whoever discarded them, the first with the one who dealt; ``known`` those in either hand
    that everybody saw being taken from it. ``drawn`` is the card with which the player to act has
    one more than the other. ``stage`` is the next thing to do: ``dealing``, ``upcard`` (the first
    card turned up is offered), ``draw``, ``stock`` (the card drawn is to be dealt), ``discard``,
    ``wall`` (no more is drawn: knock or pass), or ``over``. ``knocker`` is who has knocked.
    """

    dealer: int
    player: int
    stock: int
    pile: tuple[tuple[int, str], ...]
    known: tuple[frozenset[str], ...]
    drawn: str
    stage: str
    knocker: int | None

    @property
    def is_over(self) -> bool:
        """Whether somebody has knocked, or nobody did before the end of the stock."""
        return self.stage == "over"

    @property
    def card(self) -> str:
        """The card on top of the pile, if there is one."""
        return self.pile[-1][1] if self.pile else ""

    @property
    def layouts(self) -> dict[int, Layout]:
        """The layouts of both when one has knocked, that one first; none before."""
        if self.knocker is None:
            return {}
        other = 1 - self.knocker
        laid = laid_down(self.hands[self.knocker], self.hands[other])
        return dict(zip((self.knocker, other), laid, strict=True))


class GinRummy(CardGame):
    """Gin rummy, deal after deal until somebody has as many points as were agreed."""

    @lru_cache(maxsize=512)  # noqa: B019 - a game lives as long as the program
    def deal(self, position: Position) -> GinDeal:
        dealer, moves = self.begun(position)[0] % 2, position.moves
        drawn = [move.removeprefix("deal ") for move in moves[:DEALT]]
        # The engine deals all its cards to the one, then to the other.
        first = 1 - dealer
        rows = {first: tuple(drawn[:HELD]), dealer: tuple(drawn[HELD : 2 * HELD])}
        hands, known = [set(rows[0]), set(rows[1])], [set[str](), set[str]()]
        pile = [(dealer, card) for card in drawn[2 * HELD :]]
        player, stock, holding, passed = first, len(PACK) - len(drawn), "", 0
        knocker, stage = None, "upcard" if pile else "dealing"
        for move in moves[DEALT:]:
            word, _, card = move.rpartition(" ")
            if card == "pass":
                passed, player = passed + 1, 1 - player
                stage = "over" if stage == "wall" else "draw" if passed == 2 else "upcard"
            elif card == "draw":
                stage = "stock"
            elif card == "take" or word == "deal":
                holding, stage = card, "discard"
                if card == "take":
                    holding = pile.pop()[1]
                    known[player].add(holding)
                stock -= word == "deal"
                hands[player].add(holding)
            else:
                if word == "knock":
                    knocker = player
                    # At the end of the stock the card on the pile is drawn with it.
                    if stage == "wall":
                        hands[player].add(pile.pop()[1])
                hands[player].remove(card)
                known[player].discard(card)
                pile.append((player, card))
                holding, player = "", 1 - player
                # Of two cards in the stock none is drawn any more.
                stage = "over" if word else "wall" if stock == 2 else "draw"
        held, seen = (tuple(map(frozenset, cards)) for cards in (hands, known))
        return GinDeal(
            (rows[0], rows[1]), len(drawn) == DEALT, held, (),
            dealer, player, stock, tuple(pile), seen, holding, stage, knocker,
        )  # fmt: skip

    def seat_of(self, position: Position, player: int) -> Seat:
        return position.seats[(player + self.begun(position)[0] - 1) % 2]

    def gained(self, position: Position) -> Sequence[int]:
        deal = self.deal(position)
        if deal.knocker is None:
            return [0, 0]
        own, other = (layout.deadwood for layout in deal.layouts.values())
        winner = deal.knocker if own < other or not own else 1 - deal.knocker
        bonus = BONUS if winner != deal.knocker or not own else 0
        return [abs(other - own) + bonus if player == winner else 0 for player in range(2)]

    def is_last(self, position: Position, totals: Sequence[int]) -> bool:
        last = self.begun(position)[0] >= int(dict(position.options)["deals"])
        return last or super().is_last(position, totals)

    def ending(self, position: Position) -> str:
        return "target" if super().is_last(position, self.totals(position)) else "deals"

    def to_act(self, position: Position) -> Seat | None:
        # The engine does not hear of a knock: it misses some, and is wrong about what is laid off.
        return None if self.deal(position).is_over else super().to_act(position)

    def orders(self, position: Position) -> Sequence[Order]:
        return super().orders(position) if self.to_act(position) else []

    def listing(self, state: State) -> dict[str, tuple[int, ...]]:
        actions: dict[str, tuple[int, ...]] = {}
        for action in state.legal_actions():
            said = state.action_to_string(action).rpartition(": ")[-1]
            actions[WORDS.get(said) or f"{said[0]}{said[1:].upper()}"] = (action,)
        if state.is_chance_node():
            return {f"deal {card}": actions[card] for card in in_order(actions)}
        # The engine ends a deal at the fiftieth card taken, so nobody takes that one.
        if "take" in actions and state.history().count(*actions["take"]) >= MOST_TAKEN:
            del actions["take"]
        hand = frozenset(map(_card_of, state.hands()[state.current_player()]))
        moves = {word: actions[word] for word in WORDS.values() if word in actions}
        wall = str(state.current_phase()) == "Phase.WALL"
        # Nobody may take a card from the pile and put it back at once.
        back = state.upcard() if wall else state.prev_upcard()
        taken = frozenset() if back is None else {_card_of(back)}
        if wall:
            actions, hand = dict.fromkeys(hand, actions["pass"]), hand | taken
        cards = in_order(actions.keys() & set(PACK) - taken)
        moves |= {} if wall else {card: actions[card] for card in cards}
        # Without a card at most its own points are less left over.
        least = best(hand).deadwood
        light = (card for card in cards if least - value_of(card) <= KNOCK)
        knocks = (card for card in light if best(hand - {card}).deadwood <= KNOCK)
        return moves | {f"knock {card}": actions[card] for card in knocks}

    # Moves.

    def spellings(self, tidied: str, language: str) -> Iterator[str]:
        said = tidied.casefold()
        yield from (word for word, pattern in _WAYS.items() if pattern.fullmatch(said))
        for word, pattern in _WITH_CARD.items():
            if named := pattern.fullmatch(said):
                # Behind a verb “ah” is a card.
                for card in super().spellings(f"discard {named[1]}", language):
                    # Two patterns of one order have the same key up to this sign.
                    yield f"{word.partition('_')[0]} {card}"
        yield from super().spellings(tidied, language)
        if thrown := _SAID["thrown"].fullmatch(said):
            yield from super().spellings(thrown[1], language)

    def to_text(self, move: str, language: str) -> str:
        # So that “take” and a card, a line each, are not the taking of that card.
        return TAKE.get(language, TAKE["en"]) if move == "take" else super().to_text(move, language)

    def parts(self, line: str) -> list[str]:
        """Return a line that draws and discards, “take it and throw QC”, as lines of one each."""
        both = _SAID["both"].fullmatch(bare(line))
        if both is None:
            return [line]
        drawn, then = ([*self.spellings(self.tidy(said), "en")] for said in both.groups())
        draws = any(move.partition(" ")[0] in {"take", "draw"} for move in drawn)
        return [*both.groups()] if draws and then else [line]

    def readings(self, position: Position, move: str) -> list[str]:
        legal, deal = self.reached(position).legal, self.deal(position)
        if move in {f"take {deal.card}", f"take the {deal.card[:1]}"}:
            return super().readings(position, "take")
        word, _, card = move.partition(" ")
        if word not in {"knock", "gin"}:
            return super().readings(position, move)
        knocks = [known for known in legal if known.startswith("knock ")]
        if word == "gin":
            hand = self._hand_at_knock(deal)
            knocks = [known for known in knocks if not best(hand - {known[-2:]}).deadwood]
        if card.startswith("the "):
            return [known for known in knocks if known[-2] == card[-1]]
        return [known for known in knocks if card in {"", known[-2:]}]

    def _hand_at_knock(self, deal: GinDeal) -> frozenset[str]:
        """Return the cards out of which the player to act would knock, the discard among them.

        At the end of the stock that on the pile is one of them.
        """
        hand = deal.hands[deal.player]
        return hand | {deal.card} if deal.stage == "wall" else hand

    def consent(self, position: Position) -> Order | None:
        return Move("take") if self.deal(position).stage == "upcard" else None

    def dissent(self, position: Position) -> Order | None:
        return Move("pass") if self.deal(position).stage == "upcard" else None

    def why_not(self, position: Position, move: str) -> Why:
        deal, (*words, card) = self.deal(position), move.split()
        top = {"card": deal.card}
        if deal.stage == "draw" and "take" not in self.reached(position).legal:
            return "draw-alone", {}
        if "take" in words and deal.stage in {"upcard", "draw"}:
            return "not-on-top", top
        knocks = not {"knock", "gin"}.isdisjoint((*words, card))
        if deal.stage != "discard" and not (knocks and deal.stage == "wall"):
            return f"{deal.stage}-now", top
        if card in WORDS.values() or "take" in words:
            return "drawn-already", {}
        hand = self._hand_at_knock(deal)
        if len(card) == 1:
            card = next((held for held in in_order(hand) if held[0] == card), card)
        # What was drawn from the stock may be discarded.
        taken = deal.card if deal.stage == "wall" else deal.drawn
        taken = taken if taken in {deal.card, *deal.known[deal.player]} else ""
        if card in {"knock", "gin"} or (card in hand and "gin" in words):
            least = min(best(hand - {held}).deadwood for held in hand - {taken})
            if least or "gin" not in {card, *words}:
                return ("knock-high" if card == "knock" else "no-gin"), {"deadwood": least}
        if card not in PLACES:
            return super().why_not(position, move)
        if card not in hand:
            return "not-held", {"card": card}
        if card == taken:
            return "taken-to-knock" if deal.stage == "wall" else "just-taken", {"card": card}
        return "knock-high-with", {"card": card, "deadwood": best(hand - {card}).deadwood}

    def forced(self, position: Position) -> Order | None:
        # When both have passed, everybody sees that a card is drawn.
        opens = self.deal(position).stage == "draw" and "take" not in self.reached(position).legal
        return Move("draw") if opens else None

    # What happened.

    def drawn(self, before: Position, outcome: str, after: Position) -> list[Fact]:
        if len(after.moves) <= DEALT:
            return super().drawn(before, outcome, after)
        seat = str(self.to_act(after))
        return [Fact("drew", {"card": self.deal(after).drawn}, frozenset({seat}))]

    def told(self, before: Position, move: str, after: Position) -> list[Fact]:
        seat, deal, was = str(self.to_act(before)), self.deal(after), self.deal(before)
        if move == "pass":
            passed = Fact("passed", {"seat": seat})
            return [passed, self.told_points(after)] if deal.is_over else [passed]
        if move == "draw":
            return [Fact("drew-one", {"seat": seat})]
        if move == "take":
            return [Fact("took", {"seat": seat, "card": was.card})]
        if deal.knocker is None:
            return [Fact("discarded", {"seat": seat, "card": deal.card})]
        facts = []
        for player, layout in deal.layouts.items():
            told: dict[str, Json] = {
                "seat": after.seats[player], "melds": [[*meld] for meld in layout.melds],
                "laid": [*layout.laid], "rest": [*layout.rest], "deadwood": layout.deadwood,
            }  # fmt: skip
            knocks = player == deal.knocker
            code = "laid" if not knocks else "knocked" if layout.rest else "gin"
            # The other hand is news to whoever knocks: it is not shown for a mere preview.
            told |= {"card": deal.card} if knocks else {}
            facts.append(Fact(code, told, news=not knocks))
        gained = self.gained(after)
        winner = gained.index(max(gained))
        why = "knock" if winner == deal.knocker else "undercut"
        why = why if deal.layouts[deal.knocker].rest else "gin"
        seat, points = after.seats[winner], gained[winner]
        won = Fact("won-deal", {"seat": seat, "points": points, "bonus": BONUS, "why": why})
        return [*facts, won, self.told_points(after)]

    # What a seat may know.

    def seen_by_all(self, deal: GinDeal, seats: Sequence[Seat]) -> dict[str, Json]:
        return {
            "dealer": seats[deal.dealer],
            "stock": deal.stock,
            "pile": {seats[player]: card for player, card in deal.pile[-1:]},
            "stage": deal.stage,
        }

    def seen_by(self, deal: GinDeal, player: int) -> dict[str, Json]:
        layout = best(deal.hands[player])
        return {
            "drawn": deal.drawn if player == deal.player else "",
            "melds": [[*meld] for meld in layout.melds],
            "deadwood": layout.deadwood,
        }

    def stage(self, document: Any) -> Sentence:
        fields = {name: document[name] for name in ("deal", "dealer", "stock")}
        told = document["stage"] in {"upcard", "wall"}
        return Sentence(document["stage"] if told else "deal", fields)

    def notes(self, document: Any) -> Sequence[Sentence]:
        return [Sentence("melds", {name: document[name] for name in ("melds", "deadwood")})]

    def lying(self, document: Any, trick: Trick) -> Mapping[int, str]:
        return {document["seats"].index(seat): card for seat, card in document["pile"].items()}

    def redealt(self, position: Position, me: int, rng: Random) -> Iterable[str]:
        deal = self.deal(position)
        # Whoever has knocked has shown both hands.
        if deal.knocker is not None:
            return position.moves
        dealt = {move.removeprefix("deal ") for move in position.moves}
        hidden = [card for card in PACK if card not in dealt]
        for player, hand in enumerate(deal.hands):
            hidden += in_order(hand - deal.known[player]) if player != me else ()
        other = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
        words = (move.rpartition(" ") for move in position.moves)
        # What lies on the pile, or was seen there, is what it was.
        return tuple(
            f"deal {other.get(card, card)}" if word == "deal" else f"{word} {card}".strip()
            for word, _, card in words
        )


def _card_of(number: int) -> str:
    return f"{ASCENDING[number % 13]}{'SCDH'[number // 13]}"


GAME: Final = GinRummy("ginrummy")
