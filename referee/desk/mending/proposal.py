"""What an act does, for whoever decides about it: before and after, events, mails, warnings.

It holds what a spectator may see; hands, draws and reply codes are left out.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from sqlalchemy import Connection

from referee.desk import ledger
from referee.desk.desk import Desk
from referee.desk.ledger import Sitting
from referee.desk.mending.foreseen import Mailed
from referee.games.game import Document
from referee.render.sheets import draw
from referee.render.wording import Wording
from referee.store import matches as tables
from referee.store.matches import EventRow, MatchRow


@dataclass(frozen=True, slots=True)
class Stand:
    """How a match stands, as a spectator sees it: lines that say so, and its board."""

    state: str
    turn: int
    to_act: str | None
    due: str | None
    board: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """An event that is written: its number, kind and seat, and what spectators learn by it."""

    seq: int
    kind: str
    seat: str | None
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One act with everything that comes of it; ``id`` is the plan's number.

    ``reports`` are those that were written, or follow when the match rests, as far as everybody may
    read them.
    """

    id: int
    state: str
    match: str
    act: str
    arguments: Document
    by: str
    why: str
    before: Stand
    after: Stand
    events: tuple[Written, ...]
    warnings: tuple[str, ...]
    mails: tuple[Mailed, ...]
    reports: tuple[Mailed, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The matches it changes."""
        return (self.match,)

    def document(self) -> Document:
        """Return the proposal as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Sweep:
    """One act with what comes of it in every match it changes; ``id`` is the plan's number.

    ``done`` says in lines what it does besides; ``state`` is ``applied`` without an ``id`` where
    no match was changed, so that there was nothing to plan.
    """

    id: int
    state: str
    act: str
    arguments: Document
    by: str
    why: str
    done: tuple[str, ...]
    matches: tuple[Proposal, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The matches it changes."""
        return tuple(each.match for each in self.matches)

    def document(self) -> Document:
        """Return it as JSON."""
        return asdict(self)


def stand(desk: Desk, connection: Connection, row: MatchRow, *, drawn: bool = True) -> Stand:
    """Return how a match stands; ``drawn``: with its board."""
    due = ledger.stamp(row.due) if row.due and row.state == "running" else None
    board: tuple[str, ...] = ()
    if drawn and row.header is not None:
        board = _board(desk, ledger.load(desk, connection, row))
    return Stand(row.state, row.turn, row.to_act, due, board)


def _board(desk: Desk, sitting: Sitting) -> tuple[str, ...]:
    game = sitting.game
    wording = Wording(game, desk.language)
    drawing = draw(sitting.live.scene(None), wording)
    lines = list(drawing.text)
    for title, sentences in drawing.panels:
        lines += ["", f"{title}:", *(f"  {each}" for each in sentences)]
    return tuple(lines)


def written(desk: Desk, connection: Connection, row: MatchRow, after: int) -> tuple[Written, ...]:
    """Return the events after one, with what spectators learn."""
    wording = Wording(desk.find_game(row.game, row.edition), desk.language)
    return tuple(_written(wording, each) for each in tables.events(connection, row.id, after=after))


def _written(wording: Wording, row: EventRow) -> Written:
    facts = [each for each in ledger.facts_from_json(row.facts) if each.known_to(None)]
    return Written(row.seq, row.kind, row.seat, tuple(wording.facts(facts)))
