"""Chance: seeds, draws and salts, fixed in advance and open to recomputation.

All chance of a match comes from one secret seed through HMAC-SHA256, each use under a first line of
its own (``draw``, ``salt``, ``private``, ``board``, and ``seat`` where seats are drawn), so that no
two uses ever share a number.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import accumulate, count
from random import Random
from typing import Final

from referee.games.game import Seat
from referee.games.play import canonical_json

SALT_DIGITS: Final = 32
"""Hexadecimal digits of a salt: 128 bits, beyond all guessing."""

RANGE: Final = 1 << 256
"""The number of possible values of one HMAC-SHA256."""


def new_seed() -> bytes:
    """Return a secret seed of 32 bytes from the operating system."""
    return secrets.token_bytes(32)


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of a seed in hexadecimal. Told before the match, it binds the referee."""
    return sha256(seed).hexdigest()


def chance_key(seed: bytes, words: Mapping[Seat, str]) -> bytes:
    """Return the key of all draws: the seed, with the seats' words of luck mixed in, if any."""
    # Without words the key is the seed itself: the plain case stays plain to recompute.
    if not words:
        return seed
    # Keyed by the seed: without it nobody can foresee what their words will do.
    return _hmac(seed, canonical_json({"words": dict(words)}))


def draw_outcome(key: bytes, match: str, number: int, weights: Sequence[int]) -> int:
    """Return the index of a draw's outcome; draws count from 1.

    Outcome i comes with probability ``weights[i] / sum(weights)`` exactly: numbers above the
    largest multiple of the sum are rejected and drawn again. Raises ValueError when a weight is
    negative or all are nought.
    """
    total = sum(weights)
    if total <= 0 or min(weights) < 0:
        raise ValueError(f"these weights allow no draw: {list(weights)}")
    # Taking the remainder of any number would favour the first outcomes by a hair.
    limit = RANGE - RANGE % total
    # Each attempt has a number of its own; it almost never needs a second.
    for attempt in count():
        value = int.from_bytes(_hmac(key, f"draw\n{match}\n{number}\n{attempt}"), "big")
        if value < limit:
            break
    chosen = value % total
    return next(i for i, bound in enumerate(accumulate(weights)) if chosen < bound)


def salt(key: bytes, seq: int) -> str:
    """Return the salt of an event, which keeps its hash from being guessed among few cards."""
    return _hmac(key, f"salt\n{seq}").hex()[:SALT_DIGITS]


def private_salt(key: bytes, seat: Seat, seq: int) -> str:
    """Return the salt of an entry of a seat's private chain."""
    return _hmac(key, f"private\n{seat}\n{seq}").hex()[:SALT_DIGITS]


class SeededRandom(Random):
    """The generator that builds boards: HMAC-SHA256 blocks of a key.

    ``getrandbits`` and the methods that use it alone (``randrange``, ``choice``, ``shuffle``) give
    the same numbers on every machine and Python version.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._rest = b""
        # Seeded with anything: every number comes from getrandbits below.
        super().__init__(0)

    def getrandbits(self, k: int, /) -> int:
        """Return a number of k random bits, taken from whole bytes of the stream."""
        size = -(-k // 8)
        while len(self._rest) < size:
            self._rest += _hmac(self._key, f"board\n{self._block}")
            self._block += 1
        taken, self._rest = self._rest[:size], self._rest[size:]
        return int.from_bytes(taken, "big") >> (8 * size - k)

    # Overridden too, or the base class would answer from its own generator.
    def random(self) -> float:
        """Return a float in [0, 1) of 53 random bits."""
        return self.getrandbits(53) * 2.0**-53


def _hmac(key: bytes, message: str) -> bytes:
    return hmac.digest(key, message.encode(), sha256)
