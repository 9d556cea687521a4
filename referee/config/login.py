"""The passwords and tokens for the mail servers.

A missing password is no fault of the configuration, since most commands never log in: the server
carries the fault along until something wants to connect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from referee.mail.oauth.tokens import Provider, Tokens
from referee.mail.transport.servers import Server

PROVIDERS: Final[Mapping[str, Provider]] = {
    "google": Provider(
        client_id="",
        token_url="https://oauth2.googleapis.com/token",  # noqa: S106 - an address
        scope="https://mail.google.com/",
        authorize_url="https://accounts.google.com/o/oauth2/v2/auth",
        # Without both Google gives no refresh token, and the login would last an hour.
        extra={"access_type": "offline", "prompt": "consent"},
    ),
    "microsoft": Provider(
        client_id="",
        token_url="https://login.microsoftonline.com/common/oauth2/v2.0/token",  # noqa: S106
        scope="https://outlook.office.com/IMAP.AccessAsUser.All "
        "https://outlook.office.com/SMTP.Send offline_access",
        authorize_url="https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
        device_url="https://login.microsoftonline.com/common/oauth2/v2.0/devicecode",
    ),
}
"""Providers with known addresses; settings in the file override each of them."""


def complete_servers(values: dict[str, Any], environ: Mapping[str, str]) -> list[str]:
    """Add passwords or tokens to both servers in ``values``; return the faults.

    The keys that only say how to log in are taken out of ``values``, and ``tokens`` is added.
    """
    shared = values.pop("password_file")
    cafile = values.pop("ca_file")
    tokens, faults = _tokens(values)
    for name in ("imap", "smtp"):
        own = values.pop(f"{name}_password_file")
        server: Server = replace(values[name], cafile=cafile)
        if server.user:
            places = {f"{name}_password_file": own, "password_file": shared}
            server = _with_password(name, server, places, environ)
            server = _with_token(server, tokens)
        elif name == "imap":
            faults.append("[mail] imap: names no user; write imaps://user%40domain@host")
        values[name] = server
    values["tokens"] = tokens
    return faults


def _tokens(values: dict[str, Any]) -> tuple[Tokens | None, list[str]]:
    """Return the token file, if one is configured, and the faults."""
    names = ("client_id", "client_secret", "authorize_url", "device_url", "token_url", "scope")
    given = {name: value for name in names if (value := values.pop(name)) is not None}
    named, file = values.pop("provider"), values.pop("token_file")
    if "client_id" not in given:
        told = [*given, *(["provider"] if named else [])]
        return None, [f"[oauth] client_id: is missing beside {told[0]}"] if told else []
    if named is not None:
        return Tokens(replace(PROVIDERS[named], **given), file), []
    missing = [name for name in ("token_url", "scope") if name not in given]
    if missing:
        return None, [f"[oauth] {each}: is missing; or name a provider" for each in missing]
    return Tokens(Provider(**given), file), []


def _with_token(server: Server, tokens: Tokens | None) -> Server:
    """Return the server, with a token if it has no password."""
    if tokens is None or "has no password" not in server.lacking:
        return server
    if tokens.file.exists():
        return replace(server, token=tokens.fresh, lacking="")
    missing = f"[oauth] token_file: there is no {tokens.file} yet; log in with referee auth"
    return replace(server, lacking=missing)


def _with_password(
    name: str, server: Server, places: Mapping[str, Path | None], environ: Mapping[str, str]
) -> Server:
    """Return the server with its password: own before shared, variable before file."""
    variable = f"REFEREE_{name.upper()}_PASSWORD"
    variables = (variable, "REFEREE_PASSWORD")
    for (key, file), each in zip(places.items(), variables, strict=True):
        if environ.get(each):
            return replace(server, password=environ[each])
        if file is not None:
            try:
                return replace(server, password=_read_password(file))
            except ValueError as fault:
                # No fallback: a broken file is a mistake, not a wish for another password.
                return replace(server, lacking=f"[mail] {key}: {fault}")
    if server.password:
        return server
    missing = f"has no password; give {name}_password_file, {variable} or REFEREE_PASSWORD"
    return replace(server, lacking=f"[mail] {name}: {missing}")


def _read_password(file: Path) -> str:
    """Return the password in a file, without its line end. Raises ValueError."""
    try:
        # Only the line end goes: a password may begin or end with a blank.
        password = file.read_text(encoding="utf-8").rstrip("\r\n")
    except OSError as error:
        raise ValueError(f"{file} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file} is not text") from None
    if not password:
        raise ValueError(f"{file} is empty; it should hold the password")
    return password
