"""Where a command finds the installation it was called for."""

from __future__ import annotations

import os
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from referee.config import Settings

CONFIG: Final[ContextVar[Path | None]] = ContextVar("CONFIG", default=None)
"""What ``--config`` said, if anything."""


def settings() -> Settings:
    """Return the settings of the installation. Raises ConfigError."""
    from referee.config import find_config, load

    return load(find_config(CONFIG.get(), os.environ), os.environ)
