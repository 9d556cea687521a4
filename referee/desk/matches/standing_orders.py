"""Standing orders: kept, held, dropped, acted on when a match rests.

Orders for a turn are held until a moment that was agreed or set, or until their player's yes.
Nobody is told of them, chance is not asked, and the board stays as it is. So all of them can be
withdrawn until they are played, and nothing that was played can. What acts later, a queue or a
policy, is held as well, and until then it neither acts nor replaces.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Final, TypeAlias

from sqlalchemy import Connection

from referee.desk import health
from referee.desk.desk import Change, stamp
from referee.desk.matches import ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import clock, outages, stoppages
from referee.games.game import AnyGame, Document, Seat, Unreadable
from referee.games.policies import Policy
from referee.matches import match, private
from referee.matches.events import ORDER, SEAT
from referee.matches.log import LOG_LANGUAGE
from referee.matches.standing_orders import (
    Acted,
    Hold,
    Kind,
    ListedOrder,
    StandingOrder,
    act_at_rest,
    replaced_by,
    write_line,
)
from referee.matches.time.calendar import NONE
from referee.matches.time.moments import DAY
from referee.render.receipts import Fate, TakenBack
from referee.store.people.players import UNTIL_YES
from referee.store.play import matches, submissions
from referee.store.states import SubmissionOutcome
from referee.store.tables.people import PlayerRow
from referee.store.tables.play import MatchRow, PrivateEventRow
from referee.value import Value, replace

MOST_QUEUED: Final = 100
"""Orders that a seat's queues may hold together."""


class Queue(Value):
    """Orders to be played as soon as the seat's turn comes."""

    entries: tuple[ListedOrder, ...]


class Cancel(Value):
    """Standing orders to take back, by number; without numbers all.

    ``orders``: only those that wait to be played; policies stay. A kind that is ``spared`` stays.
    """

    numbers: tuple[int, ...] = ()
    orders: bool = False
    spared: Kind | None = None

    def covers(self, standing: StandingOrder) -> bool:
        """Return whether it takes back a standing order of its seat."""
        spared = (self.spared, "policy") if self.orders else (self.spared,)
        return standing.kind not in spared and (not self.numbers or standing.number in self.numbers)


Given: TypeAlias = Queue | Cancel | Policy
"""Anything a line can order in advance."""


def advance_lines(game: AnyGame, given: Given, language: str) -> tuple[str, ...]:
    """Return orders in advance as lines; empty for a cancellation."""
    if isinstance(given, Queue):
        return tuple(write_line(game, entry, language) for entry in given.entries)
    return () if isinstance(given, Cancel) else (game.format_policy(given, language),)


def key_of(game: AnyGame, given: Given) -> str:
    """Return orders in advance as one text, equal for equal meaning."""
    if isinstance(given, Cancel):
        return " ".join(("withdraw" if given.orders else "cancel", *map(str, given.numbers)))
    kind, lines = _kept_as(game, given)
    return f"{kind} {'; '.join(lines)}"


def _kept_as(game: AnyGame, given: Queue | Policy) -> tuple[Kind, tuple[str, ...]]:
    kind: Kind = "queue" if isinstance(given, Queue) else "policy"
    return kind, advance_lines(game, given, LOG_LANGUAGE)


MOST_WAITING: Final = 40
"""Orders in advance of one seat that wait at once; a queue counts as one."""

MOST_A_DAY: Final = 100
"""Orders in advance that a seat may give in its match in a day."""

ASK: Final = timedelta(seconds=UNTIL_YES)
"""A player's term in place of a time: until they say yes."""


def kept_standing_orders(
    connection: Connection, loaded: LoadedMatch, seat: Seat | None = None
) -> list[StandingOrder]:
    """Return the standing orders that wait in a match, or of one seat; only players have any."""
    players = {held.seat for held in loaded.seats if held.holder == "player"}
    kept = []
    for row in matches.standing_orders_of(connection, loaded.row.id, seat):
        if row.seat in players:
            lines = tuple(row.text.splitlines())
            hold = Hold(row.arrived, row.until) if row.arrived else None
            kept.append(StandingOrder(row.number, row.seat, row.kind, lines, hold, row.id))
    return kept


