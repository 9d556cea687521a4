"""What happens to a seat whose time is up: nothing, or what the game's rules say of idleness.

A deadline acts only when nothing can still be under way: after a poll of the mailbox that began
after it, and with every letter handled that arrived before it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, Literal, get_args

from sqlalchemy import Connection

from referee.desk import frames, ledger, restored
from referee.desk.desk import Desk
from referee.desk.ledger import Sitting
from referee.desk.posting import Binding, post
from referee.games.game import Json
from referee.matches import match
from referee.render.answers import Answer, answer
from referee.render.wording import Wording
from referee.store import leases, letters, players
from referee.store.matches import MatchRow

log = logging.getLogger(__name__)

Late = Literal["wait", "idle"]
"""What a match does with a seat out of time: wait, or play the game's idle order for it."""

LATE: Final[tuple[str, ...]] = get_args(Late)

AGAIN: Final = timedelta(seconds=30)
"""How long to wait for letters still on their way before a deadline is looked at again."""


def rule_of(row: MatchRow) -> str:
    """Return what a match does with a seat out of time."""
    terms: Mapping[str, Json] = json.loads(row.clock)
    return str(terms.get("late", "wait"))


def next_look(desk: Desk, row: MatchRow) -> datetime | None:
    """Return when the match must be looked at for its deadline; None when it only waits."""
    if row.state != "running" or row.due is None or rule_of(row) == "wait":
        return None
    return max(row.due, desk.now() + AGAIN) if desk.now() >= row.due else row.due


def act(desk: Desk, connection: Connection, sitting: Sitting) -> bool:
    """Play the idle order of a seat whose time is up; tell whether it was played."""
    row = sitting.row
    if rule_of(row) == "wait" or row.due is None or desk.now() < row.due:
        return False
    if not _all_letters_known(desk, connection, row.due):
        return False
    seat = sitting.live.turn.seat
    done = match.play_idle(sitting.live, ledger.stamp(desk.now()))
    if done is None or seat is None or done.refusal is not None:
        return False
    after = ledger.save(desk, connection, sitting, done.match, done.logged)
    order = done.logged[0].event.order or ""
    log.info("%s: time is up for %s: %s", row.name, seat, order, extra={"action": "late"})
    _tell(desk, connection, after, seat, order, row.turn)
    return True


def _all_letters_known(desk: Desk, connection: Connection, due: datetime) -> bool:
    if restored.is_asked(connection):
        return False
    served = leases.lease(connection, desk.address)
    polled = served.polled_at if served else None
    return polled is not None and polled > due and not letters.waiting_before(connection, due)


def _tell(
    desk: Desk, connection: Connection, sitting: Sitting, colour: str, order: str, turn: int
) -> None:
    """Mail the seat what was played for it."""
    row, game = sitting.row, sitting.game
    seat = sitting.seat(colour)
    if seat.player_id is None:
        return
    player = players.by_id(connection, seat.player_id)
    wording = Wording(game, player.language)
    code = ledger.code_of(desk, row, colour)
    value = Answer(
        "late",
        {"turn": turn, "order": wording.order(game.parse(order, "en"))},
        match=row.name,
        game_name=wording.word("game", "name"),
        seat=colour,
        framing=frames.framing(wording, row.name, row.turn, colour, code, box=False),
    )
    binding = Binding(row, seat, row.turn, code)
    post(desk, connection, player, "notice", answer(wording, value), binding=binding)
