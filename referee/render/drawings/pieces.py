"""Pieces drawn as SVG: the shape says what one is, its letter whose; colour only repeats it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Final, NamedTuple

from referee.games.game import Face, Figure, Mark

FONT: Final = "Helvetica,Arial,Source Sans Pro,sans-serif"
"""The fonts of all letters in drawings; pictures are made with the last one named."""


class Ink(NamedTuple):
    """The colours of a seat: the piece, its letter, its name on paper."""

    fill: str
    ink: str
    paper: str

    @property
    def edge(self) -> str:
        """The line around a chip that paper or the dark would swallow; else empty."""
        return {"#ffffff": self.ink, "#26282b": "#8a8f96"}.get(self.fill, "")


SEATS: Final[Mapping[str, Ink]] = {
    "red": Ink("#b3261e", "#ffffff", "#a8201a"),
    "green": Ink("#006e57", "#ffffff", "#005e4a"),
    "blue": Ink("#1f4ea1", "#ffffff", "#1f4ea1"),
    "yellow": Ink("#f0c22e", "#2b2100", "#6b5200"),
    "black": Ink("#26282b", "#ffffff", "#26282b"),
    "white": Ink("#ffffff", "#26282b", "#4a5058"),
    "orange": Ink("#c25200", "#ffffff", "#a34500"),
    "purple": Ink("#6a3d9a", "#ffffff", "#6a3d9a"),
}
"""The colours of seats: green leans to blue, so that red and green stay apart for everybody."""

NEUTRAL: Final = Ink("#8a8f96", "#14181d", "#4f565e")
"""The colours of a piece that belongs to no seat with colours of its own."""


OUTLINE: Final = "#14181d"
"""The dark line around a piece, which sets it off on every ground."""


def ink_of(seat: str | None) -> Ink:
    """Return the colours of a seat's pieces."""
    return SEATS.get(seat or "", NEUTRAL)


def letters(
    x: float, y: float, size: float, text: str, fill: str, *, anchor: str = "middle"
) -> str:
    """Return bold letters whose middle is at a height."""
    return (
        f'<text x="{x:g}" y="{y + size * 0.36:g}" font-family="{FONT}" font-weight="bold" '
        f'font-size="{size:g}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'
    )