def take_advance(
    change: Change, loaded: LoadedMatch, seat: Seat, given: Given, hold: Hold | None = None
) -> Fate:
    """Keep, ``hold`` or cancel a letter's orders in advance; return the outcome.

    ``known``: the very same wait already; ``nothing``, ``none-held``: there was nothing to cancel.
    An Unreadable names a limit, a Refusal what the match does not have: then nothing is kept. Said
    again by themselves, those that are held are so no longer.
    """
    mine = kept_standing_orders(change.connection, loaded, seat)
    if isinstance(given, Cancel):
        meant = [kept for kept in mine if given.covers(kept)]
        for kept in meant:
            end_one(change, loaded, kept, private.CANCELLED)
        if meant:
            return TakenBack(tuple(line for kept in meant for line in kept.lines))
        return "none-held" if given.orders else "nothing"
    kind, lines = _kept_as(loaded.game, given)
    same = next((kept for kept in mine if (kept.kind, kept.lines) == (kind, lines)), None)
    # Letters are sent twice now and then; that must not fill the queue.
    if same is not None:
        return "noted" if hold is None and _release(change, loaded, same) else "known"
    # Every step of a match looks at all that waits in it, and no seat may hold up the others.
    earlier = matches.latest_standing_order(
        change.connection, loaded.row.id, seat, back=MOST_A_DAY - 1
    )
    if earlier is not None and earlier.created > change.desk.now() - DAY:
        return Unreadable("many-a-day", most=MOST_A_DAY)
    if isinstance(given, Queue):
        queued = sum(len(standing.lines) for standing in mine if standing.kind == "queue")
        if queued + len(given.entries) > MOST_QUEUED:
            return Unreadable("many-queued", most=MOST_QUEUED)
        orders = [entry.order for entry in given.entries]
        if refused := match.never_legal(loaded.live, seat, orders):
            return refused
        replaced = 0
    else:
        replaced = len(replaced_by(loaded.game, given, mine))
    if len(mine) - replaced >= MOST_WAITING:
        return Unreadable("many-waiting", most=MOST_WAITING)
    keep_standing_order(change, loaded, seat, kind, lines, hold)
    return "noted" if hold is None else "held" if hold.until else "asked"


def keep_standing_order(
    change: Change,
    loaded: LoadedMatch,
    seat: Seat,
    kind: Kind,
    lines: Sequence[str],
    hold: Hold | None = None,
) -> None:
    """Keep a standing order, unless it is known, and write it into its seat's private chain.

    A policy that is not held takes the place of those on its topic.
    """
    mine = kept_standing_orders(change.connection, loaded, seat)
    if (kind, tuple(lines)) in [(kept.kind, kept.lines) for kept in mine]:
        return
    if kind == "policy" and hold is None:
        _replace(change, loaded, lines[0], mine)
    row = matches.add_standing_order(
        change.connection,
        loaded.row.id,
        seat,
        kind,
        "\n".join(lines),
        change.desk.now(),
        handed_on=loaded.seat(seat).handed_on,
        arrived=hold.arrived if hold else None,
        until=hold.until if hold else None,
    )
    if hold is not None:
        # Its moment may be the next thing to look at.
        matches.set_agenda(change.connection, loaded.row.id, change.desk.now())
    details: Document = {"number": row.number, "kind": kind, "lines": list(lines)}
    write_private(change, loaded, seat, private.GIVEN, details)


def _replace(change: Change, loaded: LoadedMatch, line: str, mine: Sequence[StandingOrder]) -> None:
    """End the policies of a seat on the topic of that in a line."""
    policy = loaded.game.parse_policy(line, LOG_LANGUAGE)
    for replaced in replaced_by(loaded.game, policy, mine):
        end_one(change, loaded, replaced, private.REPLACED)


