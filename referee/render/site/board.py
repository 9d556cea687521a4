"""The board of a match's page: the grounds stand, a script exchanges everything else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from referee.games.game import Cell, Move, Scene, Track
from referee.render.drawings import outline, tracks
from referee.render.drawings.board import mark_words, state_mark
from referee.render.drawings.changes import NOTHING
from referee.render.drawings.picture import BORDER, EDGE, PAPER, Picture
from referee.render.drawings.pieces import arrow, ink_of
from referee.render.words.wording import Wording
from referee.value import Value, replace


class ShownBoard(Value):
    """The board after a step, by numbers: looks of cells, areas with a state, parts of tracks."""

    cells: tuple[int, ...]
    states: tuple[int, ...]
    tracks: tuple[tuple[int, ...], ...]


class PlayedBoard(Picture):
    """A picture of pieces that are drawn once each, and numbered."""

    any_font = True
    joined = True

    def __init__(self, start: Scene, wording: Wording) -> None:
        """Begin with the first scene of a match, whose grounds are drawn."""
        super().__init__(start, wording, NOTHING)
        self.looks: dict[tuple[str, str], int] = {}
        self.parts: dict[str, int] = {}
        self._cells: dict[Cell, int] = {}
        self._tracks: dict[Track, tuple[int, ...]] = {}
        self._signs: dict[int, str] = {}
        self._grounds_of = {cell.space: cell.ground for cell in start.cells}

    @property
    def wide(self) -> float:
        """The width of the picture."""
        return self.scene.columns * self.unit + 2 * EDGE

    def shown(self, scene: Scene) -> ShownBoard:
        """Return how a scene looks."""
        states = tuple(n for n, area in enumerate(scene.areas) if area.state)
        for number in states:
            if number not in self._signs:
                area, (_, spots) = scene.areas[number], self.areas[number]
                self._signs[number] = self.sign(area, spots, state_mark(scene, area))
                self.stated.add(area.state or "")
        for track in scene.tracks:
            if track not in self._tracks:
                drawn = tracks.parts(track, self.wording, self.wide)
                numbers = (self.parts.setdefault(part, len(self.parts)) for part in drawn)
                self._tracks[track] = tuple(numbers)
        shown = tuple(self._tracks[track] for track in scene.tracks)
        return ShownBoard(tuple(map(self.look, scene.cells)), states, shown)

    def look(self, cell: Cell) -> int:
        """Return the number of a cell's look: its drawing, and its words."""
        number = self._cells.get(cell)
        if number is None:
            words = self.wording.word("ground", cell.ground)
            if cell.marks:
                words += ": " + self.wording.catalogue.joined(mark_words(cell, self.wording))
            # Drawn at the corner of the board, and moved to its space where it is used.
            here = replace(cell, row=0, column=0)
            drawn = "".join(self.pieces_on(here)) if cell.marks else ""
            if cell.ground != self._grounds_of[cell.space]:
                drawn = self._space(here, alone=True) + drawn
            number = self.looks.setdefault((drawn, words), len(self.looks))
            self._cells[cell] = number
        return number

    def ways(self, moves: Iterable[Move]) -> list[int]:
        """Return the numbers of the arrows of moves."""
        numbers = []
        for move in moves:
            points = [self.middle(self.at[space]) for space in move.spaces if space in self.at]
            if len(points) > 1:
                drawn = arrow(points, ink_of(move.seat).paper, self.unit)
                numbers.append(self.parts.setdefault(drawn, len(self.parts)))
        return numbers

    def page(self, shown: ShownBoard, before: ShownBoard, ways: Sequence[int], label: str) -> str:
        """Return the picture for a page, with ids for its script.

        Cell ``n`` is the group ``c<n>``, look ``n`` is ``l<n>``, part ``n`` of tracks ``f<n>``,
        the state of area ``n`` is ``a<n>``, track ``n`` is ``t<n>``; frames lie in ``over``.
        """
        board = self.scene.rows * self.unit + 2 * EDGE
        high = board + tracks.height(self.scene.tracks, self.wide)
        places = list(tracks.transforms(self.scene.tracks, self.wide, board))
        words = {number: words for (_, words), number in self.looks.items()}
        cells = [
            f'<g id="c{n}"><title>{escape(f"{cell.space} {words[look]}")}</title>'
            f"{self._use(f'l{look}', cell)}</g>"
            for n, (cell, look) in enumerate(zip(self.scene.cells, shown.cells, strict=True))
        ]
        # Each area has a line within it, hidden without a state.
        stated = []
        for number, (_, spots) in enumerate(self.areas):
            data = outline.path(spots, self.unit, radius=0.14 * self.unit, inset=0.05 * self.unit)
            look = "" if number in shown.states else ' class="off"'
            stated.append(
                f'<g id="a{number}"{look} fill="none"><path d="{data}" stroke="{BORDER}" '
                f'stroke-width="4" opacity=".6"/><path d="{data}" stroke="{STATED}" '
                f'stroke-width="2.5"/>{self._signs.get(number, "")}</g>'
            )
        # Changed cells have frames, and pieces that left ghosts.
        over = []
        bare = {number for (drawn, _), number in self.looks.items() if not drawn}
        for cell, then, now in zip(self.scene.cells, before.cells, shown.cells, strict=True):
            if then != now:
                over.append(self._use("frame", cell))
                if now in bare and then not in bare:
                    over.append(self._use(f"l{then}", cell).replace("/>", ' class="ghost"/>'))
        return "".join(
            [
                f'<svg class="board" id="picture" viewBox="0 0 {self.wide:g} {high:g}" role="img" ',
                f'aria-label="{escape(label)}"><defs>{"".join(self.symbols())}',
                *(f'<g id="l{n}">{drawn}</g>' for n, (drawn, _) in enumerate(self.looks)),
                *(f'<g id="f{n}">{drawn}</g>' for n, drawn in enumerate(self.parts)),
                f'<g id="frame">{self.frame_at((0, 0))}</g></defs>',
                f'<rect width="{self.wide:g}" height="{high:g}" fill="{PAPER}"/>',
                f'<g transform="translate({EDGE} {EDGE})">',
                *self.ground_lines(),
                *self.border_lines(),
                *stated,
                f'{self.edge()}<g id="over">',
                *over,
                f"{self._uses(ways)}</g>",
                *cells,
                *(drawn for _, drawn in self.area_labels()),
                "</g>",
                *self.names(),
                *(
                    f'<g id="t{n}" transform="{place}">{self._uses(shown.tracks[n])}</g>'
                    for n, place in enumerate(places)
                ),
                "</svg>",
            ]
        )

    def _use(self, name: str, cell: Cell) -> str:
        x, y = cell.column * self.unit, cell.row * self.unit
        return f'<use href="#{name}" x="{x:g}" y="{y:g}"/>'

    def _uses(self, parts: Sequence[int]) -> str:
        return "".join(f'<use href="#f{part}"/>' for part in parts)


STATED: Final = "#ffe08a"
"""The line within an area that is in a state, as pictures draw it."""
