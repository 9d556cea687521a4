"""Backgammon: rolls, moves in every spelling, refusals, and matches of several games."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from referee_classics.backgammon import GAME
from referee_classics.backgammon.checkers import BAR, OFF, Ways, dice_of, place_of
from referee_classics.backgammon.mat import read_mat, write_mat
from referee_classics.classic import Chance, Move, Position
from support.thorough import some

from referee.games.game import CHANCE, BadDocument, Order, Sentence, Transcript, Unreadable
from referee.games.play import complete_options
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast


def played(*moves: str, length: int = 1) -> Position:
    """Return the position after moves and rolls, each in its one spelling."""
    return GAME.load({"game": "backgammon", "options": {"length": length}, "moves": list(moves)})


def meant(position: Position, line: str) -> str:
    """Return the legal move that a line is."""
    order = GAME.canonical(position, GAME.parse(line, "en"))
    assert isinstance(order, Move)
    return order.move


@cache
def at_random(seed: int, length: int = 1) -> list[tuple[Position, Order]]:
    """Return the positions of a random match, and what was done in each."""
    rng = Random(seed)
    position = GAME.start(("white", "black"), {"length": length})
    steps: list[tuple[Position, Order]] = []
    while GAME.to_act(position):
        if GAME.to_act(position) == CHANCE:
            outcomes = GAME.chance(position)
            order = rng.choices([o for o, _ in outcomes], [weight for _, weight in outcomes])[0]
        else:
            order = rng.choice(GAME.orders(position))
        steps.append((position, order))
        position, _ = GAME.apply(position, order)
    return [*steps, (position, order)]


def steps(place: Counter[int], other: Counter[int], die: int) -> list[tuple[Counter[int], ...]]:
    """Return both sides' checkers after each way to play one die, by the rules."""
    rear, after = max(point for point, n in place.items() if n), []
    for start in [BAR] if place[BAR] else [point for point, n in place.items() if n and point]:
        stop = max(OFF, start - die)
        if stop == OFF and (rear > 6 or (start < die and rear > start)):
            continue
        if stop and other[BAR - stop] > 1:
            continue
        own, theirs = Counter(place), Counter(other)
        own[start] -= 1
        own[stop] += 1
        if stop and theirs.pop(BAR - stop, 0):
            theirs[BAR] += 1
        after.append((+own, +theirs))
    return after


def by_the_rules(place: Counter[int], other: Counter[int], roll: str) -> set[tuple[object, ...]]:
    """Return the positions that a roll may lead to: as many dice as go, of one alone the larger."""
    best: dict[tuple[object, ...], tuple[int, int]] = {}
    dice = dice_of(roll)
    for sequence in (dice, dice[::-1]):
        reached, used = [(+place, +other)], 0
        for die in sequence:
            further = [after for own, theirs in reached for after in steps(own, theirs, die)]
            if not further:
                break
            kept = {frozen(own, theirs): (own, theirs) for own, theirs in further}
            reached, used = list(kept.values()), used + 1
        for own, theirs in reached:
            value = (used, sequence[0] if used == 1 else 0)
            best[frozen(own, theirs)] = max(value, best.get(frozen(own, theirs), value))
    return {after for after, value in best.items() if value == max(best.values())}


def frozen(*places: Counter[int]) -> tuple[object, ...]:
    """Return places as they compare."""
    return tuple(tuple(sorted((+place).items())) for place in places)


