"""The history of a match: what may be told of each event, and when."""

from __future__ import annotations

import pytest
from sqlalchemy import update
from support.club import ALICE, Club
from support.mending import NAME, do, resent, settle

from referee.desk.matches import history
from referee.desk.matches.history import Passage
from referee.desk.plans.board import Undo
from referee.desk.plans.match import End, Extend, Note, Pause
from referee.store import tables

pytestmark = pytest.mark.fast


def told(club: Club, kind: str) -> list[Passage]:
    """Return the events of a kind as the history tells them now."""
    with club.desk.reading() as change:
        return [e for e in history.history(change, club.match(NAME)) if e.kind == kind]


def plays(club: Club) -> str:
    """Let alice put her first stone; return her order."""
    report = resent(club, ALICE, "red")
    order = next(each for each in report.turn_file["legal"] if each.startswith("put"))
    club.answer(report, order, ALICE)
    settle(club)
    return str(order)


def test_orders_are_told_when_the_record_is_released(running: Club) -> None:
    """Before, there are the facts that everybody may know, and after it the order as well."""
    order = plays(running)
    [before] = told(running, "order")
    assert before.order is None
    assert before.facts
    do(running, End(NAME, {"red": 1, "blue": 2}), "agreed")
    settle(running)
    assert running.match(NAME).released
    [after] = told(running, "order")
    assert (after.order, after.facts) == (order, before.facts)


def test_draws_tell_nobody_what_was_drawn(running: Club) -> None:
    """A stone that its seat alone saw stands in no fact of the history."""
    plays(running)
    drawn = told(running, "chance")
    assert drawn
    assert {each.order for each in drawn} == {None}
    assert not any(char.isdigit() for each in drawn for fact in each.facts for char in fact)


def test_what_was_taken_back_is_marked_and_acts_are_not(running: Club) -> None:
    """A pause in between happened, whatever became of the turn."""
    plays(running)
    do(running, Pause(NAME), "rain")
    do(running, Undo(NAME, revealed=True), "a slip")
    assert [each.undone for each in told(running, "order")] == [True]
    assert [each.undone for each in told(running, "pause")] == [False]
    [undo] = told(running, "undo")
    assert (undo.undone, undo.by, undo.why) == (False, "organiser", "a slip")


def test_time_is_told_as_a_span(running: Club) -> None:
    """Not in the seconds that the log has."""
    do(running, Extend(NAME, 3 * 86_400), "holidays")
    assert [each.what for each in told(running, "extend")] == ["3d"]


def test_a_note_that_was_erased_is_said_to_be(running: Club) -> None:
    """Its event stays, with the hash that proves it was there."""
    do(running, Note(NAME, "we meet on Sunday"), "we meet on Sunday")
    [note] = told(running, "notice")
    assert note.what == "note we meet on Sunday"
    with running.desk.writing() as change:
        change.connection.execute(update(tables.messages).values(text=None))
    [note] = told(running, "notice")
    assert (note.what, note.why) == ("note (erased)", None)
