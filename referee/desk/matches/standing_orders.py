"""Standing orders: kept, dropped, acted on when a match rests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import takewhile
from typing import Final, TypeAlias

from sqlalchemy import Connection

from referee.desk import desk as desk_desk
from referee.desk.desk import Change
from referee.desk.matches import ledger
from referee.desk.matches.ledger import Sitting
from referee.games.game import AnyGame, Document, Seat, Unreadable
from referee.games.policies import Policy
from referee.matches import private
from referee.matches.events import ORDER, SEAT, Event
from referee.matches.log import LOG_LANGUAGE
from referee.matches.standing_orders import (
    Acted,
    Entry,
    Kind,
    Standing,
    act,
    replaced_by,
    write_line,
)
from referee.render.mails import Outcome
from referee.store.play import matches
from referee.store.play.logs import PrivateEventRow

MOST_QUEUED: Final = 100
"""Orders that a seat's queues may hold together."""


@dataclass(frozen=True, slots=True)
class Queue:
    """Orders to be played as soon as the seat's turn comes."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Cancel:
    """Standing orders to take back, by number; without numbers all.

    ``orders``: only those that wait to be played; policies stay.
    """

    numbers: tuple[int, ...] = ()
    orders: bool = False


Given: TypeAlias = Queue | Cancel | Policy
"""Anything a line can order in advance."""


def lines_of(game: AnyGame, given: Given, language: str) -> tuple[str, ...]:
    """Return orders in advance as lines; empty for a cancellation."""
    if isinstance(given, Queue):
        return tuple(write_line(game, each, language) for each in given.entries)
    return () if isinstance(given, Cancel) else (game.format_policy(given, language),)


def key_of(game: AnyGame, given: Given) -> str:
    """Return orders in advance as one text, equal for equal meaning."""
    if isinstance(given, Cancel):
        return " ".join(("withdraw" if given.orders else "cancel", *map(str, given.numbers)))
    kind = "queue" if isinstance(given, Queue) else "policy"
    return f"{kind} {'; '.join(lines_of(game, given, 'en'))}"


DAY: Final = timedelta(days=1)

MOST_WAITING: Final = 40
"""Orders in advance of one seat that wait at once; a queue counts as one."""

MOST_A_DAY: Final = 100
"""Orders in advance that a seat may give in its match in a day."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A standing order that waits, with the id of its row."""

    id: int
    standing: Standing


def kept(connection: Connection, sitting: Sitting, seat: Seat | None = None) -> list[Kept]:
    """Return the waiting standing orders of a match or one seat.

    Only seats that players hold have any.
    """
    players = {each.seat for each in sitting.seats if each.holder == "player"}
    return [
        Kept(row.id, Standing(row.number, row.seat, row.kind, tuple(row.text.splitlines())))
        for row in matches.standing(connection, sitting.row.id, seat)
        if row.seat in players
    ]


def _held_since(connection: Connection, sitting: Sitting, seat: Seat) -> int:
    """Return the event that gave a seat to its holder, else 0.

    Orders of earlier holders are not theirs: a new holder's numbers begin with 1.
    """
    event = None
    if _handed_on(sitting, seat):
        event = matches.latest_event(connection, sitting.row.id, SEAT, seat)
    return 0 if event is None else event.seq


def _handed_on(sitting: Sitting, seat: Seat) -> int:
    return max((each.handed_on for each in sitting.seats if each.seat == seat), default=0)


def take(change: Change, sitting: Sitting, seat: Seat, given: Given) -> Outcome | Unreadable:
    """Keep or cancel a letter's orders in advance; return the outcome.

    ``noted``; ``known`` if the very same wait already; ``cancelled``, or ``nothing`` if there was
    nothing to cancel. An Unreadable names the limit they exceed: then nothing is kept.
    """
    if isinstance(given, Cancel):
        return _cancel(change, sitting, seat, given)
    kind: Kind = "queue" if isinstance(given, Queue) else "policy"
    lines = lines_of(sitting.game, given, LOG_LANGUAGE)
    mine = kept(change.connection, sitting, seat)
    # Letters are sent twice now and then; that must not fill the queue.
    if _is_known(mine, kind, lines):
        return "known"
    beyond = _beyond(change, sitting, seat, given, mine)
    if beyond is not None:
        return beyond
    keep(change, sitting, seat, kind, lines)
    return "noted"


