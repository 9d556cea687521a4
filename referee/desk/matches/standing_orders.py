"""Standing orders: kept, dropped, acted on when a match rests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import takewhile
from typing import Final, TypeAlias

from sqlalchemy import Connection

from referee.desk import health
from referee.desk.desk import Change, stamp
from referee.desk.matches import credit, ledger
from referee.desk.matches.ledger import LoadedMatch
from referee.desk.matches.time import stoppages
from referee.games.game import AnyGame, Document, Seat, Unreadable
from referee.games.policies import Policy
from referee.matches import match, private
from referee.matches.events import ORDER, SEAT
from referee.matches.log import LOG_LANGUAGE
from referee.matches.standing_orders import (
    Acted,
    Kind,
    ListedOrder,
    StandingOrder,
    act_at_rest,
    replaced_by,
    write_line,
)
from referee.matches.time.moments import DAY
from referee.render.receipts import Fate, TakenBack
from referee.store.play import matches, submissions
from referee.store.tables.play import PrivateEventRow
from referee.value import Value

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
    kind = "queue" if isinstance(given, Queue) else "policy"
    return f"{kind} {'; '.join(advance_lines(game, given, 'en'))}"


MOST_WAITING: Final = 40
"""Orders in advance of one seat that wait at once; a queue counts as one."""

MOST_A_DAY: Final = 100
"""Orders in advance that a seat may give in its match in a day."""


class Hold(Value):
    """The holding of orders: since their letter arrived, until a moment or, if None, a yes."""

    arrived: datetime
    until: datetime | None = None


class KeptStandingOrder(Value):
    """A standing order that waits, with the id of its row; ``hold`` if it is held."""

    id: int
    standing: StandingOrder
    hold: Hold | None = None


def kept_standing_orders(
    connection: Connection, loaded: LoadedMatch, seat: Seat | None = None
) -> list[KeptStandingOrder]:
    """Return the standing orders that wait in a match, or of one seat; only players have any."""
    players = {held.seat for held in loaded.seats if held.holder == "player"}
    kept_orders: list[KeptStandingOrder] = []
    for row in matches.standing_orders_of(connection, loaded.row.id, seat):
        if row.seat in players:
            lines = tuple(row.text.splitlines())
            arrived = stamp(row.arrived) if row.arrived else ""
            standing = StandingOrder(row.number, row.seat, row.kind, lines, arrived, row.until)
            hold = Hold(row.arrived, row.until) if row.arrived else None
            kept_orders.append(KeptStandingOrder(row.id, standing, hold))
    return kept_orders


def take_advance(
    change: Change, loaded: LoadedMatch, seat: Seat, given: Given, hold: Hold | None = None
) -> Fate:
    """Keep, ``hold`` or cancel a letter's orders in advance; return the outcome.

    ``known``: the very same wait already; ``nothing``, ``none-held``: there was nothing to cancel.
    An Unreadable names a limit, a Refusal what the match does not have: then nothing is kept. Said
    again by themselves, those that are held are so no longer.
    """
    if isinstance(given, Cancel):
        mine = kept_standing_orders(change.connection, loaded, seat)
        meant = [kept for kept in mine if given.covers(kept.standing)]
        for kept in meant:
            end_one(change, loaded, kept, private.CANCELLED)
        if meant:
            return TakenBack(tuple(line for kept in meant for line in kept.standing.lines))
        return "none-held" if given.orders else "nothing"
    fate = foreseen_fate(change, loaded, seat, given)
    kind, lines = _kept_as(loaded.game, given)
    if fate is None and hold is None:
        keep_standing_order(change, loaded, seat, kind, lines)
    elif fate is None:
        put_standing_order(change, loaded, seat, kind, lines, hold)
    elif fate == "known" and hold is None:
        mine = kept_standing_orders(change.connection, loaded, seat)
        same = next(kept for kept in mine if _is_known([kept], kind, lines))
        fate = None if _release(change, loaded, same) else fate
    return fate or ("noted" if hold is None else "held" if hold.until else "asked")


def _kept_as(game: AnyGame, given: Queue | Policy) -> tuple[Kind, tuple[str, ...]]:
    kind: Kind = "queue" if isinstance(given, Queue) else "policy"
    return kind, advance_lines(game, given, LOG_LANGUAGE)


def foreseen_fate(
    change: Change, loaded: LoadedMatch, seat: Seat, given: Queue | Policy
) -> Fate | None:
    """Return why orders in advance will not be kept, else None.

    They are known, refused, or beyond a limit: every step of a match looks at all that waits in it,
    and no seat may hold up the others.
    """
    mine = kept_standing_orders(change.connection, loaded, seat)
    # Letters are sent twice now and then; that must not fill the queue.
    if _is_known(mine, *_kept_as(loaded.game, given)):
        return "known"
    row = loaded.row.id
    earlier = matches.latest_standing_order(change.connection, row, seat, back=MOST_A_DAY - 1)
    if earlier is not None and earlier.created > change.desk.now() - DAY:
        return Unreadable("many-a-day", most=MOST_A_DAY)
    waiting = [kept.standing for kept in mine]
    if isinstance(given, Queue):
        queued = sum(len(standing.lines) for standing in waiting if standing.kind == "queue")
        if queued + len(given.entries) > MOST_QUEUED:
            return Unreadable("many-queued", most=MOST_QUEUED)
        orders = [entry.order for entry in given.entries]
        if refused := match.never_legal(loaded.live, seat, orders):
            return refused
        replaced = 0
    else:
        replaced = len(replaced_by(loaded.game, given, waiting))
    if len(waiting) - replaced >= MOST_WAITING:
        return Unreadable("many-waiting", most=MOST_WAITING)
    return None


def _is_known(mine: Sequence[KeptStandingOrder], kind: Kind, lines: Sequence[str]) -> bool:
    return any((kept.standing.kind, kept.standing.lines) == (kind, tuple(lines)) for kept in mine)


def keep_standing_order(
    change: Change,
    loaded: LoadedMatch,
    seat: Seat,
    kind: Kind,
    lines: Sequence[str],
) -> None:
    """Keep a standing order, unless it is known; a policy takes the place of those on its topic."""
    mine = kept_standing_orders(change.connection, loaded, seat)
    if _is_known(mine, kind, lines):
        return
    if kind == "policy":
        policy = loaded.game.parse_policy(lines[0], LOG_LANGUAGE)
        _replace(change, loaded, policy, mine)
    put_standing_order(change, loaded, seat, kind, lines)


def put_standing_order(
    change: Change,
    loaded: LoadedMatch,
    seat: Seat,
    kind: Kind,
    lines: Sequence[str],
    hold: Hold | None = None,
) -> None:
    """Write a new standing order, in its seat's private chain too."""
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


