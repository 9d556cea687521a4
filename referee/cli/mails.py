"""Which mails a person's folders hold, as files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from referee.errors import RefereeError

LARGEST: Final = 20_000_000
"""Bytes of a mail that are read; what matters stands far in front of that."""

MAILDIR: Final = frozenset({"cur", "new"})
"""Folders of a Maildir, where mails have no ending."""


def found(paths: Sequence[Path]) -> list[Path]:
    """Return the mails named and those in the folders named, by name within each.

    In a folder mails are the files that end in ``.eml``, and those of a Maildir. Raises
    RefereeError when there is nothing under a path.
    """
    mails: list[Path] = []
    for path in paths:
        if path.is_dir():
            mails += sorted(each for each in path.rglob("*") if each.is_file() and _is_mail(each))
        elif path.is_file():
            mails.append(path)
        else:
            raise RefereeError(f"--mail {path}: there is no such file or folder")
    return list(dict.fromkeys(mails))


def read(mails: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield each mail's name and bytes. Raises RefereeError when one cannot be read."""
    for path in mails:
        try:
            with path.open("rb") as file:
                yield str(path), file.read(LARGEST)
        except OSError as fault:
            raise RefereeError(f"--mail {path}: {fault.strerror}") from None


def _is_mail(path: Path) -> bool:
    return path.suffix.lower() == ".eml" or path.parent.name in MAILDIR