def _beyond(
    change: Change,
    sitting: Sitting,
    seat: Seat,
    given: Queue | Policy,
    mine: Sequence[Kept],
) -> Unreadable | None:
    """Return the limit one more order in advance would exceed, if any.

    Every step of a match looks at all that waits in it: no seat may hold up the others.
    """
    row = sitting.row.id
    earlier = matches.latest_standing(change.connection, row, seat, back=MOST_A_DAY - 1)
    if earlier is not None and earlier.created > change.desk.now() - DAY:
        return Unreadable("many-a-day", most=MOST_A_DAY)
    waiting = [each.standing for each in mine]
    if isinstance(given, Queue):
        queued = sum(len(each.lines) for each in waiting if each.kind == "queue")
        if queued + len(given.entries) > MOST_QUEUED:
            return Unreadable("many-queued", most=MOST_QUEUED)
        replaced = 0
    else:
        replaced = len(replaced_by(sitting.game, given, waiting))
    if len(waiting) - replaced >= MOST_WAITING:
        return Unreadable("many-waiting", most=MOST_WAITING)
    return None


def _is_known(mine: Sequence[Kept], kind: Kind, lines: Sequence[str]) -> bool:
    return any((each.standing.kind, each.standing.lines) == (kind, tuple(lines)) for each in mine)


def keep(
    change: Change,
    sitting: Sitting,
    seat: Seat,
    kind: Kind,
    lines: Sequence[str],
) -> bool:
    """Keep a standing order; return whether it is new.

    A policy takes the place of those on its topic.
    """
    mine = kept(change.connection, sitting, seat)
    if _is_known(mine, kind, lines):
        return False
    if kind == "policy":
        policy = sitting.game.parse_policy(lines[0], LOG_LANGUAGE)
        _replace(change, sitting, policy, mine)
    row = matches.add_standing(
        change.connection,
        sitting.row.id,
        seat,
        kind,
        "\n".join(lines),
        change.desk.now(),
        handed_on=_handed_on(sitting, seat),
    )
    details: Document = {"number": row.number, "kind": kind, "lines": list(lines)}
    write_private(change, sitting, seat, private.GIVEN, details)
    return True


def _replace(change: Change, sitting: Sitting, policy: Policy, mine: Sequence[Kept]) -> None:
    replaced = replaced_by(sitting.game, policy, [each.standing for each in mine])
    for each in mine:
        if each.standing in replaced:
            _end(change, sitting, each, private.REPLACED)


def _cancel(change: Change, sitting: Sitting, seat: Seat, cancel: Cancel) -> Outcome:
    meant = [
        each
        for each in kept(change.connection, sitting, seat)
        if (not cancel.numbers or each.standing.number in cancel.numbers)
        and not (cancel.orders and each.standing.kind == "policy")
    ]
    for each in meant:
        _end(change, sitting, each, private.CANCELLED)
    return "cancelled" if meant else "nothing"


def end_all(change: Change, sitting: Sitting, seat: Seat) -> int:
    """End all of a seat's orders in advance, and count them.

    So it is when the seat passes on.
    """
    waiting = kept(change.connection, sitting, seat)
    for each in waiting:
        _end(change, sitting, each, private.CANCELLED)
    return len(waiting)


def _end(change: Change, sitting: Sitting, each: Kept, kind: str) -> None:
    matches.end_standing(change.connection, each.id, "cancelled", change.desk.now())
    details: Document = {"number": each.standing.number}
    write_private(change, sitting, each.standing.seat, kind, details)


