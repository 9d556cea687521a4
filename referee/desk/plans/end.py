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
            work.tell(
                signed("called-off"), [seat.seat for seat in seats if not uninvite(work, seat)]
            )
            return
        loaded = work.load()
        places = self._places(work, loaded.live.terms.seats)
        # The reason stands in an event of its own; the end itself tells only the result.
        loaded = work.note(NOTICE, act=self.name)
        how = ABANDONED if self.places is None else DECLARED
        if work.by in loaded.live.terms.seats:
            how = RESIGNED
        points = loaded.game.points(loaded.live.position)
        result, seat = Result(how, points, places), work.by if how == RESIGNED else None
        live, logged = match.conclude(loaded.live, result, work.moment, seat=seat)
        ledger.save_match(work.change, loaded, live, [logged])
        work.tell(signed("ended", how=how))

    def _places(self, work: Work, seats: Sequence[Seat]) -> Mapping[Seat, int]:
        """Return every seat's place. Raises Refused unless they are a ranking."""
        if self.places is None:
            return dict.fromkeys(seats, 1)
        for seat in self.places:
            work.seat(seat)
        if missing := [seat for seat in seats if seat not in self.places]:
            raise Refused(f"--result: every seat needs a place: add {', '.join(missing)}")
        given = sorted(self.places.values())
        if any(place != given.index(place) + 1 for place in given):
            raise Refused("--result: places count from 1; after two on place 1 comes place 3")
        return dict(self.places)


def parse_places(texts: Sequence[str]) -> dict[Seat, int]:
    """Return the places in texts like ``red=1``. Raises Refused."""
    found: dict[Seat, int] = {}
    for text in texts:
        seat, _, place = text.partition("=")
        seat = seat.strip().lower()
        if not seat or not place.strip().isdecimal() or len(place.strip()) > 2:
            raise Refused(f"--result {text}: write it like red=1")
        if seat in found:
            raise Refused(f"--result {text}: {seat} is given twice")
        found[seat] = int(place)
    return found
