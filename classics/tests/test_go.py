"""Go: placing, taking, ko, handicap, and dead stones agreed by both."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from referee_classics.classic import Position
from referee_classics.go import GAME, handicap_points, sgf_point

from referee.games.game import Fact, Refusal, Unreadable
from referee.games.play import complete_options, play, random_play
from referee.render.drawings.board import text_board
from referee.render.words.wording import Wording


def begun(**options: str | int) -> Position:
    """Return the first position on a board of nine lines."""
    return GAME.start(("black", "white"), complete_options(GAME, {"size": "9x9", **options}))


def after(start: Position, *lines: str) -> Position:
    """Return the position after moves that must be legal."""
    done = play(GAME, start, [GAME.parse(line, "en") for line in lines])
    assert done.refusal is None, done.refusal
    return done.position


def refused(start: Position, *lines: str) -> Refusal:
    """Return the refusal of the last of some moves."""
    done = play(GAME, start, [GAME.parse(line, "en") for line in lines])
    assert done.refusal is not None
    assert len(done.orders) == len(lines) - 1
    return done.refusal


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("D4", "D4"),
        ("d4", "D4"),
        ("d 4", "D4"),
        ("d-4", "D4"),
        ("B D4", "black D4"),
        ("black d4", "black D4"),
        ("schwarz D4", "black D4"),
        ("Black: D4", "black D4"),
        ("B[dd]", "[dd]"),
        (";W[dd]", "[dd]"),
        ("[dd]", "[dd]"),
        ("Tengen", "tengen"),
        ("Stein auf d4", "D4"),
        ("setze einen Stein auf d4", "D4"),
        ("at d4", "D4"),
        ("d4, atari!", "D4"),
        ("black plays d4", "black D4"),
        ("pass", "pass"),
        ("passe", "pass"),
        ("Passing", "pass"),
        ("I'm passing", "pass"),
        ("Ich muss passen", "pass"),
        ("b at d4", "black D4"),
        ("dead d4", "dead D4"),
        ("tot D4", "dead D4"),
        ("lebt D4", "alive D4"),
        ("fertig", "done"),
        ("weiter", "resume"),
    ],
)
def test_moves_are_read_as_players_write_them(line: str, move: str) -> None:
    for language in ("en", "de"):
        assert GAME.parse(line, language) == GAME.order_types["move"](move)


@pytest.mark.parametrize(
    "line",
    [
        "ok",
        "no",
        "so",
        "hi",
        "I am on B 5 today",
        "a4 paper",
        "go",
        "hm",
        "dd",
        "D4 or E5",
        "pass the salt",
        "",
    ],
)
def test_talk_is_no_move(line: str) -> None:
    with pytest.raises(Unreadable) as unread:
        GAME.parse(line, "en")
    assert unread.value.chatter


def test_a_pair_of_letters_is_a_point_from_the_upper_left_corner() -> None:
    """As SGF counts: ``dd`` is D16 on nineteen lines and D6 on nine."""
    assert (sgf_point("dd", 19), sgf_point("dd", 9), sgf_point("ss", 9)) == ("D16", "D6", "ss")
    assert after(begun(), "[dd]").moves == ("D6",)
    assert after(begun(), "tengen").moves == ("E5",)


def test_a_stone_without_a_free_point_beside_it_is_taken() -> None:
    position = after(begun(), "A2", "A1", "B1")
    assert GAME.stones(position) == {"A2": "X", "B1": "X"}
    assert GAME.result(position) is None


def test_a_stone_that_would_have_no_liberty_and_take_nothing_is_refused() -> None:
    assert refused(begun(), "A2", "E5", "B1", "A1").code == "suicide"


def test_a_board_may_not_come_back() -> None:
    """White may not take back at once in a ko."""
    lines = ("D5", "E5", "C4", "F4", "D3", "E3", "E4", "D4", "E4")
    assert refused(begun(), *lines).code == "ko"


def test_no_board_comes_back_after_several_moves_either() -> None:
    """Two stones are sent and one returns; the engine would end the game by it."""
    lines = ("C2", "A2", "D1", "B2", "B1", "E5", "A1", "C1")
    assert refused(begun(), *lines, "B1").code == "ko"
    position = after(begun(), *lines)
    assert "B1" not in [GAME.format(order, "en") for order in GAME.orders(position)]
    assert GAME.result(after(begun(), *lines, "G7", "G3", "B1")) is None


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("D4", "D4"), "occupied"),
        (("I5",), "no-such-point"),
        (("K5",), "no-such-point"),
        (("tt",), None),
        (("done",), "not-counting"),
        (("dead D4",), "not-counting"),
        (("pass", "pass", "D4"), "counting"),
        (("pass", "pass", "dead D4"), "no-stone"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    lines: tuple[str, ...], code: str | None
) -> None:
    if code is None:
        with pytest.raises(Unreadable):
            GAME.parse(lines[-1], "en")
        return
    refusal = refused(begun(), *lines)
    assert refusal.code == code
    assert len(refusal.legal) >= 2


@pytest.mark.parametrize(
    "line", ["everything alive", "All stones are alive.", "alles lebt", "nothing is dead"]
)
def test_whoever_says_that_all_is_alive_agrees_that_nothing_is_dead(line: str) -> None:
    """Where the other has marked chains, they are what is not."""
    both = after(begun(), "D4", "E5", "pass", "pass")
    order = GAME.parse(line, "en")
    assert GAME.apply(both, order)[0] == after(both, "done")
    marked = after(both, "dead D4", "dead E5", "done")
    assert GAME.score(GAME.apply(marked, order)[0]) == GAME.score(both)
    alive, (fact,) = GAME.apply(marked, order)
    assert fact == Fact("marked-alive", {"seat": "white", "points": ["D4", "E5"]})
    assert GAME.score(after(alive, "done", "done")) == GAME.score(both)


def test_a_stone_is_the_example_where_all_star_points_are_taken() -> None:
    """With nine stones of handicap White is not shown to pass first."""
    first, *_ = GAME.orders(begun(size="19x19", handicap=9))
    assert GAME.format(first, "en") != "pass"


def test_both_pass_agree_on_dead_stones_and_the_game_is_counted() -> None:
    """A stone marked dead counts for whoever surrounds it; the other agrees by the same list."""
    walls = [line for row in range(1, 10) for line in (f"D{row}", f"F{row}")]
    position = after(begun(komi="0.5"), *walls, "pass", "A5", "pass", "pass")
    assert GAME.to_act(position) == "black"
    position = after(position, "done")
    assert GAME.to_act(position) == "white"
    position = after(position, "dead A5", "done")
    assert GAME.to_act(position) == "black"
    assert GAME.result(position) is None
    over = after(position, "done")
    assert GAME.to_act(over) is None
    assert GAME.score(over) == {"black": 36, "white": 36.5}
    result = GAME.result(over)
    assert result is not None
    assert (result.ending, result.places) == ("counted", {"black": 2, "white": 1})


def test_territory_counts_prisoners_and_not_stones() -> None:
    walls = [line for row in range(1, 10) for line in (f"D{row}", f"F{row}")]
    position = after(begun(komi="0", count="territory"), *walls, "pass", "A5", "pass", "pass")
    over = after(position, "dead A5", "done", "done")
    assert GAME.score(over) == {"black": 28, "white": 27}


def test_who_disagrees_plays_on() -> None:
    """The seat that was to act when both had passed goes on; after two times all stones live."""
    position = after(begun(), "D4", "pass", "pass", "resume")
    assert GAME.to_act(position) == "white"
    position = after(position, "E5", "pass", "pass", "resume", "E6", "pass", "pass")
    assert GAME.to_act(position) is None


@pytest.mark.parametrize("number", range(10))
def test_handicap_stones_stand_on_their_points_and_white_begins(number: int) -> None:
    for size in ("13x13", "19x19"):
        position = begun(size=size, handicap=number)
        stones = 0 if number < 2 else number
        assert GAME.stones(position) == dict.fromkeys(
            handicap_points(GAME.size(position), number), "X"
        )
        assert len(GAME.stones(position)) == stones
        assert GAME.to_act(position) == ("white" if stones else "black")


def test_a_small_board_has_no_points_for_nine_handicap_stones() -> None:
    with pytest.raises(ValueError, match="points for 5 handicap stones"):
        begun(handicap=9)
    with pytest.raises(ValueError, match=r"komi is one of usual, 0, 0\.5"):
        begun(komi="7.3")


@pytest.mark.parametrize("seed", range(4))
def test_every_listed_move_can_be_played_and_is_read_back(seed: int) -> None:
    for step in islice(random_play(GAME, begun(), Random(seed)), 120):
        for order in GAME.orders(step.position)[:: 1 + seed]:
            assert GAME.refusal(step.position, order) is None
            for language in ("en", "de"):
                assert GAME.parse(GAME.format(order, language), language) == order


def test_several_points_on_a_line_are_marked_one_after_the_other() -> None:
    assert GAME.parts("dead D4, E5 and F6") == ["dead D4", "dead E5", "dead F6"]
    assert GAME.parts("tot d4 e5") == ["tot d4", "tot e5"]
    assert GAME.parts("alive F4, dead A2 and dead B1") == ["alive F4", "dead A2", "dead B1"]
    assert GAME.parts("Tote Steine: C7 und H3") == ["Tote C7", "Tote H3"]
    assert GAME.parts("C7 tot, fertig") == ["tot C7", "fertig"]
    assert GAME.parts("dead C7, done") == ["dead C7", "done"]
    assert GAME.parts("C7 dead") == ["C7 dead"]
    assert GAME.parts("dead D4 dead") == ["dead D4 dead"]
    assert GAME.parts("dead tired") == ["dead tired"]
    assert GAME.parts("D4") == ["D4"]


def test_a_stone_of_the_other_side_is_refused_and_ones_own_is_played() -> None:
    assert after(begun(), "black D4") == after(begun(), "D4")
    assert after(begun(), "Black: pass") == after(begun(), "pass")
    assert refused(begun(), "D4", "B D6").code == "other-colour"
    assert refused(begun(), "D4", "E5", "black D4").code == "occupied"


def test_what_is_proposed_fits_the_stage_of_the_game() -> None:
    """Before both have passed that is a pass, and afterwards the end of the talk or playing on."""
    legal = [move.move for move in refused(begun(), "D4", "dead D4").legal]
    assert legal[0] == "pass"
    legal = [move.move for move in refused(begun(), "D4", "pass", "pass", "E5").legal]
    assert legal[:2] == ["done", "resume"]


def test_dead_stones_are_small_letters_on_a_board_as_narrow_as_ever() -> None:
    """The legend names them, and in the picture they are crossed."""
    marked = after(begun(), "D4", "E4", "pass", "pass", "dead D4")
    scene = GAME.scene(GAME.view(marked, "black"))
    lines = text_board(scene, Wording(GAME, "en"))
    assert "4 . . . x O . . . . 4" in lines
    assert lines[-1] == "Signs: X Black; O White; x/o marked dead"


def test_talk_about_dead_stones_ends_after_three_turns_of_each() -> None:
    """Whoever was to act when both had passed goes on; an agreement in the last turn counts."""
    begin = after(begun(), "D4", "E4", "pass", "pass")
    talk = after(begin, *["dead D4", "done", "alive D4", "done"] * 2, "dead D4", "done", "alive D4")
    assert GAME.to_act(talk) == "white"
    position, facts = GAME.apply(talk, GAME.parse("done", "en"))
    assert GAME.to_act(position) == "black"
    assert [fact.fact for fact in facts] == ["done", "not-agreed"]
    assert after(position, "E5").moves[-1] == "E5"
    agreed = after(begin, *["dead D4", "done", "alive D4", "done"] * 2, "dead D4", "done", "done")
    assert GAME.result(agreed) is not None


def test_marks_are_taken_back_once_in_a_turn() -> None:
    """So nobody marks for ever; in the next turn the other side may."""
    talk = after(begun(), "D4", "E4", "pass", "pass", "dead D4", "alive D4")
    assert refused(talk, "dead D4").code == "marked-often"
    assert after(talk, "done", "dead D4")


@pytest.mark.parametrize(("handicap", "komi"), [(0, "6.5"), (2, "0.5")])
def test_the_usual_komi_is_small_where_black_has_stones_already(handicap: int, komi: str) -> None:
    assert GAME.komi(dict(begun(handicap=handicap).options)) == komi
    assert GAME.komi(dict(begun(handicap=handicap, komi="5").options)) == "5"


def test_points_near_the_refused_one_are_proposed() -> None:
    legal = [move.move for move in refused(begun(), "D4", "D4").legal]
    assert set(legal[:4]) == {"C4", "D5", "E4", "D3"}


def test_the_count_is_told_with_its_result_as_players_write_it() -> None:
    """Nobody's lead is empty."""
    for komi, margin in (("6.5", "W+6.5"), ("0", "")):
        before = after(begun(komi=komi), "D4", "E4", "pass", "pass", "done")
        _, facts = GAME.apply(before, GAME.parse("done", "en"))
        assert facts[-1].fields == {"black": "1", "white": f"{1 + float(komi):g}", "margin": margin}


