"""Orders without a letter: a bot's, for its own or a late seat, and the idle ones of the rules."""

from __future__ import annotations

import hashlib
import hmac
from random import Random
from typing import Final

from referee.bots import BOTS, BotView
from referee.desk.desk import Desk
from referee.games.game import Order
from referee.matches import match
from referee.matches.log import AnyMatch, Logged

_MOST_ORDERS: Final = 200
"""Orders of a turn that are played in one step; the rest of it follows at once."""


def play_turn(
    desk: Desk, live: AnyMatch, bot: str | None, moment: str, *, listed: bool = False
) -> tuple[AnyMatch, tuple[Logged, ...], tuple[Order, ...]]:
    """Play a bot's orders for the seat to act until its turn is over; idle ones without a bot.

    It ends earlier when the rules know no idle order, a turn of the game ends, or an interrupted
    one goes on with orders ``listed``. Return match, log entries, and the orders chosen. They are
    logged with ``moment``.
    """
    turn, logged, chosen = live.turn, list[Logged](), list[Order]()
    while live.turn == turn and turn.seat is not None and len(chosen) < _MOST_ORDERS:
        held_back = listed and live.game.interrupted(live.position) is not None
        order = live.game.idle(live.position) if bot is None else bot_order(desk, live, bot)
        if order is None:
            break
        done = match.submit(live, turn.seat, [order], moment)
        # Not everything may be done for a late seat: a combat waits for the other side.
        if done.refusal is not None and bot is None:
            break
        if done.refusal is not None:
            raise RuntimeError(f"{live.terms.match}: {bot} chose an illegal order")
        chosen.append(order)
        logged += done.logged
        live = done.match
        # Whoever ordered in time is late with the answer alone; the rest of the turn is theirs.
        if done.anew or (held_back and live.game.interrupted(live.position) is None):
            break
    return live, tuple(logged), tuple(chosen)


def bot_order(desk: Desk, live: AnyMatch, bot: str) -> Order:
    """Return a bot's order for the seat to act, chosen by what the seat may know."""
    seat, rng = live.turn.seat or "", bot_rng(desk.settings.key, live.terms.match, live.seq)
    # A bot may look ahead, but only from hands dealt anew: it knows no more than a player.
    redealt = live.game.redeal(live.position, seat, rng)
    return BOTS[bot](BotView(live.game, seat, live.game.orders(live.position), redealt), rng)


def bot_rng(key: bytes, match_name: str, seq: int) -> Random:
    """Return a bot's generator: the same for the same event, so that steps can be repeated."""
    digest = hmac.digest(key, f"bot\n{match_name}\n{seq}".encode(), hashlib.sha256)
    return Random(int.from_bytes(digest, "big"))