def _replace(
    change: Change, loaded: LoadedMatch, policy: Policy, mine: Sequence[KeptStandingOrder]
) -> None:
    replaced = replaced_by(loaded.game, policy, [kept.standing for kept in mine])
    for kept in mine:
        if kept.standing in replaced:
            end_one(change, loaded, kept, private.REPLACED)


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


def _release(change: Change, loaded: LoadedMatch, kept: KeptStandingOrder) -> bool:
    """Let an order in advance act from now on; return whether it was held."""
    if kept.hold is None:
        return False
    standing, mine = kept.standing, kept_standing_orders(change.connection, loaded)
    if standing.kind == "policy":
        policy = loaded.game.parse_policy(standing.lines[0], LOG_LANGUAGE)
        others = (other for other in mine if other.standing.seat == standing.seat)
        _replace(change, loaded, policy, [other for other in others if other.id != kept.id])
    text = "\n".join(standing.lines)
    matches.set_standing_order(change.connection, kept.id, text, standing.kind)
    return True


def end_all_of_seat(change: Change, loaded: LoadedMatch, seat: Seat) -> None:
    """End all of a seat's orders in advance as it passes on."""
    for kept in kept_standing_orders(change.connection, loaded, seat):
        end_one(change, loaded, kept, private.CANCELLED)


def end_one(change: Change, loaded: LoadedMatch, kept: KeptStandingOrder, kind: str) -> None:
    """End a waiting standing order; ``kind`` is its entry in the private chain."""
    matches.end_standing_order(change.connection, kept.id, "cancelled", change.desk.now())
    if kept.standing.kind == "held":
        # While something was held its seat's clock was not looked at.
        matches.set_agenda(change.connection, loaded.row.id, change.desk.now())
        submissions.settle_held(change.connection, loaded.row.id, kept.standing.seat, "withdrawn")
    write_private(change, loaded, kept.standing.seat, kind, {"number": kept.standing.number})


