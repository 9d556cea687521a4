"""The letters in ``tests/corpus``: what each is, what must be understood of it, and what is.

Each folder has an ``expected.toml``, written by hand, with these keys for each letter:

- ``model``: the program, the provider or the idea the letter is modelled on
- ``text``, ``html``: the lines its writer wrote outside any box, in the text and the HTML part
- ``boxes``, ``html_boxes``: the lines of each order box filled in
- ``orders``, ``commands``: the words the desk reads in it, in English
- ``json``: the values of its documents, "fault" for one that cannot be used
- ``sender``, ``automatic``, ``truncated``, ``malicious``, ``game``

``text``, ``html`` and ``json`` are asked only where they stand there. Usual, and left out, are
``sender`` alice@example.org ("" for none), ``game`` nord, no commands, and false for the others.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from functools import cache
from pathlib import Path
from typing import Any, Final

from referee.desk.letters.understand import understand
from referee.desk.letters.words.phrases import Tongue
from referee.desk.letters.words.places import Understood, documents_of, places_of
from referee.games import registry
from referee.games.game import LANGUAGES, AnyGame
from referee.mail.incoming.letter import Letter, read_letter
from referee.mail.incoming.marks import cut

CORPUS: Final = Path(__file__).parents[1] / "corpus"
KINDS: Final = ("clients", "hostile", "robots", "encodings", "bounces")
"""The folders of letters."""

LETTERS: Final[dict[str, dict[str, dict[str, Any]]]] = {
    each: tomllib.loads((CORPUS / each / "expected.toml").read_text()) for each in KINDS
}
"""The expectations of each folder, by letter."""

FOLDER_OF: Final = {name: CORPUS / kind for kind in KINDS for name in LETTERS[kind]}
EXPECTED: Final = {name: each for kind in KINDS for name, each in LETTERS[kind].items()}

HOSTILE: Final = tuple(name for name, each in EXPECTED.items() if each.get("malicious"))
"""Letters that want to do harm, or come from robots."""

ORDINARY: Final = tuple(name for name in EXPECTED if name not in HOSTILE)
"""Answers as people and their programs write them."""

USUAL: Final = {
    "commands": [],
    "sender": "alice@example.org",
    "automatic": False,
    "truncated": False,
}
"""Expected of a letter of which its folder says nothing else."""


@cache
def raw(name: str) -> bytes:
    """Return a letter's bytes."""
    return (FOLDER_OF[name] / f"{name}.eml").read_bytes()


@cache
def letter(name: str) -> Letter:
    """Return a letter as it is read."""
    return read_letter(raw(name))


def check(name: str) -> None:
    """Assert that everything asked about a letter is understood as its folder expects."""
    expected = USUAL | EXPECTED[name]
    for lines, boxes in (("text", "boxes"), ("html", "html_boxes")):
        if expected.keys() & {lines, boxes}:
            expected = {lines: [], boxes: []} | expected
    found = found_in(name)
    asked = found.keys() & expected.keys()
    assert {key: found[key] for key in asked} == {key: expected[key] for key in asked}


def found_in(name: str) -> dict[str, Any]:
    """Return everything understood of a letter, under the keys of its expectation."""
    found, game = letter(name), game_of(name)
    places = understood(found, game)
    text, boxes = lines_of(found.text)
    html, html_boxes = lines_of(found.html_text)
    return {
        "text": text,
        "boxes": boxes,
        "html": html,
        "html_boxes": html_boxes,
        "orders": [
            game.format(line.order, "en")
            for each in places
            for line in each.lines
            if line.order is not None and not line.spoken
        ],
        "commands": [command.word for each in places for command in each.commands],
        "json": [each.value if each.fault is None else "fault" for each in found.json],
        "sender": found.sender or "",
        "automatic": found.automatic,
        "truncated": found.truncated,
    }


def lines_of(blocks: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the free lines of a letter's blocks, and those of each box filled in."""
    cuts = [cut(each) for each in blocks]
    free = [line for each in cuts for line in each.free]
    return free, [list(box.lines) for each in cuts for box in each.boxes if box.lines]


def game_of(name: str) -> AnyGame:
    """Return the game whose orders a letter holds."""
    return registry.find_installed(EXPECTED[name].get("game", "nord"), None)


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
    text, html = places_of(found)
    json, _ = documents_of(found)
    heard = tuple(understand(each, Tongue(game, "en")) for each in text + json)
    if not any(each.says_something for each in heard):
        heard = tuple(understand(each, Tongue(game, "en")) for each in html + json)
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
