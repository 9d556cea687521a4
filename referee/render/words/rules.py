"""Short rules that ship with games, as blocks of a mail."""

from __future__ import annotations

import json
from functools import cache
from typing import Final, Literal

from referee.games.game import Options, Order
from referee.render.words.wording import Wording
from referee.resources import game_resource, game_rules
from referee.value import Value, replace

AN_ORDER: Final = "{order}"
"""Stands in short rules where an order is shown; mails put one there that is legal."""


class Block(Value):
    """A heading, a paragraph, or the items of a list."""

    kind: Literal["heading", "para", "items"]
    texts: tuple[str, ...]

    @property
    def numbered(self) -> bool:
        """Whether it is a heading with a number, by which refusals cite it."""
        return self.kind == "heading" and self.texts[0][:1].isdigit()


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


def options_blocks(wording: Wording, options: Options) -> tuple[Block, ...]:
    """Return the options of a match below their heading."""
    heading = wording.catalogue.say("invitation.options")
    return Block("heading", (heading,)), Block("items", wording.options(options))


def introduction(wording: Wording, order: Order, seats: int, options: Options) -> tuple[Block, ...]:
    """Return the first section of a game's rules, for somebody who has never played it.

    Below it stands how many turns a match of so many seats takes, if the game's ``turns.json``
    says so, which bots have measured: by the number of seats, and where an option makes it longer
    or shorter by that number and the option, such as ``2 size=9x9``. Between two measured numbers
    of an option the turns lie in proportion, and of several options that counts which changes most.
    """
    blocks = rules_blocks(wording, order)
    headings = [at for at, block in enumerate(blocks) if block.kind == "heading"]
    first = blocks[: headings[1]] if len(headings) > 1 else blocks
    try:
        measured = json.loads(game_resource(wording.game, "turns.json"))
    except FileNotFoundError:
        measured = {}
    usual = measured.get(str(seats))
    if not first or usual is None:
        return first
    told = [usual]
    for name, value in options.items():
        start, default = f"{seats} {name}=", wording.game.options[name].default
        known = {
            key.removeprefix(start): taken
            for key, taken in measured.items()
            if key.startswith(start)
        }
        if str(value) in known:
            told.append(known[str(value)])
        # Between no and yes lies nothing.
        elif known and type(value) is int:
            known[str(default)] = usual
            by_number = {int(number): taken for number, taken in known.items()}
            below = max((other for other in by_number if other <= value), default=min(by_number))
            above = min((other for other in by_number if other >= value), default=max(by_number))
            part, least = (value - below) / max(above - below, 1), by_number[below]
            told.append(round(least + part * (by_number[above] - least)))
    # Of several options the one that changes most.
    turns = max(told, key=lambda taken: max(taken / usual, usual / taken))
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
