"""Events as documents, lines and links of a chain."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import resources
from referee.games.play import canonical_json
from referee.matches.events import Event, LoggedDraw, format_head, seal
from referee.value import replace

pytestmark = pytest.mark.fast

KINDS = resources.schema("record")["$defs"]["event"]["properties"]["kind"]["enum"]

TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
NUMBER = st.integers(0, 10**6)
EVENTS = st.builds(
    Event,
    seq=NUMBER,
    kind=st.sampled_from(KINDS),
    turn=NUMBER,
    seat=st.none() | TEXT,
    order=st.none() | TEXT,
    forced=st.booleans(),
    arrival=st.none() | TEXT,
    draw=st.none() | st.builds(LoggedDraw, NUMBER, st.lists(st.tuples(TEXT, NUMBER)).map(tuple)),
    previous=TEXT,
    salt=TEXT,
    details=st.dictionaries(TEXT, NUMBER | TEXT | st.lists(NUMBER), max_size=3),
    digest=st.none() | TEXT,
)


@given(EVENTS)
def test_event_round_trips(event: Event) -> None:
    """An event comes back from its line exactly, and its line from it."""
    again = Event.from_document(json.loads(event.line))
    assert again == event
    assert again.line == event.line


@given(EVENTS)
def test_hash_is_sha256_of_the_line_without_it(event: Event) -> None:
    """Anybody can recompute the hash from the line with common tools."""
    document = json.loads(seal(event).line)
    found = document.pop("hash")
    assert found == sha256(canonical_json(document).encode()).hexdigest()


@given(EVENTS, EVENTS)
def test_different_events_have_different_hashes(one: Event, other: Event) -> None:
    assert (seal(one).hash == seal(other).hash) == (one == other)


@pytest.mark.parametrize("change", [{"colour": 1}, {"salt": None}])
def test_document_with_other_keys_is_no_event(change: dict[str, object]) -> None:
    """A missing or unknown key is named."""
    event = Event(1, "order", 1, "red", "pass", False, None, None, "", "")
    document = event.to_document()
    for name, value in change.items():
        if value is None:
            del document[name]
        else:
            document[name] = 1
    with pytest.raises(ValueError, match=next(iter(change))):
        Event.from_document(document)


def test_head_is_twelve_letters_of_base32() -> None:
    """A head shows the first 60 bits of a hash in groups of four."""
    assert format_head("00443214c74254b635cf84653a56d7c675be77df") == "abcd-efgh-ijkl"
    assert format_head("f" * 64) == "7777-7777-7777"


def test_sealing_twice_changes_nothing() -> None:
    """The hash does not depend on a hash that stood there before."""
    event = seal(Event(1, "order", 1, "red", "pass", False, None, None, "", ""))
    assert seal(event) == event == seal(replace(event, hash="x"))
