"""What a game says in random play, and whether its catalogues have a wording for all of it."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from jinja2 import Environment, meta

from referee import resources
from referee.games.game import AnyGame, Scene

Said = Mapping[str, Mapping[str, set[str]]]
"""The keys used by section, and the fields each came with."""


class Saying:
    """Gathers what is to be worded: section, key and the fields it came with."""

    def __init__(self) -> None:
        self.said: dict[str, dict[str, set[str]]] = defaultdict(dict)

    def add(self, section: str, key: str, fields: Iterable[str] = ()) -> None:
        self.said[section].setdefault(key, set()).update(fields)

    def add_scene(self, scene: Scene) -> None:
        for cell in scene.cells:
            self.add("ground", cell.ground)
            for mark in cell.marks:
                self.add("mark", mark.word)
        for panel in scene.panels:
            self.add("panel", panel.title)
            for sentence in panel.sentences:
                self.add("sentence", sentence.key, sentence.fields)
        for _, section, key in scene.legend:
            self.add(section, key)


def catalogue(game: AnyGame, language: str) -> dict[str, Any]:
    """Return a game's words in a language."""
    return tomllib.loads(resources.game_resource(game, f"words/{language}.toml").decode("utf-8"))


def check_words(game: AnyGame, language: str, said: Said) -> None:
    """Check that all that was said has a wording, which uses only fields it came with."""
    words = catalogue(game, language)
    missing = [
        f"[{section}] {key}"
        for section, keys in said.items()
        for key in keys
        if key not in words.get(section, {})
    ]
    assert missing == [], f"{language}: no words for {', '.join(sorted(missing))}"
    for section, keys in said.items():
        for key, fields in keys.items():
            strange = variables(words[section][key]) - fields
            assert strange == set(), f"{language}: [{section}] {key} has no field {strange}"


def variables(template: str) -> set[str]:
    """Return the names a template uses; raises when it is no template."""
    environment = Environment(autoescape=False)
    environment.filters.update(dict.fromkeys(("seat", "ground", "mark", "list"), str))
    return meta.find_undeclared_variables(environment.parse(template))


def keys_of(words: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sections of a catalogue and their keys; help is a list in every language.

    Of facts that are told at once also over which field, of help for which options.
    """
    keys: dict[str, Any] = {section: sorted(entries) for section, entries in words.items()}
    keys["over"] = {key: each.get("over") for key, each in words.get("facts", {}).items()}
    keys["option"] = {
        key: [each.get("option") for each in entries] for key, entries in words["help"].items()
    }
    return keys


def check_at_once(game: AnyGame, language: str, said: Said) -> None:
    """Check that facts told at once are listed over a field they have, and use no other."""
    for key, entry in catalogue(game, language).get("facts", {}).items():
        fields = said["fact"].get(key)
        if fields is not None:
            place = f"{language}: [facts] {key}"
            assert {entry.get("over")} <= {None, *fields}, f"{place}: no such field to list"
            assert "count" not in fields, f"{place}: count is how many they are"
            strange = variables(entry["say"]) - fields - {"count"}
            assert strange == set(), f"{place} has no field {strange}"
