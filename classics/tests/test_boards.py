"""Games on boards: the spellings of their moves, talk, refusals, and random games."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import escape
from importlib.metadata import entry_points
from pathlib import Path
from random import Random
from typing import Any

import pytest
from referee_classics import classic as engine
from referee_classics.boards import BoardGame, twixt
from referee_classics.classic import LARGEST, Position

from referee.games.game import Move, Unreadable
from referee.games.play import complete_options
from referee.render.drawings.changes import Changes
from referee.render.drawings.drawing import draw_scene
from referee.render.drawings.spoken import spoken
from referee.render.drawings.table import html_board
from referee.render.words.wording import Wording

pytestmark = pytest.mark.fast

GAMES: dict[str, BoardGame] = {
    game.name: game
    for entry in sorted(entry_points(group="referee.games"))
    if entry.value.startswith("referee_classics") and isinstance(game := entry.load(), BoardGame)
}


def after(name: str, *moves: str, **options: Any) -> Position:
    """Return the position of a game after moves, each in its one spelling."""
    return GAMES[name].load({"game": name, "moves": list(moves), "options": options})


def meant(name: str, position: Position, line: str, language: str = "en") -> str:
    """Return the legal move that a line means, or the code of its refusal."""
    game = GAMES[name]
    order = game.parse(line, language)
    refusal = game.refusal(position, order)
    played: Any = game.canonical(position, order)
    return refusal.code if refusal else played.move


@pytest.mark.parametrize(
    ("name", "lines", "move"),
    [
        ("othello", "d3; D3; 1. d3; d 3; d3!; * d3; 1... d3", "d3"),
        ("connectfour", "d; D; 4; column 4; column d; Spalte 4; 1. d", "d"),
        ("checkers", "11-15; 11–15; 11 - 15; c3d4; c3-d4; C3 D4; 1. 11-15; 11 to 15", "11-15"),
        ("gomoku", "h8; H8; h 8; 1. h8", "h8"),
        ("breakthrough", "a2a3; a2-a3; A2 A3; a2 to a3; a2 nach a3; 1. a2-a3", "a2-a3"),
        ("linesofaction", "b1-h1; b1h1; b1 – h1; B1H1", "b1-h1"),
        ("linesofaction", "c1xa3; c1a3; c1:a3; c1 × a3; c1 takes a3; c1 schlägt a3", "c1xa3"),
        ("clobber", "a5xb5; a5b5; a5-b5; a5 takes b5", "a5xb5"),
        ("hex", "f6; F6; f 6", "f6"),
        ("y", "e5; E5", "e5"),
        ("havannah", "d4; D 4", "d4"),
        ("pentago", "a1 1L; a1 1l; A1-1L; a1 L1; a1/1l", "a1 1L"),
        ("amazons", "d1-d7/g7; d1d7g7; d1-d7(g7); d1-d7xg7; d1 d7 g7; D1-D7 (G7)", "d1-d7/g7"),
        ("ninemensmorris", "a7; A7; a 7", "a7"),
        ("mancala", "3; c; house 3; Mulde 3", "3"),
        ("oware", "c; C; 3; house c", "c"),
        ("twixt", "d5; D5; d 5; 1. d5", "d5"),
        ("dotsandboxes", "a1-b1; b1-a1; a1b1; A1 B1; a1 to b1; b1 nach a1; 1. a1-b1", "a1-b1"),
        ("othello", "place d3; put a disc on d3; disc on d3; lege einen Stein auf d3", "d3"),
        ("connectfour", "drop d; drop in d; disc in d; col 4; 4th column; pick d", "d"),
        ("checkers", "11->15; 11--15; man 11 to 15; Stein von 11 auf 15; move 11 to 15", "11-15"),
        ("breakthrough", "a2->a3; pawn a2-a3; from a2 to a3", "a2-a3"),
        ("linesofaction", "checker c1 takes a3; c1 nimmt a3", "c1xa3"),
        ("pentago", "a1 1 left; a1, turn quarter 1 links; a1 and rotate 1 ccw; a1 Q1L", "a1 1L"),
        ("pentago", "a1 und drehe 2 nach rechts; setze a1, drehe 2R; a1 2 clockwise", "a1 2R"),
        ("pentago", "a1, then turn the top left quarter anticlockwise; a1 NW ccw", "a1 1L"),
        ("pentago", "a1, dann Viertel oben rechts im Uhrzeigersinn drehen", "a1 2R"),
        ("pentago", "a1 lower left quadrant left; a1 unten links gegen den Uhrzeigersinn", "a1 3L"),
        ("pentago", "a1 bottom-right clockwise; a1 rechts unten nach rechts", "a1 4R"),
        ("amazons", "d1-d7 arrow g7; d1 to d7, shoot g7; d1-d7 and fire at g7", "d1-d7/g7"),
        ("amazons", "Amazone d1 nach d7, Pfeil nach g7; d1->d7->g7; d1-d7 [g7]", "d1-d7/g7"),
        ("mancala", "hole 3; #3; sow 3; take 3; 3rd house; Loch 3; säe 3; nehme 3", "3"),
        ("oware", "pit c; sow c; 3rd pit; nehme c; dritte Mulde", "c"),
        ("mancala", "3rd; Third house; the third pit; dritte Mulde; die dritte Mulde", "3"),
        ("twixt", "peg d5; place a peg on d5", "d5"),
        ("connectfour", "d1; column d1; Wirf einen Stein in Spalte d; werfe in Spalte 4", "d"),
        ("mancala", "Mulde 3 säen; leere Mulde 3; Feld 3; Nr. 3", "3"),
        ("checkers", "11 zieht nach 15; 11 goes to 15", "11-15"),
        ("breakthrough", "a2 zieht nach a3; Bauer a2 nach a3", "a2-a3"),
        ("twixt", "setz einen Stift in Loch m12; hole m12", "m12"),
        ("dotsandboxes", "a1/b1; a1,b1; (a1,b1); line a1-b1; connect a1 and b1", "a1-b1"),
        ("dotsandboxes", "Strich a1-b1; zeichne einen Strich von a1 nach b1", "a1-b1"),
        ("dotsandboxes", "zwischen a1 und b1; draw a line from a1 to b1; a1->b1", "a1-b1"),
    ],
)
def test_a_move_is_read_in_every_usual_spelling(name, lines, move):
    """Numbers, signs, capitals, spaces and words of both languages are read."""
    for line in lines.split("; "):
        for language in ("en", "de"):
            assert meant(name, after(name), line, language) == move, line


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("dxe5", "d4xe5"), ("xe5", "d4xe5"), ("e5", "d4xe5"), ("d4xd5", "takes-nothing"),
        ("b3", "several"), ("h6", "none-goes"), ("d4xc5", "takes-nothing"),
    ],
)  # fmt: skip
def test_a_goal_alone_is_a_move_where_one_man_can_go_there(line, move):
    """With the file of the man that takes, as chess players write it; but no capture of nothing."""
    position = after("breakthrough", "d2-d3", "e7-e6", "d3-d4", "e6-e5")
    assert meant("breakthrough", position, line) == move


@pytest.mark.parametrize("line", ["no swap, l12", "l12, no swap", "l12 (no swap)"])
def test_who_declines_to_swap_moves(line):
    assert meant("twixt", after("twixt", "d5"), line) == "l12"


@pytest.mark.parametrize(
    ("name", "line", "code"),
    [
        ("amazons", "a4-f9", "no-arrow"), ("amazons", "arrow: f9", "only-arrow"),
        ("pentago", "a1", "no-turn"),
        ("checkers", "pass", "no-pass"), ("mancala", "passe", "no-pass"),
        ("connectfour", "Ich muss passen", "no-pass"), ("hex", "I'm passing", "no-pass"),
        ("mancala", "Passing", "no-pass"), ("connectfour", "pass", "no-pass"),
        ("hex", "pass", "no-pass"),
        ("ninemensmorris", "pass", "no-pass"), ("dotsandboxes", "pass", "no-pass"),
    ],
)  # fmt: skip
def test_half_an_order_and_a_pass_are_refused_with_the_reason(name, line, code):
    assert meant(name, after(name), line) == code


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "line",
    [
        "a4 paper please", "ok", "no", "so", "I am on b5 today", "d3 would lose", "d looks full",
        "column d is full", "11-15 is my move", "see you at 8 on d3", "swap shoes", "pass the salt",
        "thanks", "a", "8 o'clock", "room 12", "2026", "house music",
    ],
)  # fmt: skip
def test_talk_plays_nothing(name, line):
    """A line in which more than a move stands is talk, and so are most single words."""
    if line == "a" and name in {"connectfour", "mancala", "oware"}:
        return
    with pytest.raises(Unreadable) as unreadable:
        GAMES[name].parse(line, "en")
    assert unreadable.value.chatter


@pytest.mark.parametrize(
    ("name", "moves", "line", "code"),
    [
        ("othello", "", "a1", "turns-nothing"),
        ("othello", "", "d4", "occupied"),
        ("othello", "", "k3", "no-such-space"),
        ("othello", "", "pass", "no-pass"),
        ("connectfour", "d d d d d d", "d", "column-full"),
        ("connectfour", "", "8", "no-such-column"),
        ("connectfour", "", "d3", "falls-to"),
        ("connectfour", "d", "d1", "falls-to"),
        ("connectfour", "d d d d d d", "d1", "column-full"),
        ("checkers", "", "10-11", "own-man"),
        ("checkers", "", "22-18", "not-yours"),
        ("checkers", "", "15-18", "nothing-there"),
        ("checkers", "", "11-19", "out-of-reach"),
        ("checkers", "", "12-a4", "out-of-reach"),
        ("checkers", "", "40-44", "no-such-space"),
        ("checkers", "11-15 22-18", "8-11", "must-capture"),
        ("checkers", "", "11x18", "no-jump"),
        ("checkers", "11-15 22-18", "12x19", "no-jump"),
        ("checkers", "11-15 22-18", "15-18", "occupied"),
        ("checkers", "11-15 23-19", "15-19", "occupied"),
        ("gomoku", "h8", "h8", "occupied"),
        ("gomoku", "", "p16", "no-such-space"),
        ("breakthrough", "", "a7-a6", "not-yours"),
        ("breakthrough", "", "a1-a2", "own-man"),
        ("breakthrough", "", "a2-a4", "out-of-reach"),
        ("linesofaction", "", "b1-b4", "not-so-far"),
        ("linesofaction", "", "b1-c3", "not-straight"),
        ("clobber", "", "a5-b4", "own-man"),
        ("hex", "", "swap", "no-swap"),
        ("hex", "f6", "f6", "occupied"),
        ("amazons", "", "d1-e3/e4", "out-of-reach"),
        ("amazons", "", "d1-d7/e9", "no-shot"),
        ("ninemensmorris", "", "a7-d7", "still-placing"),
        ("ninemensmorris", "a7 a1 d7 d1", "g7", "mill"),
        ("ninemensmorris", "", "a7xd7", "no-mill"),
        ("mancala", "1 1", "1", "empty"),
        ("mancala", "", "7", "no-such-house"),
        ("mancala", "", "0", "no-such-house"),
        ("oware", "", "house 7", "no-such-house"),
        ("oware", "a a", "a", "empty"),
        ("oware", "b a e c b b d f a e f d d e a f", "a", "must-feed"),
        ("twixt", "", "a1", "no-such-space"),
        ("twixt", "", "a5", "edge"),
        ("twixt", "d5", "c24", "edge"),
        ("twixt", "d5", "d5", "occupied"),
        ("dotsandboxes", "", "a1-g1", "no-such-space"),
        ("dotsandboxes", "", "a1-c1", "not-beside"),
        ("dotsandboxes", "", "a1-b2", "not-beside"),
        ("dotsandboxes", "a1-b1", "b1-a1", "occupied"),
    ],
)
def test_a_refusal_names_its_reason(name, moves, line, code):
    """The refusal says why a move is barred, and brings legal ones."""
    position = after(name, *moves.split())
    order = GAMES[name].parse(line, "en")
    refusal = GAMES[name].refusal(position, order)
    assert refusal is not None
    assert refusal.code == code
    assert refusal.legal


@pytest.mark.parametrize(
    ("name", "line", "says"),
    [("linesofaction", "b1-b4", "as far as there are men on its line, here 2, and"),
     ("linesofaction", "c1-f4", "here 2, and"),
     ("connectfour", "8", "There are columns a to g only (or 1 to 7).")],
)  # fmt: skip
def test_a_refusal_tells_what_there_is(name, line, says):
    """How many men stand on a line; and a column is told as it was written."""
    game, order = GAMES[name], GAMES[name].parse(line, "en")
    refusal = game.refusal(after(name), order)
    assert refusal is not None
    assert says in Wording(game, "en").refusal(refusal)
    assert game.format(order, "en") == line


@pytest.mark.parametrize("name", GAMES)
def test_a_random_game_is_that_of_the_engine(name):
    """Orders are written and read back alike, and the document leads to the same position."""
    game, rng = GAMES[name], Random(8)
    position = game.start(game.colours, complete_options(game, {}))
    for _ in range(60):
        if game.to_act(position) is None:
            break
        orders, reached = game.orders(position), game.reached(position)
        first = {actions[0] for actions in reached.legal.values()}
        assert first == {*reached.state.legal_actions()}
        order = rng.choice(orders)
        for language in ("en", "de"):
            assert game.parse(game.format(order, language), language) == order
        assert game.canonical(position, order) == order
        position, facts = game.apply(position, order)
        assert facts
        assert game.scene(game.view(position, game.colours[1])).cells
    assert game.load(game.dump(position)) == position


def test_a_capture_that_goes_on_is_one_order():
    """All jumps are named, or the first and the last square; fewer are refused."""
    position = after("checkers", "12-16", "21-17", "10-15", "24-19", "15x24")
    for line in ("28x19x12", "28-19-12", "28 x 19 x 12", "28x12"):
        assert meant("checkers", position, line) == "28x19x12"
    assert meant("checkers", position, "28x19") == "goes-on"
    assert meant("checkers", position, "25-21") == "must-capture"


@pytest.mark.parametrize(
    ("name", "line", "code"),
    [
        ("checkers", "11-15-18", "out-of-reach"), ("checkers", "11x15x18", "no-jump"),
        ("ninemensmorris", "a7 d7", "still-placing"), ("ninemensmorris", "a7-d7", "still-placing"),
    ],
)  # fmt: skip
def test_a_refusal_shows_the_signs_that_were_written(name, line, code):
    """No jump and no way that nobody wrote; two points may be two men that are put."""
    order: Any = GAMES[name].parse(line, "en")
    refusal = GAMES[name].refusal(after(name), order)
    assert order.move == line
    assert refusal is not None
    assert (refusal.code, refusal.fields["move"]) == (code, line)


def test_swapping_mirrors_the_first_stone():
    """The second player of hex takes the first stone over; of havannah, where it stands."""
    assert GAMES["hex"].squares(after("hex", "c2", "swap"))["b3"] == "o"
    assert GAMES["havannah"].squares(after("havannah", "d4", "swap"))["d4"] == "@"
    assert GAMES["hex"].format(GAMES["hex"].parse("tausche", "de"), "de") == "tausche"


@pytest.mark.parametrize(
    "line",
    [
        "g7xb6", "g7, b6", "g7/b6", "g7 (b6)", "g7 mill, take b6", "g7 and remove the man on b6",
        "g7, Mühle, nehme den Stein auf b6", "g7 und nimm b6",
    ],
)  # fmt: skip
def test_a_mill_and_the_man_it_takes_are_told_in_one_line(line):
    position = after("ninemensmorris", "a7", "b6", "d7", "d6")
    assert meant("ninemensmorris", position, line) == "g7xb6"


@pytest.mark.parametrize(
    ("name", "moves", "line"),
    [
        ("connectfour", "d d e e f f", ""),
        ("connectfour", "d d e e f f c", "c1 d1 e1 f1"),
        ("connectfour", "a b b c c d c d d f d", "a1 b2 c3 d4"),
        ("gomoku", "h8 a1 i7 a2 j6 a3 k5 b4 l4", "h8 i7 j6 k5 l4"),
        ("pentago", "a1 4R a6 4R b1 4R b6 4R c1 4R c6 4R d1 4R a4 4R e1 4R", "a1 b1 c1 d1 e1"),
    ],
)
def test_the_line_that_wins_is_drawn_and_told(name, moves, line):
    """From its first man to its last; before the end there is none."""
    words = moves.split()
    if name == "pentago":
        words = [" ".join(words[at : at + 2]) for at in range(0, len(words), 2)]
    game, position = GAMES[name], after(name, *words)
    scene = game.scene(game.view(position, None))
    drawn = [" ".join(way.spaces) for way in scene.lines if isinstance(way, Move)]
    told = [panel.sentences for panel in scene.panels if panel.title == "line"]
    assert drawn == ([line] if line else [])
    assert len(told) == len(drawn)


def test_men_in_hand_are_counted():
    """Of nine each: those on the board and those that are still to be placed."""
    game, position = (
        GAMES["ninemensmorris"],
        after("ninemensmorris", "a7", "b6", "d7", "d6", "g7xb6"),
    )
    (panel,) = game.scene(game.view(position, "white")).panels
    told = [dict(sentence.fields) for sentence in panel.sentences]
    assert told == [
        {"seat": "white", "men": 9, "left": 6}, {"seat": "black", "men": 8, "left": 7}
    ]  # fmt: skip


def test_quarters_that_touch_along_a_side_have_other_shades():
    """Each of pentago's quarters is of one shade."""
    game, position = GAMES["pentago"], after("pentago")
    cells = game.scene(game.view(position, "white")).cells
    shades: dict[tuple[bool, bool], set[str]] = {}
    for cell in cells:
        shades.setdefault((cell.row < 3, cell.column < 3), set()).add(cell.ground)
    assert all(len(shade) == 1 for shade in shades.values())
    assert shades[True, True] == shades[False, False] != shades[True, False] == shades[False, True]


