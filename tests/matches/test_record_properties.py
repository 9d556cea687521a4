"""`record verify` finds whatever is changed in a record, and names the first line that fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import tampering
from support.matches import exported, forged, played, terms
from support.mended import mended_record
from support.mutated import WRONG, Mutated, mutations
from support.tampering import Tampered, nord_record, short_record
from support.thorough import examples, one_of

from referee.games import registry
from referee.matches.record import Verdict, verify_record

MENDED = ("pebbles", "nord", "origo")
FOREIGN = exported(*played(terms()))[4].encode()


def _verdict(lines: Sequence[bytes]) -> Verdict:
    return verify_record(lines, registry.find_installed)


def _misnamed(changed: Tampered) -> str | None:
    """Return what was changed if it is not found just where it was changed.

    Header and closing line hang together: a change of one may show in the other, or in event 1.
    """
    verdict = _verdict(changed.lines)
    last, expected = len(changed.lines), {changed.line}
    if changed.line == 1:
        expected |= {2, last}
    ends = {short_record()[-1], nord_record()[-1], *(mended_record(each)[-1] for each in MENDED)}
    if changed.lines[-1] not in ends:
        expected = {last}
    named = verdict.seq is None or verdict.message.startswith(f"event {verdict.seq}: ")
    found = not verdict.ok and verdict.line in expected and named
    return None if found else f"{changed.how}: {verdict}"


@pytest.mark.parametrize(
    "record",
    [short_record, nord_record, *(partial(mended_record, each) for each in MENDED)],
)
def test_untouched_records_verify(record: Callable[[], tuple[bytes, ...]]) -> None:
    """What is tampered with below holds before."""
    assert _verdict(record()).ok


@pytest.mark.parametrize("every", one_of(4))
def test_every_changed_byte_of_a_short_match_is_found_in_its_line(every: int) -> None:
    """Each byte replaced by another: an event's is found there, not later and not earlier."""
    lines, rng = short_record(), Random(1)
    data = tampering.whole(lines)
    changes = (
        tampering.changed(lines, place, data[place] ^ rng.randrange(1, 256))
        for place in range(0, len(data) - 1, every)
    )
    assert [each for each in map(_misnamed, changes) if each] == []


def test_every_digit_changed_to_another_is_found_in_its_line() -> None:
    """The same for changes that leave the line canonical and fitting the schema."""
    lines = short_record()
    data = tampering.whole(lines)
    digits = [place for place, byte in enumerate(data) if chr(byte).isdecimal()]
    changes = (
        tampering.changed(lines, place, ord("0") + (data[place] - ord("0") + 1) % 10)
        for place in digits
    )
    assert [each for each in map(_misnamed, changes) if each] == []


def test_every_change_of_events_of_a_short_match_is_found_in_its_line() -> None:
    """Events dropped, doubled, swapped, inserted: the first line out of place is named."""
    changes = tampering.every_change_of_events(short_record(), FOREIGN)
    assert [each for each in map(_misnamed, changes) if each] == []


@pytest.mark.parametrize("every", one_of(4))
def test_every_changed_byte_of_what_mends_is_found_in_its_line(every: int) -> None:
    """Bytes all over an undo, a redo, a fix and a reopening, replaced by others."""
    lines, rng = mended_record(), Random(3)
    data = tampering.whole(lines)
    changes = (
        tampering.changed(lines, place, data[place] ^ rng.randrange(1, 256))
        for place in tampering.bytes_of(lines, tampering.MENDING, every=3 * every)
    )
    assert [each for each in map(_misnamed, changes) if each] == []


@pytest.mark.parametrize("every", one_of(4))
def test_every_change_of_events_of_a_mended_match_is_found_in_its_line(every: int) -> None:
    """Events dropped, doubled, swapped, inserted, what mends among them."""
    changes = list(tampering.every_change_of_events(mended_record(), FOREIGN))[::every]
    assert [each for each in map(_misnamed, changes) if each] == []