def circle(x: float, y: float, radius: float, fill: str, line: str, width: float) -> str:
    """Return a circle around a point, with a line of a width."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{line}" '
        f'stroke-width="{width:g}"/>'
    )


def _path(data: str, fill: str, line: str, width: float = 4) -> str:
    return (
        f'<path d="{data}" fill="{fill}" stroke="{line}" stroke-width="{width:g}" '
        'stroke-linejoin="round"/>'
    )


def _lettered(
    drawing: str, height: float, size: float, fill: str | None = None
) -> Callable[[Mark, Ink], str]:
    """Return how a shape is drawn: in its seat's colour, where ``{}`` stands, below a letter.

    The letter has the ink of its seat, unless its ``fill`` is told.
    """
    return lambda mark, ink: (
        drawing.format(ink.fill) + letters(50, height, size, mark.letter, fill or ink.ink)
    )


def _token(mark: Mark, ink: Ink) -> str:
    hull = _path("M0 70Q50 96 100 70Q92 104 50 104Q8 104 0 70z", "#7b4f2c", "#3f2814", 3)
    disc = circle(50, 50, 40, "#ffffff", OUTLINE, 3) + circle(50, 50, 33, ink.fill, OUTLINE, 2)
    # Of two letters, smaller ones stay on the disc.
    letter = letters(50, 50, 42 if len(mark.letter) == 1 else 34, mark.letter, ink.ink)
    return (hull if mark.afloat else "") + disc + letter


def _count(mark: Mark, ink: Ink) -> str:
    text = f"{mark.letter}{mark.count}"
    box = '<rect x="{0}" y="{1}" width="{2}" height="{3}" rx="{4}" fill="{5}" stroke="{6}"/>'
    return (
        box.format(2, 22, 96, 56, 14, "#ffffff", OUTLINE)
        + box.format(6, 26, 88, 48, 11, ink.fill, OUTLINE)
        + letters(50, 50, 40 if len(text) < 3 else 34, text, ink.ink)
    )


def _tile(mark: Mark, _: Ink) -> str:
    box = "M18 10H82Q90 10 90 18V82Q90 90 82 90H18Q10 90 10 82V18Q10 10 18 10z"
    if mark.hidden:
        return _path(box, "#4a3f73", OUTLINE) + letters(50, 50, 54, mark.letter, "#f6e4b8")
    return _path(box, "#fbefdc", OUTLINE) + letters(50, 50, 40, mark.letter, OUTLINE)


def _stone(_: Mark, ink: Ink) -> str:
    # A crescent of light or shade makes a ball of a disc, without any gradient.
    shade = '<path d="M18 58A34 34 0 0 1 58 15A40 40 0 0 0 18 58Z" fill="#ffffff" opacity=".3"/>'
    if ink.ink != "#ffffff":
        data = "M84 38A36 36 0 0 1 38 84A46 46 0 0 0 84 38Z"
        shade = f'<path d="{data}" fill="{OUTLINE}" opacity=".14"/>'
    return circle(50, 50, 47.5, ink.fill, OUTLINE, 2.5) + shade


_SUITS: Final = {
    "spades": "M50 6C72 32 94 46 94 64A20 20 0 0 1 56 72Q58 84 66 94H34Q42 84 44 72"
    "A20 20 0 0 1 6 64C6 46 28 32 50 6Z",
    "hearts": "M50 92C20 66 6 48 6 32A22 22 0 0 1 50 26A22 22 0 0 1 94 32C94 48 80 66 50 92Z",
    "diamonds": "M50 4Q66 32 86 50Q66 68 50 96Q34 68 14 50Q34 32 50 4Z",
    "clubs": "M50 6A21 21 0 0 1 65 42A21 21 0 1 1 57 70Q58 84 66 94H34Q42 84 43 70"
    "A21 21 0 1 1 35 42A21 21 0 0 1 50 6Z",
}
"""The outlines of suits, in a square of 100 by 100."""


SUIT_SIGNS: Final = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
"""The signs of the suits, as names of cards bear them."""


def ink_of_suit(face: Face) -> str:
    """Return the colour of a card's rank and suit."""
    return SEATS["red"].fill if face.suit in {"hearts", "diamonds"} else OUTLINE


_SHIELD: Final = "M{0} {0}H{1}V52Q{1} 78 50 {2}Q{0} 78 {0} 52z"
_PAWN: Final = "M50 8a19 19 0 0 1 12 34L76 82q2 8-6 8H30q-8 0-6-8L38 42A19 19 0 0 1 50 8z"
_CUBE: Final = "M{0} {0}H{1}V{1}H{0}z"
_PEBBLE: Final = (
    '<ellipse cx="{}" cy="{}" rx="24" ry="16" fill="#a3a09a" stroke="#3c3a36" stroke-width="4"/>'
)
_HEAP: Final = _PEBBLE.format(50, 34) + _PEBBLE.format(28, 58) + _PEBBLE.format(72, 58)
_STAR: Final = _path("M50 4L90 27V73L50 96 10 73V27z", "#ffffff", OUTLINE, 6) + _path(
    "M50 20l9 21 22 2-17 15 6 22-20-12-20 12 6-22-17-15 22-2z", OUTLINE, OUTLINE, 1
)
_BOAT: Final = (
    _path("M4 60Q50 82 90 60L100 44Q102 96 50 96Q2 96 4 60z", "#7b4f2c", "#3f2814", 3)
    + _path("M52 66V8", "none", "#3f2814", 5)
    + _path("M26 14H78Q72 34 78 54H26Q32 34 26 14z", "#fbf0dd", "#a63d2a", 4)
    + _path("M42 15Q47 34 42 53M60 15Q65 34 60 53", "none", "#a63d2a", 6)
)

