"""Mails as the referee writes them to the scripted player, with turn files of the small game."""

import json
from collections.abc import Callable
from email import policy
from email.message import EmailMessage
from email.utils import make_msgid
from typing import Any

import pytest

LEGAL = ("put 1 A1", "put 3 A1", "pass")


@pytest.fixture
def turn_file() -> Callable[..., dict[str, Any]]:
    """Return a function that makes a turn file; what is given replaces what it would hold."""

    def make(**changes: Any) -> dict[str, Any]:
        return {
            "kind": "turn",
            "match": "pebbles-7",
            "game": "pebbles",
            "edition": 1,
            "turn": 3,
            "seat": "red",
            "to_act": "red",
            "code": "K7PQ-M2XD",
            "legal": list(LEGAL),
        } | changes

    return make


@pytest.fixture
def letter() -> Callable[..., bytes]:
    """Return a function that writes a mail of the referee's about pebbles-7."""

    def write(text: str, turn: dict[str, Any] | None = None, **headers: str) -> bytes:
        message = EmailMessage()
        message["From"] = "Referee <referee@example.test>"
        message["To"] = "alice@example.test"
        message["Subject"] = "[pebbles-7] Pebbles: red"
        message["Date"] = "Sat, 21 Nov 2026 12:00:00 +0000"
        message["Message-ID"] = make_msgid(domain="example.test")
        for name, value in headers.items():
            message[name] = value
        message.set_content(text)
        message.add_alternative(f"<p>{text}</p>", subtype="html")
        if turn is not None:
            data = json.dumps(turn).encode()
            message.add_attachment(data, "application", "json", filename="turn.json")
        return message.as_bytes(policy=policy.SMTP)

    return write
