"""The sample: a commented configuration file with every setting there is."""

import re
import tomllib
from collections.abc import Callable

import pytest

from referee.config import Settings
from referee.config.keys import KEYS, Setting, sample

pytestmark = pytest.mark.fast

GIVEN = {
    "address": "referee@example.test",
    "imap": "imaps://referee:secret@mail.example.test",
    "smtp": "smtps://referee:secret@mail.example.test",
}


def entry(key: Setting, text: str) -> str:
    """Return the comment and the line of a key, the comment unwrapped."""
    section = text.partition(f"\n[{key.section}]\n")[2].partition("\n[")[0]
    (found,) = re.findall(rf"((?:^# .*\n)+)(^(?:# )?{key.name} = .*)", section, re.MULTILINE)
    comment, line = found[0].splitlines(), found[1]
    return " ".join(each.removeprefix("# ") for each in comment) + "\n" + line


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_every_setting_stands_with_its_description(key: Setting) -> None:
    """Above each key are its sentence and its limits."""
    said, _, line = entry(key, sample({})).partition("\n")
    assert said.startswith(key.row["description"])
    assert all(each in said for each in key.row.get("enum", ()))
    assert all(str(key.row[each]) in said for each in ("minimum", "maximum") if each in key.row)
    assert said.endswith("Required.") == key.required
    assert line.startswith("# ") == (key.default is None and not key.required)


def test_the_sample_changes_nothing(read: Callable[..., Settings]) -> None:
    """Its settings are those of a file that only has the required keys."""
    required = "".join(
        f'[{key.section}]\n{key.name} = "{GIVEN[key.name]}"\n' for key in KEYS if key.name in GIVEN
    ).replace("[mail]\nsmtp", "smtp")
    assert read(sample(GIVEN)) == read(required)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_a_line_without_its_comment_mark_sets_the_key(key: Setting) -> None:
    """Each line is TOML, and holds the default or the example of its key."""
    lines = sample({}).splitlines()
    line = f"{key.name} = "
    bare = [each.removeprefix("# ") if each.startswith(f"# {line}") else each for each in lines]
    shown = tomllib.loads("\n".join(bare))[key.section][key.name]
    assert shown == (key.default if key.default is not None else key.row["examples"][0])


def test_what_is_given_is_quoted(read: Callable[..., Settings]) -> None:
    """Quotation marks, backslashes and umlauts come back unchanged."""
    name = 'Der "Schiri" \\ für alle'
    assert read(sample({**GIVEN, "name": name})).name == name


def test_nothing_given_keeps_the_default(read: Callable[..., Settings]) -> None:
    settings = read(sample({**GIVEN, "organiser": None, "zone": None}))
    assert settings.organiser is None
    assert settings.zone.key == "UTC"


def test_no_line_is_long() -> None:
    """Every line fits into 100 columns."""
    assert max(map(len, sample({}).splitlines())) <= 100
