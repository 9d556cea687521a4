"""The course of a match, and a page's board and data for it.

Every text and every look of a cell stands in the data once; steps name only their changes. The
grounds of the board stand, a script exchanges everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain
from operator import itemgetter
from typing import Any

from referee.games.game import Cell, Fact, Move, Panel, Scene, Seat, Sentence, Track
from referee.render.drawings import tracks
from referee.render.drawings.board import ground_word, mark_words, state_mark
from referee.render.drawings.charts import Curve
from referee.render.drawings.picture import EDGE, Picture
from referee.render.words.wording import Wording
from referee.value import Value, replace


class CourseStep(Value):
    """A step of a course: act, facts, and the board after it.

    ``order`` is worded; None for a whole turn, or an event without an order. ``hand`` was known
    only to ``holder``, the seat to act then, when its turn began. ``undone``: it was taken back
    later; ``to``: the event after which the match stands again. ``ends``: a turn ended with it.
    ``late``: the match ended with it because the seat's time was up.
    """

    seq: int
    turn: int
    seat: Seat | None
    kind: str
    order: str | None
    forced: bool
    facts: tuple[Fact, ...]
    scene: Scene
    points: Mapping[Seat, int]
    ends: bool
    to: int | None = None
    holder: Seat | None = None
    hand: tuple[Panel, ...] = ()
    undone: bool = False
    late: bool = False


class Course(Value):
    """A match from its first scene on; ``whole`` tells whether it is complete."""

    start: Scene
    points: Mapping[Seat, int]
    steps: tuple[CourseStep, ...]
    whole: bool

    @property
    def scorings(self) -> list[tuple[int, int]]:
        """The numbers, from 1, and turns of steps that ended a stage."""
        ended: list[tuple[int, int]] = []
        for number, step in enumerate(self.steps, start=1):
            courses = (track.places for track in step.scene.tracks if track.kind == "course")
            done = sum(place.stage == "done" for places in courses for place in places)
            # Taken back: what ended later has not ended.
            ended = ended[:done]
            ended += [(number, step.turn)] * (done - len(ended))
        return ended

    def by_turn(self) -> list[tuple[int, Mapping[Seat, int]]]:
        """Return everybody's points at the beginning and after each turn that stands."""
        by_turn: dict[int, Mapping[Seat, int]] = {0: self.points}
        last = 0
        for step in self.steps:
            # The match went back: turns taken back leave the chart.
            if step.turn < last:
                by_turn = {turn: points for turn, points in by_turn.items() if turn < step.turn}
            by_turn[step.turn], last = step.points, step.turn
        return sorted(by_turn.items(), key=itemgetter(0))

    def curves(self, letters: Mapping[Seat, str], wording: Wording) -> list[Curve]:
        """Return the points of seats as lines of a chart, each with the letter of its pieces."""
        by_turn = self.by_turn()
        return [
            Curve(
                wording.seat(seat), [(turn, points[seat]) for turn, points in by_turn], seat, letter
            )
            for seat, letter in letters.items()
        ]


def _on_one_board(course: Course) -> Course:
    """Return a course whose scenes all show each space of any of them.

    Some boards grow as they are played upon. Their rows and columns are counted from a corner that
    moves, so a scene is laid upon the others by a space that it shares with them.
    """
    scenes = [course.start, *(step.scene for step in course.steps)]
    if len({tuple(cell.space for cell in scene.cells) for scene in scenes}) == 1:
        return course
    board: dict[str, Cell] = {}
    rows, columns = dict[int, str](), dict[int, str]()
    for scene in scenes:
        if not scene.cells:
            continue
        shared = next((cell for cell in scene.cells if cell.space in board), scene.cells[0])
        fixed = board.get(shared.space, shared)
        down, right = fixed.row - shared.row, fixed.column - shared.column
        rows |= {row + down: name for row, name in enumerate(scene.row_names)}
        columns |= {column + right: name for column, name in enumerate(scene.column_names)}
        for cell in scene.cells:
            bare = replace(cell, row=cell.row + down, column=cell.column + right, marks=())
            board.setdefault(cell.space, bare)
    top = min(cell.row for cell in board.values())
    left = min(cell.column for cell in board.values())
    board = {
        cell.space: replace(cell, row=cell.row - top, column=cell.column - left)
        for cell in sorted(board.values(), key=lambda cell: (cell.row, cell.column))
    }

    def whole(scene: Scene) -> Scene:
        marks = {cell.space: cell.marks for cell in scene.cells}
        return replace(
            scene,
            rows=1 + max(cell.row for cell in board.values()),
            columns=1 + max(cell.column for cell in board.values()),
            cells=tuple(replace(cell, marks=marks.get(space, ())) for space, cell in board.items()),
            row_names=tuple(name for _, name in sorted(rows.items())),
            column_names=tuple(name for _, name in sorted(columns.items())),
        )

    steps = tuple(replace(step, scene=whole(step.scene)) for step in course.steps)
    return replace(course, start=whole(course.start), steps=steps)


