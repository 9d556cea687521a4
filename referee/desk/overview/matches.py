"""All matches: whose turn it is, and until when."""

from __future__ import annotations

import json
from typing import Any

from referee.desk.desk import Desk
from referee.desk.matches.broken import broken_lines
from referee.games.game import ABANDONED
from referee.store.play import matches
from referee.store.play.listing import ListedMatch, declined_invitations, listed_matches
from referee.store.states import MatchState

DAMAGED = "damaged"

BY_HAND = frozenset({ABANDONED, "declared", "resigned", DAMAGED})
"""Endings that are not in any game's rules."""


def describe_matches(desk: Desk, state: MatchState | None, *, late: bool) -> list[dict[str, Any]]:
    """Return the matches: all, those in a state, or those out of time."""
    with desk.reading() as change:
        found = listed_matches(change.connection, None if state == ABANDONED else state)
        aside = {
            matches.get_match(change.connection, number).name: line
            for number, line in broken_lines(change).items()
        }
        gone: dict[str, list[str]] = {}
        for no in declined_invitations(change.connection):
            gone.setdefault(no.match, []).append(no.name)
    rows = [
        {**_described(desk, it), "declined": gone.get(it.name, []), "broken": aside.get(it.name)}
        for it in found
    ]
    if state == ABANDONED:
        rows = [each for each in rows if ABANDONED in {each["state"], each["ending"]}]
    return [each for each in rows if each["late"]] if late else rows


def _described(desk: Desk, each: ListedMatch) -> dict[str, Any]:
    running = each.state == "running"
    return {
        "match": each.name,
        "game": each.game,
        "state": each.state,
        "turn": each.turn,
        "to_act": each.to_act,
        "who": each.who,
        "since": each.since,
        "until": each.due if running else None,
        "late": running and each.due is not None and each.due < desk.now(),
        "ending": _ending(each.result),
    }


def _ending(result: str | None) -> str | None:
    """Return the ending of a result; a damaged one must not stop the list."""
    if result is None:
        return None
    try:
        return str(json.loads(result)["ending"])
    except (ValueError, LookupError, TypeError):
        return DAMAGED
