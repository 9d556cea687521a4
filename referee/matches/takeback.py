"""Corrections of a match: going back, forth again, and setting the position."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from referee.games.game import BadDocument, Document, Fault
from referee.games.play import position_digest
from referee.matches import croupier
from referee.matches.events import FIX, REOPEN
from referee.matches.log import AnyMatch, Logged, next_event, turn_after
from referee.value import replace

Patch: TypeAlias = list[dict[str, Any]]
"""A JSON Patch (RFC 6902)."""

OPERATIONS: Final = ("add", "remove", "replace", "move", "copy")
"""What a patch may do; a test would tell what nobody may see, even to an organiser who plays."""

UNUSABLE: Final = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError,
)  # fmt: skip
"""Errors a game may raise on a document without a position, or an invalid board."""


def stand_again(
    match: AnyMatch, kind: str, earlier: AnyMatch, moment: str, *, by: str, why: str
) -> tuple[AnyMatch, Logged]:
    """Set a match back to an earlier state, from which its draws count on.

    ``kind`` is UNDO, or REDO if the state is that before the latest taking back. ``moment`` is RFC
    3339 in UTC, ``why`` the hash of the reason. Raises ValueError if nothing would change.
    """
    if earlier.seq >= match.seq:
        raise ValueError(f"event {earlier.seq} is not before event {match.seq}")
    return _set(match, kind, earlier, moment, {"to": earlier.seq, "by": by, "why": why})


def reopen(
    match: AnyMatch, earlier: AnyMatch, seed: bytes, moment: str, *, by: str, why: str
) -> tuple[AnyMatch, Logged]:
    """Take back the end of a match, with a new seed, as the old one has been made public.

    Raises ValueError when the match is not over, or would still be over.
    """
    if not match.turn.over or earlier.turn.over:
        raise ValueError("only what is over is reopened, at a moment when it was not")
    details: Document = {"to": earlier.seq, "by": by, "why": why}
    # The record proves earlier draws by the old seed and later ones by the new.
    details |= {"seed": match.seed.hex(), "commitment": croupier.commitment(seed)}
    after, logged = _set(match, REOPEN, earlier, moment, details)
    return dataclasses.replace(after, seed=seed), logged


def fix_position(
    match: AnyMatch, patch: Patch, moment: str, *, by: str, why: str
) -> tuple[AnyMatch, Logged]:
    """Set the position by a patch of its document.

    The turn goes on if the same seat is to act, else the next begins. Raises BadDocument when it is
    no position or loses a piece, ValueError when the match is over.
    """
    if match.turn.over:
        raise ValueError("a match that is over is not fixed: take back its end first")
    game, seq = match.game, match.seq + 1
    position = patched_position(match, patch)
    turn = turn_after(match.turn, game.to_act(position), seq)
    reached = dataclasses.replace(match, position=position, turn=turn)
    details: Document = {"patch": [*patch], "by": by, "why": why}
    return _set(match, FIX, reached, moment, details)


def patched_position(match: AnyMatch, patch: Patch) -> Any:
    """Return the position, patched: one of the same players with every piece.

    A fault in it must have been there before, in the same way. Raises BadDocument, whose words may
    hang on what is hidden.
    """
    # Positions are rarely set by hand, and every start would pay for this.
    import jsonpatch  # noqa: PLC0415
    from jsonpointer import JsonPointerException  # noqa: PLC0415

    document = after = match.game.dump(match.position)
    step: Any
    for number, step in enumerate(patch, start=1):
        op = step.get("op") if isinstance(step, dict) else None
        if op not in OPERATIONS:
            said = "has no op" if op is None else f"cannot {str(op)[:80]}"
            raise BadDocument("$", f"operation {number} {said}: there are {', '.join(OPERATIONS)}")
        try:
            after = jsonpatch.apply_patch(after, [step])
        except (jsonpatch.JsonPatchException, JsonPointerException, *UNUSABLE):
            # Only the path: the library's own message would quote values of the document.
            where = str(step.get("path"))[:80]
            raise BadDocument(
                "$",
                f"operation {number} does not apply: its path is {where}; a path leads from "
                "the position down, as /points/red does",
            ) from None
    game, known = match.game, match.game.check(document)
    try:
        # A position may have been odd from the start; it must only not get worse.
        faults = [fault for fault in game.check(after) if fault not in known]
        position = None if faults else game.load(after)
        if position is not None and set(game.points(position)) != set(match.terms.seats):
            faults = [Fault("$.seats", f"the seats are {', '.join(match.terms.seats)}")]
        elif position is not None:
            had, has = game.pieces(match.position), game.pieces(position)
            faults = [
                Fault("$", f"{number} {name} before, {has.get(name, 0)} after")
                for name, number in had.items()
                if has.get(name, 0) < number
            ]
    except BadDocument:
        raise
    except UNUSABLE as error:
        raise BadDocument("$", f"no position: {error}") from None
    if faults:
        raise BadDocument(faults[0].path, faults[0].message)
    return position


def patch_between(document: Mapping[str, Any], other: Mapping[str, Any], at: str = "") -> Patch:
    """Return the patch from one document to another, objects by key, all else as a whole."""
    patch: Patch = []
    for key in sorted(document.keys() | other.keys()):
        # Escaped in this order (RFC 6901 section 3), lest the second undo the first.
        path = f"{at}/{key.replace('~', '~0').replace('/', '~1')}"
        if key not in other:
            patch.append({"op": "remove", "path": path})
        elif key not in document:
            patch.append({"op": "add", "path": path, "value": other[key]})
        elif isinstance(document[key], dict) and isinstance(other[key], dict):
            patch += patch_between(document[key], other[key], path)
        # The types too: 1 equals true in Python, but not in JSON.
        elif document[key] != other[key] or type(document[key]) is not type(other[key]):
            patch.append({"op": "replace", "path": path, "value": other[key]})
    return patch


def _set(
    match: AnyMatch, kind: str, reached: AnyMatch, moment: str, details: Document
) -> tuple[AnyMatch, Logged]:
    # Begun anew, so that reply codes of the turn taken back no longer match.
    turn = replace(reached.turn, began=match.seq + 1)
    event = next_event(
        match,
        kind=kind,
        turn=turn.number,
        seat=turn.seat,
        arrival=moment,
        details=details,
        digest=position_digest(match.game, reached.position),
    )
    # The log goes on growing: only position, turn and draws return to the earlier moment.
    after = dataclasses.replace(reached, seed=match.seed, seq=event.seq, head=event.hash, turn=turn)
    return after, Logged(event)