def test_the_first_examples_are_a_star_point_and_passing() -> None:
    for size, star in (("9x9", "G7"), ("13x13", "K10"), ("19x19", "Q16")):
        assert [move.move for move in GAME.orders(begun(size=size))[:2]] == [star, "pass"]


@pytest.mark.parametrize(
    "moves",
    [
        ["D4", "E5", "resume"],
        ["D4", "done"],
        ["D4", "pass", "pass", "dead Z9"],
        ["D4", "pass", "pass", "dead D4", "dead D4"],
        ["D4", "pass", "pass", "done", "done", "done"],
    ],
)
def test_a_document_says_of_stones_only_what_may_be_said(moves: list[str]) -> None:
    """Each move of a document has to be legal where it stands, talk about stones included."""
    (fault,) = GAME.check({"game": "go", "options": {"size": "9x9"}, "moves": moves})
    assert fault.path == f"$.moves[{len(moves) - 1}]"


def test_a_mark_that_stands_already_is_no_fault() -> None:
    """Whoever lists stones need not know which hang together; the position stays as it is."""
    marked = after(begun(), "D4", "E5", "D5", "B2", "pass", "pass", "dead D4", "done")
    assert GAME.apply(marked, GAME.parse("dead D5", "en")) == (marked, ())
    listed = [line for part in ("dead D5, D4, E5, alive B2",) for line in GAME.parts(part)]
    assert after(marked, *listed) == after(marked, "dead E5")
    assert refused(marked, "alive B2").code == "marked"


