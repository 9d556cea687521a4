"""Values worded as sentences, by catalogues of core and games.

A catalogue is a TOML file of Jinja2 strings for one language; a value's fields are the variables of
its string.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from jinja2 import StrictUndefined, Template, TemplateError, meta
from jinja2.runtime import LoopContext
from jinja2.sandbox import SandboxedEnvironment

from referee.games.game import (
    CHANCE,
    LANGUAGES,
    AnyGame,
    Fact,
    Options,
    Order,
    Refusal,
    Seat,
    Sentence,
    Unreadable,
)
from referee.games.play import complete_options
from referee.games.policies import Expired
from referee.render.layout import capital, clean, clean_value
from referee.resources import FALLBACK, game_words, sentences

MOST_SAID: Final = 4096
"""Sentences remembered of a catalogue, since many recur."""

"""The language used in place of a missing one."""

Fields = Mapping[str, Any]


class MissingWording(Exception):
    """A sentence is missing or cannot be filled in; names its place."""

    def __init__(self, source: str, language: str, section: str, key: str, why: str = "") -> None:
        reason = why or "there is no such entry"
        super().__init__(f"wording of {source}, {language}.toml, [{section}] {key}: {reason}")
        self.source = source
        self.language = language
        self.section = section
        self.key = key


_NO_STRINGS: Final[Mapping[str, Any]] = MappingProxyType({})


class _Environment(SandboxedEnvironment):
    """The sandbox of all strings, quick for the commonest lookups."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return a field of a JSON object or loop. Else the sandbox decides."""
        # A field of plain JSON needs no check, unless it is named like a method.
        if type(obj) is dict and attribute in obj and not hasattr(dict, attribute):
            return obj[attribute]
        if type(obj) is LoopContext and attribute in {"first", "last", "index"}:
            return getattr(obj, attribute)
        return super().getattr(obj, attribute)


class _Book:
    """One catalogue, its strings compiled when first used."""

    def __init__(self, source: str, language: str, document: dict[str, Any]) -> None:
        self.source = source
        self.language = language
        self.document = document
        # Strict: a field missing from a sentence is a fault to find in tests, not a blank in a
        # mail.
        self.environment = _Environment(autoescape=False, undefined=StrictUndefined)
        self.environment.filters["capital"] = capital
        self.over: dict[str, str | None] = {}
        self._compiled: dict[tuple[str, str], Template] = {}
        self._said: dict[tuple[str, str, str], str] = {}

    def read_facts(self) -> None:
        """Parse the ``[facts]`` section: sentences, and fields they merge over."""
        said = {}
        for key, entry in self.document.get("facts", {}).items():
            if not isinstance(entry, dict) or not {"say"} <= set(entry) <= {"say", "over"}:
                raise self.missing("facts", key, "it must be a table with `say`, perhaps `over`")
            if not isinstance(entry["say"], str) or not self.has("fact", key):
                raise self.missing("facts", key, f"`say` and [fact] {key} must be strings")
            if (over := entry.get("over")) not in (None, *self._variables("fact", key)):
                raise self.missing("facts", key, f"[fact] {key} has no field {over!r}")
            said[key], self.over[key] = entry["say"], over
        self.document["facts"] = said

    def _variables(self, section: str, key: str) -> set[str]:
        try:
            parsed = self.environment.parse(self.document[section][key])
        except TemplateError as error:
            raise self.missing(section, key, str(error)) from error
        return meta.find_undeclared_variables(parsed)

    def has(self, section: str, key: str) -> bool:
        return isinstance(self.document.get(section, {}).get(key), str)

    def say(self, section: str, key: str, fields: Fields) -> str:
        """Return a string filled in. Most are single words, or known from before."""
        source = self.document.get(section, _NO_STRINGS).get(key)
        # Most entries are single words, which need no template.
        if isinstance(source, str) and "{" not in source:
            return source.strip()
        try:
            # As JSON, because 1, True and 1.0 are equal as keys but are worded differently.
            place = (section, key, json.dumps(dict(fields)))
        except (TypeError, ValueError):
            return self._filled(section, key, fields)
        said = self._said.get(place)
        if said is None:
            if len(self._said) >= MOST_SAID:
                self._said.clear()
            said = self._said[place] = self._filled(section, key, fields)
        return said

    def _filled(self, section: str, key: str, fields: Fields) -> str:
        try:
            rendered = self._template(section, key).render(
                # All fields are tamed here, once for every sentence, so that none can be forgotten.
                {name: clean_value(value) for name, value in fields.items()}
            )
        except TemplateError as error:
            raise self.missing(section, key, str(error)) from error
        return rendered.strip()

    def tables(self, section: str, key: str) -> list[dict[str, Any]]:
        found = self.document.get(section, {}).get(key)
        if not isinstance(found, list):
            raise self.missing(section, key, "")
        return found

    def entries(self) -> frozenset[tuple[str, str]]:
        return frozenset(
            (section, key) for section, strings in self.document.items() for key in strings
        )

    def _template(self, section: str, key: str) -> Template:
        place = (section, key)
        if place not in self._compiled:
            if not self.has(section, key):
                raise self.missing(section, key, "")
            source = self.document[section][key]
            found = self._compiled[place] = self.environment.from_string(source)
            # A chain of mappings, as it is, would be copied slowly for each sentence.
            found.globals = dict(found.globals)
        return self._compiled[place]

    def missing(self, section: str, key: str, why: str) -> MissingWording:
        return MissingWording(self.source, self.language, section, key, why)


