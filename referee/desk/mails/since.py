"""Since a reader was last told: what happened in a match, sentences about it, and how it looked.

Corrections, turns played for others, time given back; and beside them standing orders, banks and
days away, which are told as they are now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import chain, groupby
from typing import Any, Final

from sqlalchemy import Connection

from referee.desk.desk import REFEREE, Change
from referee.desk.matches import broken, ledger, rewind
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock, outages
from referee.desk.matches.time.away import today_of
from referee.desk.players import players_of
from referee.games.game import Refusal, Scene, Seat
from referee.games.policies import Expired
from referee.matches.events import DOERS, EXTEND, ORDER, Event
from referee.matches.log import LOG_LANGUAGE, open_log
from referee.matches.replay import walk_events
from referee.matches.standing_orders import StandingOrder, read_line, write_line
from referee.matches.time.moments import parse_moment
from referee.render.common import reason_of, seat_and_player
from referee.render.layout import Joined, capital, clean
from referee.render.news import TurnNews
from referee.render.words.moments import day_text, moment_text, span_text
from referee.render.words.wording import Wording
from referee.store.people import players
from referee.store.play import matches
from referee.store.tables.play import MatchRow
from referee.value import Value, replace


class Since(Value):
    """Everything that happened in a match after the event ``seq``.

    It is read from the log once, and the same for all readers told up to that event, so the facts
    of its ``turns``, with whose turn it was, are of every audience. ``hash`` is that of the event.
    ``credits`` are the events that gave time back; ``played`` the turns played automatically, by
    number and seat, as agreed by ``late``.
    """

    seq: int
    hash: str | None
    turns: tuple[TurnNews, ...]
    corrections: tuple[rewind.Correction, ...]
    credits: tuple[Event, ...]
    late: str
    played: tuple[tuple[int, Seat], ...]

    def turns_for(self, eyes: Seat | None) -> tuple[TurnNews, ...]:
        """Return the turns as a seat may know them; without a seat as a spectator may."""
        known = (
            replace(turn, facts=tuple(fact for fact in turn.facts if fact.known_to(eyes)))
            for turn in self.turns
        )
        return tuple(turn for turn in known if turn.facts)


def read_since(connection: Connection, row: MatchRow, seq: int) -> Since:
    """Return everything that happened in a match after an event."""
    # With the event itself, whose hash tells how the match stood then.
    logged = matches.events(connection, row.id, after=max(seq - 1, 0))
    rows = [event for event in logged if event.seq > seq]
    extensions = [ledger.event_of(event) for event in rows if event.kind == EXTEND]
    begun = {event.turn for event in logged if event.seq == seq}
    turns: list[TurnNews] = []
    # Facts that were taken back have never been.
    for number, events in groupby(ledger.kept_events(rows), lambda event: event.turn):
        told = list(events)
        facts = tuple(chain(*(ledger.facts_from_json(event.facts) for event in told)))
        # Whoever orders first in a turn has it, but for one the reader knows the beginning of.
        ordered = [event for event in told if event.kind == ORDER]
        acting = (event.seat for event in ordered)
        if number in begun:
            known = matches.turns(connection, row.id)
            acting = (turn.seat for turn in known if turn.number == number)
        forced = all(ledger.event_of(event).forced for event in ordered)
        made = chain(*(ledger.facts_from_json(event.facts) for event in ordered if forced))
        turns.append(TurnNews(next(acting, None), facts, forced=tuple(made)))
    late = clock.pace_of(row).late
    # Played for their seats by the mark that deadlines leave: late at the very moment they ended.
    played = (
        (turn.number, turn.seat)
        for turn in (matches.turns(connection, row.id) if late in {"bot", "idle"} else ())
        if turn.state == "done" and turn.ended_seq is not None and turn.ended_seq > seq
        if turn.late_told_at == turn.ended_at and turn.seat is not None
    )
    return Since(
        seq,
        next((event.hash for event in logged if event.seq == seq), None),
        tuple(turns),
        rewind.corrections_among(connection, row, rows),
        # An organiser's extension has a mail of its own.
        credits=tuple(
            event
            for event in extensions
            if event.details.get("by") == REFEREE and "from" in event.details
        ),
        late=late,
        played=tuple(played),
    )


def standing_order_sentences(
    wording: Wording, standings: Iterable[StandingOrder], zone: str
) -> tuple[str, ...]:
    """Return a sentence for each waiting standing order, with its number."""
    return tuple(
        wording.catalogue.say(
            f"standing.{standing.kind}",
            number=standing.number,
            orders=worded_orders(wording, standing.lines),
            until=standing.until and moment_text(standing.until, zone, wording.catalogue),
            asked=standing.is_asked,
        )
        for standing in standings
    )


def came_of(wording: Wording, notes: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a sentence for each note of a seat's private chain."""
    for note in notes:
        why, lines, reason = note.get("why"), note["lines"], ""
        if why is not None and note["note"] == "expired":
            reason = wording.expired(Expired(why["code"], why["fields"]))
        elif why is not None:
            reason = reason_of(Refusal(why["code"], note["rule"], why["fields"]), wording)
        yield wording.catalogue.say(
            f"note.{note['note']}-{note['kind']}",
            order=worded_orders(wording, lines[:1]),
            more=worded_orders(wording, lines[1:]),
            reason=reason,
        )


