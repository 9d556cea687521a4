"""docs/architecture.md against the tree: its files, its functions, the rooms of the desk."""

import ast
import re
from pathlib import Path

import pytest
from support import pages

pytestmark = pytest.mark.fast

PAGE = pages.TREE / "docs" / "architecture.md"
PACKAGE = pages.TREE / "referee"
DESK = PACKAGE / "desk"
CODE = re.findall(r"`([^`\n]+)`", pages.prose(PAGE))
OUTSIDE = ("templates/", "schemas/", "tests/", "docs/")
INVENTED = {
    "templates/NAME.j2",
    "i18n/CODE/",
    "words/CODE.toml",
    "rules.CODE.md",
    "i18n/CODE/GAME.words.toml",
    "i18n/CODE/GAME.rules.md",
}
"""What stands for files that somebody is yet to write."""

NAMED = sorted({each for each in CODE if re.fullmatch(r"[\w./]+\.py: \w+", each)})
ROOMS = sorted(each for each in DESK.iterdir() if (each / "__init__.py").exists())


def place(name: str) -> Path:
    """Return where a path of the page leads."""
    return (pages.TREE if name.startswith(OUTSIDE) else PACKAGE) / name


def section(room: Path) -> str:
    """Return what the page says of a room of the desk, and the room's own first words."""
    text = PAGE.read_text(encoding="utf-8").partition(f"**`desk/{room.name}/`**")[2]
    told = re.split(r"^(?:\*\*`desk|## )", text, flags=re.MULTILINE)[0]
    return told + (room / "__init__.py").read_text(encoding="utf-8")


def of_rooms() -> list[str]:
    """Return the paths of the tables of rooms, as they are written there, within the desk."""
    return [f"{room.name}/{each}" for room in ROOMS for each in _files(section(room))]


def _files(text: str) -> list[str]:
    return re.findall(r"`([\w/]+\.py)`", text)


PATHS = sorted(
    {
        each.partition(":")[0]
        for each in CODE
        if re.fullmatch(r"[\w./]+(/|\.(py|toml|j2|md|json))(: \w+)?", each) and "/" in each
    }
    - {each for room in ROOMS for each in _files(section(room))}
    - INVENTED
    - {"referee/", "words/"}
)


@pytest.mark.parametrize("path", PATHS)
def test_every_path_leads_somewhere(path: str) -> None:
    """Each file and folder the page names exists."""
    assert place(path).exists()


@pytest.mark.parametrize("path", of_rooms())
def test_every_file_of_a_room_exists(path: str) -> None:
    assert (DESK / path).exists()


@pytest.mark.parametrize("name", NAMED)
def test_every_function_is_where_it_is_said_to_be(name: str) -> None:
    """Each function, class or table the page names is defined in the file before the colon."""
    path, _, wanted = name.partition(": ")
    source = place(path).read_text(encoding="utf-8")
    assert re.search(rf"^(?:def |async def |class |){wanted}\b(?:\(|:| =)", source, re.MULTILINE)


@pytest.mark.parametrize("room", ROOMS, ids=lambda each: each.name)
def test_every_module_of_a_room_is_told_of(room: Path) -> None:
    """Each module of a room of the desk stands in the page, or in the first words of its room."""
    told = section(room)
    modules = (each.relative_to(room) for each in room.rglob("*.py") if each.stem != "__init__")
    assert [str(each) for each in modules if f"{each}" not in told] == []


def test_every_file_of_the_desk_is_told_of() -> None:
    """The files that lie in no room of the desk stand in the page, too."""
    told = PAGE.read_text(encoding="utf-8").partition("files of its own:")[2].partition("\n**")[0]
    assert {each.name for each in DESK.glob("*.py")} - {"__init__.py"} == set(_files(told))


def test_every_room_is_told_of() -> None:
    """Each folder of the package is a row of the table of rooms."""
    told = set(re.findall(r"^\| `(\w+)/` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert told == {each.parent.name for each in PACKAGE.glob("*/__init__.py")}


OTHERS = ("config", "games", "mail", "matches", "render", "store")
"""The rooms whose files the page lists as they begin; those of one game speak for themselves."""

LISTED = sorted(
    each
    for room in OTHERS
    for each in (PACKAGE / room).rglob("*.py")
    if each.name != "__init__.py" and not {"nord", "origo", "migrations", "tables"} & {*each.parts}
)


@pytest.mark.parametrize("path", LISTED, ids=lambda each: str(each.relative_to(PACKAGE)))
def test_every_other_file_is_listed_as_it_begins(path: Path) -> None:
    """The row of a file is the first line of its docstring."""
    begins = str(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))))
    said = begins.splitlines()[0].replace("``", "`")
    row = f"| `{path.relative_to(PACKAGE)}` | {said} |"
    assert row in PAGE.read_text(encoding="utf-8").splitlines()


SPEECHLESS = ("sqlalchemy.Connection", "sqlalchemy.exc.")
"""What of SQLAlchemy may be known outside the store."""


def test_only_the_store_speaks_sql() -> None:
    """Outside the store a module knows SQLAlchemy's connection and faults, but no statement."""
    found = {
        (str(path.relative_to(PACKAGE)), f"{node.module}.{each.name}")
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] != "store"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("sqlalchemy")
        for each in node.names
    }
    assert {each for each in found if not each[1].startswith(SPEECHLESS)} == set()
