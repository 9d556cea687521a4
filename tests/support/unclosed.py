"""A test fails that leaves a connection to SQLite open.

From Python 3.13 on such a connection is a ResourceWarning, raised wherever the collector happens to
run; here it is told of the test that opened it, on any Python.
"""

from __future__ import annotations

import sqlite3
import traceback
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

_OPEN: Final[dict[int, traceback.StackSummary]] = {}
"""The connections not yet closed, by number, and where each was opened."""

_LASTING: Final[set[Path]] = set()
"""Folders whose databases stay open until the session ends."""

_NUMBERS: Final = count(1)

_connect: Final = sqlite3.connect


class _Connection(sqlite3.Connection):
    """A connection that is on the list until it is closed."""

    def __init__(self, database: str | Path, *args: Any, **kwargs: Any) -> None:
        super().__init__(database, *args, **kwargs)
        self.number = next(_NUMBERS)
        if Path(database).parent in _LASTING:
            return
        _OPEN[self.number] = traceback.StackSummary.extract(
            traceback.walk_stack(None), limit=40, lookup_lines=False
        )

    def close(self) -> None:
        super().close()
        _OPEN.pop(self.number, None)


def keep_open(folder: Path) -> Path:
    """Let the connections to databases of a folder outlive a test, as those of a cache do."""
    _LASTING.add(folder)
    return folder


def connect(*args: Any, **kwargs: Any) -> sqlite3.Connection:
    """Open a connection that is on the list until it is closed."""
    return _connect(*args, **{"factory": _Connection} | kwargs)


def pytest_configure() -> None:
    """Count every connection, that of SQLAlchemy included."""
    sqlite3.connect = sqlite3.dbapi2.connect = connect


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """Fail a test after which connections are open that were not before."""
    before = set(_OPEN)
    yield
    left = [_OPEN.pop(each) for each in sorted(set(_OPEN) - before)]
    if left:
        ours = [each for each in left[0] if not _is_foreign(each.filename)][:4]
        places = ", ".join(f"{each.filename}:{each.lineno}" for each in ours)
        pytest.fail(f"{len(left)} connections to SQLite stay open; the first: {places}")


def _is_foreign(file: str) -> bool:
    return file == __file__ or "/site-packages/" in file or "/contextlib.py" in file
