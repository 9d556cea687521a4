"""Mails outside of one match: digests, daily summaries, answers to strangers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from referee.games.game import Seat
from referee.render.common import subject
from referee.render.composer.page import PageOffer
from referee.render.content import PLAIN, Content, Framing, Head
from referee.render.layout import clean, clean_lines
from referee.render.links import MOST_LINKS
from referee.render.parts import NAME_LENGTH, ExampleOrders
from referee.render.reports import Report, in_two_lines, report_content
from referee.render.words.wording import Catalogue, Wording
from referee.value import Value, replace

SECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "alarms": "alarm",
        "letters": "letter",
        "mails": "mail",
        "addresses": "address",
        "broken": "stuck",
        "matches": "match",
        "declined": "refusal",
        "resigned": "resignation",
        "strangers": "stranger",
        "blocked": "unheard",
    }
)
"""The parts of a summary in order, with their items' sentences."""

MOST_ITEMS: Final = 20
LONGEST: Final = 100
"""Items shown of a part, and characters of foreign text."""


def summary_content(
    catalogue: Catalogue, items: Mapping[str, Sequence[Mapping[str, Any]]], framing: Framing
) -> Content:
    """Return the organiser's summary. ``items`` holds the fields of each item, by part."""
    return Content(
        "summary",
        catalogue.say("subject.plain", title=catalogue.say("summary.title")),
        catalogue.say("summary.headline"),
        [catalogue.say("news.summary")],
        framing,
        catalogue,
        {
            "sections": [
                (catalogue.say(f"summary.{part}"), _lines(catalogue, SECTIONS[part], items[part]))
                for part in SECTIONS
                if items.get(part)
            ],
            "paragraphs": [],
        },
    )


def stranger_answer(
    catalogue: Catalogue, framing: Framing, matches: Sequence[Mapping[str, Any]]
) -> Content:
    """Return the answer to a stranger asking for help or to join.

    It is the same for everybody. ``matches`` are those open to the stranger, with ``match``,
    ``game``, ``n`` (seats) and ``commitment``.
    """
    say = catalogue.say
    return Content(
        "stranger",
        say("subject.plain", title=say("stranger.title")),
        say("stranger.headline"),
        [say("news.stranger")],
        framing,
        catalogue,
        {
            "paragraphs": [say(f"stranger.{key}") for key in ("about", "open", "noted", "once")],
            "matches": [say("stranger.match", **_cleaned(match)) for match in matches],
            "asks": "answer",
        },
    )


def _lines(catalogue: Catalogue, key: str, items: Sequence[Mapping[str, Any]]) -> list[str]:
    shown = [catalogue.say(f"summary.{key}", **_cleaned(each)) for each in items[:MOST_ITEMS]]
    more = len(items) - len(shown)
    return [*shown, catalogue.say("summary.more", n=more)] if more else shown


def _cleaned(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: clean(value, LONGEST) if isinstance(value, str) else value
        for name, value in fields.items()
    }


OWN: Final = ("#1f4ea1", "#ffffff")
"""Ground and ink of the head of a digest to play from, the same as of its main button."""

LONGEST_DIGEST: Final = 98_000
"""Bytes of a digest's HTML: programs cut what is longer than 100 kB, and boxes with it."""

_BOARD: Final[Mapping[str, object]] = MappingProxyType(
    dict.fromkeys(("tables", "panels", "points", "hands", "help_orders"), ())
    | {"drawing": None, "question": None, "table_below": False}
)
"""Fields of a report, without those that show its board."""

_ALL: Final[Mapping[str, object]] = MappingProxyType(
    {**_BOARD, **dict.fromkeys(("rows", "credits", "ended", "remarks", "groups"), ()), "total": 0}
)
"""Fields of a report, without all but its turn, standing orders and box."""

LONGEST_NEWS: Final = 140
"""Characters of the latest news of a match in which the player only waits."""


class DigestMessage(Value):
    """A message that came since the last digest.

    ``box`` is the order box to answer it with, if no other of its match stands in the mail.
    """

    wording: Wording
    match: str
    sender: str
    seat: Seat
    text: str
    to_all: bool
    box: tuple[str, ...] = ()


class DigestTurn(Value):
    """A turn of the digest's reader; its ``framing`` holds the order box.

    ``page`` is the one to click the orders on.
    """

    wording: Wording
    report: Report
    framing: Framing
    page: PageOffer | None = None


class Digest(Value):
    """The content of a digest.

    ``own`` are the turns of the player, the most urgent first; ``others`` the matches in which they
    wait or watch. ``rest``: own turns are mailed at once and stand in no digest.
    """

    own: Sequence[DigestTurn]
    messages: Sequence[DigestMessage]
    others: Sequence[tuple[Wording, Report]]
    rest: bool = False


