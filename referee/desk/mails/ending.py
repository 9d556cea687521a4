"""The end of a match in its last reports: its course, its record, and a keepsake."""

from __future__ import annotations

import logging
from typing import Final

from referee.desk.archive import record as archive_record
from referee.desk.archive import transcripts
from referee.desk.archive.site import pages
from referee.desk.desk import Change
from referee.desk.matches.ledger import LoadedMatch
from referee.errors import RefereeError
from referee.mail.composing import Attachment
from referee.matches.record import packed
from referee.render.reports import Report
from referee.render.site.course import Course
from referee.render.words.wording import Wording
from referee.value import Value, replace

log = logging.getLogger(__name__)

MOST_ATTACHED: Final = 100_000
"""Bytes up to which a compressed record, or a keepsake, is attached to the last report."""

RECORD: Final = ".record.jsonl.gz"
KEEPSAKE: Final = ".zip"
"""How the names of a match's compressed record and of its keepsake end."""


class Ending(Value):
    """The course of a finished match, files for last reports, and whether its record is left out."""

    attached: tuple[Attachment, ...] = ()
    course: Course | None = None
    left_out: bool = False

    def told_in(self, told: Report) -> Report:
        """Return a report that names the files and shows the course."""
        named = {file.name.removeprefix(told.match): file.name for file in self.attached}
        return replace(
            told,
            record=named.get(RECORD, ""),
            keepsake=named.get(KEEPSAKE, ""),
            files=tuple(name for end, name in named.items() if end not in {RECORD, KEEPSAKE}),
            course=self.course,
            left_out=self.left_out,
        )


def ending_of(change: Change, loaded: LoadedMatch, language: str) -> Ending:
    """Return the end of a match, without files that are too large.

    Each reader can verify the match with the record, without asking anybody, and see it played
    again on the page.
    """
    if not loaded.live.turn.over:
        return Ending()
    row, course = loaded.row, None
    record = packed(archive_record.record_bytes(change.connection, row))
    files = [Attachment(f"{row.name}{RECORD}", "application/gzip", record)]
    try:
        page = pages.whole_page(change.desk, change.connection, row, language)
        course = page.course
        zipped = pages.keepsake(row, page, Wording(loaded.game, language))
        files.append(Attachment(f"{row.name}{KEEPSAKE}", "application/zip", zipped))
        files += transcripts.files_of(change.desk, change.connection, row)
    except RefereeError as fault:
        # The last mail tells the result, and must not wait for a page or another program's file.
        log.warning("%s ends without all its files: %s", row.name, fault)
    attached = tuple(file for file in files if len(file.content) <= MOST_ATTACHED)
    return Ending(attached, course, left_out=len(record) > MOST_ATTACHED)