@pytest.mark.parametrize("seed", some(range(1), range(1, 40)))
def test_what_may_be_played_is_what_the_rules_say(seed: int) -> None:
    """Each outcome of a roll stands in the list once, and its text leads there."""
    for position, order in at_random(seed):
        if not isinstance(order, Move) or GAME.to_act(position) is None:
            continue
        reached, player = GAME.reached(position), GAME.players[str(GAME.to_act(position))]
        own, other = (place_of(reached.state, number) for number in (player, 1 - player))
        outcomes = set()
        for text, actions in reached.legal.items():
            after = reached.state.clone()
            for action in actions:
                after.apply_action(action)
            outcome = frozen(place_of(after, player), place_of(after, 1 - player))
            assert outcome not in outcomes, text
            outcomes.add(outcome)
            moved = Counter(own)
            moved.update(Ways.read(text).net)
            assert outcome[0] == frozen(moved)[0], text
        assert outcomes == by_the_rules(own, other, position.moves[-1])


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("8/5 6/5", "8/5 6/5"),
        ("6/5 8/5", "8/5 6/5"),
        ("31: 8/5 6/5", "8/5 6/5"),
        ("3-1: 8/5, 6/5", "8/5 6/5"),
        ("31 6/5, 8/5.", "8/5 6/5"),
        ("1) 31: 8/5 6/5", "8/5 6/5"),
        ("(3-1) 8/5 6/5", "8/5 6/5"),
        ("Roll: 3-1 8/5 6/5", "8/5 6/5"),
        ("I rolled 31: 8/5 6/5", "8/5 6/5"),
        ("8 / 5  6 / 5", "8/5 6/5"),
        ("8-5 6-5", "8/5 6/5"),
        ("8 -> 5, 6→5", "8/5 6/5"),
        ("8/5 and 6/5", "8/5 6/5"),
        ("move one checker from 8 to 5 and another from 6 to 5", "8/5 6/5"),
        ("8to5 6to5", "8/5 6/5"),
        ("8/5* 6/5", "8/5 6/5"),
        ("24/20", "24/20"),
        ("24/21/20", "24/20"),
        ("24/23 23/20", "24/20"),
        ("23/20 24/23", "24/20"),
        ("13/10 24/23", "24/23 13/10"),
        ("8 / 5 6 / 5*", "8/5 6/5"),
        ("8 to 5, 6 to 5*", "8/5 6/5"),
        ("8/5 and 6 to 5", "8/5 6/5"),
    ],
)
def test_a_move_is_read_in_every_spelling(line: str, move: str) -> None:
    assert meant(played("white 3-1"), line) == move


def test_more_checkers_than_a_roll_moves_are_no_order() -> None:
    """An order that was read can be written and read again."""
    with pytest.raises(Unreadable):
        GAME.parse("1/off(3) 1/off(2)", "en")


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("8/4(2) 6/2(2)", "8/4(2) 6/2(2)"),
        ("6/2 8/4 6/2 8/4", "8/4(2) 6/2(2)"),
        ("8/4 (2) 6/2 x2", "8/4(2) 6/2(2)"),
        ("8/4 2x, 6/2 twice", "8/4(2) 6/2(2)"),
        ("2 x 8/4, 6/2 2 x", "8/4(2) 6/2(2)"),
        ("8/4x 6/2", "8/4* 6/2"),
        ("24/14x", "24/14*"),
        ("24/12x", "24/12*"),
        ("6/4x 8/4x", "6/4* 8/4*"),
        ("8/4 four times", "8/4(4)"),
        ("13-8, 24 - 20", "13/8 24/20"),
        ("5-4: 13-8 24-20", "5-4: 13/8 24/20"),
        ("13\\8 24\\20", "13/8 24/20"),
        ("4 x 8/4", "8/4(4)"),
        ("viermal 8/4", "8/4(4)"),
        ("8/4 twice 6/2 6/2", "8/4(2) 6/2(2)"),
        ("8/4, 8/4, 2x 6/2", "8/4(2) 6/2(2)"),
        ("8/4 twice, 6/2, 6/2", "8/4(2) 6/2(2)"),
        ("zweimal 8/4 und zweimal 6/2", "8/4(2) 6/2(2)"),
        ("two from 8 to 4 and two from 6 to 2", "8/4(2) 6/2(2)"),
        ("44: 8/4 8/4 6/2(2x)", "8/4(2) 6/2(2)"),
        ("13/5(2)", "13/5(2)"),
        ("13/9(2) 9/5(2)", "13/5(2)"),
        ("13/9/5 13/5", "13/5(2)"),
        ("24/16 24/16", "24/16(2)"),
        ("24/20(2) 20/16(2)", "24/16(2)"),
    ],
)
def test_a_double_is_one_order_of_four_steps(line: str, move: str) -> None:
    assert meant(played("white 6-1", "13/7 8/7", "4-4"), line) == move


HIT: tuple[str, ...] = ("white 2-1", "13/11 6/5", "4-1", "24/20* 6/5")
"""Black hits, so that White has a checker on the bar; Black's blots stand on White's 5 and 20."""


