"""A process that has imported everything and forks daemons to be killed."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

from support.installation import WAIT, Installation


class Zygote:
    """A process that forks daemons, one at a time."""

    def __init__(self, installation: Installation, name: str = "daemon", **environ: str) -> None:
        self._installation = installation
        self.report = installation.folder / f"{name}.killed"
        self.log = installation.folder / f"{name}.log"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "support.faulty_daemon", "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environ},
        )
        self.pid: int | None = None
        self.status: int | None = None
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def start(self, *words: str) -> None:
        """Start a daemon; it runs when this returns."""
        files = ("--config", str(self._installation.config), "--log", str(self.log))
        self.report.unlink(missing_ok=True)
        self.pid = self.status = None
        assert self._process.stdin is not None
        said = json.dumps([*files, "--report", str(self.report), "--impatient", *words])
        self._process.stdin.write(f"{said}\n")
        self._process.stdin.flush()
        while self.pid is None:
            assert self._process.poll() is None, "the zygote is gone"
            time.sleep(0.002)

    @property
    def running(self) -> bool:
        """Whether the daemon runs."""
        return self.status is None

    def tell(self, number: int) -> None:
        """Send the daemon a signal; it may have ended without our having heard of it yet."""
        assert self.pid is not None
        if self.running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self, number: int = signal.SIGKILL) -> int:
        """End the daemon and return its status."""
        self.tell(number)
        end = time.monotonic() + WAIT
        while self.status is None:
            assert time.monotonic() < end, "the daemon does not stop"
            time.sleep(0.002)
        return self.status

    def close(self) -> None:
        """End daemon and zygote."""
        if self.pid is not None and self.running:
            self.kill()
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said = json.loads(line)
            if "pid" in said:
                self.pid = said["pid"]
            else:
                self.status = said["status"]
