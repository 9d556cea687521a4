"""Tracks beside a board: steps, a row of places, the course of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from referee.games.game import Place, Track
from referee.render.drawings.pieces import NEUTRAL, OUTLINE, circle, ink_of, letters, piece
from referee.render.words.wording import Wording

HEIGHTS: Final = {"steps": 118, "places": 150, "course": 56, "ruler": 92, "dice": 92, "pieces": 64}
"""The height of each kind of track, at the width of a picture."""

NEXT: Final = "#ffc21a"
DONE: Final = "#dde1e6"
SPECIAL: Final = "#a8201a"
SMALL: Final = 15

_FILLS: Final = {"done": DONE, "next": NEXT, "later": "#ffffff"}
"""The colour of a place by its stage."""

STRETCH: Final = 50
"""The least length of a ruler."""

PIECE: Final = 36
"""The width of a piece on a ruler, which a line joins to its number."""


def _scale(wide: float) -> float:
    """Return how small tracks are drawn below a picture that is narrower than most."""
    return min(wide / 900, 1)


def height(tracks: Sequence[Track], wide: float) -> float:
    """Return the height of a scene's tracks, one below the other."""
    return sum(HEIGHTS[track.kind] for track in tracks) * _scale(wide)


def drawn(
    track: Track,
    wording: Wording,
    wide: float,
    changed: AbstractSet[tuple[str, int]] = frozenset(),
) -> str:
    """Return a track of a scene as SVG; changed places have a ring."""
    inside = "".join(parts(track, wording, wide, changed))
    return f'<g transform="scale({_scale(wide):g})">{inside}</g>'


def transforms(tracks: Sequence[Track], wide: float, top: float) -> Iterator[str]:
    """Yield the place of each track, as an SVG transform."""
    scale = _scale(wide)
    for track in tracks:
        yield f"translate(0 {top:g}) scale({scale:g})"
        top += HEIGHTS[track.kind] * scale


def parts(
    track: Track,
    wording: Wording,
    wide: float,
    changed: AbstractSet[tuple[str, int]] = frozenset(),
) -> Iterator[str]:
    """Yield the parts of a track's drawing; most of them stay the same from turn to turn."""
    here = {at for title, at in changed if title == track.title}
    return _KINDS[track.kind](track, wording, wide / _scale(wide), here)


def label_of(place: Place, wording: Wording) -> str:
    """Return the label of a place, with its word behind if it has one."""
    return place.label if place.word is None else f"{place.label} {wording.value(place.word)}"


def _steps(track: Track, wording: Wording, wide: float, changed: AbstractSet[int]) -> Iterator[str]:
    room = (wide - 60) / max(len(track.places), 1)
    size = min(26.0, room * 0.42)
    for number, place in enumerate(track.places):
        x, y = 30 + room * (number + 0.5), 42
        if place.special:
            yield circle(x, y, size + 6, "none", SPECIAL, 5)
            flag = f"M{x + size * 0.75:g} {y - size * 0.85:g}v-18l14 6-14 7"
            yield f'<path d="{flag}" fill="{SPECIAL}" stroke="{OUTLINE}" stroke-width="1.5"/>'
        fill = _FILLS[place.stage]
        yield circle(x, y, size, fill, "#3b444d", 4 if place.stage == "next" else 2)
        if number in changed:
            yield circle(x, y, size, "none", NEXT, 5)
        if place.marks:
            yield piece(place.marks[0], x, y - size * 0.3, size * 0.95)
            yield letters(x, y + size * 0.5, size * 0.48, place.label, OUTLINE)
        else:
            yield letters(x, y, size * 0.78, place.label, OUTLINE)
        word = wording.word("mark", place.special) if place.special else str(number + 1)
        yield letters(x, y + size + 22, SMALL, word, SPECIAL if place.special else "#3b444d")


def _places(
    track: Track, wording: Wording, wide: float, changed: AbstractSet[int]
) -> Iterator[str]:
    yield f'<rect x="30" y="4" width="{wide - 60:g}" height="138" rx="10" fill="#bcd9e8"/>'
    left, right = 96.0, wide - 96
    hull = (
        f"M{left - 28:g} 82H{right + 28:g}Q{right + 6:g} 132 {right - 40:g} 134H{left + 40:g}"
        f"Q{left - 6:g} 132 {left - 28:g} 82z"
    )
    yield f'<path d="{hull}" fill="#8a5a33" stroke="#3f2814" stroke-width="3"/>'
    prow = f"M{left - 28:g} 84q-14-46-28-62q-4-14 10-12q18 4 22 26q2 26 18 48z"
    stern = f"M{right + 28:g} 84q22-20 14-50q-8-22-24-8q-6 12 6 16"
    yield f'<path d="{prow}" fill="#8a5a33" stroke="#3f2814" stroke-width="3"/>'
    curl = 'fill="none" stroke="#5d3a1e" stroke-width="9" stroke-linecap="round"'
    yield f'<path d="{stern}" {curl}/>'
    title = wording.word("panel", track.title)
    yield letters(left + 6, 22, 17, title, OUTLINE, anchor="start")
    room = (right - left) / max(len(track.places), 1)
    size = min(30.0, room * 0.44)
    for number, place in enumerate(track.places):
        x = left + room * (number + 0.5)
        dash = "" if place.marks else ' stroke-dasharray="5 4"'
        ring, thick = (NEXT, 4) if place.stage == "next" else (OUTLINE, 2.5)
        yield (
            f'<circle cx="{x:g}" cy="70" r="{size:g}" fill="#fbefdc" stroke="{ring}" '
            f'stroke-width="{thick:g}"{dash}/>'
        )
        for mark in place.marks:
            yield piece(mark, x, 70, size * 2 * (0.78 if mark.shape == "banner" else 1))
        if number in changed:
            yield circle(x, 70, size + 2, "none", NEXT, 5)
        yield letters(x, 120, 19, place.label, "#fdf6e8")


