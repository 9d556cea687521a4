"""Several daemons on one PostgreSQL database, any of them killed or cut off at any moment."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from support.lane import Lane
from support.link import Link
from support.postgresql import PostgreSQL
from support.zygote import WAIT, Zygote

from referee.store import leases

_FAULT: Final = re.compile(r"^\w+ at \w+\.py:.*", re.MULTILINE)
"""A line of a log that says where an exception came from."""

WAYS: Final = (Link.closed, Link.silent, Link.unanswered)
"""Ways in which a network fails."""


@dataclass
class Gang(Lane):
    """One installation, its players, and daemons beside each other.

    ``parts`` are the words each is started with. Each reaches the database by a link of its own,
    the players' side and the organiser's without one.
    """

    server: PostgreSQL | None = None
    database: str = ""
    parts: tuple[tuple[str, ...], ...] = ((), ("--work",))
    kills: int = 0
    cuts: int = 0
    links: list[Link] = field(default_factory=list, init=False)
    zygotes: list[Zygote] = field(default_factory=list, init=False)
    _first_signs: dict[int, datetime] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        assert self.server is not None
        for number in range(len(self.parts)):
            link = Link(self.server.socket)
            self.links.append(link)
            url = link.url(self.database)
            zygote = Zygote(self.installation, f"daemon{number}", REFEREE_DATABASE=url)
            self.zygotes.append(zygote)
        self.zygote = self.zygotes[0]

    def start_all(self) -> None:
        """Start every daemon that does not run."""
        for zygote, part in zip(self.zygotes, self.parts, strict=True):
            if zygote.pid is None or not zygote.running:
                assert zygote.status in {None, 0, -signal.SIGKILL, -signal.SIGTERM}, self.said()
                zygote.start("--poisonous", *part)

    def let_work(self, seconds: float) -> None:
        """Let daemons and players go on for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.players.act()
            time.sleep(0.05)

    def trouble_once(self) -> None:
        """Kill one of the daemons, or cut one or all of them off from the database."""
        self.start_all()
        self.let_work(self.chance.uniform(0.1, 1.5))
        if self.cuts < self.kills:
            self._cut_off()
        else:
            self.chance.choice(self.zygotes).kill()
            self.kills += 1
            # Sometimes the others go on without it for a while.
            self.let_work(self.chance.choice((0.0, 0.0, 1.0)))

    def _cut_off(self) -> None:
        """Cut daemons off in the next of the ways there are; each must go on by itself."""
        # One that cannot even begin ends, and leaves it to systemd to start it again.
        started = datetime.now(UTC)
        self._let_work_until(lambda: self._all_heard(started))
        way = WAYS[self.cuts % len(WAYS)]
        chosen = self.chance.choice((self.links, [self.chance.choice(self.links)]))
        with ExitStack() as troubled:
            for each in chosen:
                troubled.enter_context(way(each))
            self.let_work(self.chance.uniform(0.2, 1.5))
        self.cuts += 1
        mended = datetime.now(UTC)
        self._let_work_until(lambda: self._all_heard(mended))

    def _let_work_until(self, reached: Callable[[], bool]) -> None:
        """Let all go on until something is reached; no daemon may end meanwhile."""
        end = time.monotonic() + WAIT
        while not reached():
            assert time.monotonic() < end, self.said()
            assert all(each.running for each in self.zygotes), self.said()
            self.let_work(0.1)

    def _all_heard(self, since: datetime) -> bool:
        """Whether each daemon has joined the others and gave a sign of life since a moment.

        Its first sign is none: it is there before the daemon itself knows that it has joined.
        """
        with self._reading() as connection:
            rows = leases.daemon_leases(connection)
        beaten = {json.loads(row.owner or "{}").get("pid"): row.heartbeat for row in rows}
        found = [beaten.get(each.pid) for each in self.zygotes]
        first = [
            at and self._first_signs.setdefault(each.pid or 0, at)
            for each, at in zip(self.zygotes, found, strict=True)
        ]
        return all(
            at is not None and at > since and at != sign
            for at, sign in zip(found, first, strict=True)
        )

    def come_to_rest(self, seconds: float = 400) -> None:
        """Let all daemons work until every match is over and nothing is on its way."""
        self.players.quiet = True
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.start_all()
            if not self.players.act() and self._at_rest():
                for zygote in self.zygotes:
                    assert zygote.kill(signal.SIGTERM) == 0, self.said()
                return
            if self._stopped():
                self.zygotes[-1].kill(signal.SIGTERM)
            time.sleep(0.2)
        raise AssertionError(f"no rest: {self.unfinished()[:10]} {self._running()}\n{self.said()}")

    def said(self) -> str:
        """Return the end of what each daemon logged."""
        logs = [each.log.read_text()[-3000:] for each in self.zygotes if each.log.exists()]
        return "\n---\n".join(logs)

    def surprises(self) -> list[str]:
        """Return the faults of their own that daemons logged; poisoned letters are none."""
        logs = [each.log.read_text() for each in self.zygotes if each.log.exists()]
        found = (each for text in logs for each in _FAULT.findall(text))
        return [each for each in found if not each.startswith("LookupError ")]

    def close(self) -> None:
        """End all daemons, and close their links."""
        for zygote in self.zygotes:
            zygote.close()
        for link in self.links:
            link.close()
