"""Short rules that ship with games, as blocks of a mail."""

from __future__ import annotations

import json
from functools import cache
from typing import Final, Literal

from referee.games.game import Order
from referee.render.words.wording import Wording
from referee.resources import game_resource, game_rules
from referee.value import Value, replace

AN_ORDER: Final = "{order}"
"""Stands in short rules where an order is shown; mails put one there that is legal."""


class Block(Value):
    """A heading, a paragraph, or the items of a list."""

    kind: Literal["heading", "para", "items"]
    texts: tuple[str, ...]


def rules_blocks(wording: Wording, order: Order) -> tuple[Block, ...]:
    """Return a game's short rules in the wording's language, with an order as an example.

    Empty if the game ships without any. They are the resource ``rules.<language>.md``: headings
    begin with ``## ``, items with ``- ``, and every other line is a paragraph.
    """
    try:
        text = game_rules(wording.game, wording.language)
    except FileNotFoundError:
        return ()
    shown = wording.order(order)
    return tuple(
        replace(block, texts=tuple(text.replace(AN_ORDER, shown) for text in block.texts))
        for block in _blocks(text)
    )


def introduction(wording: Wording, order: Order, seats: int) -> tuple[Block, ...]:
    """Return the first section of a game's rules, for somebody who has never played it.

    Below it stands how many turns a match of so many seats takes, if the game's ``turns.json``
    says so, which bots have measured.
    """
    blocks = rules_blocks(wording, order)
    headings = [at for at, block in enumerate(blocks) if block.kind == "heading"]
    first = blocks[: headings[1]] if len(headings) > 1 else blocks
    try:
        turns = json.loads(game_resource(wording.game, "turns.json")).get(str(seats))
    except FileNotFoundError:
        turns = None
    if not first or turns is None:
        return first
    return (*first, Block("para", (wording.catalogue.say("minute.turns", n=seats, turns=turns),)))


@cache
def _blocks(text: str) -> tuple[Block, ...]:
    blocks: list[Block] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("- "):
            before = blocks.pop().texts if blocks and blocks[-1].kind == "items" else ()
            blocks.append(Block("items", (*before, line[2:])))
        elif line.startswith("## "):
            blocks.append(Block("heading", (line[3:],)))
        else:
            blocks.append(Block("para", (line,)))
    return tuple(blocks)
