"""The table of settings, read from its one source: ``schemas/config.schema.json``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
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
        """Return the setting for a value; relative paths start from ``folder``.

        Raises ValueError, saying what would be right.
        """
        row = self.row
        kind, described = _TYPES[row["type"]]
        # By exact type: True would pass for a whole number.
        if type(value) is not kind:
            raise ValueError(f"{described} is expected, not {value!r}")
        if "format" in row:
            read = READERS[row["format"]]
            return read(value, folder) if row["format"] in IN_FOLDER else read(value)
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
