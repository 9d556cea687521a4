"""The configuration's JSON Schema and the code that reads it agree."""

import tomllib
from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee import resources
from referee.config import KEYS, ConfigError, Settings
from referee.games.game import LANGUAGES
from referee.values import LOG_LEVELS, TRUST_LEVELS

pytestmark = pytest.mark.fast

TYPES: dict[type, str] = {str: "string", int: "integer", bool: "boolean"}


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """Return the schema of referee.toml."""
    document = resources.schema("config")
    Draft202012Validator.check_schema(document)
    return document


def test_both_know_the_same_keys(schema: dict[str, Any]) -> None:
    """Every key of the code stands in the schema, in its section, and no other."""
    named = {
        section: set(document["properties"]) for section, document in schema["properties"].items()
    }
    known = {
        section: {key.name for key in keys}
        for section, keys in groupby(KEYS, key=lambda key: key.section)
    }
    assert named == known


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_both_know_the_same_types_and_defaults(schema: dict[str, Any], key: Any) -> None:
    """A key's type, default and necessity are the same in code and schema."""
    section = schema["properties"][key.section]
    described = section["properties"][key.name]
    assert described.get("type", "string") == TYPES[key.kind]
    assert described.get("default") == key.default
    assert (key.name in section.get("required", [])) == key.required


def test_both_know_the_same_choices(schema: dict[str, Any]) -> None:
    """Languages, log levels and levels of trust are the same in code and schema."""
    keys = schema["properties"]["referee"]["properties"]
    assert keys["language"]["enum"] == list(LANGUAGES)
    assert keys["log_level"]["enum"] == list(LOG_LEVELS)
    mail = schema["properties"]["mail"]["properties"]
    assert mail["trust"]["enum"] == list(TRUST_LEVELS)


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
        GOOD + "poll_seconds = 0",
        GOOD + "poll_seconds = true",
        GOOD + "letter_bytes = 1.5",
        GOOD + "trust = 'pgp'",
        GOOD + "trust = 'dmarc'",
        GOOD + "trust = 'dmarc'\nauthserv_id = 'mx.example.test'",
        GOOD + "trust = 'spf'",
        GOOD + "authserv_id = 'mx; dmarc=pass'",
        GOOD + "colour = 'red'",
        GOOD + "[matches]\ntime_per_turn = 7",
        GOOD + "[store]\ndatabase = 'mysql://x'",
        GOOD + "[colours]\nred = 1",
        "[referee]\nopen = 'yes'",
        "mail = 7",
    ],
)
def test_both_refuse_the_same_files(
    schema: dict[str, Any], read: Callable[..., Settings], text: str
) -> None:
    """What the schema refuses the referee refuses, and what it accepts it reads."""
    valid = Draft202012Validator(schema).is_valid(tomllib.loads(text))
    try:
        read(text)
    except ConfigError:
        assert not valid
    else:
        assert valid
