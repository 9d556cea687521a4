"""A folder with a key, and a way to read a configuration in it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.config import Settings, load_settings

MINIMAL = """
[referee]
address = "referee@example.test"

[mail]
imap = "imaps://referee%40example.test:secret-imap@mail.example.test"
smtp = "smtps://referee%40example.test:secret-smtp@mail.example.test"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder that holds an installation's key."""
    key = tmp_path / "referee.key"
    key.write_bytes(bytes(range(32)))
    key.chmod(0o600)
    return tmp_path


@pytest.fixture
def read(folder: Path) -> Callable[..., Settings]:
    """Return the settings that a text and variables give."""

    def read_text(text: str = MINIMAL, **environ: str) -> Settings:
        file = folder / "referee.toml"
        file.write_text(text, encoding="utf-8")
        return load_settings(file, environ)

    return read_text
