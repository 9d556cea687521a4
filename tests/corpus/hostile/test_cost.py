"""How much time hostile letters cost: never more than in proportion to their size."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.corpus import order_words, understood
from support.cost import cost, in_proportion
from support.hostile import HEAD, HTML, MIXED, SHAPES, enormous
from support.thorough import examples, some

from referee.games import registry
from referee.games.game import AnyGame, Unreadable
from referee.games.notation import LONGEST_LINE
from referee.mail.incoming.letter import Limits, read_letter
from referee.mail.incoming.marks import cut

GAMES = registry.installed_games().all()

FIRST_GAME = pytest.mark.parametrize(
    "game", some(GAMES[:1], GAMES[1:]), ids=lambda game: f"{game.name}-{game.edition}"
)
"""One game here, and the others in the soak."""


def read_and_cut(raw: bytes) -> None:
    for block in read_letter(raw).blocks:
        cut(block)


@pytest.mark.parametrize("shape", SHAPES)
def test_reading_costs_time_in_proportion(shape: str) -> None:
    """Reading a hostile letter costs at most 2.5 times for twice the size."""
    assert in_proportion(SHAPES[shape], read_and_cut)


@FIRST_GAME
@pytest.mark.parametrize("shape", ["orders", "list marks", "ligatures", "commands", "json"])
def test_understanding_costs_time_in_proportion(shape: str, game: AnyGame) -> None:
    """So does reading its lines as orders and commands, in every game."""
    assert in_proportion(SHAPES[shape], lambda raw: understood(read_letter(raw), game))


PIECES = st.sampled_from([
    b"On Mon, 23 Nov 2026 a@b wrote:", b"--- moor-7 \xc2\xb7 referee ---", b"=== moor-7 \xc2\xb7 ",
    b"K7PQ-M2XD ===", b"From: x", b"> ", b"\n", b" ", b"{", b'"', b"(", b"--", b"==", b"referee",
    b"<div>", b"</div>", b"<blockquote>", b"<p style='", b"&", b"<!--", b"--b\n", b"=?utf-8?q?",
    b"\xef\xb7\xba", b"place D6", b"1. ", b"and ",
])  # fmt: skip
PATTERNS = st.lists(PIECES | st.binary(min_size=1, max_size=4), min_size=1, max_size=6).map(
    b"".join
)
BEGINNINGS = st.sampled_from([HEAD + b"\n", HEAD + HTML, HEAD + MIXED, HEAD + b"Subject: "])


@settings(max_examples=examples(25), deadline=None)
@given(BEGINNINGS, PATTERNS)
def test_any_pattern_costs_time_in_proportion(beginning: bytes, pattern: bytes) -> None:
    """Whatever is repeated costs at most 2.5 times for twice as often."""
    assert in_proportion(lambda size: beginning + pattern * (size // len(pattern)), read_and_cut)


@FIRST_GAME
@settings(max_examples=examples(6), deadline=None)
@given(data=st.data())
def test_any_lines_are_understood_in_proportion(game: AnyGame, data: st.DataObject) -> None:
    """Lines of a game's own words and of junk cost at most 2.5 times for twice as many."""
    word = st.sampled_from(order_words(game)) | st.text(min_size=1, max_size=4)
    lines = data.draw(st.lists(st.lists(word, min_size=1, max_size=30), min_size=1, max_size=5))
    pattern = "".join(" ".join(line) + "\n" for line in lines).encode("utf-8", "replace")

    def shape(size: int) -> bytes:
        return HEAD + b"\n" + pattern * (size // len(pattern))

    assert in_proportion(shape, lambda raw: understood(read_letter(raw), game))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}-{game.edition}")
@given(pattern=st.text(min_size=1, max_size=20))
@settings(max_examples=examples(25), deadline=None)
def test_no_line_takes_a_notation_long(game: AnyGame, pattern: str) -> None:
    """The longest line of any pattern, alone or behind a keyword, is read within 100 ms."""

    def work(line: str) -> None:
        try:
            game.parse(line, "de")
        except Unreadable:
            return

    keywords = [word for word in game.order_types if word]
    for line in (pattern, f"{keywords[0]} {pattern}"):
        longest = (line * LONGEST_LINE)[:LONGEST_LINE]
        assert any(cost(lambda line=longest: work(line)) < 0.1 for _ in range(8))


@pytest.mark.parametrize("run", ["!", " ", "- ", "( ", ":) "])
def test_no_courtesy_takes_long(run: str) -> None:
    """The longest lines of greetings and signs are understood in a fraction of a second."""
    greeting = "hi hi hi hi hi hi hi a"
    line = f"{greeting}{run * 990}"[: Limits().line - 1] + "a"
    letter = read_letter(HEAD + b"\n" + f"{line}\n".encode() * 10)
    assert cost(lambda: understood(letter, GAMES[0])) < 0.5


def test_fifty_megabytes_are_not_read() -> None:
    """Of an enormous letter the first ten megabytes are looked at, in a few seconds."""
    raw = enormous()
    assert len(raw) > 50_000_000
    begun = time.process_time()
    letter = read_letter(raw)
    assert time.process_time() - begun < 5
    assert letter.truncated
