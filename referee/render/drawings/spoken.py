"""A position in sentences, for readers who hear it: no picture made of characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.games.game import Cell, Mark, Scene, Seat
from referee.render.drawings import outline
from referee.render.drawings.board import ground_word, mark_words, told_beside
from referee.render.drawings.changes import NOTHING, Changes
from referee.render.drawings.outline import Spot
from referee.render.drawings.tracks import label_of
from referee.render.layout import NO_BREAK, capital
from referee.render.words.wording import Wording


def spoken(scene: Scene, wording: Wording, changes: Changes = NOTHING) -> tuple[str, ...]:
    """Return the board in sentences: changed spaces, then pieces and grounds.

    Where a game has areas, pieces and free spaces are told by area; else pieces by seat, and
    grounds by region. A scene without a legend is for somebody who knows the board and only waits:
    of its spaces those with pieces alone are told. Otherwise tables and panels stand beside the
    board, and nothing that they tell is told here as well.
    """
    beside = {table.title for table in scene.tables} | {panel.title for panel in scene.panels}
    beside = beside if scene.legend else set()
    say, sentences = wording.catalogue.say, []
    for cell in scene.cells:
        if cell.space in changes.numbers:
            told = [*mark_words(cell, wording)] or [say("spoken.empty")]
            if gone := changes.gone.get(cell.space, ()):
                left = wording.catalogue.joined(map(wording.value, gone))
                told.append(say("spoken.left", marks=left))
            ground, marks = ground_word(scene, cell.ground, wording), ", ".join(told)
            space = wording.space(cell)
            sentences.append(say("spoken.changed", space=space, ground=ground, marks=marks))
    if scene.lattice == "table":
        sentences += [
            f"{wording.seat(cell.space)}: {', '.join(mark_words(cell, wording))}."
            for cell in scene.cells
            if cell.marks
        ]
    else:
        sentences += _areas(scene, wording) if scene.areas else _pieces(scene, wording)
    if scene.legend and not scene.areas:
        sentences += _regions(scene, wording)
    for track in scene.tracks:
        # A ruler shows what a table of players says in numbers, pieces what their panel tells.
        known = track.kind == "pieces" or (track.kind == "ruler" and scene.tables)
        if known or track.title in beside:
            continue
        told = []
        for place in track.places:
            label = label_of(place, wording)
            if place.marks and track.kind != "dice":
                told.append(f"{label}: {', '.join(map(wording.value, place.marks))}")
            elif place.stage == "next":
                told.append(say("spoken.next", label=label))
            # Later ones are still to come.
            elif place.stage != "later" or track.kind == "dice":
                told.append(label)
        sentences.append(f"{wording.word('panel', track.title)}: {'; '.join(told)}.")
    return tuple(sentences)


Whose = tuple[Seat | None, str]
"""The seat of pieces, if any, and their word."""


def _areas(scene: Scene, wording: Wording) -> Iterator[str]:
    """Yield a sentence for each area: its name, state, pieces and free spaces."""
    say, joined = wording.catalogue.say, wording.catalogue.joined
    cells = {cell.space: cell for cell in scene.cells}
    marks = {(mark.seat, mark.word) for cell in scene.cells for mark in cell.marks}
    alone = {seat for seat, _ in marks if sum(seat == other for other, _ in marks) == 1}
    for area in scene.areas:
        inside = [cells[space] for space in area.spaces if space in cells]
        pieces: dict[Whose, list[str]] = {}
        free = []
        for cell in inside:
            here = [mark for mark in cell.marks if mark.word != area.state]
            free += [] if here else [wording.space(cell)]
            for mark in here:
                pieces.setdefault((mark.seat, mark.word), []).append(_counted(cell, mark, wording))
        told = []
        for seat, kind in _in_turn(scene, pieces):
            whose = wording.seat(seat) if seat in alone and seat else _whose(seat, kind, wording)
            told.append(f"{whose} {say('spoken.on')} {joined(pieces[seat, kind])}")
        if free and scene.legend:
            told.append(f"{say('spoken.free')} {joined(free)}")
        state = [wording.word("mark", area.state)] if area.state else []
        name = ", ".join(filter(None, (wording.word("ground", area.key), area.values, *state)))
        if told or state:
            yield f"{': '.join(filter(None, (name, '; '.join(told))))}."


def _pieces(scene: Scene, wording: Wording) -> Iterator[str]:
    """Yield a sentence for each seat's pieces of one kind, nobody's last."""
    beside = told_beside(scene)
    pieces: dict[Whose, dict[str, list[str]]] = {}
    for cell in scene.cells:
        for mark in dict.fromkeys(cell.marks) if cell.space not in beside else ():
            by_ground = pieces.setdefault((mark.seat, mark.word), {})
            ground = ground_word(scene, cell.ground, wording)
            by_ground.setdefault(ground, []).append(_counted(cell, mark, wording))
    for seat, kind in _in_turn(scene, pieces):
        told = "; ".join(
            wording.catalogue.joined(spaces) + (f" ({ground})" if ground else "")
            for ground, spaces in pieces[seat, kind].items()
        )
        whose = capital(_whose(seat, kind, wording))
        yield f"{whose} {wording.catalogue.say('spoken.on')} {told}."


def _in_turn(scene: Scene, pieces: Iterable[Whose]) -> list[Whose]:
    """Return owners and kinds of pieces: seats as in the legend, nobody's last."""
    seats = [key for _, section, key in scene.legend if section == "seat"]
    # Without a legend in the sequence in which they come, all pieces of a seat together.
    seats = seats or [seat for seat, _ in pieces if seat]

    def rank(key: Whose) -> tuple[bool, int]:
        return key[0] is None, seats.index(key[0]) if key[0] in seats else len(seats)

    return sorted(pieces, key=rank)


def _whose(seat: Seat | None, kind: str, wording: Wording) -> str:
    """Return pieces and their owner, which no line break parts."""
    word = wording.word("mark", kind)
    if seat:
        word = wording.catalogue.say("spoken.whose", seat=wording.seat(seat), mark=word)
    return word.replace(" ", NO_BREAK)


def _regions(scene: Scene, wording: Wording) -> Iterator[str]:
    """Yield regions by ground; the commonest ground is the rest of the board."""
    beside, names = told_beside(scene), {(c.row, c.column): c.space for c in scene.cells}
    grounds: dict[str, set[Spot]] = {}
    for cell in scene.cells:
        word = ground_word(scene, cell.ground, wording)
        grounds.setdefault(word, set()).add((cell.row, cell.column))
    if len(grounds) < 2:
        return
    common = max(grounds, key=lambda ground: len(grounds[ground]))
    for ground, spots in grounds.items():
        shown = {spot for spot in spots if names[spot] not in beside}
        if ground not in {common, ""} and shown:
            regions = sorted(sorted(region) for region in outline.regions(shown))
            told = "; ".join(
                wording.catalogue.joined(names[spot] for spot in region) for region in regions
            )
            yield f"{capital(ground)}: {told}."
    if common:
        yield wording.catalogue.say("spoken.rest", ground=common)


def _counted(cell: Cell, mark: Mark, wording: Wording) -> str:
    count = cell.marks.count(mark) if mark.number is None else mark.number
    space = wording.space(cell)
    return space if mark.number is None and count == 1 else f"{space} ({count})"
