"""Small helpers for sentences on the command line: suggestions and plurals."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean nord-1?`, with up to three close names."""
    near = get_close_matches(word, list(known), n=3, cutoff=0.7)
    if not near:
        return ""
    *first, last = near
    return f"; did you mean {', '.join(first)} or {last}?" if first else f"; did you mean {last}?"


def counted(number: int, thing: str) -> str:
    """Return `1 match` or `2 matches`."""
    many = "es" if thing.endswith("ch") else "s"
    return f"{number} {thing}{'' if number == 1 else many}"
