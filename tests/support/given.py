"""Servers given to commands of an installation, none of which is ever asked."""

from typing import Final

GIVEN: Final = (
    "--address", "referee@example.test",
    "--imap", "imap://referee%40example.test:secret@127.0.0.1:9",
    "--smtp", "smtp://127.0.0.1:9",
)  # fmt: skip