@pytest.mark.parametrize(
    ("roll", "line", "move"),
    [
        ("5-2", "bar/20* 13/11", "bar/20* 13/11"),
        ("5-2", "13/11 bar/20", "bar/20* 13/11"),
        ("5-2", "25/20 13/11", "bar/20* 13/11"),
        ("5-2", "BAR/20*, 13/11", "bar/20* 13/11"),
        ("5-2", "bar-20 13-11", "bar/20* 13/11"),
        ("5-2", "bar 20, 13/11", "bar/20* 13/11"),
        # It hits where the point is named, and otherwise takes the other die first.
        ("5-2", "bar/20*/18", "bar/20*/18"),
        ("5-2", "bar/20/18", "bar/20*/18"),
        ("5-2", "bar/23/18", "bar/18"),
        ("5-2", "bar/18", "bar/18"),
        # The sign of a hit at its end says that it hits on its way.
        ("5-2", "bar/18*", "bar/20*/18"),
        ("3-1", "bar/22 6/5", "bar/22 6/5*"),
        ("3-1", "bar/22 6/5*", "bar/22 6/5*"),
        ("3-1", "From the bar to 22, and 6/5 hitting.", "bar/22 6/5*"),
        ("3-1", "3-1: b/22 6/5x", "bar/22 6/5*"),
        ("3-1", "3/1: von der Bar auf 22 und vom 6er auf den 5er", "bar/22 6/5*"),
        ("3-1", "With the 3: bar/22. With the 1: 6/5*", "bar/22 6/5*"),
    ],
)
def test_checkers_enter_and_hit(roll: str, line: str, move: str) -> None:
    assert meant(played(*HIT, roll), line) == move


@pytest.mark.parametrize(
    "line",
    ["6/off 2/off", "bear off from 6 and 2", "bear off 6 and 2", "6off 2off", "6 raus, 2 raus"],
)
def test_checkers_are_borne_off_in_words(line: str) -> None:
    assert GAME.parse(line, "de") == Move("6/off 2/off")


@pytest.mark.parametrize(
    "line",
    [
        "24/7 is when I am at home", "1/2", "9/11", "20-10", "3-1 was my hope", "ok", "no", "so",
        "8", "8/5 paper please", "I thought of 8/5 6/5", "bar", "off", "see you on 12/24", "30/6",
        "5 to 3", "I was 24 to 13 behind",
        "the bar/20 joke", "2026-11-27", "8/5?", "", "/", "8/", "//", "8/5/", "5/5",
    ],
)  # fmt: skip
def test_talk_plays_nothing(line: str) -> None:
    with pytest.raises(Unreadable) as refused:
        GAME.parse(line, "en")
    assert refused.value.chatter


