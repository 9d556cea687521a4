"""Euchre: trumps named, bowers, one who plays alone, and deal after deal to ten points."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from referee_classics.cards import SUIT_NAMES
from referee_classics.classic import Move, Position
from referee_classics.euchre import GAME
from support import lines
from support.club import Mail, open_club

from referee.games.game import Fact, Unreadable
from referee.games.play import complete_options, random_play
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

HANDS = ("9S TS QS KS AS", "JC JS 9H TH QH", "9C TC QC KC AC", "9D TD QD KD AD")
"""North deals and has five spades; east has both black jacks."""


def dealt(card: str = "JH", start: str = "1 0 0 0 0", **options: int) -> Position:
    """Return the deal of these hands, north being the dealer; a card is turned up."""
    rows = zip(*(hand.split() for hand in HANDS), strict=True)
    moves = [f"deal {card}" for row in rows for card in row]
    moves.append(f"deal {card}")
    return GAME.load({"game": "euchre", "start": start, "options": options, "moves": moves})


play, code = partial(lines.play, GAME), partial(lines.code, GAME)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("pass", "pass"), ("I pass", "pass"), ("Passe", "pass"), ("Passing", "pass"),
        ("I'm passing", "pass"), ("Ich muss passen", "pass"), ("order up", "order up"),
        ("Order it up", "order up"), ("pick it up!", "order up"), ("nimm auf", "order up"),
        ("call spades", "call spades"), ("Spades", "call spades"),
        ("make it hearts", "call hearts"),
        ("trumpf Karo", "call diamonds"), ("ich sage Kreuz an", "call clubs"), ("alone", "alone"),
        ("I play alone", "alone"), ("I go alone", "alone"), ("allein", "alone"),
        ("with my partner", "partner"), ("mit Partner", "partner"), ("JS", "JS"),
        ("play the jack of spades", "JS"), ("bury the jack of spades", "JS"),
        ("ich drücke Pik Bube", "JS"), ("put JS away", "JS"),
        ("Pik Bauer", "JS"), ("♠", ""), ("s", ""), ("ok", ""),
        ("call ♠", "call spades"), ("trumpf ♥", "call hearts"),
    ],
)  # fmt: skip
def test_bids_and_cards_are_read_in_either_language(line: str, move: str) -> None:
    """A suit's letter or sign alone names nothing."""
    if move:
        assert GAME.parse(line, "en") == GAME.parse(line, "de") == Move(move)
        return
    with pytest.raises(Unreadable):
        GAME.parse(line, "en")


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_bid_is_read_as_it_is_written(language: str) -> None:
    """The suits are words in either language."""
    suits = ("spades", "hearts", "clubs", "diamonds")
    for move in ("pass", "order up", "alone", "partner", *(f"call {suit}" for suit in suits)):
        assert GAME.parse(GAME.format(Move(move), language), language) == Move(move)


def test_the_card_turned_up_goes_to_the_dealer() -> None:
    """A player names its suit to order it up; the dealer puts a card away that nobody else sees."""
    position = dealt()
    assert GAME.to_act(position) == "east"
    assert code(position, "call spades") == "turned-up"
    assert code(position, "JC") == "bid-now"
    position, facts = play(position, "pass", "hearts")
    assert facts[-1] == Fact("ordered", {"seat": "south"})
    assert GAME.to_act(position) == "north"
    assert code(position, "JH") == "kept"
    position, facts = play(position, "9S")
    assert facts[-1] == Fact("put-away", {"card": "9S"}, frozenset({"north"}))
    shown: Any = GAME.view(position, "east").document
    assert shown["away"] == ""
    assert GAME.to_act(position) == "south"
    assert code(position, "9C") == "choice-now"


def test_the_dealer_must_name_a_suit_at_last() -> None:
    """When the card was turned down, another one."""
    position, _ = play(dealt(), *["pass"] * 4)
    assert code(position, "hearts") == "turned-down"
    assert code(position, "order up") == "turned-down"
    position, _ = play(position, *["pass"] * 3)
    assert code(position, "pass") == "stuck"
    position, _ = play(position, "call spades")
    assert GAME.to_act(position) == "north"


def test_the_jacks_of_a_colour_are_the_highest_trumps() -> None:
    """The other jack of the colour has to be played where trumps are led."""
    position, _ = play(dealt(), *["pass"] * 7, "spades", "partner", "9H", "9C", "9D", "AS")
    position, _ = play(position, "KS")
    assert code(position, "TH") == "follow-suit"
    position, facts = play(position, "JC", "TC", "TD")
    assert facts[-1] == Fact("took", {"seat": "east"})
    assert play(position, "JS", "QC", "QD", "9S")[1][-1] == Fact("took", {"seat": "east"})


