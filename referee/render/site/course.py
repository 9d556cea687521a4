"""The course of a match, and a page's data for it.

Every text and every look of a cell stands in the data once; steps name only their changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.games.game import Cell, Fact, Panel, Scene, Seat, Sentence
from referee.games.play import ENCODER
from referee.render.drawings.svg import Look, cell_look
from referee.render.wording import Wording


@dataclass(frozen=True, slots=True)
class CourseStep:
    """A step of a course: act, facts, and the board after it.

    ``order`` is worded; None for a whole turn, or an event without an order. ``hand`` was known
    only to ``holder``, the seat to act then, when its turn began. ``undone``: it was taken back
    later; ``to``: the event after which the match stands again. ``ends``: a turn ended with it.
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


@dataclass(frozen=True, slots=True)
class Course:
    """A match from its first scene on. ``whole`` tells whether it is complete."""

    start: Scene
    points: Mapping[Seat, int]
    steps: tuple[CourseStep, ...]
    whole: bool

    @property
    def last(self) -> Scene:
        """The board at the end."""
        return self.steps[-1].scene if self.steps else self.start

    @property
    def standing(self) -> Mapping[Seat, int]:
        """The points at the end."""
        return self.steps[-1].points if self.steps else self.points

    def by_turn(self) -> list[tuple[int, Mapping[Seat, int]]]:
        """Return everybody's points at the beginning and after each turn that stands."""
        found: dict[int, Mapping[Seat, int]] = {0: self.points}
        last = 0
        for step in self.steps:
            # The match went back: turns taken back leave the chart.
            if step.turn < last:
                found = {number: points for number, points in found.items() if number < step.turn}
            found[step.turn], last = step.points, step.turn
        return [(number, found[number]) for number in sorted(found)]


class Packed:
    """The data of a page, filled step by step.

    ``steps`` hold under ``c`` pairs of a cell and its new look, under ``p`` all panels where any
    changed; ``panels`` are a title and sentences, by their numbers in ``texts``.
    """

    def __init__(self, wording: Wording) -> None:
        self.wording = wording
        self.texts: dict[str, int] = {}
        self.looks: dict[Look, int] = {}
        self.panels: dict[tuple[int, ...], int] = {}
        self.steps: list[dict[str, Any]] = []
        self.cells: list[int] = []
        self._shown: list[int] = []
        self._cells: dict[Cell, int] = {}
        self._sentences: dict[tuple[str, str], int] = {}
        # By identity: games give what did not change again. The values keep the keys theirs.
        self._same: dict[int, tuple[Sentence, int]] = {}
        self._titles: dict[tuple[Seat, str], str] = {}
        self._last: Sequence[Cell] = ()

    def begin(self, scene: Scene) -> None:
        """Take the first scene."""
        self.cells = [self._look(cell, scene) for cell in scene.cells]
        self._last = scene.cells
        self._shown = self._panels(scene.panels, None, ())
        self.steps = [{"p": self._shown}]

    def add(self, step: CourseStep, *, panels: bool) -> None:
        """Take a further step; without ``panels`` they stay as they were."""
        changed: list[int] = []
        # Games return the same tuple while the board is unchanged, which settles most steps.
        if step.scene.cells is not self._last:
            for number, (one, other) in enumerate(zip(self._last, step.scene.cells, strict=True)):
                # Identity first: equal cells are usually the same object, and comparing them is
                # slow.
                if one is not other and one != other:
                    changed += [number, self._look(other, step.scene)]
            self._last = step.scene.cells
        found: dict[str, Any] = {"c": changed} if changed else {}
        if panels:
            shown = self._panels(step.scene.panels, step.holder, step.hand)
            if shown != self._shown:
                found["p"] = self._shown = shown
        self.steps.append(found)

    def document(self) -> dict[str, Any]:
        """Return all of it as JSON."""
        return {
            "texts": list(self.texts),
            "looks": [
                [each.ground, each.sign, [list(mark) for mark in each.marks], each.title]
                for each in self.looks
            ],
            "panels": [list(each) for each in self.panels],
            "cells": self.cells,
            "steps": self.steps,
        }

    def _look(self, cell: Cell, scene: Scene) -> int:
        number = self._cells.get(cell)
        if number is None:
            seen = cell_look(cell, scene.palette, self.wording)
            number = self.looks.setdefault(seen, len(self.looks))
            self._cells[cell] = number
        return number

    def _panels(
        self, panels: Sequence[Panel], holder: Seat | None, hand: Sequence[Panel]
    ) -> list[int]:
        word = self.wording.word
        found = [self._panel(word("panel", each.title), each) for each in panels]
        if holder is not None:
            found += [self._panel(self._hand_title(holder, each.title), each) for each in hand]
        return [each for each in found if each >= 0]

    def _hand_title(self, holder: Seat, title: str) -> str:
        if (holder, title) not in self._titles:
            seat, word = self.wording.seat(holder), self.wording.word("panel", title)
            say = self.wording.catalogue.say
            self._titles[holder, title] = say("site.hand", title=word, seat=seat)
        return self._titles[holder, title]

    def _panel(self, title: str, panel: Panel) -> int:
        """Return a panel's number; -1 when it says nothing."""
        if not panel.sentences:
            return -1
        texts = [self._text(title)]
        for each in panel.sentences:
            if (known := self._same.get(id(each))) is None:
                known = self._same[id(each)] = each, self._sentence(each)
            texts.append(known[1])
        return self.panels.setdefault(tuple(texts), len(self.panels))

    def _sentence(self, sentence: Sentence) -> int:
        key = (sentence.key, repr(sentence.fields))
        if key not in self._sentences:
            self._sentences[key] = self._text(self.wording.sentence(sentence))
        return self._sentences[key]

    def _text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))


def pack_course(course: Course, wording: Wording, *, panels: str = "all") -> str:
    """Return the data of a course as JSON.

    ``panels`` come after ``all`` steps, ``turns`` only, or none.
    """
    found = Packed(wording)
    found.begin(course.start)
    last = len(course.steps) - 1
    for number, step in enumerate(course.steps):
        # The last step always has them, since the page opens on it.
        told = panels == "all" or (panels == "turns" and step.ends) or number == last
        found.add(step, panels=told)
    return ENCODER.encode(found.document())
