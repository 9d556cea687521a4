"""One catalogue of strings: read, checked, and filled in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from jinja2 import StrictUndefined, Template, TemplateError, meta
from jinja2.runtime import LoopContext
from jinja2.sandbox import SandboxedEnvironment

from referee.render.layout import Joined, capital, clean_value

MOST_SAID: Final = 4096
"""Sentences remembered of a catalogue, since many recur."""

Fields = Mapping[str, Any]


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
        self.over: dict[str, str | None] = {}
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

    def say(self, section: str, key: str, fields: Fields) -> str:
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

    def _filled(self, section: str, key: str, fields: Fields) -> str:
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

    def entries(self) -> frozenset[tuple[str, str]]:
        return frozenset(
            (section, key) for section, strings in self.document.items() for key in strings
        )

    def missing(
        self, section: str, key: str, why: str = "there is no such entry"
    ) -> MissingWording:
        place = f"{self.source}, {self.language}.toml, [{section}] {key}"
        return MissingWording(f"wording of {place}: {why}")
