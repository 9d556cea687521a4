"""The documentation tells what there is: commands, keys, links and examples are held against it."""

import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator
from support import commands, matches, pages
from support.mended import mended_record
from support.pages import PAGES, Fence
from typer.main import get_command

from referee import resources
from referee.cli import app
from referee.config.keys import KEYS, Setting
from referee.desk.letters.words.keywords import KEYWORDS, read_command
from referee.games import registry
from referee.games.documents import order_from_json
from referee.games.game import LANGUAGES

pytestmark = pytest.mark.fast

COMMANDS = sorted(set(pages.commands()))
EXAMPLES = [each for page in PAGES for each in pages.fences(page) if each.language == "json"]
CHECKED = [each for each in EXAMPLES if each.schema]
CHANCE = {"nord": {"deal", "lay"}, "origo": {"draw"}}
"""The games whose rules are told, and the orders of each that only chance gives."""


def told_orders(name: str) -> list[tuple[str, str]]:
    """Return the table of orders in the rules of a game, English and German."""
    text = pages.read(f"docs/rules/{name}.md")
    table = re.split(r"^## \d+\. All orders$", text, flags=re.MULTILINE)[1].partition("\n## ")[0]
    found: list[tuple[str, str]] = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", table, re.MULTILINE)
    return found


ORDERS = [(name, *row) for name in CHANCE for row in told_orders(name)]


@pytest.mark.parametrize(
    ("page", "words"),
    COMMANDS,
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else each,
)
def test_every_command_line_is_understood(page: str, words: tuple[str, ...]) -> None:
    """A command line in the pages names a command that exists, with options it takes."""
    assert page
    command: Any = get_command(app)
    rest = list(words)
    while hasattr(command, "commands"):
        command = command.get_command(typer.Context(command), rest.pop(0))
    with command.make_context(words[0], rest) as context:
        assert not context.args


@pytest.mark.parametrize("command", commands.EVERY)
def test_every_command_is_told_of(command: str) -> None:
    """Each command of the program stands in a command line of a page written by hand."""
    width = len(command.split())
    told = [words for page, words in COMMANDS if page != "docs/commands.md"]
    assert command in {" ".join(words[:width]) for words in told}


@pytest.mark.parametrize(
    ("page", "target"), list(pages.links()), ids=lambda each: str(each).rpartition("/")[2]
)
def test_every_link_leads_somewhere(page: Path, target: str) -> None:
    """A relative link names a file of the project, and after # a heading of that page."""
    file, _, anchor = target.partition("#")
    goal = (page.parent / file).resolve() if file else page
    assert goal.exists()
    assert not anchor or anchor in pages.anchors(goal)


def test_every_key_is_told_of() -> None:
    """The tables of referee.toml have exactly the keys there are, each in its section."""
    assert list(told_settings()) == [(key.section, key.name) for key in KEYS]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_settings_are_told_as_the_table_has_them(key: Setting) -> None:
    """A row has the default, the description word for word, and the limits; more may follow."""
    default, said = told_settings()[key.section, key.name]
    if key.default is not None:
        assert default == f"`{json.dumps(key.default)}`"
    assert (default == "required") == key.required
    assert plain(said).startswith(plain(key.row["description"]))
    assert all(f"`{each}`" in said for each in key.row.get("enum", ()))
    if "minimum" in key.row:
        assert f"From {key.row['minimum']} to {key.row['maximum']}." in said


@cache
def told_settings() -> dict[tuple[str, str], tuple[str, str]]:
    """Return default and meaning of every key in the tables of referee.toml."""
    found = {}
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    row = re.compile(r"^\| `(\w+)` \| (.*?) \| (.*) \|$", re.MULTILINE)
    for section, table in re.findall(r"^\*\*`\[(\w+)\]`\*\*\n\n((?:\|.*\n)+)", text, re.MULTILINE):
        found |= {(section, name): (default, said) for name, default, said in row.findall(table)}
    return found


