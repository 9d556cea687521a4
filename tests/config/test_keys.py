"""The table of settings: a sound JSON Schema, and true of the loader."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee import resources
from referee.config import ConfigError, Settings
from referee.config.keys import IN_FOLDER, KEYS, READERS, Setting
from referee.config.login import PROVIDERS
from referee.games.game import LANGUAGES

pytestmark = pytest.mark.fast

SCHEMA = resources.schema("config")
FILES = ("certificates", "key-file")


def named(name: str) -> Setting:
    """Return the only key of a name."""
    (found,) = (key for key in KEYS if key.name == name)
    return found


def test_the_table_is_a_schema() -> None:
    """The file is a JSON Schema of the draft it names."""
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_every_setting_has_one_sentence(key: Setting) -> None:
    """A description is one sentence with a capital letter and a full stop."""
    said = key.row["description"]
    assert said[0].isupper()
    assert said.endswith(".")
    assert ". " not in said


def test_names_are_unique() -> None:
    """Every name is unique, since variables leave the section out."""
    assert len({key.name for key in KEYS}) == len(KEYS)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_every_setting_is_limited(key: Setting) -> None:
    """A text has a format or a list of choices, a number both bounds."""
    if key.row["type"] == "string":
        assert ("format" in key.row) != ("enum" in key.row)
    assert (key.row["type"] == "integer") == ({"minimum", "maximum"} <= set(key.row))


def test_every_format_is_used_and_read() -> None:
    """Readers and formats of the table are the same."""
    assert {key.row["format"] for key in KEYS if "format" in key.row} == {*READERS, *IN_FOLDER}
    assert not READERS.keys() & IN_FOLDER.keys()


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_what_the_table_shows_can_be_read(key: Setting, tmp_path: Path) -> None:
    """The default or example of a key fits its row and its reader."""
    shown = key.default if key.default is not None else key.row["examples"][0]
    assert Draft202012Validator(key.row).is_valid(shown)
    if key.row.get("format") not in FILES:
        assert key.read(shown, tmp_path) is not None


def test_choices_are_those_of_the_code() -> None:
    """Languages and providers are the ones that the code knows."""
    assert named("language").row["enum"] == list(LANGUAGES)
    assert named("provider").row["enum"] == list(PROVIDERS)


GOOD = """
[referee]
address = "referee@example.test"
[mail]
imap = "imaps://referee:pw@mail.example.test"
smtp = "smtps://referee:pw@mail.example.test"
"""


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        GOOD.replace("referee@", "@"),
        GOOD.replace("imaps:", "pop3:"),
        GOOD.replace("[mail]", "name = ' '\n[mail]"),
        GOOD.replace("[mail]", "language = 'German'\n[mail]"),
        GOOD + "poll_seconds = 0",
        GOOD + "poll_seconds = 3601",
        GOOD + "poll_seconds = true",
        GOOD + "letter_bytes = 1.5",
        GOOD + "trust = 'pgp'",
        GOOD + "trust = 'dmarc'",
        GOOD + "trust = 'dmarc'\nauthserv_id = 'mx.example.test'",
        GOOD + "trust = 'spf'",
        GOOD + "authserv_id = 'mx; dmarc=pass'",
        GOOD + "colour = 'red'",
        GOOD + "[oauth]\nauthorize_url = 'http://example.test'",
        GOOD + "[matches]\ntime_per_turn = 7",
        GOOD + "[matches]\ntime_per_turn = 'soon'",
        GOOD + "[matches]\nlate = 'sometime'",
        GOOD + "[matches]\nreminders = '2d, 1d'",
        GOOD + "[matches]\nreminders = ''",
        GOOD + "[matches]\nreminders = 'none'",
        GOOD + "[matches]\ntalk = 'none'",
        GOOD + "[matches]\ntime_per_turn = 'none'",
        GOOD + "[matches]\nbank = 'none'",
        GOOD + "[store]\ndatabase = 'mysql://x'",
        GOOD + "[colours]\nred = 1",
        "[referee]\nopen = 'yes'",
        "mail = 7",
    ],
)
def test_schema_and_loader_refuse_the_same_files(read: Callable[..., Settings], text: str) -> None:
    """A file that fits the schema loads, and one that does not is refused."""
    document: dict[str, Any] = tomllib.loads(text)
    valid = Draft202012Validator(SCHEMA).is_valid(document)
    try:
        read(text)
    except ConfigError:
        assert not valid
    else:
        assert valid
