"""Where tests keep files: in memory where there is room, as every flush to a disk waits for it."""

from __future__ import annotations

import shutil
from pathlib import Path

NEEDED = 2 << 30
"""Bytes that must be free."""

MEMORY, DISK = Path("/dev/shm"), Path("/tmp")


def place() -> Path:
    """Return a folder on a file system that is fast and has room, or else the usual one."""
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > NEEDED
    return MEMORY if roomy else DISK
