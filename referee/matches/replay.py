"""How a match is played again from its log: trusting it, or recomputing everything it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from referee.games.game import CHANCE, AnyGame, Document, Order, Unreadable
from referee.games.play import canonical_json
from referee.matches.clock import parse_moment
from referee.matches.events import (
    ANNOTATIONS,
    BOARD_KINDS,
    CHANCE_EVENT,
    END,
    ORDER,
    BrokenLog,
    Event,
)
from referee.matches.log import (
    LOG_LANGUAGE,
    AnyMatch,
    Logged,
    Turn,
    annotate,
    conclude,
    opened,
    play_chance,
    play_order,
    result_from_document,
    turn_after,
)
from referee.matches.terms import Terms

CHECKED_LAST: Final = ("digest", "hash")
"""Differences named after others, because they follow from them."""


def restore(
    game: AnyGame,
    terms: Terms,
    seed: bytes,
    events: Iterable[Event | Mapping[str, Any]],
    snapshot: tuple[int, Document] | None = None,
    *,
    check: bool = False,
) -> AnyMatch:
    """Return the match its complete log describes; events may be given as their documents.

    ``snapshot`` is the position after an event, as ``(seq, document)``; what came before it is
    not played again. With ``check`` everything is played and recomputed, and BrokenLog names the
    event that does not fit.
    """
    match, _ = retell(game, terms, seed, events, snapshot=snapshot, check=check)
    return match


def retell(
    game: AnyGame,
    terms: Terms,
    seed: bytes,
    events: Iterable[Event | Mapping[str, Any]],
    *,
    after: int | None = None,
    snapshot: tuple[int, Document] | None = None,
    check: bool = False,
) -> tuple[AnyMatch, tuple[Logged, ...]]:
    """Return the match as ``restore`` does, and the events after a seq with what happened by them.

    A snapshot later than ``after`` cannot tell and is not used. None: nothing is told.
    """
    log = [each if isinstance(each, Event) else Event.from_document(each) for each in events]
    match = opened(game, terms, seed)
    if snapshot is not None and not check and (after is None or snapshot[0] <= after):
        match = _resumed(match, log, *snapshot)
    told: list[Logged] = []
    for now, logged in walk(match, log[match.seq :], check=check):
        match = now
        if after is not None and logged.event.seq > after:
            told.append(logged)
    return match, tuple(told)


def walk(
    match: AnyMatch, events: Iterable[Event], *, check: bool = False
) -> Iterator[tuple[AnyMatch, Logged]]:
    """Yield the match after each further event, with what happened by it.

    ``check``: every event is played as if it were new and compared. Raises BrokenLog.
    """
    follow = checked if check else trusted
    for event in events:
        match, logged = follow(match, event)
        yield match, logged


def snapshot(match: AnyMatch) -> tuple[int, Document]:
    """Return the position for ``restore``, which is spared the events before it."""
    return match.seq, match.game.dump(match.position)


def checked(match: AnyMatch, event: Event) -> tuple[AnyMatch, Logged]:
    """Play an event of a log as if it were new and compare all of it, hash, draw and salt included.

    Raises BrokenLog naming the first difference and what was expected.
    """
    if event.seq != match.seq + 1:
        raise BrokenLog(event.seq, f"seq is {event.seq}, expected {match.seq + 1}")
    if event.previous != match.head:
        raise BrokenLog(event.seq, f"previous is {event.previous}, expected {match.head}")
    if event.kind == CHANCE_EVENT:
        after, logged = _drawn_again(match, event)
    elif event.kind == ORDER:
        after, logged = _ordered_again(match, event)
    else:
        after, logged = _said_again(match, event)
    _compare(event, logged.event)
    return after, logged


def trusted(match: AnyMatch, event: Event) -> tuple[AnyMatch, Logged]:
    """Play an event of our own log without checking it. Raises BrokenLog when it cannot be."""
    if event.kind not in BOARD_KINDS:
        after, _ = _said_again(match, event)
        return replace(after, head=event.hash), Logged(event)
    order = _order_of(match, event)
    position, facts = match.game.apply(match.position, order)
    after = replace(
        match,
        position=position,
        seq=event.seq,
        head=event.hash,
        draws=match.draws + (event.draw is not None),
        turn=turn_after(match.turn, match.game.to_act(position), event.seq),
    )
    return after, Logged(event, facts)


def _drawn_again(match: AnyMatch, event: Event) -> tuple[AnyMatch, Logged]:
    if match.to_act != CHANCE:
        raise BrokenLog(event.seq, f"chance does not act here, but {match.to_act or 'nobody'}")
    return play_chance(match)


def _ordered_again(match: AnyMatch, event: Event) -> tuple[AnyMatch, Logged]:
    if match.to_act != event.seat or event.seat in (None, CHANCE):
        actor = match.to_act or "nobody"
        raise BrokenLog(event.seq, f"an order of {event.seat}, expected one of {actor}")
    order = _order_of(match, event)
    refused = match.game.refusal(match.position, order)
    if refused is not None:
        why = " ".join(filter(None, (refused.code, refused.rule)))
        raise BrokenLog(event.seq, f"the order {event.order!r} is not legal here: {why}")
    if event.forced and match.game.forced(match.position) != order:
        raise BrokenLog(event.seq, f"the order {event.order!r} was not forced")
    order = match.game.canonical(match.position, order)
    return play_order(match, order, _moment(event), forced=event.forced)


def _said_again(match: AnyMatch, event: Event) -> tuple[AnyMatch, Logged]:
    """Log an event again that is no order: an annotation or an end."""
    if event.kind in ANNOTATIONS:
        return annotate(match, event.kind, _moment(event), seat=event.seat, details=event.details)
    if event.kind != END:
        raise BrokenLog(event.seq, f"an event of kind {event.kind!r} cannot be replayed")
    try:
        result = result_from_document(event.details)
        return conclude(match, result, _moment(event), seat=event.seat)
    except ValueError as error:
        raise BrokenLog(event.seq, str(error)) from None


def _order_of(match: AnyMatch, event: Event) -> Order:
    try:
        return match.game.parse(event.order or "", LOG_LANGUAGE)
    except Unreadable as error:
        raise BrokenLog(
            event.seq, f"the order {event.order!r} cannot be read: {error.code}"
        ) from None


def _moment(event: Event) -> str:
    try:
        parse_moment(event.arrival or "")
    except ValueError as error:
        raise BrokenLog(event.seq, f"arrival: {error}") from None
    return event.arrival or ""


def _compare(found: Event, expected: Event) -> None:
    """Raise BrokenLog for the first field that differs, those first from which others follow."""
    if found.line == expected.line:
        return
    one, other = found.to_document(), expected.to_document()
    for name in sorted(one, key=lambda each: each in CHECKED_LAST):
        was, should = canonical_json(one[name]), canonical_json(other[name])
        if was != should:
            raise BrokenLog(found.seq, f"{name} is {was}, expected {should}")


def _resumed(match: AnyMatch, log: Sequence[Event], seq: int, document: Document) -> AnyMatch:
    """Return the match after event ``seq`` from its position, without playing what came before."""
    position = match.game.load(document)
    past = log[:seq]
    ended = [result_from_document(each.details) for each in past if each.kind == END]
    last = past[-1].hash if past else match.head
    resumed = replace(
        match,
        position=position,
        seq=seq,
        head=last,
        draws=sum(each.draw is not None for each in past),
        ended=ended[-1] if ended else None,
    )
    return replace(resumed, turn=_turn_now(resumed, past))


def _turn_now(match: AnyMatch, past: Sequence[Event]) -> Turn:
    """Return whose turn it is after events that were not played; a digest ends a turn."""
    closing = next((each for each in reversed(past) if each.digest is not None), None)
    next_seat = None if match.ended else match.game.to_act(match.position)
    if next_seat is None:
        return match.turn if closing is None else Turn(closing.turn, None, closing.seq, over=True)
    if closing is not None:
        began = Turn(closing.turn + 1, None, closing.seq, over=False)
    else:
        began = match.turn
    if next_seat != CHANCE:
        return replace(began, seat=next_seat)
    acted = [each.seat for each in past if each.kind == ORDER and each.turn == began.number]
    return replace(began, seat=acted[-1] if acted else None)
