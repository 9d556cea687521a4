"""Files that a command line names: read whole, but never without end."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from referee.errors import RefereeError

LARGEST: Final = 4 << 20
"""Bytes of a board, a position or a key; no true one comes near."""


def content_of(file: Path, largest: int = LARGEST) -> bytes:
    """Return what is in a file, ``-`` for standard input.

    Raises RefereeError, with the name of the file, if it cannot be read or is too large.
    """
    try:
        if str(file) == "-":
            data = sys.stdin.buffer.read(largest + 1)
        else:
            with file.open("rb") as opened:
                data = opened.read(largest + 1)
    except OSError as fault:
        raise RefereeError(f"{file}: cannot be read: {fault.strerror}") from None
    if len(data) > largest:
        raise RefereeError(f"{file}: is larger than {largest >> 20} MiB, which no such file is")
    return data
