"""Short rules that ship with games, as blocks of a mail."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from referee.render.words.wording import Wording
from referee.resources import game_words


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, or the items of a list."""

    kind: Literal["heading", "para", "items"]
    texts: tuple[str, ...]


def rules_blocks(wording: Wording) -> tuple[Block, ...]:
    """Return a game's short rules in the wording's language.

    Empty if the game ships without any. They are the resource ``rules.<language>.md``: headings
    begin with ``## ``, items with ``- ``, and every other line is a paragraph.
    """
    try:
        text = game_words(wording.game, "rules.md", wording.language).decode()
    except FileNotFoundError:
        return ()
    return _blocks(text)


@cache
def _blocks(text: str) -> tuple[Block, ...]:
    found: list[Block] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("- "):
            before = found.pop().texts if found and found[-1].kind == "items" else ()
            found.append(Block("items", (*before, line[2:])))
        elif line.startswith("## "):
            found.append(Block("heading", (line[3:],)))
        else:
            found.append(Block("para", (line,)))
    return tuple(found)
