"""A daemon on a clock that the test sets, by Debian's libfaketime; time as it passes stays real."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from support.installation import Installation
from support.zygote import WAIT

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
"""Where Debian's package puts what is loaded before the program."""


@dataclass
class FakeTime:
    """Commands of one installation whose clock is off by what stands in a file."""

    installation: Installation
    file: Path

    def set(self, seconds: int) -> None:
        """Put the clock of every command, those that run included, forward or back."""
        fresh = self.file.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}\n")
        fresh.replace(self.file)

    @property
    def environment(self) -> dict[str, str]:
        """What a command is started with."""
        return {
            **os.environ,
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def command(self, *words: str) -> Sequence[str]:
        """Return a command line of the referee."""
        config = str(self.installation.config)
        return [sys.executable, "-m", "referee", *words, "--config", config]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            self.command(*words), capture_output=True, text=True, timeout=WAIT, check=False,
            env=self.environment,
        )  # fmt: skip

    def daemon(self, log: Path) -> subprocess.Popen[bytes]:
        """Start the daemon."""
        with log.open("ab") as file:
            return subprocess.Popen(
                self.command("run"), stdout=file, stderr=file, env=self.environment
            )
