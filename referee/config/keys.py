"""The table of settings, read from its one source, and the commented file made of it.

The source is ``schemas/config.schema.json``; ``referee init`` writes the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from referee import resources
from referee.config.formats import IN_FOLDER, READERS
from referee.value import Value

PREFIX: Final = "REFEREE_"

_TYPES: Final[Mapping[str, tuple[type, str]]] = {
    "string": (str, 'text in quotes, "…"'),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
}

_HEAD: Final = """\
# The settings of this referee. A variable wins over a key here: REFEREE_ and the key in capitals,
# such as REFEREE_POLL_SECONDS. Relative paths start from the folder of this file. As it may hold
# passwords, only its owner should be able to read it (chmod 600).
"""


class Setting(Value):
    """One setting: its section, its name, and its row of the schema."""

    section: str
    name: str
    row: Mapping[str, Any]
    required: bool

    @property
    def default(self) -> Any:
        """The value of a key left out, or None."""
        return self.row.get("default")

    @property
    def place(self) -> str:
        return f"[{self.section}] {self.name}"

    @property
    def variable(self) -> str:
        return PREFIX + self.name.upper()

    @property
    def is_private(self) -> bool:
        """Whether its value is a file that only the owner may read."""
        return self.row.get("format") in {"key-file", "secret-file"}

    def from_variable(self, text: str) -> str | int | bool:
        """Return the text of a variable as number or flag, where possible."""
        bare = text.strip().lower()
        if self.row["type"] == "integer" and bare.isdecimal():
            return int(bare)
        if self.row["type"] == "boolean" and bare in {"true", "false"}:
            return bare == "true"
        # What does not fit is reported by the reader, with the right form.
        return text

    def read(self, value: object, folder: Path) -> Any:
        """Return the setting for a value; paths start from ``folder``. Raises ValueError."""
        row = self.row
        kind, described = _TYPES[row["type"]]
        # By exact type: True would pass for a whole number.
        if type(value) is not kind:
            raise ValueError(f"{described} is expected, not {value!r}")
        if row.get("format") in IN_FOLDER:
            return IN_FOLDER[row["format"]](value, folder)
        if "format" in row:
            return READERS[row["format"]](value)
        if "enum" in row and value not in row["enum"]:
            raise ValueError(f"{value!r} is not one of {', '.join(row['enum'])}")
        if "minimum" in row and not row["minimum"] <= value <= row["maximum"]:
            raise ValueError(f"{value} is not between {row['minimum']} and {row['maximum']}")
        return value


SECTIONS: Final[Mapping[str, Any]] = resources.schema("config")["properties"]

KEYS: Final = tuple(
    Setting(
        name,
        key,
        row | {"enum": list(resources.languages())} if key == "language" else row,
        required=key in section.get("required", ()),
    )
    for name, section in SECTIONS.items()
    for key, row in section["properties"].items()
)


def sample(given: Mapping[str, str | bool | None]) -> str:
    """Return a configuration file with every key, each with its description.

    A key has the value ``given`` for its name, else its default, else an example: as its value if
    it is required, otherwise as a comment.
    """
    lines = [_HEAD]
    for name, section in SECTIONS.items():
        lines += [f"# {section['title']}.", f"[{name}]"]
        for key in (key for key in KEYS if key.section == name):
            row = key.row
            said = [row["description"]]
            said += [f"One of {', '.join(row['enum'])}."] if "enum" in row else []
            said += [f"From {row['minimum']} to {row['maximum']}."] if "minimum" in row else []
            said += ["Required."] if key.required else []
            lines += [f"# {line}" for line in wrap(" ".join(said), 98, break_on_hyphens=False)]
            value = given.get(key.name)
            value = key.default if value is None else value
            if value is not None:
                lines.append(f"{key.name} = {_toml(value)}\n")
            else:
                comment = "" if key.required else "# "
                lines.append(f"{comment}{key.name} = {_toml(row['examples'][0])}\n")
    return "\n".join(lines)


def _toml(value: str | float) -> str:
    """Return a TOML value; the escapes of JSON strings are TOML's too."""
    return f"{value:_}" if type(value) is int else json.dumps(value, ensure_ascii=False)
