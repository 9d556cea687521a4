"""The scripted player at her mail."""

import smtplib
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from queue import SimpleQueue
from typing import Any

import pytest
from support.zygote import WAIT

from referee.demo.player import Alice
from referee.demo.servers import HOST, MailServers

ACCOUNTS = {"referee@example.test": "rpw", "alice@example.test": "apw"}


class Desk:
    """A referee's end of the conversation: sends to alice, receives her answers."""

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []
        self.inbox: SimpleQueue[bytes] = SimpleQueue()
        self.servers = MailServers(ACCOUNTS, self._take)

    def _take(self, recipient: str, data: bytes) -> None:
        if recipient == "referee@example.test":
            message = message_from_bytes(data, policy=policy.default)
            assert isinstance(message, EmailMessage)
            self.received.append(message)
        else:
            self.inbox.put(data)

    def send(self, data: bytes) -> None:
        with smtplib.SMTP(HOST, self.servers.smtp_port) as smtp:
            smtp.sendmail("referee@example.test", ["alice@example.test"], data)

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
def alice(desk: Desk) -> Alice:
    """Have alice answer her mail."""
    smtp = (HOST, desk.servers.smtp_port)
    alice = Alice("alice@example.test", "apw", smtp, desk.inbox, 7)
    alice.start()
    return alice


def first_line(message: EmailMessage) -> str:
    """Return the first line of an answer."""
    return str(message.get_content()).splitlines()[0]


def test_she_plays_a_match_by_mail(
    desk: Desk,
    alice: Alice,
    letter: Callable[..., bytes],
    turn_file: Callable[..., dict[str, Any]],
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
    alice.join(WAIT)
    assert alice.player.finished
    assert len(desk.received) == 3


def test_her_answers_are_threaded(
    desk: Desk,
    alice: Alice,
    letter: Callable[..., bytes],
    turn_file: Callable[..., dict[str, Any]],
) -> None:
    """An answer refers to what it answers and quotes it, as mail programs do."""
    del alice
    told = letter("It is your turn, rød.\n\nGo on.\n", turn_file(), References="<a@x> <b@x>")
    desk.send(told)
    answer = desk.answer(1)
    ours = message_from_bytes(told, policy=policy.default)["Message-ID"]
    assert answer["In-Reply-To"] == ours
    assert answer["References"] == f"<a@x> <b@x> {ours}"
    assert answer["Subject"] == "Re: [pebbles-7] Pebbles: red"
    assert answer.get_content().replace("\r\n", "\n").partition("\n")[2] == (
        "\nOn Sat, 21 Nov 2026 12:00:00 +0000, Referee <referee@example.test> wrote:\n\n"
        "> It is your turn, rød.\n>\n> Go on.\n"
    )