def drop_all(change: Change, sitting: Sitting, note: str) -> None:
    """End all standing orders of a match, each with a note."""
    for each in kept(change.connection, sitting):
        matches.end_standing(change.connection, each.id, "void", change.desk.now())
        given = each.standing
        told: Document = {"number": given.number, "note": note, "kind": given.kind}
        details: Document = {**told, "lines": list(given.lines)}
        write_private(change, sitting, given.seat, private.NOTE, details)
    # Orders of seats that no player holds end without a note.
    matches.end_all_standing(change.connection, sitting.row.id, "void", change.desk.now())


def act_once(
    change: Change, sitting: Sitting, moment: str, only: Seat | None = None
) -> tuple[Sitting, Acted] | None:
    """Let standing orders do one thing now; None if there is none.

    Orders are logged with ``moment`` (RFC 3339, UTC), as if they came then.
    """
    waiting = kept(change.connection, sitting)
    acted = act(sitting.live, [each.standing for each in waiting], moment, only)
    if acted is None:
        return None
    which = next(each.id for each in waiting if each.standing is acted.standing)
    after = sitting
    if acted.done is not None and acted.done.logged:
        after = ledger.save(change, sitting, acted.done.match, acted.done.logged)
    if acted.state == "waiting":
        matches.set_standing(change.connection, which, "\n".join(acted.left))
    else:
        matches.end_standing(change.connection, which, acted.state, change.desk.now())
    _write_down(change, after, acted)
    return after, acted


def _write_down(change: Change, sitting: Sitting, acted: Acted) -> None:
    """Write a standing order's act into its seat's private chain."""
    seat, number = acted.standing.seat, acted.standing.number
    logged = acted.done.logged if acted.done else ()
    if logged:
        events: Document = {"first": logged[0].event.seq, "last": logged[-1].event.seq}
        details: Document = {
            "number": number,
            "state": acted.state,
            "kind": acted.standing.kind,
            "lines": [line for each in logged if (line := _chosen(each.event, seat))],
            **events,
        }
        write_private(change, sitting, seat, private.PLAYED, details)
    for note in acted.notes:
        told: Document = {"number": number, **note.to_document()}
        write_private(change, sitting, seat, private.NOTE, told)
    for policy in acted.policies:
        line = sitting.game.format_policy(policy, LOG_LANGUAGE)
        keep(change, sitting, seat, "policy", (line,))


def _chosen(event: Event, seat: Seat) -> str | None:
    """Return the order a seat chose freely by an event, if any."""
    mine = event.kind == ORDER and event.seat == seat and not event.forced
    return event.order if mine else None


def notes_since(connection: Connection, sitting: Sitting, seat: Seat, board: int) -> list[Document]:
    """Return the news for a seat since a board event."""
    since = max(board + 1, _held_since(connection, sitting, seat))
    found: list[tuple[int, Document]] = []
    for kind in (private.NOTE, private.PLAYED):
        latest = entries_of(connection, sitting, seat, kind)
        found += [
            (each.seq, {"note": kind, **each.details})
            for each in takewhile(lambda each: each.board >= since, latest)
            if kind == private.NOTE or each.details.get("lines")
        ]
    return [details for _, details in sorted(found, key=lambda pair: pair[0])]


def entries_of(
    connection: Connection, sitting: Sitting, seat: Seat, kind: str
) -> Iterator[private.Entry]:
    """Yield a seat's private entries of one kind, the latest first."""
    for row in matches.latest_private(connection, sitting.row.id, seat, kind):
        yield _entry(row)


def _entry(row: PrivateEventRow) -> private.Entry:
    return private.Entry.from_document(json.loads(row.body))


def write_private(
    change: Change,
    sitting: Sitting,
    seat: Seat,
    kind: str,
    details: Document,
) -> None:
    """Write the next entry of a seat's private chain."""
    last = matches.last_private(change.connection, sitting.row.id, seat)
    before = None if last is None else _entry(last)
    moment = desk_desk.stamp(change.desk.now())
    entry = private.append(sitting.live, before, kind, seat, moment, details)
    row = PrivateEventRow(seat, entry.seq, entry.kind, entry.line, entry.hash, change.desk.now())
    matches.append_private(change.connection, sitting.row.id, [row])