@settings(max_examples=examples(40), deadline=None)
@given(st.data())
def test_any_change_of_a_mended_match_of_a_real_game_is_found(data: st.DataObject) -> None:
    """A byte, or an event, of a match of Nord or Origo that was taken back, fixed and reopened."""
    lines = mended_record(data.draw(st.sampled_from(["nord", "origo"])))
    place = data.draw(st.integers(0, len(tampering.whole(lines)) - 2))
    byte = data.draw(st.integers(0, 255).filter(lambda n: n != tampering.whole(lines)[place]))
    events = st.integers(1, len(lines) - 2)
    index, second = data.draw(st.lists(events, min_size=2, max_size=2, unique=True))
    changed = data.draw(
        st.sampled_from(
            [
                tampering.changed(lines, place, byte),
                tampering.dropped(lines, index),
                tampering.doubled(lines, index),
                tampering.swapped(lines, index, second),
            ]
        )
    )
    assert _misnamed(changed) is None


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("match", "pebbles-7\n", "$.match"),
        ("started", "2026-11-20T10:00:00Z\n", "$.started"),
        ("started", "2026-02-30T10:00:00Z", "day is out of range"),
    ],
)
def test_header_holds_names_and_moments_that_are_none_other(
    name: str, value: str, says: str
) -> None:
    """A line end behind a value, or a day that never was, is found although all hashes fit."""
    match, log = played(terms(**{name: value}))
    verdict = _verdict([each.encode() for each in exported(match, log)])
    assert (verdict.ok, verdict.line) == (False, 1)
    assert says in verdict.message


@settings(max_examples=examples(50), deadline=None)
@given(st.data())
def test_any_changed_byte_of_nord_is_found_in_its_line(data: st.DataObject) -> None:
    """A byte of a long record replaced by any other."""
    lines = nord_record()
    size = len(tampering.whole(lines)) - 1
    place = data.draw(st.integers(0, size - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda n: n != tampering.whole(lines)[place]))
    assert _misnamed(tampering.changed(lines, place, byte)) is None


@settings(max_examples=examples(50), deadline=None)
@given(st.data())
def test_any_change_of_events_of_nord_is_found_in_its_line(data: st.DataObject) -> None:
    """An event of a long record dropped, doubled, swapped or put in from the same or another."""
    lines, other = nord_record(), nord_record(2)
    events = st.integers(1, len(lines) - 2)
    index, second = data.draw(st.lists(events, min_size=2, max_size=2, unique=True))
    foreign = data.draw(st.integers(1, len(other) - 2).filter(lambda n: other[n] != lines[index]))
    changed = data.draw(
        st.sampled_from(
            [
                tampering.dropped(lines, index),
                tampering.doubled(lines, index),
                tampering.swapped(lines, index, second),
                tampering.inserted(lines, index, other[foreign]),
            ]
        )
    )
    assert _misnamed(changed) is None


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_any_lost_or_added_bytes_are_found(data: st.DataObject) -> None:
    """A stretch of the file cut out, or anything put into it."""
    whole = tampering.whole(short_record())
    start = data.draw(st.integers(0, len(whole) - 1))
    end = data.draw(st.integers(start, min(len(whole), start + 400)))
    new = data.draw(st.binary(max_size=20))
    changed = whole[:start] + new + whole[end:]
    if changed.removesuffix(b"\n") != whole.removesuffix(b"\n"):
        assert not _verdict(tampering.split(changed)).ok


FREE = frozenset({".details.by", ".given", ".practice", ".seat", ".words.red", ".board"})
"""Where a record that says something else can be as true as the one that was changed."""


def test_every_value_of_a_record_is_checked() -> None:
    """With all hashes mended: each value missing or wrong is refused in its line."""
    texts = [line.decode() for line in short_record()]
    documents = [json.loads(text) for text in texts]
    for number, document in enumerate(documents):
        for mutated in _some_mutations(document):
            if re.search(r"\.(hash|previous|seal|arrival|why)$", mutated.place):
                continue

            def change(record: list[Any], number: int = number, mutated: Mutated = mutated) -> None:
                record[number] = mutated.document

            try:
                data = [line.encode() for line in forged(texts, change)]
            except (KeyError, TypeError, ValueError, AttributeError):
                data = [line.encode() for line in texts]
                data[number] = json.dumps(mutated.document).encode()
            verdict = _verdict(data)
            free = mutated.place in FREE and verdict.ok
            assert free or (not verdict.ok and verdict.line), (document["kind"], mutated)
            assert verdict.message.isprintable()


def _some_mutations(document: Any) -> Iterator[Mutated]:
    """Yield each value of a document changed to one or two of the wrong ones, or taken away."""
    changed = list(mutations(document))
    size = len(WRONG) + 1
    for number in range(len(changed) // size):
        chosen = {number * 5 % size, 0 if number % 3 == 0 else number * 7 % size}
        for mutated in (changed[number * size + choice] for choice in chosen):
            if json.dumps(mutated.document, sort_keys=True) != json.dumps(document, sort_keys=True):
                yield mutated
