"""How a match comes back from its log, trusting and checking it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.matches import ARRIVAL, GAME, SEED, events, orders, played, terms, walked

from referee.games.game import Result
from referee.matches.events import BrokenLog, Event, seal
from referee.matches.log import AnyMatch, Logged, annotate, conclude, open_log
from referee.matches.match import new_match, submit
from referee.matches.replay import restore_match, walk_events
from referee.value import replace

pytestmark = pytest.mark.fast

THREE = ("red", "blue", "green")


def _stages(choice: int) -> list[tuple[AnyMatch, list[Logged]]]:
    """Return a random match at every rest, with its log until then."""
    given = terms(THREE)
    return [played(given, choice, most) for most in range(30)]


@pytest.mark.parametrize("choice", range(4))
@pytest.mark.parametrize("check", [False, True])
def test_restored_match_equals_the_one_played(choice: int, check: bool) -> None:
    """At every rest the log alone gives the same match: position, head, draws and turn."""
    for match, log in _stages(choice):
        assert walked(GAME, match.terms, SEED, events(log), check=check) == match
        assert restore_match(GAME, match.terms, SEED, events(log)) == match


def test_ended_match_is_restored() -> None:
    match, log = played(terms(), most=3)
    result = Result("stopped", dict(GAME.points(match.position)), {"red": 1, "blue": 1})
    ended, last = conclude(match, result, ARRIVAL)
    after, note = annotate(ended, "notice", ARRIVAL, details={"text": "aa"})
    log = [*log, last, note]
    assert restore_match(GAME, match.terms, SEED, events(log)) == after
    assert walked(GAME, match.terms, SEED, events(log)) == after


def test_annotations_are_replayed() -> None:
    """Pauses and notices between orders stand in the chain and change no turn."""
    match, logged = new_match(GAME, terms(), SEED)
    log = list(logged)
    for kind in ("pause", "resume", "extend", "seat", "notice"):
        match, note = annotate(match, kind, ARRIVAL, seat="red", details={"hours": 3})
        log.append(note)
    done = submit(match, "red", orders("pass"), ARRIVAL)
    log += done.logged
    assert restore_match(GAME, match.terms, SEED, events(log)) == done.match
    assert walked(GAME, match.terms, SEED, events(log)) == done.match


@pytest.mark.parametrize("check", [False, True])
def test_walking_gives_each_event_with_its_facts(check: bool) -> None:
    """After each event of its log the match comes, and what the event told when it was played."""
    match, log = played(terms(THREE))
    start = open_log(GAME, match.terms, SEED)
    steps = list(walk_events(start, events(log), check=check))
    assert [logged for _, logged in steps] == log
    for seq, (after, _) in enumerate(steps, start=1):
        assert after == restore_match(GAME, match.terms, SEED, events(log[:seq]))


@pytest.mark.parametrize("kind", ["words", "dance"])
@pytest.mark.parametrize("check", [False, True])
def test_kind_that_cannot_be_replayed_is_named(kind: str, check: bool) -> None:
    match, log = played(terms(), most=2)
    event = seal(Event(match.seq + 1, kind, 1, None, None, False, ARRIVAL, None, match.head, ""))
    with pytest.raises(BrokenLog, match=f"event {event.seq}: .*'{kind}' cannot be replayed"):
        walked(GAME, match.terms, SEED, [*events(log), event], check=check)


CHANGES: dict[str, Callable[[Event], Event]] = {
    "order": lambda e: replace(e, order="pass" if e.order != "pass" else "put 1 A1"),
    "unreadable": lambda e: replace(e, order="dance"),
    "spelling": lambda e: replace(e, order=f"  {e.order}"),
    "seat": lambda e: replace(e, seat="blue" if e.seat == "red" else "red"),
    "turn": lambda e: replace(e, turn=e.turn + 1),
    "forced": lambda e: replace(e, forced=not e.forced),
    "digest": lambda e: replace(e, digest="0" * 64),
    "salt": lambda e: replace(e, salt="0" * 32),
    "previous": lambda e: replace(e, previous="0" * 64),
    "seq": lambda e: replace(e, seq=e.seq + 1),
    "kind": lambda e: replace(e, kind="notice"),
    "details": lambda e: replace(e, details={"a": 1}),
    "arrival": lambda e: replace(e, arrival="yesterday"),
    "hash": lambda e: replace(e, hash="0" * 64),
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_checking_names_the_changed_event(name: str) -> None:
    """Whatever is changed in an event, even with its hash mended, is found at that event."""
    match, log = played(terms())
    good = events(log)
    for index, event in enumerate(good):
        changed = CHANGES[name](event)
        if name != "hash":
            changed = seal(changed)
        with pytest.raises(BrokenLog) as caught:
            walked(GAME, match.terms, SEED, [*good[:index], changed])
        assert caught.value.seq == changed.seq


def test_checking_finds_another_outcome_of_chance() -> None:
    """A draw that took what the croupier did not is named with what was expected."""
    match, log = played(terms())
    event = log[2].event
    assert event.draw is not None
    other = next(text for text, _ in event.draw.outcomes if text != event.order)
    changed = seal(replace(event, order=other))
    with pytest.raises(BrokenLog, match=f'order is "{other}", expected "{event.order}"'):
        walked(GAME, match.terms, SEED, [*events(log[:2]), changed])


def test_checking_finds_other_weights() -> None:
    """Outcomes or weights that are not the game's are named."""
    match, log = played(terms())
    event = log[0].event
    assert event.draw is not None
    heavier = tuple((text, weight + 1) for text, weight in event.draw.outcomes)
    changed = seal(replace(event, draw=replace(event.draw, outcomes=heavier)))
    with pytest.raises(BrokenLog, match="draw is"):
        walked(GAME, match.terms, SEED, [changed])


