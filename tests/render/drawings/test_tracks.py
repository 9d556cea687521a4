"""Tracks below a board: one figure a place, words in the reader's language."""

import re
from itertools import pairwise
from typing import get_args, get_type_hints
from xml.etree import ElementTree as ET

import pytest
from support.moor import wording

from referee.games.game import Mark, Place, Track
from referee.render.drawings import tracks
from referee.render.drawings.pieces import NEUTRAL, ink_of

pytestmark = pytest.mark.fast

PLACES = (
    Place("2", (Mark("R", "stone", "red"),), "done"),
    Place("4", (), "next", "tower"),
    Place("6"),
)
KINDS = sorted(get_args(get_type_hints(Track)["kind"]))


def texts(drawn: str) -> list[str]:
    """Return all texts of a drawing."""
    return [text.text or "" for text in ET.fromstring(f"<g>{drawn}</g>").iter("text")]


def test_every_kind_of_track_has_a_height() -> None:
    """The words of scenes and the drawings know the same kinds."""
    assert set(tracks.HEIGHTS) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_place_shows_its_label(kind) -> None:
    """Labels stand in their order, whatever the kind of track."""
    shown = texts(tracks.drawn(Track(kind, "stock", PLACES), wording(), 900))
    if kind not in {"ruler", "dice"}:
        assert [text for text in shown if text in {"2", "4", "6"}][:3] == ["2", "4", "6"]


def test_a_ruler_is_as_long_as_its_highest_number() -> None:
    """Tens are named from 0 on, and everybody stands on the ruler."""
    places = tuple(Place(str(n), (Mark("R", "stone", "red"),), "done") for n in (0, 63, 63))
    shown = texts(tracks.drawn(Track("ruler", "stock", places), wording(), 900))
    assert shown == ["In stock", *map(str, range(0, 80, 10)), "R", "R", "R"]


def test_who_leads_far_ahead_together_stays_in_the_picture() -> None:
    """Four close to the end of a ruler stand beside each other, none beyond its edge."""
    places = tuple(Place(str(n), (Mark("R", "stone", "red"),)) for n in (0, 57, 58, 59, 60))
    drawn = tracks.drawn(Track("ruler", "stock", places), wording(), 900)
    at = [float(place) for place in re.findall(r"62L([\d.]+) 46", drawn)]
    assert at[0] == 48
    assert at[-1] + tracks.PIECE / 2 <= 900
    assert all(other - one >= tracks.PIECE for one, other in pairwise(at))


def test_a_special_place_is_named_in_the_language_of_the_reader() -> None:
    """What happens on a step stands below it in words."""
    drawn = tracks.drawn(Track("steps", "stock", PLACES), wording("de"), 900)
    assert wording("de").word("mark", "tower") in texts(drawn)


def test_tracks_lie_one_below_the_other_within_their_height() -> None:
    """A narrow board makes its tracks smaller."""
    both = (Track("steps", "stock", PLACES), Track("course", "stock", PLACES))
    assert list(tracks.transforms(both, 450, 100)) == [
        "translate(0 100) scale(0.5)",
        f"translate(0 {100 + tracks.HEIGHTS['steps'] / 2:g}) scale(0.5)",
    ]
    assert tracks.height(both, 450) == tracks.height(both, 900) / 2


@pytest.mark.parametrize("kind", ["steps", "places"])
def test_a_place_where_a_piece_has_come_has_a_gold_ring(kind) -> None:
    """Drawn on top of the place; those of other tracks have none."""
    told = Track(kind, "stock", PLACES)
    rings = [
        tracks.drawn(told, wording(), 900, changed).count(f'fill="none" stroke="{tracks.NEXT}"')
        for changed in (set(), {("stock", 0)}, {("other", 0)})
    ]
    assert rings == [0, 1, 0]


def test_pieces_beside_the_board_stand_in_a_row_behind_their_title() -> None:
    """How many there are of one stands beside it; a row without any has its title still."""
    red, blue = Mark("R", "stone", "red"), Mark("B", "stone", "blue")
    places = (Place("×3", (red,)), Place("", (blue,)))
    shown = texts(tracks.drawn(Track("pieces", "stock", places), wording(), 900))
    assert shown == ["In stock", "R", "×3", "B"]
    assert texts(tracks.drawn(Track("pieces", "stock", ()), wording(), 900)) == ["In stock: –"]


def test_dice_show_their_pips_in_the_colour_of_their_seat() -> None:
    """Those that have been used are grey."""
    red = (Mark("R", "stone", "red"),)
    dice = Track("dice", "stock", (Place("5", red), Place("6", red, stage="done"), Place("2")))
    drawn = tracks.drawn(dice, wording(), 900)
    inks = [ink_of(seat) for seat in ("red", "white")]
    pips = (inks[0].ink, NEUTRAL.fill, inks[1].ink)
    assert [drawn.count(f'r="6.5" fill="{pip}"') for pip in pips] == [5, 6, 2]
    assert all(drawn.count(f'rx="13" fill="{fill}"') for fill in (inks[0].fill, tracks.DONE))
