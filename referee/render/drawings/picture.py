"""Pictures in layers: the ground of a match, and stamps that lie upon it."""

from __future__ import annotations

from cmath import rect
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from html import escape
from math import ceil, pi, sqrt
from typing import ClassVar, Final, NamedTuple

from referee.games.game import Area, Cell, Face, Ground, Mark, Move, Scene
from referee.render.drawings import labels, outline, tracks
from referee.render.drawings.board import axis_names, ground_of, state_mark
from referee.render.drawings.changes import NOTHING, Changes
from referee.render.drawings.kept import Kept
from referee.render.drawings.labels import Label
from referee.render.drawings.motifs import MOTIFS, Motif
from referee.render.drawings.outline import Spot
from referee.render.drawings.pieces import FONT, OUTLINE, arrow, fill_space, ink_of, letters, piece
from referee.render.words.wording import Wording

WIDE: Final = 900
"""The width a picture is drawn with."""

PIXELS: Final = 648
"""The most columns of a picture in a mail, as many as a mail is wide: none is blurred."""

LARGEST_SPACE: Final = 54
"""The most columns of a space in a mail: on a board of few spaces more would only weigh more."""

EDGE: Final = 30
"""Room for the names of rows and columns."""

NAME_SIZE: Final = 24
"""The height of these names; on the screen of a phone it is a third of that."""

LEAST_SIDE, MOST_SIDE = 34, 96
"""The bounds of a space's side."""

STRIP: Final = 0.29
"""The upper part of each space that is kept for names where a game has areas."""

CORNER: Final = (0, 0)
"""The spot at which drawings are made that are then moved to their own."""

MARGIN: Final = 0.4
"""Room around the spots of a drawing, in parts of a space."""

LENGTH: Final = 'textLength="{:.0f}" lengthAdjust="spacingAndGlyphs" '
"""What makes a name as wide as it was measured, in whatever font."""

FILLED: Final = 0.92
"""The part of a space that its piece takes if nothing else is to be seen there."""

PITCH: Final = sqrt(3) / 2
"""The distance of two rows of hexagons, in parts of a space's width."""

HANGING: Final = 1 / sqrt(3) - 0.5
"""What a hexagon has above and below the square within it, in parts of its width."""

# The colours of what is no seat's.
PAPER: Final = "#f1ede3"
COAST: Final = "#2e5b73"
BORDER: Final = "#4a3520"
SHORE: Final = "#d9eaf3"
SHALLOWS: Final = "#d0e5f0"
GOLD: Final = "#ffc21a"
GOLD_EDGE: Final = "#7a4b00"

grounds: Final = Kept(4_000_000)
"""Grounds of boards."""


class Extent(NamedTuple):
    """A part of a drawing, in its units."""

    left: float
    top: float
    wide: float
    high: float


class Stamp(NamedTuple):
    """A drawing within a box, moved to its place."""

    svg: str
    box: Extent
    right: float = EDGE
    down: float = EDGE


class Layers(NamedTuple):
    """A picture in units of its drawing: size, ground, and the stamps upon it in order.

    ``space`` is the side of a board's spaces.
    """

    wide: float
    high: float
    ground: str
    stamps: tuple[Stamp, ...] = ()
    space: float = 0

    def svg(self) -> str:
        """Return ground and stamps as one SVG document."""
        box = f'viewBox="0 0 {self.wide:g} {self.high:g}"'
        upon = "".join(
            f'<g transform="translate({right:g} {down:g})">{drawn}</g>'
            for drawn, _, right, down in self.stamps
        )
        return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{self.ground}{upon}</svg>'


