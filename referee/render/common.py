"""Sentences common to several kinds of mail: subject, turn, points, examples, closing notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from referee.games.game import Fact, Json, Order, Refusal, Scene, Seat
from referee.render.drawings.changes import Changes
from referee.render.drawings.drawing import Drawing, draw_scene
from referee.render.layout import DOT, capital, clean
from referee.render.links import MOST_LINK_ORDERS, MOST_LINKS
from referee.render.words.moments import moment_text, span_text
from referee.render.words.wording import Catalogue, Wording
from referee.resources import keywords
from referee.value import Value

MOST_EXAMPLES: Final = 12
"""Legal orders a mail shows as examples."""

KEPT_LINKS: Final = 8
"""Links of a mail left for its box, its page and its commands."""

NAME_LENGTH: Final = 40
"""Characters of a player's name that are shown."""

ALMOST_A_MINUTE: Final = timedelta(seconds=59)
"""Added to the time left, so that a mail that has just been written tells whole days."""


class TurnFacts(Value, kw_only=True):
    """The facts about a turn that report and receipt share.

    ``names`` are the holders of the seats. Without a ``seat`` it is for a spectator. ``now`` lets
    the remaining time be told. ``pictured``: the board is drawn as a picture too.
    """

    match: str
    seat: Seat | None
    turn: int
    to_act: Seat | None
    due: datetime | None
    zone: str
    names: Mapping[Seat, str]
    now: datetime | None = None
    pictured: bool = False


_MOST_NAMED: Final = 16
"""Changed spaces that the words for a picture name."""

_LONGEST_NAMED: Final = 112
"""Characters of their names."""


def draw_board(value: TurnFacts, scene: Scene, changes: Changes, wording: Wording) -> Drawing:
    """Return the board, with changes pointed out; as a picture too if the mail shows pictures.

    The words that stand for the picture have below 250 characters.
    """
    alt = None
    if value.pictured and not scene.is_bare:
        names = {cell.space: wording.space(cell) for cell in scene.cells}
        changed = [names.get(space, space) for space in changes.numbers]
        shown = changed[:_MOST_NAMED]
        while len(", ".join(shown)) > _LONGEST_NAMED:
            shown.pop()
        alt = wording.catalogue.say(
            "board.alt",
            lattice=scene.lattice,
            match=value.match,
            turn=value.turn,
            changed=", ".join(shown),
            numbered=changes.numbered,
            more=len(changed) - len(shown),
        )
    return draw_scene(scene, wording, changes, alt)


MOST_OPPONENTS: Final = 3
"""Players whom a subject names."""


def subject(match: str, seat: Seat | None, names: Mapping[Seat, str], wording: Wording) -> str:
    """Return the subject of all mails to a seat about a match: ``[nord-1] Nord with bob``.

    It is constant while no seat changes hands, so that mails thread.
    """
    say = wording.catalogue.say
    others = [
        clean(name, NAME_LENGTH) or wording.seat(other)
        for other, name in names.items()
        if other != seat
    ]
    if len(others) > MOST_OPPONENTS:
        key = "subject.more" if seat else "subject.more_match"
        more = say(key, n=len(others) - MOST_OPPONENTS + 1)
        others = [*others[: MOST_OPPONENTS - 1], more]
    return say(
        "subject.seat" if seat else "subject.match",
        match=match,
        game=wording.word("game", "name"),
        others=wording.catalogue.joined(others),
    )


def turn_sentence(
    value: TurnFacts,
    scene: Scene | None,
    wording: Wording,
    yours: str = "turn.yours",
    *,
    brief: bool = False,
) -> str:
    """Say the seat to act, from its reader's point of view, until when, and how long that is.

    ``scene`` tells what it is asked within another's turn, and what ends its turn. ``brief``: a
    near day is told without its year.
    """
    catalogue, seat = wording.catalogue, value.to_act
    if seat is None:
        return catalogue.say("turn.over")
    due = left = ""
    if value.due is not None:
        due = moment_text(value.due, value.zone, catalogue, value.now if brief else None)
        if value.now is not None and value.now < value.due:
            span = span_text(value.due - value.now + ALMOST_A_MINUTE, catalogue)
            left = catalogue.say("time.left", span=span)
    key, who = "turn.theirs", capital(seat_and_player(seat, value.names, wording))
    if seat == value.seat:
        key, who = yours, wording.seat(seat)
    if scene is None or scene.asked is None:
        return catalogue.say(key, seat=who, due=due, left=left, **turn_end(scene, wording))
    question = wording.sentence(scene.asked)
    return catalogue.say(f"{key}_asked", seat=who, due=due, left=left, question=question)