def test_seeds_are_told_by_their_number():
    """By ear and in the cells of a table: of each house, and of the stores."""
    game, position = GAMES["oware"], after("oware", "c")
    scene, wording = game.scene(game.view(position, "south")), Wording(game, "en")
    told, table = " ".join(spoken(scene, wording)), html_board(scene, wording)
    squares = game.squares(position)
    for cell in scene.cells:
        space, count = wording.space(cell), squares[cell.space]
        assert f"{space} ({count})" in told
        assert escape(f"{space}: seeds (") in table
    assert ": seeds (South, 5)" in table


@pytest.mark.parametrize(
    ("name", "language", "house", "store"),
    [("oware", "en", "South's house c", "North's store"),
     ("mancala", "de", "Süds Mulde 3", "Nords Speicher")],
)  # fmt: skip
def test_houses_are_told_by_their_owners(name, language, house, store):
    """No reader is shown a name that is the board's own."""
    game, position = GAMES[name], after(name)
    scene, wording = game.scene(game.view(position, "north")), Wording(game, language)
    changed = Changes({cell.space: () for cell in scene.cells})
    for told in (spoken(scene, wording, changed), draw_scene(scene, wording, changed, None).text):
        said = " ".join(told)
        assert house in said
        assert store in said
        assert not re.search(r"\b[ns](?:store|[a-f1-6])\b", said)


