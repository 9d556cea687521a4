"""The log-in at a mail provider that takes no passwords (OAuth 2)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.config import Settings
from referee.errors import RefereeError
from referee.mail.oauth import consent


def log_in(
    settings: Settings, tell: Callable[[str], None], *, device: bool, port: int
) -> tuple[Path, bool]:
    """Fetch a token and store it; return its file, and whether it can be renewed.

    ``tell`` is given what to do in a browser: on any machine with ``device``, else on this one,
    where it comes back to ``port``. An unattended mailbox needs no browser. Raises RefereeError.
    """
    tokens = settings.tokens
    if tokens is None:
        raise RefereeError("[oauth] client_id: is missing in referee.toml; passwords are used")
    if tokens.provider.unattended:
        tokens.grant()
        return tokens.file, True
    if device:
        token = consent.with_browser_elsewhere(tokens.provider, tell)
    else:
        open_this = "Open this address in a browser on this machine:\n\n{}\n"
        token = consent.with_browser_here(
            tokens.provider, lambda address: tell(open_this.format(address)), port
        )
    tokens.write(token)
    return tokens.file, token.refresh is not None
