"""How a number of things is said to an organiser."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """Return `1 match` or `2 matches`."""
    many = "es" if thing.endswith("ch") else "s"
    return f"{number} {thing}{'' if number == 1 else many}"