def take_back(
    change: Change, loaded: LoadedMatch, seat: Seat, given: Sequence[Given]
) -> tuple[Fate, ...]:
    """Carry out the cancellations before other orders in advance; return each outcome.

    The others wait, with the cancellations behind them, which may take back what they order.
    """
    fates: list[Fate] = ["waiting"] * len(given)
    for number, order in enumerate(takewhile(lambda order: isinstance(order, Cancel), given)):
        fates[number] = take_advance(change, loaded, seat, order)
    return tuple(fates)


def _release(change: Change, loaded: LoadedMatch, kept: StandingOrder) -> bool:
    """Let an order in advance act from now on; return whether it was held."""
    if kept.hold is None:
        return False
    if kept.kind == "policy":
        mine = kept_standing_orders(change.connection, loaded, kept.seat)
        _replace(change, loaded, kept.lines[0], [other for other in mine if other.id != kept.id])
    matches.set_standing_order(change.connection, kept.id, "\n".join(kept.lines), kept.kind)
    return True


def end_all_of_seat(change: Change, loaded: LoadedMatch, seat: Seat) -> None:
    """End all of a seat's orders in advance as it passes on."""
    for kept in kept_standing_orders(change.connection, loaded, seat):
        end_one(change, loaded, kept, private.CANCELLED)


def end_one(
    change: Change, loaded: LoadedMatch, kept: StandingOrder, kind: str, *, goes_on: bool = False
) -> None:
    """End a waiting standing order; ``kind`` is its entry in the private chain.

    ``goes_on``: what takes its place begins with its orders, so these are not withdrawn.
    """
    matches.end_standing_order(change.connection, kept.id, "cancelled", change.desk.now())
    if kept.kind == "held":
        # While something was held its seat's clock was not looked at.
        matches.set_agenda(change.connection, loaded.row.id, change.desk.now())
        if not goes_on:
            submissions.settle_held(change.connection, loaded.row.id, kept.seat, "withdrawn")
    write_private(change, loaded, kept.seat, kind, {"number": kept.number})


def drop_all(change: Change, loaded: LoadedMatch, note: str) -> None:
    """End all standing orders of a match, each with a note."""
    for kept in kept_standing_orders(change.connection, loaded):
        ended: Document = {"number": kept.number, "kind": kept.kind, "lines": list(kept.lines)}
        write_private(change, loaded, kept.seat, private.NOTICE, {**ended, "note": note})
    # Those of seats that no player holds end without a note.
    void_all(change, loaded)


def void_all(change: Change, loaded: LoadedMatch) -> None:
    """End all standing and held orders of a match."""
    submissions.settle_held(change.connection, loaded.row.id, None, "withdrawn")
    matches.void_standing_orders(change.connection, loaded.row.id, change.desk.now())


def grace_of(row: MatchRow, player: PlayerRow) -> timedelta:
    """Return how long all orders of a player are held: the longer of both terms."""
    mine = timedelta(seconds=player.grace)
    return mine if mine == ASK else max(clock.pace_of(row).grace, mine)


def hold_for(
    change: Change, row: MatchRow, seat: Seat, player: PlayerRow, arrived: datetime, way: str
) -> Hold | None:
    """Return how the orders of a letter are held that stand alone, in company or contradicted.

    None: they are played at once. It counts from the arrival of their letter, so that it is the
    same whenever that is read.
    """
    grace, talk = grace_of(row, player), NONE
    if way == "company" and player.talk is not None:
        talk = timedelta(seconds=player.talk)
    elif way == "company":
        agreed = clock.pace_of(row).talk
        talk = change.desk.settings.talk if agreed is None else agreed
    if way == "contradicted" or ASK in {grace, talk}:
        return Hold(arrived)
    until = arrived + max(grace, talk)
    due = clock.clock_of(change, row).due if clock.clock_runs(row) and row.to_act == seat else None
    if due is not None:
        # Nobody could order in time, and withdraw after the end of it; a late turn is waited for.
        until = min(until, due) if due > arrived else arrived + talk
    return Hold(arrived, until) if until > arrived else None


