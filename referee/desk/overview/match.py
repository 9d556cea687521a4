"""One match, as a spectator or a seat sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from referee.desk.desk import Change, stamp
from referee.desk.directory import require_match
from referee.desk.mails.invitation import agreed_time
from referee.desk.matches import ledger, standing_orders
from referee.desk.matches.broken import has_game
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock
from referee.desk.players import names_of
from referee.desk.seats.arrangements import Arranged, arranged
from referee.desk.work import way_to_begin
from referee.errors import RefereeError
from referee.games.game import Seat
from referee.matches.standing_orders import StandingOrder
from referee.matches.time.moments import SECOND, format_duration
from referee.matches.time.turn_clock import UNTOLD
from referee.render.drawings.board import text_board
from referee.render.layout import capital
from referee.render.words.moments import span_text
from referee.render.words.wording import Catalogue, Wording
from referee.store.people import players
from referee.store.play import matches
from referee.store.tables.play import MatchRow, SeatRow
from referee.value import Value, asdict, replace

_MOST_LEGAL: Final = 200
"""Legal orders that a document lists."""

_STANDS: Final[Mapping[str, str]] = {
    clock.PAUSED: "the match is paused",
    clock.UNREACHABLE: "no mail reaches them",
    clock.ASIDE: "a letter of theirs lies in quarantine, or the mail server does not give it",
    clock.BROKEN: "the match was broken",
    UNTOLD: "the report of their turn has not left yet",
}
"""Why a turn's clock stands, in words."""


def look_at_match(
    change: Change, name: str, seat: Seat | None, turn: int | None
) -> Invited | Begun:
    """Return a match as a seat sees it, or a spectator, now or at a turn. Raises RefereeError."""
    row = require_match(change.connection, name)
    seats = matches.seats(change.connection, row.id)
    colours = [holder.seat for holder in seats]
    if seat is not None and seat not in colours:
        raise RefereeError(f"--as {seat}: {name} has the seats {', '.join(colours)}")
    if row.header is None:
        return Invited(change, row, seats)
    loaded = ledger.load_match(change, row)
    if turn is None:
        return Begun(change, loaded, seat, tuple(arranged(change.connection, row)))
    now = loaded.live.turn
    if not 1 <= turn <= now.number:
        known = f"name one from 1 to {now.number}" if now.number > 1 else "there is no other"
        raise RefereeError(f"--turn {turn}: {row.name} is at turn {now.number}; {known}")
    if turn < now.number or now.over:
        if ledger.was_pruned(change.connection, row):
            raise RefereeError(f"{row.name} was pruned: import its record to see it")
        live = ledger.match_at_turn(change.connection, loaded, turn)
        # Then it had neither this deadline nor this clock, nor a result.
        agreed = {key: value for key, value in row.clock.items() if key != clock.RUN}
        loaded = replace(loaded, row=replace(row, due=None, clock=agreed, result=None), live=live)
    return Begun(change, loaded, seat, ())


class Invited(Value):
    """A match that has not begun."""

    change: Change
    row: MatchRow
    seats: tuple[SeatRow, ...]

    def document(self) -> dict[str, Any]:
        """Return it for programs."""
        agreed = {seat.seat: "asked" if _waited_for(seat) else seat.agreed for seat in self.seats}
        known = {"match": self.row.name, "state": self.row.state, "turn": 0}
        told = {"seats": _seats(self.change, self.seats), "terms": _terms(self.row)}
        return {**known, "agreed": agreed, **told, **_chance(self.row)}

    @property
    def state(self) -> str:
        """The reason why it has not begun."""
        name = self.row.name
        if self.row.state != "invited":
            return f"{name} was called off before it began."
        return f"{name} waits for its players: {way_to_begin(self.row, self.seats)}."

    def rows(self) -> list[tuple[str, str, str]]:
        """Return each seat, who has it, and whether they agreed."""
        connection = self.change.connection
        names = names_of(connection, self.seats)

        def answer(seat: SeatRow) -> str:
            if not _waited_for(seat):
                return "–" if seat.agreed == "unasked" else seat.agreed
            known = players.addresses_of(connection, seat.player_id) if seat.player_id else ()
            reached = not known or any(address.state == "ok" for address in known)
            return "not answered yet" if reached else "not answered yet: no mail reaches them"

        return [
            (seat.seat, "open" if seat.holder == "nobody" else names[seat.seat], answer(seat))
            for seat in self.seats
        ]

    def chance(self) -> Iterator[str]:
        """Yield the public facts about chance."""
        return _chance_in_words(self.row)

    def terms(self) -> Iterator[str]:
        """Yield the terms in words, without the game's options if it is not installed."""
        desk, row = self.change.desk, self.row
        game = desk.find_game(row.game, row.edition) if has_game(desk, row) else None
        wording = None if game is None else Wording(game, desk.settings.language)
        return _terms_in_words(self.change, row, wording)


def _waited_for(seat: SeatRow) -> bool:
    """Return whether a seat has a player who has not answered yet; bots are asked nothing."""
    return seat.holder == "player" and seat.agreed == "unasked"


