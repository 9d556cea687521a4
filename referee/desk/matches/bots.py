"""Orders without a letter: a bot's, for its own or a late seat.

The idle order of the rules is played here, too.
"""

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
"""Orders played at once for a late seat; the rest of its turn follows at once."""


def bot_plays(desk: Desk, live: AnyMatch, seat: Seat, bot: str | None, moment: str) -> Submitted:
    """Play one order of a bot, chosen from its seat's view.

    It is logged with ``moment``. Raises RuntimeError if the order is illegal.
    """
    rng = bot_rng(desk.settings.key, live.terms.match, live.seq)
    # A bot may look ahead, but only from hands dealt anew: it knows no more than a player.
    redealt = live.game.redeal(live.position, seat, rng)
    view = live.game.view(live.position, seat)
    seen = BotView(live.game, seat, view, live.game.orders(live.position), redealt)
    order = BOTS[bot or DEFAULT_BOT](seen, rng)
    done = match.submit(live, seat, [order], moment)
    if done.refusal is not None:
        raise RuntimeError(f"{live.terms.match}: the bot {bot} chose an illegal order")
    return done


def to_the_end_of_turn(
    live: AnyMatch, play: Callable[[AnyMatch], Submitted | None], *, listed: bool = False
) -> tuple[AnyMatch, tuple[Logged, ...], tuple[Order, ...]]:
    """Play for the seat to act until its turn is over.

    It ends earlier when ``play`` has nothing to play, a turn of the game ends, or an interrupted
    one goes on with orders ``listed``. Return match, log entries, and the orders chosen.
    """
    turn, logged, chosen = live.turn, list[Logged](), list[Order]()
    while live.turn == turn and len(chosen) < MOST_ORDERS:
        held_back = listed and live.game.interrupted(live.position) is not None
        done = play(live)
        # Not everything may be done for a late seat: a combat waits for the other side.
        if done is None or done.refusal is not None or not done.logged:
            break
        chosen.append(live.game.parse(done.logged[0].event.order or "", "en"))
        logged += done.logged
        live = done.match
        # Whoever ordered in time is late with the answer alone; the rest of the turn is theirs.
        if done.anew or (held_back and live.game.interrupted(live.position) is None):
            break
    return live, tuple(logged), tuple(chosen)


def bot_rng(key: bytes, match_name: str, seq: int) -> Random:
    """Return a bot's generator, the same for the same event.

    So a step repeated after a crash comes out the same.
    """
    digest = hmac.digest(key, f"bot\n{match_name}\n{seq}".encode(), hashlib.sha256)
    return Random(int.from_bytes(digest, "big"))
