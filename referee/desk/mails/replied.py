"""Replies told by the report that follows at once: one mail to a player, not two.

A reply is written whole, with its letter. If the report to the same seat is written before it has
left, that tells it at its head, and answers the letter. A report that is taken back before it left,
or refused for good, gives its replies back. One that waits for the end of quiet hours tells none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.desk.desk import Change
from referee.desk.mails.post import Answered
from referee.desk.matches.time import hours
from referee.mail.incoming.letter import Letter
from referee.render import mails
from referee.render.mails import Brief, Content
from referee.store.people.players import PlayerRow
from referee.store.play.matches import MatchRow
from referee.store.post import reports
from referee.value import Value, asdict


class Replied(Value):
    """The replies to a seat that its report tells: ids, briefs, and letters."""

    mails: tuple[int, ...]
    briefs: tuple[Brief, ...]
    letter: Answered


def brief_text(content: Content, letter: Letter) -> str | None:
    """Return the reply to a letter in short, as it is kept; None if it has to be told whole."""
    brief = mails.brief_of(content)
    if brief is None:
        return None
    return json.dumps({"letter": letter.message_id, **asdict(brief)}, ensure_ascii=False)


def withdraw_reports(
    change: Change, row: MatchRow, holders: Mapping[str, PlayerRow]
) -> dict[str, Replied]:
    """Take back the unsent reports to seats; return the replies to tell in new ones.

    Those to players with quiet hours now leave by themselves.
    """
    now = change.desk.now()
    awake = {seat for seat, each in holders.items() if hours.quiet_end(each, now) is None}
    players = {seat: each.id for seat, each in holders.items()}
    found = reports.withdraw_reports_to(change.connection, row.id, players)
    return {seat: _replied(each) for seat, each in found.items() if seat in awake}


def _replied(found: list[tuple[int, str]]) -> Replied:
    kept: list[dict[str, Any]] = [json.loads(text) for _, text in found]
    briefs = tuple(Brief.read(each["parts"], each["refused"]) for each in kept)
    *earlier, last = (each["letter"] for each in kept)
    letter = Answered(last, tuple(filter(None, earlier)))
    return Replied(tuple(each for each, _ in found), briefs, letter)
