"""The words and drawings of games, which are no code: each package's ``data.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

SHARED: Final = "referee_classics.shared"
"""The package of words, schemas and drawings that all games here share."""


@cache
def data(package: str) -> dict[str, Any]:
    """Return the data of a package, by section."""
    text = resources.files(package).joinpath("data.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def signs_by_word(package: str, section: str) -> dict[str, str]:
    """Return the sign of every word, or of every letter, that a package lists by its signs."""
    listed = data(package)[section].items()
    return {word: sign for sign, said in listed for word in said}


STROKES: Final[Mapping[str, str]] = data(SHARED)["strokes"]
"""Letters as lines, for pieces that bear one: pictures have no signs but those they draw."""
