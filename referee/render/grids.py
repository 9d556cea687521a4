"""Tables, hands and questions beside the board, as text and as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from referee.games.game import (
    CellValue,
    Mark,
    Panel,
    Question,
    Result,
    Scene,
    Scoresheet,
    Seat,
    Secret,
    Table,
)
from referee.render.common import seat_and_player
from referee.render.drawings import columns
from referee.render.drawings.columns import NO_NUMBERS, Line, Numbers, Sheet, letters_of
from referee.render.drawings.drawing import worded_panels
from referee.render.drawings.picture import LARGEST_SPACE
from referee.render.drawings.pieces import ink_of
from referee.render.drawings.raster import DrawnPicture, draw_picture
from referee.render.drawings.table import chip
from referee.render.layout import DOT, Format, capital, columns_of, wrap_all
from referee.render.words.wording import Wording
from referee.value import Value, replace

Letters = Mapping[Seat, str]
"""The letters that the pieces of seats bear on the board."""

_MOST_BESIDE: Final = 7
"""Columns of a table that takes half the width of a mail."""


class Grid(Value):
    """Something beside the board, drawn for both parts.

    The HTML of a table holds its title as caption. ``told`` is drawn as text in the form that a
    reader wants; hearers get the sentences of a ``panel`` if there is one.
    """

    title: str
    html: str
    told: Sheet | Secret
    wording: Wording
    panel: Panel | None = None
    picture: DrawnPicture | None = None

    @property
    def high(self) -> int:
        """The rows of a table."""
        return len(self.told.lines) if isinstance(self.told, Sheet) else 0

    @property
    def narrow(self) -> bool:
        """Whether another table has room beside it."""
        return isinstance(self.told, Sheet) and len(self.told.head) <= _MOST_BESIDE

    def lines(self, kind: Format) -> tuple[str, ...]:
        """Return it for a form of text; a table for hearers as sentences."""
        told, wording = self.told, self.wording
        if isinstance(told, Secret):
            heard = kind == "spoken"
            return columns.text_secret(told, wording, columns_of(kind), heard=heard)
        if kind != "spoken":
            return columns.text_table(told, wording, columns_of(kind))
        if self.panel is not None:
            said = tuple(wording.sentence(sentence) for sentence in self.panel.sentences)
        else:
            said = (*columns.spoken_table(told, wording), *told.notes)
        return wrap_all(said, DOT, "  ")


def table_grid(
    told: Table | Scoresheet, letters: Letters, wording: Wording, numbers: Numbers = NO_NUMBERS
) -> Grid:
    """Return a table or a scoring; ``numbers`` stand in the rows that the news are about."""
    return _sheet_grid(columns.sheet_of(told, wording, numbers), letters, wording)


def result_grid(
    result: Result,
    names: Mapping[Seat, str],
    parts: Mapping[CellValue, Mapping[Seat, int]],
    letters: Letters,
    wording: Wording,
) -> Grid:
    """Return the final places, best first, and where the points come from.

    ``parts`` hold the points of each seat by their origin. Ties keep the order of points.
    """
    say, scored = wording.catalogue.say, wording.game.scored
    places = sorted(result.places.items(), key=lambda pair: pair[1])
    named = {seat: capital(seat_and_player(seat, names, wording)) for seat, _ in places}
    lines = tuple(
        Line(
            (
                f"{place}. {named[seat]}",
                *(gained.get(seat, 0) for gained in parts.values()),
                *([result.points.get(seat, 0)] if scored else []),
            )
        )
        for seat, place in places
    )
    origins = (capital(wording.value(origin)) for origin in parts)
    head = (say("report.player"), *origins, *([say("report.score")] if scored else []))
    notes: tuple[str, ...] = ()
    # Where somebody resigned or the organiser declared it, the rules broke no tie.
    own = result.ending in wording.game.endings
    if scored and own and len(set(result.points.values())) < len(result.points):
        if wording.has("ending", "tie"):
            notes = (wording.word("ending", "tie"),)
        elif len(set(result.places.values())) < len(result.places) // wording.game.partners:
            notes = (say("report.shared"),)
    return _sheet_grid(Sheet(say("report.places"), head, lines, notes), letters, wording)


def _sheet_grid(sheet: Sheet, letters: Letters, wording: Wording) -> Grid:
    told = replace(sheet, letters=letters)
    return Grid(sheet.caption.rstrip("."), columns.html_table(told, wording), told, wording)


def beside_board(
    scene: Scene | None,
    wording: Wording,
    numbers: Numbers = NO_NUMBERS,
    *,
    whole: bool = True,
    pictured: bool = False,
) -> dict[str, Any]:
    """Return tables, panels and hands of a scene, for a template.

    ``numbers`` are those of the rows of news, which stand in the rows of tables.
    Not ``whole``: of tables the first alone, panels only where they are needed, and of each card
    what it is, without the spaces it opens, which change until its owner's turn comes.
    """
    if scene is None:
        return {"tables": (), "panels": (), "hands": ()}
    letters = letters_of(scene)
    said, areas = {panel.title: panel for panel in scene.panels}, {area.key for area in scene.areas}
    # Hearers are told of areas with the board.
    said |= {
        table.title: Panel(table.title, ())
        for table in scene.tables
        if table.rows and {row.place for row in table.rows} <= areas
    }
    told = scene.told() if whole or needs_panels(scene) else ()
    hands = scene.secrets
    if not whole:
        hands = tuple(
            replace(hand, cards=tuple(replace(card, spaces=None) for card in hand.cards))
            for hand in hands
        )
    return {
        "tables": [
            replace(table_grid(table, letters, wording, numbers), panel=said.get(table.title))
            for table in (scene.tables if whole else scene.tables[:1])
        ],
        "panels": worded_panels(told, wording),
        "hands": [hand_grid(hand, wording, pictured=pictured) for hand in hands],
    }


def needs_panels(scene: Scene) -> bool:
    """Return whether even who waits needs the panels.

    Somebody is asked, no table tells anything, or there are but cards: the board does not show what
    is trump, and whoever waits may choose a card in advance.
    """
    return scene.asked is not None or not scene.tables or scene.lattice == "table"


def hand_grid(secret: Secret, wording: Wording, *, pictured: bool) -> Grid:
    """Return a hand that only one seat sees; playing cards are drawn if it is ``pictured``."""
    title = wording.word("panel", secret.title)
    faces = [wording.face(card.face) for card in secret.cards if card.face]
    picture = None
    if pictured and faces and len(faces) == len(secret.cards):
        alt = " ".join(columns.text_secret(secret, wording))
        width = LARGEST_SPACE * min(len(faces), columns.CARDS_BESIDE)
        picture = draw_picture(columns.faces_svg(faces), width, alt)
    drawn = columns.html_secret(secret, wording, pictured=picture is not None)
    return Grid(title, drawn, secret, wording, picture=picture)


def worded_question(
    value: Question | None, names: Mapping[Seat, str], wording: Wording
) -> dict[str, Any] | None:
    """Return a question in words, for a template: its sides, and the outcome of each answer."""
    if value is None:
        return None
    return {
        "title": wording.word("panel", value.title),
        "sides": [
            {
                "seat": side.seat,
                "ink": ink_of(side.seat),
                "name": capital(seat_and_player(side.seat, names, wording)),
                "points": side.points,
                "parts": " · ".join(wording.sentence(part).rstrip(".") for part in side.parts),
            }
            for side in value.sides
        ],
        "choices": [
            (wording.order(choice.order), wording.sentence(choice.outcome))
            for choice in value.choices
        ],
    }


def chips_of(seats: Mapping[Seat, str], letters: Letters, wording: Wording) -> dict[Seat, str]:
    """Return the chip of each seat as HTML, with the letter of its pieces or name."""
    told = columns.seat_letters(seats, letters, wording)
    return {seat: chip(Mark(letter, "", seat)) for seat, letter in told.items()}
