"""The structure of the house: no circles, and one thing to a public name."""

import ast
from textwrap import dedent

from support import covered, figures
from support.figures import HOUSE, Module, modules

MOST_DEFINED_TWICE = 2.0
"""Percent of the public names that more than one module may define."""


def module(name: str, text: str) -> Module:
    """Return a module that does not stand in the house."""
    return Module(HOUSE / name, dedent(text), ast.parse(dedent(text)))


def test_no_modules_import_each_other() -> None:
    """The modules of the house form no circle, not even for types."""
    assert figures.cycle(modules()) == []


def test_a_public_name_stands_for_one_thing() -> None:
    """Hardly any public name is defined by two modules."""
    names = figures.public_names(modules())
    often = [name for name, count in names.items() if count > 1]
    assert 100 * len(often) / len(names) <= MOST_DEFINED_TWICE


def test_a_circle_is_found_be_it_for_types_alone() -> None:
    """Modules that import each other are named, and a room that its module imports from is not."""
    one = module("one.py", """
        if TYPE_CHECKING:
            from referee.room.two import Two
        """)  # fmt: skip
    room = module("room/__init__.py", "import referee.room.two")
    two = module("room/two.py", "def two():\n    from referee import one")
    three = module("room/two.py", "from referee.room import two")
    assert set(figures.cycle((one, room, two))) == {"referee.one", "referee.room.two"}
    assert figures.cycle((one, room, three)) == []


def test_a_public_name_counts_once_for_each_module() -> None:
    """Private names and names inside of others do not count."""
    one = module("one.py", "def a(): ...\ndef _b(): ...\n")
    two = module("two.py", "class a:\n    def c(self): ...\n")
    assert figures.public_names((one, two)) == {"a": 2}


def test_coverage_is_told_by_room() -> None:
    """A module counts for its room, and in the desk for one of its; others for the house itself."""
    half = {"num_statements": 3, "covered_lines": 2, "num_branches": 1, "covered_branches": 0}
    none = half | {"covered_lines": 0}
    files = {
        "referee/desk/letters/words/places.py": {"summary": half},
        "referee/desk/letters/intake.py": {"summary": none},
        "referee/store/play/turns.py": {"summary": half},
        "referee/text.py": {"summary": half},
    }
    assert covered.by_room(files) == {"desk/letters": 25, "referee": 50, "store": 50}