def plain(text: str) -> str:
    """Return Markdown without its links and code marks."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "")


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_every_player_command_is_told_of(word: str) -> None:
    """Each keyword a player may write stands in his page as code."""
    assert re.search(rf"`{word}\b", pages.read("docs/players.md"))


def test_the_table_of_commands_is_understood() -> None:
    """What the table of commands shows, in both languages, is read as the same command."""
    page = pages.read("docs/players.md")
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| .*\|$", page, re.MULTILINE)
    read = [(read_command(one), read_command(other)) for one, other in rows]
    assert all(one is not None and other is not None for one, other in read)
    assert {one.word for one, _ in read if one} == set(KEYWORDS.values())
    assert all(one.word == other.word for one, other in read if one and other)


@pytest.mark.parametrize(("name", "english", "german"), ORDERS)
def test_orders_of_the_rules_are_read_alike(name: str, english: str, german: str) -> None:
    """In the table of orders both languages mean the same, and are how the referee writes it."""
    game = registry.find_installed(name)
    order = game.parse(english, "en")
    assert order == game.parse(german, "de")
    assert (english, german) == tuple(game.format(order, each) for each in LANGUAGES)


@pytest.mark.parametrize("name", CHANCE)
def test_the_rules_show_every_order(name: str) -> None:
    game = registry.find_installed(name)
    shown = {game.parse(english, "en").word for english, _ in told_orders(name)}
    assert shown == set(game.order_types) - CHANCE[name]


def test_every_game_that_comes_along_has_its_rules_told() -> None:
    offered = tomllib.loads(pages.read("pyproject.toml"))["project"]["entry-points"]
    assert {entry.rpartition("-")[0] for entry in offered["referee.games"]} == set(CHANCE)


@pytest.mark.parametrize("fence", EXAMPLES, ids=lambda each: pages.name(each.page))
def test_json_examples_are_json(fence: Fence) -> None:
    """Each block marked as JSON is an object."""
    assert isinstance(json.loads(fence.text), dict)


@pytest.mark.parametrize("fence", CHECKED, ids=lambda each: str(each.schema))
def test_json_examples_fit_their_schemas(fence: Fence) -> None:
    """An example under the name of a schema is valid against it."""
    assert not list(validator(str(fence.schema)).iter_errors(json.loads(fence.text)))


@pytest.mark.parametrize("name", CHANCE)
def test_orders_as_objects_fit_their_schema(name: str) -> None:
    """One submission shows every order a player can give in the game as an object."""
    game, schema = registry.find_installed(name), validator(f"{name}-order")
    shown = [json.loads(each.text) for each in CHECKED if each.schema == "submission"]
    submissions = [each["orders"] for each in shown]
    fitting = [each for each in submissions if all(map(schema.is_valid, each))]
    words = [{order_from_json(game.order_types, order).word for order in each} for each in fitting]
    assert set(game.order_types) - CHANCE[name] in words


def validator(name: str) -> Draft202012Validator:
    """Return what judges documents of a schema, the core's or a game's."""
    game, dash, own = name.partition("-")
    if dash and game in registry.game_names():
        text = resources.game_resource(registry.find_installed(game), f"schemas/{own}.schema.json")
        return Draft202012Validator(json.loads(text))
    return Draft202012Validator(resources.schema(name))


def test_the_program_for_checking_records_works(tmp_path: Path) -> None:
    """The program printed for readers accepts a true record and rejects a forged draw."""
    page = next(page for page in PAGES if page.name == "fair-chance.md")
    program = next(each.text for each in pages.fences(page) if each.language == "python")
    terms = matches.terms(words={"red": "seven ravens"})
    lines = matches.exported(*matches.played(terms))
    assert "events and" in run_check(program, lines, tmp_path).stdout
    mended = [each.decode() for each in mended_record()]
    assert "events and" in run_check(program, mended, tmp_path).stdout
    forged = matches.forged(lines, swap_a_draw)
    assert "draw 1 was" in run_check(program, forged, tmp_path).stderr
    endless = matches.forged(lines, weigh_without_end)
    assert "weights of event" in run_check(program, endless, tmp_path).stderr


def swap_a_draw(documents: list[Any]) -> None:
    """Let the first draw take another of its outcomes."""
    event = next(each for each in documents[1:-1] if each["draw"])
    texts = [text for text, _ in event["draw"]["outcomes"]]
    event["order"] = next(text for text in texts if text != event["order"])


def weigh_without_end(documents: list[Any]) -> None:
    """Give the first draw weights of which no number of 256 bits is below the last multiple."""
    event = next(each for each in documents[1:-1] if each["draw"])
    event["draw"]["outcomes"][0][1] = 2**256


def run_check(program: str, lines: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program of the page on a record."""
    (folder / "check.py").write_text(program, encoding="utf-8")
    (folder / "record.jsonl").write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")
    command = [sys.executable, "check.py", "record.jsonl"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("name", "least"), [("nord", 9), ("origo", 22)])
def test_every_ruling_has_its_reason(name: str, least: int) -> None:
    """Each ruling in the text of the rules gives its reason, and all are listed at the end."""
    text, *rest = pages.read(f"docs/rules/{name}.md").partition("All rulings\n\n|")
    introduction, *rulings = text.split("**Ruling:**")
    del introduction
    assert len(rulings) >= least
    assert all("*Reason:*" in each.partition("\n#")[0][:600] for each in rulings)
    sections = set(re.findall(r"^## (\d+)\.", text, re.MULTILINE))
    listed = set(re.findall(r"^\| \[(\d+)", rest[1], re.MULTILINE))
    assert listed
    assert listed <= sections


def test_the_readme_shows_the_two_commands_first() -> None:
    """Within its first screen the README shows how to see it and how to test it."""
    lines = pages.read("README.md").splitlines()
    assert lines.index("make demo") < 40
    assert lines.index("make test") < 40


def test_nobody_is_sent_to_a_package_of_our_name() -> None:
    """The name is free on public indexes, so advice to install names the libraries alone."""
    tree = Path(__file__).parents[2]
    folders = [*(tree / "referee").rglob("*.py"), *(tree / "docs").rglob("*.md")]
    texts = [*folders, tree / "README.md"]
    advice = re.compile(r"(?:pip|pipx|uv) (?:tool )?install [^\n`]{0,40}\breferee\b(?!-|/|\.)")
    assert [each for each in texts if advice.search(each.read_text(encoding="utf-8"))] == []
