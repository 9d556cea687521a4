"""The invitation to a match, with the terms and the time agreed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import Final

from referee.desk.desk import Change
from referee.desk.mails import post
from referee.desk.mails.post import Binding, Mail
from referee.desk.matches import codes
from referee.desk.matches.time import clock
from referee.desk.players import names_of, players_of
from referee.games.game import Seat
from referee.games.play import opening_order
from referee.matches.time.calendar import WEEKDAYS
from referee.render.invitations import Invitation, invitation_content
from referee.render.words.moments import day_text, span_text
from referee.render.words.rules import introduction
from referee.render.words.wording import Catalogue, Wording
from referee.store.play import matches
from referee.store.tables.play import MatchRow, SeatRow
from referee.value import replace

A_LEAP_YEAR: Final = 2024
"""A year in which every day can be named."""


def agreed_time(row: MatchRow, catalogue: Catalogue, zone: str = "") -> Iterator[str]:
    """Yield sentences about the time agreed; ``zone``: that of its reader's mails.

    Where it is limited they tell of days off and of being late, too.
    """
    pace = clock.pace_of(row)
    if pace.bank is not None:
        more = span_text(pace.increment, catalogue) if pace.increment else None
        time = catalogue.say("time.bank", span=span_text(pace.bank, catalogue), increment=more)
    elif pace.per_turn is None:
        time = catalogue.say("time.none")
    else:
        time = catalogue.say("time.per_turn", span=span_text(pace.per_turn, catalogue))
    yield catalogue.say("invitation.time", time=time, zone=zone)
    if pace.grace:
        yield catalogue.say("clock.grace", span=span_text(pace.grace, catalogue))
    if pace.limited and pace.days_off:
        # Commands that name no day should not pay for Babel.
        from babel.dates import format_date, get_day_names  # noqa: PLC0415

        # Weekdays as they come in a week (``sat``), then dates (``12-25``, ``2026-12-25``).
        weekdays = [day for day in WEEKDAYS if day in pace.days_off]
        named = []
        for day in (*weekdays, *sorted(pace.days_off - set(WEEKDAYS))):
            if day in WEEKDAYS:
                names = get_day_names("wide", locale=catalogue.locale)
                named.append(str(names[WEEKDAYS.index(day)]))
            elif len(day) == len("12-25"):
                when = date.fromisoformat(f"{A_LEAP_YEAR}-{day}")
                pattern = catalogue.say("time.year_day_pattern")
                named.append(str(format_date(when, pattern, locale=catalogue.locale)))
            else:
                named.append(day_text(date.fromisoformat(day), catalogue))
        yield catalogue.say("clock.days_off", days=catalogue.joined(named))
    if pace.limited:
        leeway = span_text(pace.leeway, catalogue) if pace.leeway else None
        yield catalogue.say(f"clock.late_{pace.late}", leeway=leeway)


def invitation_terms(
    change: Change, row: MatchRow, wording: Wording, zone: str, seat: Seat | None
) -> Invitation:
    """Return the terms of a match that has not begun, for a seat or for one who may still join."""
    rows, options = matches.seats(change.connection, row.id), row.options
    known = names_of(change.connection, rows)
    # One that is free has no name yet.
    names = {held.seat: "" if held.holder == "nobody" else known[held.seat] for held in rows}
    game, seats = wording.game, tuple(names)
    order = opening_order(game, seats, options, game.board(seats, options, row.board, Random(0)))
    return Invitation(
        match=row.name,
        seat=seat,
        names=names,
        options=options,
        commitment=row.commitment,
        time=tuple(agreed_time(row, wording.catalogue, zone)),
        starts_at_once=False,
        practice=row.practice,
        club=change.desk.settings.name,
        organiser=change.desk.settings.organiser,
        introduction=introduction(wording, order, len(names), options),
    )


def invite_player(change: Change, row: MatchRow, seat: SeatRow, *, at_once: bool = False) -> None:
    """Invite the player of a seat, with a reply code."""
    [player] = players_of(change.connection, [seat]).values()
    codes.add_codes(change, row, [seat], 0, codes.BEFORE_TURN_ONE)
    wording = Wording(change.desk.find_game(row.game, row.edition), player.language)
    binding = Binding(row, seat, 0, codes.code_of(change, row, seat))
    terms = invitation_terms(change, row, wording, player.zone, seat.seat)
    content = invitation_content(
        wording,
        replace(terms, starts_at_once=at_once),
        post.seat_framing(wording, binding, box=not at_once),
    )
    post.send(change, Mail("invitation", content, binding), player)
