"""The croupier's numbers: even, independent of each other, and the same everywhere."""

from __future__ import annotations

import hmac
from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from referee.matches import croupier
from referee.matches.croupier import SeededRandom

pytestmark = pytest.mark.fast

SEED = bytes(range(32))


def test_seeds_differ() -> None:
    """Every seed is new and has 32 bytes."""
    seeds = {croupier.new_seed() for _ in range(20)}
    assert {len(seed) for seed in seeds} == {32}
    assert len(seeds) == 20


def test_commitment_is_the_sha256_of_the_seed() -> None:
    """Anybody can recompute the commitment with common tools."""
    assert croupier.commitment(b"abc") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def test_key_without_words_is_the_seed() -> None:
    """If nobody gave words, the seed alone decides."""
    assert croupier.chance_key(SEED, {}) == SEED


def test_words_change_the_key_by_seat() -> None:
    """The same word from another seat is another key; the sequence of seats does not matter."""
    one = croupier.chance_key(SEED, {"red": "rain", "blue": "sun"})
    same = croupier.chance_key(SEED, {"blue": "sun", "red": "rain"})
    other = croupier.chance_key(SEED, {"red": "sun", "blue": "rain"})
    assert one == same
    assert len({one, other, SEED}) == 3


def test_key_is_hmac_of_canonical_json() -> None:
    """Words are mixed in as documented, so that others can recompute the key."""
    expected = hmac.digest(SEED, '{"words":{"red":"glück"}}'.encode(), "sha256")
    assert croupier.chance_key(SEED, {"red": "glück"}) == expected


def test_draw_is_the_documented_formula() -> None:
    """The first draw is HMAC-SHA256 of its name, walked through the weights."""
    value = int.from_bytes(hmac.digest(SEED, b"draw\npebbles-7\n1\n0", "sha256"), "big")
    rest = value % 10
    expected = 0 if rest < 1 else 1 if rest < 3 else 2 if rest < 6 else 3
    assert croupier.draw_outcome(SEED, "pebbles-7", 1, [1, 2, 3, 4]) == expected


def test_draw_rejects_numbers_beyond_the_last_whole_multiple() -> None:
    """With a total just above half of all numbers about half are drawn again, none is favoured."""
    half = (1 << 255) + 1
    drawn = [croupier.draw_outcome(SEED, "m-1", number, [half - 1, 1]) for number in range(1, 41)]
    first = [hmac.digest(SEED, f"draw\nm-1\n{n}\n0".encode(), "sha256") for n in range(1, 41)]
    assert any(int.from_bytes(each, "big") >= half for each in first)
    assert drawn == [0] * 40


@pytest.mark.parametrize("weights", [[1] * 6, [1, 2, 3, 4], [5, 0, 5], [97, 3]])
def test_draws_follow_the_weights(weights: list[int]) -> None:
    """Over 6000 draws chi-square stays below its 0.1 % bound, and weight nought never comes."""
    counted = Counter(croupier.draw_outcome(SEED, "m-1", k, weights) for k in range(1, 6001))
    expected = {i: 6000 * weight / sum(weights) for i, weight in enumerate(weights) if weight}
    assert set(counted) == set(expected)
    chi_square = sum((counted[i] - n) ** 2 / n for i, n in expected.items())
    assert chi_square < 20.5


def test_neighbouring_draws_are_independent() -> None:
    """All 16 pairs of draws that follow each other are about equally common."""
    drawn = [croupier.draw_outcome(SEED, "m-1", k, [1] * 4) for k in range(1, 4802)]
    pairs = Counter(pairwise(drawn))
    chi_square = sum((pairs[a, b] - 300) ** 2 / 300 for a in range(4) for b in range(4))
    assert chi_square < 37.7


def test_draw_depends_on_match_and_number() -> None:
    """Other matches and other draws of the same seed give other sequences."""
    sequences = {
        tuple(croupier.draw_outcome(SEED, match, first + k, [1] * 100) for k in range(8))
        for match in ("m-1", "m-2")
        for first in (1, 2)
    }
    assert len(sequences) == 4


@pytest.mark.parametrize("weights", [[], [0, 0], [3, -1]])
def test_draw_refuses_impossible_weights(weights: list[int]) -> None:
    """Weights that allow no draw are a fault of the game."""
    with pytest.raises(ValueError, match="allow no draw"):
        croupier.draw_outcome(SEED, "m-1", 1, weights)


def test_salts_are_all_different() -> None:
    """Every event has a salt of its own: 32 hexadecimal digits."""
    salts = {croupier.salt(SEED, seq) for seq in range(1, 200)}
    assert {len(salt) for salt in salts} == {32}
    assert len(salts) == 199


def test_board_stream_is_the_documented_formula() -> None:
    """The first byte for boards is the first byte of HMAC-SHA256 of ``board`` and block nought."""
    block = hmac.digest(SEED, b"board\n0", "sha256")
    rng = SeededRandom(SEED)
    assert [rng.getrandbits(8) for _ in range(32)] == list(block)
    assert rng.getrandbits(16) == int.from_bytes(
        hmac.digest(SEED, b"board\n1", "sha256")[:2], "big"
    )


def test_board_stream_keeps_its_numbers() -> None:
    """What stands on random bits alone never changes; old records depend on it."""
    rng = SeededRandom(SEED)
    hand = list(range(8))
    rng.shuffle(hand)
    found = [rng.randrange(100), rng.choice("abcdef"), rng.randint(1, 6), *hand]
    again = SeededRandom(SEED)
    other = list(range(8))
    for i in range(7, 0, -1):
        j = _below(again, i + 1)
        other[i], other[j] = other[j], other[i]
    expected = [_below(again, 100), "abcdef"[_below(again, 6)], 1 + _below(again, 6), *other]
    assert found == expected


def test_board_stream_differs_by_key() -> None:
    one, same, other = (SeededRandom(key).getrandbits(64) for key in (SEED, SEED, b"x" * 32))
    assert one == same != other


def test_board_stream_makes_no_bits_of_nothing() -> None:
    """No bits are nought and take nothing from the stream; floats stay within their bounds."""
    rng, same = SeededRandom(SEED), SeededRandom(SEED)
    assert rng.getrandbits(0) == 0
    assert rng.random() == same.random()
    assert all(0 <= rng.random() < 1 for _ in range(100))


def _below(rng: Random, limit: int) -> int:
    """Return a number below a limit, as Python has done since 3.2."""
    while (value := rng.getrandbits(limit.bit_length())) >= limit:
        pass
    return value
