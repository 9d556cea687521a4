"""Resigning: a match of two ends; in a larger one a bot plays on."""

from __future__ import annotations

from typing import Final

from referee.bots import BOTS
from referee.desk.desk import Change, stamp
from referee.desk.mails import summary
from referee.desk.mails.post import notify
from referee.desk.matches import ledger, standing_orders
from referee.desk.matches.time import clock
from referee.desk.players import holders_of, names_of
from referee.desk.seats import handover, standins
from referee.desk.work import Work
from referee.games.game import Result, Seat
from referee.games.play import merits
from referee.matches.log import conclude
from referee.matches.time.pace import DEFAULT_BOT
from referee.render.answers import answer
from referee.store.play import matches
from referee.store.tables.play import MatchRow

RESIGNED: Final = "resigned"
"""The ending of a match whose last opponent but one resigned."""


def resign(change: Change, row: MatchRow, seat: Seat) -> str | None:
    """Let a seat resign; return the bot that plays on, None if the match is over.

    With one opponent the match ends and the opponent comes first. The others are told, and the
    organiser reads of it in the summary. A stand-in cannot give up a seat that belongs to somebody
    else: it is returned instead.
    """
    loaded = ledger.load_match(change, row)
    held = loaded.seat(seat)
    name = names_of(change.connection, [held])[seat]
    # Bots among themselves need no match: without another player it ends, too.
    people = [other for other in loaded.seats if other.holder == "player" and other.seat != seat]
    if len(loaded.seats) == 2 or not people:
        bot = None
        standing_orders.end_all_of_seat(change, loaded, seat)
        live = loaded.live
        worth = merits(live.game, live.position)
        # Places go by what points are worth, equal ones shared. Whoever resigns comes last, or one
        # could give up to save a good place.
        others = {other: mine for other, mine in worth.items() if other != seat}
        places = {
            other: 1 + sum(more > mine for more in others.values())
            for other, mine in others.items()
        }
        places[seat] = len(worth)
        result = Result(RESIGNED, live.game.points(live.position), places)
        after, logged = conclude(live, result, stamp(change.desk.now()), seat=seat)
        ledger.save_match(change, loaded, after, [logged])
    else:
        agreed = clock.pace_of(row).bot
        bot = agreed if agreed is not None and agreed in BOTS else DEFAULT_BOT
        # There is no player any more for whom somebody could sit.
        standins.cancel(change.connection, row.id, seat)
        work = Work(change, row.name, by=seat, why=RESIGNED)
        handover.hand_on(work, work.seat(seat), handover.Taker(bot=bot))
    now = matches.get_match(change.connection, row.id)
    said = answer("resigned-other", who=name, seat=seat, bot=bot, ended=bot is None)
    for rival, player in holders_of(change.connection, row.id):
        if rival.seat != seat:
            notify(change, now, rival, player, said)
    fields = {"match": row.name, "seat": seat, "name": name, "bot": bot}
    summary.note_news(change.connection, "resigned", fields)
    return bot