@pytest.mark.parametrize(("seat", "own"), [("south", "n"), ("north", "s")])
def test_houses_are_numbered_from_their_owners_left(seat, own):
    """A name above or below a column is that of the house in it."""
    game, position = GAMES["mancala"], after("mancala")
    scene = game.scene(game.view(position, seat))
    for cell in scene.cells:
        name = scene.column_names[cell.column + (scene.columns if cell.row else 0)]
        assert name == ("" if cell.ground == "store" else cell.space[1:])
        assert (cell.space[0] == own) is (cell.row == 0)


def test_points_are_discs_and_seeds():
    """Othello counts discs, kalah what is in the stores."""
    assert GAMES["othello"].points(after("othello", "d3")) == {"black": 4, "white": 1}
    assert GAMES["mancala"].points(after("mancala", "3")) == {"south": 1, "north": 0}


def test_whoever_closes_a_box_draws_again():
    """A line may close two boxes, and the other does not draw in between."""
    game, first = GAMES["dotsandboxes"], ("a1-b1", "a1-a2", "a2-b2", "b1-c1", "c1-c2", "b2-c2")
    position = after("dotsandboxes", *first)
    assert game.to_act(position) == "red"
    position, (fact,) = game.apply(position, game.parse("b1-b2", "en"))
    assert fact.fields["boxes"] == ["a1-b2", "b1-c2"]
    assert game.to_act(position) == "red"
    assert game.points(position) == {"red": 2, "blue": 0}


