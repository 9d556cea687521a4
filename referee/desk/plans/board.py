"""Corrections of the board: undo, redo, and fix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from referee.desk.matches import ledger, rewind
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.plans.act import OnMatch
from referee.desk.seats.arrangements import cut_short
from referee.desk.work import Refused, Work
from referee.games.game import BadDocument, Json, Seat
from referee.games.play import position_digest
from referee.matches import croupier, line, takeback
from referee.matches.events import BOARD_KINDS, END, FIX, ORDER, SEAT, SETTING, Event
from referee.matches.log import AnyMatch
from referee.matches.replay import at_event
from referee.store.play import matches
from referee.store.play.logs import EventRow
from referee.store.play.matches import MatchRow
from referee.store.post import reports
from referee.store.states import ENDED, PLAYABLE, REWINDABLE

DONE = frozenset({ORDER, END, FIX})
"""The events that can be taken back; draws follow from them."""

SHOWN = DONE | BOARD_KINDS | SETTING
"""The events after which a mail shows another position."""


class Undo(OnMatch):
    """Take back everything since a turn began.

    Without ``turn``, since the last that was played in; an end by hand or a fix that came last is
    then taken back alone. ``revealed``: even if somebody learnt a secret by it.
    """

    name: ClassVar[str] = "undo"
    turn: int | None = None
    revealed: bool = False

    def carry_out(self, work: Work) -> None:
        work.going(*REWINDABLE)
        loaded = work.load()
        log = whole_log(work, loaded)
        to = undo_goal(loaded, log, self.turn)
        known = revealed_lines(work, loaded.row, to)
        if known and not self.revealed:
            raise Refused(
                f"{self.match}: this would take back what is known: {'; '.join(known)}. "
                "With --reveal-known it is done all the same"
            )
        for each in known:
            work.warn(f"known already: {each}")
        _warn_of_mails(work, loaded, to)
        _warn_of_stand_ins(work, loaded.row)
        set_back(work, loaded, to)


def whole_log(work: Work, loaded: LoadedMatch) -> list[Event]:
    """Return all events of a match. Raises Refused if pruned."""
    log = ledger.log_of(work.connection, loaded.row)
    if len(log) != loaded.row.seq:
        raise Refused(f"{loaded.row.name} was pruned: its log is in the record exported before")
    return log


def undo_goal(loaded: LoadedMatch, log: Sequence[Event], turn: int | None) -> int:
    """Return the event to go back to.

    It is the one after which ``turn`` began, without it the last turn played in. Raises Refused if
    nothing would be taken back.
    """
    name, now = loaded.row.name, loaded.live.turn.number
    done = [each for each in line.current_events(log) if each.kind in DONE]
    # An end or a fix by hand is taken back alone, as its own step.
    if turn is None and done and done[-1].kind != ORDER:
        return line.base_of(done[-1])
    if turn is None:
        turn = _last_played(loaded, log)
        if turn is None:
            raise Refused(f"{name}: nobody has ordered anything yet, so there is nothing to undo")
    if not 1 <= turn <= now:
        raise Refused(f"--to {turn}: {name} is at turn {now}; name one from 1 to {now}")
    start = line.turn_start(log, turn)
    if start is None or not any(each.seq > start for each in done):
        raise Refused(f"{name}: nothing has been played since turn {turn} began")
    return start


def _last_played(loaded: LoadedMatch, log: Sequence[Event]) -> int | None:
    """Return the last turn a player ordered in.

    Among bots alone, the last turn ordered in at all.
    """
    orders = [each for each in line.current_events(log) if each.kind == ORDER and not each.forced]
    turns = [each.turn for each in orders if _by_a_player(loaded, log, each)]
    if not turns and not any(each.holder == "player" for each in loaded.seats):
        turns = [each.turn for each in orders]
    return turns[-1] if turns else None


def _by_a_player(loaded: LoadedMatch, log: Sequence[Event], order: Event) -> bool:
    """Return whether a player held an order's seat at that time.

    Before a seat was first given away, a player held it.
    """
    given = [each for each in log if each.kind == SEAT and each.seat == order.seat]
    before = [each.details["holder"] for each in given if each.seq < order.seq]
    if not given:
        return loaded.seat(str(order.seat)).holder == "player"
    return before[-1:] in ([], ["player"])


def revealed_lines(work: Work, row: MatchRow, to: int) -> list[str]:
    """Return a line for each thing somebody learnt after an event.

    An undo cannot make it unknown again. A line tells its kind and who learnt it, never the hidden
    thing itself.
    """
    rows = ledger.kept_events(matches.events(work.connection, row.id))
    gone = [each for each in rows if each.seq > to]
    log = [each for each in ledger.log_of(work.connection, row) if each.draw is not None]
    stand = {each.seq for each in gone}
    draws = [each.draw.number for each in log if each.draw and each.seq in stand]
    return [*_drawn(draws), *dict.fromkeys(_learnt(gone))]


def _drawn(draws: Sequence[int]) -> Iterator[str]:
    # Chance follows from the seed, so playing the turn again would draw what is known already.
    if draws:
        first, last = draws[0], draws[-1]
        which = f"draw {first}" if first == last else f"draws {first} to {last}"
        yield f"{which}, which would give the same numbers again"


def _learnt(rows: Sequence[EventRow]) -> Iterator[str]:
    for row in rows:
        for fact in ledger.facts_from_json(row.facts):
            if fact.audience is not None or fact.news:
                whom = "everybody" if fact.audience is None else ", ".join(sorted(fact.audience))
                yield f"{whom or 'nobody'} learnt something in turn {row.turn} ({fact.fact})"


def _warn_of_mails(work: Work, loaded: LoadedMatch, to: int) -> None:
    """Warn about mails that show what would be taken back."""
    shown: dict[Seat, list[str]] = {}
    after = matches.events(work.connection, loaded.row.id, after=to)
    first = next(each.seq for each in after if each.kind in SHOWN)
    for mail in reports.mails_showing(work.connection, loaded.row.id, first):
        # It never left, so nobody has seen it.
        if mail.state == "superseded":
            continue
        left = mail.state in {"sent", "uncertain", "sending"}
        fate = "sent" if left else "not sent yet"
        if not left and mail.kind == "report":
            fate = "not sent yet and will not be"
        # A receipt for several matches belongs to no seat.
        held = (each.seat for each in loaded.seats if each.player_id == mail.player_id)
        shown.setdefault(mail.seat or next(held, ""), []).append(f"{mail.kind} {mail.id} ({fate})")
    for seat, mails in shown.items():
        work.warn(f"{seat} is shown what would be taken back by {', '.join(mails)}")


def _warn_of_stand_ins(work: Work, row: MatchRow) -> None:
    """Warn about stand-ins that ended with the match."""
    if row.state not in ENDED:
        return
    for each in cut_short(work.connection, row, work.desk.now()):
        work.warn(
            f"{each.who} was to sit for {each.owner} as {each.seat}, {each.first} to {each.last}; "
            f"that stays ended: referee match seat {row.name} {each.seat} arranges it again"
        )


def set_back(work: Work, loaded: LoadedMatch, to: int) -> LoadedMatch:
    """Set a match back to an event; return it loaded.

    Once its record is out the seed is known, so chance gets a new one.
    """
    live, row = loaded.live, loaded.row
    log = ledger.log_of(work.connection, row)
    earlier: AnyMatch = at_event(live.game, live.terms, live.seed, log, to)
    moment, who = work.moment, {"by": work.by, "why": work.reason}
    if row.released:
        work.warn("the record is out, so what chance draws from now on comes from a new seed")
        seed = croupier.new_seed()
        after, logged = takeback.reopen(live, earlier, seed, moment, **who)
    else:
        after, logged = takeback.take_back(live, earlier, moment, **who)
    return rewind.set_again(work.change, loaded, after, logged)


class Redo(OnMatch):
    """Set a match forward to before the last undo."""

    name: ClassVar[str] = "redo"

    def carry_out(self, work: Work) -> None:
        work.going(*REWINDABLE)
        loaded = work.load()
        live, log = loaded.live, whole_log(work, loaded)
        to = line.redo_goal(log)
        if to is None:
            raise Refused(f"{self.match}: nothing was taken back that could be done again")
        later = at_event(live.game, live.terms, live.seed, log, to)
        after, logged = takeback.set_forward(live, later, work.moment, by=work.by, why=work.reason)
        rewind.set_again(work.change, loaded, after, logged)


class Fix(OnMatch):
    """Set the position, by a whole document or a JSON Patch.

    ``made_from`` is the digest of the position that was edited, if known.
    """

    name: ClassVar[str] = "fix"
    given: Json
    made_from: str | None = None

    def carry_out(self, work: Work) -> None:
        work.going(*PLAYABLE)
        loaded = work.load()
        # An edited position is whole, so it would undo everything played since.
        if self.made_from not in {None, position_digest(loaded.game, loaded.live.position)}:
            raise Refused(
                f"{self.match} has moved on since this position was printed; nothing was done: "
                "print it anew with show --full"
            )
        patch = patch_of(loaded.live, self.given)
        if not patch:
            raise Refused(f"{self.match}: the position is just that already")
        # The names of the parts only: their values may be hidden.
        parts = dict.fromkeys(str(each["path"]).split("/")[1] for each in patch)
        work.warn(f"this changes in the position: {', '.join(parts)}")
        live, moment = loaded.live, work.moment
        after, logged = takeback.fix_position(live, patch, moment, by=work.by, why=work.reason)
        rewind.set_again(work.change, loaded, after, logged)


def patch_of(match: AnyMatch, given: Json) -> takeback.Patch:
    """Return the patch from the present position to the one given.

    Raises Refused if the game does not accept it, or it is neither patch nor position.
    """
    game = match.game
    before = game.dump(match.position)
    asked: Any = given
    if isinstance(asked, dict):
        asked = takeback.patch_between(before, asked)
    if not isinstance(asked, list):
        raise Refused("this is neither a JSON Patch (a list) nor a position document (an object)")
    try:
        after = game.dump(game.load(takeback.patched_document(match, asked)))
    except BadDocument as fault:
        raise Refused(f"the game does not accept this position: {fault}") from None
    return takeback.patch_between(before, after)
