"""What holds for every command: the installation it was called for, and whether it prints JSON."""

from __future__ import annotations

import os
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from referee.config import Settings


CONFIG: Final[ContextVar[Path | None]] = ContextVar("CONFIG", default=None)
"""What ``--config`` said, if anything."""

JSON: Final[ContextVar[bool]] = ContextVar("JSON", default=False)
"""Whether ``--json`` was given, which every command takes."""


def settings() -> Settings:
    """Return the settings of the installation. Raises ConfigError."""
    from referee.config import find_config, load

    return load(find_config(CONFIG.get(), os.environ), os.environ)
