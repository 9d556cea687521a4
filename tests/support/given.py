"""Options that tests give on command lines: servers that nobody asks, and seats."""

from typing import Final

GIVEN: Final = (
    "--address", "referee@example.test",
    "--imap", "imap://referee%40example.test:secret@127.0.0.1:9",
    "--smtp", "smtp://referee%40example.test:secret@127.0.0.1:9",
)  # fmt: skip

SEATED: Final = ("--seat", "red=alice@example.test", "--seat", "blue=bob@example.test")
