"""Languages: each is whole, and one more is one folder."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from babel import Locale
from jinja2 import Environment, nodes
from support import moor
from support.moor import every_mail

from referee.desk.letters.words.keywords import SETTINGS
from referee.desk.players import read_setting
from referee.games import registry
from referee.games.game import LANGUAGES
from referee.render.words import wording
from referee.render.words.rules import AN_ORDER
from referee.resources import I18N, game_resource, game_rules, game_words, sentences

KEPT = re.compile(r"pattern =|^locale")
"""Lines of a catalogue that hold more than words."""

WORD = re.compile(r"[^\W\d_]{3,}")
MARKED = re.compile(r"(\{\{.*?\}\}|\{%.*?%\}|\\.)")
STRING = re.compile(r'([{,] \w+ = )?"((?:[^"\\]|\\.)*)"')


def words_in(value: object) -> set[str]:
    """Return the words of everything that a catalogue says, without what its sentences compute."""
    if isinstance(value, str):
        return {word.casefold() for part in MARKED.split(value)[::2] for word in WORD.findall(part)}
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*(words_in(entry) for entry in inner))


def words_given() -> set[str]:
    """Return the words that the mails of the tests are given, as players or the desk would."""
    tree = ast.parse(Path(str(moor.__file__)).read_text(encoding="utf-8"))
    told = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return words_in([node.value for node in found if node not in told])


@pytest.mark.parametrize("other", LANGUAGES[1:])
def test_no_mail_says_anything_in_another_language(other: str) -> None:
    """No word that only the English catalogue knows stands in any kind of mail."""
    known = words_in(sentences(other)) | words_in(
        tomllib.loads(
            Path(__file__).parents[1].joinpath(f"support/moor_words/words/{other}.toml").read_text()
        )
    )
    english = words_in(sentences("en")) - known - words_given()
    for mail in every_mail(other):
        said = {word.casefold() for word in WORD.findall(f"{mail.subject} {mail.text}")}
        assert said & english == set(), mail.text


def test_german_has_one_word_for_a_thing() -> None:
    """An order is a *Befehl* and a command a *Kommando*, the box a *Kasten*, the path a *Pfad*."""
    installed = map(registry.find_installed, registry.game_names())
    words = [json.dumps(game_words(game, "de"), ensure_ascii=False) for game in installed]
    text = "\n".join((I18N.joinpath("de", "core.toml").read_text(), *words))
    others = r"\w*angeordnet\w*|Anordnung\w*|Felde?r?n? seiner Partie|auf der Leiste"
    mixed = r"(?:mehr als|kann) \{\{ most \}\} Befehle|„hilfe“[^.]* Befehle|Befehle wie „kap"
    assert re.findall(f"{others}|{mixed}", text) == []


READ = frozenset({"order", "over", "island"})
"""Keys in a game's words for what the game itself reads: orders, fields, options."""

VOWELS = str.maketrans("aeiouAEIOU", "äëïöüÄËÏÖÜ")

PATTERN = re.compile(r"^(\w+ = )('''.*?'''|'[^'\n]*'$)", re.MULTILINE | re.DOTALL)
"""An expression for words that are only read."""

CHOSEN = re.compile(r"((?<=\w=)|(?<=\{\{ )|(?<=else )|(?<=~ ))'[^']*'")
"""Words that a sentence chooses among, by a number or a condition."""


def pseudo(text: str, kept: Collection[str] = ()) -> str:
    """Return a catalogue with every vowel of its sentences changed, as a language nobody speaks.

    Strings of the keys ``kept`` stay.
    """

    def spoken(found: re.Match[str]) -> str:
        if (found[1] or "").strip("{, =") in kept:
            return found[0]
        parts = MARKED.split(found[2])
        parts[::2] = [part.translate(VOWELS) for part in parts[::2]]
        parts[1::2] = [
            CHOSEN.sub(lambda match: match[0].translate(VOWELS), part) for part in parts[1::2]
        ]
        return f'{found[1] or ""}"{"".join(parts)}"'

    text = PATTERN.sub(lambda match: match[1] + match[2].translate(VOWELS), text)
    # Its own name for itself, which its help tells.
    lines = text.replace("set language en", "set language english").splitlines()
    return "\n".join(line if KEPT.search(line) else STRING.sub(spoken, line) for line in lines)