class ShownBoard(Value):
    """The board after a step, by numbers: looks of cells, areas with a state, parts of tracks."""

    cells: tuple[int, ...]
    states: tuple[int, ...]
    tracks: tuple[tuple[int, ...], ...]


class PlayedBoard(Picture):
    """A picture of pieces that are drawn once each, and numbered."""

    on_page = True

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
            f'<g id="c{n}"><title>{escape(f"{self.wording.space(cell)} {words[look]}")}</title>'
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


class PackedCourse:
    """The data of a page, filled step by step.

    ``steps`` hold under ``c`` pairs of a cell and its new look; where any changed, under ``a`` the
    areas in a state, under ``t`` the parts of all tracks, under ``p`` all panels;
    under ``w`` arrows, by their numbers among the parts;
    ``panels`` are a title and sentences, by their numbers in ``texts``.
    """

    def __init__(self, course: Course, wording: Wording, *, panels: str = "all") -> None:
        """Take all steps of a course.

        ``panels`` come after ``all`` steps, ``turns`` only, or none. The last step always has them,
        since the page opens on it.
        """
        course = _on_one_board(course)
        start, last = course.start, len(course.steps) - 1
        self.wording = wording
        self.texts: dict[str, int] = {}
        self.panels: dict[tuple[int, ...], int] = {}
        self._sentences: dict[tuple[str, str], int] = {}
        # By identity: games give what did not change again. The values keep the keys theirs.
        self._same: dict[int, tuple[Sentence, int]] = {}
        self._titles: dict[tuple[Seat, str], str] = {}
        self.board = PlayedBoard(start, wording)
        self.first = self.before = self.shown = self.board.shown(start)
        self.ways: list[int] = []
        self._last: Scene = start
        self._shown = self._panels(start.panels, None, ())
        self.steps: list[dict[str, Any]] = [{"p": self._shown, **self._beside(self.first)}]
        for number, step in enumerate(course.steps):
            told = panels == "all" or (panels == "turns" and step.ends) or number == last
            self.steps.append(self._changed(step, panels=told))

    def _changed(self, step: CourseStep, *, panels: bool) -> dict[str, Any]:
        """Return the changes of a further step; without ``panels`` they stay as they were."""
        changed: dict[str, Any] = {}
        scene, last = step.scene, self._last
        self._last, self.before = scene, self.shown
        # Games return the same tuple while the board is unchanged, which settles most steps.
        if scene is not last and not (
            scene.cells is last.cells and scene.tracks == last.tracks and scene.areas == last.areas
        ):
            self.shown = self.board.shown(scene)
            pairs = zip(self.before.cells, self.shown.cells, strict=True)
            looks = [(n, now) for n, (then, now) in enumerate(pairs) if then != now]
            if looks:
                changed["c"] = [*chain.from_iterable(looks)]
            old = self._beside(self.before)
            changed |= {
                key: told for key, told in self._beside(self.shown).items() if told != old[key]
            }
        self.ways = self.board.ways(tuple(self.wording.game.moves(step.facts)))
        if self.ways:
            changed["w"] = self.ways
        if panels:
            shown = self._panels(step.scene.panels, step.holder, step.hand)
            if shown != self._shown:
                changed["p"] = self._shown = shown
        return changed

    @staticmethod
    def _beside(shown: ShownBoard) -> dict[str, Any]:
        return {"a": list(shown.states), "t": [list(track) for track in shown.tracks]}

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON."""
        board = self.board
        return {
            "texts": list(self.texts),
            "spaces": [
                [self.wording.space(cell), *map(round, board.corner((cell.row, cell.column)))]
                for cell in board.scene.cells
            ],
            "looks": [words for _, words in self.board.looks],
            "panels": [list(panel) for panel in self.panels],
            "cells": list(self.first.cells),
            "steps": self.steps,
        }

    def picture(self, label: str) -> str:
        """Return the board as it stands after the last step taken."""
        return self.board.page(self.shown, self.before, self.ways, label)

    def _panels(
        self, panels: Sequence[Panel], holder: Seat | None, hand: Sequence[Panel]
    ) -> list[int]:
        word, say = self.wording.word, self.wording.catalogue.say
        numbers = [self._panel(word("panel", panel.title), panel) for panel in panels]
        if holder is not None:
            for panel in hand:
                key = holder, panel.title
                if key not in self._titles:
                    seat, title = self.wording.seat(holder), word("panel", panel.title)
                    self._titles[key] = say("site.hand", title=title, seat=seat)
                numbers.append(self._panel(self._titles[key], panel))
        return [number for number in numbers if number >= 0]

    def _panel(self, title: str, panel: Panel) -> int:
        """Return a panel's number; -1 when it says nothing."""
        if not panel.sentences:
            return -1
        texts = [self._text(title)]
        for sentence in panel.sentences:
            if id(sentence) not in self._same:
                key = (sentence.key, repr(sentence.fields))
                if key not in self._sentences:
                    self._sentences[key] = self._text(self.wording.sentence(sentence))
                self._same[id(sentence)] = sentence, self._sentences[key]
            texts.append(self._same[id(sentence)][1])
        return self.panels.setdefault(tuple(texts), len(self.panels))

    def _text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))
