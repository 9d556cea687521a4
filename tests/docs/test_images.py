"""The pictures in docs/images: each is shown, each is made by the tool, none is heavy."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from PIL import Image
from support import pictures

pytestmark = pytest.mark.fast

TREE = Path(__file__).parents[2]
SHOWN = re.compile(r"!?\[([^\]]+)\]\(([^)]*images/[^)]+)\)")


def test_pictures_in_the_documents_are_those_that_are_made() -> None:
    """Whatever a page shows lies there, and `make pictures` makes just the files of the folder."""
    shown = set()
    pages = (TREE / "README.md", TREE / "classics" / "README.md", *(TREE / "docs").rglob("*.md"))
    for page in pages:
        for words, target in SHOWN.findall(page.read_text(encoding="utf-8")):
            path = (page.parent / target).resolve()
            assert words.strip()
            assert path.is_file(), f"{page}: {target}"
            shown.add(path.name)
    lying = {each.name for each in pictures.FOLDER.iterdir()}
    assert lying == set(pictures.NAMES)
    assert shown <= lying
    assert "report-nord.png" in shown


@pytest.mark.parametrize("name", pictures.NAMES)
def test_pictures_are_small(name: str) -> None:
    """Each has a palette and weighs no more than a page can bear."""
    data = (pictures.FOLDER / name).read_bytes()
    assert len(data) <= pictures.MOST_BYTES
    assert Image.open(io.BytesIO(data)).mode == "P"


def test_a_picture_keeps_as_many_colours_as_its_size_allows() -> None:
    """A plain one is left as it is; one of noise has fewer."""
    plain, noise = Image.new("RGB", (60, 60), "#b3261e"), Image.effect_noise((700, 700), 90)
    counted = []
    for image in (plain, noise):
        out = io.BytesIO()
        image.convert("RGB").save(out, "PNG")
        small = Image.open(io.BytesIO(pictures.small(out.getvalue()))).convert("RGB")
        counted.append(len(small.getcolors() or []))
    assert small.size == (700, 700)
    assert counted == [1, pictures.COLOURS[-1]]
