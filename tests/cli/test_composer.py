"""`referee composer` writes the page for links, and `record site` writes it beside the archive."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.clicking import packed_in
from support.given import GIVEN

PAGE = "https://games.example.test/play.html"
Run = Callable[..., Any]


@pytest.fixture
def here(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up an installation and work in its folder."""
    assert run("init", tmp_path / "here", *GIVEN).status == 0
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def linked(here: Path, address: str) -> None:
    """Name the page's place in the settings."""
    file = here / "referee.toml"
    text = file.read_text(encoding="utf-8").replace("[mail]\n", f'[mail]\ncomposer = "{address}"\n')
    file.write_text(text, encoding="utf-8")


def test_the_page_is_written(run: Run, here: Path) -> None:
    """It writes to this referee alone, and says how mails come to link to it."""
    ran = run("composer", "public")
    page = (here / "public" / "play.html").read_text(encoding="utf-8")
    assert ran.status == 0
    assert "play.html written" in ran.out
    assert "composer = " in ran.out
    assert '"to": "referee@example.test"' in packed_in(page, "packed")[0]
    assert '<html lang="en">' in page
    run("composer", "public", "--language", "de")
    assert '<html lang="de">' in (here / "public" / "play.html").read_text(encoding="utf-8")


def test_a_page_with_a_place_is_named(run: Run, here: Path) -> None:
    """Programs get the file and the address that mails link to."""
    linked(here, PAGE)
    found = json.loads(run("composer", "public", "--json").out)
    assert found == {"file": "public/play.html", "linked": PAGE}


def test_the_site_brings_the_page(run: Run, here: Path) -> None:
    """Only where mails link to it: without an address nobody would open it."""
    run("record", "site", "pages")
    assert not (here / "pages" / "play.html").exists()
    linked(here, PAGE)
    run("record", "site", "pages")
    assert (here / "pages" / "play.html").exists()


@pytest.mark.parametrize("address", ["http://example.test/play.html", f"{PAGE}#x", "play.html"])
def test_a_place_must_be_a_secure_address(run: Run, here: Path, address: str) -> None:
    """What is behind # belongs to the turn, and the page is opened over HTTPS."""
    linked(here, address)
    ran = run("composer", "public")
    assert ran.status != 0
    assert "composer" in ran.err
