"""The board of a match's page: the grounds stand, a script exchanges everything else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from referee.games.game import Cell, Move, Scene, Track
from referee.render.drawings import tracks
from referee.render.drawings.board import ground_word, mark_words, state_mark
from referee.render.drawings.picture import EDGE, Picture
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
        super().__init__(start, wording)
        self.looks: dict[tuple[str, str], int] = {}
        self.parts: dict[str, int] = {}
        self._cells: dict[Cell, int] = {}
        self._tracks: dict[Track, tuple[int, ...]] = {}
        self._signs: dict[int, str] = {}
        self._grounds_of = {cell.space: cell.ground for cell in start.cells}

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
            words = ground_word(self.scene, cell.ground, self.wording)
            if cell.marks:
                told = self.wording.catalogue.joined(mark_words(cell, self.wording))
                words = f"{words}: {told}" if words else told
            drawn = self.pieces_on(cell)
            if cell.ground != self._grounds_of[cell.space]:
                # At the corner of the board, and moved to its space where it is used.
                drawn = self._space(replace(cell, row=0, column=0), alone=True) + drawn
            number = self.looks.setdefault((drawn, words), len(self.looks))
            self._cells[cell] = number
        return number

    def ways(self, moves: Iterable[Move]) -> list[int]:
        """Return the numbers of the arrows of moves."""
        ways = filter(None, map(self.way, moves))
        return [self.parts.setdefault(drawn, len(self.parts)) for drawn in ways]

    def page(self, shown: ShownBoard, before: ShownBoard, ways: Sequence[int], label: str) -> str:
        """Return the picture for a page, with ids for its script.

        Cell ``n`` is the group ``c<n>``, look ``n`` is ``l<n>``, part ``n`` of tracks ``f<n>``,
        the state of area ``n`` is ``a<n>``, track ``n`` is ``t<n>``; frames lie in ``over``.
        """
        places = list(tracks.transforms(self.scene.tracks, self.wide, self.board))
        words = {number: words for (_, words), number in self.looks.items()}
        cells = [
            f'<g id="c{n}"><title>{escape(f"{cell.space} {words[look]}")}</title>'
            f"{self._use(f'l{look}', cell)}</g>"
            for n, (cell, look) in enumerate(zip(self.scene.cells, shown.cells, strict=True))
        ]
        # Each area has a line within it, hidden without a state.
        stated = []
        for number, (_, spots) in enumerate(self.areas):
            look = "" if number in shown.states else ' class="off"'
            line = self.state_line(spots) + self._signs.get(number, "")
            stated.append(f'<g id="a{number}"{look}>{line}</g>')
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
                f'<svg class="board" id="picture" viewBox="0 0 {self.wide:g} {self.high:g}" ',
                f'role="img" aria-label="{escape(label)}"><defs>',
                *(f'<g id="l{n}">{drawn}</g>' for n, (drawn, _) in enumerate(self.looks)),
                *(f'<g id="f{n}">{drawn}</g>' for n, drawn in enumerate(self.parts)),
                f'<g id="frame">{self.frame()}</g></defs>{self.ground()}',
                f'<g transform="translate({EDGE} {EDGE})">',
                *stated,
                '<g id="over">',
                *over,
                f"{self._uses(ways)}</g>",
                *cells,
                *(name.svg for name in self.area_labels()),
                "</g>",
                *(
                    f'<g id="t{n}" transform="{place}">{self._uses(shown.tracks[n])}</g>'
                    for n, place in enumerate(places)
                ),
                "</svg>",
            ]
        )

    def _use(self, name: str, cell: Cell) -> str:
        x, y = self.corner((cell.row, cell.column))
        return f'<use href="#{name}" x="{x:g}" y="{y:g}"/>'

    def _uses(self, parts: Sequence[int]) -> str:
        return "".join(f'<use href="#f{part}"/>' for part in parts)
