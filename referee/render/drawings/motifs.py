"""Motifs of grounds, each drawn in a square of 100 units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

_TREE: Final = (
    '<path d="M{0} {1}l-7 12h4l-6 11h18l-6-11h4z" fill="#4c7a3f" stroke="#33562a" '
    'stroke-width="1"/>'
    '<path d="M{0} {2}v5" stroke="#6b4426" stroke-width="3"/>'
)

_TREES: Final = ((18, 8), (50, 5), (82, 10), (16, 56), (50, 60), (84, 55))

_HOUSE: Final = (
    '<path d="M{0} {1}h22v-12l-11-9-11 9z" fill="#fbf0dd" stroke="#6b4426" stroke-width="3"/>'
    '<path d="M{2} {3}l14-12 14 12" fill="none" stroke="#a63d2a" stroke-width="4"/>'
)


def _line(data: str, colour: str, width: float = 3) -> str:
    return (
        f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        'stroke-linecap="round"/>'
    )


def _area(data: str, fill: str, colour: str, width: float = 2.5) -> str:
    return f'<path d="{data}" fill="{fill}" stroke="{colour}" stroke-width="{width:g}"/>'


class Motif(NamedTuple):
    """A ground's look: the fill of its spaces, the paler one of tables, and its strokes."""

    fill: str
    pale: str
    strokes: str = ""


MOTIFS: Final[Mapping[str, Motif]] = {
    "none": Motif("#f3ebdd", "#f7f2e8"),
    "sea": Motif("#bcd9e8", "#cfe4ef", _line("M36 84q7-9 14 0t14 0", "#86b3cb", 3.5)),
    "forest": Motif("#c4dba6", "#cde3b5", "".join(_TREE.format(x, y, y + 23) for x, y in _TREES)),
    "mountain": Motif(
        "#d9d2c9",
        "#dcd6ce",
        _area("M40 88L66 38 92 88z", "#a89f94", "#7c7268")
        + _area("M57 55l9-17 9 17-6 4-4-5-4 5z", "#ffffff", "#7c7268", 1.5)
        + _area("M4 90L40 14 74 90z", "#b9b0a5", "#7c7268")
        + _area("M40 14L74 90H40l6-30z", "#9a9085", "#7c7268", 0)
        + _area("M28 40l12-26 12 26-7 6-5-7-6 6z", "#ffffff", "#7c7268", 1.5),
    ),
    "rock": Motif(
        "#f1e2b3",
        "#f3e6bf",
        "".join(
            _area(data, "#e6cf91", "#b99c52")
            for data in (
                "M8 24l12-12 24 4 2 20-16 8-20-6z",
                "M58 14l26-4 6 22-20 8-14-8z",
                "M14 62l20-6 12 14-10 18-24-4z",
                "M58 60l22-8 14 16-10 22-22 0-10-14z",
            )
        ),
    ),
    "walls": Motif(
        "#fbf0dd",
        "#fbefdc",
        _line(
            "M10 38V18q0-8 8-8h20M62 10h20q8 0 8 8v20M90 62v20q0 8-8 8H62M38 90H18q-8 0-8-8V62",
            "#6b4426",
            9,
        ),
    ),
    "hills": Motif(
        "#dcd59c",
        "#e6e0b4",
        _area("M4 52q22-36 46 0z", "#cfc582", "#9b9150")
        + _area("M44 62q24-36 50 0z", "#cfc582", "#9b9150")
        + _area("M10 88q26-36 54 0z", "#cfc582", "#9b9150"),
    ),
    "plain": Motif(
        "#dfe9ba",
        "#e6eec9",
        "".join(
            _line(f"M{x} {y}l-5-9M{x} {y}v-12M{x} {y}l5-9", "#8a9a55", 2.5)
            for x, y in ((24, 30), (66, 24), (44, 58), (82, 62), (20, 84), (62, 90))
        ),
    ),
    "field": Motif(
        "#ecd98f",
        "#f0e1a8",
        "".join(_line(f"M8 {y}q14-8 28 0t28 0t28 0", "#b8963a") for y in range(18, 96, 18)),
    ),
    "desert": Motif(
        "#f3e0b8",
        "#f6e8cb",
        _line("M6 84q24-26 44-6q20-18 44 4M20 48q14-16 30-2", "#c19a55")
        + "".join(
            f'<circle cx="{x}" cy="{y}" r="2.4" fill="#c19a55"/>'
            for x, y in ((20, 20), (48, 14), (74, 24), (66, 48), (86, 56), (34, 66))
        ),
    ),
    "swamp": Motif(
        "#c5d4b5",
        "#d2dec5",
        "".join(
            _line(f"M{x} {y}h26M{x + 6} {y}v-10M{x + 13} {y}v-15M{x + 20} {y}v-10", "#4f7560")
            for x, y in ((10, 32), (58, 26), (34, 62), (62, 90), (6, 92))
        ),
    ),
    "ice": Motif(
        "#e9f2f7",
        "#eff6f9",
        _line(
            "M12 22l14 8 10-8 16 12M56 20l14 10 16-6M18 62l12-8 14 14 12-6M58 58l14 12 14-8"
            "M26 90l16-8 12 8",
            "#9bb8c8",
        ),
    ),
    "town": Motif(
        "#ecdcc4",
        "#f1e5d3",
        "".join(
            _HOUSE.format(x, y, x - 3, y - 10) for x, y in ((14, 40), (60, 36), (18, 88), (62, 84))
        ),
    ),
    "light": Motif("#f3ebdd", "#f7f2e8"),
    "dark": Motif("#c8b494", "#d8c8ad"),
    "point": Motif("#ead9b5", "#f1e5cc"),
}
"""The grounds that any game may name."""
