"""Templates that were compiled are kept for the next start, and never at the cost of a mail."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from jinja2 import Environment

from referee.render.templates import template_environment

pytestmark = pytest.mark.fast


@pytest.fixture(autouse=True)
def own_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every test begin without anything kept."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def rendered(*, escape: bool) -> str:
    template = template_environment(escape=escape).get_template("blocks.j2")
    block = SimpleNamespace(kind="paragraph", texts=["a < b"])
    return template.render(p=SimpleNamespace(para=str), blocks=[block])


def test_a_template_is_compiled_at_the_first_start_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    before = rendered(escape=False)

    def compiled_again(*_: object, **__: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(Environment, "compile", compiled_again)
    assert rendered(escape=False) == before


def test_what_is_kept_of_plain_text_does_not_stand_where_html_escapes() -> None:
    plain, html = rendered(escape=False), rendered(escape=True)
    assert ("a < b" in plain, "a &lt; b" in html) == (True, True)
    assert (rendered(escape=False), rendered(escape=True)) == (plain, html)


def test_nobody_elses_folder_is_used(tmp_path: Path) -> None:
    folder = tmp_path / f"_jinja2-cache-{os.getuid()}"
    folder.write_text("not a folder")
    assert "a &lt; b" in rendered(escape=True)
    assert folder.read_text() == "not a folder"


def test_a_mail_is_written_though_the_disk_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", full)
    assert "a &lt; b" in rendered(escape=True)
