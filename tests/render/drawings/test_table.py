"""Boards as tables of HTML: every cell in words, borders, frames, and few bytes."""

from __future__ import annotations

import re

import pytest
from lxml import html
from support.moor import scene, table, wording
from support.tables import random_game, tables

from referee.games.game import Area, Cell, Figure, Ground, Mark, Move, Scene
from referee.render.drawings.changes import Changes
from referee.render.drawings.table import html_board
from referee.render.words.wording import Wording
from referee.resources import path
from referee.value import replace

pytestmark = pytest.mark.fast

MOST_BYTES = 18_000


def row(*grounds: str, **given: object) -> Scene:
    """Return a scene of one row of cells."""
    cells = tuple(Cell(f"A{n + 1}", 0, n, ground, ground[0]) for n, ground in enumerate(grounds))
    drawn = {"sea": Ground("sea"), "forest": Ground("forest"), "rock": Ground("rock")}
    return replace(Scene(1, len(grounds), cells, (), {}, (), grounds=drawn), **given)


def spaces(board: str) -> list[html.HtmlElement]:
    """Return the cells of the board in its order, without names of rows and columns."""
    return list(html.fromstring(board).iterfind(".//tr[@bgcolor]/td"))


def borders(board: str) -> list[str]:
    """Return the classes of all cells in board order."""
    return [cell.get("class", "") for cell in spaces(board)]


def test_only_names_of_rows_and_columns_are_headers() -> None:
    """The corner between them names nothing, and a header without words is a riddle to hearers."""
    headers = html.fromstring(html_board(scene(2, 3), wording())).iter("th")
    assert [header.text_content() for header in headers] == ["1", "2", "3", "A", "B"]


def test_the_table_tells_each_occupied_cell_in_words() -> None:
    """A cell with something in it bears space, ground and marks as its title; letters as text."""
    board = html_board(scene(2, 3), wording("de"), Changes({"A1": (1,)}))
    cells = [(cell.get("title"), cell.text_content()) for cell in spaces(board)]
    assert cells[0] == ("A1 offenes Wasser: Stein (Rot), verändert", "\xa0R\xa0 ~!")
    assert cells[5] == ("B3 Heide: Turm", "T h")
    assert cells[1:5] == [(None, sign) for sign in ("h", "h", "h", "~")]


def test_the_colour_of_a_row_is_that_of_most_of_its_cells() -> None:
    """Cells differ by an attribute of their own alone, which all mail programs know."""
    board = html.fromstring(html_board(row("sea", "sea", "forest"), wording()))
    (drawn,) = (row for row in board.iter("tr") if row.get("bgcolor"))
    assert drawn.get("bgcolor") == "#cfe4ef"
    assert [cell.get("bgcolor") for cell in drawn.iter("td")] == [None, None, "#cde3b5"]


def test_coasts_and_regions_have_borders() -> None:
    """Between sea and land runs one border, between two grounds another, within one none."""
    found = borders(html_board(row("sea", "forest", "forest", "rock"), wording()))
    assert found == ["", "rf-cl", "", "rf-bl"]


def test_areas_part_cells_of_one_ground() -> None:
    """Where a game has areas, borders run between them; between two seas they are dashed."""
    areas = (Area("one", ("A1",)), Area("other", ("A2", "A3")))
    found = borders(html_board(row("forest", "forest", "forest", areas=areas), wording()))
    assert found == ["", "rf-bl", ""]
    found = borders(html_board(row("sea", "sea", "sea", areas=areas), wording()))
    assert found == ["", "rf-sl", ""]


def test_a_changed_space_is_framed_and_says_so() -> None:
    """Its frame, a sign and its title tell of a change; the letter that left is struck out."""
    changes = Changes({"A2": (3,)}, {"A2": (Mark("B", "stone", "blue"),)})
    cell = spaces(html_board(row("heath", "heath", "heath"), wording(), changes))[1]
    assert cell.get("style") == "border:3px solid #7a4b00"
    assert cell.get("title", "").endswith(", changed")
    assert (cell.text_content(), cell.findtext("s")) == ("b h!", "b")


def test_chips_bear_letter_and_number() -> None:
    """A counted piece shows its number, a banner is framed, and nobody's piece is bare."""
    marks = (
        Mark("R", "stone", "red", "count", 3),
        Mark("B", "tower", "blue", "banner"),
        Mark("W", "stone", "white"),
        Mark("o", "tower", shape="heap"),
    )
    board = Scene(1, 1, (Cell("A1", 0, 0, "heath", "#", marks),), (), {}, ())
    drawn = [
        (bold.text_content().strip("\xa0"), bold.get("style", ""))
        for bold in html.fromstring(html_board(board, wording("en"))).iter("b")
    ]
    assert [text for text, _ in drawn] == ["R3", "B", "W", "o"]
    assert [("background" in style, "border:" in style) for _, style in drawn] == [
        (True, False),
        (True, True),
        # White on white paper would be a letter without a piece.
        (True, True),
        (False, False),
    ]


def test_a_figure_hides_the_sign_of_its_space_and_keeps_its_case() -> None:
    """Of a mere pattern neither a word nor a border is left."""
    men = (Mark("k", "stone", "blue", Figure("M0 0")),)
    cells = (Cell("a1", 0, 0, "dark", ".", men), Cell("b1", 0, 1, "light", "."))
    grounds = {key: Ground(key, told=False) for key in ("light", "dark")}
    drawn = Scene(1, 2, cells, (), {}, (), grounds=grounds)
    left = Changes({"b1": (1,)}, {"b1": (Mark("K", "stone", "red", Figure("M0 0")),)})
    king, empty = spaces(html_board(drawn, wording("en"), left))
    assert (king.text_content().strip("\xa0"), king.get("title")) == ("k", "a1: stone (blue)")
    assert (empty.findtext("s"), empty.get("class")) == ("K", None)


