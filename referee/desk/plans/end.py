"""The end of a match by hand: abandoned, declared, resigned, called off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from referee.desk.matches import ledger
from referee.desk.plans.act import OnMatch
from referee.desk.seats.resign import RESIGNED
from referee.desk.work import Refused, Work, uninvite
from referee.games.game import ABANDONED, Result, Seat
from referee.matches import match
from referee.matches.events import NOTICE
from referee.matches.log import DECLARED
from referee.render.answers import signed
from referee.store.play import matches
from referee.store.states import PLAYABLE


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
        live, logged = match.conclude(loaded.live, result, work.moment, seat=resigning)
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
