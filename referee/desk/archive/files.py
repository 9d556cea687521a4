"""Files of the archive by match, and the folder where they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from referee.errors import RefereeError
from referee.files import write_whole

NAME: Final = re.compile(r"[a-z][a-z0-9]{0,40}-[1-9][0-9]{0,8}")
"""The form of a match's name; nothing else becomes part of a path."""


def file_in(folder: Path, match: str, ending: str) -> Path:
    """Return the path of a match's file in a folder.

    Raises RefereeError for anything but a match's name: names in records come from strangers.
    """
    if not NAME.fullmatch(match):
        raise RefereeError(f"{match[:80]!a} is no name of a match: no file is written for it")
    return folder / f"{match}{ending}"


def write_file(path: Path, data: bytes, *, anew: bool = False, mode: int = 0o644) -> None:
    """Write a file whole or not at all; ``anew``: where none is yet. Raises RefereeError."""
    try:
        write_whole(path, data, mode=mode, anew=anew)
    except FileExistsError:
        raise RefereeError(f"{path} is there already and is not replaced; name another") from None
    except OSError as fault:
        raise RefereeError(f"{path} cannot be written: {fault.strerror}") from None


def make_folder(path: Path) -> Path:
    """Return a folder, made if missing. Raises RefereeError."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise RefereeError(f"{path}: {fault.strerror}") from None
    return path
