"""The commented configuration file that `referee init` writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from textwrap import wrap
from typing import Final

from referee.config.keys import KEYS, SECTIONS

_HEAD: Final = """\
# The settings of this referee. A variable wins over a key here: REFEREE_ and the key in capitals,
# such as REFEREE_POLL_SECONDS. Relative paths start from the folder of this file. As it may hold
# passwords, only its owner should be able to read it (chmod 600).
"""


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