@pytest.mark.parametrize(
    ("trump", "first", "lead", "card", "told"),
    [
        ("spades", "9H KH 9D AH", "KS", "TH", "♠ was led, and J♣ counts as a trump (♠)."),
        ("diamonds", "JC AC TS 9S", "KH 9D AH", "JH", "♥ was led, and J♥ counts as a trump (♦)."),
    ],
)
def test_a_refusal_says_that_the_other_jack_is_a_trump(
    trump: str, first: str, lead: str, card: str, told: str
) -> None:
    """It alone can follow, or cannot be played to the suit that stands on it; the hand tells it."""
    hands = ("9S AH QS KS AS", "JC JH 9H TH QH", "9C TC QC KH AC", "9D TD QD KD TS")
    rows = zip(*(hand.split() for hand in hands), strict=True)
    moves = [f"deal {card}" for row in rows for card in row]
    start = GAME.load({"game": "euchre", "start": "1 0 0 0 0", "moves": [*moves, "deal KC"]})
    named, _ = play(start, *["pass"] * 7, trump, "partner")
    position, _ = play(named, *first.split(), *lead.split())
    refusal, wording = GAME.refusal(position, Move(card)), Wording(GAME, "en")
    assert refusal is not None
    assert wording.refusal(refusal) == f"You have to follow suit: {told}"
    (secret,) = GAME.scene(GAME.view(named, "east")).secrets
    assert [wording.sentence(note) for note in secret.notes] == [told.partition("and ")[2]]


def test_whoever_plays_alone_plays_without_their_partner() -> None:
    """For four points if they take all tricks."""
    position, _ = play(dealt("JD"), *["pass"] * 7, "clubs", "alone")
    assert GAME.to_act(position) == "east"
    position, _ = play(position, "QH", "9D")
    assert GAME.to_act(position) == "north"
    position, facts = play(dealt("AH"), "pass", "pass", "pass", "order up", "9S", "alone")
    assert facts[-1] == Fact("alone", {"seat": "north"})
    # South sits out.
    assert [GAME.to_act(play(position, *lines)[0]) for lines in ((), ("TH",), ("TH", "9D"))] == [
        "east", "west", "north",
    ]  # fmt: skip


def test_what_the_dealer_and_the_maker_have_to_say_is_told_to_all() -> None:
    """No hidden card is named: what is taken up was turned up."""
    ordered, _ = play(dealt(), "order up")
    exchanged, _ = play(ordered, "9S")
    chosen, _ = play(exchanged, "alone")

    def told(position: Position, language: str) -> str:
        panels = GAME.scene(GAME.view(position, "west")).panels
        return Wording(GAME, language).sentence(panels[0].sentences[0])

    assert "North takes J♥ and puts one of the other five away." in told(ordered, "en")
    assert "Nord nimmt B♥ auf und legt eine der anderen fünf Karten weg." in told(ordered, "de")
    assert "away" not in told(exchanged, "en")
    assert "East says whether they play alone." in told(exchanged, "en")
    assert "Ost sagt noch, ob allein gespielt wird." in told(exchanged, "de")
    assert told(chosen, "en").endswith("East named it and plays alone.")


def test_only_a_trump_trumps() -> None:
    """A rank that trumps is that of the trump, and another card is refused."""
    hands = ("9S JC TC AD JD", "KS 9H TH QH KH", "9C JS QC KC AC", "9D TD QD KD AS")
    rows = zip(*(hand.split() for hand in hands), strict=True)
    moves = [f"deal {card}" for row in rows for card in row]
    start = GAME.load({"game": "euchre", "start": "1 0 0 0 0", "moves": [*moves, "deal AH"]})
    named, _ = play(start, *["pass"] * 7, "clubs", "partner")
    position, _ = play(named, "TH", "9C", "9D")
    assert GAME.canonical(position, GAME.parse("I trump with the jack", "en")) == Move("JC")
    assert GAME.canonical(position, GAME.parse("steche mit dem Buben", "de")) == Move("JC")
    assert code(position, "I trump with the ace") == code(position, "ruff with AD") == "no-trump"
    assert code(position, "trump with KC") == "not-held"
    position, _ = play(named, "KS", "9C", "AS")
    assert code(position, "trump with JC") == "follow-suit"