class Picture:
    """A picture of a scene while it is drawn, its tracks below the board.

    Each part is drawn once, wherever it stands. The ground stays the same in every picture of a
    match: a piece covers the waves below it.
    """

    on_page: ClassVar[bool] = False
    """Whether a browser draws it: in a font whose widths nobody knows.

    Spaces in a row that share a ground then have it drawn once.
    """

    def __init__(self, scene: Scene, wording: Wording, changes: Changes = NOTHING) -> None:
        """Measure the board and find its spaces."""
        self.scene = scene
        self.wording = wording
        self.changes = changes
        self.hexes = scene.lattice == "hexes"
        across, down = float(scene.columns), float(scene.rows)
        # Where rows are shifted the first spaces of one need not be those of another.
        shifts = [cell.column + cell.row / 2 for cell in scene.cells if self.hexes]
        self.left = min(shifts, default=0)
        if shifts:
            across, down = max(shifts) - self.left + 1, down * PITCH + 2 * HANGING
        self.unit = float(min(max((WIDE - 2 * EDGE) // max(across, 1), LEAST_SIDE), MOST_SIDE))
        self.space_high = scene.tall * self.unit
        self.wide, self.board = (n * self.unit + 2 * EDGE for n in (across, down * scene.tall))
        self.high = self.board + tracks.height(scene.tracks, self.wide)
        self.axes = axis_names(scene)
        self.at = {cell.space: (cell.row, cell.column) for cell in scene.cells}
        self.grounds_at = {(cell.row, cell.column): cell.ground for cell in scene.cells}
        self.land = {
            (cell.row, cell.column)
            for cell in scene.cells
            if ground_of(scene, cell.ground).motif != "sea"
        }
        self.sea = set(self.at.values()) - self.land
        self.areas = [(area, {*self._spots(area.spaces)}) for area in scene.areas]
        self.lines = tuple(line for line in scene.lines if not isinstance(line, Move))
        self.fitted: dict[str, tuple[Label, ...]] = {}
        self.stated = {area.state for area in scene.areas if area.state}

    def layers(self) -> Layers:
        """Return the whole picture."""
        return Layers(self.wide, self.high, self.ground(), tuple(self.stamps()), self.unit)

    def ground(self) -> str:
        """Return the grounds with their borders, the board's edge, and the names beside it.

        They are drawn once for all pictures of a kind with the same spaces, grounds and areas.
        """
        scene = self.scene
        spaces = tuple(
            (cell.space, cell.row, cell.column, cell.ground, cell.name) for cell in scene.cells
        )
        looks = (*scene.grounds.items(), *scene.palette.items())
        areas = tuple((area.spaces, area.sea) for area in scene.areas)
        names = scene.row_names, scene.column_names, scene.lattice, self.lines, scene.tall
        signs = tuple(cell.sign for cell in scene.cells)

        def make() -> tuple[str, int]:
            drawn = "".join(
                [
                    f"<defs>{''.join(self.symbols())}</defs>",
                    f'<rect width="{self.wide:g}" height="{self.high:g}" fill="{PAPER}"/>',
                    f'<g transform="translate({EDGE} {EDGE})">',
                    *self.ground_lines(),
                    *self.border_lines(),
                    self.edge(),
                    "</g>",
                    *self.names(),
                ]
            )
            return drawn, len(drawn)

        key = type(self), scene.rows, scene.columns, self.high, spaces, looks, areas, names, signs
        return grounds.get(key, make)

    def stamps(self) -> Iterator[Stamp]:
        """Yield the parts upon the ground, from the lowest to the highest."""
        changes, scene = self.changes, self.scene
        for area, spots in self.areas:
            if area.state:
                drawn = self.state_line(spots) + self.sign(area, spots, state_mark(scene, area))
                yield Stamp(drawn, self._around(spots))
        for line in scene.lines:
            if isinstance(line, Move):
                ink, width = ink_of(line.seat).paper, 0.13 * self.unit
                look = f'fill="none" stroke="{ink}" stroke-width="{width:g}"'
                data = self._rim(line.spaces) if self.hexes else self._line_through(line.spaces)
                drawn = f'<path d="{data}" {look} stroke-linejoin="round"/>'
                spots = {*self._spots(line.spaces)}
                yield Stamp(drawn, self._around(spots or {CORNER}))
        for space in changes.numbers:
            yield from self._moved(self.frame(), space)
        for space, marks in changes.gone.items():
            x, y = self.middle()
            size = 0.66 * self.unit
            if fill_space(marks):
                y, size = self._stacked(0, self.at.get(space, CORNER)[0]), FILLED * self.unit
            yield from self._moved(piece(marks[0], x, y, size, gone=True), space)
        for move in changes.moves:
            spots = {*self._spots(move.spaces)}
            if drawn := self.way(move):
                yield Stamp(drawn, self._around(spots))
        for cell in scene.cells:
            if drawn := self.pieces_on(cell):
                yield from self._moved(drawn, cell.space)
        for space, numbers in changes.numbers.items():
            if numbers:
                yield from self._moved(self.pill(numbers), space)
        yield from self.area_labels()
        top = self.board
        for track in scene.tracks:
            part = Extent(0, 0, self.wide, tracks.height((track,), self.wide))
            drawn = tracks.drawn(track, self.wording, self.wide, changes.places)
            yield Stamp(drawn, part, 0, top)
            top += part.high

    def _moved(self, drawn: str, space: str) -> Iterator[Stamp]:
        """Yield a drawing moved from the corner to a space."""
        if space in self.at:
            x, y = self.corner(self.at[space])
            yield Stamp(drawn, self._around({CORNER}), EDGE + x, EDGE + y)

    def _spots(self, spaces: Iterable[str]) -> list[Spot]:
        """Return the places of those spaces that are on the board."""
        return [self.at[space] for space in spaces if space in self.at]

    def _around(self, spots: AbstractSet[Spot]) -> Extent:
        top, left = (min(spot[n] for spot in spots) - MARGIN for n in (0, 1))
        down, right = (max(spot[n] for spot in spots) + 1 + MARGIN for n in (0, 1))
        if self.hexes and spots != {CORNER}:
            top, left, down, right = 0, 0, self.board / self.unit, self.wide / self.unit
        wide, high = (right - left) * self.unit, (down - top) * self.space_high
        return Extent(left * self.unit, top * self.space_high, wide, high)

    def corner(self, spot: Spot) -> tuple[float, float]:
        """Return the top left corner of a space; of a hexagon, that of the square within."""
        row, column = spot
        if not self.hexes:
            return column * self.unit, row * self.space_high
        return (column + row / 2 - self.left) * self.unit, (row * PITCH + HANGING) * self.unit

    def middle(self, spot: Spot | None = None) -> tuple[float, float]:
        """Return the point around which a space's piece stands; without one from its corner."""
        down = 0.5 + STRIP / 2.2 if self.areas else 0.55
        x, y = (0.0, 0.0) if spot is None else self.corner(spot)
        return x + 0.5 * self.unit, y + down * self.space_high

    def symbols(self) -> Iterator[str]:
        for name in sorted({ground_of(self.scene, cell.ground).motif for cell in self.scene.cells}):
            if MOTIFS[name].strokes:
                # Nothing is cut off: cutting takes most of the time in which a PNG is made.
                yield (
                    f'<symbol id="m-{name}" viewBox="0 0 100 100" overflow="visible">'
                    f"{MOTIFS[name].strokes}</symbol>"
                )

    def _radius(self) -> float:
        return 0.26 * self.unit if self.sea else 0

    def names(self) -> Iterator[str]:
        """Yield the names of rows and columns, and those on spaces."""
        size = self._name_size()
        yield f'<g fill="#3b444d" font-family="{FONT}" font-weight="bold" font-size="{size:.0f}" '
        yield 'text-anchor="middle">'
        for x, y, name in self._hexes_named() if self.hexes else self._ends_named():
            yield f'<text x="{x:.0f}" y="{y + size * 0.36:.0f}">{escape(name)}</text>'
        yield "</g>"
        for cell in self.scene.cells if not self.hexes else ():
            if cell.name:
                x, y = (EDGE + length for length in self.corner((cell.row, cell.column)))
                small, left = 0.19 * self.unit, x + 0.05 * self.unit
                yield letters(left, y + 0.14 * self.unit, small, cell.name, OUTLINE, anchor="start")

    def _name_size(self) -> float:
        """Return the height in which every name fits beside its row or column."""
        rows, columns = (max(map(labels.width, names), default=0) for names in self.axes)
        sizes = (room / wide for room, wide in ((EDGE, rows), (self.unit, columns)) if wide)
        return min([NAME_SIZE, *sizes])

    def _ends_named(self) -> Iterator[tuple[float, float, str]]:
        """Yield the names at both ends of each row and column, with the point they stand around."""
        rows, columns = self.axes
        below = columns[-self.scene.columns :]
        for number, both in enumerate(zip(columns, below, strict=False)):
            x = EDGE + (number + 0.5) * self.unit
            for y, name in zip((EDGE / 2, self.board - EDGE / 2), both, strict=True):
                yield x, y, name
        for number, name in enumerate(rows):
            y = EDGE + (number + 0.5) * self.space_high
            for x in (EDGE / 2, EDGE * 1.5 + self.scene.columns * self.unit):
                yield x, y, name

    def _hexes_named(self) -> Iterator[tuple[float, float, str]]:
        """Yield the names before the first and behind the last hexagon of each row and column.

        Where two would touch, the one that comes later is left out: most stand at two ends.
        """
        away, named = 0.5 * self.unit + EDGE / 2, list[tuple[float, float, float]]()
        for by, names in enumerate(self.axes):
            step = (1.0, 0.0) if by == 0 else (0.5, PITCH)
            for number, name in enumerate(names):
                line = sorted(spot for spot in self.at.values() if spot[by] == number)
                for spot, way in ((line[0], -away), (line[-1], away)) if line else ():
                    x, y = (EDGE + length + 0.5 * self.unit for length in self.corner(spot))
                    x, y = x + way * step[0], y + way * step[1]
                    size = self._name_size()
                    half = labels.width(name) * size / 2
                    if all(
                        abs(x - right) >= half + wide or abs(y - down) >= size
                        for right, down, wide in named
                    ):
                        named.append((x, y, half))
                        yield x, y, name

    def _line_through(self, spaces: Sequence[str]) -> str:
        """Return the line through the middles of spaces, as path data."""
        points = (
            ((column + 0.5) * self.unit, (row + 0.5) * self.unit)
            for row, column in self._spots(spaces)
        )
        return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)

    def _rim(self, spaces: Sequence[str]) -> str:
        """Return the outer sides of the hexagons along a side of the board, as path data."""
        half = 0.5 * self.unit
        middles = [
            complex(*self.corner(spot)) + complex(half, half) for spot in self._spots(spaces)
        ]
        outward = 1j * (middles[-1] - middles[0])
        centre = complex(self.wide - 2 * EDGE, self.board - 2 * EDGE) / 2
        if ((sum(middles) / len(middles) - centre) * outward.conjugate()).real < 0:
            outward = -outward
        data = []
        for middle in middles:
            for side in range(6):
                # The sides look east, and so on clockwise; each of them ends where the next begins.
                way = rect(1, side * pi / 3)
                if (way * outward.conjugate()).real > abs(outward) / 2:
                    ends = (
                        middle + rect(self.unit / sqrt(3), (side + n) * pi / 3) for n in (-0.5, 0.5)
                    )
                    data.append("M" + "L".join(f"{end.real:.1f} {end.imag:.1f}" for end in ends))
        return "".join(data)

    def ground_lines(self) -> Iterator[str]:
        scene, unit = self.scene, self.unit
        if scene.lattice in {"crossings", "table"}:
            # The whole board is in the ground of its first space.
            ground = ground_of(scene, scene.cells[0].ground) if scene.cells else Ground()
            wide, high = self.wide - 2 * EDGE, self.board - 2 * EDGE
            fill = escape(ground.fill or MOTIFS[ground.motif].fill)
            yield f'<rect width="{wide:g}" height="{high:g}" fill="{fill}"/>'
        if scene.lattice == "crossings":
            data = "".join(self._line_through(line) for line in self.lines)
            if not scene.lines:
                data = outline.web(self.land | self.sea, unit)
            look = f'fill="none" stroke="{OUTLINE}" stroke-width="{0.035 * unit:g}"'
            yield f'<path d="{data}" {look}/>'
            # Star points, by which players find their way.
            for cell in scene.cells:
                if cell.sign == "+":
                    x, y = ((n + 0.5) * unit for n in (cell.column, cell.row))
                    yield f'<circle cx="{x:g}" cy="{y:g}" r="{0.1 * unit:g}" fill="{OUTLINE}"/>'
        if scene.lattice in {"crossings", "table"}:
            return
        yield from (self._space(cell) for cell in self.scene.cells if self._is_sea(cell))
        if not self.land:
            return
        if self.sea:
            data = outline.path(self.land, self.unit, radius=self._radius())
            for width in (0.34, 0.2):
                yield (
                    f'<path d="{data}" fill="none" stroke="{SHORE}" '
                    f'stroke-width="{width * self.unit:g}" stroke-opacity=".7"/>'
                )
        yield from (self._space(cell) for cell in self.scene.cells if not self._is_sea(cell))
        if self.sea:
            # Corners of spaces that stand out beyond the rounded coast.
            data = outline.corners(self.land, self.unit, self._radius())
            yield f'<path d="{data}" fill="{SHALLOWS}"/>'

    def _is_sea(self, cell: Cell) -> bool:
        return (cell.row, cell.column) in self.sea

    def _space(self, cell: Cell, *, alone: bool = False) -> str:
        ground, unit = ground_of(self.scene, cell.ground), self.unit
        motif: Motif = MOTIFS[ground.motif]
        grounds, row, column = self.grounds_at, cell.row, cell.column
        x, y = self.corner((row, column))
        if self.hexes:
            data = outline.hexagon(x + unit / 2, y + unit / 2, unit)
            line = f'stroke="{BORDER}" stroke-width="{0.03 * unit:g}"'
            return f'<path d="{data}" fill="{escape(ground.fill or motif.fill)}" {line}/>'
        joined, fill = self.on_page and not alone, ""
        around = None if ground.motif == "point" else ground.fill
        if not joined or grounds.get((row, column - 1)) != cell.ground:
            count = 1
            while joined and grounds.get((row, column + count)) == cell.ground:
                count += 1
            # A little wider than it is, or a hair of the paper shows between two spaces.
            fill = (
                f'<rect x="{x:g}" y="{y:g}" width="{count * unit + 0.5:g}" '
                f'height="{self.space_high + 0.5:g}" '
                f'fill="{escape(around or motif.fill)}"/>'
            )
        if ground.motif == "point":
            edge, tip = (y + self.space_high, -1) if self.scene.is_low(row) else (y, 1)
            data = f"M{x:g} {edge:g}h{unit:g}l{-unit / 2:g} {tip * 0.9 * self.space_high:g}z"
            line = f'stroke="{BORDER}" stroke-width="{0.02 * unit:g}"'
            return f'{fill}<path d="{data}" fill="{escape(ground.fill or BORDER)}" {line}/>'
        if not motif.strokes or (ground.motif == "sea" and not self._waves(cell)):
            return fill
        side = f'width="{unit:g}" height="{unit:g}"'
        return fill + f'<use href="#m-{ground.motif}" x="{x:g}" y="{y:g}" {side}/>'

    def _waves(self, cell: Cell) -> bool:
        """Whether a wave is drawn: on some spaces of the open sea."""
        around = {(cell.row + r, cell.column + c) for r in (-1, 0, 1) for c in (-1, 0, 1)}
        return (cell.row * 2 + cell.column) % 3 != 0 and len(around & self.land) < 4

    def border_lines(self) -> Iterator[str]:
        if self.scene.lattice != "spaces" or self.scene.tall > 1:
            return
        unit, thin = self.unit, 0.02 * self.unit
        dashes = f'stroke-dasharray="{unit / 12:g} {unit / 12:g}" fill="none"'
        inner = outline.grid(self.land | self.sea, unit)
        faint = f'stroke="#7c7268" stroke-width="{thin:g}" stroke-opacity=".4"'
        if any(ground_of(self.scene, cell.ground).told for cell in self.scene.cells):
            yield f'<path d="{inner}" {dashes} {faint}/>'
        else:
            yield f'<path d="{inner}" fill="none" stroke="{BORDER}" stroke-width="{thin:g}"/>'
        # The parts of a board without areas are its regions of one ground.
        parts = [frozenset(spots) for _, spots in self.areas]
        if not parts:
            by_ground: dict[str, set[Spot]] = {}
            for cell in self.scene.cells:
                ground = cell.ground if ground_of(self.scene, cell.ground).told else ""
                by_ground.setdefault(ground, set()).add((cell.row, cell.column))
            parts = [part for spots in by_ground.values() for part in outline.regions(spots)]
        for part in parts:
            touched = outline.between(part, self.land - part, unit)
            if part <= self.land:
                yield f'<path d="{touched}" stroke="{BORDER}" stroke-width="{0.04 * unit:g}"/>'
        for area, spots in self.areas:
            if area.sea:
                touched = outline.between(spots, self.sea - spots, unit)
                yield f'<path d="{touched}" {dashes} stroke="{COAST}" stroke-width="{2 * thin:g}"/>'
        if self.sea and self.land:
            data = outline.path(self.land, unit, radius=self._radius())
            width = 0.075 * unit
            yield f'<path d="{data}" fill="none" stroke="{COAST}" stroke-width="{width:g}"/>'

    def edge(self) -> str:
        """Return the edge of the board, and paper over what stands out."""
        if self.hexes:
            return ""
        wide, high = self.wide - 2 * EDGE, self.board - 2 * EDGE
        r = 0.12 * self.unit
        board = (
            f"M{r:g} 0H{wide - r:g}Q{wide:g} 0 {wide:g} {r:g}V{high - r:g}Q{wide:g} {high:g} "
            f"{wide - r:g} {high:g}H{r:g}Q0 {high:g} 0 {high - r:g}V{r:g}Q0 0 {r:g} 0z"
        )
        around = f"M{-EDGE} {-EDGE}H{wide + EDGE:g}V{high + EDGE:g}H{-EDGE}z"
        return (
            f'<path d="{around}{board}" fill="{PAPER}" fill-rule="evenodd"/>'
            f'<path d="{board}" fill="none" stroke="{COAST}" stroke-width="4"/>'
        )

    def state_line(self, spots: AbstractSet[Spot]) -> str:
        """Return the line within an area that is in a state."""
        data = outline.path(spots, self.unit, radius=0.14 * self.unit, inset=0.05 * self.unit)
        line = f'<path d="{data}" fill="none" '
        dark = f'{line}stroke="{BORDER}" stroke-width="7" stroke-opacity=".6"/>'
        return f'{dark}{line}stroke="#ffe9a8" stroke-width="4"/>'

    def sign(self, area: Area, spots: AbstractSet[Spot], mark: Mark | None) -> str:
        """Return the mark of an area's state, beside its name."""
        if mark is None:
            return ""
        row, column = labels.spot_beside(spots, self._fitted(area, spots))
        x, y = (column + 0.84) * self.unit, (row + STRIP / 2) * self.unit
        return piece(mark, x, y, 0.3 * self.unit)

    def frame(self) -> str:
        """Return the frame of a changed space."""
        top = STRIP if self.areas else 0.02
        box = (
            f'<rect x="{0.03 * self.unit:g}" y="{top * self.unit:g}" '
            f'width="{0.94 * self.unit:g}" height="{self.space_high - (0.02 + top) * self.unit:g}" '
            f'rx="{0.1 * self.unit:g}" fill="none" '
        )
        half = 0.5 * self.unit
        if self.scene.lattice == "crossings":
            box = f'<circle cx="{half:g}" cy="{half:g}" r="{0.97 * half:g}" fill="none" '
        if self.hexes:
            data = outline.hexagon(half, half, 0.94 * self.unit)
            box = f'<path d="{data}" fill="none" '
        return (
            f'{box}stroke="{GOLD_EDGE}" stroke-width="{0.11 * self.unit:g}"/>'
            f'{box}stroke="{GOLD}" stroke-width="{0.065 * self.unit:g}"/>'
        )

    def pill(self, numbers: Sequence[int]) -> str:
        """Return the numbers of the lines that tell of a change, at its frame's corner."""
        text, size = " ".join(map(str, numbers)), (0.26 if self.areas else 0.3) * self.unit
        wide = size * (0.6 + 0.5 * len(text))
        # On crossings it stands outside of the round frame, in which a piece leaves no room.
        x = self.unit if self.scene.lattice == "crossings" else 0.97 * self.unit - wide / 2
        # Where names stand above the frame it keeps within.
        y = (STRIP + 0.12 if self.areas else 0.04) * self.unit
        return (
            f'<rect x="{x - wide / 2:g}" y="{y - size / 2:g}" width="{wide:g}" '
            f'height="{size:g}" rx="{size / 2:g}" fill="{GOLD}" stroke="{OUTLINE}" '
            f'stroke-width="1.5"/>{letters(x, y, size * 0.75, text, "#2b2100")}'
        )

    def way(self, move: Move) -> str:
        """Return the arrow of a move; empty where its spaces are not on the board."""
        points = [self.middle(spot) for spot in self._spots(move.spaces)]
        return arrow(points, ink_of(move.seat).paper, self.unit) if len(points) > 1 else ""

    def pieces_on(self, cell: Cell) -> str:
        """Return the pieces on a cell."""
        unit, drawn = self.unit, list[str]()
        if self.scene.tall > 1:
            # A number tells how many pieces there are if they are more than a space shows.
            most, y = self.scene.tall, 0.0
            for number, mark in enumerate(cell.marks[:most]):
                y = self._stacked(number, cell.row)
                drawn.append(piece(mark, 0.5 * unit, y, FILLED * unit))
            if len(cell.marks) > most:
                ink, count = ink_of(cell.marks[most - 1].seat).ink, str(len(cell.marks))
                drawn.append(letters(0.5 * unit, y, 0.42 * unit, count, ink))
            return "".join(drawn)
        if self.scene.lattice == "table":
            # The name of a seat, and above it the card that lies at its place.
            shapes = [mark.shape for mark in cell.marks]
            faces = [self.wording.face(shape) for shape in shapes if isinstance(shape, Face)]
            cards = [Mark(face.rank, "", shape=face) for face in faces]
            drawn += [piece(card, 0.5 * unit, 0.4 * unit, 0.74 * unit) for card in cards]
            high, name = (0.88 if drawn else 0.5) * unit, self.wording.seat(cell.space)
            return "".join((*drawn, letters(0.5 * unit, high, 0.19 * unit, name, OUTLINE)))
        x, y = self.middle()
        counts = [mark for mark in cell.marks if mark.shape == "count"]
        # The state of an area is shown once, with its name.
        corner = [mark for mark in cell.marks if mark.corner and mark.word not in self.stated]
        main = [mark for mark in cell.marks if mark not in counts and not mark.corner]
        if counts:
            y = 0.3 * unit
        size = 0.66 if self.areas else 0.74
        if fill_space(cell.marks):
            # The name of a space stands beside its piece.
            y, size = 0.5 * unit, FILLED - 0.12 * bool(cell.name)
        # Several share the space: two beside each other, up to four in two rows, and so on.
        across = max(ceil(sqrt(len(main))), 2 if counts else 1)
        side = (size if across == 1 else 0.92 / across) * unit
        for number, mark in enumerate(main):
            down, right = divmod(number, across)
            beside = min(len(main) - down * across, across)
            down_by = down - (ceil(len(main) / across) - 1) / 2
            drawn.append(
                piece(mark, x + (right - (beside - 1) / 2) * side, y + down_by * side, side)
            )
        count_side = (0.62 if len(counts) == 1 else 0.46) * unit
        for number, mark in enumerate(counts):
            # Two beside each other, up to four in two rows.
            down, right = divmod(number, 2)
            last = number == len(counts) - 1 and right == 0
            x = (0.5 if last else 0.28 + 0.44 * right) * unit
            y = (0.7 if len(counts) < 3 else 0.58 + 0.25 * down) * unit
            drawn.append(piece(mark, x, y, count_side))
        for number, mark in enumerate(corner):
            small = 0.36 * unit
            drawn.append(piece(mark, (0.8 - 0.36 * number) * unit, 0.8 * unit, small))
        return "".join(drawn)

    def _stacked(self, number: int, row: int) -> float:
        """Return the height at which a piece of a stack stands within its space."""
        if self.scene.tall == 1:
            return 0.5 * self.unit
        y = (0.03 + (number + 0.5) * FILLED) * self.unit
        return self.space_high - y if self.scene.is_low(row) else y

    def _fitted(self, area: Area, spots: AbstractSet[Spot]) -> tuple[Label, ...]:
        """Return an area's name and values where they fit."""
        if area.key not in self.fitted:
            name = self.wording.word("ground", area.key)
            self.fitted[area.key] = labels.fitted(spots, name, area.values, area.code or area.key)
        return self.fitted[area.key]

    def area_labels(self) -> Iterator[Stamp]:
        """Yield the names and values of areas."""
        for area, spots in self.areas:
            ink = "#1d4a63" if area.sea else "#33261a"
            for label in self._fitted(area, spots):
                x, y = label.column * self.unit, (label.row + STRIP * 0.55) * self.unit
                size, width = label.size * self.unit, labels.width(label.text)
                wide = LENGTH.format(width * size) if self.on_page else ""
                drawn = (
                    f'<text x="{x:g}" y="{y + size * 0.36:g}" {wide}font-family="{FONT}" '
                    f'font-weight="bold" font-size="{size:g}" fill="{ink}">'
                    f"{escape(label.text)}</text>"
                )
                # The width of letters is an estimate, so there is room to spare.
                room = (label.column - 0.05, label.row - 0.1, (1.3 * width + 1) * label.size, 0.5)
                yield Stamp(drawn, Extent(*(length * self.unit for length in room)))
