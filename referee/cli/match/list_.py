"""``referee match list``: all matches at a glance."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Any, Final

import typer

from referee.cli import output, session
from referee.desk.desk import opened_desk
from referee.games.game import ABANDONED
from referee.store.play.listing import Listed, declined, listed
from referee.store.states import MatchState

BY_HAND: Final = frozenset({ABANDONED, "declared", "resigned", "damaged"})
"""Endings that are not in any game's rules."""


def list_matches(
    *,
    state: Annotated[MatchState | None, typer.Option(help="Only matches in this state.")] = None,
    late: Annotated[bool, typer.Option("--late", help="Only matches out of time.")] = False,
) -> None:
    """List matches: whose turn it is, and until when.

    Example: referee match list --state running

    Example: referee match list --late
    """
    with opened_desk(session.settings()) as desk, desk.store.reading() as connection:
        found = listed(connection, None if state == ABANDONED else state)
        gone: dict[str, list[str]] = {}
        for no in declined(connection):
            gone.setdefault(no.match, []).append(no.name)
        rows = [{**_listed(each, desk.now()), "declined": gone.get(each.name, [])}
                for each in found]  # fmt: skip
    if state == ABANDONED:
        rows = [each for each in rows if ABANDONED in {each["state"], each["ending"]}]
    if late:
        rows = [each for each in rows if each["late"]]
    if output.printed(rows):
        return
    titles = ("match", "game", "state", "turn", "to act", "who", "since", "until", "late")
    output.print_table(titles, [_cells(each) for each in rows], "There are no matches.")


def _cells(listed: dict[str, Any]) -> list[object]:
    """Return a match as a row; the state names endings by hand."""
    ending = listed["ending"]
    state = f"{listed['state']}: {ending}" if ending in BY_HAND else listed["state"]
    names = ", ".join(listed["declined"])
    who = f"declined: {names}" if names else listed["who"]
    shown = {**listed, "state": state, "who": who, "late": "late" if listed["late"] else ""}
    if listed["state"] == "moved":
        # Only the other installation knows whose turn it is now.
        shown |= {"to_act": None, "who": None}
    del shown["ending"], shown["declined"]
    return list(shown.values())


def _listed(each: Listed, now: datetime) -> dict[str, Any]:
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
        "late": running and each.due is not None and each.due < now,
        "ending": _ending(each.result),
    }


def _ending(result: str | None) -> str | None:
    """Return the ending of a result.

    A damaged one must not stop the list.
    """
    if result is None:
        return None
    try:
        return str(json.loads(result)["ending"])
    except (ValueError, LookupError, TypeError):
        return "damaged"
