"""The files about the project itself: its metadata, its workflow, its changelog."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from support import figures, pages

from referee import resources
from referee.resources import DISTRIBUTION

WORKFLOW = pages.read(".github/workflows/ci.yml")
CHANGES = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def project() -> dict[str, Any]:
    """Return the metadata of the project."""
    metadata: dict[str, Any] = tomllib.loads(pages.read("pyproject.toml"))["project"]
    return metadata


def pythons() -> list[str]:
    """Return the versions of Python the metadata names."""
    found = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", each)
             for each in project()["classifiers"])  # fmt: skip
    return [each[1] for each in found if each]


def test_the_workflow_runs_what_the_makefile_runs() -> None:
    """Every step that runs something calls a target of the Makefile."""
    targets = set(re.findall(r"^(\w+):", pages.read("Makefile"), re.MULTILINE))
    runs = re.findall(r"^ +(?:- )?run: (.+)$", WORKFLOW, re.MULTILINE)
    called = [re.fullmatch(r"(?:sudo )?make (\w+)(?: PYTHON=[^;&|]+)?", each) for each in runs]
    assert {each[1] for each in called if each} == {"check", "servers", "test"}
    assert all(each and each[1] in targets for each in called)


def test_every_supported_python_is_checked() -> None:
    """The workflow checks the versions of Python that the metadata names, from the oldest on."""
    matrix = re.search(r"python: \[(.+)\]", WORKFLOW)
    assert matrix is not None
    assert re.findall(r'"([^"]+)"', matrix[1]) == pythons()
    assert project()["requires-python"] == f">={pythons()[0]}"


def test_the_licence_is_the_one_the_metadata_names() -> None:
    """The file LICENSE is the one of the metadata, and its holder is the author."""
    metadata = project()
    assert metadata["license-files"] == ["LICENSE"]
    text = pages.read("LICENSE")
    assert text.startswith(f"{metadata['license']} License")
    assert text.splitlines()[2].endswith(metadata["authors"][0]["name"])


def test_the_changelog_has_its_form() -> None:
    """Unreleased comes first, then the version at hand; changes stand under the usual headings."""
    text = pages.read("CHANGELOG.md")
    versions = re.findall(r"^## \[?([^\]\s]+)\]?", text, re.MULTILINE)
    assert versions[:2] == ["Unreleased", project()["version"]]
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= set(CHANGES)


def imported() -> Iterator[str]:
    """Yield the packages that the house imports, as often as it does."""
    for module in figures.modules():
        for each in ast.walk(module.tree):
            if isinstance(each, ast.Import):
                yield from (name.name.split(".")[0] for name in each.names)
            elif isinstance(each, ast.ImportFrom) and each.level == 0:
                yield str(each.module).split(".")[0]


def test_every_package_that_is_imported_is_declared() -> None:
    """The metadata declares each foreign package by itself, not by way of another."""
    metadata = project()
    extras = metadata["optional-dependencies"]
    declared = [*metadata["dependencies"], *(each for name in extras for each in extras[name])]
    names = {re.split(r"[^\w.-]", each)[0].lower().replace("_", "-") for each in declared}
    owners = packages_distributions()
    foreign = set(imported()) - sys.stdlib_module_names - {"referee"}
    missing = {
        each
        for each in foreign
        if not names & {owner.lower().replace("_", "-") for owner in owners[each]}
    }
    assert missing == set()


def test_the_distribution_has_one_name() -> None:
    """Hints and metadata name the same distribution, and nothing sends people to another."""
    assert project()["name"] == DISTRIBUTION
    extras = set(project()["optional-dependencies"])
    root = Path(pages.__file__).parents[2]
    # A game depends on it by the same name: the command's is free for anybody to take.
    games = [root / each / "pyproject.toml" for each in ("examples/haggle", "tests/pebbles")]
    for each in (*games, root / "docs" / "adding-a-game.md"):
        assert f'dependencies = ["{DISTRIBUTION}"]' in each.read_text(encoding="utf-8"), each
    texts = [*root.glob("docs/**/*.md"), *root.glob("deploy/*"), *root.glob("*.md")]
    for file in texts:
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        assert not re.search(r"pip\w* install '?referee\b(?!-by-mail)", text), file
        named = re.findall(rf"{DISTRIBUTION}\[(\w+)\]", text)
        assert set(named) <= extras, file


def test_pages_that_messages_name_are_found_in_every_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel carries them, and there the message says where; in a checkout they lie in docs."""
    root = Path(pages.__file__).parents[2]
    carried = tomllib.loads(pages.read("pyproject.toml"))
    carried = carried["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    sources = (file.read_text(encoding="utf-8") for file in (root / "referee").rglob("*.py"))
    named = {name for text in sources for name in re.findall(r"resources\.page\('(.+?)'\)", text)}
    assert "organisers/moving.md" in named
    for name in named:
        assert (root / "docs" / name).is_file()
        (inside,) = {f"docs/{name}", str(Path("docs", name).parent)} & set(carried)
        assert carried[inside] == f"referee/share/{inside}"
        assert resources.page(name) == f"docs/{name}"
    page = tmp_path / "share" / "docs" / "organisers" / "moving.md"
    page.parent.mkdir(parents=True)
    page.touch()
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "resources.py"))
    assert resources.page("organisers/moving.md") == str(page)