def test_pegs_of_twixt_are_linked_where_no_link_lies_between():
    """A link is told with the peg that makes it, and no other crosses it, not even one's own."""
    game = GAMES["twixt"]
    position = after("twixt", "d5", "swap", "e4", "s2", "g5", "s6", "g3", "w9")
    assert game.squares(position)["t4"] == "o"
    position, (fact,) = game.apply(position, game.parse("f5", "en"))
    assert fact.fields["linked"] == []
    links = [link.spaces for link in twixt.GAME.links(position)]
    assert links == [("s2", "t4"), ("e4", "g5"), ("s6", "t4"), ("e4", "g3")]


@pytest.mark.parametrize(("first", "wins"), [(("a2", "a3"), True), (("l4", "n5"), False)])
def test_a_chain_of_links_wins_unless_a_link_lies_across_it(first, wins):
    """The engine has the same links as we: a single one that is missing lets the game go on."""
    red = [f"{'mn'[number % 2]}{2 * number + 1}" for number in range(12)] + ["l24"]
    blue = [*first, *(f"a{row}" for row in range(4, 14))]
    moves = [move for pair in zip(red, blue, strict=False) for move in pair]
    position = after("twixt", *moves, red[-1])
    links = [link.spaces for link in twixt.GAME.links(position) if link.seat == "red"]
    assert (("m5", "n3") in links, len(links)) == (wins, 11 + wins)
    result = twixt.GAME.result(position)
    assert (result is not None and result.places["red"] == 1) is wins