SHAPES: Final[Mapping[str, Callable[[Mark, Ink], str]]] = {
    "token": _token,
    "shield": _lettered(
        _path(_SHIELD.format(12, 88, 97), "#ffffff", OUTLINE, 3)
        + _path(_SHIELD.format(19, 81, 89), "{}", OUTLINE, 2),
        47,
        44,
    ),
    "banner": _lettered(
        _path("M22 14H78V86L50 68 22 86z", "{}", OUTLINE, 4)
        + _path("M12 12H88", "none", "#3f2814", 9),
        42,
        40,
    ),
    "count": _count,
    "pawn": _lettered(_path(_PAWN, "{}", OUTLINE), 74, 28),
    "cube": _lettered(
        _path(_CUBE.format(14, 86), "#ffffff", OUTLINE, 3)
        + _path(_CUBE.format(22, 78), "{}", OUTLINE, 2),
        50,
        42,
    ),
    "house": _lettered(_path("M50 10L88 40V90H12V40z", "{}", OUTLINE), 62, 40),
    "ring": _lettered(
        circle(50, 50, 40, "{}", OUTLINE, 3) + circle(50, 50, 26, "#ffffff", OUTLINE, 2),
        50,
        34,
        OUTLINE,
    ),
    "tile": _tile,
    "heap": lambda *_: _HEAP,
    "star": lambda *_: _STAR,
    "boat": lambda *_: _BOAT,
    "stone": _stone,
}
"""The shapes a game may name for a mark."""

FILLING: Final = frozenset({"card", "figure", "stone"})
"""The shapes that fill their space and bear no letter: no key of shapes explains them."""


def shape_of(mark: Mark) -> str:
    """Return the shape of a mark; a seat's is a token unless its game says more."""
    if isinstance(mark.shape, Figure):
        return "figure"
    if isinstance(mark.shape, Face):
        return "card"
    return mark.shape or ("token" if mark.seat else "tile")


def fill_space(marks: Sequence[Mark]) -> bool:
    """Whether marks leave nothing of their space to see: its sign is not drawn beside them."""
    return bool(marks) and all(shape_of(mark) in FILLING for mark in marks)


def piece(mark: Mark, x: float, y: float, size: float, *, gone: bool = False) -> str:
    """Return a piece drawn around a point; one that is gone is a dashed ghost."""
    ink, shape = ink_of(mark.seat), mark.shape
    if isinstance(shape, Figure):
        # Light around the dark line, or a black piece would melt into a dark space.
        outline = escape(shape.outline)
        drawn = _path(outline, "none", "#ffffff", 9) if ink.ink == "#ffffff" else ""
        drawn += _path(outline, ink.fill, OUTLINE, 4)
        drawn += _path(escape(shape.detail), "none", ink.ink, 3.5) if shape.detail else ""
    elif isinstance(shape, Face):
        fill = ink_of_suit(shape)
        drawn = (
            f'<rect x="16" y="2" width="68" height="96" rx="8" fill="#ffffff" stroke="{OUTLINE}"/>'
        )
        # Of two digits, smaller ones stay on the card.
        drawn += letters(36, 24, 34 if len(shape.rank) == 1 else 27, shape.rank, fill)
        drawn += f'<path d="{_SUITS[shape.suit]}" fill="{fill}" '
        drawn += 'transform="translate(30 44) scale(.46)"/>'
    else:
        drawn = SHAPES[shape_of(mark)](mark, ink)
    place = f'transform="translate({x - size / 2:g} {y - size / 2:g}) scale({size / 100:.4g})"'
    faint = ' opacity=".45" stroke-dasharray="9 7"' if gone else ""
    return f"<g {place}{faint}>{drawn}</g>"


def arrow(points: list[tuple[float, float]], colour: str, unit: float) -> str:
    """Return a way as an arrow; ``unit`` is a space's side."""
    (x0, y0), (x1, y1) = points[-2:]
    length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    # The head stands before the piece, which would hide it.
    tip = (x1 - dx * 0.38 * unit, y1 - dy * 0.38 * unit)
    size = 0.16 * unit
    back = (tip[0] - dx * size, tip[1] - dy * size)
    line = "L".join(f"{x:g} {y:g}" for x, y in (*points[:-1], back))
    head = (
        f"M{tip[0]:g} {tip[1]:g}L{back[0] - dy * size * 0.7:g} {back[1] + dx * size * 0.7:g}"
        f"L{back[0] + dy * size * 0.7:g} {back[1] - dx * size * 0.7:g}Z"
    )
    return "".join(
        f'<path d="M{line}" fill="none" stroke="{ink}" stroke-width="{wide * unit:g}"/>'
        f'<path d="{head}" fill="{ink}" stroke="{ink}" stroke-width="{edge * unit:g}"/>'
        for ink, wide, edge in (("#ffffff", 0.13, 0.06), (colour, 0.07, 0.01))
    )
