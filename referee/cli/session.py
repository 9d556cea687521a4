"""The installation a command was called for, and whether it prints JSON."""

from __future__ import annotations

import os
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from referee.config import Settings

CONFIG: Final[ContextVar[Path | None]] = ContextVar("CONFIG", default=None)
"""The value of ``--config``, if it was given."""

JSON: Final[ContextVar[bool]] = ContextVar("JSON", default=False)
"""Whether ``--json`` was given; every command takes it."""

COMPLETE: Final = "_REFEREE_COMPLETE"
"""The environment variable that a shell sets to ask for completions."""


def settings() -> Settings:
    """Return the settings of the installation. Raises ConfigError."""
    # The help of the program needs no settings, and reading them takes as long as all of it.
    from referee.config import find_config, load_settings  # noqa: PLC0415

    return load_settings(find_config(CONFIG.get(), os.environ), os.environ)
