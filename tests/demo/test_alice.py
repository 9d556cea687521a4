"""The scripted player as a program of its own, with nothing but a mailbox."""

import os
import smtplib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from support.zygote import WAIT

from referee.demo.servers import HOST, MailServers

ACCOUNTS = {"referee@example.test": "rpw", "alice@example.test": "apw", "mallory@example.test": "m"}


class Desk:
    """A referee's end of the conversation: sends to alice, receives her answers."""

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []
        self.servers = MailServers(ACCOUNTS, self._take)

    def _take(self, recipient: str, data: bytes) -> None:
        if recipient == "referee@example.test":
            message = message_from_bytes(data, policy=policy.default)
            assert isinstance(message, EmailMessage)
            self.received.append(message)

    def send(self, data: bytes, sender: str = "referee@example.test") -> None:
        with smtplib.SMTP(HOST, self.servers.smtp_port) as smtp:
            smtp.sendmail(sender, ["alice@example.test"], data)

    def answer(self, number: int, seconds: float = WAIT) -> EmailMessage:
        """Return her answer of that number, from 1, when it has come."""
        deadline = time.monotonic() + seconds
        while len(self.received) < number:
            assert time.monotonic() < deadline, f"no answer {number}"
            time.sleep(0.02)
        return self.received[number - 1]


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Run mail servers and return the referee's end."""
    desk = Desk()
    with desk.servers:
        yield desk


@pytest.fixture
def alice(desk: Desk, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run alice as a process; her log is the file alice.log."""
    servers = desk.servers
    command = [
        sys.executable, "-m", "referee.demo.alice",
        "--imap", f"{HOST}:{servers.imap_port}", "--smtp", f"{HOST}:{servers.smtp_port}",
        "--address", "alice@example.test", "--referee", "Referee@example.test", "--seed", "7",
    ]  # fmt: skip
    environ = os.environ | {"ALICE_PASSWORD": "apw"}
    with (tmp_path / "alice.log").open("wb") as log:
        process = subprocess.Popen(command, env=environ, stderr=log)
    yield process
    process.kill()
    process.wait()


def first_line(message: EmailMessage) -> str:
    """Return the first line of an answer."""
    return str(message.get_content()).splitlines()[0]


def test_she_plays_a_match_by_mail(
    desk: Desk,
    alice: subprocess.Popen[bytes],
    letter: Callable[..., bytes],
    turn_file: Callable[..., dict[str, Any]],
    tmp_path: Path,
) -> None:
    """She agrees, plays, corrects what is refused, and stops when the match is over."""
    desk.send(letter("· agree · decline\n"))
    assert first_line(desk.answer(1)) == "agree"

    desk.send(letter("It is your turn.", turn_file()))
    first = first_line(desk.answer(2))
    assert first in {"put 1 A1", "put 3 A1"}

    desk.send(letter("You could write: · put 1 A1 · put 3 A1\n"))
    second = first_line(desk.answer(3))
    assert {first, second} == {"put 1 A1", "put 3 A1"}

    desk.send(letter("The match is over.", turn_file(to_act=None)))
    assert alice.wait(WAIT) == 0
    lines = (tmp_path / "alice.log").read_text(encoding="utf-8").splitlines()
    assert lines[1] == f"alice pebbles-7, turn 3: {first}"
    assert lines[-1] == "alice is done: every match is over"
    assert len(lines) == 4


def test_her_answers_are_threaded(
    desk: Desk,
    alice: subprocess.Popen[bytes],
    letter: Callable[..., bytes],
    turn_file: Callable[..., dict[str, Any]],
) -> None:
    """An answer refers to what it answers and quotes it, as mail programs do."""
    del alice
    told = letter("It is your turn, rød.", turn_file(), References="<a@x> <b@x>")
    desk.send(told)
    answer = desk.answer(1)
    ours = message_from_bytes(told, policy=policy.default)["Message-ID"]
    assert answer["In-Reply-To"] == ours
    assert answer["References"] == f"<a@x> <b@x> {ours}"
    assert answer["Subject"] == "Re: [pebbles-7] Pebbles: red"
    assert "\n> It is your turn, rød." in answer.get_content()


def test_she_answers_nobody_but_the_referee(
    desk: Desk,
    alice: subprocess.Popen[bytes],
    letter: Callable[..., bytes],
    turn_file: Callable[..., dict[str, Any]],
) -> None:
    """Mail from another address is read and left alone."""
    del alice
    forged = letter("It is your turn.", turn_file(turn=1)).replace(b"<referee@", b"<mallory@")
    desk.send(forged, "mallory@example.test")
    desk.send(letter("It is your turn.", turn_file(turn=2)))
    assert "It is your turn" in desk.answer(1).get_content()
    assert desk.answer(1)["To"] == "referee@example.test"


def test_without_a_password_she_says_so() -> None:
    """The program ends at once when the password is not given."""
    command = [
        sys.executable, "-m", "referee.demo.alice",
        "--imap", "localhost:1", "--smtp", "localhost:1", "--address", "alice@example.test",
    ]  # fmt: skip
    environ = {k: v for k, v in os.environ.items() if k != "ALICE_PASSWORD"}
    ran = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "ALICE_PASSWORD holds no password" in ran.stderr
