"""What a game says in random play, and whether its catalogues have a wording for all of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from jinja2 import Environment, meta

from referee import resources
from referee.games.game import AnyGame, Fact, Mark, Scene, Scoresheet, Sentence, Word

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
            self.add_marks(cell.marks)
        for panel in scene.panels:
            self.add("panel", panel.title)
            self.add_values(panel.sentences)
        for _, section, key in scene.legend:
            self.add(section, key)
        for table in scene.tables:
            self.add("panel", table.title)
            self.add_values((*table.columns, *table.notes))
            self.add_values(value for row in table.rows for value in row.cells)
        for secret in scene.secrets:
            self.add("panel", secret.title)
            self.add_values(secret.notes)
            self.add_values(value for card in secret.cards for value in (card.name, card.note))
        for area in scene.areas:
            self.add("ground", area.key)
        for track in scene.tracks:
            self.add("panel", track.title)
            self.add_values(each.word for each in track.places)
            for place in track.places:
                self.add_marks(place.marks)
        if scene.question is not None:
            self.add("panel", scene.question.title)
            self.add_values(part for side in scene.question.sides for part in side.parts)
            self.add_values(choice.outcome for choice in scene.question.choices)

    def add_marks(self, marks: Iterable[Mark]) -> None:
        """Take the words of pieces."""
        for each in marks:
            self.add("mark", each.word)

    def add_values(self, values: Iterable[object]) -> None:
        """Take what tables hold: sentences and words; the rest needs none."""
        for each in values:
            if isinstance(each, Sentence):
                self.add("sentence", each.key, each.fields)
            elif isinstance(each, Fact):
                self.add("fact", each.fact, each.fields)
            elif isinstance(each, Mark):
                self.add("mark", each.word)
            elif isinstance(each, Word):
                self.add(each.section, each.key)

    def add_sheet(self, sheet: Scoresheet) -> None:
        """Take a scoresheet: its title, the heads of its rows, its notes."""
        self.add_values((sheet.title, *sheet.notes))
        self.add_values(head for head, _ in (*sheet.rows, *sheet.sums))


def catalogue(game: AnyGame, language: str) -> dict[str, Any]:
    """Return a game's words in a language."""
    return resources.game_words(game, language)


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
    filters = ("seat", "ground", "mark", "order", "list", "either")
    environment.filters.update(dict.fromkeys(filters, str))
    environment.filters["plural"] = lambda number, **forms: forms["other"]
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
