"""The words and drawings of games, which are no code: each package's ``data.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

SHARED: Final = "referee_classics.shared"
"""The package of words, schemas and drawings that all games here share."""

_TURKISH: Final = str.maketrans("ıİ", "ii")


@cache
def data(package: str) -> dict[str, Any]:
    """Return the data of a package, by section."""
    text = resources.files(package).joinpath("data.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def signs_by_word(package: str, section: str) -> dict[str, str]:
    """Return signs by word, or by letter where the package lists letters in one string."""
    listed = data(package)[section].items()
    return {word: sign for sign, said in listed for word in said}


def folded(text: str) -> str:
    """Return a text in small letters; of the i's of Turkish too, which patterns take for an i."""
    return text.translate(_TURKISH).casefold()


@cache
def whole(package: str, text: str) -> str:
    """Return a pattern as one line; in braces stands the name of a part, or of listed words.

    Lines of a pattern may be indented by four spaces, so that no four stand in one.
    """

    def named(name: re.Match[str]) -> str:
        if part := data(package).get("parts", {}).get(name[1]):
            return whole(package, part)
        # Of two words that begin alike the longer one is tried first.
        return "|".join(sorted(signs_by_word(package, name[1]), key=len, reverse=True))

    return re.sub(r"\{([a-z]+)\}", named, re.sub(r"\n? {4}", "", text))


def patterns(package: str, section: str) -> dict[str, re.Pattern[str]]:
    """Return the patterns that a package lists in a section, by name; case does not matter."""
    listed = data(package)[section].items()
    return {name: re.compile(whole(package, text), re.IGNORECASE) for name, text in listed}


def retold(package: str, line: str, own: Iterable[Sequence[str]] = ()) -> str:
    """Return a line with the signs in it for words: a game's own, then its package's ``told``.

    Case matters, unless the package asks for ``small`` letters or a pattern says ``(?i)``.
    """
    line = line.casefold() if data(package).get("small") else line
    for words, sign in (*own, *data(package)["told"]):
        line = re.sub(whole(package, words), sign, line)
    return line


STROKES: Final[Mapping[str, str]] = data(SHARED)["strokes"]
"""Letters as lines, for pieces that bear one: pictures have no signs but those they draw."""
