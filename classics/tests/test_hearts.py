"""Hearts: passing, following suit, points, the moon, and deal after deal."""

from __future__ import annotations

import re
from functools import partial
from random import Random
from typing import Any

import pytest
from referee_classics.cards import PACK, in_order
from referee_classics.classic import Chance, Move, Position, rules_of
from referee_classics.hearts import GAME
from support import lines

from referee.games.game import BadDocument, Fact, Unreadable
from referee.games.play import complete_options, opening_order, random_play, refusal
from referee.render.words.rules import introduction
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

SUITED = ["S", "H", "C", "D"]


def dealt(*hands: str, number: int = 4, points: str = "0 0 0 0", target: int = 100) -> Position:
    """Return a deal with these hands, from north on; in the fourth one nobody passes."""
    cards = zip(*(hand.split() for hand in hands), strict=True)
    return GAME.load(
        {
            "game": "hearts",
            "start": f"{number} {points}",
            "options": {"target": target},
            "moves": [f"deal {card}" for row in cards for card in row],
        }
    )


def suits(number: int = 4, **more: Any) -> Position:
    """Return a deal in which everybody has a suit: spades, hearts, clubs, diamonds from north."""
    hands = (" ".join(card for card in PACK if card[1] == suit) for suit in SUITED)
    return dealt(*hands, number=number, **more)


def mixed(number: int = 4) -> Position:
    """Return a deal in which everybody has three or four of each suit."""
    return dealt(*(" ".join(PACK[player::4]) for player in range(4)), number=number)


play, code = partial(lines.play, GAME), partial(lines.code, GAME)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("QS", "QS"), ("play QS", "QS"), ("spiele Pik Dame", "QS"),
        ("I play the queen of spades", "QS"),
        ("pass QS KH 2C", "pass QS KH 2C"), ("QS KH 2C", "pass QS KH 2C"),
        ("gib Pik Dame, Herz König und Kreuz 2", "pass QS KH 2C"),
        ("I pass the king and queen of spades and the ace of hearts", "pass KS QS AH"),
        ("schiebe ♠D ♥K ♣2", "pass QS KH 2C"), ("2c, KH/QS", "pass QS KH 2C"),
        ("PASS: QS KH 2C", "pass QS KH 2C"), ("ich schiebe D♠ A♠ 2♥ weiter", "pass AS QS 2H"),
        ("Pass on the queen and the ace of spades and the two of hearts.", "pass AS QS 2H"),
        ("Ich schiebe Pik Ass, Pik Dame und die 2 von Herz an West", "pass AS QS 2H"),
        ("pass QS, KH and 2C to the left", "pass QS KH 2C"), ("zwei von herz", "2H"),
        ("Pik Dame und Ass, Herz 2", "pass AS QS 2H"), ("♠ A Q ♥ 2", "pass AS QS 2H"),
        ("I lead my queen of spades", "QS"), ("ich spiele ♠D aus", "QS"),
        ("pass QS", "pass QS"), ("1. QS", "QS"), ("play ah", "AH"),
        ("7 h", "7H"), ("Queen H", "QH"), ("I follow with 7h", "7H"),
        ("ich bediene mit Herz 7", "7H"), ("my queen", "the Q"), ("ich lege den König", "the K"),
    ],
)  # fmt: skip
def test_a_line_is_read_as_its_player_meant_it(line: str, move: str) -> None:
    """With or without the verb, in either language."""
    assert GAME.parse(line, "en") == GAME.parse(line, "de") == Move(move)


@pytest.mark.parametrize(
    "line", ["ok", "pass", "play nicely", "QS KH", "hearts", "ah", "As", "pass me the salt", "play"]
)
def test_talk_is_no_order(line: str) -> None:
    """Nor are two cards."""
    with pytest.raises(Unreadable) as error:
        GAME.parse(line, "en")
    assert error.value.chatter


