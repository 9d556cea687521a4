"""Acts on a match as a whole: pause, end, more time, reminders, notes; the clock set right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import ClassVar, Final

from sqlalchemy import Connection

from referee.desk.desk import Change
from referee.desk.mails import report
from referee.desk.mails.invitation import invite_player
from referee.desk.mails.post import gives_away
from referee.desk.matches import broken, ledger, reasons
from referee.desk.matches.time import clock, outages
from referee.desk.plans.act import LONGEST_WHY, Act, Begun, OnMatch, telling
from referee.desk.seats.handover import RESIGNED
from referee.desk.work import ORGANISER, Refused, Work, uninvite, way_to_begin
from referee.games.game import ABANDONED, Result, Seat
from referee.matches.events import EXTEND, NOTICE, PAUSE, RESUME
from referee.matches.log import DECLARED, conclude
from referee.matches.time.moments import SECOND, format_duration, format_moment, parse_duration
from referee.matches.time.turn_clock import UNTOLD
from referee.render.answers import Answer, answer, signed
from referee.render.words.moments import moment_text, span_text
from referee.render.words.wording import Catalogue
from referee.store.play import matches
from referee.store.states import PLAYABLE
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, SeatRow

MOST_TIME: Final = timedelta(days=366)
"""The most time given at once."""

LONGEST_NOTE: Final = 4000
"""Characters of a note."""


class Pause(OnMatch):
    """Pause a running match: no orders, bots or deadlines until resumed."""

    name: ClassVar[str] = "pause"

    def carry_out(self, work: Work) -> None:
        work.going("running")
        row = work.note(PAUSE).row
        clock.stop_clock(work.change, row)
        matches.set_match_state(work.connection, row.id, "paused", now=work.desk.now())
        work.tell(signed("paused"))


class Resume(OnMatch):
    """Resume a paused match, with the time the turn had left."""

    name: ClassVar[str] = "resume"

    def carry_out(self, work: Work) -> None:
        work.going("paused")
        row = work.note(RESUME).row
        matches.set_match_state(work.connection, row.id, "running")
        clock.resume_clock(work.change, row)
        seat = work.row.to_act
        work.tell(lambda player: signed("resumed", to_act=seat, due=work.due(player)))


def pause_of(connection: Connection, row: MatchRow, reader: PlayerRow) -> Answer:
    """Return the answer since when a match is paused, and why."""
    event = matches.latest_event(connection, row.id, PAUSE)
    details = {} if event is None else json.loads(event.body)["details"]
    why = reasons.find_text(connection, row, details.get("why", ""))
    since = row.paused_at or (event.at if event else row.created)
    when = moment_text(since, reader.zone, Catalogue(reader.language))
    by = details.get("by", ORGANISER)
    return answer("match-paused", match=row.name, by=by, since=when, text=why or "–")


class End(OnMatch):
    """End a match with these places and the points on the board.

    Without places it is abandoned: everybody has the first place. A seat that ends it resigns.
    """

    name: ClassVar[str] = "end"
    places: Mapping[Seat, int] | None = None

    def carry_out(self, work: Work) -> None:
        row = work.going("invited", *PLAYABLE)
        if row.state == "invited":
            # No log exists yet.
            if self.places is not None:
                raise Refused(f"{self.match} has not begun, so it has no result: use --abandon")
            matches.set_match_state(work.connection, row.id, ABANDONED, now=work.desk.now())
            seats = matches.seats(work.connection, row.id)
            asked = [seat.seat for seat in seats if not uninvite(work, seat)]
            work.tell(signed("called-off"), asked)
            return
        colours = work.load().live.terms.seats
        how, places = ABANDONED, dict.fromkeys(colours, 1)
        if self.places is not None:
            how, places = DECLARED, dict(self.places)
            for colour in places:
                work.seat(colour)
            if missing := [colour for colour in colours if colour not in places]:
                raise Refused(f"--result: every seat needs a place: add {', '.join(missing)}")
            ranked = sorted(places.values())
            if any(place != ranked.index(place) + 1 for place in ranked):
                raise Refused("--result: places count from 1; after two on place 1 comes place 3")
        # The reason stands in an event of its own; the end itself tells only the result.
        loaded = work.note(NOTICE, act=self.name)
        resigning = work.by if work.by in colours else None
        how = RESIGNED if resigning else how
        result = Result(how, loaded.game.points(loaded.live.position), places)
        live, logged = conclude(loaded.live, result, work.moment, seat=resigning)
        ledger.save_match(work.change, loaded, live, [logged])
        work.tell(signed("ended", how=how))


def parse_places(texts: Sequence[str]) -> dict[Seat, int]:
    """Return the places in texts like ``red=1``. Raises Refused."""
    places: dict[Seat, int] = {}
    for text in texts:
        seat, _, place = text.partition("=")
        seat = seat.strip().lower()
        if not seat or not place.strip().isdecimal() or len(place.strip()) > 2:
            raise Refused(f"--result {text}: write it like red=1")
        if seat in places:
            raise Refused(f"--result {text}: {seat} is given twice")
        places[seat] = int(place)
    return places


def parse_time(text: str) -> int:
    """Return the seconds in a text like ``3d``. Raises Refused."""
    try:
        return parse_duration(text) // SECOND
    except ValueError as fault:
        raise Refused(f"TIME: {fault}") from None


class Extend(OnMatch):
    """Give the seat to act more time for its turn; in a match with banks any seat, for later."""

    name: ClassVar[str] = "extend"
    seconds: int
    seat: Seat | None = None

    def carry_out(self, work: Work) -> None:
        row, span = work.going(*PLAYABLE), timedelta(seconds=self.seconds)
        if not timedelta(0) < span <= MOST_TIME:
            raise Refused(f"more time: something up to {format_duration(MOST_TIME)}, such as 3d")
        running = clock.clock_of(work.change, row)
        if running.run is None:
            raise Refused(f"{row.name} has no time limit, so there is nothing to extend")
        # Without banks a turn's time is all there is, and only the running turn can get more.
        bank = clock.pace_of(row).bank
        later = bank is not None and self.seat not in {None, row.to_act}
        seat = work.seat(self.seat or "") if later else _to_act(work, row, self.seat)
        row = work.note(EXTEND, seat=seat.seat, seconds=self.seconds).row
        if bank is not None and later:
            kept = bank // SECOND if seat.bank is None else seat.bank
            matches.change_seat(work.connection, row.id, seat.seat, bank=kept + self.seconds)
        else:
            clock.grant_time(work.change, row, span)
            if UNTOLD in running.run.stops:
                work.warn("no report of this turn has left yet: the end moves until one does")
        work.tell(
            lambda player: signed(
                "extended",
                to_act=seat.seat,
                due=work.due(player) if work.row.to_act == seat.seat else None,
                span=span_text(span, Catalogue(player.language)),
            )
        )


class Remind(OnMatch):
    """Remind the player to act."""

    name: ClassVar[str] = "remind"

    def carry_out(self, work: Work) -> None:
        row = work.going("running")
        seat = _to_act(work, row, None)
        if seat.holder != "player":
            raise Refused(f"{seat.seat} is to act in {row.name}, which no player holds")
        work.note(NOTICE, seat=seat.seat, act=self.name)
        turn, up = work.row.turn, clock.time_is_up(row, work.desk.now())
        work.tell(
            lambda player: signed("reminded", turn=turn, due=work.due(player), up=up), [seat.seat]
        )


class Resend(OnMatch):
    """Write the last report anew, as the match stands, to a seat or to all players.

    Before a match begins that is the invitation, to whoever has not answered it.
    """

    name: ClassVar[str] = "resend"
    seat: Seat | None = None

    def carry_out(self, work: Work) -> None:
        row = work.going("invited", *PLAYABLE, "over")
        seats = [seat for seat in matches.seats(work.connection, row.id) if seat.player_id]
        if self.seat is not None:
            seats = [work.seat(self.seat)]
            if seats[0].holder != "player":
                raise Refused(f"no player holds {self.seat} in {self.match}, so nobody reads it")
        if row.state == "invited":
            open_to = [seat for seat in seats if seat.agreed == "unasked"]
            if not open_to:
                who = self.seat or "everybody"
                way = way_to_begin(row, matches.seats(work.connection, row.id))
                raise Refused(f"{who} has answered the invitation to {self.match}: {way}")
            for seat in open_to:
                invite_player(work.change, row, seat)
            return
        # The log of a match that is over is closed.
        if work.row.state != "over":
            work.note(NOTICE, seat=self.seat, act=self.name)
        work.tell(signed("resent"), [seat.seat for seat in seats])
        loaded = work.load()
        for seat in seats:
            report.write_again(work.change, loaded, seat)


class Note(OnMatch):
    """Tell all players something; the text is its own reason if no other is given."""

    name: ClassVar[str] = "note"
    text: str

    @property
    def own_reason(self) -> str:
        return self.text.strip()[:LONGEST_WHY]

    def carry_out(self, work: Work) -> None:
        row = work.row
        if not self.text.strip():
            raise Refused("the note is empty")
        if len(self.text) > LONGEST_NOTE:
            raise Refused(f"the note is too long: at most {LONGEST_NOTE} characters")
        # A code that all players read would let each of them play for its seat.
        if gives_away(work.connection, self.text):
            raise Refused("the note holds a reply code or an order box, which are secret")
        seats = [seat.seat for seat in matches.seats(work.connection, row.id) if seat.player_id]
        digest = reasons.keep_text(work.change, row, self.text, recipients=seats)
        if row.state in PLAYABLE:
            work.note(NOTICE, act=self.name, text=digest)
        work.tell(answer("organiser-note", text=self.text))


def _to_act(work: Work, row: MatchRow, named: Seat | None) -> SeatRow:
    """Return the seat to act. Raises Refused if another was named."""
    if named is not None:
        work.seat(named)
    if row.to_act is None:
        raise Refused(f"nobody is to act in {row.name} just now: try again in a moment")
    if named not in {None, row.to_act}:
        raise Refused(f"{named} is not to act in {row.name}, {row.to_act} is: only its time runs")
    return work.seat(row.to_act)


class SetRight(Act):
    """Declare the system clock right after a jump; clocks go on with the time they had left."""

    name: ClassVar[str] = "clock"
    by_clock: ClassVar[bool] = False

    @property
    def own_reason(self) -> str:
        # The alarm names the bare command, which should do as it is written there.
        return "the clock of the referee's machine was wrong, and is right again"

    def reach(self, connection: Connection) -> Iterable[str]:
        return [row.name for row in _timed(connection)]

    def begin(self, change: Change) -> Begun:
        ended = outages.clock_is_right(change)
        if ended is None:
            raise Refused("the clock has not jumped: there is nothing to set right")
        for row in _timed(change.connection):
            # A broken match gets its time when it goes on.
            with suppress(broken.BrokenMatch):
                ledger.give_credit(change, ledger.load_match(change, row))
        first, last = format_moment(ended.began), format_moment(ended.ended or ended.began)
        said = f"no clock ran from {first} to {last}; deadlines act again"
        return Begun((said,), telling(None, self.name))


def _timed(connection: Connection) -> list[MatchRow]:
    """Return the running matches whose clock runs."""
    rows = matches.select_matches(connection, "running")
    return [row for row in rows if clock.clock_runs(row)]
