"""Every single byte of a record counts."""

from __future__ import annotations

from random import Random

import pytest
from support.matches import ARRIVAL, GAME, SEED, exported, orders, terms
from support.thorough import one_of

from referee.games import registry
from referee.matches.match import new_match, submit
from referee.matches.record import verify_record


@pytest.fixture(scope="module")
def data() -> bytes:
    """Return the record of a match that both leave at once, as a file."""
    match, log = new_match(GAME, terms(options={"hand": 1}, words={"red": "glück"}), SEED)
    for seat in ("red", "blue"):
        done = submit(match, seat, orders("pass"), ARRIVAL)
        match, log = done.match, (*log, *done.logged)
    return "".join(f"{line}\n" for line in exported(match, log)).encode()


def _verifies(data: bytes) -> bool:
    return verify_record(data.splitlines(keepends=True), registry.find_installed).ok


@pytest.mark.parametrize("every", one_of(5))
def test_any_changed_byte_is_found(data: bytes, every: int) -> None:
    """Whichever byte of the file is changed, to a neighbour or another case, it is found."""
    assert _verifies(data)
    missed = []
    for place in range(0, len(data), every):
        changed = bytearray(data)
        changed[place] ^= (0x01, 0x20)[place % 2]
        if _verifies(bytes(changed)):
            missed.append(place)
    assert missed == []


def test_any_byte_changed_to_anything_is_found(data: bytes) -> None:
    """The same with any other value, at places drawn at random."""
    rng, missed = Random(3), []
    for _ in range(150):
        changed = bytearray(data)
        place = rng.randrange(len(data))
        changed[place] ^= rng.randrange(1, 256)
        if _verifies(bytes(changed)):
            missed.append((place, changed[place]))
    assert missed == []


@pytest.mark.parametrize("every", one_of(9))
def test_any_dropped_byte_is_found(data: bytes, every: int) -> None:
    """A file that lost any one byte but its last line end does not verify."""
    places = range(0, len(data) - 1, every)
    missed = [each for each in places if _verifies(data[:each] + data[each + 1 :])]
    assert missed == []
