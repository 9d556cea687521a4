"""A process that has imported everything and forks commands, and daemons to be killed."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

WAIT = 150.0
"""Seconds anything may take on a machine that is busy with something else."""


class Forked:
    """A command or daemon that was forked, to be asked and ended like a `subprocess.Popen`."""

    def __init__(self) -> None:
        self.pid = 0
        self.returncode: int | None = None
        self._begun, self._ended = threading.Event(), threading.Event()

    def hear(self, said: dict[str, int]) -> None:
        """Take note of its process number or of its status."""
        if "pid" in said:
            self.pid = said["pid"]
            self._begun.set()
        else:
            self.returncode = said["status"]
            self._ended.set()

    def begun(self) -> None:
        """Wait until it runs."""
        assert self._begun.wait(WAIT), "nothing was forked"

    def poll(self) -> int | None:
        """Return its status, or None while it runs."""
        return self.returncode

    def wait(self, timeout: float = WAIT) -> int:
        """Wait for its end and return its status."""
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("referee", timeout)
        assert self.returncode is not None
        return self.returncode

    def tell(self, number: int) -> None:
        """Send it a signal; it may have ended without our having heard of it yet."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.tell(signal.SIGKILL)


class _Forking:
    """The process that forks, and what it has forked, by number."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "support.faulty_daemon"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        self._numbers, self._lock = count(), threading.Lock()
        self._forked: dict[int, Forked] = {}
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()
        atexit.register(self._close)

    def fork(self, **wish: Any) -> Forked:
        """Fork something; it runs when this returns."""
        found, number = Forked(), next(self._numbers)
        self._forked[number] = found
        assert self._process.stdin is not None
        with self._lock:
            self._process.stdin.write(f"{json.dumps({'number': number, **wish})}\n")
            self._process.stdin.flush()
        found.begun()
        return found

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said = json.loads(line)
            self._forked[said["number"]].hear(said)

    def _close(self) -> None:
        for forked in self._forked.values():
            forked.kill()
        self._process.kill()
        self._process.wait()
        self._reader.join(WAIT)
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


@cache
def _forking() -> _Forking:
    return _Forking()


def fork(
    words: Sequence[str],
    out: Path,
    err: Path,
    *,
    folder: Path | None = None,
    faulty: bool = False,
    **environ: str,
) -> Forked:
    """Start a command of the referee, or a daemon that things go wrong in; say where it writes."""
    return _forking().fork(
        words=list(words),
        says=[str(out), str(err)],
        folder=str(folder or Path.cwd()),
        faulty=faulty,
        environ={**os.environ, **environ},
    )


def run_command(
    words: Sequence[str], folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of the referee to its end."""
    with TemporaryDirectory() as files:
        out, err = Path(files, "out"), Path(files, "err")
        forked = fork(words, out, err, folder=folder)
        try:
            status = forked.wait()
        finally:
            forked.kill()
        said = [file.read_bytes().decode() if file.exists() else "" for file in (out, err)]
        return subprocess.CompletedProcess(["referee", *words], status, *said)


class Installed(Protocol):
    """What a daemon is started for."""

    @property
    def folder(self) -> Path:
        """Its folder."""

    @property
    def config(self) -> Path:
        """Its configuration file."""


class Zygote:
    """The daemons of an installation that things go wrong in, one at a time."""

    def __init__(self, installation: Installed, name: str = "daemon", **environ: str) -> None:
        self._installation, self._environ = installation, environ
        self.report = installation.folder / f"{name}.killed"
        self.log = installation.folder / f"{name}.log"
        self._daemon: Forked | None = None

    @property
    def pid(self) -> int | None:
        """The number of its process, once one was started."""
        return self._daemon.pid if self._daemon else None

    @property
    def status(self) -> int | None:
        """The status that the daemon ended with, if it has ended."""
        return self._daemon.poll() if self._daemon else None

    def start(self, *words: str) -> None:
        """Start a daemon; it runs when this returns."""
        self.report.unlink(missing_ok=True)
        given = ("--config", str(self._installation.config), "--report", str(self.report))
        self._daemon = fork(
            [*given, "--impatient", *words], self.log, self.log, faulty=True, **self._environ
        )

    @property
    def running(self) -> bool:
        """Whether the daemon runs."""
        return self.status is None

    def tell(self, number: int) -> None:
        """Send the daemon a signal."""
        assert self._daemon is not None
        self._daemon.tell(number)

    def kill(self, number: int = signal.SIGKILL) -> int:
        """End the daemon and return its status."""
        self.tell(number)
        return self.wait()

    def wait(self) -> int:
        """Wait until the daemon has ended and return its status."""
        assert self._daemon is not None
        return self._daemon.wait()

    def close(self) -> None:
        """End the daemon if it runs."""
        if self._daemon is not None and self.running:
            self.kill()
