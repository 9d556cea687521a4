"""Pieces and motifs: every shape and ground drawn, legible, and in what mail programs know."""

import re
from typing import get_args, get_type_hints
from xml.etree import ElementTree as ET

import pytest

from referee.games.game import Face, Figure, Mark, MotifName, Shape
from referee.render.drawings.motifs import MOTIFS
from referee.render.drawings.pieces import (
    NEUTRAL,
    OUTLINE,
    SEATS,
    SHAPES,
    ink_of,
    ink_of_suit,
    piece,
    shape_of,
)
from referee.render.templates import inline_file

pytestmark = pytest.mark.fast

LETTERED = set(get_args(Shape)) - {"heap", "star", "boat", "stone"}


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_shape_and_motif_a_game_may_name_is_drawn() -> None:
    """The words of scenes and the drawings know the same names."""
    assert set(SHAPES) == set(get_args(Shape))
    assert set(MOTIFS) == set(get_args(MotifName))


@pytest.mark.parametrize("shape", sorted(get_args(Shape)))
def test_every_shape_is_sound_and_bears_its_letter(shape: Shape) -> None:
    """A piece is XML around its point; it shows its letter, escaped, and its seat's colour."""
    drawn = piece(Mark("<", "man", "red", shape, 3), 50, 40, 20)
    root = ET.fromstring(drawn)
    assert root.attrib["transform"] == "translate(40 30) scale(0.2)"
    text = "".join(root.itertext())
    if shape in LETTERED:
        assert text == ("<3" if shape == "count" else "<")
        # A tile belongs to nobody: it looks alike whoever laid it.
        assert (SEATS["red"].fill in drawn) == (shape != "tile")


@pytest.mark.parametrize("name", sorted(MOTIFS))
def test_every_motif_is_sound(name: MotifName) -> None:
    """The strokes of a ground are XML, and letters are legible on both its fills."""
    motif = MOTIFS[name]
    ET.fromstring(f"<g>{motif.strokes}</g>")
    assert contrast(motif.pale, "#1c2126") > 9
    assert contrast(motif.fill, OUTLINE) > 7


@pytest.mark.parametrize("ink", [*SEATS.values(), NEUTRAL])
def test_letters_are_legible_on_their_pieces_and_on_paper(ink) -> None:
    """Contrast is at least that of WCAG AA."""
    assert contrast(ink.fill, ink.ink) >= 4.5
    assert contrast(ink.paper, "#ffffff") >= 4.5


def test_the_names_of_seats_are_legible_on_dark_pages() -> None:
    """A page has an ink for the dark for each seat with colours of its own."""
    *_, dark = inline_file("site/style.css").text.partition("(prefers-color-scheme:dark)")
    colours = dict(re.findall(r"--([a-z-]+):(#\w+)", dark.partition("}")[0]))
    for seat in SEATS:
        # White is written short.
        ink = colours[f"k-{seat}"].replace("#fff", "#ffffff")
        assert contrast(ink, colours["paper"]) >= 4.5


def test_a_seat_without_colours_of_its_own_is_neutral() -> None:
    """Any game may name its seats as it likes."""
    assert ink_of("mauve") is ink_of(None) is NEUTRAL


def test_the_shape_follows_from_the_owner_unless_it_is_named() -> None:
    """A seat's mark is a token, any other a tile."""
    assert shape_of(Mark("R", "man", "red")) == "token"
    assert shape_of(Mark("T", "tower")) == "tile"
    assert shape_of(Mark("T", "tower", shape="house")) == "house"


def test_a_figure_stands_out_on_every_space_and_bears_no_letter() -> None:
    """A dark one has a light edge and light lines, a light one dark ones."""
    shape = Figure('M10 90H90L50 10Z"', "M20 80H80")
    white, black = (piece(Mark("k", "king", seat, shape), 0, 0, 10) for seat in ("white", "black"))
    for seat, drawn in (("white", white), ("black", black)):
        root = ET.fromstring(drawn)
        assert not "".join(root.itertext())
        assert root[-2].attrib["fill"] == SEATS[seat].fill
        assert root[-1].attrib["stroke"] == SEATS[seat].ink
        assert root[-2].attrib["d"] == shape.outline
    assert ET.fromstring(black)[0].attrib["stroke"] == "#ffffff"
    assert "stroke-dasharray" in piece(Mark("k", "king", "black", shape), 0, 0, 10, gone=True)


@pytest.mark.parametrize("suit", get_args(get_type_hints(Face)["suit"]))
def test_a_playing_card_shows_rank_and_suit(suit) -> None:
    """Hearts and diamonds are red; the suit's shape tells it without any colour."""
    shapes = set()
    for other in get_args(get_type_hints(Face)["suit"]):
        root = ET.fromstring(piece(Mark("Q", "card", shape=Face(other, "10")), 0, 0, 10))
        assert "".join(root.itertext()) == "10"
        (shape,) = (path for path in root if path.tag == "path")
        shapes.add(shape.attrib["d"])
        if other == suit:
            assert shape.attrib["fill"] == ink_of_suit(Face(suit, "10"))
    assert len(shapes) == 4
    red = suit in {"hearts", "diamonds"}
    assert (ink_of_suit(Face(suit, "A")) == SEATS["red"].fill) is red


def test_a_piece_that_left_is_a_dashed_ghost() -> None:
    """A ghost is told from a piece without any colour."""
    assert "stroke-dasharray" in piece(Mark("R", "man", "red"), 0, 0, 10, gone=True)
    assert "stroke-dasharray" not in piece(Mark("R", "man", "red"), 0, 0, 10)


def test_a_hidden_tile_shows_its_back() -> None:
    """Face down, a tile looks otherwise than face up."""
    assert piece(Mark("?", "tile", hidden=True), 0, 0, 10) != piece(Mark("?", "tile"), 0, 0, 10)


def test_a_piece_afloat_stands_in_a_hull() -> None:
    """A boat is drawn below it, whatever the colour of the ground."""
    afloat = piece(Mark("R", "man", "red", afloat=True), 0, 0, 10)
    assert len(afloat) > len(piece(Mark("R", "man", "red"), 0, 0, 10))
