"""Answers that several steps give: what a letter lacks, what its match waits for."""

from __future__ import annotations

from referee.desk.letters.case import Case, Claim
from referee.desk.letters.claims import Place
from referee.desk.matches import ledger
from referee.desk.players import names_of, told_state
from referee.render.answers import Answer, answer
from referee.store.play import matches
from referee.store.states import PLAYABLE
from referee.store.tables.play import MatchRow


def tell_problem(case: Case, place: Place) -> None:
    """Answer why a place of a letter speaks for no seat.

    If it names the sender's own, its board is shown.
    """
    named = place.named
    if named is None:
        case.tell(place.problem or answer("no-code"))
        return
    begun = named.match.header is not None
    live = ledger.load_match(case.change, named.match).live if begun else None
    scene = live.scene(named.seat.seat) if live else None
    case.tell(answer("other-history", begun=begun, scene=scene), named)


def not_begun(case: Case, claim: Claim | None) -> Answer:
    """Return the answer that a match has not begun, and whose yes is awaited."""
    return answer("match-not-begun", waiting=players_awaited(case, claim.match) if claim else [])


def unplayable(case: Case, claim: Claim) -> Answer | None:
    """Return the answer that a match has not begun or is over; None if it can be played."""
    if claim.match.state == "invited":
        return not_begun(case, claim)
    over = claim.match.state not in PLAYABLE
    return answer("match-over", state=told_state(claim.match)) if over else None


def players_awaited(case: Case, row: MatchRow) -> list[str]:
    """Return the names of the players whose yes the beginning of a match waits for."""
    seats = matches.seats(case.connection, row.id)
    names = names_of(case.connection, seats)
    return [names[seat.seat] for seat in seats if seat.holder == "player" and seat.agreed != "yes"]
