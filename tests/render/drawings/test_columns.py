"""Tables, cards and scorings: aligned as text, told line by line where too wide, sound as HTML."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import html
from support.moor import wording
from support.tables import random_game, tables

from referee.games import registry
from referee.games.game import (
    LANGUAGES,
    Card,
    Face,
    Fact,
    Mark,
    Question,
    Row,
    Scoresheet,
    Secret,
    Sentence,
    Side,
    Table,
    Word,
)
from referee.render.drawings import columns
from referee.render.drawings.picture import LARGEST_SPACE
from referee.render.grids import hand_grid
from referee.render.words.wording import Wording
from referee.text import width
from referee.value import replace

pytestmark = pytest.mark.fast

STOCK = Table(
    "stock",
    (Word("panel", "stock"), Word("seat", "red"), Word("seat", "blue"), Word("mark", "stone")),
    (
        Row((Word("ground", "heath"), 12, None, Mark("R", "stone", "red"))),
        Row((Word("ground", "water"), 3, 4, None)),
    ),
    (Sentence("stock", {"seat": "red", "stones": 3}),),
)
LETTERS = {"red": "R", "blue": "B"}


def test_a_table_reads_like_this() -> None:
    """Heads stand left, numbers right in their columns, a dash where there is none."""
    sheet = columns.sheet_of(STOCK, wording())
    assert columns.text_table(sheet, wording()) == (
        "In stock    red  blue  stone",
        "heath        12     –      R",
        "open water    3     4      –",
        "Red has 3 stones left.",
    )


def test_on_a_phone_letters_head_the_columns_of_seats() -> None:
    """They save the room in which a table can stay one."""
    sheet = replace(columns.sheet_of(STOCK, wording()), letters=LETTERS, notes=())
    assert columns.text_table(sheet, wording(), 25) == (
        "In stock     R  B  stone",
        "heath       12  –      R",
        "open water   3  4      –",
    )


def test_a_table_too_wide_is_told_line_by_line() -> None:
    """On a small screen no line is broken in the middle of a column."""
    lines = columns.text_table(columns.sheet_of(STOCK, wording()), wording(), 24)
    assert lines == (
        "heath: red 12, stone",
        "stone (red).",
        "open water: red 3,",
        "blue 4.",
        "Red has 3 stones left.",
    )


def test_the_twin_of_a_table_says_the_same() -> None:
    """Seats are chips with their letters, the first cell of a line heads it."""
    sheet = columns.sheet_of(STOCK, wording())
    drawn = html.fromstring(
        f"<div>{columns.html_table(replace(sheet, letters=LETTERS), wording())}</div>"
    )
    assert drawn.findtext(".//caption") == "In stock"
    rows = [[cell.text_content().strip("\xa0") for cell in row] for row in drawn.iter("tr")]
    assert rows == [
        ["In stock", "R", "B", "stone"],
        ["heath", "12", "–", "R"],
        ["open water", "3", "4", "–"],
    ]
    assert [head.get("scope") for head in drawn.iter("th")] == ["col"] * 4 + ["row"] * 2
    assert drawn.findtext("p") == "Red has 3 stones left."


@pytest.mark.parametrize(("room", "above"), [(11, False), (10, True)])
def test_names_give_way_before_the_words_over_numbers(
    monkeypatch: pytest.MonkeyPatch, room: int, above: bool
) -> None:
    """Of a table too wide for a phone the first column breaks; the head if no room is left."""
    monkeypatch.setattr(columns, "NARROW", room)
    sheet = columns.sheet_of(STOCK, wording())
    drawn = html.fromstring(
        f"<div>{columns.html_table(replace(sheet, letters=LETTERS), wording())}</div>"
    )
    head, *rows = drawn.iter("tr")
    assert ("anywhere" in html.tostring(head, encoding="unicode")) == above
    assert all("anywhere" in row[0].get("style") for row in rows)


def test_sums_of_a_scoring_are_set_apart() -> None:
    """The title is the fact that tells of the scoring; sums are bold."""
    title = Fact("luck", {"what": "tower", "space": "A2"})
    rows, sums = ((Word("ground", "heath"), (1, None)),), ((Word("panel", "stock"), (1, 0)),)
    sheet = columns.sheet_of(Scoresheet(title, ("red", "blue"), rows, sums), wording())
    assert sheet.caption == wording().fact(title)
    drawn = html.fromstring(
        f"<div>{columns.html_table(replace(sheet, letters=LETTERS), wording())}</div>"
    )
    assert [bold.text_content() for bold in drawn.iterfind(".//td/b")] == ["1", "0"]


def test_cards_tell_their_number_and_the_spaces_they_open() -> None:
    """More spaces than anybody reads are counted; none is said."""
    name = Sentence("stock", {"seat": "red", "stones": 3})
    many = tuple(f"A{n}" for n in range(1, 15))
    cards = (
        Card(name, spaces=("A1", "A2"), count=2),
        Card(name, spaces=()),
        Card(name, spaces=many),
    )
    lines = columns.text_secret(Secret("stock", cards), wording())
    told = wording().sentence(name)
    assert lines == (
        f"{told} (2 times): A1 and A2.",
        f"{told}: no free space.",
        f"{told}: 14 free spaces.",
    )


def test_a_hand_of_playing_cards_is_drawn_where_pictures_are() -> None:
    """Elsewhere its cards are small, and red where they are; what is told below stays."""
    name = Sentence("stock", {"seat": "red", "stones": 3})
    faces = [Face(suit, "10") for suit in ("hearts", "clubs")] * 4
    marks = [Mark("10", "tower", shape=face) for face in faces]
    hand = Secret("stock", tuple(Card(name, mark=mark) for mark in marks), (name,))
    drawn, plain = (hand_grid(hand, wording(), pictured=pictured) for pictured in (True, False))
    assert drawn.picture is not None
    assert drawn.picture.width == 7 * LARGEST_SPACE
    assert drawn.picture.alt == " ".join(columns.text_secret(hand, wording()))
    assert columns.faces_svg(faces).count("<rect") == 9
    assert (drawn.html.count("<div"), plain.html.count("<div")) == (0, 8)
    assert (plain.html.count("width:34px"), plain.html.count("color:#b3261e")) == (8, 4)
    assert drawn.html.endswith("</p>")
    assert plain.picture is None
    # One that is no playing card is told in words as before.
    mixed = replace(hand, cards=(*hand.cards, Card(name)))
    assert hand_grid(mixed, wording(), pictured=True).picture is None


def test_a_hand_of_playing_cards_is_told_suit_by_suit() -> None:
    """Whoever cannot see them reads them as players write a hand down."""
    suits = ("spades", "spades", "hearts")
    name = Sentence("stock", {"seat": "red", "stones": 3})
    cards = [Card(name, mark=Mark("Q", "tower", shape=Face(suit, "Q"))) for suit in suits]
    (told,) = columns.text_secret(Secret("stock", tuple(cards)), wording())
    said = wording().sentence(name).rstrip(".")
    assert told.replace("\xa0", " ") == f"♠ {said} {said}  ♥ {said}"


def test_the_sides_of_a_question_tell_where_points_come_from() -> None:
    """Each side is one sentence."""
    part = Sentence("stock", {"seat": "red", "stones": 1})
    lines = columns.text_question(Question("stock", (Side("red", 7, (part, part)),)), wording())
    assert lines == (f"red: 7 points ({wording().sentence(part)} and {wording().sentence(part)})",)


def test_seats_whose_names_begin_alike_have_letters_that_differ() -> None:
    """Pieces' letters come first; a later seat has two letters of its name."""
    words, seats = Wording(registry.find_installed("nord"), "de"), ("red", "green", "yellow")
    assert [words.seat(seat)[0] for seat in seats] == ["R", "G", "G"]
    known: Any
    for known, told in (
        ({}, ["R", "G", "Ge"]),
        ({"yellow": "g"}, ["R", "Gr", "G"]),
        ({"red": "X2", "green": "O"}, ["X", "O", "G"]),
    ):
        assert columns.seat_letters(seats, known, words) == dict(zip(seats, told, strict=True))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("table", tables(), ids=lambda table: str(table.name))
