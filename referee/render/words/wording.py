"""Values worded as sentences, by catalogues of core and games.

A catalogue is a TOML file of Jinja2 strings for one language; a value's fields are the variables of
its string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby
from typing import Any, Final, Literal

from jinja2 import StrictUndefined, Template, TemplateError, meta
from jinja2.runtime import LoopContext
from jinja2.sandbox import SandboxedEnvironment

from referee.games.game import (
    CHANCE,
    LANGUAGES,
    AnyGame,
    Cell,
    CellValue,
    Face,
    Fact,
    Json,
    Mark,
    Options,
    Order,
    Refusal,
    Result,
    Seat,
    Sentence,
    Unreadable,
    Word,
)
from referee.games.play import complete_options
from referee.games.policies import Expired
from referee.render.layout import LONGEST_PARAGRAPH, Joined, capital, clean, clean_value
from referee.resources import FALLBACK, game_words, sentences
from referee.value import replace

_NOTHING: Final = "–"
"""Stands in a table where there is no value."""

MOST_SAID: Final = 4096
"""Sentences remembered of a catalogue, since many recur."""


class MissingWording(Exception):
    """A sentence is missing or cannot be filled in; its text names the place."""


_DISTINCT: Final = frozenset({str, Joined, int, type(None)})
"""Types of fields whose values are worded alike whenever they are equal."""


class _Environment(SandboxedEnvironment):
    """The sandbox of all strings, quick for the commonest lookups."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return a field of a JSON object or loop; of all else the sandbox decides."""
        # A field of plain JSON needs no check, unless it is named like a method.
        if type(obj) is dict and attribute in obj and not hasattr(dict, attribute):
            return obj[attribute]
        if type(obj) is LoopContext and attribute in {"first", "last", "index"}:
            return getattr(obj, attribute)
        return super().getattr(obj, attribute)


class Book:
    """One catalogue, its strings compiled when first used."""

    def __init__(self, source: str, language: str, document: dict[str, Any]) -> None:
        self.source = source
        self.language = language
        self.document = document
        # Strict: a field missing from a sentence is a fault to find in tests, not a blank in a
        # mail.
        self.environment = _Environment(autoescape=False, undefined=StrictUndefined)
        self.environment.filters["capital"] = capital
        locale = sentences(language)["language"]["locale"]
        self.environment.filters["plural"] = partial(plural, locale)
        self.over: dict[str, str | None] = {}
        self.signs: dict[str, str] = {}
        self._compiled: dict[tuple[str, str], Template] = {}
        self._said: dict[tuple[str, str, object], str] = {}

    def read_facts(self) -> None:
        """Parse the ``[facts]`` section: sentences, and fields they merge over."""
        said = {}
        for key, entry in self.document.get("facts", {}).items():
            if not isinstance(entry, dict) or not {"say"} <= set(entry) <= {"say", "over"}:
                raise self.missing("facts", key, "it must be a table with `say`, perhaps `over`")
            if not isinstance(entry["say"], str) or not self.has("fact", key):
                raise self.missing("facts", key, f"`say` and [fact] {key} must be strings")
            try:
                parsed = self.environment.parse(self.document["fact"][key])
            except TemplateError as error:
                raise self.missing("fact", key, str(error)) from error
            if (over := entry.get("over")) not in (None, *meta.find_undeclared_variables(parsed)):
                raise self.missing("facts", key, f"[fact] {key} has no field {over!r}")
            said[key], self.over[key] = entry["say"], over
        self.document["facts"] = said

    def has(self, section: str, key: str) -> bool:
        return isinstance(self.document.get(section, {}).get(key), str)

    def say(self, section: str, key: str, fields: Mapping[str, Any]) -> str:
        """Return a string filled in."""
        source = self.document.get(section, {}).get(key)
        # Most entries are single words, which need no template.
        if isinstance(source, str) and "{" not in source:
            return source.strip()
        place: tuple[str, str, object]
        if _DISTINCT.issuperset(map(type, fields.values())):
            place = (section, key, tuple(fields.items()))
        else:
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

    def _filled(self, section: str, key: str, fields: Mapping[str, Any]) -> str:
        # All fields are tamed here, once for every sentence, so that none can be forgotten.
        tamed = {name: clean_value(value) for name, value in fields.items()}
        template = self._compiled.get((section, key))
        try:
            if template is None:
                if not self.has(section, key):
                    raise self.missing(section, key)
                template = self.environment.from_string(self.document[section][key])
                # A chain of mappings, as it is, would be copied slowly for each sentence.
                template.globals = dict(template.globals)
                self._compiled[section, key] = template
            return template.render(tamed).strip()
        except TemplateError as error:
            raise self.missing(section, key, str(error)) from error

    def tables(self, section: str, key: str) -> list[dict[str, Any]]:
        tables = self.document.get(section, {}).get(key)
        if not isinstance(tables, list):
            raise self.missing(section, key)
        return tables

    def missing(
        self, section: str, key: str, why: str = "there is no such entry"
    ) -> MissingWording:
        place = f"{self.source}, {self.language}.toml, [{section}] {key}"
        return MissingWording(f"wording of {place}: {why}")


