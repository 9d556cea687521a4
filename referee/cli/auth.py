"""``referee auth``: logging in at a mail provider that takes no passwords (OAuth 2)."""

from __future__ import annotations

from typing import Annotated

from referee.cli import output, session
from referee.cli.options import flag, option
from referee.desk.service.login import log_in


def auth(
    *,
    device: Annotated[bool, flag("Enter a code in a browser on any machine.", "--device")] = False,
    port: Annotated[
        int, option("PORT", "Where the browser comes back to; 0: any free port.", min=0, max=65535)
    ] = 0,
) -> None:
    """Log in to a mail provider with a browser.

    It needs [oauth] in referee.toml. The token (OAuth 2) is kept in token_file, and renewed
    automatically from then on.

    Example: referee auth

    Example: referee auth --device
    """
    file, renewable = log_in(session.settings(), output.meanwhile, device=device, port=port)
    again = "The provider gave no token to renew it with: you will have to do this again."
    output.result(
        {"file": file, "renewable": renewable},
        f"Logged in. {file} holds the token; keep it as secret as a password.",
        *([] if renewable else [again]),
    )
