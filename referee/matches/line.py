"""The current line of a log: its chain without the events taken back, which stay in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.matches.events import ANNOTATIONS, CHANCE_EVENT, REOPEN, TAKING_BACK, UNDO, Event


def base_of(event: Event) -> int:
    """Return the seq of the event from whose position this one began, 0 for the first position.

    For an event that takes back, it is the event to which the match returned.
    """
    if event.kind in TAKING_BACK:
        return int(str(event.details["to"]))
    return event.seq - 1


def kept_seqs(last: int, backs: Mapping[int, int], first: int = 1) -> list[int]:
    """Return the events from ``first`` on that led to the present state.

    ``backs`` gives for each event that took back the one it went back to.
    """
    kept: list[int] = []
    while last >= first:
        kept.append(last)
        last = backs.get(last, last - 1)
    return kept[::-1]


def current_events(log: Sequence[Event]) -> list[Event]:
    """Return the events that led to a complete log's present state."""
    backs = {event.seq: base_of(event) for event in log if event.kind in TAKING_BACK}
    # An undo may reach behind an earlier undo, so the way is followed from the end.
    return [log[seq - 1] for seq in kept_seqs(len(log), backs)]


def turn_start(log: Sequence[Event], turn: int) -> int | None:
    """Return the event after which a current turn began.

    None if the turn holds no events. Draws that come first belong to the turn before.
    """
    for event in current_events(log):
        # Turn 0 is the set-up, whose draws belong to no seat's turn.
        if event.turn >= max(turn, 1) and event.kind != CHANCE_EVENT:
            return base_of(event)
    return None


def redo_goal(log: Sequence[Event]) -> int | None:
    """Return the event a redo returns to, where the match stood before the latest taking back.

    None if there is nothing to redo, or more than annotations has happened since.
    """
    last = next((event for event in reversed(log) if event.kind not in ANNOTATIONS), None)
    if last is None or last.kind not in TAKING_BACK:
        return None
    if last.kind in {UNDO, REOPEN}:
        return last.seq - 1
    # A redo may itself be followed by another one; then the log before it decides.
    return redo_goal(log[: base_of(last)])