class Catalogue:
    """The core's own sentences in one language, or in English instead."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else FALLBACK
        self._book = _core(self.language)

    def say(self, key: str, **fields: object) -> str:
        """Return the sentence under ``section.key``. Raises MissingWording."""
        section, _, name = key.partition(".")
        return self._book.say(section, name, fields)

    def has(self, key: str) -> bool:
        """Whether there is a sentence under ``section.key``."""
        section, _, name = key.partition(".")
        return self._book.has(section, name)

    def entries(self) -> frozenset[tuple[str, str]]:
        """Return section and key of every entry."""
        return self._book.entries()

    def joined(self, items: Iterable[object]) -> str:
        """Return items as an enumeration: ``D6, D7 and E7``."""
        texts = [str(each) for each in items]
        if len(texts) < 2:
            return "".join(texts)
        return self.say("list.last", first=", ".join(texts[:-1]), last=texts[-1])

    def keyword(self, command: str) -> str:
        """Return the word a command is written with."""
        section = "particle" if self.has(f"particle.{command}") else "keyword"
        return self.say(f"{section}.{command}").split()[0]

    @property
    def locale(self) -> str:
        """The locale of moments and numbers, as CLDR names it."""
        return self.say("language.locale")

    @property
    def commands(self) -> list[tuple[str, str]]:
        """The commands a player may write, each with a line about it."""
        return [(each["order"], each["about"]) for each in self._book.tables("help", "commands")]


class Wording:
    """The sentences of a game in one language, or in English instead.

    Every method raises MissingWording when the game's catalogue lacks the entry or its string names
    a field that the value does not have.
    """

    def __init__(self, game: AnyGame, language: str) -> None:
        self.game = game
        self.catalogue = Catalogue(language)
        self.language = self.catalogue.language
        self._book = _of(game, self.language)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wording) and self._book is other._book

    def __hash__(self) -> int:
        return hash((self._book.source, self.language))

    def fact(self, fact: Fact) -> str:
        """Return a fact as a sentence."""
        return capital(self._book.say("fact", fact.fact, fact.fields))

    def facts(self, facts: Iterable[Fact]) -> list[str]:
        """Return facts in sentences, merging those that differ in one field only.

        Facts without a break whose kinds all stand under ``[facts]`` are merged where kind,
        audience and all fields but the one that entry names are the same; the first of them says
        where. ``count`` is how many they are.
        """
        told: list[str] = []
        # Only neighbours are merged: a sentence must not jump over another fact.
        for merge, stretch in groupby(facts, lambda each: self._book.has("facts", each.fact)):
            tell = self._merged if merge else self._each
            told += tell(stretch)
        return told

    def _each(self, stretch: Iterable[Fact]) -> Iterator[str]:
        return map(self.fact, stretch)

    def _merged(self, stretch: Iterable[Fact]) -> Iterator[str]:
        alike: dict[tuple[object, ...], list[Fact]] = {}
        for each in stretch:
            over = self._book.over[each.fact]
            rest = {name: value for name, value in each.fields.items() if name != over}
            # As JSON, since lists cannot be keys, and with the audience, which a merged fact must
            # share.
            place = each.fact, each.audience, over in each.fields, json.dumps(rest, sort_keys=True)
            alike.setdefault(place, []).append(each)
        return map(self._at_once, alike.values())

    def _at_once(self, facts: Sequence[Fact]) -> str:
        first, over = facts[0], self._book.over[facts[0].fact]
        if len(facts) == 1:
            return self.fact(first)
        fields = {**first.fields, "count": len(facts)}
        if over is not None and over in first.fields:
            fields[over] = [each.fields[over] for each in facts]
        return capital(self._book.say("facts", first.fact, fields))

    def refusal(self, refusal: Refusal) -> str:
        """Return a refusal's reason in the game's words, else the core's.

        The orders that could be played instead are left to the reader of the refusal.
        """
        fields = {"rule": refusal.rule, **refusal.fields}
        if self._book.has("refusal", refusal.code):
            return capital(self._book.say("refusal", refusal.code, fields))
        seat = fields.get("seat")
        worded = fields | {"seat": self.seat(str(seat)) if seat else None}
        return capital(self.catalogue.say(f"refusal.{refusal.code}", **worded))

    def unreadable(self, error: Unreadable) -> str:
        """Return why a line is unreadable. In the game's words, else in the core's."""
        if self._book.has("unreadable", error.code):
            return self._book.say("unreadable", error.code, error.fields)
        return self.catalogue.say(f"unreadable.{error.code}", **error.fields)

    def expired(self, expired: Expired) -> str:
        """Return why a standing order can no longer apply. The words are part of a sentence."""
        return self._book.say("expired", expired.code, expired.fields)

    def sentence(self, sentence: Sentence) -> str:
        """Return a sentence of a panel."""
        return capital(self._book.say("sentence", sentence.key, sentence.fields))

    def word(self, section: str, key: str) -> str:
        """Return a word that takes no fields."""
        return self._book.say(section, key, {})

    def has(self, section: str, key: str) -> bool:
        """Whether the game's catalogue has an entry."""
        return self._book.has(section, key)

    def ending(self, key: str) -> str:
        """Return the way the match came to its end.

        Endings that any game can have are named by the core.
        """
        if not self.has("ending", key) and self.catalogue.has(f"ending.{key}"):
            return self.catalogue.say(f"ending.{key}")
        return self.word("ending", key)

    def seat(self, seat: Seat) -> str:
        """Return a colour's name. The core names chance, unless the game does."""
        if seat == CHANCE and not self.has("seat", seat):
            return self.catalogue.say("seat.chance")
        return self.word("seat", seat)

    def order(self, order: Order) -> str:
        """Return an order as a line of text."""
        return clean(self.game.format(order, self.language))

    def help_orders(
        self, options: Options | None = None, legal: Iterable[Order] = ()
    ) -> list[tuple[str, str]]:
        """Return the game's orders by example, each with a line about it.

        Those of a match with certain options, and of the kinds that are ``legal`` in it now,
        which its board may bring about; without options all there are.
        """
        return self._examples("orders", options, legal)

    def help_policies(self, options: Options | None = None) -> list[tuple[str, str]]:
        """Return the game's own standing orders likewise, if it knows any."""
        return self._examples("policies", options) if self.game.policies else []

    def _examples(
        self, key: str, options: Options | None, legal: Iterable[Order] = ()
    ) -> list[tuple[str, str]]:
        kinds = {type(each): each for each in legal}
        words = {self.order(each).split()[0] for each in kinds.values()}
        return [
            (each["order"], each["about"])
            for each in self._book.tables("help", key)
            if options is None
            or each.get("option", {}).items() <= options.items()
            or each["order"].split()[0] in words
        ]

    def entries(self) -> frozenset[tuple[str, str]]:
        """Return section and key of every entry."""
        return self._book.entries()


