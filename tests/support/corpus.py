"""The letters in ``tests/corpus``: what each is, what must be understood of it, and what is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from functools import cache
from pathlib import Path
from typing import Any

from referee.desk.letters.understand import understand
from referee.desk.letters.words.lines import Understood
from referee.desk.letters.words.places import Said, documents, places
from referee.games import registry
from referee.games.game import LANGUAGES, AnyGame
from referee.mail.incoming.letter import Letter, read
from referee.mail.incoming.marks import cut

FOLDER = Path(__file__).parents[1] / "corpus"
LETTERS = FOLDER / "letters"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((FOLDER / "expected.toml").read_text())

HOSTILE = tuple(name for name, each in EXPECTED.items() if each.get("malicious"))
"""Letters that want to do harm, or come from robots."""

ORDINARY = tuple(name for name in EXPECTED if name not in HOSTILE)
"""Answers as people and their programs write them."""


@dataclass(frozen=True)
class Lines:
    """What one kind of text of a letter holds: free lines, and the lines of each filled box."""

    free: list[str]
    boxes: list[list[str]]


@cache
def raw(name: str) -> bytes:
    """Return a letter's bytes."""
    return (LETTERS / f"{name}.eml").read_bytes()


@cache
def letter(name: str) -> Letter:
    """Return a letter as it is read."""
    return read(raw(name))


def lines_of(blocks: Sequence[str]) -> Lines:
    """Return what a letter's blocks hold."""
    cuts = [cut(each) for each in blocks]
    free = [line for each in cuts for line in each.free]
    return Lines(free, [list(box.lines) for each in cuts for box in each.boxes if box.lines])


def game_of(name: str) -> AnyGame:
    """Return the game whose orders a letter holds."""
    return registry.find(EXPECTED[name].get("game", "nord"), None)


@cache
def order_words(game: AnyGame) -> list[str]:
    """Return what lines of a game's first orders are made of, in every language."""
    options = {name: option.default for name, option in game.options.items()}
    first = game.start(game.colours[: game.seats[0]], options)
    orders = [*game.orders(first)[:20], *(order for order, _ in game.chance(first)[:20])]
    lines = [game.format(order, language) for order in orders for language in LANGUAGES]
    return sorted({word for line in lines for word in line.split()})


def understood(found: Letter, game: AnyGame) -> tuple[Understood, ...]:
    """Return every place of a letter as the desk hears it: HTML only when nothing else speaks."""
    text, html = places(found)
    json = tuple(each for each in documents(found) if isinstance(each, Said))
    heard = tuple(understand(each, game, "en") for each in text + json)
    if not any(each.says_something for each in heard):
        heard = tuple(understand(each, game, "en") for each in html + json)
    return heard


def outline(name: str) -> tuple[str, str, str]:
    """Return what no two letters share: MIME structure, separator and language."""
    message = BytesParser(policy=compat32).parsebytes(raw(name))
    return " ".join(_structure(message)), _separator(name), EXPECTED[name]["language"]


def parts_of(name: str) -> str:
    """Return the types of a letter's parts and how they lie in each other, and nothing else."""
    message = BytesParser(policy=compat32).parsebytes(raw(name))
    return " ".join(_types(message))


def _types(part: Message) -> Iterator[str]:
    yield part.get_content_type()
    if part.is_multipart():
        yield "("
        for each in part.get_payload():
            yield from _types(each)
        yield ")"


def _structure(part: Message) -> Iterator[str]:
    said = [part.get_content_type(), str(part.get_content_charset())]
    said += [str(part.get("Content-Transfer-Encoding")), str(part.get_content_disposition())]
    said += [f"{key}={part.get_param(key)}" for key in ("format", "delsp") if part.get_param(key)]
    yield "/".join(said).lower()
    if part.is_multipart():
        yield "("
        for each in part.get_payload():
            yield from _structure(each)
        yield ")"


def _separator(name: str) -> str:
    """Return the first line that the person did not write, digits made alike."""
    expected = EXPECTED[name]
    own = {*expected.get("text", []), *expected.get("html", [])}
    for block in letter(name).blocks:
        for line in block.split("\n"):
            plain = " ".join(line.replace("\xa0", " ").split())
            if plain and plain not in own:
                return re.sub(r"\d", "0", plain)
    return ""