def test_checking_finds_an_order_where_chance_acts() -> None:
    """An order in the place of a draw is refused, and a draw in the place of an order."""
    match, log = played(terms())
    order = next(each.event for each in log if each.event.kind == "order")
    early = seal(replace(order, seq=1, previous=match.terms.header_hash()))
    with pytest.raises(BrokenLog, match="expected one of chance"):
        walked(GAME, match.terms, SEED, [early])
    ready = order.seq - 1
    late = seal(replace(log[0].event, seq=order.seq, previous=log[ready - 1].event.hash))
    with pytest.raises(BrokenLog, match="chance does not act here, but red"):
        walked(GAME, match.terms, SEED, [*events(log[:ready]), late])


def test_checking_finds_an_illegal_order() -> None:
    """An order that the rules refuse is named with the rule."""
    match, log = played(terms())
    index = next(i for i, each in enumerate(log) if each.event.kind == "order")
    changed = seal(replace(log[index].event, order="put 9 A1"))
    with pytest.raises(BrokenLog, match="not legal here: not-held Pebbles 2"):
        walked(GAME, match.terms, SEED, [*events(log[:index]), changed])


def test_checking_finds_events_after_the_end() -> None:
    """Nobody acts in a match that is over."""
    match, log = played(terms())
    extra = seal(replace(log[-1].event, seq=match.seq + 1, previous=match.head))
    with pytest.raises(BrokenLog, match="nobody"):
        walked(GAME, match.terms, SEED, [*events(log), extra])


def test_checking_finds_a_match_begun_with_another_seed() -> None:
    """With another seed the first salt or draw differs."""
    match, log = played(terms())
    with pytest.raises(BrokenLog, match="event 1"):
        walked(GAME, match.terms, b"x" * 32, events(log))


def test_unchecked_replay_needs_readable_orders_only() -> None:
    """Our own log is believed; what cannot be read is still named."""
    match, log = played(terms())
    changed = replace(log[2].event, order="dance")
    with pytest.raises(BrokenLog, match="event 3: the order 'dance' cannot be read"):
        restore_match(GAME, match.terms, SEED, [*events(log[:2]), changed])


def test_random_helper_reaches_every_kind_of_order() -> None:
    """The random matches of these tests hold puts, peeks, passes, draws and forced orders."""
    words: set[str] = set()
    forced = 0
    for choice in range(12):
        _, log = played(terms(THREE, options={"hand": 3}), choice)
        words |= {str(each.event.order).split()[0] for each in log}
        forced += sum(each.event.forced for each in log)
    assert words == {"put", "peek", "pass", "draw"}
    assert forced