def test_stacked_pieces_stand_one_below_the_other() -> None:
    """From the edge on; those that find no room are counted, and who left leaves no letter."""
    checkers = (Mark("X", "stone", "red", "stone"),) * 3
    cells = (Cell("2", 0, 0, "heath", ".", checkers), Cell("1", 1, 0, "heath", "."))
    drawn = Scene(2, 1, cells, (), {}, (), column_names=("2", "1"), row_names=("", ""), tall=2)
    table = html.fromstring(html_board(drawn, wording()))
    upper = spaces(html_board(drawn, wording()))[0]
    assert upper.text_content().replace("\xa0", "") == "XX×3"
    assert upper.get("title") == "2 heath: stone (red, 3)"
    assert [head.text for head in table.iterfind(".//th[@scope='col']")] == ["2", "1"]
    assert [row.get("valign") for row in table.findall(".//tr")] == [None, "top", "bottom", None]
    left = html_board(drawn, wording(), Changes({"1": ()}, {"1": checkers[:1]}))
    assert spaces(left)[1].text_content() == ".!"


def test_a_name_stands_on_its_space_beside_the_piece() -> None:
    """So it does on an empty space, in place of the ground's sign."""
    men = (Mark("r", "stone", "red", "stone"),)
    cells = (Cell("31", 0, 0, "heath", ".", men, "31"), Cell("32", 0, 1, "heath", ".", name="32"))
    drawn = html_board(Scene(1, 2, cells, (), {}, ()), wording())
    assert [cell.text_content().split() for cell in spaces(drawn)] == [["r", "31"], ["32"]]


def test_rows_of_hexagons_are_shifted_in_a_table_too() -> None:
    """Each space takes two columns, each row begins one further right, and the rest is blank.

    Columns are named below as well, where those of the first row are not above.
    """
    whole = scene(3, 3)
    drawn = Scene(3, 3, whole.cells, (), whole.palette, (), lattice="hexes")
    rows = html.fromstring(html_board(drawn, wording())).findall(".//tr")
    spans = [[int(cell.get("colspan", "1")) for cell in row] for row in rows]
    assert spans == [
        [1, 2, 2, 2, 2], [1, 2, 2, 2, 2], [1, 1, 2, 2, 2, 1], [1, 2, 2, 2, 2], [1, 2, 2, 2, 2],
    ]  # fmt: skip
    named = [[cell.text for cell in rows[n] if cell.tag == "th"] for n in (0, -1)]
    assert named == [["1", "2", "3"]] * 2
    blanks = [cell for row in rows[1:-1] for cell in row if cell.get("style") == "border:0"]
    assert [blank.get("bgcolor") for blank in blanks] == ["#ffffff"] * 4


def test_the_names_beside_a_side_of_hexagons_are_in_the_colours_of_its_seat() -> None:
    """Whose side it is stands there as a word, too."""
    whole = scene(3, 3)
    at = {(cell.row, cell.column): cell.space for cell in whole.cells}
    lines = (
        *(Move("red", tuple(at[row, n] for n in range(3))) for row in (0, 2)),
        *(Move("blue", tuple(at[n, column] for n in range(3))) for column in (0, 2)),
    )
    drawn = Scene(3, 3, whole.cells, (), whole.palette, (), lattice="hexes", lines=lines)
    first, *rows, last = html.fromstring(html_board(drawn, wording())).findall(".//tr")
    assert [cell.get("title") for row in (first, last) for cell in row.iter("th")] == ["red"] * 6
    assert [row.find("th").get("title") for row in rows] == ["blue"] * 3


def test_spaces_off_the_board_are_empty_cells() -> None:
    """A board need not be a rectangle."""
    whole = scene(2, 2)
    holed = Scene(2, 2, whole.cells[1:], (), whole.palette, ())
    (first, *others) = spaces(html_board(holed, wording()))
    assert (first.text_content(), first.get("title")) == ("", None)
    assert [other.text_content() for other in others] == ["h", "h", "~"]


@pytest.mark.parametrize("table", tables(), ids=lambda table: str(table.name))
def test_the_table_of_a_full_board_is_small(table) -> None:
    """At the end of a match, with most pieces there, the table leaves room for the rest."""
    position = random_game(table, 3).end
    view = table.game.scene(table.game.view(position, None))
    board = html_board(view, Wording(table.game, "de"))
    assert len(board.encode()) < MOST_BYTES
    assert re.search(r"<style|url\(", board) is None
    # Of a program that drops the mail's styles only the borders go.
    known = set(re.findall(r"\.(rf-[cbs][tl])\{", (path("templates") / "mail.html.j2").read_text()))
    used = {name for names in re.findall(r'class="(.+?)"', board) for name in names.split()}
    assert used <= known
    assert len(known) == 6


def test_a_table_for_cards_names_its_seats() -> None:
    """What lies there stands behind the name, in the letters of the reader."""
    drawn = html_board(table("blue"), wording("de"))
    assert "Blau D♠" in drawn
    assert "Rot –" in drawn