def test_an_order_is_written_with_signs_and_the_letters_of_a_language() -> None:
    """And read back the same."""
    assert GAME.format(Move("pass QS TH 2C"), "de") == "schiebe D♠ 10♥ 2♣"
    assert GAME.format(Move("QS"), "en") == "Q♠"
    assert GAME.parse("deal QS", "en") == Chance("deal QS")


def test_the_cards_passed_are_learnt_when_all_have_passed() -> None:
    """Until then nobody is told, or can see, what another passed."""
    position, facts = play(
        mixed(number=1), *(f"pass {' '.join(PACK[n : n + 12 : 4])}" for n in range(3))
    )
    assert not [fact for fact in facts if fact.fact == "received"]
    assert all("cards" not in fact.fields for fact in facts if fact.audience is None)
    shown: Any = GAME.view(position, "east").document
    assert shown["received"] == []
    assert len(shown["hand"]) == 10
    position, facts = play(position, f"pass {' '.join(PACK[3:15:4])}")
    got = {
        next(iter(fact.audience or ())): fact.fields["cards"]
        for fact in facts
        if fact.fact == "received"
    }
    assert got["east"] == [*PACK[0:12:4]]
    shown = GAME.view(position, "east").document
    assert len(shown["hand"]) == 13
    assert shown["received"] == [*PACK[0:12:4]]


@pytest.mark.parametrize(("number", "taker"), [(1, "east"), (2, "west"), (3, "south"), (5, "east")])
def test_cards_go_left_right_across_and_then_nowhere(number: int, taker: str) -> None:
    """The direction is the number of the deal's."""
    _, facts = play(mixed(number=number), f"pass {' '.join(PACK[0:12:4])}")
    assert facts[0] == Fact("passed", {"seat": "north", "to": taker})


def test_in_every_fourth_deal_nobody_passes() -> None:
    """The two of clubs is led at once, by the rules: everybody sees who holds it."""
    position = suits()
    assert GAME.to_act(position) == "south"
    assert GAME.forced(position) == Move("2C")
    assert code(position, "pass AC KC QC") == "no-passing"
    assert code(position, "pass AS KS QS") == "no-passing"
    assert code(position, "AC") == "two-of-clubs"


def test_three_different_cards_of_the_hand_are_passed() -> None:
    """One by one they are not, and no card twice."""
    position = mixed(number=1)
    first, second, third = PACK[0:12:4]
    assert code(position, first) == "pass-three"
    assert code(position, f"pass {first} {second}") == "pass-three"
    assert code(position, f"pass {first} {first} {second}") == "twice"
    assert code(position, f"pass {first} {second} {PACK[1]}") == "not-held"
    assert play(position, f"pass {third} {first} {second}") == play(
        position, f"pass {first} {second} {third}"
    )


def test_a_rank_alone_is_the_one_card_of_it_that_may_be_played() -> None:
    """Of several it is asked which, and of none it is told so."""
    position, _ = play(suits(), "2C", "2D")
    assert GAME.canonical(position, GAME.parse("my ace", "en")) == Move("AS")
    assert GAME.canonical(position, GAME.parse("play ace", "en")) == Move("AS")
    # Nothing is trump.
    assert code(position, "trump with the ace") == "no-trump"
    position = dealt(
        "2C AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
        "3C AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H",
        "QC QD 2S 2H AD KD JD TD 9D 8D 7D 6D 5D",
        "AC KC JC TC 9C 8C 7C 6C 5C 4C 4D 3D 2D",
    )
    position, _ = play(position, "2C", "3C", "the queen", "the king")
    assert code(position, "die Dame") == "illegal"
    position, _ = play(position, "5C", "3S", "AH")
    assert code(position, "the two") == "several"