def digest_content(catalogue: Catalogue, value: Digest, framing: Framing) -> Content:
    """Return one mail of all matches: own turns with board and box, the others in short.

    Where it would be too long the last turns are shown without their boards. The address in
    ``framing`` is one as long as that the links will open an answer to.
    """
    said = [
        (
            catalogue.say(
                "digest.message",
                sender=clean(each.sender, NAME_LENGTH),
                seat=each.wording.seat(each.seat),
                match=each.match,
                to_all=each.to_all,
            ),
            clean_lines(each.text),
            each.box,
        )
        for each in value.messages
    ]
    others = [_in_short(*each) for each in value.others]
    fields = {"messages": said, "others": others, "notes": (catalogue.say("foot.help"),)}
    title = catalogue.say("subject.plain", title=catalogue.say("digest.title"))
    n = len(value.own)
    key = "rest" if value.rest else {0: "none", 1: "one"}.get(n, "many")
    sentence = catalogue.say(f"digest.{key}", n=n, others=len(value.others))
    headline, head = " ".join(sentence.split()), Head(sentence, *(OWN if n else PLAIN))
    news = [catalogue.say(f"news.digest_{key}", n=n)]
    bare = Content("digest", title, headline, news, framing, catalogue, fields, head=head)
    own = _with_few_links([_own_turn(catalogue, each, several=n > 1) for each in value.own])
    fitting = _fitting(bare, own)
    # There is always room for a line.
    left = [_in_short(each.wording, each.report) for each in value.own[len(fitting) :]]
    return replace(_with_turns(bare, fitting), fields={**fields, "others": [*left, *others]})


def _with_turns(digest: Content, own: Iterable[Content]) -> Content:
    return replace(digest, parts=tuple(((), each) for each in own))


def _fitting(digest: Content, own: Sequence[Content]) -> list[Content]:
    """Return as many turns, as whole, as a digest has room for: the first have the most."""
    if _bytes_of(_with_turns(digest, own)) <= LONGEST_DIGEST:
        return [*own]
    base = _bytes_of(digest)
    forms = [(each, _shortened(each, _BOARD), _shortened(each, _ALL)) for each in own]
    sizes = [[_bytes_of(_with_turns(digest, [it])) - base for it in each] for each in forms]
    left = LONGEST_DIGEST - base - sum(size[-1] for size in sizes)
    found: list[Content] = []
    # What the least form of each later turn takes is kept for it.
    for form, size in zip(forms, sizes, strict=True):
        room = left + size[-1]
        which = next((n for n, each in enumerate(size) if each <= room), len(size) - 1)
        found.append(form[which])
        left = room - size[which]
    while found and left < 0:
        found.pop()
        left += sizes[len(found)][-1]
    return found


def _shortened(turn: Content, without: Mapping[str, object]) -> Content:
    """Return a turn ``without`` fields, saying where its board is."""
    page = turn.fields["page"]
    fields = {
        "file": page.file if isinstance(page, PageOffer) else "",
        "link": isinstance(page, PageOffer) and bool(page.link),
    }
    told = turn.catalogue.say("digest.short", **fields)
    return replace(turn, fields={**turn.fields, **without, "shortened": told})


def _bytes_of(digest: Content) -> int:
    """Return the length of a digest's HTML, its links included."""
    return len(digest.addressed(digest.framing.address).html.encode())


def _own_turn(catalogue: Catalogue, turn: DigestTurn, *, several: bool) -> Content:
    """Return a report as part of a digest, perhaps of ``several``."""
    content = report_content(turn.wording, turn.report, turn.framing)
    notes = content.fields["notes"]
    told = notes if isinstance(notes, list) else []
    kept = [each for each in told if each != catalogue.say("foot.help")]
    fields = {**content.fields, "help_orders": [], "notes": kept, "page": turn.page}
    fields |= {"several": several}
    return replace(content, title=content.subject, fields=fields)


def _with_few_links(own: Sequence[Content]) -> list[Content]:
    """Return turns with as many links as one mail may have.

    The answer of each turn and its page come first, then its preview, then finished orders of the
    first turns.
    """
    left = MOST_LINKS - sum(1 + bool(each.fields["standing"]) + _linked(each) for each in own)
    opened = 2 if left >= len(own) else 1
    left -= (opened - 1) * len(own)
    found = []
    for each in own:
        groups = []
        for group in _groups(each):
            links = len(group.orders) + (group.begun is not None)
            linked = group.linked and links <= left
            left -= links if linked else 0
            groups.append(replace(group, linked=linked))
        found.append(replace(each, opened=opened, fields={**each.fields, "groups": groups}))
    return found


def _linked(content: Content) -> bool:
    page = content.fields["page"]
    return isinstance(page, PageOffer) and bool(page.link)


def _groups(content: Content) -> Iterator[ExampleOrders]:
    groups = content.fields["groups"]
    if isinstance(groups, Sequence):
        yield from (each for each in groups if isinstance(each, ExampleOrders))


def _in_short(wording: Wording, value: Report) -> tuple[str, str]:
    """Return the state of a match, and its latest news."""
    turn, news = in_two_lines(value, wording)
    latest: list[str] = []
    for each in reversed(news):
        if latest and len(" ".join([each, *latest])) > LONGEST_NEWS:
            break
        latest.insert(0, each)
    more = "… " if len(latest) < len(news) else ""
    state = f"{subject(value.match, value.seat, value.names, wording)} · {turn}"
    return state, f"{more}{' '.join(latest)}" or wording.catalogue.say("digest.nothing")