def correction_sentences(
    wording: Wording, corrections: Iterable[rewind.Correction], *, alone: bool
) -> Iterator[str]:
    """Yield sentences about corrections: who made them and why, and which turns they took back."""
    say = wording.catalogue.say
    for mend in corrections:
        turns = [
            say("mended.turn", number=number, seat=wording.seat(seat))
            for number, seat in mend.turns
        ]
        yield say(
            f"mended.{mend.kind if mend.by in DOERS or mend.text else 'agreed'}",
            who=say(f"by.{mend.by}") if mend.by in DOERS else wording.seat(mend.by),
            turns=wording.catalogue.joined(turns),
            n=max(len(turns), 1),
            alone=alone or mend.unseen,
            turn=mend.turn,
            seat=wording.seat(mend.seat) if mend.seat else None,
        )
        if mend.text:
            yield say("mended.why", text=clean(mend.text))


def worded_orders(wording: Wording, lines: Sequence[str]) -> str:
    """Return orders kept in English as the reader writes them."""
    game = wording.game
    given = [read_line(game, line, LOG_LANGUAGE) for line in lines]
    return Joined("; ".join(write_line(game, order, wording.language) for order in given))


def played_sentences(
    since: Since, wording: Wording, names: Mapping[Seat, str], mine: Seat | None
) -> Iterator[str]:
    """Yield a sentence for each turn played automatically for another seat."""
    for number, seat in since.played:
        if seat != mine:
            who = capital(seat_and_player(seat, names, wording))
            yield wording.catalogue.say(f"clock.played_{since.late}", who=who, turn=number)


def bank_sentences(change: Change, loaded: LoadedMatch, wording: Wording) -> Iterator[str]:
    """Yield one sentence about all banks, if there are any."""
    held = clock.bank_holdings(change, loaded.row)
    if held and not loaded.live.turn.over:
        say = wording.catalogue.say
        banks = (
            say("clock.bank", seat=wording.seat(seat), span=span_text(left, wording.catalogue))
            for seat, left in held.items()
        )
        yield capital(say("clock.banks", banks=Joined(", ".join(banks))))


TOLD_BEFORE: Final = timedelta(days=14)
"""How long before they begin others are told of days away."""


def away_sentences(
    change: Change, loaded: LoadedMatch, names: Mapping[Seat, str], reader: Seat, wording: Wording
) -> Iterator[str]:
    """Yield sentences about players away now or soon, for one seat."""
    holders = {} if loaded.live.turn.over else players_of(change.connection, loaded.seats)
    away = players.away_of_all(change.connection, [player.id for player in holders.values()])
    for seat, player in holders.items():
        # Days are those of the player who is away, wherever the reader lives.
        today = today_of(change.desk, player)
        for row in away[player.id]:
            first, last = clock.days_of(row)
            if last < today or first > today + TOLD_BEFORE:
                continue
            known = "you" if seat == reader else "other"
            yield wording.catalogue.say(
                f"away.{known}",
                who=seat_and_player(seat, names, wording),
                first=day_text(first, wording.catalogue) if first > today else None,
                last=day_text(last, wording.catalogue),
            )


def credit_sentences(since: Since, wording: Wording, zone: str) -> Iterator[str]:
    """Yield a sentence for each time credit."""
    catalogue = wording.catalogue
    for event in since.credits:
        details: Mapping[str, Any] = event.details
        jumped = details.get("cause") == outages.JUMP
        yield catalogue.say(
            "clock.given_jump" if jumped else "clock.given",
            seat=wording.seat(event.seat or ""),
            first=moment_text(parse_moment(details["from"]), zone, catalogue),
            last=moment_text(parse_moment(details["to"]), zone, catalogue),
            span=span_text(timedelta(seconds=details["seconds"]), catalogue),
        )


def earlier_position(
    connection: Connection, loaded: LoadedMatch, seq: int, head: str | None, eyes: Seat | None
) -> tuple[Scene | None, Mapping[Seat, int]]:
    """Return a match as it looked after an event: the board with its tracks, everybody's points.

    ``head`` is its hash; event 0 is before the first. No board if the log no longer has it.
    """
    live, game = loaded.live, loaded.game
    if seq >= live.seq:
        return live.scene(eyes), game.points(live.position)
    if seq and head is None:
        return None, {}
    with broken.faults_as_broken(loaded.row):
        kept = matches.told_position(connection, loaded.row.id, seq)
        if kept:
            position = ledger.position_of(game.load, kept)
        else:
            # The log is replayed at most once for all readers.
            known, first = loaded.replayed, open_log(game, live.terms, loaded.row.seed)
            known[0] = first.position
            if seq not in known:
                for stage, logged in walk_events(first, ledger.log_of(connection, loaded.row)):
                    known[logged.event.seq] = stage.position
            position = known[seq]
    return game.scene(game.view(position, eyes)), game.points(position)