_BOOKS: Final[dict[tuple[str, int, str, str | tuple[str, ...]], Book]] = {}
"""The catalogues of games by name, edition, language and resources; the core's without a name."""


class Catalogue:
    """The core's own sentences in one language, or in English instead.

    ``signs`` are the words of a game for the signs of its playing cards, if it has any.
    """

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else FALLBACK
        self.signs: Mapping[str, str] = {}
        place = ("", 0, self.language, "")
        self._book = _BOOKS.get(place) or Book("the core", self.language, sentences(self.language))
        _BOOKS[place] = self._book

    def say(self, key: str, **fields: object) -> str:
        """Return the sentence under ``section.key``. Raises MissingWording."""
        section, _, name = key.partition(".")
        return self._book.say(section, name, fields)

    def heard(self, text: str) -> str:
        """Return a text with the words for the signs of playing cards, which say little aloud."""
        if not self.signs:
            return text
        longest = sorted(self.signs, key=len, reverse=True)
        signs = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})")
        return signs.sub(lambda sign: self.signs[sign[0]], text)

    def has(self, key: str) -> bool:
        """Whether there is a sentence under ``section.key``."""
        section, _, name = key.partition(".")
        return self._book.has(section, name)

    def joined(self, items: Iterable[object]) -> str:
        """Return items as an enumeration: ``D6, D7 and E7``."""
        return Joined(listed(_texts(items), "standard", self.locale))

    def either(self, items: Iterable[object]) -> str:
        """Return items to choose from: ``html, text or phone``."""
        return Joined(listed(_texts(items), "or", self.locale))

    def keyword(self, command: str) -> str:
        """Return the word a command is written with."""
        section = "particle" if self.has(f"particle.{command}") else "keyword"
        return self.written(f"{section}.{command}")

    def written(self, key: str) -> str:
        """Return the first of the words under ``section.key``; the others are only read."""
        return self.say(key).split()[0]

    @property
    def locale(self) -> str:
        """The locale of moments and numbers, as CLDR names it."""
        return self.say("language.locale")

    @property
    def commands(self) -> list[tuple[str, str]]:
        """The commands a player may write, each with a line about it."""
        commands = self._book.tables("help", "commands")
        return [(command["order"], command["about"]) for command in commands]


