"""``referee record verify``: the proof that a record is consistent, and is what players saw."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from referee.cli import output
from referee.cli.options import argument, content_of, option
from referee.desk.archive import record
from referee.errors import RefereeError
from referee.text import counted

LARGEST_MAIL: Final = 20_000_000
"""Bytes of a mail that are read; proofs stand far earlier."""

MAILDIR: Final = frozenset({"cur", "new"})
"""Folders of a Maildir, where the names of mails have no ending."""


def verify(
    file: Annotated[Path, argument("FILE", "A record, compressed or not.")],
    more: Annotated[list[Path] | None, argument("PATH", "More mails, for --mail *.eml.")] = None,
    *,
    mail: Annotated[
        list[Path] | None, option("PATH", "A mail you got (.eml), or a folder; repeatable.")
    ] = None,
) -> None:
    """Verify a record, and compare it with mails.

    The match is replayed and every draw, digest and hash is recomputed. Exit status 1: the record
    is wrong, or is not of the match in your mails.

    Example: referee record verify nord-1.jsonl --mail ~/mails
    """
    lines = read_record_lines(file)
    found = mails_found([*(mail or ()), *(more or ())])
    verified = record.verify_and_compare(lines, read_mails(found) if found else None)
    proof = verified.proof
    if verified.ok and (mail or more) and not (proof and proof.compared):
        name, count = verified.verdict.match, counted(len(found), "mail")
        said = f"{name} is consistent in itself, but nothing of it was shown in {count}"
        raise RefereeError(f"{said}: nothing was compared")
    verdict = verified.verdict
    if verdict.ok:
        orders, draws = counted(verdict.orders, "order"), counted(verdict.draws, "draw")
        told = [f"{verdict.match}: consistent in itself: {orders}, {draws} recomputed"]
    else:
        told = [f"{file}: line {verdict.line}: {verdict.message}"]
    if verified.abandoned:
        told.append("it was broken off (abandoned): nobody has won or lost")
    if proof is not None:
        told.append(
            f"mails compared: {proof.compared} (heads: {proof.heads}, in full: {proof.full}, "
            f"commitments: {proof.commitments}); not about {verdict.match}: {proof.others}"
        )
        if proof.fault:
            told.append(f"{proof.mail}: {proof.fault}: it is not the match this mail was about")
        elif proof.reach is not None:
            told.append(f"all are in this record: nobody rewrote it up to event {proof.reach}")
        elif proof.compared:
            told.append("all are in this record; no head was shown, so its events are not proved")
    output.result(verified.document(), *told)
    if not verified.ok:
        raise typer.Exit(1)


def read_record_lines(file: Path) -> list[bytes]:
    """Return the lines of a record; the last may lack its end."""
    try:
        return record.lines_in(content_of(file, record.LONGEST))
    except ValueError as fault:
        raise RefereeError(f"{file}: {fault}") from None


def mails_found(paths: Sequence[Path]) -> list[Path]:
    """Return the mails named, and the mails in folders named, sorted.

    In a folder mails are the files that end in ``.eml``, and those of a Maildir. Raises
    RefereeError for a path that does not exist.
    """
    mails: list[Path] = []
    for path in paths:
        if path.is_dir():
            mails += sorted(
                file
                for file in path.rglob("*")
                if file.is_file() and (file.suffix.lower() == ".eml" or file.parent.name in MAILDIR)
            )
        elif path.name.endswith((".jsonl", ".jsonl.gz")):
            raise RefereeError(f"{path} is no mail: records are verified one at a time")
        elif path.is_file():
            mails.append(path)
        else:
            raise RefereeError(f"--mail {path}: there is no such file or folder")
    return list(dict.fromkeys(mails))


def read_mails(mails: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield each mail's name and bytes. Raises RefereeError when one cannot be read."""
    for path in mails:
        try:
            with path.open("rb") as file:
                yield str(path), file.read(LARGEST_MAIL)
        except OSError as fault:
            raise RefereeError(f"--mail {path}: {fault.strerror}") from None
