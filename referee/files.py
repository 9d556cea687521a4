"""Files written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import mkstemp


def write_whole(
    path: Path, data: bytes, *, mode: int, anew: bool = False, lasting: bool = False
) -> None:
    """Write a file whole or not at all. Raises OSError.

    ``anew``: where none is yet. ``lasting``: when this returns it is on the disk.
    """
    # In the same folder, since renaming cannot cross file systems.
    descriptor, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(data)
        Path(name).chmod(mode)
        if lasting:
            # Before the rename, else a crash could leave an empty file under the name.
            flush(Path(name))
        if anew:
            # Linking fails if the name is taken; renaming would replace it.
            os.link(name, path)
            Path(name).unlink()
        else:
            Path(name).replace(path)
    except BaseException as fault:
        Path(name).unlink(missing_ok=True)
        # A full disk does not say where, and the other name is nobody's.
        if isinstance(fault, OSError):
            fault.filename = str(path)
        raise
    if lasting:
        flush(path.parent)


def flush(place: Path) -> None:
    """Write a file to the disk, or the folder without which a loss of power takes its new name."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
