"""Figures of the house: how large it is, and how easy to find one's way in.

``PYTHONPATH=tests python -m support.figures`` prints them.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

TREE: Final = Path(__file__).parents[2]
HOUSE: Final = TREE / "referee"

LONGEST_FILE: Final = 400
MOST_IN_A_FOLDER: Final = 16

_RELATIVE: Final = re.compile(
    r"(?:\w+ (?:that |whether |if )?)?(?:what|who|whom|whose|which)\b", re.IGNORECASE
)
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
    for node in ast.walk(module.tree):
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
    """Return the length of a function that a share of all does not exceed."""
    found = sorted(
        (each.end_lineno or each.lineno) - each.lineno + 1
        for module in house
        for each in functions(module)
    )
    return found[int(len(found) * share)]


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
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return [
        f"{each.name}:{getattr(node, 'name', 'module')}"
        for each in house
        for node in ast.walk(each.tree)
        if isinstance(node, kinds)
        if _RELATIVE.match(ast.get_docstring(node) or "")
    ]


def public_names(house: tuple[Module, ...]) -> dict[str, int]:
    """Return the public names of modules that are defined in more than one."""
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
        for node in ast.walk(function)
    )


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
    }


def main() -> None:
    """Print every figure."""
    found = table(modules()).items()
    sys.stdout.write("".join(f"{name:45} {figure}\n" for name, figure in found))


if __name__ == "__main__":
    main()
