"""Matches that were taken back, fixed and reopened go through the archive like any other."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest
from support.archived import by_mail, record_of, written
from support.club import Club
from support.mended import mended_record

from referee.desk.archive import audit, take_in
from referee.desk.archive.site import courses
from referee.desk.archive.site.pages import Site
from referee.desk.plans.board import Redo, Undo
from referee.desk.plans.match import Pause
from referee.desk.plans.plan import apply_act
from referee.games.play import position_digest
from referee.matches.events import TAKING_BACK
from referee.matches.log import open_log
from referee.matches.replay import walk_events
from referee.render.site.course import Course, PackedCourse
from referee.render.words.wording import Wording
from referee.store.play import matches

GAMES = ("pebbles", "nord", pytest.param("origo", marks=pytest.mark.soak))


def taken(club: Club, lines: tuple[bytes, ...]) -> str:
    """Import a record and return the match's name."""
    found = take_in.read_record(club.desk, lines)
    with club.desk.writing() as change:
        return take_in.take_record(change, found)[0]


@pytest.mark.parametrize("game", GAMES)
def test_mended_records_come_in_whole(club: Club, game: str) -> None:
    """A mended match exports the same bytes, and its turns stand as the log leads."""
    lines = mended_record(game)
    name = taken(club, lines)
    assert record_of(club, name).splitlines() == list(lines)
    with club.desk.reading() as change:
        found = audit.audit_match(change, club.match(name))
    assert found.fault is None


@pytest.mark.parametrize("game", GAMES)
def test_pages_mark_what_was_taken_back(club: Club, game: str, tmp_path: Path) -> None:
    """Each event has its step; exactly those that no longer lie on the line are marked undone."""
    lines = mended_record(game)
    name = taken(club, lines)
    site = Site(club.desk, tmp_path, "en")
    written(site)
    text = unescape((tmp_path / "matches" / f"{name}.html").read_text(encoding="utf-8"))
    marked = {int(each) for each in re.findall(r'<li id="s(\d+)" class="(?:c-\w+ )?undone"', text)}
    documents = [json.loads(each) for each in lines[1:-1]]
    back = [each for each in documents if each["kind"] in TAKING_BACK]
    assert back
    assert marked
    assert marked == off_the_line(documents)
    assert text.count('<li id="s') == len(documents)


def off_the_line(documents: list[dict[str, object]]) -> set[int]:
    """Return the orders and draws of a log that do not lie on the way to its end."""
    stands: dict[int, set[int]] = {0: set()}
    played: set[int] = set()
    for each in documents:
        seq, details = int(str(each["seq"])), each["details"]
        assert isinstance(details, dict)
        if each["kind"] in TAKING_BACK:
            stands[seq] = stands[int(details["to"])]
            continue
        stands[seq] = stands[seq - 1] | {seq}
        if each["kind"] in {"order", "chance"}:
            played.add(seq)
    return played - stands[len(documents)]


@pytest.mark.parametrize("game", GAMES)
def test_boards_of_the_steps_are_those_of_the_log(club: Club, game: str) -> None:
    """After each step the data of the page leads to the scene that the replay reaches there."""
    found = take_in.read_record(club.desk, mended_record(game))
    terms = found.terms
    rules = club.desk.find_game(terms.game, terms.edition)
    wording = Wording(rules, "en")
    course = courses.whole_course(rules, terms, found.seed, found.events, wording)
    reached = walk_events(open_log(rules, terms, found.seed), found.events)
    scenes = [rules.scene(rules.view(now.position, None)) for now, _ in reached]
    assert [each.scene for each in course.steps] == scenes
    assert len({position_digest(rules, now.position) for now, _ in walk_events(
        open_log(rules, terms, found.seed), found.events)}) > 5  # fmt: skip
    assert boards(course, wording) == [
        [tuple(cell.marks) for cell in scene.cells] for scene in scenes
    ]


def boards(course: Course, wording: Wording) -> list[list[object]]:
    """Return the marks of every cell after each step, as a page would show them."""
    document = PackedCourse(course, wording).document()
    marks: dict[str, object] = {}
    for scene in (course.start, *(step.scene for step in course.steps)):
        for number, cell in enumerate(scene.cells):
            marks.setdefault(f"{number}", cell.marks)
    cells, seen = list(document["cells"]), []
    looks = {}
    for scene, step in zip(
        (course.start, *(each.scene for each in course.steps)), document["steps"], strict=True
    ):
        changed = step.get("c", [])
        for number, new in zip(changed[::2], changed[1::2], strict=True):
            cells[number] = new
        for number, cell in enumerate(scene.cells):
            looks.setdefault(cells[number], tuple(cell.marks))
        seen.append([looks[each] for each in cells])
    return seen[1:]


def test_matches_mended_here_pass_the_audit(club: Club) -> None:
    """A running match that was taken back, done again and paused fits what is kept of it."""
    name = by_mail(club, "nord", most=6)
    for act in (Undo(name, 3, revealed=True), Redo(name), Pause(name)):
        apply_act(club.desk, act, "a slip")
        with club.desk.reading() as change:
            assert audit.audit_match(change, club.match(name)).fault is None
    with club.desk.store.reading() as connection:
        kinds = [each.kind for each in matches.events(connection, club.match(name).id)]
    assert kinds[-3:] == ["undo", "redo", "pause"]
