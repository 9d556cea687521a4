"""`referee demo` as a newcomer starts it: servers that stay up, and a whole match by itself."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any, cast

import pytest
from imapclient import IMAPClient

from referee.demo import play
from referee.demo.player import Alice
from referee.games import registry

REFEREE = [sys.executable, "-m", "referee"]
WAIT = 600.0
ALICE = "alice@example.test"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Keep `referee demo --serve --json` up and return what it printed."""
    command = [*REFEREE, "demo", "--serve", "--json", "--dir", str(tmp_path / "demo")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    yield json.loads(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    assert process.wait(WAIT) == 0
    process.stdout.close()


def referee(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run([*REFEREE, *words], capture_output=True, text=True, check=False)


class MailProgram(Thread):
    """Alice's mail program, which knows the servers and her password only."""

    def __init__(self, served: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self.address, self.password = ALICE, served["accounts"][ALICE]
        self.imap, self.smtp = (
            (one["host"], one["port"]) for one in (served["imap"], served["smtp"])
        )
        self.stopping = Event()

    def run(self) -> None:
        """Fetch her mail and answer it, until told to stop."""
        inbox: SimpleQueue[bytes] = SimpleQueue()
        host, port = self.imap
        Alice(self.address, self.password, self.smtp, inbox, 7).start()
        with IMAPClient(host, port=port, ssl=False) as client:
            client.login(self.address, self.password)
            client.select_folder("INBOX")
            while not self.stopping.wait(0.2):
                client.noop()
                for uid in client.search("UNSEEN"):
                    inbox.put(client.fetch([uid], ["BODY[]"])[uid][b"BODY[]"])


@pytest.mark.timeout(1200)
def test_a_person_with_a_mail_program_finishes_a_match_whose_record_verifies(
    served: dict[str, Any], tmp_path: Path
) -> None:
    """Started by the organiser's command, played by mail alone, verified, spoilt, found out."""
    config = ("--config", served["config"])
    seats = ("--seat", "red=alice@example.test", "--seat", "blue=bot:greedy")
    made = referee("match", "new", "pebbles", *seats, "--start", "--json", *config)
    name = json.loads(made.stdout)["match"]
    player = MailProgram(served)
    player.start()
    try:
        wait_until_over(name, config)
    finally:
        player.stopping.set()
        player.join(WAIT)
    file = tmp_path / "record.jsonl"
    assert referee("record", "export", name, "--to", str(file), *config).returncode == 0
    assert referee("record", "verify", str(file)).returncode == 0
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    assert referee("record", "verify", str(file)).returncode == 1


def wait_until_over(name: str, config: tuple[str, str]) -> None:
    """Look at the match until it is over."""
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        shown = json.loads(referee("match", "show", name, "--json", *config).stdout)
        if shown["state"] == "over":
            return
        time.sleep(0.5)
    raise AssertionError(f"{name} was not over after {WAIT} s")


@pytest.mark.timeout(1200)
def test_the_demo_leaves_a_record_that_verifies_and_every_mail(tmp_path: Path) -> None:
    """`referee demo --dir` ends by itself and leaves what it says."""
    folder = tmp_path / "demo"
    done = referee("demo", "--dir", str(folder), "--seed", "5")
    assert done.returncode == 0, done.stderr
    assert referee("record", "verify", str(folder / "record.jsonl")).returncode == 0
    mails = sorted((folder / "mail").glob("*.eml"))
    assert len(mails) > 10
    assert all(
        mail.with_suffix(".html").exists() for mail in mails if mail.stem.endswith("-to-alice")
    )
    assert "turn " in done.stdout
    assert str(folder / "record.jsonl") in done.stdout


def test_every_game_is_offered_with_its_own_seats(tmp_path: Path) -> None:
    """The command to start a match stands there for each of ours, or for the one asked for."""
    servers = SimpleNamespace(imap_port=1, smtp_port=2)
    here = play.DemoSite(cast("Any", servers), {}, tmp_path)
    offered = re.findall("match new ([a-z]+) --seat ([a-z]+)=", play.instructions(here, None))
    assert [name for name, _ in offered] == ["nord", "origo"]
    assert all(seat in registry.find_installed(name).colours for name, seat in offered)
    assert play.instructions(here, "nord").count("match new") == 1
    # Nord is for two or more, and a bot takes each seat that has to be.
    assert play.instructions(here, "nord").count("--seat") == 2


@pytest.mark.parametrize(
    ("begun", "command"),
    [
        (".venv/bin/referee", "{here}/.venv/bin/referee"),
        ("{here}/.venv/bin/referee", "{here}/.venv/bin/referee"),
        ("{here}/referee/__main__.py", "{here}/bin/python -m referee"),
        ("referee", "referee"),
    ],
)
def test_the_commands_it_shows_start_it_again_from_any_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, begun: str, command: str
) -> None:
    """However it was begun: as a program, or by ``python -m``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", f"{tmp_path}/bin/python")
    monkeypatch.setattr(sys, "argv", [begun.format(here=tmp_path)])
    assert play.own_command() == command.format(here=tmp_path)
