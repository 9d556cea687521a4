"""Drawings kept by what they show, up to a number of bytes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeVar

Thing = TypeVar("Thing")


class Kept:
    """Things by what they show; the ones longest unused go when all have too many bytes."""

    def __init__(self, most: int) -> None:
        """Keep nothing yet, and never more than ``most`` bytes."""
        self.most = most
        self.size = 0
        self._found: OrderedDict[Any, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Any, make: Callable[[], tuple[Thing, int]]) -> Thing:
        """Return a thing; made if need be, with its number of bytes."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                kept: Thing = self._found[key][0]
                return kept
        thing, size = make()
        with self._lock:
            if key not in self._found:
                self._found[key] = thing, size
                self.size += size
            while self.size > self.most:
                self.size -= self._found.popitem(last=False)[1][1]
        return thing
