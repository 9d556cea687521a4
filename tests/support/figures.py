"""The modules of the house: which import each other, and which define the same public names."""

from __future__ import annotations

import ast
import graphlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from support.docstrings import statements

TREE: Final = Path(__file__).parents[2]
HOUSE: Final = TREE / "referee"


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


def modules() -> tuple[Module, ...]:
    """Return every module of the house."""
    found = sorted(each for each in HOUSE.rglob("*.py") if "__pycache__" not in each.parts)
    texts = [(each, each.read_text(encoding="utf-8")) for each in found]
    return tuple(Module(path, text, ast.parse(text)) for path, text in texts)


def public_names(house: tuple[Module, ...]) -> dict[str, int]:
    """Return the public names of modules, with the number that define them."""
    count: Counter[str] = Counter()
    for each in house:
        kinds = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        names = {node.name for node in each.tree.body if isinstance(node, kinds)}
        count.update(name for name in names if not name.startswith("_"))
    return dict(count)


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
