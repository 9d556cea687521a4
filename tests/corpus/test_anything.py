"""Whatever arrives is read, cut, understood and refused in order, and never an exception."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.corpus import EXPECTED, order_words, raw, understood
from support.hostile import HEAD
from support.thorough import examples

from referee.desk.letters.understand import understand
from referee.desk.letters.words.keywords import read_command, read_commands
from referee.desk.letters.words.places import documents_of, places_of
from referee.games import registry
from referee.games.game import LANGUAGES, AnyGame, Unreadable
from referee.mail.incoming.letter import read_letter
from referee.mail.incoming.marks import cut

GAMES = registry.installed_games().all()
NAMES = [f"{game.name}-{game.edition}" for game in GAMES]
LETTERS = [raw(name) for name in EXPECTED]

SPLICES = st.tuples(
    st.sampled_from(LETTERS),
    st.sampled_from(LETTERS),
    st.floats(0, 1),
    st.floats(0, 1),
    st.binary(max_size=8),
)
LINES = st.text(max_size=60) | st.sampled_from([
    "=== moor-7 · turn 1 · red · K7PQ-M2XD ===", "=== end ===", "--- moor-7 · referee ---",
    "--- end of moor-7 · referee ---", "> ", "place D6 D7", "message all", "end", "{",
    '"orders": [', "On 3 Nov 2026 Bob wrote:", "From: x", "Date: y", "To: z", "-- ", "luck",
])  # fmt: skip
ODD_WORDS = ("", "and", "1.", "·", "“", "*", ":", "?", "\0", "\u200b", "Z99", "-1")
KEYS = st.sampled_from(["order", "orders", "code", "match", "turn", "kind", "x"])


def storable(text: str) -> bool:
    """Tell whether a text can be kept: no NUL, no character that UTF-8 lacks."""
    return "\0" not in text and text.encode("utf-8") is not None


@settings(max_examples=examples(120), deadline=None)
@given(SPLICES)
def test_half_a_letter_and_half_another_is_a_letter(
    splice: tuple[bytes, bytes, float, float, bytes],
):
    """The beginning of one letter and the end of another, with junk between, is understood."""
    one, other, head, tail, junk = splice
    spliced = one[: int(len(one) * head)] + junk + other[int(len(other) * tail) :]
    letter = read_letter(spliced)
    for game in GAMES:
        for place in understood(letter, game):
            assert all(storable(line.text) for line in place.lines)
    assert all(map(storable, [letter.thread.subject, *letter.senders, *letter.references]))


@settings(max_examples=examples(120), deadline=None)
@given(st.binary(max_size=400), st.sampled_from([b"", b"\n", b"text/html", b"application/json"]))
def test_any_body_is_understood(body: bytes, kind: bytes) -> None:
    """Any bytes behind good headers are understood as something, or as nothing."""
    letter = read_letter(
        HEAD + (b"Content-Type: " + kind if len(kind) > 1 else b"X: ") + b"\n\n" + body
    )
    for said in (*places_of(letter)[0], *places_of(letter)[1]):
        assert understand(said, None).says_something in {True, False}
    assert sum(map(len, documents_of(letter))) <= 5
    assert all(place.lines is not None for game in GAMES for place in understood(letter, game))


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(LINES, max_size=20))
def test_lines_are_cut_and_read_as_commands(lines: list[str]) -> None:
    """Every line is free, in a box or dropped; reading commands loses none of the free ones."""
    found = cut("\n".join(lines))
    assert all(line == " ".join(line.split()) != "" for line in found.free)
    pieces, starts = read_commands(found.free)
    assert len(pieces) == len(starts)
    assert list(starts) == sorted(set(starts))
    assert all(isinstance(each, str) or each.word for each in pieces)
    assert all(read_command(line) is None or line for line in lines)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@settings(max_examples=examples(80), deadline=None)
@given(data=st.data(), language=st.sampled_from(LANGUAGES))
def test_any_line_is_an_order_or_unreadable(game: AnyGame, data: st.DataObject, language: str):
    """Words of a game in any order are an order that reads back as written, or Unreadable."""
    words = st.sampled_from([*order_words(game), *ODD_WORDS]) | st.text(max_size=3)
    line = " ".join(data.draw(st.lists(words)))
    try:
        order = game.parse(line, language)
    except Unreadable as fault:
        assert fault.code  # noqa: PT017 - both outcomes are right
        return
    assert not line.lstrip().startswith("·")
    assert game.parse(game.format(order, language), language) == order


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@settings(max_examples=examples(60), deadline=None)
@given(document=st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
))  # fmt: skip
def test_any_document_is_orders_or_faults(game: AnyGame, document: object) -> None:
    """Any JSON value is a submission, or is told what is wrong with it."""
    body = json.dumps({"orders": document} if not isinstance(document, dict) else document)
    letter = read_letter(HEAD + b"Content-Type: application/json\n\n" + body.encode())
    for place in understood(letter, game):
        assert all(fault.path.startswith("$") and fault.code for fault in place.faults)
