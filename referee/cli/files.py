"""Files that a command line names, read up to a limit."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from referee.errors import RefereeError
from referee.games.game import Json

LARGEST: Final = 4 << 20
"""Bytes of a file that are read; real ones are smaller."""


def content_of(file: Path, largest: int = LARGEST) -> bytes:
    """Return the content of a file, ``-`` for standard input.

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


def json_of(file: Path, option: str = "") -> Json:
    """Return the JSON in a file, ``-`` for standard input. Raises RefereeError.

    ``option`` is the option that names the file, for the error.
    """
    text = content_of(file)
    try:
        document: Json = json.loads(text.decode())
        # JSON can spell half of a surrogate pair, which cannot be written as UTF-8.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as fault:
        raise RefereeError(f"{option} {file}: no JSON: {fault}".lstrip()) from None
    return document
