"""Files that come with the project or with a game."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, Literal, Protocol

I18N: Traversable = resources.files("referee.i18n")
"""The folder of languages: each is a folder of its code."""

FALLBACK: Final = "en"
"""The language of whatever has no words in another."""

DISTRIBUTION: Final = "referee-by-mail"
"""The name pip knows the program by; the command itself is ``referee``."""


def advise_extra(extra: Literal["auth", "classics", "demo", "postgres"]) -> str:
    """Return the command that installs what an extra holds."""
    # The distribution itself is installed already, so pip asks no index for that name.
    beside = " (in a checkout: pip install ./classics)" if extra == "classics" else ""
    return f"pip install '{DISTRIBUTION}[{extra}]'{beside}"


class HasResources(Protocol):
    """A game, as far as its files are concerned: its name, and their package or packages."""

    @property
    def name(self) -> str: ...
    @property
    def resources(self) -> str | tuple[str, ...]: ...


@cache
def path(name: str) -> Path:
    """Return the folder ``schemas``, ``templates`` or ``deploy``.

    A wheel carries them in ``referee/share``; in a checkout they are beside the package.
    Raises FileNotFoundError if the installation is incomplete.
    """
    package = Path(__file__).parent
    for candidate in (package / "share" / name, package.parent / name):
        if candidate.is_dir():
            return candidate
    raise FileNotFoundError(f"the folder {name!r} is missing from this installation")


def page(name: str) -> str:
    """Return where an organiser finds a page of ``docs``: a wheel carries theirs."""
    carried = Path(__file__).parent / "share" / "docs" / name
    return str(carried) if carried.exists() else f"docs/{name}"


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema ``schemas/<name>.schema.json``. Raises FileNotFoundError."""
    text = (path("schemas") / f"{name}.schema.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


@cache
def languages() -> tuple[str, ...]:
    """Return the languages there are, English first: a folder each, with ``core.toml``."""
    found = {folder.name for folder in I18N.iterdir() if folder.joinpath("core.toml").is_file()}
    return (FALLBACK, *sorted(found - {FALLBACK}))


@cache
def sentences(language: str) -> dict[str, Any]:
    """Return the core's sentences in a language. Raises FileNotFoundError."""
    text = I18N.joinpath(language, "core.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def keywords(section: str) -> dict[str, str]:
    """Return the key of every word of a section, in all languages; English words go first."""
    return {
        word.casefold(): key
        for language in reversed(languages())
        for key, words in sentences(language).get(section, {}).items()
        for word in words.split()
    }


@cache
def words_for(key: str) -> frozenset[str]:
    """Return the words for a particle, such as ``end``, in all languages."""
    words = " ".join(sentences(language)["particle"].get(key, "") for language in languages())
    return frozenset(words.casefold().split())


@cache
def class_words(*names: str) -> frozenset[str]:
    """Return the words of classes of words around orders, in all languages."""
    classes = [sentences(language)["classes"] for language in languages()]
    words = " ".join(words.get(name, "") for words in classes for name in names)
    return frozenset(words.casefold().split())


def pattern_for(key: str) -> str:
    """Return a pattern of the words for a particle, in all languages."""
    # Of two words that begin alike the longer one comes first.
    return f"(?:{'|'.join(map(re.escape, sorted(words_for(key), reverse=True)))})"


def phrase_pattern(key: str) -> str:
    """Return a pattern of the phrases for something, such as resigning, in all languages."""
    return f"(?:{'|'.join(sentences(language)['phrase'][key] for language in languages())})"


def game_words(game: HasResources, language: str) -> dict[str, Any]:
    """Return a game's words in a language, by section and key.

    They are those of all its packages, an earlier one's before a later one's; else those of the
    language's folder. Raises FileNotFoundError.
    """
    name = f"words/{language}.toml"
    sources = [package.joinpath(name) for package in _packages(game)]
    # What several games share makes none of them a game that speaks a language.
    if not sources[0].is_file():
        return tomllib.loads(I18N.joinpath(language, f"{game.name}.words.toml").read_text("utf-8"))
    words: dict[str, Any] = {}
    for source in reversed([source for source in sources if source.is_file()]):
        for section, said in tomllib.loads(source.read_text(encoding="utf-8")).items():
            words[section] = {**words.get(section, {}), **said}
    return words


def game_rules(game: HasResources, language: str) -> str:
    """Return a game's rules in short in a language. Raises FileNotFoundError."""
    try:
        return game_resource(game, f"rules.{language}.md").decode()
    except FileNotFoundError:
        return I18N.joinpath(language, f"{game.name}.rules.md").read_text(encoding="utf-8")


def game_resource(game: HasResources, name: str) -> bytes:
    """Return a file of a game's own resources, such as ``schemas/order.schema.json``.

    It is that of the first of its packages that has it. Raises FileNotFoundError.
    """
    files = [package.joinpath(name) for package in _packages(game)]
    return next((file for file in files if file.is_file()), files[0]).read_bytes()


def game_boards(game: HasResources) -> list[Traversable]:
    """Return the boards that come along with a game, by name."""
    folders = [package.joinpath("boards") for package in _packages(game)]
    boards = (file for folder in folders if folder.is_dir() for file in folder.iterdir())
    return sorted((file for file in boards if file.name.endswith(".json")), key=lambda f: f.name)


def _packages(game: HasResources) -> list[Traversable]:
    names = game.resources
    return [resources.files(name) for name in ([names] if isinstance(names, str) else names)]
