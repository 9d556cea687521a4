"""Figures of the house: how large it is, and how easy to find one's way in.

``PYTHONPATH=tests python -m support.figures`` prints them.
"""

from __future__ import annotations

import ast
import graphlib
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from support.docstrings import RELATIVE, documented, statements

TREE: Final = Path(__file__).parents[2]
HOUSE: Final = TREE / "referee"

LONGEST_FILE: Final = 400
MOST_IN_A_FOLDER: Final = 16

_REASONS: Final = re.compile(r"#\s*(?:noqa|type:|fmt:|pragma)")


@dataclass(frozen=True, slots=True)
class Module:
    """Module of the house: its path, its text, and its tree."""

    path: Path
    text: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """The path below the house."""
        return str(self.path.relative_to(HOUSE))

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return len(self.text.splitlines())


def modules() -> tuple[Module, ...]:
    """Return every module of the house."""
    found = sorted(each for each in HOUSE.rglob("*.py") if "__pycache__" not in each.parts)
    texts = [(each, each.read_text(encoding="utf-8")) for each in found]
    return tuple(Module(path, text, ast.parse(text)) for path, text in texts)


def functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions and methods of a module."""
    for node in statements(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def long_files(house: tuple[Module, ...]) -> dict[str, int]:
    """Return the modules with too many lines."""
    return {each.name: each.lines for each in house if each.lines > LONGEST_FILE}


def full_folders(house: tuple[Module, ...]) -> dict[str, int]:
    """Return the folders with too many modules at one level."""
    count = Counter(str(each.path.parent.relative_to(HOUSE)) for each in house
                    if each.path.name != "__init__.py")  # fmt: skip
    return {name: number for name, number in count.items() if number > MOST_IN_A_FOLDER}


def flat_files() -> int:
    """Return how many modules stand in the desk itself, outside its rooms."""
    return sum(1 for each in (HOUSE / "desk").glob("*.py") if each.name != "__init__.py")


def length_at(house: tuple[Module, ...], share: float) -> int:
    """Return the lines of a function, but its docstring, that a share of all does not exceed."""
    found = sorted(lines_of(each) for module in house for each in functions(module))
    return found[int(len(found) * share)]


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many lines a function has, its docstring aside."""
    documented = ast.get_docstring(function) is not None
    return height(function) - (height(function.body[0]) if documented else 0)


def height(node: ast.stmt) -> int:
    """Return how many lines a statement has."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def comments(house: tuple[Module, ...]) -> float:
    """Return the comments in a hundred lines of code; marks for tools are none."""
    written = code = 0
    for each in house:
        tokens = list(tokenize.generate_tokens(io.StringIO(each.text).readline))
        found = [token for token in tokens if token.type == tokenize.COMMENT]
        written += sum(1 for token in found if not _REASONS.match(token.string))
        kinds = {tokenize.NAME, tokenize.OP}
        code += len({token.start[0] for token in tokens if token.type in kinds})
    return 100 * written / code


def free_relatives(house: tuple[Module, ...]) -> list[str]:
    """Return the docstrings that begin with a free relative."""
    return [
        f"{each.name}:{name}"
        for each in house
        for name, node in documented(each.tree)
        if RELATIVE.match(ast.get_docstring(node) or "")
    ]


def public_names(house: tuple[Module, ...]) -> dict[str, int]:
    """Return the public names of modules, with the number that define them."""
    count: Counter[str] = Counter()
    for each in house:
        kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        names = {node.name for node in each.tree.body if isinstance(node, kinds)}
        count.update(name for name in names if not name.startswith("_"))
    return dict(count)


def inner_imports(house: tuple[Module, ...], room: str) -> int:
    """Return how many imports of a room stand inside functions."""
    return sum(
        isinstance(node, ast.Import | ast.ImportFrom)
        for each in house
        if each.name.startswith(room)
        for function in functions(each)
        for node in statements(function)
    )


def cycle(house: tuple[Module, ...]) -> list[str]:
    """Return a circle of modules that import each other, be it for types alone."""
    names = frozenset(map(dotted, house))
    graph = {dotted(each): set(imported(each, names)) - {dotted(each)} for each in house}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def dotted(module: Module) -> str:
    """Return the name by which a module is imported."""
    path = module.path.relative_to(TREE).with_suffix("")
    return ".".join(path.parent.parts if path.name == "__init__" else path.parts)


def imported(module: Module, names: frozenset[str]) -> Iterator[str]:
    """Yield those of some modules that a module imports anywhere in it."""
    for node in statements(module.tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in names)
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{each.name}" for each in node.names}
            yield from inner & names
            if node.module in names and inner - names:
                yield node.module


def table(house: tuple[Module, ...]) -> dict[str, object]:
    """Return every figure by its name."""
    names = public_names(house)
    often = [name for name, count in names.items() if count > 1]
    return {
        "lines": sum(each.lines for each in house),
        "modules": len(house),
        "modules flat in desk": flat_files(),
        f"folders of more than {MOST_IN_A_FOLDER} modules": full_folders(house),
        f"files of more than {LONGEST_FILE} lines": long_files(house),
        "lines of 90 % of functions, at most": length_at(house, 0.9),
        "comments in 100 lines of code": round(comments(house), 1),
        "docstrings that begin with a free relative": len(free_relatives(house)),
        "public names defined twice, in percent": round(100 * len(often) / len(names), 1),
        "imports inside functions of cli": inner_imports(house, "cli"),
        "modules that import each other": cycle(house),
    }


def main() -> None:
    """Print every figure."""
    found = table(modules()).items()
    sys.stdout.write("".join(f"{name:45} {figure}\n" for name, figure in found))


if __name__ == "__main__":
    main()