def templates(value: object) -> Iterator[nodes.Template]:
    """Yield every string of a catalogue, parsed."""
    if isinstance(value, str):
        yield Environment(autoescape=False).parse(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for entry in inner:
        yield from templates(entry)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_the_forms_of_their_language(language: str) -> None:
    """Each has a form for every class of numbers that CLDR knows there, and compares no number."""
    document = sentences(language)
    rule = Locale.parse(document["language"]["locale"]).plural_form
    wanted = {"other", *rule.tags}
    installed = map(registry.find_installed, registry.game_names())
    games = [game_words(game, language) for game in installed]
    found = 0
    for catalogue in (document, *games):
        for parsed in templates(catalogue):
            for node in parsed.find_all(nodes.Filter):
                if node.name == "plural":
                    assert {form.key for form in node.kwargs} == wanted
                    found += 1
            assert not [
                node for node in parsed.find_all(nodes.CondExpr)
                if isinstance(node.test, nodes.Compare) and "Const(value=1)" in repr(node.test)
            ]  # fmt: skip
    assert found > 50


def test_a_number_chooses_among_more_than_two_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language with other classes than English needs words only."""
    document = {"language": {"locale": "pl"}, "count": {"match": (
        "{{ n }} {{ n | plural(one='partia', few='partie', many='partii', other='partii') }}"
    )}}  # fmt: skip
    monkeypatch.setattr(wording, "sentences", lambda _: document)
    monkeypatch.setattr(wording, "_BOOKS", {})
    said = [wording.Catalogue("en").say("count.match", n=n) for n in (0, 1, 2, 5, 22, 112)]
    numbers = ["0 partii", "1 partia", "2 partie", "5 partii", "22 partie", "112 partii"]
    assert said == numbers


GAMES = ("nord", "origo")

NAMES = {
    "nord", "origo", "referee", "alice", "bob", "carol", "example", "test", "html", "sha", "utc",
    "europe", "berlin", "america", "new", "york", "and", "goblet", "sword", "people", "ship",
    "land", "bis", "mit", "nor",
}  # fmt: skip
"""What no catalogue words: names and codes, the lists of the locale, and the words of orders."""


PROGRAM = re.compile(r"turn\.(?:html|json)|referee record verify|\.record\.")
"""Files and commands of the program, which are called so in every language."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of languages: those there are, and one that nobody speaks."""
    found = tmp_path_factory.mktemp("languages")
    for language in (*LANGUAGES, "xx"):
        found.joinpath(language).mkdir()
        spoken = language if language in LANGUAGES else "en"
        core = I18N.joinpath(spoken, "core.toml").read_text("utf-8")
        found.joinpath(language, "core.toml").write_text(core if language != "xx" else pseudo(core))
    for name in GAMES:
        game = registry.find_installed(name)
        words = pseudo(game_resource(game, "words/en.toml").decode(), READ)
        found.joinpath("xx", f"{name}.words.toml").write_text(words)
        rules = game_rules(game, "en")
        found.joinpath("xx", f"{name}.rules.md").write_text(
            AN_ORDER.join(part.translate(VOWELS) for part in rules.split(AN_ORDER))
        )
    return found


@pytest.fixture(scope="module")
def heard(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what a player of that language read, by what was asked."""
    club = tmp_path_factory.mktemp("club")
    done = subprocess.run(
        [sys.executable, "-m", "support.babble", str(folder), str(club)],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_a_language_more_is_a_folder(folder: Path, heard: dict[str, str]) -> None:
    """A folder of its words is all: no mail of a club says a word of any other language."""
    mine = words_in(tomllib.loads(folder.joinpath("xx", "core.toml").read_text()))
    others = set()
    for language in LANGUAGES:
        others |= words_in(sentences(language))
    for game in map(registry.find_installed, GAMES):
        mine |= words_in(
            tomllib.loads(folder.joinpath("xx", f"{game.name}.words.toml").read_text())
        )
        for language in LANGUAGES:
            others |= words_in(game_words(game, language))
            others |= words_in(game_rules(game, language))
    wrong = {}
    for asked, text in heard.items():
        said = {word.casefold() for word in WORD.findall(PROGRAM.sub("", text))}
        if leaks := said & others - mine - NAMES:
            wrong[asked] = leaks
    assert not wrong, "\n".join(f"{asked}: {sorted(leaks)}" for asked, leaks in wrong.items())


def test_a_player_of_that_language_got_every_kind_of_mail(heard: dict[str, str]) -> None:
    """A stranger's answer, invitation, report, digest, receipt, refusal, preview and last mail."""
    kinds = {asked.partition(" · ")[2].partition(" ")[0] for asked in heard}
    assert kinds >= {"answer", "invitation", "report", "receipt"}
    for game in GAMES:
        said = "".join(text for asked, text in heard.items() if asked.startswith(game))
        assert all(words in said for words in ("yöür mätchës tödäy", "Rëmïndër:", "Ä këëpsäkë"))
        assert "=== ënd ===" in heard[f"{game}: box"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_values_that_help_names_can_be_set(language: str) -> None:
    """Each value in brackets behind a setting is read as one of it."""
    rows = [
        command["about"]
        for command in sentences(language)["help"]["commands"]
        if "(" in command["about"]
    ]
    named = [pair for row in rows for pair in re.findall(r"(\w+) \(([^)]+)\)", row)]
    nobody: Any = None
    assert len(named) > 8
    for setting, values in named:
        what = SETTINGS[setting]
        known = (read_setting(nobody, nobody, what, value) for value in values.split(", "))
        assert all(known), setting


def test_no_word_of_a_language_means_something_else_in_another() -> None:
    """A word that is read in letters has one meaning in its section, whatever the language."""
    for section in ("keyword", "setting", "value", "span"):
        meant: dict[str, str] = {}
        for language in LANGUAGES:
            for key, words in sentences(language)[section].items():
                assert {meant.setdefault(word, key) for word in words.split()} == {key}
