"""``referee auth``: logging in at a mail provider that takes no passwords (OAuth 2)."""

from __future__ import annotations

from typing import Annotated

import typer

from referee.cli import output, session
from referee.errors import RefereeError
from referee.mail.oauth import consent


def auth(
    *,
    device: Annotated[
        bool, typer.Option("--device", help="Enter a code in a browser on any machine.")
    ] = False,
    port: Annotated[
        int,
        typer.Option(
            metavar="PORT",
            help="Where the browser comes back to; 0: any free port.",
            min=0,
            max=65535,
        ),
    ] = 0,
) -> None:
    """Log in to a mail provider with a browser.

    It needs [oauth] in referee.toml. The token (OAuth 2) is stored there and renewed
    automatically from then on.

    Example: referee auth

    Example: referee auth --device
    """
    tokens = session.settings().tokens
    if tokens is None:
        raise RefereeError("[oauth] client_id: is missing in referee.toml; passwords are used")
    if device:
        token = consent.with_browser_elsewhere(tokens.provider, output.meanwhile)
    else:
        token = consent.with_browser_here(tokens.provider, _show, port)
    tokens.write(token)
    again = "The provider gave no token to renew it with: you will have to do this again."
    output.result(
        {"file": tokens.file, "renewable": token.refresh is not None},
        f"Logged in. {tokens.file} holds the token; keep it as secret as a password.",
        *([again] if token.refresh is None else []),
    )


def _show(address: str) -> None:
    output.meanwhile(f"Open this address in a browser on this machine:\n\n{address}\n")