def test_draughts_are_seen_from_ones_own_side_with_the_number_of_every_square():
    """White has 32 to 29 below, where everybody's diagrams have them; numbers are the spaces."""
    game, position = GAMES["checkers"], after("checkers", "11-15")
    for seat, first, last in (("white", "1", "32"), ("black", "32", "1"), (None, "1", "32")):
        dark = [cell for cell in game.scene(game.view(position, seat)).cells if cell.name]
        assert (dark[0].space, dark[-1].space) == (first, last)
        assert all(cell.name == cell.space for cell in dark)
    assert game.way(position, "22x15x8") == ("22", "15", "8")
    legend = (("b", "seat", "black"), ("w", "seat", "white"), ("B/W", "mark", "king"))
    assert game.scene(game.view(position, None)).legend == legend


PLAYED_ON = """
from referee.games.play import complete_options
from test_boards import GAMES

game = GAMES[{name!r}]
sizes = sorted(game.options["size"].choices, key=int)
begun = [game.start(game.colours, complete_options(game, {{"size": size}})) for size in sizes]
small = begun[0]
for larger in begun[1:]:
    assert game.orders(small) and game.orders(larger)
while game.to_act(small) is not None:
    small, _ = game.apply(small, game.orders(small)[0])
"""


@pytest.mark.parametrize("name", ["havannah", "hex", "y"])
def test_a_match_goes_on_after_one_on_a_larger_board_has_begun(name: str) -> None:
    """Without care the engine would end the process that plays both."""
    path = os.pathsep.join(map(str, (Path(__file__).parent, *sys.path)))
    environ = {**os.environ, "PYTHONPATH": path}
    subprocess.run([sys.executable, "-c", PLAYED_ON.format(name=name)], env=environ, check=True)


def test_the_largest_boards_are_known_to_the_engine() -> None:
    for name, largest in LARGEST.items():
        sizes = GAMES[name].options["size"].choices
        assert f"board_size={max(sizes or (), key=int)}" in largest


class Fleeting:
    """A listing whose states another thread drops from those kept at its second look at them."""

    looks = 0

    def __call__(self, state: Any) -> dict[str, tuple[int, ...]]:
        return {state.action_to_string(action): (action,) for action in state.legal_actions()}

    def __hash__(self) -> int:
        self.looks += 1
        if self.looks == 2:
            engine._KEPT.clear()
        return 1

    def __eq__(self, other: object) -> bool:
        return self is other


def test_a_state_that_another_thread_drops_meanwhile_is_the_one_of_its_moves() -> None:
    """It is never the empty board, kept for the moves that led to another."""
    listing, moves = Fleeting(), ("x3", "o3", "x4")
    board = str(engine.reach("connect_four", "", moves, listing).state)
    assert board.count("x") == 2
    listing.looks = 0
    assert str(engine.reach("connect_four", "", moves, listing).state) == board
    assert str(engine.reach("connect_four", "", moves, listing).state) == board
