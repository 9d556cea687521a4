"""Gin rummy: drawing and discarding, melds, knocks and what they score, deal after deal."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest
from referee_classics.cards import PACK
from referee_classics.classic import Move, Position
from referee_classics.ginrummy import GAME, MOST_TAKEN
from referee_classics.ginrummy.melds import best, laid_off
from support import lines

from referee.games.game import Fact, Unreadable
from referee.games.play import complete_options, random_play
from referee.render.words.rules import introduction
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

RED = "AS 2S 3S 4H 5H 6H 9C 9D 9H KD"
"""Nine cards in melds, and a king."""

BLUE = "4S 7H 8H TS TC TH QC QD 2D 3C"


def dealt(
    red: str = RED, blue: str = BLUE, card: str = "JC", start: str = "1 0 0", **options: int
) -> Position:
    """Return a deal of these hands, blue having dealt; a card is turned up."""
    moves = [f"deal {held}" for held in (*red.split(), *blue.split(), card)]
    return GAME.load({"game": "ginrummy", "start": start, "options": options, "moves": moves})


play, code = partial(lines.play, GAME), partial(lines.code, GAME)


def points(position: Position) -> tuple[int, ...]:
    """Return the points of both."""
    return tuple(GAME.points(position).values())


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("take", "take"), ("I take it", "take"), ("pick up", "take"), ("Take the upcard", "take"),
        ("take from the discard pile", "take"), ("ich nehme sie", "take"), ("aufnehmen", "take"),
        ("take K♥", "take KH"), ("I'll take the king", "take the K"),
        ("nehme den Herz König", "take KH"),
        ("take AH", "take AH"), ("take QC from the pile", "take QC"),
        ("draw", "draw"), ("draw card", "draw"), ("take a card from the stock", "draw"),
        ("nimm vom Stapel", "draw"), ("ich nehme die Karte vom Stapel", "draw"),
        ("I draw a card", "draw"), ("draw from the deck", "draw"),
        ("stock", "draw"), ("ziehe", "draw"), ("ich ziehe eine Karte vom Stapel", "draw"),
        ("pass", "pass"), ("ich passe", "pass"),
        ("7D", "7D"), ("discard the seven of diamonds", "7D"), ("lege Karo 7 ab", "7D"),
        ("weg mit Karo 7", "7D"), ("ab: ♦7", "7D"), ("ablegen Karo 7", "7D"),
        ("discard the queen", "the Q"),
        ("knock", "knock"), ("Ich klopfe", "knock"), ("knock with 7♦", "knock 7D"),
        ("I knock, discarding the 7 of diamonds", "knock 7D"), ("7D and knock", "knock 7D"),
        ("klopfe und lege Karo 7 ab", "knock 7D"), ("knock with the seven", "knock the 7"),
        ("knock ah", "knock AH"), ("klopfe mit der Karo 7", "knock 7D"),
        ("Gin!", "gin"), ("gin, discard 7D", "gin 7D"), ("7D and gin", "gin 7D"),
        ("I have gin", "gin"), ("Passing", "pass"), ("I'm passing", "pass"),
        ("Ich muss passen", "pass"), ("discard King", "the K"), ("werfe König ab", "the K"),
    ],
)  # fmt: skip
def test_turns_are_read_as_they_are_said(line: str, move: str) -> None:
    """In either language, with words or signs."""
    assert GAME.parse(line, "en") == GAME.parse(line, "de") == Move(move)


@pytest.mark.parametrize(
    "line",
    [
        "take care", "take your time", "Take that!", "nimm dir Zeit", "ich nehme an",
        "draw your own conclusions", "pick", "nice draw", "it's a draw", "knock on wood",
        "knock knock",
        "ginger ale", "no", "knock with 5", "König", "Jack", "play 2",
    ],
)  # fmt: skip
def test_talk_is_no_order(line: str) -> None:
    """Though it has the words of orders in it."""
    with pytest.raises(Unreadable):
        GAME.parse(line, "en")


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("take it and discard KD", ["take it", "discard KD"]),
        ("take, KD", ["take", "KD"]),
        ("draw, then knock with KD", ["draw", "knock with KD"]),
        ("ich nehme sie und lege Karo König ab", ["ich nehme sie", "lege Karo König ab"]),
        ("take it, and then discard AH", ["take it", "discard AH"]),
        ("take it then KD", ["take it", "KD"]),
        ("take. Discarding KD", ["take", "Discarding KD"]),
        ("take JC discard KD", ["take JC", "discard KD"]),
        ("pick up JC / drop KD", ["pick up JC", "drop KD"]),
        ("take care, KD", ["take care, KD"]),
        ("KD and knock", ["KD and knock"]),
        ("draw and see", ["draw and see"]),
    ],
)
def test_one_line_may_draw_and_discard(line: str, parts: list[str]) -> None:
    """That is how people say a turn."""
    assert GAME.parts(line) == parts


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_order_is_read_as_it_is_written(language: str) -> None:
    named = [f"{word} {card}" for word in ("take", "knock", "gin") for card in PACK]
    for move in ("take", "draw", "pass", *PACK, *named):
        assert GAME.parse(GAME.format(Move(move), language), language) == Move(move)
        assert GAME.is_move(move)


@pytest.mark.parametrize(
    ("cards", "deadwood"),
    [
        ("AS 2S 3S KH QH", 20),
        ("QS KS AS", 21),
        ("6S 7S 8S 6C 7C 8C 8D", 8),
        ("5H 5C 5D 5S 6S 7S 8S", 0),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS", 0),
        ("2S 2H 3S 3H 4S 4H", 0),
        ("9S 9H 9C 9D TD JD 2C", 2),
    ],
)
def test_as_little_as_can_be_is_left_over(cards: str, deadwood: int) -> None:
    """Whichever of the melds that share a card are best; an ace is low."""
    layout = best(frozenset(cards.split()))
    assert layout.deadwood == deadwood
    used = [card for meld in layout.melds for card in meld]
    assert sorted([*used, *layout.rest]) == sorted(cards.split())


@pytest.mark.parametrize(
    ("cards", "melds", "laid"),
    [
        ("4D 5D 7D", ["AD 2D 3D"], "4D 5D"),
        ("8S 9S QH", ["TS JS QS", "QD QC QS"], "9S 8S QH"),
        ("AS KD", ["QD JD TD"], "KD"),
        ("9C TC", ["9S 9H 9D", "6C 7C 8C"], "9C TC"),
        ("2H", ["2S 2C 2D"], "2H"),
    ],
)
def test_what_goes_on_with_melds_is_laid_off(cards: str, melds: list[str], laid: str) -> None:
    """A run takes as many as follow on it, so it has the first choice."""
    onto = tuple(tuple(meld.split()) for meld in melds)
    assert laid_off(cards.split(), onto) == tuple(laid.split())


def test_the_first_card_is_offered_to_both() -> None:
    """If both pass the first one draws, which everybody sees."""
    position = dealt()
    assert GAME.to_act(position) == "red"
    assert code(position, "draw") == "upcard-now"
    assert code(position, "KD") == "upcard-now"
    assert code(position, "take QC") == "not-on-top"
    position, facts = play(position, "pass")
    assert facts == [Fact("passed", {"seat": "red"})]
    assert GAME.to_act(position) == "blue"
    assert GAME.forced(position) is None
    position, _ = play(position, "pass")
    assert GAME.to_act(position) == "red"
    assert GAME.forced(position) == Move("draw")
    assert code(position, "take") == code(position, "take JC") == "draw-alone"


def test_a_card_just_taken_is_not_put_back() -> None:
    """One that was drawn from the stock may go at once."""
    position, facts = play(dealt(card="KC"), "take the king")
    assert facts == [Fact("took", {"seat": "red", "card": "KC"})]
    assert code(position, "KC") == "just-taken"
    assert code(position, "draw") == "drawn-already"
    assert code(position, "QD") == "not-held"
    position, _ = play(position, "KD", "draw", "deal 8C")
    assert "8C" in GAME.reached(position).legal
    assert code(position, "knock 8C") == "knock-high-with"
    assert code(position, "knock with the eight") == "knock-high-with"
    assert code(position, "the ace") == "illegal"
    assert code(position, "knock") == "knock-high"
    assert code(position, "gin") == code(position, "gin with 8C") == "no-gin"
    position, facts = play(position, "8C")
    assert facts == [Fact("discarded", {"seat": "blue", "card": "8C"})]
    assert code(position, "8C") == "draw-now"


def test_what_was_drawn_only_its_seat_sees() -> None:
    """Others see that a card was drawn."""
    position, facts = play(dealt(), "pass", "pass", "draw", "deal 7S")
    assert facts[-2:] == [
        Fact("drew-one", {"seat": "red"}), Fact("drew", {"card": "7S"}, frozenset({"red"})),
    ]  # fmt: skip
    own: Any = GAME.view(position, "red").document
    other: Any = GAME.view(position, "blue").document
    assert (own["drawn"], other["drawn"]) == ("7S", "")
    assert "7S" in str(own)
    assert "7S" not in str(other) + str(GAME.view(position, None).document)


def test_a_knock_scores_the_difference() -> None:
    """And the next deal is dealt by the other."""
    position, facts = play(dealt(card="2H"), "take", "knock with the king")
    knocked, laid, won, scored = (fact.fields for fact in facts[-4:])
    assert (won["seat"], won["points"], won["why"]) == ("red", 23, "knock")
    assert (knocked["rest"], knocked["deadwood"]) == (["2H"], 2)
    # The four goes on with the run of spades, and seven and eight of hearts with the other.
    assert (laid["laid"], laid["rest"]) == (["4S", "7H", "8H"], ["QC", "3C", "QD", "2D"])
    assert laid["melds"] == [["TS", "TH", "TC"]]
    assert scored["standing"] == [
        {"seat": "red", "points": 23, "total": 23}, {"seat": "blue", "points": 0, "total": 0},
    ]  # fmt: skip
    assert (position.start, position.moves) == ("2 23 0", ())
    view: Any = GAME.view(position, None).document
    assert view["dealer"] == "red"


def test_gin_brings_a_bonus_and_nothing_is_laid_off() -> None:
    """It is no gin as long as a card is left over, however it is said."""
    assert code(play(dealt(card="2H"), "take")[0], "gin, discard KD") == "no-gin"
    position, facts = play(dealt(card="9S"), "take", "gin with the king")
    assert [fact.fact for fact in facts[-4:]] == ["gin", "laid", "won-deal", "scored"]
    assert facts[-3].fields["laid"] == []
    assert facts[-2].fields["why"] == "gin"
    assert points(position) == (25 + 4 + 7 + 8 + 10 + 10 + 2 + 3, 0)


@pytest.mark.parametrize(
    ("left", "gained"), [("6C", (1, 0)), ("5D", (0, 25)), ("3C", (0, 27)), ("4S", (0, 30))]
)
def test_no_more_left_over_than_the_one_who_knocked_is_an_undercut(
    left: str, gained: tuple[int, int]
) -> None:
    """The difference and a bonus go to the other, even where there is none."""
    position = dealt(blue=f"TS TC TH JS JH JD QS QH QD {left}", card="5C")
    position, facts = play(position, "take", "knock KD")
    assert points(position) == gained
    assert facts[-2].fields["why"] == ("undercut" if gained[1] else "knock")


def test_gin_against_gin_is_worth_the_bonus_alone() -> None:
    """It belongs to whoever has knocked."""
    position, _ = play(dealt(blue="TS TC TH JS JH JD QS QH QD QC", card="9S"), "take", "gin")
    assert points(position) == (25, 0)


def test_a_knock_is_laid_down_so_that_the_other_lays_off_least() -> None:
    """Of ways that leave equally little over."""
    red = "3S 4S 5S 6S 6H 6C 6D AH 2D KD"
    _, facts = play(dealt(red, "7S 8D 9D JH JD JS QH QC KS KC", card="3C"), "take", "knock KD")
    knocked, laid = facts[-4].fields, facts[-3].fields
    assert knocked["melds"] == [["6S", "6H", "6C", "6D"], ["3S", "4S", "5S"]]
    assert laid["laid"] == []


def drawn_out(blue: str, last: str) -> Position:
    """Return a deal in which all that is drawn was thrown away, until two cards are left."""
    position = dealt(blue=blue)
    dealt_already = {*RED.split(), *blue.split(), "JC", last}
    rest = [card for card in PACK if card not in dealt_already][:28]
    lines = [line for card in (*rest, last) for line in ("draw", f"deal {card}", card)]
    return play(position, "pass", "pass", *lines)[0]


NEAR = "TS TC TH JS JH JD QC QD 2D 3C"
"""A hand to which a queen is wanting."""


def test_the_stock_is_not_drawn_to_its_end() -> None:
    """With two cards left whoever is to draw may knock with the one discarded, or passes."""
    position = drawn_out(NEAR, "QH")
    assert GAME.to_act(position) == "blue"
    assert list(GAME.reached(position).legal) == ["pass", "knock 3C", "knock 2D"]
    assert code(position, "draw") == "wall-now"
    assert code(position, "knock QH") == "taken-to-knock"
    assert GAME.canonical(position, Move("knock the 3")) == Move("knock 3C")
    assert code(position, "knock QC") == "knock-high-with"
    assert points(play(position, "knock 3C")[0]) == (0, 8)
    position, facts = play(position, "pass")
    assert [fact.fact for fact in facts] == ["passed", "scored"]
    assert (position.start, position.moves) == ("2 0 0", ())


def test_whoever_cannot_knock_at_the_end_passes() -> None:
    """They are told how much would be left over."""
    position = drawn_out(NEAR, "8S")
    assert list(GAME.reached(position).legal) == ["pass"]
    refused = GAME.refusal(position, Move("knock"))
    assert refused is not None
    assert (refused.code, dict(refused.fields)) == ("knock-high", {"deadwood": 23})


def test_a_deal_ends_though_both_only_take_what_the_other_discards() -> None:
    """The engine ends it at the fiftieth, so that a card has to be drawn then."""
    position, _ = play(dealt(card="2H"), "take", "KD")
    thrown = {"red": "2H", "blue": "QC"}
    for _ in range(MOST_TAKEN - 1):
        seat, top = str(GAME.to_act(position)), GAME.deal(position).card
        position, _ = play(position, "take", thrown[seat])
        thrown[seat] = top
    assert list(GAME.reached(position).legal) == ["draw"]
    assert GAME.forced(position) == Move("draw")


def test_a_match_ends_at_the_points_agreed() -> None:
    """In the deal in which somebody reaches them."""
    position, _ = play(dealt(card="2H", target=20), "take", "knock with the king")
    result = GAME.result(position)
    assert result is not None
    assert (result.ending, dict(result.places)) == ("target", {"red": 1, "blue": 2})
    assert not GAME.orders(position)


def test_a_match_ends_after_the_deals_agreed() -> None:
    """Equal points share the place."""
    position = GAME.load(GAME.dump(drawn_out(NEAR, "8S")) | {"options": {"deals": 1}})
    result = GAME.result(play(position, "pass")[0])
    assert result is not None
    assert (result.ending, dict(result.places)) == ("deals", {"red": 1, "blue": 1})


def test_a_deal_redealt_for_a_seat_can_be_played() -> None:
    """Its own cards stay, and those that the other took from the pile."""
    rng, changed = Random(4), 0
    options = complete_options(GAME, {"deals": 1})
    for step in list(random_play(GAME, GAME.start(GAME.colours, options), rng))[::4]:
        for seat in ("red", "blue", None):
            other = GAME.redeal(step.after, seat, rng)
            assert GAME.to_act(other) == GAME.to_act(step.after)
            assert GAME.view(other, seat) == GAME.view(step.after, seat)
            known = GAME.deal(step.after).known
            assert all(map(frozenset.issubset, known, GAME.deal(other).hands))
            changed += other != step.after
    assert changed > 30


@pytest.mark.parametrize(
    ("options", "turns"),
    [({}, 60), ({"target": 1, "deals": 99}, 6), ({"deals": 5}, 29), ({"target": 500}, 92)],
)
def test_how_many_turns_a_match_takes_is_told_by_the_option_that_changes_most(
    options: dict[str, int], turns: int
) -> None:
    """A few points end it early, however many deals there may be."""
    chosen = complete_options(GAME, options)
    (told,) = introduction(Wording(GAME, "en"), Move("take"), 2, chosen)[-1].texts
    assert f"about {turns} turns" in told
