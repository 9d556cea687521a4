"""How much of a long search `make test` does; the soak does all of it, and more."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest

TIMES = int(os.environ.get("TESTED_EXAMPLES", "1"))
"""How many times as many examples property tests try as in `make test`."""


def examples(number: int) -> int:
    """Return how many examples a property is tried with."""
    return number * TIMES


def one_of(number: int) -> list[Any]:
    """Return steps through what is to be tried: one of so many here, all of it in the soak."""
    return [
        pytest.param(number, id=f"one of {number}"),
        pytest.param(1, id="all", marks=pytest.mark.soak),
    ]


def some(here: Iterable[Any], more: Iterable[Any]) -> list[Any]:
    """Return values to try here, and ``more`` of them in the soak; tuples are several arguments."""
    return [
        *here,
        *(
            pytest.param(*(each if isinstance(each, tuple) else (each,)), marks=pytest.mark.soak)
            for each in more
        ),
    ]
