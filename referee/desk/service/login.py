"""The log-in at a mail provider that takes no passwords (OAuth 2)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from referee.config import Settings
from referee.errors import RefereeError
from referee.mail.oauth import consent
from referee.mail.oauth.tokens import Tokens


def log_in(
    settings: Settings,
    tell: Callable[[str], None],
    *,
    device: bool,
    port: int,
    address: str | None = None,
) -> tuple[Path, bool]:
    """Fetch a token and store it; return its file, and whether it can be renewed.

    ``tell`` is given what to do in a browser: on any machine with ``device``, else on this one,
    where it comes back to ``port``. An unattended mailbox needs no browser. ``address`` names a
    mailbox with an account of its own. Raises RefereeError.
    """
    tokens = _tokens_of(settings, address)
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


def _tokens_of(settings: Settings, address: str | None) -> Tokens:
    """Return the token file of a mailbox, by default the first one's. Raises RefereeError."""
    if settings.tokens is None:
        raise RefereeError("[oauth] client_id: is missing in referee.toml; passwords are used")
    wanted = address or settings.address
    for each in settings.mailboxes:
        if each.address.lower() == wanted.lower():
            if each.tokens is None:
                raise RefereeError(f"[[mailbox]] token_file: is missing for {each.address}")
            return each.tokens
    there = ", ".join(each.address for each in settings.mailboxes)
    raise RefereeError(f"{address} is no mailbox in referee.toml; there are {there}")
