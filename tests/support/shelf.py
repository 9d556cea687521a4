"""A mailbox in memory, for what the desk does with folders; no server, no protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from support.club import NOON

from referee.mail.transport.mailbox import Fetched, Folders


@dataclass
class Shelf:
    """The letters of each folder, with their arrival.

    ``anew``: this folder is made anew once it has been listed.
    """

    letters: dict[str, list[tuple[datetime, bytes]]] = field(default_factory=dict)
    uidvalidity: int = 7
    anew: str = ""
    selected: str = ""
    moved: list[tuple[str, str]] = field(default_factory=list)
    folders: Folders = field(default_factory=Folders)

    def lay(self, folder: str, minutes: int, raw: bytes) -> None:
        """Let a letter lie in a folder that arrived so many minutes after noon."""
        here = self.letters.setdefault(folder, [])
        here.append((NOON + timedelta(minutes=minutes), raw))

    def select(self, folder: str = "INBOX") -> int:
        """Choose a folder; return its UIDVALIDITY."""
        self.selected = folder
        return self.uidvalidity

    def overview(self, headers: Sequence[str], newest: int = 0) -> Iterator[Fetched]:
        """Yield every letter of the folder by its UID, or the newest of them, with all headers."""
        assert headers
        numbered = [*enumerate(self.letters.get(self.selected, []), start=1)]
        for uid, (arrived, raw) in numbered[-newest:]:
            head = raw.partition(b"\n\n")[0] + b"\n\n"
            place = (self.selected, self.uidvalidity, uid)
            yield Fetched(*place, arrived, len(raw), head, truncated=True)
        self.uidvalidity += self.selected == self.anew

    def new(self, known: Callable[[int, Sequence[int]], set[int]]) -> list[int]:
        """Return the UIDs of the folder that are not known."""
        uids = range(1, len(self.letters.get(self.selected, [])) + 1)
        return sorted({*uids} - known(self.uidvalidity, uids))

    def fetch(
        self, uids: Sequence[int], cap: int, head: int, wanted: Callable[[bytes], bool]
    ) -> Iterator[Fetched]:
        """Yield letters whole."""
        assert cap > head > 0
        assert wanted
        for uid in uids:
            arrived, raw = self.letters[self.selected][uid - 1]
            place = (self.selected, self.uidvalidity, uid)
            yield Fetched(*place, arrived, len(raw), raw, truncated=False)

    def move(
        self, uids: Sequence[int], goal: str, uidvalidity: int, copied: set[int] | None = None
    ) -> bool:
        """Note a move."""
        assert not copied
        assert uidvalidity == self.uidvalidity
        self.moved += [(self.selected, goal) for _ in uids]
        return True

    def put(self, folder: str, raw: bytes) -> None:
        """Append a message of ours."""
        self.lay(folder, 0, raw)

    def find(self, folder: str, subject: str) -> list[Fetched]:
        """Return the messages of a folder that have words in their subject, as they came."""
        self.select(folder)
        found = list(self.overview(["SUBJECT"]))
        self.select()
        return [each for each in found if subject in each.headers.text("subject")]

    def remove(self, folder: str, uids: Sequence[int]) -> None:
        """Take messages of ours away; those behind them get other UIDs."""
        for uid in sorted(uids, reverse=True):
            del self.letters[folder][uid - 1]
