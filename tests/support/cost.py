"""How much CPU something costs, and whether that is in proportion to the size of what it gets."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

SMALL, LARGE = 25_000, 100_000
"""Bytes of the letters compared; both are below every limit on what is read at all."""

IN_PROPORTION = 2.5**2
"""How many times as long the larger may take, twice doubled; what is quadratic takes 16 times."""

NOBODYS_CONCERN = 0.02
"""Seconds that need no comparison."""


def cost(work: Callable[[], object]) -> float:
    """Return the seconds of CPU something takes, the better of two.

    No garbage is collected meanwhile: that looks at all that other tests left in memory.
    """
    times = []
    gc.disable()
    try:
        for _ in range(2):
            begun = time.process_time()
            work()
            times.append(time.process_time() - begun)
    finally:
        gc.enable()
    return min(times)


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the statements that databases are asked."""
    found: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        del connection, cursor, rest
        found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def steps(work: Callable[[], object]) -> int:
    """Return how many steps SQLite's machine takes for something: rows read, not seconds."""
    count, driven = [0], set[Any]()

    def step() -> None:
        count[0] += 1

    def note(connection: Any, *rest: Any) -> None:
        del rest
        driver = connection.connection.driver_connection
        driver.set_progress_handler(step, 1)
        driven.add(driver)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        work()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
        for driver in driven:
            driver.set_progress_handler(None, 1)
    return count[0]


def in_proportion(
    shape: Callable[[int], bytes],
    work: Callable[[bytes], object],
    small_size: int = SMALL,
    large_size: int = LARGE,
) -> bool:
    """Tell whether doubling the size costs at most 2.5 times, done twice, in one of eight tries.

    The machine may be busy with something else; what is quadratic fails every time.
    """
    small, large = shape(small_size), shape(large_size)
    return any(
        cost(lambda: work(large)) <= max(IN_PROPORTION * cost(lambda: work(small)), NOBODYS_CONCERN)
        for _ in range(8)
    )
