"""Replies told by the report that follows at once: one mail to a player, not two.

A reply is written whole, with its letter. If the report to the same seat is written before it has
left, that tells it at its head, and answers the letter. A report that is taken back before it left,
or refused for good, gives its replies back. One that waits for the end of quiet hours tells none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from referee.desk.desk import Change
from referee.desk.mails.post import Answered
from referee.desk.matches.time import departure
from referee.mail.incoming.letter import Letter
from referee.render import mails
from referee.render.mails import Brief, Content
from referee.store.post import reports
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow
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
    players = {seat: player.id for seat, player in holders.items()}
    told: dict[str, Replied] = {}
    withdrawn = reports.withdraw_reports_to(change.connection, row.id, players)
    for seat, replies in withdrawn.items():
        if departure.leaves_at(holders[seat], "report", now) is not None:
            continue
        kept: list[dict[str, Any]] = [json.loads(text) for _, text in replies]
        briefs = tuple(msgspec.convert(reply, Brief) for reply in kept)
        *earlier, last = (reply["letter"] for reply in kept)
        letter = Answered(last, tuple(filter(None, earlier)))
        told[seat] = Replied(tuple(mail_id for mail_id, _ in replies), briefs, letter)
    return told
