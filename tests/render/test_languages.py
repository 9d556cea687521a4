"""Languages: each is whole, and one more is one folder."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel import Locale
from jinja2 import Environment, nodes
from support import moor
from support.moor import every_mail

from referee.games import registry
from referee.games.game import LANGUAGES
from referee.render.words import wording
from referee.render.words.wording import Wording
from referee.resources import I18N, game_words, sentences

KEPT = re.compile(r"pattern|^locale|over =|option =")
"""Lines of a catalogue that hold more than words."""

WORD = re.compile(r"[^\W\d_]{3,}")
MARKED = re.compile(r"(\{\{.*?\}\}|\{%.*?%\}|\\.)")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def words_in(value: object) -> set[str]:
    """Return the words of everything that a catalogue says, without what its sentences compute."""
    if isinstance(value, str):
        return {each.casefold() for part in MARKED.split(value)[::2] for each in WORD.findall(part)}
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*(words_in(each) for each in inner))


def words_given() -> set[str]:
    """Return the words that the mails of the tests are given, as players or the desk would."""
    tree = ast.parse(Path(str(moor.__file__)).read_text(encoding="utf-8"))
    told = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return words_in([each.value for each in found if each not in told])


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
        said = {each.casefold() for each in WORD.findall(f"{mail.subject} {mail.text}")}
        assert said & english == set(), mail.text


def test_german_has_one_word_for_a_thing() -> None:
    """An order is a *Befehl* and a command a *Kommando*, the box a *Kasten*, the path a *Pfad*."""
    installed = map(registry.find_installed, registry.game_names())
    words = [game_words(game, "words.toml", "de").decode() for game in installed]
    text = "\n".join((I18N.joinpath("de", "core.toml").read_text(), *words))
    others = r"\w*angeordnet\w*|Anordnung\w*|Felde?r?n? seiner Partie|auf der Leiste"
    mixed = r"(?:mehr als|kann) \{\{ most \}\} Befehle|„hilfe“[^.]* Befehle|Befehle wie „kap"
    assert re.findall(f"{others}|{mixed}", text) == []


def pseudo(text: str) -> str:
    """Return a catalogue with every vowel of its sentences changed, as a language nobody speaks."""

    def spoken(found: re.Match[str]) -> str:
        parts = MARKED.split(found[1])
        parts[::2] = [
            each.translate(str.maketrans("aeiouAEIOU", "äëïöüÄËÏÖÜ")) for each in parts[::2]
        ]
        return f'"{"".join(parts)}"'

    lines = text.splitlines()
    return "\n".join(line if KEPT.search(line) else STRING.sub(spoken, line) for line in lines)


PLAYED = """
import sys
from pathlib import Path
from referee import resources
resources.I18N = Path(sys.argv[1])
from referee.games.game import LANGUAGES
from support.club import opened, open_club
assert LANGUAGES == ("en", "de", "xx"), LANGUAGES
club = open_club(Path(sys.argv[2]))
alice = "alice@example.test"
club.new_match("nord", f"red={alice}", "blue=bob@example.test")
club.work()
report = club.last(alice, "report")
club.answer(report, "set language ënglïsh", alice)
club.answer(club.last(alice), "shöw", alice)
shown = club.last(alice)
club.answer(shown, "hëlp\\nplay goblet", alice)
receipt = club.last(alice)
print(shown.text, receipt.text)
club.click(receipt.links["Sënd ït cörrëctëd"], alice, added="prëvïëw")
preview = club.last(alice)
print(preview.text)
box = opened(preview.links["Wrïtë yöür ördërs"])[2]
print(box)
"""


def templates(value: object) -> Iterator[nodes.Template]:
    """Yield every string of a catalogue, parsed."""
    if isinstance(value, str):
        yield Environment(autoescape=False).parse(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inner:
        yield from templates(each)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_have_the_forms_of_their_language(language: str) -> None:
    """Each has a form for every class of numbers that CLDR knows there, and compares no number."""
    document = sentences(language)
    rule = Locale.parse(document["language"]["locale"]).plural_form
    wanted = {"other", *rule.tags}
    installed = map(registry.find_installed, registry.game_names())
    games = [game_words(game, "words.toml", language) for game in installed]
    found = 0
    for catalogue in (document, *(tomllib.loads(each.decode()) for each in games)):
        for parsed in templates(catalogue):
            for each in parsed.find_all(nodes.Filter):
                if each.name == "plural":
                    assert {form.key for form in each.kwargs} == wanted
                    found += 1
            assert not [
                each for each in parsed.find_all(nodes.CondExpr)
                if isinstance(each.test, nodes.Compare) and "Const(value=1)" in repr(each.test)
            ]  # fmt: skip
    assert found > 50


def test_a_number_chooses_among_more_than_two_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language with other classes than English needs words only."""
    document = {"language": {"locale": "pl"}, "count": {"match": (
        "{{ n }} {{ n | plural(one='partia', few='partie', many='partii', other='partii') }}"
    )}}  # fmt: skip
    monkeypatch.setattr(wording, "sentences", lambda _: document)
    wording._core.cache_clear()
    try:
        said = [wording.Catalogue("en").say("count.match", n=n) for n in (0, 1, 2, 5, 22, 112)]
    finally:
        wording._core.cache_clear()
    numbers = ["0 partii", "1 partia", "2 partie", "5 partii", "22 partie", "112 partii"]
    assert said == numbers


def test_a_language_more_is_a_folder(tmp_path: Path) -> None:
    """A folder of its words is all: mails, commands, boxes and links speak it."""
    for each in LANGUAGES:
        tmp_path.joinpath(each).mkdir()
        text = I18N.joinpath(each, "core.toml").read_text(encoding="utf-8")
        tmp_path.joinpath(each, "core.toml").write_text(text, encoding="utf-8")
    tmp_path.joinpath("xx").mkdir()
    english = I18N.joinpath("en", "core.toml").read_text(encoding="utf-8")
    tmp_path.joinpath("xx", "core.toml").write_text(pseudo(english), encoding="utf-8")
    nord = registry.find_installed("nord")
    words = pseudo(game_words(nord, "words.toml", "en").decode())
    tmp_path.joinpath("xx", "nord.words.toml").write_text(words, encoding="utf-8")
    folder = tmp_path / "club"
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, str(tmp_path), str(folder)],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1],
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    text = done.stdout.replace("turn.html", "")
    said = {each.casefold() for each in WORD.findall(text)}
    orders = {each.split()[0] for each, _ in Wording(nord, "en").help_orders()}
    plain = {each for each in words_in(sentences("en")) if set(each) & set("aeiou")}
    # Its locale is the English one, whose lists end in "and".
    names = {"nord", "referee", "alice", "bob", "sat", "utc", "orders", "and"}
    assert said & plain - orders - names == set()
    assert {"ënd", "sëttlëmënts"} <= said