def held_orders(
    connection: Connection, loaded: LoadedMatch, seat: Seat | None
) -> StandingOrder | None:
    """Return a seat's orders for its turn that are held, if any."""
    waiting = kept_standing_orders(connection, loaded)
    mine = (kept for kept in waiting if kept.seat == seat and kept.kind == "held")
    return next(mine, None)


def hold_orders(
    change: Change, loaded: LoadedMatch, seat: Seat, lines: Sequence[str], hold: Hold
) -> tuple[Hold, Sequence[str]]:
    """Hold a seat's orders; return how, and those whose place they take.

    The very same ones are held no longer for being sent twice, but wait for a yes if they have to.
    """
    before = held_orders(change.connection, loaded, seat)
    if before is not None and before.hold and before.lines == tuple(lines):
        if hold.until is None:
            matches.ask_standing_order(change.connection, before.id)
            return replace(before.hold, until=None), ()
        return before.hold, ()
    replaced = drop_held(change, loaded, seat, lines)
    keep_standing_order(change, loaded, seat, "held", lines, hold)
    clock.note_held_arrival(change, loaded.row, hold.arrived)
    return hold, replaced


def drop_held(
    change: Change, loaded: LoadedMatch, seat: Seat, lines: Sequence[str]
) -> Sequence[str]:
    """End the held orders of a seat, as ``lines`` take their place; return those that are lost."""
    kept = held_orders(change.connection, loaded, seat)
    if kept is None:
        return ()
    goes_on = begins_with(lines, kept)
    end_one(change, loaded, kept, private.REPLACED, goes_on=goes_on)
    return () if goes_on else kept.lines


def begins_with(lines: Sequence[str], kept: StandingOrder) -> bool:
    """Return whether lines are those of held orders, and perhaps others behind them."""
    return tuple(lines[: len(kept.lines)]) == kept.lines


def act_once(
    change: Change,
    loaded: LoadedMatch,
    moment: str,
    only: Seat | None = None,
    before: datetime | None = None,
) -> tuple[LoadedMatch, Acted] | None:
    """Let standing orders do one thing now; None if there is none.

    Orders are logged with ``moment`` (RFC 3339, UTC), as if they came then. Every letter that
    arrived earlier than ``before`` is known.
    """
    waiting = _able(change, loaded, before)
    acted = act_at_rest(loaded.live, waiting, moment, only)
    if acted is None:
        return None
    which, after, done = acted.standing, loaded, acted.done
    logged = done.logged if done else ()
    if done and logged:
        after = ledger.save_match(change, loaded, done.match, logged)
        after = ledger.renew_time(change, after) if done.anew else after
    if acted.state == "waiting":
        kind = "rest" if which.kind == "held" else which.kind
        matches.set_standing_order(change.connection, which.id, "\n".join(acted.left), kind)
    else:
        matches.end_standing_order(change.connection, which.id, acted.state, change.desk.now())
    if which.kind == "held":
        played: SubmissionOutcome = "partly" if acted.notes else "accepted"
        seqs = (logged[0].event.seq, logged[-1].event.seq) if logged else (None, None)
        outcome = played if logged else "refused"
        submissions.settle_held(change.connection, loaded.row.id, which.seat, outcome, seqs)
    # Into its seat's private chain.
    if logged:
        # What the rules left no choice about was not this order's doing.
        orders = [entry.event for entry in logged if entry.event.kind == ORDER]
        chosen = [order.order for order in orders if order.seat == which.seat and not order.forced]
        details: Document = {
            "number": which.number,
            "state": acted.state,
            "kind": which.kind,
            "lines": [line for line in chosen if line],
            "first": logged[0].event.seq,
            "last": logged[-1].event.seq,
        }
        write_private(change, after, which.seat, private.PLAYED, details)
    for note in acted.notes:
        told: Document = {"number": which.number, **note.to_document()}
        write_private(change, after, which.seat, private.NOTICE, told)
    for policy in acted.policies:
        line = after.game.format_policy(policy, LOG_LANGUAGE)
        keep_standing_order(change, after, which.seat, "policy", (line,))
    return after, acted


