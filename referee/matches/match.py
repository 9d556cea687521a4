"""The course of a match: its beginning, submissions, and previews of orders."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from itertools import product
from typing import Any, Final

from referee.games.game import CHANCE, AnyGame, BadDocument, Order, Refusal, Seat, View
from referee.games.play import judge, nearest, waits
from referee.matches.log import AnyMatch, Logged, open_log, play_chance, play_order
from referee.matches.terms import Terms
from referee.value import Value, replace

GAME_OVER: Final = "game-over"
"""The refusal of an order after the match's end."""

TURN_PASSED: Final = "turn-passed"
"""The refusal of orders left after the turn passed on."""

NO_SUCH: Final = "no-such-"
"""The beginning of a game's codes for orders that name what a match does not have."""


class Submitted(Value):
    """The outcome of a submission.

    ``accepted`` orders of those given were played; ``at`` is the index of the order refused. The
    last ``waiting`` orders are neither: the seat's turn is interrupted, they wait until it goes on.
    All events stand in ``logged``, those of chance and of the forced orders that followed included.
    ``anew``: a turn of the game ended or began within that of the match.
    """

    match: AnyMatch
    logged: tuple[Logged, ...]
    accepted: int
    refusal: Refusal | None
    at: int | None
    waiting: int = 0
    anew: bool = False


class Previewed(Value):
    """A preview of a seat's orders, limited to its knowledge; nothing is played.

    ``accepted`` orders could be tried, ``view`` is the seat's view after them. ``stopped``: the
    next step, chance or news to the seat, is not told. ``at`` is the index of the order refused.
    ``behind`` is the refusal of the orders that are left, if the match is over before them, or it
    is another seat's turn, as everybody can see. ``news``: the order behind the accepted ones may
    be given, but what it tells its seat is not told before.
    """

    view: View
    accepted: int
    refusal: Refusal | None
    at: int | None
    stopped: bool
    behind: Refusal | None = None
    news: bool = False


def new_match(game: AnyGame, terms: Terms, seed: bytes) -> tuple[AnyMatch, tuple[Logged, ...]]:
    """Return a new match at its first rest, with the set-up's draws and forced orders as events.

    Raises ValueError when the terms do not fit the game.
    """
    return settle_match(open_log(game, terms, seed), terms.started)


def settle_match(match: AnyMatch, moment: str) -> tuple[AnyMatch, tuple[Logged, ...]]:
    """Play chance and forced orders until a free choice or the end.

    ``moment``, RFC 3339 in UTC, is the arrival forced orders are logged with.
    """
    logged: list[Logged] = []
    while (actor := match.to_act) is not None:
        if actor == CHANCE:
            match, entry = play_chance(match)
        else:
            order = match.game.forced(match.position)
            if order is None:
                break
            match, entry = play_order(match, order, moment, forced=True)
        logged.append(entry)
    return match, tuple(logged)


def submit(match: AnyMatch, seat: Seat, orders: Sequence[Order], arrival: str) -> Submitted:
    """Play a seat's orders group by group while its turn lasts.

    Chance acts between the groups; a group stands or falls together. Forced orders are played after
    the last order, so that players may write them themselves. The orders left when the turn is
    interrupted wait. ``arrival`` is RFC 3339 in UTC.
    """
    turn, logged, rest = match.turn, list[Logged](), tuple(orders)
    refusal, at, waiting, stages = None, None, 0, [match]
    while rest:
        # Only after a first order: one that begins a letter is judged, not kept waiting.
        if logged and waits(match.game, match.position, seat, rest[0]):
            if _is_between_turns(match):
                # Meant for the turn that has ended, not for the next one.
                refusal, at = Refusal(TURN_PASSED, "", {"seat": None}), 0
                break
            for number, order in enumerate(rest):
                if refusal := match.game.never(match.position, order):
                    at = number
                    break
            # If a single order waits in vain, its writer must hear of it now, not after the
            # answers.
            waiting = 0 if refusal else len(rest)
            break
        # Checked for each group: chance in between may have passed the turn on or ended the match.
        at = 0
        if match.turn.over:
            refusal = Refusal(GAME_OVER, "")
        elif match.turn != turn:
            refusal = Refusal(TURN_PASSED, "", {"seat": match.turn.seat})
        else:
            judged = judge(match.game, match.position, seat, rest)
            refusal, at = judged.refusal, judged.at
        if refusal is not None:
            break
        for order in judged.orders:
            match, entry = play_order(match, order, arrival)
            logged.append(entry)
            stages.append(match)
        rest = judged.rest
        if rest:
            # Chance, but no forced order, until another seat acts.
            while match.to_act == CHANCE:
                match, entry = play_chance(match)
                logged.append(entry)
            stages.append(match)
    accepted = len(orders) - len(rest)
    # Also after a refusal: earlier groups were played and may force further orders.
    match, settled = settle_match(match, arrival)
    return Submitted(
        match=match,
        logged=(*logged, *settled),
        accepted=accepted,
        refusal=refusal,
        # Counted from the first order given, as its writer counts.
        at=None if refusal is None else accepted + (at or 0),
        waiting=waiting,
        anew=begins_anew([*stages, match]),
    )


