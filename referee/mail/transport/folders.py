"""Search for one letter through all folders of a mailbox."""

from __future__ import annotations

import imaplib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, Self

from referee.mail.incoming import mime
from referee.mail.incoming.mime import Headers
from referee.mail.transport.client import Client, quoted
from referee.mail.transport.connecting import drop_connection, naming_faults, open_client
from referee.mail.transport.servers import PATIENT, Server, Timing

HEADER_BYTES: Final = 65_536
"""Bytes of headers that are read of a letter, which anybody may have sent."""

_HELPFUL: Final = ("IDLE", "MOVE", "UIDPLUS")
"""New mail announced (RFC 2177), moving in one step (RFC 6851), and precise removal (RFC 4315)."""

_UNUSABLE: Final = frozenset({b"\\noselect", b"\\nonexistent"})


@dataclass(frozen=True, slots=True)
class Found:
    """A letter: its folder, the server's stamp in UTC, its headers."""

    folder: str
    arrived: datetime
    headers: Headers


class Seeker:
    """A separate connection that looks into every folder and changes nothing.

    Opening it raises MailboxError, or ServerError.
    """

    def __init__(self, server: Server, timing: Timing = PATIENT) -> None:
        self.server = server
        self._client: Client = open_client(server, timing)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._client.logout()
        except (OSError, imaplib.IMAP4.error):
            drop_connection(self._client)

    @property
    def lacks(self) -> tuple[str, ...]:
        """The extensions that would help and that the server does not have."""
        return tuple(each for each in _HELPFUL if each not in self._client.capabilities)

    def folders(self) -> list[str]:
        """Return the folders that can be opened, the inbox first. These are the server's names."""
        with naming_faults(self.server, "listing the folders"):
            listed = self._client.folders()
        names = [name for name, flags in listed if not flags & _UNUSABLE]
        return sorted(names, key=lambda each: (each.upper() != "INBOX", each))

    def seek(self, header: str, text: str, folders: Iterable[str]) -> Found | None:
        """Return the newest letter with a text in a header.

        It is from the first folder that has one.
        """
        for folder in folders:
            with naming_faults(self.server, f"looking into {folder}"):
                found = self._look(header, text, folder)
            if found is not None:
                return found
        return None

    def _look(self, header: str, text: str, folder: str) -> Found | None:
        self._client.open_folder(folder, readonly=True)
        uids = self._client.find("HEADER", quoted(header), quoted(text))
        if not uids:
            return None
        uid = max(uids)
        answer = self._client.get([uid], "INTERNALDATE", "BODY.PEEK[HEADER]").get(uid)
        if answer is None:
            return None
        raw = bytes(answer.get(b"BODY[HEADER]") or b"")
        tree = mime.parse_tree(raw, most_parts=1, deepest=0, header_bytes=HEADER_BYTES)
        stamp = answer.get(b"INTERNALDATE")
        arrived = stamp.astimezone(UTC) if isinstance(stamp, datetime) else None
        return None if arrived is None else Found(folder, arrived, tree.headers)