def _able(change: Change, loaded: LoadedMatch, before: datetime | None) -> list[StandingOrder]:
    """Return those that may act: none of the seat to act whose orders for the turn are held.

    Nor any at all while a letter of the player to act is known and unread, which may withdraw them.
    """
    waiting, acting = kept_standing_orders(change.connection, loaded), loaded.live.to_act
    unread = stoppages.unfetched_from(change) if waiting else ()
    if any(seat.player_id in unread for seat in loaded.seats if seat.seat == acting):
        return []
    for kept in waiting:
        if kept.kind != "held" and kept.hold and _is_ripe(change, kept.hold, before):
            _release(change, loaded, kept)
    waiting = kept_standing_orders(change.connection, loaded)
    unripe = [kept for kept in waiting if kept.hold and not _is_ripe(change, kept.hold, before)]
    # What waits behind held orders must not take their place.
    if any(kept.seat == acting and kept.kind == "held" for kept in unripe):
        return [kept for kept in waiting if kept.seat != acting]
    return [kept for kept in waiting if kept.seat != acting or kept not in unripe]


def _is_ripe(change: Change, hold: Hold, before: datetime | None) -> bool:
    """Return whether the moment has passed; until a yes it never does."""
    until = hold.until
    if until is None or (before and until < before):
        return until is not None
    # Its player may still withdraw the orders, and a clock that has jumped cuts that time short.
    jumped = outages.lasting_outage(change.connection) is not None
    return not jumped and health.is_settled(change, until)


def notes_since(
    connection: Connection, loaded: LoadedMatch, seat: Seat, board: int
) -> list[Document]:
    """Return the news for a seat since a board event."""
    since = board + 1
    # Orders of earlier holders are not theirs: a new holder's numbers begin with 1.
    if loaded.seat(seat).handed_on:
        event = matches.latest_event(connection, loaded.row.id, SEAT, seat)
        since = max(since, event.seq if event else 0)
    news: list[tuple[int, Document]] = []
    for kind in (private.NOTICE, private.PLAYED):
        latest = entries_of(connection, loaded, seat, kind)
        news += [
            (entry.seq, {"note": kind, **entry.details})
            for entry in takewhile(lambda entry: entry.board >= since, latest)
            if kind == private.NOTICE or entry.details.get("lines")
        ]
    return [details for _, details in sorted(news, key=lambda pair: pair[0])]


def entries_of(
    connection: Connection, loaded: LoadedMatch, seat: Seat, kind: str
) -> Iterator[private.PrivateEntry]:
    """Return a seat's private entries of one kind, the latest first."""
    return map(entry_of, matches.latest_private(connection, loaded.row.id, seat, kind))


def entry_of(row: PrivateEventRow) -> private.PrivateEntry:
    """Return an entry of a private chain as a value."""
    return private.PrivateEntry.from_document(json.loads(row.body))


def write_private(
    change: Change, loaded: LoadedMatch, seat: Seat, kind: str, details: Document
) -> None:
    """Write the next entry of a seat's private chain."""
    last = matches.last_private(change.connection, loaded.row.id, seat)
    before = None if last is None else entry_of(last)
    moment = stamp(change.desk.now())
    entry = private.next_entry(loaded.live, before, kind, seat, moment, details)
    row = PrivateEventRow(seat, entry.seq, entry.kind, entry.line, entry.hash, change.desk.now())
    matches.append_events(change.connection, loaded.row.id, [row])