def test_a_misspelt_card_is_named() -> None:
    """Beside two that are read; the last may be a remark."""
    for line in ("pass AD, qeen of diamonds, JH", "schiebe Herz Damme, QS und 2H"):
        with pytest.raises(Unreadable) as unreadable:
            GAME.parse(line, "en")
        assert not unreadable.value.chatter
        assert unreadable.value.code == "no-card"
        assert unreadable.value.fields["text"] in {"qeen of diamonds", "Herz Damme"}
    with pytest.raises(Unreadable) as unreadable:
        GAME.parse("pass AD, JH, thanks", "en")
    assert unreadable.value.chatter


def test_whoever_can_must_follow_suit() -> None:
    """And a card must be held."""
    position, _ = play(mixed(), "2C")
    seat = GAME.to_act(position)
    hand: Any = GAME.view(position, seat).document["hand"]
    other = next(card for card in hand if card[1] != "C")
    assert code(position, other) == "follow-suit"
    assert code(position, next(card for card in PACK if card not in hand)) == "not-held"


def test_no_points_fall_in_the_first_trick() -> None:
    """Unless one holds nothing else, as east does here."""
    position, _ = play(suits(), "2C", "2D")
    assert code(position, "QS") == "first-trick"
    position, facts = play(position, "AS", "AH")
    assert [fact.fact for fact in facts] == ["moved", "moved", "broken", "took"]
    assert GAME.points(position)["south"] == 1


def test_hearts_are_led_when_they_are_broken() -> None:
    """Or by whoever holds nothing else."""
    north = "2C AS KS JS TS AH KH QH AD KD QD JD TD"
    east = "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2S"
    south = "QS 9S 8S 7S 6S 5S 4S 3S JH TH 9H 8H 7H"
    west = "6H 5H 4H 3H 2H 9D 8D 7D 6D 5D 4D 3D 2D"
    position, _ = play(
        dealt(north, east, south, west), "2C", "AC", "9S", "9D", "2S", "8S", "8D", "AS"
    )
    assert code(position, "AH") == "not-broken"
    position, _ = play(position, "KS", "3C", "7S", "2H")
    assert refusal(GAME, position, Move("AH")) is None


def test_whoever_takes_all_points_shoots_the_moon() -> None:
    """All the others get 26, and the next deal begins."""
    position = suits(points="0 0 10 0", target=100)
    facts: list[Fact] = []
    while not any(fact.fact == "scored" for fact in facts):
        # South leads the clubs, which nobody else can follow.
        position, told = GAME.apply(position, GAME.orders(position)[0])
        facts += told
    assert Fact("moon", {"seat": "south", "points": 26}) in facts
    assert dict(GAME.points(position)) == {"north": 26, "east": 26, "south": 10, "west": 26}
    assert position.start == "5 26 26 10 26"
    assert GAME.to_act(position) == "chance"


def test_fewest_points_win_when_somebody_has_as_many_as_agreed() -> None:
    """Equal ones share their place."""
    position = suits(points="80 0 10 74")
    while GAME.to_act(position) is not None:
        position, _ = GAME.apply(position, GAME.orders(position)[0])
    result = GAME.result(position)
    assert result is not None
    assert result.ending == "target"
    assert dict(result.points) == {"north": 106, "east": 26, "south": 10, "west": 100}
    assert dict(result.places) == {"north": 4, "east": 2, "south": 1, "west": 3}


@pytest.mark.parametrize(
    "start", ["1", "0 0 0 0 0", "1 0 0 0", "1 0 0 0 -1", "1 0 0 0 1000", "x", "1 00 0 0 0"]
)
def test_a_start_that_is_none_is_told(start: str) -> None:
    """It is a deal's number and everybody's points."""
    with pytest.raises(BadDocument, match="points"):
        GAME.load({"game": "hearts", "start": start})


