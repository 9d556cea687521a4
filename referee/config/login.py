"""The passwords and tokens for the mail servers.

A missing password is no fault of the configuration, since most commands never log in: the server
carries the fault along until something wants to connect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from referee.mail.oauth.tokens import AuthError, Provider, Tokens
from referee.mail.transport.servers import Rate, Server
from referee.value import replace

PROVIDERS: Final[Mapping[str, Provider]] = {
    "gmail": Provider(
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

MAIL_SERVERS: Final[Mapping[str, tuple[str, str]]] = {
    "gmail": ("imaps://{}@imap.gmail.com", "smtps://{}@smtp.gmail.com"),
    "microsoft": ("imaps://{}@outlook.office365.com", "smtp+starttls://{}@smtp.office365.com"),
}
"""The IMAP and SMTP servers of those providers, with a place for the user."""

RATES: Final[Mapping[str, tuple[int, int]]] = {
    "smtp.gmail.com": (0, 2_000),
    "smtp.office365.com": (30, 10_000),
}
"""The mails a minute and a day that hosts take from one account; nought: any number."""

_PERSONAL: Final = ("@gmail.com", "@googlemail.com")

_PERSONAL_A_DAY: Final = 500
"""The mails a day of a Google account outside Workspace."""

_SECONDS: Final = 30.0
"""Seconds a command has to print the password."""


def run_password_command(words: Sequence[str], folder: Path) -> str:
    """Run a command in a folder, without a shell; return the first line it prints.

    Raises AuthError. What the command says of a fault is not repeated: it may hold a secret.
    """
    # Few installations have such a command.
    import subprocess  # noqa: PLC0415

    place = "[mail] password_command"
    try:
        ran = subprocess.run(  # noqa: S603 - the organiser's own words
            words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, timeout=_SECONDS, check=True,
        )  # fmt: skip
        password = ran.stdout.decode().partition("\n")[0].rstrip("\r")
    except OSError as error:
        raise AuthError(f"{place}: {words[0]} cannot be run ({error.strerror})") from None
    except subprocess.TimeoutExpired:
        raise AuthError(f"{place}: {words[0]} says nothing for {_SECONDS:.0f} seconds") from None
    except subprocess.CalledProcessError as error:
        raise AuthError(f"{place}: {words[0]} ended with status {error.returncode}") from None
    except UnicodeDecodeError:
        raise AuthError(f"{place}: {words[0]} prints something that is no text") from None
    if not password:
        raise AuthError(f"{place}: {words[0]} prints no password")
    return password


def complete_servers(values: dict[str, Any], environ: Mapping[str, str]) -> list[str]:
    """Complete both servers in ``values`` with log-ins and rates, and add ``tokens``.

    Return the faults. The keys that only say how to log in and how much to send are taken out of
    ``values``.
    """
    tokens, faults = _read_tokens(values)
    shared, ask = values.pop("password_file"), values.pop("password_command")
    cafile = values.pop("ca_file")
    for name in ("imap", "smtp"):
        own = values.pop(f"{name}_password_file")
        server: Server = replace(values[name], cafile=cafile)
        if name == "imap" and not server.user:
            server = replace(server, user=values["address"])
        if server.user:
            places = {f"{name}_password_file": own, "password_file": shared}
            server = _with_login(name, server, places, environ, ask, tokens)
        values[name] = server
    smtp: Server = values["smtp"]
    host = smtp.host.lower()
    known_minute, known_day = RATES.get(host, (0, 0))
    if host == "smtp.gmail.com" and smtp.user.lower().endswith(_PERSONAL):
        known_day = _PERSONAL_A_DAY
    a_minute, a_day = values.pop("mails_per_minute"), values.pop("mails_per_day")
    rates = (
        Rate(known_minute if a_minute is None else a_minute, "minute"),
        Rate(known_day if a_day is None else a_day, "day"),
    )
    values["smtp"] = replace(smtp, rates=tuple(rate for rate in rates if rate.mails))
    values["tokens"] = tokens
    return faults


def _read_tokens(values: dict[str, Any]) -> tuple[Tokens | None, list[str]]:
    """Return the token file, if one is configured, and the faults."""
    names = ("client_id", "client_secret", "authorize_url", "device_url", "token_url", "scope")
    given = {name: value for name in names if (value := values.pop(name)) is not None}
    named, file = values.pop("provider"), values.pop("token_file")
    more = {name: value for name in ("tenant", "unattended") if (value := values.pop(name))}
    if "client_id" not in given:
        told = [*given, *(["provider"] if named else []), *more]
        return None, [f"[oauth] client_id: is missing beside {told[0]}"] if told else []
    base = PROVIDERS[named] if named else Provider("", "", "")
    if "tenant" in more and named == "microsoft":
        urls = ("token_url", "authorize_url", "device_url")
        own = f"/{more['tenant']}/"
        base = replace(base, **{url: getattr(base, url).replace("/common/", own) for url in urls})
    if "unattended" in more:
        scope = "https://outlook.office365.com/.default" if named == "microsoft" else base.scope
        base = replace(base, scope=scope, unattended=True)
    provider = replace(base, **given)
    wanted = {"token_url": provider.token_url, "scope": provider.scope}
    faults = [
        f"[oauth] {name}: is missing; or name a provider"
        for name, value in wanted.items()
        if not value
    ]
    if "tenant" in more and named != "microsoft":
        faults.append('[oauth] tenant: goes with provider = "microsoft" only')
    if provider.unattended and named == "gmail":
        faults.append("[oauth] unattended: Gmail lets no program in without a person's consent")
    if provider.unattended and not provider.client_secret:
        faults.append("[oauth] client_secret: is missing beside unattended")
    if provider.unattended and named == "microsoft" and "tenant" not in more:
        faults.append("[oauth] tenant: is missing beside unattended")
    return (None, faults) if faults else (Tokens(provider, file), [])


def _with_login(
    name: str,
    server: Server,
    places: Mapping[str, Path | None],
    environ: Mapping[str, str],
    ask: Callable[[], str] | None,
    tokens: Tokens | None,
) -> Server:
    """Return the server with its password, or a token if none is given.

    Its own comes before the one of both servers, and of each the variable before the file; then
    the command, and last the server's URL.
    """
    own = f"REFEREE_{name.upper()}_PASSWORD"
    variables = (own, "REFEREE_PASSWORD")
    for (key, file), variable in zip(places.items(), variables, strict=True):
        if environ.get(variable):
            return replace(server, password=environ[variable], source=variable)
        if file is not None:
            fault = f"{file} is empty; it should hold the password"
            try:
                # Only the line end goes: a password may begin or end with a blank.
                if password := file.read_text(encoding="utf-8").rstrip("\r\n"):
                    return replace(server, password=password, source=str(file))
            except OSError as error:
                fault = f"{file} cannot be read ({error.strerror})"
            except ValueError:
                fault = f"{file} is not text"
            # No fallback: a broken file is a mistake, not a wish for another password.
            return replace(server, lacking=f"[mail] {key}: {fault}")
    if ask is not None:
        return replace(server, ask=ask, source="password_command")
    if server.password:
        return server
    if tokens is None:
        ways = f"password_file, password_command, {name}_password_file, {own} or REFEREE_PASSWORD"
        return replace(server, lacking=f"[mail] {name}: has no password; give {ways}")
    if tokens.provider.unattended or tokens.file.exists():
        return replace(server, token=tokens.fresh, spurn=tokens.discard)
    missing = f"there is no {tokens.file} yet; log in with referee auth"
    return replace(server, lacking=f"[oauth] token_file: {missing}")