class Wording:
    """The sentences of a game in one language, or in English instead.

    Every method raises MissingWording when the game's catalogue lacks the entry or its string names
    a field that the value does not have.
    """

    def __init__(self, game: AnyGame, language: str) -> None:
        self.game = game
        self.catalogue = Catalogue(language)
        self.language = self.catalogue.language
        # With the resources: tests may have two games of one name.
        place = (game.name, game.edition, self.language, game.resources)
        self._book = _BOOKS.get(place) or self._read()
        _BOOKS[place] = self._book
        self.catalogue.signs = self._book.signs

    def _read(self) -> Book:
        """Read the game's catalogue.

        Checked while it is loaded, so that a broken one shows at once and not in some mail.
        """
        game, catalogue = self.game, self.catalogue
        try:
            words = game_words(game, self.language)
        except FileNotFoundError:
            words = game_words(game, FALLBACK)
        book = self._book = Book(game.name, self.language, words)

        # Facts and refusals hold orders as they stand in the log.
        def order(value: object) -> str:
            try:
                return game.format(game.parse(str(value), FALLBACK), self.language)
            except Unreadable:
                return str(value)

        # A game's strings name seats by key, and are worded in the reader's language here.
        book.environment.filters |= {
            "seat": lambda value: self.seat(str(value)),
            "order": order,
            "ground": lambda value: self.word("ground", str(value)),
            "mark": lambda value: self.word("mark", str(value)),
            "list": catalogue.joined,
            "either": catalogue.either,
        }
        book.read_facts()
        if suits := book.document.get("suit"):
            cards = book.document["mark"].items()
            named = {order(card): word for card, word in cards}
            book.signs = {sign: word for sign, word in named.items() if sign[-1:] in suits} | suits
        # Examples are for options that the game has.
        for key in ("orders", "policies"):
            for example in book.document.get("help", {}).get(key, ()):
                option = example.get("option")
                if not option:
                    continue
                if not isinstance(option, dict):
                    raise book.missing("help", key, "`option` must be a table")
                try:
                    complete_options(game, option)
                except ValueError as error:
                    raise book.missing("help", key, str(error)) from error
        return book

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wording) and self._book is other._book

    def __hash__(self) -> int:
        return hash((self._book.source, self.language))

    def fact(self, fact: Fact) -> str:
        """Return a fact as a sentence."""
        return capital(self._book.say("fact", fact.fact, fact.fields))

    def short(self, fact: Fact) -> str | None:
        """Return a fact without its subject: ``placed a worker on E9``.

        None if the game words none, so that it is told in full; empty if it is only worth telling
        where nothing else happened.
        """
        known = self._book.has("short", fact.fact)
        return self._book.say("short", fact.fact, fact.fields) if known else None

    def detail(self, fact: Fact) -> str:
        """Return the small print of a fact told by :meth:`short`; empty if there is none."""
        known = self._book.has("detail", fact.fact)
        return capital(self._book.say("detail", fact.fact, fact.fields)) if known else ""

    def turns(
        self, facts: Iterable[Fact], named: Mapping[Seat, str]
    ) -> list[tuple[Seat | None, str, tuple[Fact, ...]]]:
        """Return facts in sentences; neighbours of one seat share one.

        ``named``: the subject of each seat's sentence. Every sentence comes with its seat, None
        where it was told in full, and with the facts it tells of.
        """
        told: list[tuple[Seat | None, str, tuple[Fact, ...]]] = []

        def doer(fact: Fact) -> Seat | None:
            return str(fact.fields.get("seat")) if self._book.has("short", fact.fact) else None

        for seat, stretch in groupby(facts, doer):
            group = tuple(stretch)
            if seat is None or seat not in named:
                told += [(None, sentence, group) for sentence in self.facts(group)]
                continue
            deeds: list[str] = []
            for _, alike in groupby(group, lambda fact: fact.fact):
                deeds += self._together([short for fact in alike if (short := self.short(fact))])
            # Deeds hold commas themselves, so that semicolons part them.
            said = capital(f"{named[seat]} {self._enumerated(deeds, '; ')}.")
            told.append((seat, said if deeds else " ".join(self.facts(group)), group))
        return told

    def _enumerated(self, texts: Sequence[str], between: str) -> str:
        if len(texts) < 2:
            return "".join(texts)
        return self.catalogue.joined([between.join(texts[:-1]), texts[-1]])

    def _together(self, deeds: list[str]) -> list[str]:
        """Return deeds of one kind as one, if only their middles differ."""
        split = [deed.split() for deed in deeds]
        start = list(_shared(split))
        end = list(_shared([words[: len(start) - 1 : -1] for words in split]))[::-1]
        middles = [" ".join(words[len(start) : len(words) - len(end)]) for words in split]
        # A number or a bracket at the end belongs to one of them, and a comma parts two things.
        plain = all(word.isalpha() for word in end) and not set(",;:(") & set("".join(deeds))
        if len(deeds) < 2 or not start or not all(middles) or not plain:
            return deeds
        return [" ".join([*start, self._enumerated(middles, ", "), *end])]

    def value(self, value: CellValue) -> str:
        """Return the content of a table's cell; a dash for nothing."""
        if isinstance(value, Word):
            section, key = value.section, value.key
            return self.seat(key) if section == "seat" else self.word(section, key)
        if isinstance(value, Sentence):
            return self.sentence(value)
        if isinstance(value, Mark):
            about = [self.seat(value.seat)] if value.seat else []
            about += [str(value.number)] if value.number is not None else []
            word = self.word("mark", value.word)
            return f"{word} ({', '.join(about)})" if about else word
        return clean(str(value)) if value is not None else _NOTHING

    def face(self, face: Face) -> Face:
        """Return a playing card, its rank in the letter that readers of the language know."""
        if not self.has("rank", face.rank):
            return face
        return replace(face, rank=self.word("rank", face.rank))

    def told(self, told: Fact | Sentence) -> str:
        """Return a fact or a sentence worded."""
        return self.fact(told) if isinstance(told, Fact) else self.sentence(told)

    def facts(self, facts: Iterable[Fact]) -> list[str]:
        """Return facts in sentences, merging those that differ in one field only.

        Facts without a break whose kinds all stand under ``[facts]`` are merged where kind,
        audience and all fields but the one that entry names are the same; the first of them says
        where. ``count`` is how many they are.
        """
        told: list[str] = []
        # Only neighbours are merged: a sentence must not jump over another fact.
        for merge, stretch in groupby(facts, lambda fact: self._book.has("facts", fact.fact)):
            if not merge:
                told += map(self.fact, stretch)
                continue
            groups: dict[tuple[object, ...], list[Fact]] = {}
            for fact in stretch:
                over = self._book.over[fact.fact]
                rest = {name: value for name, value in fact.fields.items() if name != over}
                # As JSON, since lists cannot be keys.
                same = over in fact.fields, json.dumps(rest, sort_keys=True)
                groups.setdefault((fact.fact, fact.audience, *same), []).append(fact)
            for alike in groups.values():
                first, over = alike[0], self._book.over[alike[0].fact]
                if len(alike) == 1:
                    told.append(self.fact(first))
                    continue
                fields = {**first.fields, "count": len(alike)}
                if over is not None and over in first.fields:
                    fields[over] = [fact.fields[over] for fact in alike]
                told.append(capital(self._book.say("facts", first.fact, fields)))
        return told

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

    def rule(self, rule: str) -> str:
        """Return a cited rule as readers of the language find it."""
        return self.word("rule", rule) if self.has("rule", rule) else rule

    def unreadable(self, error: Unreadable) -> str:
        """Return why a line is unreadable, in the game's words, else in the core's."""
        if self._book.has("unreadable", error.code):
            return self._book.say("unreadable", error.code, error.fields)
        return self.catalogue.say(f"unreadable.{error.code}", **error.fields)

    def expired(self, expired: Expired) -> str:
        """Return why a standing order can no longer apply, as a part of a sentence."""
        return self._book.say("expired", expired.code, expired.fields)

    def sentence(self, sentence: Sentence) -> str:
        """Return a sentence of a panel."""
        return capital(self._book.say("sentence", sentence.key, sentence.fields))

    def space(self, cell: Cell) -> str:
        """Return the name of a space, as its game's players call it."""
        if (called := cell.called) is None:
            return cell.space
        fields: dict[str, Json] = {"seat": called.seat, "name": called.name}
        return self.sentence(Sentence(called.key, fields))

    def word(self, section: str, key: str) -> str:
        """Return a word that takes no fields."""
        return self._book.say(section, key, {})

    def has(self, section: str, key: str) -> bool:
        """Whether the game's catalogue has an entry."""
        return self._book.has(section, key)

    def ending(self, result: Result) -> str:
        """Return how the match came to its end; endings that any game can have the core names.

        Where the game words a ``score``, from the ``places``, it follows: ``Checkmate. 1-0.``
        """
        key = result.ending
        if not self.has("ending", key) and self.catalogue.has(f"ending.{key}"):
            last = max(result.places, key=result.places.__getitem__)
            reason = self.catalogue.say(f"ending.{key}", last=self.seat(last))
        else:
            reason = self.word("ending", key)
        if not result.ranks or not self.has("ending", "score"):
            return reason
        return f"{reason} {self._book.say('ending', 'score', {'places': result.places})}"

    def seat(self, seat: Seat) -> str:
        """Return a colour's name; the core names chance, unless the game does."""
        if seat == CHANCE and not self.has("seat", seat):
            return self.catalogue.say("seat.chance")
        return self.word("seat", seat)

    def order(self, order: Order) -> str:
        """Return an order as a line of text."""
        return clean(self.game.format(order, self.language))

    def options(self, options: Options) -> tuple[str, ...]:
        """Return a line for each option of a match, with the value it has."""
        say, lines = self.catalogue.say, list[str]()
        for name, chosen in options.items():
            shown: object = chosen
            if isinstance(chosen, bool):
                shown = say("invitation.on" if chosen else "invitation.off")
            elif isinstance(chosen, str) and self.has("value", chosen):
                shown = self.word("value", chosen)
            label = self.word("option", name) if self.has("option", name) else name
            lines.append(say("invitation.option", name=label, value=shown))
        return tuple(lines)

    def help_orders(
        self, options: Options | None = None, legal: Iterable[Order] = (), key: str = "orders"
    ) -> list[tuple[str, str]]:
        """Return the game's orders by example, each with a line about it.

        Those of a match with certain options, and of the kinds that are ``legal`` in it now,
        which its board may bring about; without options all there are.
        """
        kinds = {type(order): order for order in legal}
        words = {self.order(order).split()[0] for order in kinds.values()}
        return [
            (example["order"], example["about"])
            for example in self._book.tables("help", key)
            if options is None
            or example.get("option", {}).items() <= options.items()
            or example["order"].split()[0] in words
        ]

    def help_policies(self, options: Options | None) -> list[tuple[str, str]]:
        """Return the game's own standing orders likewise, if it knows any."""
        return self.help_orders(options, key="policies") if self.game.policies else []


def _shared(words: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the words with which all begin."""
    for column in zip(*words, strict=False):
        if len(set(column)) > 1:
            return
        yield column[0]


def _texts(items: Iterable[object]) -> tuple[str, ...]:
    return tuple(clean(str(item), LONGEST_PARAGRAPH) for item in items)


@lru_cache(maxsize=1024, typed=True)
def plural(locale: str, number: int, **forms: str) -> str:
    """Return the form for a number: ``one``, ``few``, ``other``."""
    from babel import Locale  # noqa: PLC0415 - as for lists

    return forms.get(Locale.parse(locale).plural_form(number), forms["other"])


@lru_cache(maxsize=1024)
def listed(texts: tuple[str, ...], style: Literal["standard", "or"], locale: str) -> str:
    """Return texts as an enumeration: ``D6, D7 and E7``, or ``html, text or phone``."""
    if len(texts) < 2:
        return "".join(texts)
    # Imported here for commands that word nothing: Babel reads much before its first.
    from babel.lists import format_list  # noqa: PLC0415

    return str(format_list(texts, style=style, locale=locale))
