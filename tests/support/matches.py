"""Matches of the test game, begun and played out in a way that never changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from referee.games import registry
from referee.games.game import AnyGame, Document, Order
from referee.games.play import canonical_json
from referee.matches import croupier, record
from referee.matches.events import Event
from referee.matches.log import AnyMatch, Logged, open_log
from referee.matches.match import new_match, submit
from referee.matches.replay import walk_events
from referee.matches.terms import Terms

GAME = registry.find_installed("pebbles", 1)
SEED = bytes(range(32))
STARTED = "2026-11-20T10:00:00Z"
ARRIVAL = "2026-11-21T08:30:15Z"
WHY: Document = {"by": "organiser", "why": "ab" * 32}


def terms(seats: tuple[str, ...] = ("red", "blue"), **changes: Any) -> Terms:
    """Return terms of a match, on a small board that keeps records short."""
    values: dict[str, Any] = {
        "match": "pebbles-7",
        "game": GAME.name,
        "edition": GAME.edition,
        "board": {"rows": 2, "columns": 5},
        "seats": seats,
        "options": {"hand": 2},
        "commitment": croupier.commitment(SEED),
        "practice": False,
        "words": {},
        "started": STARTED,
    }
    return Terms(**{**values, **changes})


def orders(*lines: str) -> list[Order]:
    """Return lines as orders of the test game."""
    return [GAME.parse(line, "en") for line in lines]


def any_order(match: AnyMatch, rng: Random) -> Order:
    """Return some legal order."""
    legal = GAME.orders(match.position)
    return legal[rng.randrange(len(legal))]


def played(
    given: Terms, choice: int = 1, most: int = 100, seed: bytes = SEED
) -> tuple[AnyMatch, list[Logged]]:
    """Return a match played at random, one order a submission, and all that was logged."""
    rng = Random(choice)
    match, logged = new_match(GAME, given, seed)
    log = list(logged)
    for _ in range(most):
        if match.turn.over:
            break
        done = submit(match, str(match.turn.seat), [any_order(match, rng)], ARRIVAL)
        assert done.refusal is None
        match = done.match
        log += done.logged
    return match, log


def events(log: Sequence[Logged]) -> list[Event]:
    """Return the events of what was logged."""
    return [each.event for each in log]


def walked(
    game: AnyGame, given: Terms, seed: bytes, log: Sequence[Event], *, check: bool = True
) -> AnyMatch:
    """Return the match its log leads to, with everything recomputed and compared on the way."""
    match = open_log(game, given, seed)
    for after, _ in walk_events(match, log, check=check):
        match = after
    return match


def exported(match: AnyMatch, log: Sequence[Logged]) -> list[str]:
    """Return the lines of a finished match's record."""
    assert match.result is not None
    return list(record.record_lines(match.terms, events(log), match.seed, match.result))


def forged(lines: Sequence[str], change: Callable[[list[Document]], None]) -> list[str]:
    """Return a record changed by somebody who also mends every hash and the seal."""
    documents = [json.loads(line) for line in lines]
    change(documents)
    head = sha256(canonical_json(documents[0]).encode()).hexdigest()
    for document in documents[1:-1]:
        document["previous"] = head
        del document["hash"]
        head = sha256(canonical_json(document).encode()).hexdigest()
        document["hash"] = head
    before = "".join(f"{canonical_json(each)}\n" for each in documents[:-1])
    documents[-1]["seal"] = sha256(before.encode()).hexdigest()
    return [canonical_json(each) for each in documents]
