"""Whether the files of the installation are private, and whether there is room for more."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from referee.counting import counted
from referee.desk.doctor.finding import Finding, failure, ok, warning

OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO

LITTLE: Final = 1_000_000_000
"""Bytes of free space below which it is time to make room."""

TOO_LITTLE: Final = 100_000_000


def modes(files: Iterable[Path]) -> Finding:
    """Judge whether anybody but their owner can use the files; those not there do not count."""
    files = tuple(dict.fromkeys(each for each in files if each.exists()))
    open_ones = [each for each in files if each.stat().st_mode & OTHERS]
    if open_ones:
        named = " ".join(str(each) for each in open_ones)
        return failure("file modes", f"others may use {named}", f"chmod go= {named}")
    return ok("file modes", f"{counted(len(files), 'file')} for their owner only")


def of_database(file: Path) -> Iterator[Path]:
    """Yield the files of an SQLite database."""
    for tail in ("", "-wal", "-shm"):
        yield file.with_name(file.name + tail)


def space(folder: Path, free: int | None = None) -> Finding:
    """Judge the free space, in bytes, of the disk a folder lies on."""
    free = shutil.disk_usage(folder).free if free is None else free
    found = f"{free / 1e9:.1f} GB free in {folder}"
    advice = "make room: without it no letter can be kept"
    if free < TOO_LITTLE:
        return failure("disk space", found, advice)
    return warning("disk space", found, advice) if free < LITTLE else ok("disk space", found)
