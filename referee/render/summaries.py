"""Mails outside of one match: digests, daily summaries, answers to strangers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from referee.render.common import subject
from referee.render.composer import PageOffer
from referee.render.content import NO_FRAMING, PLAIN, Content, Framing, Look
from referee.render.layout import LONGEST_PARAGRAPH, clean
from referee.render.links import MOST_LINKS
from referee.render.reports import Report, in_two_lines, report_content
from referee.render.words.wording import Catalogue, Wording
from referee.signs import SIGN
from referee.value import Value, replace

SECTIONS: Final[Mapping[str, str]] = {
    "alarms": "",
    "letters": "letter",
    "mails": "mail",
    "addresses": "address",
    "broken": "",
    "matches": "match",
    "declined": "refusal",
    "resigned": "resignation",
    "strangers": "stranger",
    "blocked": "unheard",
}
"""The parts of a summary in order, with their items' sentences; some items are one of our own."""

MOST_ITEMS: Final = 20
"""Items shown of a part."""

LONGEST: Final = 100
"""Characters shown of a text that others wrote."""


def summary_content(
    catalogue: Catalogue, items: Mapping[str, Sequence[Mapping[str, Any]]], framing: Framing
) -> Content:
    """Return the organiser's summary. ``items`` holds the fields of each item, by part."""
    sections = []
    for part, key in SECTIONS.items():
        if listed := items.get(part):
            told = [
                catalogue.say(f"summary.{key}", **_cleaned(item)) if key else own_line(item["text"])
                for item in listed[:MOST_ITEMS]
            ]
            if more := len(listed) - len(told):
                told.append(catalogue.say("summary.more", n=more))
            sections.append((catalogue.say(f"summary.{part}"), told))
    return _content("summary", catalogue, framing, {"sections": sections})


def stranger_answer(
    catalogue: Catalogue, framing: Framing, matches: Sequence[Mapping[str, Any]]
) -> Content:
    """Return the answer to a stranger asking for help or to join, the same for everybody.

    ``matches`` are those open to the stranger, with ``match``, ``game``, ``n`` (seats) and
    ``commitment``.
    """
    say = catalogue.say
    fields = {
        "paragraphs": [say(f"stranger.{key}") for key in ("about", "open", "noted", "once")],
        "matches": [say("stranger.match", **_cleaned(match)) for match in matches],
        "asks": "answer",
    }
    return _content("stranger", catalogue, framing, fields)


def _content(
    kind: str, catalogue: Catalogue, framing: Framing, fields: Mapping[str, object]
) -> Content:
    """Return a mail of a kind, after which its template and its sentences are called."""
    say = catalogue.say
    title = say("subject.plain", title=say(f"{kind}.title"))
    news = [say(f"news.{kind}")]
    return Content(kind, title, say(f"{kind}.headline"), news, framing, catalogue, fields)


def _cleaned(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: clean(value, LONGEST) if isinstance(value, str) else value
        for name, value in fields.items()
    }


_OPTION: Final = re.compile(r"(?<= )--([a-z][a-z-]*)(?![\w-])")
"""An option in a command, such as ``--is-right``."""


def own_line(text: str) -> str:
    """Return a line of our own to its end, which says what to do.

    It may quote what a server said, so it is tamed as well; but without its two dashes an option
    could not be typed as it is told.
    """
    tamed = told = clean(text, LONGEST_PARAGRAPH)
    for option in _OPTION.findall(text):
        told = told.replace(f" -{option}", f" --{option}", 1)
    return told if SIGN.search(told) is None else tamed


OWN: Final = Look("#1f4ea1", "#ffffff")
"""The look of a digest to play from, the same as of its main button."""

LONGEST_DIGEST: Final = 98_000
"""Bytes of a digest's HTML: programs cut what is longer than 100 kB, and boxes with it."""

_NO_BOARD: Final[Mapping[str, object]] = {
    **dict.fromkeys(("tables", "panels", "points", "hands", "help_orders"), ()),
    "drawing": None,
    "question": None,
}
"""What empties the fields of a report that show its board."""

_TURN_ALONE: Final[Mapping[str, object]] = {
    **_NO_BOARD,
    **dict.fromkeys(("rows", "credits", "ended", "remarks", "groups"), ()),
}
"""What empties all fields of a report but its turn, standing orders and box."""

_LONGEST_NEWS: Final = 140
"""Characters of the latest news of a match in which the player only waits."""


DigestMessage: TypeAlias = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A message that came since the last digest: its writer in a sentence, its lines, an order box.