def _course(track: Track, wording: Wording, wide: float, _new: AbstractSet[int]) -> Iterator[str]:
    room = (wide - 60) / max(len(track.places), 1)
    for number, place in enumerate(track.places):
        x, end = 30 + room * number, 30 + room * (number + 1) - 14
        fill = _FILLS[place.stage]
        notch = "" if number == 0 else f"L{x + 12:g} 28"
        data = f"M{x:g} 12H{end:g}L{end + 12:g} 28 {end:g} 44H{x:g}{notch}z"
        yield f'<path d="{data}" fill="{fill}" stroke="#3b444d" stroke-width="2"/>'
        yield letters(x + 24, 28, SMALL, label_of(place, wording), OUTLINE, anchor="start")


def _ruler(track: Track, wording: Wording, wide: float, _new: AbstractSet[int]) -> Iterator[str]:
    """Yield a scale from 0 on, a piece over each seat's number."""
    stands = [(int(place.label), mark) for place in track.places for mark in place.marks]
    most = max(STRETCH, *(-(-number // 10) * 10 for number, _ in stands), STRETCH)
    left, room = 48.0, wide - 108
    yield letters(left - 18, 16, SMALL, wording.word("panel", track.title), OUTLINE, anchor="start")
    yield f'<path d="M{left:g} 62h{room:g}" fill="none" stroke="#3b444d" stroke-width="3"/>'
    for number in range(0, most + 1, 10):
        x = left + room * number / most
        yield f'<path d="M{x:g} 56v12" fill="none" stroke="#3b444d" stroke-width="2"/>'
        yield letters(x, 80, SMALL, str(number), OUTLINE)
    ends = [left + room * number / most for number, _ in stands]
    # Close pieces stand beside each other.
    places = ends.copy()
    for n in range(1, len(places)):
        places[n] = max(places[n], places[n - 1] + PIECE)
    # Those pushed beyond the edge push the others back.
    edge = wide - PIECE / 2
    for n in reversed(range(len(places))):
        places[n] = min(places[n], edge)
        edge = places[n] - PIECE
    for (_, mark), x, end in zip(stands, places, ends, strict=True):
        yield f'<path d="M{end:g} 62L{x:g} 46" fill="none" stroke="#3b444d" stroke-width="2"/>'
        yield piece(mark, x, 42, PIECE)


_PIPS: Final = {
    "1": (4,), "2": (2, 6), "3": (2, 4, 6), "4": (0, 2, 6, 8), "5": (0, 2, 4, 6, 8),
    "6": (0, 2, 3, 5, 6, 8),
}  # fmt: skip
"""Where the pips of a die lie, counted from its top left."""


def _dice(track: Track, _: Wording, wide: float, _new: AbstractSet[int]) -> Iterator[str]:
    """Yield dice side by side, in the colour of whoever rolled them; used ones are pale."""
    left = (wide - 84 * len(track.places)) / 2
    for number, place in enumerate(track.places):
        ink = ink_of(place.marks[0].seat if place.marks else "white")
        fill, pip, line = ink.fill, ink.ink, OUTLINE
        if place.stage == "done":
            fill, pip, line = DONE, NEUTRAL.fill, NEUTRAL.fill
        x = left + 84 * number + 8
        yield (
            f'<rect x="{x:g}" y="12" width="68" height="68" rx="13" fill="{fill}" '
            f'stroke="{line}" stroke-width="3"/>'
        )
        for n in _PIPS.get(place.label, ()):
            yield circle(x + 16 + 18 * (n % 3), 28 + 18 * (n // 3), 6.5, pip, pip, 0)


def _pieces(track: Track, wording: Wording, wide: float, _new: AbstractSet[int]) -> Iterator[str]:
    """Yield pieces in a row behind their title, each with its number; seats stand apart."""
    title = wording.word("panel", track.title)
    yield letters(30, 32, 20, title if track.places else f"{title}: –", OUTLINE, anchor="start")
    left = 30 + 13.0 * (len(title) + 2)
    seats = [place.marks[0].seat if place.marks else None for place in track.places]
    room = min((wide - 30 - left) / (len(seats) + 0.5), 76)
    size = min(52, 0.66 * room)
    for number, place in enumerate(track.places):
        x = left + room * (number + 0.5 * (seats[number] != seats[0]))
        for mark in place.marks:
            yield piece(mark, x + size / 2, 32, size)
        if place.label:
            yield letters(x + size, 44, 0.44 * size, place.label, OUTLINE, anchor="start")


_KINDS: Final = {
    "steps": _steps,
    "places": _places,
    "course": _course,
    "ruler": _ruler,
    "dice": _dice,
    "pieces": _pieces,
}