def test_in_place_of_a_refused_mark_no_other_stone_is_named() -> None:
    """A click must not mark a stone that nobody spoke of, nor say the contrary."""
    marked = after(begun(), "D4", "E5", "D5", "D6", "pass", "pass", "dead E5")
    for line in ("alive D6", "dead E4", "dead E10", "dead I5"):
        fresh = after(begun(), "D4", "E5", "D5", "D6", "pass", "pass")
        near = [move.move for move in refused(fresh, line).legal]
        assert near == ["done", "resume"]
    assert [move.move for move in refused(marked, "D5").legal] == ["dead D4", "done", "resume"]
    refusal = refused(marked, "white D6")
    assert (refusal.code, refusal.legal[0].move) == ("counting", "dead D6")


def test_a_first_yes_behind_two_passes_agrees_to_nothing() -> None:
    """Nobody has said yet which stones are dead, and with a second one the game would be over."""
    both = after(begun(), "D4", "E5", "pass", "pass")
    assert GAME.consent(both) is None
    assert GAME.consent(after(both, "dead E5")) is None
    assert GAME.consent(after(both, "dead E5", "done")) == GAME.parse("done", "en")


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("tot H5 und C5, und C7 auch. fertig", ["tot H5", "tot C5", "tot C7", "fertig"]),
        ("Ich meinte: tot H5 und tot C5, fertig.", ["tot H5", "tot C5", "fertig"]),
        ("dead H5, and C7 too. Done", ["dead H5", "dead C7", "Done"]),
        ("C7 is dead, too", ["C7 is dead, too"]),
        ("dead H5 or C7, done", ["dead H5 or C7, done"]),
        ("dead C7 and E5 alive, done", ["dead C7 and E5 alive, done"]),
        ("dead C7 and E5 is alive, done", ["dead C7 and E5 is alive, done"]),
    ],
)
def test_a_list_of_stones_is_read_whole_or_not_at_all(line: str, parts: list[str]) -> None:
    assert GAME.parts(line) == parts


def test_there_is_no_line_i_and_the_points_beside_it_are_proposed() -> None:
    refusal = refused(begun(), "D4", "I5")
    assert refusal.fields == {"point": "I5", "size": 9, "last": "J"}
    assert {move.move for move in refusal.legal[:3]} >= {"J5", "H5"}
    assert refused(begun(), "pass", "pass", "E10").code == "no-such-point"


def test_a_german_score_has_a_comma() -> None:
    _, facts = GAME.apply(after(begun(), "pass", "pass", "done"), GAME.parse("done", "en"))
    assert "Weiß 6,5, mit Komi: W+6,5." in Wording(GAME, "de").fact(facts[-1])
