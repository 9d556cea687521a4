"""Mails outside of any match: daily summaries, answers to strangers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from referee.render.content import Content, Framing
from referee.render.layout import clean
from referee.render.wording import Catalogue

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
    catalogue: Catalogue, framing: Framing, matches: Sequence[Mapping[str, Any]] | None = None
) -> Content:
    """Return the answer to a stranger asking for help or to join.

    It is the same for everybody. ``matches`` are those open to the stranger, with ``match``,
    ``game``, ``n`` (seats) and ``commitment``; None: players cannot register by mail.
    """
    say = catalogue.say
    joins = matches is not None
    keys = ("about", "open", "noted", "once") if joins else ("about", "joining", "once")
    listed = [say("stranger.match", **_cleaned(each)) for each in matches or ()]
    return Content(
        "stranger",
        say("subject.plain", title=say("stranger.title")),
        say("stranger.headline"),
        framing,
        catalogue,
        {
            "paragraphs": [say(f"stranger.{key}") for key in keys],
            "matches": listed,
            "nothing_open": joins and not listed,
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
