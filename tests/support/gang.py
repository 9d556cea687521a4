"""Several daemons on one PostgreSQL database, any of them killed at any moment."""

from __future__ import annotations

import json
import signal
import time
from dataclasses import dataclass, field

from support.lane import Lane
from support.postgresql import PostgreSQL
from support.zygote import Zygote

from referee.store import leases

CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = '{}' AND pid <> pg_backend_pid()"
)


@dataclass
class Gang(Lane):
    """One installation, its players, and daemons beside each other.

    ``parts`` are the words each is started with.
    """

    server: PostgreSQL | None = None
    database: str = ""
    parts: tuple[tuple[str, ...], ...] = ((), ("--work",))
    kills: int = 0
    cuts: int = 0
    zygotes: list[Zygote] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.zygotes = [Zygote(self.installation, f"daemon{n}") for n in range(len(self.parts))]
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
        """Kill one of the daemons, or cut all connections to the database."""
        self.start_all()
        self.let_work(self.chance.uniform(0.1, 1.5))
        if self.server is not None and (self.kills + self.cuts) % 3 == 1:
            # A daemon that cannot even begin ends, and leaves it to systemd to start it again.
            while not self._all_joined():
                self.let_work(0.2)
            self.server.run(CUT.format(self.database))
            self.cuts += 1
        else:
            self.chance.choice(self.zygotes).kill()
            self.kills += 1
            # Sometimes the others go on without it for a while.
            self.let_work(self.chance.choice((0.0, 0.0, 1.0)))

    def _all_joined(self) -> bool:
        with self._reading() as connection:
            found = [json.loads(row.owner or "{}") for row in leases.daemon_leases(connection)]
        return {each.pid for each in self.zygotes} <= {each.get("pid") for each in found}

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

    def close(self) -> None:
        """End all daemons."""
        for zygote in self.zygotes:
            zygote.close()
