"""The example game, made known as an installed package would be, though nothing is installed."""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.games import registry

EXAMPLE = Path(__file__).parents[2] / "examples" / "haggle"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what pip would write of the example beside its code."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"], project["version"]
    folder = tmp_path_factory.mktemp("site")
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    groups = project["entry-points"].items()
    lines = [
        line for group, each in groups for line in (f"[{group}]", *map(" = ".join, each.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def installed(site: Path) -> Iterator[None]:
    """Let the registry find the example while a module's tests run."""
    added = [str(site), str(EXAMPLE)]
    sys.path[:0] = added
    importlib.invalidate_caches()
    registry.installed_games.cache_clear()
    yield
    for each in added:
        sys.path.remove(each)
    for name in [each for each in sys.modules if each.partition(".")[0] == "referee_haggle"]:
        del sys.modules[name]
    importlib.invalidate_caches()
    registry.installed_games.cache_clear()