def test_a_match_ends_at_the_points_agreed_for_both_partners() -> None:
    """Points are a side's; the engine counts the same in every deal."""
    rng, ends = Random(2), 0
    position = GAME.start(GAME.colours, complete_options(GAME, {"target": 4}))
    for step in random_play(GAME, position, rng):
        position = step.after
        if any(fact.fact == "scored" for fact in step.facts):
            state = GAME.reached(step.position).state.clone()
            state.apply_action(GAME.reached(step.position).legal[step.order.move][0])  # type: ignore[attr-defined]
            before = GAME.points(step.position)
            gained = [GAME.points(position)[seat] - before[seat] for seat in GAME.colours]
            assert [max(points, 0) for points in state.returns()] == gained
            ends += 1
    result = GAME.result(position)
    assert result is not None
    assert result.places["north"] == result.places["south"] != result.places["east"]
    assert max(result.points.values()) >= 4
    assert ends > 1


def test_partners_win_together_and_lose_together(tmp_path: Path) -> None:
    """The last mails name no places: there are two sides."""
    club, rng = open_club(tmp_path), Random(1)
    people = {seat: f"{seat}@example.test" for seat in GAME.colours}
    seats = (f"{seat}={address}" for seat, address in people.items())
    name = club.new_match("euchre", *seats, options=["target=1"]).name
    reports: dict[str, Mail] = {}
    for _ in range(60):
        club.work()
        for seat, address in people.items():
            for mail in club.mails(address):
                # In a turn that goes on a receipt says what may be done next.
                if mail.kind in {"report", "receipt"}:
                    reports[seat] = mail
        if (acting := club.match(name).to_act) is None:
            break
        legal = [str(order) for order in reports[acting].turn_file["legal"]]
        club.answer(reports[acting], rng.choice(legal), people[acting])
    said = {seat: mail.flat for seat, mail in reports.items()}
    won = {seat for seat in said if "Over: you have won." in said[seat]}
    assert won in ({"north", "south"}, {"east", "west"})
    assert all("Over: you have lost." in said[seat] for seat in said.keys() - won)
    assert not any("shared" in told for told in said.values())
    club.desk.store.close()


@pytest.mark.parametrize(
    "text",
    ["order up alone", "order up, alone", "pick it up and go alone", "order up\nalone",
     "aufnehmen, allein", "hearts alone"],
)  # fmt: skip
def test_who_orders_up_and_plays_alone_may_say_both_at_once(tmp_path: Path, text: str) -> None:
    """The second waits until the dealer has put a card away."""
    club = open_club(tmp_path)
    people = {seat: f"{seat}@example.test" for seat in GAME.colours}
    club.new_match("euchre", *(f"{seat}={address}" for seat, address in people.items()))
    club.work()
    maker = str(club.match("euchre-1").to_act)
    report = club.last(people[maker], "report")
    suit = SUIT_NAMES[report.turn_file["view"]["card"][1]]
    club.answer(report, text.replace("hearts", suit), people[maker])
    club.work()
    dealer = str(club.match("euchre-1").to_act)
    assert dealer != maker
    report = club.last(people[dealer], "report")
    club.answer(report, str(report.turn_file["legal"][0]), people[dealer])
    club.work()
    told = club.last(people[maker], "report").flat
    assert "Played, as your mail had said: alone" in told
    club.desk.store.close()


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("spades alone", ["spades", "alone"]), ("trumpf Karo, allein", ["trumpf Karo", "allein"]),
        ("order up with my partner", ["order up", "with my partner"]), ("alone", ["alone"]),
        ("Hearts, partner", ["Hearts, partner"]), ("I am alone", ["I am alone"]),
    ],
)  # fmt: skip
def test_a_bid_is_parted_from_the_word_that_its_player_is_alone(line, parts) -> None:
    assert GAME.parts(line) == parts


def test_a_dealer_who_takes_the_card_is_told_to_put_one_away_first() -> None:
    position, _ = play(dealt(), "pass", "pass", "pass", "order up")
    assert code(position, "alone") == "away-now"


def test_a_deal_redealt_for_a_seat_can_be_played() -> None:
    """Nobody gets a card of a suit they showed to lack, the bower counted among trumps."""
    rng, changed = Random(3), 0
    start = GAME.start(GAME.colours, complete_options(GAME, {"target": 2}))
    for step in random_play(GAME, start, rng):
        for seat in (*GAME.colours, None):
            other = GAME.redeal(step.after, seat, rng)
            assert GAME.to_act(other) == GAME.to_act(step.after)
            assert GAME.view(other, seat) == GAME.view(step.after, seat)
            changed += other != step.after
    assert changed > 100