def test_a_deal_is_played_as_the_engine_plays_it() -> None:
    """Move by move, the same cards are legal and the same points come out."""
    rng = Random(9)
    position = GAME.start(GAME.colours, complete_options(GAME, {"target": 1}))
    for deal in range(8):
        engine = rules_of(GAME.engine).new_initial_state()
        # Left, right, across, not at all.
        way = {1: "Left", 2: "Right", 3: "Across", 0: "No Pass"}[(deal + 1) % 4]
        engine.apply_action(
            next(a for a in engine.legal_actions() if engine.action_to_string(a) == way)
        )
        position = GAME.load(
            {"game": "hearts", "start": f"{deal + 1} 0 0 0 0", "options": {"target": 1}}
        )
        for step in random_play(GAME, position, rng):
            words = getattr(step.order, "move", getattr(step.order, "outcome", "")).split()
            cards = [word for word in words if word in PACK]
            legal = {engine.action_to_string(action): action for action in engine.legal_actions()}
            if len(words) == 1:
                assert {order.move for order in GAME.orders(step.position)} == set(legal)  # type: ignore[attr-defined]
            for card in cards:
                engine.apply_action(legal[card])
                legal = {engine.action_to_string(a): a for a in engine.legal_actions()}
            position = step.after
        assert engine.is_terminal()
        assert [26 - points for points in GAME.points(position).values()] == engine.returns()


def test_a_deal_redealt_for_a_seat_can_be_played() -> None:
    """Nobody gets a card of a suit they showed to lack, and what was passed stays."""
    rng, changed = Random(3), 0
    start = GAME.start(GAME.colours, complete_options(GAME, {"target": 26}))
    for step in random_play(GAME, start, rng):
        for seat in (*GAME.colours, None):
            other = GAME.redeal(step.after, seat, rng)
            assert GAME.to_act(other) == GAME.to_act(step.after)
            assert GAME.view(other, seat) == GAME.view(step.after, seat)
            changed += other != step.after
    assert changed > 500


@pytest.mark.parametrize(
    ("below", "target", "above"), [(50, 75, 100), (100, 120, 150), (200, 350, 500)]
)
def test_the_first_mail_tells_turns_in_proportion_to_the_points(
    below: int, target: int, above: int
) -> None:
    """Between two measured targets they lie between their turns."""
    few, told, many = (turns_told(number) for number in (below, target, above))
    assert told == round(few + (target - below) / (above - below) * (many - few))
    assert few < told < many


def turns_told(target: int) -> int:
    """Return the turns that a first mail tells of a match to so many points."""
    options = complete_options(GAME, {"target": target})
    order = opening_order(GAME, GAME.colours, options)
    (told,) = introduction(Wording(GAME, "en"), order, 4, options)[-1].texts
    return int(re.findall(r"\d+", told)[-1])


@pytest.mark.parametrize(
    "line",
    [
        "here are my three: AS, QS, 2H",
        "Hier sind meine drei Karten: Pik Ass, Pik Dame, Herz 2",
        "Meine 3: ♠A ♠D ♥2",
        "my three cards: AS QS 2H",
    ],
)
def test_three_cards_may_be_announced_by_their_number(line: str) -> None:
    """“My three” is no card of that rank, nor is “meine 3”."""
    assert GAME.parse(line, "de").move == "pass AS QS 2H"
    for alone in ("my three", "meine drei", "meine 3"):
        with pytest.raises(Unreadable):
            GAME.parse(alone, "de")


def test_whoever_names_more_than_three_cards_is_told_how_many() -> None:
    position = mixed(1)
    refusal = GAME.refusal(position, Move(f"pass {' '.join(in_order(GAME.hand(position))[:4])}"))
    assert refusal is not None
    assert (refusal.code, refusal.fields) == ("too-many", {"count": 4})


def test_the_points_at_which_a_match_ends_are_told() -> None:
    position = mixed(1)
    scene = GAME.scene(GAME.view(position, "north"))
    (stage,) = scene.panels[0].sentences
    assert "The match ends at 100 points." in Wording(GAME, "en").sentence(stage)


def test_a_german_reads_a_trump_in_german() -> None:
    assert GAME.format(Move("trump 8D"), "de") == "steche 8♦"
    assert GAME.parse("steche 8♦", "de") == Move("trump 8D")
