"""The daemon's log: lines for people, for the journal, or as JSON."""

from __future__ import annotations

import copy
import json
import logging
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, TypeAlias

MOST_CAUSES: Final = 10
"""Exceptions of a chain that are logged."""

FIELDS: Final = ("action", "match", "letter", "mail")
"""Fields of a record beside its sentence; none of them is ever secret."""

PRIORITIES: Final[Mapping[int, int]] = {
    logging.DEBUG: 7,
    logging.INFO: 6,
    logging.WARNING: 4,
    logging.ERROR: 3,
    logging.CRITICAL: 2,
}
"""Syslog priorities by level; the journal reads them at the start of a line (sd-daemon(3))."""

CHATTY: Final = ("aiosmtplib", "alembic")
"""Libraries that log more than anybody reads."""

LogForm: TypeAlias = Literal["text", "json"]

ExcInfo: TypeAlias = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


class DiscreetFormatter(logging.Formatter):
    """A log formatter that writes type and place of exceptions, but not their messages.

    A message may quote a letter, a card or a code, and a log is read by many.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line, its exception formatted anew."""
        record = copy.copy(record)
        record.exc_text = None
        return super().format(record)

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802
        """Return type and place of an exception, after those that caused it."""
        told: list[str] = []
        fault = ei[1]
        while fault is not None and len(told) < MOST_CAUSES:
            frames = traceback.extract_tb(fault.__traceback__)
            way = " > ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
            told.append(f"{type(fault).__name__} at {way}")
            fault = fault.__cause__ or fault.__context__
        return "\n".join(reversed(told))


class TextLog(DiscreetFormatter):
    """Records as lines for people, their ids behind the sentence."""

    def __init__(self, *, journal: bool = False) -> None:
        # The journal notes the moment itself, and takes the level from a number.
        super().__init__("%(message)s" if journal else "%(asctime)s %(levelname)s %(message)s")
        self.journal = journal

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as lines."""
        said = super().format(record)
        ids = " ".join(f"{name}={value}" for name, value in _fields(record) if name != "action")
        if ids:
            first, *rest = said.split("\n")
            said = "\n".join([f"{first} ({ids})", *rest])
        if not self.journal:
            return said
        mark = f"<{PRIORITIES.get(record.levelno, 6)}>"
        return "\n".join(f"{mark}{line}" for line in said.split("\n"))


class JsonLog(DiscreetFormatter):
    """Records as one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line."""
        moment = datetime.fromtimestamp(record.created, UTC)
        told: dict[str, object] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **dict(_fields(record)),
        }
        if record.exc_info:
            told["fault"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def _fields(record: logging.LogRecord) -> Iterator[tuple[str, object]]:
    for name in FIELDS:
        value = getattr(record, name, None)
        if value is not None:
            yield name, value


def _goes_to_journal() -> bool:
    """Return whether standard error goes to the journal (systemd.exec(5)).

    What a process hands on to others says so too, even where their errors go elsewhere.
    """
    try:
        stream = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{stream.st_dev}:{stream.st_ino}"


def set_up_log(level: str, form: LogForm) -> None:
    """Write the log of this process to standard error, in a form."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLog() if form == "json" else TextLog(journal=_goes_to_journal()))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    for library in CHATTY:
        logging.getLogger(library).setLevel(logging.WARNING)