def begins_anew(stages: Sequence[AnyMatch]) -> bool:
    """Return whether the game's turn changed within a turn of the match.

    ``stages`` are the match before, in between and after.
    """
    between = {_is_between_turns(stage) for stage in stages}
    return stages[0].turn == stages[-1].turn and len(between) > 1


def _is_between_turns(match: AnyMatch) -> bool:
    """Return whether the seat to act is asked something between its turns."""
    game, seat = match.game, match.to_act
    asked = seat is not None and game.interrupted(match.position) == seat
    return asked and game.idle(match.position) is None


def preview(match: AnyMatch, seat: Seat, orders: Sequence[Order]) -> Previewed:
    """Try a seat's first group of orders, and tell only as much as the seat may know.

    Chance is never drawn, and the order that would tell the seat news is not played.
    """
    game, position = match.game, match.position
    if match.turn.over:
        refused = Refusal(GAME_OVER, "")
        return Previewed(game.view(position, seat), 0, refused, 0, stopped=False)
    judged = judge(game, position, seat, orders)
    accepted, told = 0, False
    for order in judged.orders:
        after, facts = game.apply(position, order)
        # Played, it would show a card before anything is at stake.
        told = any(fact.news and fact.known_to(seat) for fact in facts)
        if told:
            break
        position, accepted = after, accepted + 1
    actor, behind = game.to_act(position), None
    stopped = told or bool(judged.rest) or (accepted > 0 and actor == CHANCE)
    if judged.rest and actor is None:
        behind = Refusal(GAME_OVER, "")
    # Another seat may have to act before the orders that are left.
    elif judged.rest and not told and actor not in {seat, CHANCE}:
        waiting = waits(game, position, seat, judged.rest[0])
        behind = None if waiting else Refusal(TURN_PASSED, "", {"seat": actor})
    view = game.view(position, seat)
    return Previewed(view, accepted, judged.refusal, judged.at, stopped, behind, told)


def preview_ahead(match: AnyMatch, seat: Seat, orders: Sequence[Order]) -> Previewed | None:
    """Try a seat's orders as if it were its turn now.

    None if the position says no such thing: while chance or an interrupted turn comes first.
    """
    position = None if match.to_act == seat else _position_of(match, seat)
    if position is None:
        return None
    return preview(dataclasses.replace(match, position=position), seat, orders)


def never_legal(match: AnyMatch, seat: Seat, orders: Sequence[Order]) -> Refusal | None:
    """Return the refusal of the first order that names what the match does not have.

    The order is judged as if it were the seat's turn, so this tells no more than a preview. None as
    well where the position does not say.
    """
    position = _position_of(match, seat)
    for order in orders if position is not None else ():
        refused = match.game.refusal(position, order)
        if refused is not None and refused.code.startswith(NO_SUCH):
            legal = match.game.orders(position) if match.to_act == seat else ()
            return replace(refused, legal=nearest(order, legal))
    return None


def _position_of(match: AnyMatch, seat: Seat) -> Any:
    """Return the position with a seat to act, or None.

    Its document is changed to name that seat, and loaded. What the turn in progress has done, and
    whatever the game then says does not fit, fall to their defaults one after the other; that is
    done only with entries open to everybody, so that nothing hidden is made up.
    """
    game, position, actor = match.game, match.position, match.to_act
    if actor == seat:
        return position
    if actor in {CHANCE, None} or game.interrupted(position):
        return None
    document = game.dump(position)
    known = game.view(position, None).document
    begun = dict(document)
    # In some games it is a number, which goes on.
    if "turn" in known and isinstance(begun.get("turn"), dict):
        del begun["turn"]
    actors = [name for name, value in document.items() if value == actor]
    for named, before in product(actors, (begun, document)):
        changed = {**before, named: seat}
        for _ in document:
            try:
                turned = game.load(changed)
            except BadDocument as fault:
                wrong = re.split(r"[.\[]", fault.path.removeprefix("$."))[0]
                if wrong == named or wrong not in changed or wrong not in known:
                    break
                del changed[wrong]
            else:
                if game.to_act(turned) == seat:
                    return turned
                break
    return None
