"""The course of a match, in steps that a page may tell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from referee.games.game import CHANCE, AnyGame, Fact, Panel
from referee.matches.events import BOARD_KINDS, TAKING_BACK, Event, current_events
from referee.matches.log import LATE, LOG_LANGUAGE, AnyMatch, Logged, open_log
from referee.matches.replay import walk_events
from referee.matches.terms import Terms
from referee.render.site.course import Course, CourseStep
from referee.render.words.wording import Wording
from referee.value import replace


def whole_course(
    game: AnyGame, terms: Terms, seed: bytes, events: Sequence[Event], wording: Wording
) -> Course:
    """Return the course of a match without secrets: every event."""
    live = open_log(game, terms, seed)
    steps: list[CourseStep] = []
    start = game.scene(game.view(live.position, None))
    standing = game.points(live.position)
    undone = _undone(events)
    began, holder, hand = -1, None, tuple[Panel, ...]()
    for now, logged in walk_events(live, events):
        # Facts told to one seat are left out: the orders of chance tell the same.
        facts = tuple(fact for fact in logged.facts if fact.known_to(None))
        text = None if logged.event.order is None else _worded(wording, logged.event.order)
        step = _step(live, now, logged, facts, undone=undone, order=text)
        # The hand as it was when the turn began, before anything was played from it.
        if now.turn.began != began and now.to_act not in (None, CHANCE):
            began, holder = now.turn.began, now.to_act
            # The panels that only the seat sees.
            shown = {panel.title for panel in step.scene.panels}
            mine = game.scene(game.view(now.position, str(holder)))
            hand = tuple(panel for panel in mine.panels if panel.title not in shown)
        if now.turn.began == began:
            step = replace(step, holder=holder, hand=hand)
        steps.append(step)
        live = now
    return Course(start, standing, tuple(steps), whole=True)


@lru_cache(maxsize=2048)
def _worded(wording: Wording, order: str) -> str:
    return wording.order(wording.game.parse(order, LOG_LANGUAGE))


def public_course(game: AnyGame, terms: Terms, seed: bytes, events: Sequence[Event]) -> Course:
    """Return the course spectators saw: a step for each ended turn."""
    live = open_log(game, terms, seed)
    steps: list[CourseStep] = []
    start = game.scene(game.view(live.position, None))
    standing, undone = game.points(live.position), _undone(events)
    facts: list[Fact] = []
    for now, logged in walk_events(live, events):
        facts += [fact for fact in logged.facts if fact.known_to(None)]
        # What is taken back before its turn ends is never told.
        if logged.event.kind in TAKING_BACK:
            facts = []
        # Within a turn more is known than spectators have been told.
        if now.turn != live.turn:
            step = _step(live, now, logged, tuple(facts), undone=undone)
            # Back to the last step shown up to the event, 0 for none.
            to = None if step.to is None else sum(shown.seq <= step.to for shown in steps)
            # The seat whose turn it was; what ended the match or set the position is not its deed.
            seat = live.turn.seat if logged.event.kind in BOARD_KINDS else step.seat
            steps.append(replace(step, seat=seat, to=to))
            facts = []
        live = now
    return Course(start, standing, tuple(steps), whole=False)


def _step(
    before: AnyMatch,
    now: AnyMatch,
    logged: Logged,
    facts: tuple[Fact, ...],
    *,
    undone: frozenset[int],
    order: str | None = None,
) -> CourseStep:
    """Return the step of one event, with the board after it."""
    event, to = logged.event, logged.event.details.get("to")
    return CourseStep(
        seq=event.seq,
        turn=event.turn,
        seat=event.seat,
        kind=event.kind,
        order=order,
        forced=order is not None and event.forced,
        facts=facts,
        scene=now.scene(None),
        points=now.game.points(now.position),
        ends=now.turn != before.turn,
        to=to if event.kind in TAKING_BACK and isinstance(to, int) else None,
        undone=event.seq in undone,
        late=event.details.get("ending") == LATE,
    )


def _undone(events: Sequence[Event]) -> frozenset[int]:
    """Return the orders and draws that were taken back."""
    standing = {event.seq for event in current_events(events)}
    return frozenset(
        event.seq for event in events if event.kind in BOARD_KINDS and event.seq not in standing
    )