@pytest.mark.parametrize(
    ("moves", "line", "code"),
    [
        (("white 3-1",), "24/18 13/11", "not-rolled"),
        (("white 3-1",), "13/10", "use-all"),
        (("white 3-1",), "8/5 6/5 6/5", "not-rolled"),
        (("white 3-1",), "12/11 8/5", "nobody-there"),
        (("white 2-1", "13/11 6/5", "6-5", "24/13", "1-1"), "8/7(4)", "too-few"),
        (("white 3-1",), "5/8 5/6", "wrong-way"),
        (("white 3-1",), "bar/22 6/5", "bar-empty"),
        (("white 3-1",), "pass", "can-move"),
        (("white 3-1",), "passing", "can-move"),
        (("white 3-1",), "53: 8/5 6/5", "other-roll"),
        (("white 3-1",), "roll", "no-roll"),
        (("white 3-1",), "Verdoppeln.", "no-double"),
        (("white 5-1",), "24/19 6/5", "blocked"),
        (("white 6-1",), "6/off 8/7", "not-home"),
        (("white 5-1",), "6/off", "not-home"),
        ((*HIT, "6-2"), "13/7 13/11", "must-enter"),
        ((*HIT, "6-2"), "bar/19 13/11", "blocked"),
        ((*HIT, "6-2"), "6/off bar/23", "not-home"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_rule(moves: tuple[str, ...], line: str, code: str) -> None:
    position = played(*moves)
    refusal = GAME.refusal(position, GAME.parse(line, "en"))
    assert refusal is not None
    assert refusal.code == code
    assert set(refusal.legal) <= set(GAME.orders(position))
    assert refusal.legal


def test_a_checker_does_not_stop_and_hit_elsewhere_than_is_written() -> None:
    """Here one may only go by way of point 20, where it hits; another way is refused."""
    position = at_random(0)[15][0]
    assert "24/20*/15" in GAME.reached(position).legal
    assert GAME.readings(position, "24/20/15") == ["24/20*/15"]
    assert GAME.refusal(position, GAME.parse("24/19/15", "en")) is not None


@pytest.mark.parametrize("move", ["BAR/22", "Bar/22 13/OFF", "6/auſ"])
def test_a_move_of_a_program_may_have_capitals(move: str) -> None:
    """It is judged like any other, and refused with a reason."""
    assert GAME.refusal(played("white 3-1"), Move(move)) is not None


def test_the_nearest_moves_share_the_written_steps() -> None:
    refusal = GAME.refusal(played("white 3-1"), Move("13/10"))
    assert refusal is not None
    assert all("13/10" in str(order) for order in refusal.legal[:3])


def test_who_cannot_move_passes_by_itself() -> None:
    position = played(*HIT, "6-6")
    assert GAME.forced(position) == Move("pass")
    after, facts = GAME.apply(position, Move("pass"))
    assert [fact.fact for fact in facts] == ["stuck"]
    assert GAME.to_act(after) == CHANCE


def test_the_first_roll_decides_who_begins() -> None:
    position = GAME.start(("white", "black"), {"length": 1})
    outcomes = GAME.chance(position)
    assert len(outcomes) == 30
    assert {weight for _, weight in outcomes} == {1}
    after, facts = GAME.apply(position, Chance("black 6-2"))
    assert GAME.to_act(after) == "black"
    assert [fact.fields for fact in facts] == [
        {"seat": "black", "other": "white", "high": 6, "low": 2}
    ]


def test_a_double_is_rolled_half_as_often_as_another_roll() -> None:
    weights = dict(GAME.chance(played("white 3-1", "8/5 6/5")))
    assert len(weights) == 21
    assert weights[Chance("3-1")] == 2
    assert weights[Chance("4-4")] == 1


def test_bearing_off_takes_the_rearmost_checker_with_a_higher_die() -> None:
    codes = Counter[str]()
    for seed in range(4):
        for position, order in at_random(seed):
            if not isinstance(order, Move) or GAME.to_act(position) is None:
                continue
            place = place_of(GAME.reached(position).state, GAME.players[str(GAME.to_act(position))])
            if max(point for point, n in place.items() if n) <= 6:
                for point in range(1, 7):
                    refusal = GAME.refusal(position, Move(f"{point}/off"))
                    codes[refusal.code if refusal else "played"] += 1
    assert set(codes) >= {"rear-first", "use-all", "nobody-there", "not-rolled", "played"}


def test_a_match_goes_on_in_the_next_game_until_somebody_has_the_points() -> None:
    steps = at_random(5, length=3)
    last = steps[-1][0]
    begun = [
        position for position, order in steps if isinstance(order, Chance) and " " in order.outcome
    ]
    assert len(begun) > 1
    totals = [max(GAME.points(position).values()) for position in begun]
    assert totals == sorted(totals)
    assert totals[-1] < 3 <= max(GAME.points(last).values())
    result = GAME.result(last)
    assert result is not None
    assert result.points == GAME.points(last)
    winner = max(result.points, key=lambda seat: result.points[seat])
    assert result.places[winner] == 1
    assert GAME.load(GAME.dump(last)) == last


def test_a_document_that_holds_a_whole_game_of_a_match_is_the_start_of_the_next_one() -> None:
    orders = [order for _, order in at_random(5)[:-1]]
    over = played(*(GAME.format(order, "en") for order in orders))
    position = played(*over.moves, length=15)
    assert GAME.points(position) == GAME.points(over)
    assert GAME.to_act(position) == CHANCE
    assert position.moves == ()


@pytest.mark.parametrize(
    ("moves", "number"),
    [
        (["3-1"], 0),
        (["white 3-1", "8/5 6/5", "white 3-1"], 2),
        (["white 3-1", "6/5 8/5"], 1),
        (["white 3-3"], 0),
        (["white 3-1", "8/5 6/5", "8/5 6/5"], 2),
    ],
)
def test_a_document_holds_only_what_can_be_played(moves: list[str], number: int) -> None:
    assert [fault.path for fault in GAME.check({"game": "backgammon", "moves": moves})] == [
        f"$.moves[{number}]"
    ]


def test_a_match_has_one_to_fifteen_points() -> None:
    for length in (1, 15):
        assert complete_options(GAME, {"length": length}) == {"length": length}
    for length in (0, 16, "5", True):
        [fault] = GAME.check({"game": "backgammon", "options": {"length": length}})
        assert "option length" in fault.message


MAT = """; made elsewhere

 5 point match

 Game 1
 Ann Lee : 0                         Bo : 3
  1)                                 62: 24/18 13/11
  2) 31: 8/5 6/5                     66: 24/18 13/7(3)
  3) 11: 24/23(2) 6/4
"""
"""A match that Bo begins, in which they resign or have lost count."""


def test_a_match_is_written_as_other_programs_know_it_and_read_back() -> None:
    steps = at_random(5, length=3)
    last, orders = steps[-1][0], tuple(GAME.format(order, "en") for _, order in steps[:-1])
    players = {"white": "Ann Lee", "black": "Bo"}
    told = Transcript(last.seats, dict(last.options), orders, None, GAME.result(last), players)
    text = write_mat(told)
    [read] = read_mat(text)
    position = GAME.start(read.seats, read.options)
    for line in read.orders:
        order = GAME.canonical(position, GAME.parse(line, "en"))
        position, _ = GAME.apply(position, order)
    assert position == last
    assert read.players == players
    assert read.result is not None
    assert read.result.places == told.result.places
    assert text.startswith(" 3 point match\n\n Game 1\n Ann Lee : 0")
    assert max(map(len, text.splitlines())) < 78


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("Maximilian of the Long Name, the Younger", "Maximilian of the Long Nam"),
        ("Team: A", "Team  A"), ("–", "White"), ("", "White"),
    ],
)  # fmt: skip
def test_a_name_stays_in_its_column(name: str, read: str) -> None:
    """A colon stands behind it, and it may be told by nobody."""
    steps = at_random(5, length=1)
    orders = tuple(GAME.format(order, "en") for _, order in steps[:-1])
    players = {"white": name, "black": "Bo"}
    told = Transcript(steps[-1][0].seats, {"length": 1}, orders, None, None, players)
    [match] = read_mat(write_mat(told))
    assert match.players == {"white": read, "black": "Bo"}


def test_a_match_of_another_program_is_read() -> None:
    [read] = read_mat(MAT)
    assert read.options == {"length": 5}
    assert read.orders[:4] == ("black 6-2", "24/18 13/11", "3-1", "8/5 6/5")
    assert read.places[2] == "game 1, move 2"
    assert read.result is None
    [resigned] = read_mat(f"{MAT}{' ' * 34}Wins 2 points")
    assert resigned.result is not None
    assert resigned.result.places == {"black": 1, "white": 2}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "must say"),
        ("hello", "must say"),
        (" 5 point match", "must say"),
        (" 5 point match\n Game 1\n", "must begin with both players"),
        (MAT.replace("66: 24/18 13/7(3)", "Doubles => 2"), "without the cube"),
    ],
)
def test_a_text_that_is_no_match_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadDocument, match=reason):
        list(read_mat(text))


