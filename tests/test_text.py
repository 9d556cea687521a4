"""Small helpers for sentences."""

from __future__ import annotations

import pytest

from referee.text import LONGEST_QUOTE, short

pytestmark = pytest.mark.fast


def test_a_foreign_text_that_is_cut_says_so() -> None:
    """Also one that is made printable first."""
    for text in ("a" * 300, "a" * 165 + "\n" + "b" * 100, "\x00" * 300):
        assert len(short(text)) == LONGEST_QUOTE
        assert short(text).endswith("…")
    assert short("a\nb") == "a\\nb"