def catalogue_of(words: Wording | Catalogue) -> Catalogue:
    """Return the core's sentences in the language of either."""
    return words.catalogue if isinstance(words, Wording) else words


_BOOKS: Final[dict[tuple[str, int, str, str], _Book]] = {}


def _of(game: AnyGame, language: str) -> _Book:
    # With the resources: tests may have two games of one name.
    place = (game.name, game.edition, language, game.resources)
    if place not in _BOOKS:
        document = tomllib.loads(_words_of(game, language).decode())
        book = _Book(game.name, language, document)
        _add_filters(book, Catalogue(language))
        # Checked while it is loaded, so that a broken catalogue shows at once and not in some mail.
        book.read_facts()
        _check_options(book, game)
        _BOOKS[place] = book
    return _BOOKS[place]


def _words_of(game: AnyGame, language: str) -> bytes:
    """Return a game's words, in English if it has no others."""
    try:
        return game_words(game, "words.toml", language)
    except FileNotFoundError:
        return game_words(game, "words.toml", FALLBACK)


def _check_options(book: _Book, game: AnyGame) -> None:
    """Check that examples are for options the game has. Raises MissingWording."""
    for key in ("orders", "policies"):
        for each in book.document.get("help", {}).get(key, ()):
            if option := each.get("option"):
                if not isinstance(option, dict):
                    raise book.missing("help", key, "`option` must be a table")
                try:
                    complete_options(game, option)
                except ValueError as error:
                    raise book.missing("help", key, str(error)) from error


@cache
def _core(language: str) -> _Book:
    return _Book("the core", language, sentences(language))


def _add_filters(book: _Book, catalogue: Catalogue) -> None:
    """Give a game's strings the filters ``seat``, ``ground``, ``mark`` and ``list``."""

    # A game's strings name seats by key, and are worded in the reader's language here.
    def seat(value: object) -> str:
        if value == CHANCE and not book.has("seat", CHANCE):
            return catalogue.say("seat.chance")
        return book.say("seat", str(value), {})

    book.environment.filters["seat"] = seat
    book.environment.filters["ground"] = lambda value: book.say("ground", str(value), {})
    book.environment.filters["mark"] = lambda value: book.say("mark", str(value), {})
    book.environment.filters["list"] = catalogue.joined