@pytest.mark.parametrize(("pips", "told"), [(1, "noch 1 Auge, 14"), (2, "noch 2 Augen, 14")])
def test_a_single_pip_is_told_as_one(pips: int, told: str) -> None:
    sentence = Sentence("pips", {"seat": "white", "pips": pips, "off": 14})
    assert told in Wording(GAME, "de").sentence(sentence)


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", ["White's bar", "White's tray", "Black's tray", "Black's bar"]),
     ("de", ["Bar von Weiß", "Ablage von Weiß", "Ablage von Schwarz", "Bar von Schwarz"])],
)  # fmt: skip
def test_bars_and_trays_are_told_by_whose_they_are(language: str, told: list[str]) -> None:
    """Not by a capital alone, and in the reader's language."""
    wording = Wording(GAME, language)
    cells = {cell.space: cell for cell in GAME.scene(GAME.view(played(), None)).cells}
    assert [wording.space(cells[space]) for space in ("bar", "off", "Off", "Bar")] == told
    own = {cell.space: cell for cell in GAME.scene(GAME.view(played(), "black")).cells}
    assert wording.space(own["bar"]) == told[3]


@pytest.mark.parametrize(
    "line",
    [
        "double! 24/22(2) 13/11(2)",
        "Pasch: 24/22(2) 13/11(2)",
        "doubles. 24/22(2), 13/11(2)",
        "24/22 13/11, each twice",
        "24/22 und 13/11 (je zweimal)",
    ],
)
def test_a_double_may_be_told_with_its_moves(line: str) -> None:
    """Before moves the word is no offer of the cube, and “each twice” goes for all of them."""
    rolled = played("white 6-4", "24/14", "2-2")
    order = GAME.parse(line, "de")
    assert GAME.refusal(rolled, order) is None
    assert GAME.canonical(rolled, order) == Move("24/22(2) 13/11*(2)")
    assert GAME.parse(GAME.format(order, "en"), "en") == order


def test_a_double_that_was_not_rolled_is_told_so() -> None:
    refusal = GAME.refusal(played("white 5-4"), GAME.parse("double! 24/20 13/8", "en"))
    assert refusal is not None
    assert refusal.code == "no-double"


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("komme rein auf 21 und von 2 auf 1", "bar/21 2/1"),
        ("Einsetzen auf 20 und 6-2", "bar/20 6/2"),
        ("enter on 20, 6/2", "bar/20 6/2"),
        ("3/2 and bear one off from 3", "3/2 3/off"),
    ],
)
def test_entering_and_bearing_off_are_read_in_more_words(line: str, move: str) -> None:
    assert GAME.parse(line, "de") == Move(move)
