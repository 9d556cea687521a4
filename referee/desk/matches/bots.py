"""Orders that no player sends: a bot's for its own seat or for one out of time, the idle order."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from random import Random
from typing import Final

from referee.bots import BOTS, BotView
from referee.desk.desk import Desk
from referee.games.game import Order, Seat
from referee.matches import match
from referee.matches.log import AnyMatch, Logged
from referee.matches.match import Submitted
from referee.matches.time.pace import DEFAULT_BOT

MOST_ORDERS: Final = 200
"""Orders played at once for a seat out of time; what is left of its turn follows at once."""


def bot_plays(desk: Desk, live: AnyMatch, seat: Seat, bot: str | None, moment: str) -> Submitted:
    """Play one order that a bot chooses by what the seat may see, logged with a moment.

    Raises RuntimeError.
    """
    rng = bot_rng(desk.key, live.terms.match, live.seq)
    redealt = live.game.redeal(live.position, seat, rng)
    view = live.game.view(live.position, seat)
    seen = BotView(live.game, seat, view, live.game.orders(live.position), redealt)
    order = BOTS[bot or DEFAULT_BOT](seen, rng)
    done = match.submit(live, seat, [order], moment)
    if done.refusal is not None:
        raise RuntimeError(f"{live.terms.match}: the bot {bot} chose an illegal order")
    return done


def to_the_end_of_turn(
    live: AnyMatch, play: Callable[[AnyMatch], Submitted | None]
) -> tuple[AnyMatch, tuple[Logged, ...], tuple[Order, ...]]:
    """Play for the seat to act until its turn is over or nothing is played any more.

    Return the match, what happened, and the orders that were chosen for the seat.
    """
    turn, logged, chosen = live.turn, list[Logged](), list[Order]()
    while live.turn == turn and len(chosen) < MOST_ORDERS:
        done = play(live)
        if done is None or done.refusal is not None or not done.logged:
            break
        chosen.append(live.game.parse(done.logged[0].event.order or "", "en"))
        logged += done.logged
        live = done.match
    return live, tuple(logged), tuple(chosen)


def bot_rng(key: bytes, match_name: str, seq: int) -> Random:
    """Return a bot's generator: the same for the same event, so that a repeated step is one."""
    digest = hmac.digest(key, f"bot\n{match_name}\n{seq}".encode(), hashlib.sha256)
    return Random(int.from_bytes(digest, "big"))
