"""What every game must keep, as functions that raise AssertionError when one does not.

They know no game; the suite calls them with registered games, and with games that leak on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from jsonschema import Draft202012Validator
from msgspec.structs import fields
from support.junk import mangled_documents, mutated, pool_of
from support.wordbook import Saying, catalogue

from referee import resources
from referee.games.documents import order_from_json
from referee.games.game import (
    CHANCE,
    LANGUAGES,
    MOST_SUGGESTIONS,
    AnyGame,
    BadDocument,
    Document,
    Fact,
    FileFormat,
    Order,
    Seat,
    Transcript,
    Unreadable,
)
from referee.games.play import (
    Judged,
    Step,
    canonical_json,
    complete_options,
    judge,
    position_digest,
    random_play,
    replay,
)
from referee.games.policies import Expired, Policy
from referee.value import replace


def order_to_json(order: Order) -> Document:
    """Return the JSON notation: ``{"order": "place", "spaces": ["D6", "D7"]}``.

    Fields that hold their default are left out.
    """
    document: Document = {"order": order.word}
    for field in fields(order):
        value = getattr(order, field.name)
        # One order has one notation, so a default is never written.
        if value != field.default:
            document[field.name] = list(value) if isinstance(value, tuple) else value
    return document


def validator(game: AnyGame, name: str) -> Draft202012Validator:
    """Return the validator of one of a game's schemas."""
    schema = json.loads(resources.game_resource(game, f"schemas/{name}.schema.json"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def possible(game: AnyGame, position: Any) -> list[Order]:
    """Return what whoever is to act may do, chance included."""
    if game.to_act(position) == CHANCE:
        return [order for order, _ in game.chance(position)]
    return list(game.orders(position))


def check_step(game: AnyGame, step: Step) -> None:
    """Check that a step was listed for who is to act and leaves its position alone."""
    position = step.position
    assert step.seat == game.to_act(position)
    listed = possible(game, position)
    assert step.order in listed
    assert listed == possible(game, position), "the sequence of orders is not stable"
    for language in LANGUAGES:
        texts = [game.format(order, language) for order in listed]
        assert len(texts) == len(set(texts)), "two orders have the same text"
    before = position_digest(game, position)
    again, facts = game.apply(position, step.order)
    assert (again, facts) == (step.after, step.facts), "playing twice differs"
    assert hash(again) == hash(step.after)
    assert before == position_digest(game, position), "a position was changed"
    check_position(game, step.after)
    check_pieces(game, position, step.after)


def check_pieces(game: AnyGame, before: Any, after: Any) -> None:
    """No order makes a piece of which the game says that they can leave it."""
    had, has = game.pieces(before), game.pieces(after)
    assert had.keys() == has.keys()
    assert all(has[name] <= number for name, number in had.items())


def check_chance(game: AnyGame, position: Any) -> None:
    """Check that outcomes of chance have positive whole weights and are sorted by text."""
    outcomes = game.chance(position)
    texts = [game.format(order, "en") for order, _ in outcomes]
    assert outcomes, "chance is to act but has nothing to do"
    assert texts == sorted(set(texts)), f"not sorted by text: {texts}"
    assert all(type(weight) is int and weight > 0 for _, weight in outcomes)


def check_canonical(game: AnyGame, position: Any) -> None:
    """Check that every listed order is canonical and is not refused."""
    for order in game.orders(position):
        assert order == game.canonical(position, order), f"{order} is not canonical"
        assert game.refusal(position, order) is None, f"{order} is listed but refused"


def check_position(game: AnyGame, position: Any) -> None:
    """Check that all pieces are conserved, and that there is a result exactly at the end."""
    assert list(game.check(game.dump(position))) == []
    actor, result = game.to_act(position), game.result(position)
    assert (actor is None) == (result is not None)
    if result is None:
        return
    seats = set(game.points(position))
    assert result.ending in game.endings
    assert dict(result.points) == dict(game.points(position))
    assert set(result.places) == seats
    assert min(result.places.values()) == 1
    assert game.forced(position) is None
    assert game.idle(position) is None


def check_replay(game: AnyGame, start: Any, orders: Sequence[Order], end: Any) -> None:
    """Check that the orders alone lead to the same position and digest, as text too."""
    assert replay(game, start, orders) == end
    texts = [game.parse(game.format(order, "en"), "en") for order in orders]
    reached = replay(game, game.load(json.loads(canonical_json(game.dump(start)))), texts)
    assert position_digest(game, reached) == position_digest(game, end)


def check_position_round_trip(
    game: AnyGame, position: Any, seats: Iterable[Seat], schema: Draft202012Validator
) -> None:
    """Check that a position survives its document, which fits the schema; views are JSON."""
    document = game.dump(position)
    read = json.loads(canonical_json(document))
    assert list(schema.iter_errors(read)) == []
    assert (read["game"], read["edition"]) == (game.name, game.edition)
    assert game.load(read) == position
    assert hash(game.load(read)) == hash(position)
    for seat in (*seats, None):
        view = game.view(position, seat)
        assert view.seat == seat
        assert json.loads(canonical_json(view.document)) == view.document


def check_file_round_trip(
    game: AnyGame, form: FileFormat, seats: tuple[Seat, ...], rng: Random
) -> None:
    """Check that a random game's file can be played, and comes to a game with the same file."""
    options = complete_options(game)
    board = game.board(seats, options, None, rng)
    steps = list(random_play(game, game.start(seats, options, board), rng))
    orders = tuple(game.format(step.order, "en") for step in steps)
    end = steps[-1].after
    told = Transcript(
        seats, options, orders, board, game.result(end), match=f"{game.name}-1",
        began="2026-11-20", ended="2026-11-21",
    )  # fmt: skip
    (read,) = form.read(form.write(told))
    assert (read.seats, complete_options(game, read.options)) == (seats, options)
    assert (read.result, told.result) == (None, None) or (
        read.result is not None
        and told.result is not None
        and read.result.places == told.result.places
    )
    position = game.start(seats, options, game.board(seats, options, read.board, rng))
    played = []
    for text in (*read.orders, ""):
        order = game.parse(text, "en") if text else None
        while listed := possible(game, position):
            if order and game.canonical(position, order) in listed:
                played.append(game.canonical(position, order))
                position, _ = game.apply(position, played[-1])
                break
            # A file need not tell what is forced, and may have no way to tell how it ended.
            if len(listed) > 1:
                assert order is None, f"{text} is none of {listed[:5]}"
                assert read.result is not None
                break
            played.append(listed[0])
            position, _ = game.apply(position, listed[0])
    texts = tuple(game.format(order, "en") for order in played)
    (again,) = form.read(form.write(replace(told, orders=texts)))
    assert again.orders == read.orders


def check_order_round_trip(game: AnyGame, order: Order, schema: Draft202012Validator) -> None:
    """Check that an order survives JSON, and text in every language read as any language."""
    document = order_to_json(order)
    assert list(schema.iter_errors(document)) == []
    assert order_from_json(game.order_types, json.loads(canonical_json(document))) == order
    for language in LANGUAGES:
        text = game.format(order, language)
        assert text == text.strip()
        assert "\n" not in text
        for reader in LANGUAGES:
            assert game.parse(text, reader) == order, f"{text!r} read as {reader!r}"
        # Capitals decide only between orders that nothing else tells apart: Bc3 and bc3.
        loud = game.format(game.parse(f"  {text.upper()}. ", language), language)
        assert loud.upper() == text.upper()


def check_refusal(game: AnyGame, position: Any, order: Order) -> None:
    """Check that an order is refused exactly when its canonical form is not listed."""
    listed = game.orders(position)
    refusal = game.refusal(position, order)
    allowed = game.canonical(position, order) in listed
    assert (refusal is None) == allowed, f"{order}: {refusal}, listed: {allowed}"
    if refusal is None:
        return
    assert refusal.code
    if "\n## 1" in resources.game_rules(game, resources.FALLBACK):
        assert refusal.rule, f"{refusal.code} cites no rule"
    assert len(refusal.legal) <= MOST_SUGGESTIONS
    assert set(refusal.legal) <= set(listed)
    canonical_json(dict(refusal.fields))


def check_junk_line(game: AnyGame, line: str) -> None:
    """Check that a line is an order that can be written again, or Unreadable."""
    for language in LANGUAGES:
        read = _read(game, line, language)
        if isinstance(read, Unreadable):
            assert read.code
            canonical_json(dict(read.fields))
        else:
            assert game.parse(game.format(read, language), language) == read


def _read(game: AnyGame, line: str, language: str) -> Order | Unreadable:
    try:
        return game.parse(line, language)
    except Unreadable as error:
        return error


def check_junk_documents(game: AnyGame, document: dict[str, Any]) -> None:
    """Check that a strange document is BadDocument to load, and a list of faults to check."""
    for each in mangled_documents(document):
        faults = game.check(each)
        assert all(fault.path and fault.message for fault in faults)
        assert faults or _loads(game, each), f"{each!r} cannot be loaded but has no fault"
        _loads(game, each)


def _loads(game: AnyGame, document: Any) -> bool:
    try:
        game.load(document)
    except BadDocument:
        return False
    return True


def check_scene(game: AnyGame, position: Any, seat: Seat | None) -> None:
    """Check that a scene's cells are on its board, each once, on a ground that has a colour."""
    scene = game.scene(game.view(position, seat))
    assert scene == game.scene(game.view(position, seat))
    places = [(cell.row, cell.column) for cell in scene.cells]
    assert len(places) == len(set(places)) == len({cell.space for cell in scene.cells})
    assert all(0 <= row < scene.rows and 0 <= column < scene.columns for row, column in places)
    for cell in scene.cells:
        assert len(cell.sign) == 1
        assert scene.palette[cell.ground].startswith("#")
        assert all(1 <= len(mark.letter) <= 2 for mark in cell.marks)


def candidates(game: AnyGame, position: Any, known: Sequence[Order], rng: Random) -> list[Order]:
    """Return some orders to try in a position: legal, from elsewhere in the game, and mutated."""
    legal = list(game.orders(position))
    sample = [rng.choice(legal) for _ in range(8)] + [rng.choice(known) for _ in range(8)]
    pool = pool_of([*known, *sample])
    return [*sample, *(mutated(each, pool, rng) for each in sample for _ in range(2))]


def check_nothing_leaks(
    game: AnyGame, position: Any, seat: Seat | None, known: Sequence[Order], rng: Random
) -> None:
    """Check that what a seat cannot know changes nothing that it is shown or told."""
    other = game.redeal(position, seat, rng)
    assert list(game.check(game.dump(other))) == [], "redeal loses pieces"
    view = game.view(position, seat)
    assert view == game.view(other, seat), "the view leaks"
    assert game.scene(view) == game.scene(game.view(other, seat))
    assert game.to_act(position) == game.to_act(other), "who acts leaks"
    assert game.result(position) == game.result(other), "the result leaks"
    # Which order it is will be seen at once, as nobody decides anything before.
    assert (game.forced(position) is None) is (game.forced(other) is None), "forced leaks"
    if seat is not None and seat == game.to_act(position):
        _check_orders_leak_not(game, position, other, candidates(game, position, known, rng))
        for orders in _submissions(game, position, seat, known, rng):
            check_judged_alike(game, position, other, seat, orders)
    _check_facts_leak_not(game, position, other, seat)


def _check_orders_leak_not(
    game: AnyGame, position: Any, other: Any, tried: Sequence[Order]
) -> None:
    assert list(game.orders(position)) == list(game.orders(other)), "the legal orders leak"
    assert game.idle(position) == game.idle(other), "idle leaks"
    for order in tried:
        assert game.refusal(position, order) == game.refusal(other, order), "a refusal leaks"
        assert game.canonical(position, order) == game.canonical(other, order), "canonical leaks"


def _submissions(
    game: AnyGame, position: Any, seat: Seat, known: Sequence[Order], rng: Random
) -> list[list[Order]]:
    """Return lists of orders for a seat: the legal ones as far as they go, and then anything."""
    found = []
    for _ in range(4):
        orders, reached = [], position
        while len(orders) < 4 and game.to_act(reached) == seat:
            orders.append(rng.choice(list(game.orders(reached))))
            reached = game.apply(reached, orders[-1])[0]
        found.append([*orders, rng.choice(known)])
        found.append([*orders[:1], *rng.choices(known, k=2)])
    return found


def check_judged_alike(
    game: AnyGame, position: Any, other: Any, seat: Seat, orders: Sequence[Order]
) -> None:
    """Check that the answer to a submission does not depend on what its seat does not know.

    Only news, which ends the group, may differ; so may what follows it in the same order.
    """
    one, two = judge(game, position, seat, orders), judge(game, other, seat, orders)
    assert _answer(one) == _answer(two), "the answer to a submission leaks"
    if not one.orders:
        return
    before = one.orders[:-1]
    earlier = judge(game, position, seat, before), judge(game, other, seat, before)
    assert _told(earlier[0].facts, seat) == _told(earlier[1].facts, seat), "facts leak"
    assert _has_news(one, seat) == _has_news(two, seat), "that there are news leaks"
    if not _has_news(one, seat):
        assert _told(one.facts, seat) == _told(two.facts, seat), "facts leak"
        assert game.view(one.position, seat) == game.view(two.position, seat), (
            "an order shows what nobody called news"
        )


def _answer(judged: Judged) -> tuple[Any, ...]:
    return judged.orders, judged.refusal, judged.at, judged.rest


def _told(facts: Iterable[Fact], seat: Seat | None) -> list[Fact]:
    return [fact for fact in facts if fact.known_to(seat)]


def _has_news(judged: Judged, seat: Seat) -> bool:
    return any(fact.news for fact in _told(judged.facts, seat))


def _check_facts_leak_not(game: AnyGame, position: Any, other: Any, seat: Seat | None) -> None:
    """Check that a seat that sees no difference afterwards was told none, chance included."""
    chance = game.to_act(position) == CHANCE
    outcomes = possible(game, position)[:6]
    others = [order for order in possible(game, other)[:6] if chance or order in outcomes]
    told = [(position, order) for order in outcomes] + [(other, order) for order in others]
    seen: dict[str, str] = {}
    for start, order in told:
        after, facts = game.apply(start, order)
        shown = canonical_json(game.view(after, seat).document)
        key = shown if chance else shown + game.format(order, "en")
        known = _plain(_told(facts, seat))
        assert seen.setdefault(key, known) == known, (
            f"facts tell {seat or 'a spectator'} more than the view does"
        )


def _plain(facts: Sequence[Fact]) -> str:
    return canonical_json([[fact.fact, dict(fact.fields)] for fact in facts])


def hides(game: AnyGame, position: Any, seat: Seat | None, seats: Iterable[Seat]) -> bool:
    """Tell whether somebody else's view holds something that a seat's does not."""
    own = set(_leaves(game.view(position, seat).document))
    return any(
        set(_leaves(game.view(position, each).document)) - own for each in seats if each != seat
    )


def _leaves(value: Any, path: str = "") -> Iterable[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, f"{path}/{key}")
    else:
        yield f"{path}={canonical_json(value)}"


def check_redeal_changes(
    game: AnyGame, positions: Iterable[Any], seats: Sequence[Seat], rng: Random
) -> None:
    """Check that redeal changes nine in ten of the positions that hide anything from a seat.

    Of those in which others see more, a seat may have worked out half by itself, no more; where
    it has not, three deals are enough to see a difference.
    """
    soon, late = [], []
    for position in positions:
        for seat in (*seats, None):
            if game.to_act(position) is not None and hides(game, position, seat, seats):
                changed = [game.redeal(position, seat, rng) != position for _ in range(15)]
                soon.append(any(changed[:3]))
                late.append(any(changed))
    assert sum(late) * 2 >= len(late), f"{sum(late)} of {len(late)} ever changed"
    assert sum(soon) * 10 >= sum(late) * 9, f"{sum(soon)} of {sum(late)} changed"


def policies_of(game: AnyGame, language: str = "en") -> list[Policy]:
    """Return the policies a game's help shows as examples; none if it knows none."""
    shown = catalogue(game, language)["help"].get("policies", []) if game.policies else []
    return [game.parse_policy(each["order"], language) for each in shown]


def check_policy_round_trip(game: AnyGame, policy: Policy) -> None:
    """Check that a policy survives text in every language read as any language."""
    assert game.policies[policy.word] is type(policy)
    for language in LANGUAGES:
        text = game.format_policy(policy, language)
        assert text == text.strip()
        assert "\n" not in text
        for reader in LANGUAGES:
            assert game.parse_policy(text, reader) == policy, f"{text!r} read as {reader!r}"
        assert game.parse_policy(f"  {text.upper()}. ", language) == policy


def check_follow(game: AnyGame, position: Any, seat: Seat, policy: Policy, saying: Saying) -> None:
    """Check that what a policy gives is a legal order of its seat, or a reason to end."""
    given = game.follow(position, seat, policy)
    if isinstance(given, Expired):
        saying.add("expired", given.code, given.fields)
        canonical_json(dict(given.fields))
    elif given is not None:
        assert game.to_act(position) == seat, f"{policy} of {seat} out of turn"
        assert given in list(game.orders(position)), f"{given} of {policy} is not legal"


def check_policies_leak_not(
    game: AnyGame, position: Any, seat: Seat, policies: Sequence[Policy], rng: Random
) -> None:
    """Check that what a policy does depends on nothing that its seat cannot know."""
    other = game.redeal(position, seat, rng)
    assert game.interrupted(position) == game.interrupted(other), "that a turn waits leaks"
    for policy in policies:
        one, two = game.follow(position, seat, policy), game.follow(other, seat, policy)
        assert one == two, "what a policy does leaks"
