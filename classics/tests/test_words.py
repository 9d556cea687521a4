"""The words of all games here, as their readers get them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import referee_classics

pytestmark = pytest.mark.fast

HOUSE = Path(str(referee_classics.__file__)).parent
PAGES = sorted([*HOUSE.rglob("words/de.toml"), *HOUSE.rglob("rules.de.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOUSE)))
def test_a_german_reader_is_addressed_with_a_small_du(page):
    """As everywhere in the referee's mails, and never formally."""
    text = page.read_text()
    assert not re.findall(r"[\w,;)“’–%}] (?:Du|Dich|Dir|Dein(?:e|em|en|er|es)?)\b", text)
    assert not re.findall(r"\b(?:Ihnen|Ihre?[mnrs]?)\b", text)
