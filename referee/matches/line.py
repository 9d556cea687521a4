"""Which events of a log stand: what was taken back stays in the chain, but off the current line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.matches.events import ANNOTATIONS, CHANCE_EVENT, REOPEN, TAKING_BACK, UNDO, Event


def before(event: Event) -> int:
    """Return the seq of the event whose position this one began from; 0 is the first position.

    Of an event that takes back that is the one the match then stood at again.
    """
    if event.kind in TAKING_BACK:
        return int(str(event.details["to"]))
    return event.seq - 1


def standing(last: int, backs: Mapping[int, int]) -> list[int]:
    """Return the events that led to where a log stands after its last one, first to last.

    ``backs`` gives for each event that took back the one it went back to.
    """
    found: list[int] = []
    while last > 0:
        found.append(last)
        last = backs.get(last, last - 1)
    return found[::-1]


def current(log: Sequence[Event]) -> list[Event]:
    """Return the events of a complete log, from its first on, that led to where it stands now."""
    backs = {each.seq: before(each) for each in log if each.kind in TAKING_BACK}
    return [log[seq - 1] for seq in standing(len(log), backs)]


def start_of(log: Sequence[Event], turn: int) -> int | None:
    """Return the event after which a turn that stands began; None when nothing was done in it.

    Draws that come first belong to what led there.
    """
    for each in current(log):
        if each.turn >= max(turn, 1) and each.kind != CHANCE_EVENT:
            return before(each)
    return None


def redoable(log: Sequence[Event]) -> int | None:
    """Return the event a redo goes to: where the match stood before what was taken back last.

    None when nothing was, or something but annotations has happened since.
    """
    last = next((each for each in reversed(log) if each.kind not in ANNOTATIONS), None)
    if last is None or last.kind not in TAKING_BACK:
        return None
    if last.kind in {UNDO, REOPEN}:
        return last.seq - 1
    return redoable(log[: before(last)])