def drop_all(change: Change, loaded: LoadedMatch, note: str) -> None:
    """End all standing orders of a match, each with a note."""
    for kept in kept_standing_orders(change.connection, loaded):
        given = kept.standing
        told: Document = {"number": given.number, "kind": given.kind, "lines": list(given.lines)}
        write_private(change, loaded, given.seat, private.NOTE, {**told, "note": note})
    submissions.settle_held(change.connection, loaded.row.id, None, "withdrawn")
    # Orders of seats that no player holds end without a note.
    matches.end_standing_orders(change.connection, loaded.row.id, "void", change.desk.now())


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
    acted = act_at_rest(loaded.live, [kept.standing for kept in waiting], moment, only)
    if acted is None:
        return None
    which = next(kept.id for kept in waiting if kept.standing is acted.standing)
    after = loaded
    if acted.done is not None and acted.done.logged:
        after = ledger.save_match(change, loaded, acted.done.match, acted.done.logged)
        after = credit.renew_time(change, after) if acted.done.anew else after
    if acted.state == "waiting":
        kind = "rest" if acted.standing.kind == "held" else acted.standing.kind
        matches.set_standing_order(change.connection, which, "\n".join(acted.left), kind)
    else:
        matches.end_standing_order(change.connection, which, acted.state, change.desk.now())
    if acted.standing.kind == "held":
        ledger.note_outcome(change.connection, loaded, acted)
    # Into its seat's private chain.
    seat, number = acted.standing.seat, acted.standing.number
    if acted.done is not None and acted.done.logged:
        # What the rules left no choice about was not this order's doing.
        orders = [entry.event for entry in acted.done.logged if entry.event.kind == ORDER]
        chosen = [order.order for order in orders if order.seat == seat and not order.forced]
        details: Document = {
            "number": number,
            "state": acted.state,
            "kind": acted.standing.kind,
            "lines": [line for line in chosen if line],
            "first": acted.done.logged[0].event.seq,
            "last": acted.done.logged[-1].event.seq,
        }
        write_private(change, after, seat, private.PLAYED, details)
    for note in acted.notes:
        told: Document = {"number": number, **note.to_document()}
        write_private(change, after, seat, private.NOTE, told)
    for policy in acted.policies:
        line = after.game.format_policy(policy, LOG_LANGUAGE)
        keep_standing_order(change, after, seat, "policy", (line,))
    return after, acted


def _able(
    change: Change, loaded: LoadedMatch, before: datetime | None
) -> Sequence[KeptStandingOrder]:
    """Return those that may act: none of the seat to act whose orders for the turn are held.

    Nor any of a player of whom an unread letter is known, which may withdraw them.
    """
    waiting = kept_standing_orders(change.connection, loaded)
    unread = stoppages.unfetched_from(change) if waiting else ()
    if any(seat.player_id in unread for seat in loaded.seats if seat.seat == loaded.live.to_act):
        return ()
    for kept in waiting:
        if kept.standing.kind != "held" and kept.hold and _is_ripe(change, kept.hold, before):
            _release(change, loaded, kept)
    able: list[KeptStandingOrder] = []
    blocked = False
    for kept in kept_standing_orders(change.connection, loaded):
        ripe = kept.hold is None or _is_ripe(change, kept.hold, before)
        acts = kept.standing.seat == loaded.live.to_act
        blocked = blocked or (acts and not ripe and kept.standing.kind == "held")
        if ripe or not acts:
            able.append(kept)
    # What waited behind held orders must not take their place.
    return [kept for kept in able if not blocked or kept.standing.seat != loaded.live.to_act]


def _is_ripe(change: Change, hold: Hold, before: datetime | None) -> bool:
    """Return whether the moment has passed; until a yes it never does."""
    until = hold.until
    return until is not None and bool(
        (before and until < before) or health.is_settled(change, until)
    )


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
    for kind in (private.NOTE, private.PLAYED):
        latest = entries_of(connection, loaded, seat, kind)
        news += [
            (entry.seq, {"note": kind, **entry.details})
            for entry in takewhile(lambda entry: entry.board >= since, latest)
            if kind == private.NOTE or entry.details.get("lines")
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
