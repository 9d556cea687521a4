"""A private PostgreSQL on a Unix socket: any user is let in, and nobody else finds it."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from sqlalchemy import NullPool, create_engine, make_url, text
from sqlalchemy.exc import OperationalError
from support import room

USER = "referee"
WAIT = 150.0
PLACES = Path("/usr/lib/postgresql")
"""Where Debian keeps the servers, one folder per version."""


def programs() -> Path | None:
    """Return the folder with the newest server on this machine, None where there is none."""
    found = [each.parent for each in PLACES.glob("*/bin/initdb")]
    if (program := shutil.which("initdb")) is not None:
        found.append(Path(program).resolve().parent)
    return max(found, key=lambda each: (each.parent.name.isdigit(), each.parent.name), default=None)


def why_not() -> str | None:
    """Return why PostgreSQL cannot be started here, or None."""
    return None if programs() else "PostgreSQL is not installed (Debian: postgresql)"


class PostgreSQL:
    """A server of its own; a power cut would lose what it holds."""

    def __init__(self) -> None:
        # A Unix socket's path is short, and a server that root started needs a way to its folder.
        self._home = Path(tempfile.mkdtemp(prefix="pg.", dir=room.place()))
        self._data = self._home / "data"
        root = os.geteuid() == 0
        self._owner = pwd.getpwnam("nobody") if root else pwd.getpwuid(os.getuid())
        self._process: subprocess.Popen[bytes] | None = None
        if root:
            os.chown(self._home, self._owner.pw_uid, self._owner.pw_gid)

    def start(self) -> None:
        """Make the server's files, start it and wait until it answers."""
        plain = ("--no-locale", "-E", "UTF8", "--no-sync", "-U", USER, "-A", "trust")
        made = self._launch("initdb", "-D", str(self._data), *plain)
        if made.wait(WAIT) != 0:
            raise RuntimeError(f"PostgreSQL made no files: {self._said()}")
        alone = ("-c", "listen_addresses=", "-c", "fsync=off", "-k", str(self._home))
        self._process = self._launch("postgres", "-D", str(self._data), *alone)
        end = time.monotonic() + WAIT
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL did not start: {self._said()}")
            time.sleep(0.05)

    def _launch(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        folder = programs()
        assert folder is not None
        root = os.geteuid() == 0
        with (self._home / "output").open("ab") as output:
            return subprocess.Popen(
                [str(folder / program), *words],
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self._home,
                user=self._owner.pw_uid if root else None,
                group=self._owner.pw_gid if root else None,
                extra_groups=[] if root else None,
            )

    def _is_ready(self) -> bool:
        try:
            self.run("SELECT 1")
        except OperationalError:
            return False
        return True

    def _said(self) -> str:
        return (self._home / "output").read_text()[-2000:]

    def url(self, database: str) -> str:
        """Return the address of a database as referee.toml would have it."""
        return f"postgresql://{USER}@/{database}?host={self._home}"

    @property
    def socket(self) -> Path:
        """The socket it listens on."""
        return self._home / ".s.PGSQL.5432"

    def run(self, *statements: str) -> None:
        """Run statements that make or drop databases."""
        url = make_url(self.url("postgres")).set(drivername="postgresql+psycopg")
        engine = create_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
        with engine.connect() as connection:
            for each in statements:
                connection.execute(text(each))

    def dump(self, database: str, file: Path) -> None:
        """Write a database to a file with pg_dump."""
        self._copy("pg_dump", "-Fc", "-f", str(file), "-d", database)

    def fill(self, database: str, file: Path) -> None:
        """Fill an empty database from such a file with pg_restore."""
        self._copy("pg_restore", "--exit-on-error", "-d", database, str(file))

    def _copy(self, program: str, *words: str) -> None:
        folder = programs()
        assert folder is not None
        where = ("-h", str(self._home), "-U", USER)
        subprocess.run([str(folder / program), *where, *words], check=True, timeout=WAIT)

    def stop(self) -> None:
        """Stop the server, whoever is connected, and remove what it left."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(WAIT)
        shutil.rmtree(self._home, ignore_errors=True)