class Begun(Value):
    """A match as ``seat`` sees it, or a spectator."""

    change: Change
    loaded: LoadedMatch
    seat: Seat | None
    stand_ins: tuple[Arranged, ...]

    def document(self) -> dict[str, Any]:
        """Return it for programs; legal orders if the seat is to act."""
        row, live, game = self.loaded.row, self.loaded.live, self.loaded.game
        standing = self._held()
        document = {
            "match": row.name,
            "game": row.game,
            "edition": row.edition,
            "state": row.state,
            "turn": live.turn.number,
            "to_act": live.turn.seat,
            "due": stamp(row.due) if row.due else None,
            "late": clock.time_is_up(row, self.change.desk.now()),
            "left": {seat: left // SECOND for seat, left in self._left().items()},
            "stands": self._stops(),
            "held_until": stamp(standing.until) if standing and standing.until else None,
            "waits_for_yes": standing is not None and standing.is_asked,
            "head": live.head,
            **_chance(row),
            "points": dict(game.points(live.position)),
            "view": game.view(live.position, self.seat).document,
            "result": None if row.result is None else dict(row.result),
            "seats": _seats(self.change, self.loaded.seats),
            "terms": _terms(row),
        }
        if self.seat is not None and self.seat == live.turn.seat:
            legal = list(game.orders(live.position))
            document["legal"] = [game.format(order, "en") for order in legal[:_MOST_LEGAL]]
            document["legal_count"] = len(legal)
        return document | {"stand_ins": [asdict(stand_in) for stand_in in self.stand_ins]}

    def _held(self) -> StandingOrder | None:
        """Return the held orders of the seat to act; what they say is for nobody."""
        live = self.loaded.live
        if live.seq != self.loaded.row.seq:
            return None
        seat = live.turn.seat
        return standing_orders.held_orders(self.change.connection, self.loaded, seat)

    def _stops(self) -> list[str]:
        """Return why the clock stands of a player to act, so that nobody knows when it is over."""
        seat, row = self.loaded.live.turn.seat, self.loaded.row
        waits = seat is not None and row.due is None and self.loaded.seat(seat).player_id
        return clock.stops_of(row) if waits else []

    def _left(self) -> dict[Seat, timedelta]:
        """Return the time of each seat, while it stands as it is shown."""
        return clock.time_left(self.change, self.loaded.row)

    def lines(self) -> Iterator[str]:
        """Yield it in words, with its board."""
        row, live = self.loaded.row, self.loaded.live
        wording = Wording(self.loaded.game, self.change.desk.settings.language)
        names = names_of(self.change.connection, self.loaded.seats)
        seat = live.turn.seat
        whose = f"{seat} ({names[seat]}) to act" if seat else row.state
        late = clock.time_is_up(row, self.change.desk.now())
        until = f" · {'late since' if late else 'until'} {stamp(row.due)}" if row.due else ""
        yield f"{row.name} · turn {live.turn.number} · {whose}{until}"
        standing = self._held()
        if standing and standing.until:
            held_until = stamp(standing.until)
            yield f"{seat} has ordered; that is held until {held_until}, and can be withdrawn"
        elif standing and standing.is_asked:
            yield f"{seat} has ordered; that waits for a yes of theirs"
        if stops := self._stops():
            yield f"the clock of {seat} stands: {', and '.join(_STANDS[why] for why in stops)}"
        # Of a turn that runs alone the end says it.
        if (left := self._left()) and not (until and [*left] == [seat]):
            said = (f"{held} {format_duration(time)}" for held, time in left.items())
            yield f"time left: {', '.join(said)}"
        yield from _chance_in_words(row)
        if result := ledger.result_of(row):
            yield f"It ended ({result.ending}): {wording.ending(result)}"
        yield from map(str, self.stand_ins)
        yield ""
        scene = live.scene(self.seat)
        yield from text_board(scene, wording)
        for panel in scene.panels:
            if panel.sentences:
                yield from ("", f"{wording.word('panel', panel.title)}:")
                yield from (f"  {wording.sentence(sentence)}" for sentence in panel.sentences)
        say = wording.catalogue.say
        yield from ("", f"{say('invitation.seats')}:")
        for colour, name in names.items():
            yield f"  {say('invitation.seat', seat=capital(wording.seat(colour)), name=name)}"
        yield from ("", *_terms_in_words(self.change, row, wording))


def _seats(change: Change, seats: Sequence[SeatRow]) -> list[dict[str, Any]]:
    """Return the holder of each seat, as documents; a free one has no name."""
    names = names_of(change.connection, seats)
    return [
        {
            "seat": seat.seat,
            "holder": seat.holder,
            "name": None if seat.holder == "nobody" else names[seat.seat],
        }
        for seat in seats
    ]


def _terms(row: MatchRow) -> dict[str, Any]:
    """Return the terms of a match as a document, spans in seconds, as its record has them."""
    pace = clock.pace_of(row)
    return {"options": dict(row.options), "time_per_turn": pace.turn_seconds, **pace.document()}


def _terms_in_words(change: Change, row: MatchRow, wording: Wording | None) -> Iterator[str]:
    """Yield the terms of a match as its invitation words them, and those that it leaves out."""
    desk, pace = change.desk, clock.pace_of(row)
    catalogue = Catalogue(desk.settings.language)
    lines = [*wording.options(row.options)] if wording else []
    lines += agreed_time(row, catalogue)
    if pace.limited and pace.reminders:
        left = sorted(pace.reminders, reverse=True)
        spans = catalogue.joined(span_text(span, catalogue) for span in left)
        lines.append(catalogue.say("clock.reminders", spans=spans))
    talk = desk.settings.talk if pace.talk is None else pace.talk
    lines.append(catalogue.say("clock.talk", span=span_text(talk, catalogue) if talk else None))
    yield f"{catalogue.say('invitation.terms')}:"
    yield from (f"  {line}" for line in lines)


def _chance(row: MatchRow) -> dict[str, Any]:
    """Return the public facts about chance: the commitment, and the seats that gave words."""
    return {"commitment": row.commitment, "luck": list(row.words)}


def _chance_in_words(row: MatchRow) -> Iterator[str]:
    yield f"SHA-256 of the seed: {row.commitment}"
    if seats := _chance(row)["luck"]:
        yield f"words of luck: {', '.join(seats)}"
