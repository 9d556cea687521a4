"""Sentences common to several kinds of mail: turns, points, examples, changed spaces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from referee.games.game import Fact, Json, Order, Refusal, Scene, Seat
from referee.render.layout import capital, clean
from referee.render.links import MOST_LINK_ORDERS, MOST_LINKS
from referee.render.words.moments import moment_text, span_text
from referee.render.words.wording import Wording
from referee.value import Value

MOST_EXAMPLES: Final = 12
"""Legal orders a mail shows as examples."""

KEPT_LINKS: Final = 8
"""Links of a mail left for its box, its page and its commands."""

NAME_LENGTH: Final = 40
"""Characters of a player's name that are shown."""

ALMOST_A_MINUTE: Final = timedelta(seconds=59)
"""Added to the time left, so that a mail that has just been written tells whole days."""


def seat_and_player(seat: Seat, names: Mapping[Seat, str], wording: Wording) -> str:
    """Return a colour with its player's name: ``Green (bob)``."""
    colour = wording.seat(seat)
    name = clean(names.get(seat, ""), NAME_LENGTH)
    return f"{colour} ({name})" if name else colour


def deadline_fields(
    due: datetime | None,
    zone: str,
    now: datetime | None,
    wording: Wording,
    *,
    brief: bool = False,
) -> dict[str, str]:
    """Return the fields ``due`` and ``left`` of a sentence about a turn.

    Both are empty when unknown. ``brief``: a near day is told without its year.
    """
    if due is None:
        return {"due": "", "left": ""}
    left = ""
    if now is not None and now < due:
        span = span_text(due - now + ALMOST_A_MINUTE, wording.catalogue)
        left = wording.catalogue.say("time.left", span=span)
    near = now if brief else None
    return {"due": moment_text(due, zone, wording.catalogue, near), "left": left}


def reason_of(refusal: Refusal, wording: Wording) -> str:
    """Return the reason for a refusal, with the rule it cites."""
    text = wording.refusal(refusal)
    if not refusal.rule:
        return text
    return wording.catalogue.say("line.rule", text=text, rule=refusal.rule)


def standings(points: Mapping[Seat, int], names: Mapping[Seat, str], wording: Wording) -> list[str]:
    """Return everybody's points, in the order given."""
    return [
        wording.catalogue.say(
            "report.standing", seat=capital(seat_and_player(seat, names, wording)), points=score
        )
        for seat, score in points.items()
    ]


class ExampleOrders(Value):
    """Examples of orders of one kind, or of all; a few have no ``title``.

    ``word`` is the first one of all of them, which the title names; ``begun`` is the line another
    one of them begins with; None where all are shown.
    """

    title: str
    orders: tuple[str, ...]
    begun: str | None = None
    word: str = ""
    linked: bool = True


def examples(legal: Sequence[Order], wording: Wording) -> list[ExampleOrders]:
    """Return examples of legal orders, grouped by keyword.

    A few are shown together, without a title.
    """
    count = len(legal)
    if count <= MOST_EXAMPLES:
        return [ExampleOrders("", tuple(map(wording.order, legal)))] if legal else []
    groups: dict[str, list[Order]] = {}
    for order in legal:
        groups.setdefault(order.word, []).append(order)
    # Few enough for a link each; of more, some of every kind.
    most = count if count <= MOST_LINK_ORDERS else max(MOST_EXAMPLES // len(groups), 1)
    shown: list[ExampleOrders] = []
    left = MOST_LINKS - KEPT_LINKS
    for group in groups.values():
        lines = tuple(map(wording.order, spread_orders(group, most)))
        begun = None
        word, key = lines[0].split()[0], "group_all" if len(group) <= most else "group"
        # Moves that no keyword begins have nothing in common but that they may be played.
        if any(line.split()[0] != word for line in lines):
            word, key = "", "among_all" if len(group) <= most else "among"
        elif len(group) > most:
            # The words lines have in common, blanks for others.
            heads, *columns = zip(*(line.split() for line in lines), strict=False)
            shared = (
                words[0] if len(set(words)) == 1 and words[0].isalpha() else "" for words in columns
            )
            begun = " ".join([heads[0], *shared]).rstrip() + " "
        left -= len(lines) + 1
        title = wording.catalogue.say(f"report.{key}", n=len(group), word=word)
        shown.append(ExampleOrders(title, lines, begun, word, linked=left >= 0))
    return shown


def spread_orders(orders: Sequence[Order], most: int) -> list[Order]:
    """Return at most ``most`` orders, evenly spread over all."""
    if len(orders) <= most:
        return list(orders)
    return [orders[n * len(orders) // most] for n in range(most)]


def spaces_told(facts: Iterable[Fact], scene: Scene) -> list[str]:
    """Return the spaces that facts speak of, in board order; of a table for cards none.

    Its spaces are called like the seats, whom all facts name.
    """
    if scene.lattice == "table":
        return []
    told = {text for fact in facts for text in _strings(list(fact.fields.values()))}
    return [cell.space for cell in scene.cells if cell.space in told]


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        yield from _strings(list(value.values()))
