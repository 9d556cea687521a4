"""Every single byte of a record counts."""

from __future__ import annotations

from random import Random

import pytest
from support.matches import ARRIVAL, GAME, SEED, exported, orders, terms

from referee.games import registry
from referee.matches.match import begin, submit
from referee.matches.record import verify


@pytest.fixture(scope="module")
def data() -> bytes:
    """Return the record of a match that both leave at once, as a file."""
    match, log = begin(GAME, terms(options={"hand": 1}, words={"red": "glück"}), SEED)
    for seat in ("red", "blue"):
        done = submit(match, seat, orders("pass"), ARRIVAL)
        match, log = done.match, (*log, *done.logged)
    return "".join(f"{line}\n" for line in exported(match, log)).encode()


def _verifies(data: bytes) -> bool:
    return verify(data.splitlines(keepends=True), registry.find).ok


def test_any_changed_byte_is_found(data: bytes) -> None:
    """Whichever byte of the file is changed, to a neighbour or another case, it is found."""
    assert _verifies(data)
    missed = []
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= (0x01, 0x20)[place % 2]
        if _verifies(bytes(changed)):
            missed.append(place)
    assert missed == []


def test_any_byte_changed_to_anything_is_found(data: bytes) -> None:
    """The same with any other value, at places drawn at random."""
    rng, missed = Random(3), []
    for _ in range(400):
        changed = bytearray(data)
        place = rng.randrange(len(data))
        changed[place] ^= rng.randrange(1, 256)
        if _verifies(bytes(changed)):
            missed.append((place, changed[place]))
    assert missed == []


def test_any_dropped_byte_is_found(data: bytes) -> None:
    """A file that lost any one byte but its last line end does not verify."""
    missed = [
        place for place in range(0, len(data) - 1, 3) if _verifies(data[:place] + data[place + 1 :])
    ]
    assert missed == []
