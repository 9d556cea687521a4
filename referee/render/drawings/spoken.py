"""A position in sentences, for readers who hear it: no picture made of characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.games.game import Cell, Mark, Place, Scene, Track
from referee.render.drawings.board import mark_words
from referee.render.drawings.changes import NOTHING, Changes
from referee.render.layout import capital
from referee.render.words.wording import Wording


def spoken(scene: Scene, wording: Wording, changes: Changes = NOTHING) -> tuple[str, ...]:
    """Return the board in sentences: changed spaces, then pieces by seat and ground.

    Where a game has areas, its pieces are told by area. Empty spaces are not told.
    """
    return (
        *(
            _changed(each, wording, changes)
            for each in scene.cells
            if each.space in changes.numbers
        ),
        *_pieces(scene, wording),
        *_states(scene, wording),
        *(_track(each, wording) for each in scene.tracks),
    )


def _changed(cell: Cell, wording: Wording, changes: Changes) -> str:
    say = wording.catalogue.say
    told = [*mark_words(cell, wording)] or [say("spoken.empty")]
    if gone := changes.gone.get(cell.space, ()):
        left = wording.catalogue.joined(_named(each, wording) for each in gone)
        told.append(say("spoken.left", marks=left))
    ground = wording.word("ground", cell.ground)
    return say("spoken.changed", space=cell.space, ground=ground, marks=", ".join(told))


def _named(mark: Mark, wording: Wording) -> str:
    return wording.value(mark)


def _pieces(scene: Scene, wording: Wording) -> Iterator[str]:
    """Yield a sentence for each seat's pieces of one kind, nobody's last."""
    states = {(space, each.state) for each in scene.areas for space in each.spaces}
    found: dict[tuple[str | None, str], dict[str, list[str]]] = {}
    for cell in scene.cells:
        for mark in cell.marks:
            # The state of an area is told once, not for each of its spaces.
            if (cell.space, mark.word) not in states:
                by_ground = found.setdefault((mark.seat, mark.word), {})
                by_ground.setdefault(_where(scene, cell), []).append(_counted(cell, mark))
    seats = [key for _, section, key in scene.legend if section == "seat"]

    def rank(key: tuple[str | None, str]) -> tuple[bool, int]:
        return key[0] is None, seats.index(key[0]) if key[0] in seats else len(seats)

    for seat, kind in sorted(found, key=rank):
        told = "; ".join(
            f"{wording.word('ground', ground)} {wording.catalogue.joined(spaces)}"
            for ground, spaces in found[seat, kind].items()
        )
        word, say = wording.word("mark", kind), wording.catalogue.say
        whose = say("spoken.whose", seat=wording.seat(seat), mark=word) if seat else word
        # Not worded by the catalogue, which cuts what is too long for a name.
        yield f"{capital(whose)}: {told}."


def _where(scene: Scene, cell: Cell) -> str:
    return next((each.key for each in scene.areas if cell.space in each.spaces), cell.ground)


def _counted(cell: Cell, mark: Mark) -> str:
    return cell.space if mark.count is None else f"{cell.space} ({mark.count})"


def _states(scene: Scene, wording: Wording) -> Iterator[str]:
    for state in dict.fromkeys(each.state for each in scene.areas if each.state):
        areas = [wording.word("ground", each.key) for each in scene.areas if each.state == state]
        word = capital(wording.word("mark", state))
        yield f"{word}: {wording.catalogue.joined(areas)}."


def _track(track: Track, wording: Wording) -> str:
    told = "; ".join(_place(each, wording) for each in _until_next(track.places))
    return f"{wording.word('panel', track.title)}: {told}."


def _until_next(places: Sequence[Place]) -> Iterator[Place]:
    """Yield the places that are taken or next; the rest is still to come."""
    return (each for each in places if each.marks or each.stage != "later")


def _place(place: Place, wording: Wording) -> str:
    label = place.label if place.word is None else f"{place.label} {wording.value(place.word)}"
    if place.marks:
        return f"{label} {', '.join(_named(each, wording) for each in place.marks)}"
    if place.stage == "next":
        return wording.catalogue.say("spoken.next", label=label)
    return label