def turn_news(
    value: TurnFacts, scene: Scene | None, wording: Wording, yours: str = "news.yours"
) -> str:
    """Say in a few words which seat is to act, or that none is."""
    if value.to_act is None:
        return wording.catalogue.say("news.over")
    seat = wording.seat(value.to_act)
    key = yours if value.to_act == value.seat else "news.theirs"
    asked, begun = (scene.asked, scene.begun) if scene else (None, False)
    return wording.catalogue.say(f"{key}_asked" if asked else key, seat=seat, begun=begun)


def turn_end(scene: Scene | None, wording: Wording) -> dict[str, Any]:
    """Return the line that ends the turn shown, and whether anything was done in it yet."""
    if scene is None or scene.ends is None:
        return {"ends": "", "begun": False}
    return {"ends": wording.order(scene.ends), "begun": scene.begun}


def about(value: TurnFacts, wording: Wording) -> str:
    """Return the game, match, turn and seat of a mail."""
    return wording.catalogue.say(
        "report.about" if value.seat else "report.watched",
        game=wording.word("game", "name"),
        match=value.match,
        turn=value.turn,
        seat=wording.seat(value.seat) if value.seat else "",
    )


def closing_notes(wording: Wording, head: str) -> list[str]:
    """Return the closing notes of a mail to a seat: the log's head, and where to find help."""
    say = wording.catalogue.say
    return ([say("foot.head", head=head)] if head else []) + [say("foot.help")]


_SENTENCE_END: Final = re.compile(r"(?:(?<=[^\s\d][^\s\d])|(?<=-\d))([.!?]) (?=[^\W\d_a-z])")
"""The end of a sentence within a text; behind a digit it would be a German date."""


def parted(text: str, given: Iterable[object] = ()) -> str:
    """Return a text with a line break behind its first sentence.

    ``given`` are the fields it was filled with: a name such as “Dr. No” is parted nowhere.
    """
    masked = text
    for value in given:
        name = clean(value) if isinstance(value, str) else ""
        if len(name) <= NAME_LENGTH and _SENTENCE_END.search(name):
            masked = masked.replace(name, "x" * len(name))
    end = _SENTENCE_END.search(masked)
    return text if end is None else f"{text[: end.end(1)]}\n{text[end.end() :]}"


def part_title(key: str, catalogue: Catalogue) -> str:
    """Return the heading of an answer beside others; empty without one.

    One that begins like a command bears our dot, as no quoted heading may be read as one.
    """
    if not catalogue.has(key):
        return ""
    title = capital(catalogue.say(key))
    first = title.split(maxsplit=1)[0].casefold()
    return f"{DOT}{title}" if first in keywords("keyword") else title


def seat_and_player(seat: Seat, names: Mapping[Seat, str], wording: Wording) -> str:
    """Return a colour with its player's name: ``Green (bob)``."""
    colour = wording.seat(seat)
    name = clean(names.get(seat, ""), NAME_LENGTH)
    return f"{colour} ({name})" if name else colour


def reason_of(refusal: Refusal, wording: Wording) -> str:
    """Return the reason for a refusal, with the rule it cites."""
    text = wording.refusal(refusal)
    if not refusal.rule:
        return text
    return wording.catalogue.say("line.rule", text=text, rule=wording.rule(refusal.rule))


def standings(points: Mapping[Seat, int], names: Mapping[Seat, str], wording: Wording) -> list[str]:
    """Return everybody's points, in the order given."""
    return [
        wording.catalogue.say(
            "report.standing", seat=capital(seat_and_player(seat, names, wording)), points=score
        )
        for seat, score in points.items()
    ]


def subject_alone(match: str, said: str) -> str:
    """Return the subject of a mail that stands beside its match's thread: it says its own news."""
    return f"[{match}] {said}"


class ExampleOrders(Value):
    """Examples of orders of one kind, or of all; a few have no ``title``.

    ``word`` is the keyword they share, which the title names; ``begun`` is how a further one
    begins, None where all are shown.
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
        whole, word, begun = len(group) <= most, lines[0].split()[0], None
        # Moves that no keyword begins have nothing in common but that they may be played.
        if any(line.split()[0] != word for line in lines):
            word = ""
        elif not whole:
            # The words lines have in common, blanks for others.
            heads, *columns = zip(*(line.split() for line in lines), strict=False)
            shared = (
                words[0] if len(set(words)) == 1 and words[0].isalpha() else "" for words in columns
            )
            begun = " ".join([heads[0], *shared]).rstrip() + " "
        left -= len(lines) + 1
        key = f"report.{'group' if word else 'among'}{'_all' if whole else ''}"
        title = wording.catalogue.say(key, n=len(group), word=word)
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
