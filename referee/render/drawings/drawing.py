"""Scenes drawn for mails: as text, table, picture and sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from referee.games.game import Mark, Panel, Scene
from referee.render.drawings import board
from referee.render.drawings.changes import NOTHING, Changes
from referee.render.drawings.picture import LARGEST_SPACE, PIXELS, Picture
from referee.render.drawings.raster import DrawnPicture, draw_picture
from referee.render.drawings.spoken import spoken
from referee.render.drawings.table import area_code, html_board
from referee.render.layout import DOT, Format, columns_of, wrap, wrap_all
from referee.render.words.wording import Wording
from referee.value import Value, replace


class Drawing(Value, dict=True):
    """A scene to be drawn for both parts, each when asked for.

    With a ``picture`` the table stands at the end of the HTML.
    """

    scene: Scene
    wording: Wording
    changes: Changes
    picture: DrawnPicture | None = None

    @property
    def panels(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The panels in words."""
        return worded_panels(self.scene.panels, self.wording)

    @cached_property
    def _board(self) -> _Board:
        # Some readers are spared the legend; for them the board is drawn no other way.
        scene, changes = replace(self.scene, legend=()), self.changes
        key = (
            (self.wording, scene.rows, scene.columns, scene.cells, scene.areas),
            (scene.row_names, scene.column_names, scene.lattice, scene.lines, scene.tall),
            (tuple(scene.palette.items()), tuple(scene.grounds.items())),
            (tuple(changes.numbers.items()), tuple(changes.gone.items())),
        )
        return _shared(_Board(key, scene, self.wording, changes))

    @cached_property
    def _listed(self) -> str:
        """The sign of a change and the changed spaces in board order; empty without any."""
        numbers = self.changes.numbers
        changed = (cell for cell in self.scene.cells if cell.space in numbers)
        spaces, say = [self.wording.space(cell) for cell in changed], self.wording.catalogue.say
        return f"{board.CHANGED} {say('board.changed')}: {', '.join(spaces)}" if spaces else ""

    @cached_property
    def _pieces(self) -> tuple[str, ...]:
        return board.piece_signs(self.scene, self.wording, self.changes)

    @property
    def text(self) -> tuple[str, ...]:
        """The board as lines."""
        own = (*self._pieces, *board.text_signs(self._board.text, self.scene, self.wording))
        known = board.legend(self.scene, self.wording, own=own)
        return (*self._board.text, *known, *wrap(self._listed).splitlines())

    @property
    def html(self) -> str:
        """The board as a table."""
        return self._board.html

    @property
    def legend(self) -> str:
        """The meanings of the table's signs, and the changed spaces."""
        codes = {area.key: area_code(area) for area in self.scene.areas if area.code}
        # The table leaves water blank.
        seas = {key for key, ground in self.scene.grounds.items() if ground.motif == "sea"}
        coded = tuple(
            (codes.get(key, sign), kind, key)
            for sign, kind, key in self.scene.legend
            if kind != "ground" or key in codes or key not in seas
        )
        scene = replace(self.scene, legend=coded)
        told = " ".join(board.legend(scene, self.wording, own=self._pieces))
        return "; ".join(filter(None, (told, self._listed)))

    @property
    def key(self) -> str:
        """The meanings of the shapes and marks in the picture."""
        if self.picture is None:
            return ""
        return board.picture_key(self.scene, self.wording, self.changes)

    def lines(self, kind: Format) -> tuple[str, ...]:
        """Return the board for a form of text; for hearers as sentences."""
        if kind in {"text", "html"}:
            return self.text
        if kind == "spoken":
            return wrap_all(spoken(self.scene, self.wording, self.changes), DOT, "  ")
        columns = columns_of(kind)
        narrow = board.phone_board(self.scene, self.wording, columns, self.changes)
        return (*narrow, *wrap(self._listed, columns=columns).splitlines())

    def shows(self, other: Drawing) -> bool:
        """Whether it is the same board as another, whatever either points out or explains."""
        mine, others = self.scene, other.scene
        alike = (mine.cells, mine.areas) == (others.cells, others.areas)
        return alike and self.panels == other.panels


def draw_scene(
    scene: Scene, wording: Wording, changes: Changes = NOTHING, alt: str | None = None
) -> Drawing:
    """Return a scene drawn, with changes pointed out.

    With ``alt``, the words for whoever does not see it, as a picture too, if that can be drawn.
    """
    scene, changes = _in_letters(scene, changes, wording)
    picture = None
    if alt is not None:
        drawn = Picture(scene, wording, changes).layers()
        # Cards on a table are read, with a name below each.
        largest = 2 * LARGEST_SPACE if scene.lattice == "table" else LARGEST_SPACE
        width = min(PIXELS, int(largest * drawn.wide / drawn.space))
        picture = draw_picture(drawn, width, alt)
    return Drawing(scene, wording, changes, picture)


def _in_letters(scene: Scene, changes: Changes, wording: Wording) -> tuple[Scene, Changes]:
    """Return a scene and its changes with pieces' letters in the language of their reader.

    A game has words for them where its players write other ones in another language.
    """

    def letter(own: str, word: str) -> str:
        if not wording.has("letter", word):
            return own
        worded = wording.word("letter", word)
        return worded.lower() if own.islower() else worded

    def lettered(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
        return tuple(replace(mark, letter=letter(mark.letter, mark.word)) for mark in marks)

    words = {mark.word for cell in scene.cells for mark in cell.marks}
    if not any(wording.has("letter", word) for word in words):
        return scene, changes
    cells = tuple(replace(cell, marks=lettered(cell.marks)) for cell in scene.cells)
    legend = tuple(
        (letter(sign, word) if kind == "mark" else sign, kind, word)
        for sign, kind, word in scene.legend
    )
    gone = {space: lettered(marks) for space, marks in changes.gone.items()}
    return replace(scene, cells=cells, legend=legend), replace(changes, gone=gone)


def worded_panels(
    panels: Iterable[Panel], wording: Wording
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return panels in words, without those that are empty."""
    return tuple(
        (
            wording.word("panel", panel.title),
            tuple(wording.sentence(sentence) for sentence in panel.sentences),
        )
        for panel in panels
        if panel.sentences
    )


@dataclass(frozen=True)
class _Board:
    """Lines and table of a board without legend, drawn when asked for.

    Those of seats that see alike are equal: ``key`` is all that is shown.
    """

    key: tuple[object, ...]
    scene: Scene = field(compare=False)
    wording: Wording = field(compare=False)
    changes: Changes = field(compare=False)

    @cached_property
    def text(self) -> tuple[str, ...]:
        return board.text_board(self.scene, self.wording, changes=self.changes)

    @cached_property
    def html(self) -> str:
        return html_board(self.scene, self.wording, self.changes)


@lru_cache(maxsize=16)
def _shared(board: _Board) -> _Board:
    """Return the first of equal boards, which is drawn once for all reports of a match."""
    return board
