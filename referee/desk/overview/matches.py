"""All matches: whose turn it is, and until when."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, get_args

from referee.desk.desk import Desk
from referee.desk.matches.broken import broken_lines
from referee.games.game import ABANDONED
from referee.store.play import matches
from referee.store.play.matches import invitations, listed_matches
from referee.store.states import MatchState

DAMAGED = "damaged"

BY_HAND = frozenset({ABANDONED, "agreed", "declared", "late", "resigned", DAMAGED})
"""Endings that are not in any game's rules."""


def describe_matches(desk: Desk, state: MatchState | None, *, late: bool) -> list[dict[str, Any]]:
    """Return the matches: all, those in a state, or those out of time."""
    with desk.reading() as change:
        wanted = get_args(MatchState) if state in {None, ABANDONED} else (state,)
        listed = listed_matches(change.connection, wanted)
        aside = {
            matches.get_match(change.connection, number).name: line
            for number, line in broken_lines(change).items()
        }
        gone, asked = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for declined in invitations(change.connection, "no"):
            gone[declined.match].append(declined.name)
        for waiting in invitations(change.connection, "unasked"):
            asked[waiting.match].append(waiting.name)
    rows: list[dict[str, Any]] = [
        {
            "match": match.name,
            "game": match.game,
            "state": match.state,
            "turn": match.turn,
            "to_act": match.to_act,
            "who": match.who,
            "since": match.turn_began_at,
            "until": match.due if match.state == "running" else None,
            "late": match.state == "running" and match.due is not None and match.due < desk.now(),
            "ending": _ending(match.result),
            "declined": gone[match.name],
            "asked": asked[match.name],
            "broken": aside.get(match.name),
        }
        for match in listed
    ]
    if state == ABANDONED:
        rows = [row for row in rows if ABANDONED in {row["state"], row["ending"]}]
    return [row for row in rows if row["late"]] if late else rows


def _ending(result: Mapping[str, Any] | None) -> str | None:
    """Return the ending of a result; a damaged one must not stop the list."""
    try:
        return None if result is None else str(result["ending"])
    except (ValueError, LookupError):
        return DAMAGED