def test_tables_of_any_game_fit_and_are_sound(table: Any, language: str) -> None:
    """As text no line is too wide, on a phone neither; as HTML all cells are there."""
    game, words = table.game, Wording(table.game, language)
    played = random_game(table, 2)
    view = game.scene(game.view(played.positions[len(played.steps) // 2], table.seats[0]))
    facts = [fact for step in played.steps for fact in step.facts]
    sheets = [entry for entry in game.scoresheets(facts) if isinstance(entry, Scoresheet)]
    letters = columns.letters_of(view)
    for told in (*view.tables, *sheets):
        sheet = columns.sheet_of(told, words)
        for most in (72, 38):
            assert max(map(width, columns.text_table(sheet, words, most))) <= most
        drawn = html.fromstring(
            f"<div>{columns.html_table(replace(sheet, letters=letters), words)}</div>"
        )
        assert {len(row) for row in drawn.iter("tr")} == {len(sheet.head)}
    for secret in view.secrets:
        assert max(map(width, columns.text_secret(secret, words, 38))) <= 38
        assert html.fromstring(f"<div>{columns.html_secret(secret, words)}</div>") is not None


def test_a_panel_that_a_table_replaces_is_not_told_twice() -> None:
    """Panels of the titles of tables, hands and questions are left out beside them."""
    for table in tables():
        view = table.game.scene(table.game.view(random_game(table, 2).start, table.seats[0]))
        shown = {beside.title for beside in (*view.tables, *view.secrets)}
        assert shown <= {panel.title for panel in view.panels}
        told = {panel.title for panel in view.told()}
        assert told == {panel.title for panel in view.panels} - shown


def test_a_row_of_changed_places_bears_the_number_of_its_news() -> None:
    """In text behind its head, in HTML as a pill; other rows bear none."""
    told = Table("stock", ("", "n"), (Row(("A1", 1), "A1"), Row(("B1", 2), "B1")))
    sheet = columns.sheet_of(told, wording(), {"A1": (1, 3)})
    _, first, second = columns.text_table(sheet, wording())
    assert first.startswith("A1 (1, 3)")
    assert second.startswith("B1 ")
    drawn = columns.html_table(sheet, wording())
    assert drawn.count("&nbsp;3&nbsp;</b></th>") == 1
    assert drawn.count("&nbsp;1&nbsp;") == 1
