"""Plurals and lists by the rules of CLDR, for any language."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal


def plural(locale: str, number: int, **forms: str) -> str:
    """Return the form for a number: ``one``, ``few``, ``other``."""
    return forms.get(_plural_rule(locale)(number), forms["other"])


@cache
def _plural_rule(locale: str) -> Callable[[int], str]:
    from babel import Locale  # noqa: PLC0415 - as for lists

    rule: Callable[[int], str] = Locale.parse(locale).plural_form
    return rule


@lru_cache(maxsize=1024)
def listed(texts: tuple[str, ...], style: Literal["standard", "or"], locale: str) -> str:
    """Return texts as an enumeration: ``D6, D7 and E7``, or ``html, text or phone``."""
    if len(texts) < 2:
        return "".join(texts)
    # Imported here for commands that word nothing: Babel reads much before its first.
    from babel.lists import format_list  # noqa: PLC0415

    return str(format_list(texts, style=style, locale=locale))