The box is there to answer it with, if no other of its match stands in the mail.
"""


class DigestPart(Value):
    """The report of one match; the ``framing`` of its reader's own turn holds the order box.

    ``page`` is the one to click the orders on.
    """

    wording: Wording
    report: Report
    framing: Framing = NO_FRAMING
    page: PageOffer | None = None


def digest_content(
    catalogue: Catalogue,
    framing: Framing,
    turns: Sequence[DigestPart],
    others: Sequence[DigestPart],
    messages: Sequence[DigestMessage],
    *,
    rest: bool = False,
) -> Content:
    """Return one mail of all matches: the player's turns with board and box, the others in short.

    The most urgent turns come first; where it would be too long the last ones are shown without
    their boards. In ``others`` the player waits or watches. ``rest``: own turns are mailed at once
    and stand in no digest. The address in ``framing`` is one as long as that the links will open an
    answer to.
    """
    short = [*map(_in_short, others)]
    fields = {"messages": messages, "others": short, "notes": (catalogue.say("foot.help"),)}
    title = catalogue.say("subject.plain", title=catalogue.say("digest.title"))
    n = len(turns)
    key = "rest" if rest else {0: "none", 1: "one"}.get(n, "many")
    sentence = catalogue.say(f"digest.{key}", n=n, others=len(others))
    news = [catalogue.say(f"news.digest_{key}", n=n)]
    look = OWN if n else PLAIN
    bare = Content("digest", title, sentence, news, framing, catalogue, fields, look=look)
    own = []
    for turn in turns:
        content = report_content(turn.wording, turn.report, turn.framing)
        # Where to find help is said once, at the end.
        notes, help_note = content.fields["notes"], catalogue.say("foot.help")
        kept = [note for note in notes if note != help_note] if isinstance(notes, list) else []
        told = {"help_orders": [], "notes": kept, "page": turn.page, "several": n > 1}
        own.append(replace(content, title=content.subject, fields={**content.fields, **told}))
    fitting = _fitting(bare, _with_few_links(own))
    # There is always room for a line.
    left = [*map(_in_short, turns[len(fitting) :]), *short]
    return replace(_with_turns(bare, fitting), fields={**fields, "others": left})


def _with_turns(digest: Content, own: Iterable[Content]) -> Content:
    return replace(digest, parts=tuple(((), turn) for turn in own))


def _fitting(digest: Content, own: Sequence[Content]) -> list[Content]:
    """Return as many turns, as whole, as a digest has room for: the first have the most."""
    if _bytes_of(_with_turns(digest, own)) <= LONGEST_DIGEST:
        return [*own]
    base = _bytes_of(digest)
    forms = [(turn, _shortened(turn, _NO_BOARD), _shortened(turn, _TURN_ALONE)) for turn in own]
    sizes = [[_bytes_of(_with_turns(digest, [turn])) - base for turn in form] for form in forms]
    # The least form of each turn has its room first; the last turns go where even that is too much.
    while (left := LONGEST_DIGEST - base - sum(taken[-1] for taken in sizes)) < 0 and sizes:
        sizes.pop()
    fitting: list[Content] = []
    for form, taken in zip(forms, sizes, strict=False):
        which = next(n for n, size in enumerate(taken) if size - taken[-1] <= left)
        fitting.append(form[which])
        left -= taken[which] - taken[-1]
    return fitting


def _shortened(turn: Content, without: Mapping[str, object]) -> Content:
    """Return a turn ``without`` fields, saying where its board is."""
    page = turn.fields["page"]
    file = page.file if isinstance(page, PageOffer) else ""
    told = turn.catalogue.say("digest.short", file=file, link=_linked(turn))
    return replace(turn, fields={**turn.fields, **without, "shortened": told})


def _bytes_of(digest: Content) -> int:
    """Return the length of a digest's HTML, its links included."""
    return len(digest.addressed(digest.framing.address).html.encode())


def _with_few_links(own: Sequence[Content]) -> list[Content]:
    """Return turns with as many links as one mail may have.

    The answer of each turn and its page come first, then its preview, then finished orders of the
    first turns.
    """
    left = MOST_LINKS - sum(1 + bool(turn.fields["standing"]) + _linked(turn) for turn in own)
    opened = 2 if left >= len(own) else 1
    left -= (opened - 1) * len(own)
    turns = []
    for turn in own:
        groups, offered = [], turn.fields["groups"]
        for group in offered if isinstance(offered, Sequence) else ():
            links = len(group.orders) + (group.begun is not None)
            linked = group.linked and links <= left
            left -= links if linked else 0
            groups.append(replace(group, linked=linked))
        turns.append(replace(turn, opened=opened, fields={**turn.fields, "groups": groups}))
    return turns


def _linked(turn: Content) -> bool:
    page = turn.fields["page"]
    return isinstance(page, PageOffer) and bool(page.link)


def _in_short(part: DigestPart) -> tuple[str, str]:
    """Return the state of a match, and its latest news."""
    wording, value = part.wording, part.report
    turn, news = in_two_lines(value, wording)
    latest: list[str] = []
    for sentence in reversed(news):
        if latest and len(" ".join([sentence, *latest])) > _LONGEST_NEWS:
            break
        latest.insert(0, sentence)
    more = "… " if len(latest) < len(news) else ""
    state = f"{subject(value.match, value.seat, value.names, wording)} · {turn}"
    return state, f"{more}{' '.join(latest)}" or wording.catalogue.say("digest.nothing")
