"""Refusals of mail providers, and what the organiser can do about each.

Providers say why in codes that mean something to their own administrators only. The table knows
the ones a referee meets; anything else is passed on as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_LONGEST: Final = 400
"""Characters of a refusal that are looked at; the words come from another machine."""

_USE_APP: Final = "make an app password at the provider's, or use [oauth]"

_REMEDIES: Final[Mapping[str, str]] = {
    # RFC 3207.
    "must issue a starttls command first": "it wants encryption: write smtp+starttls:// in [mail] "
    "smtp",
    # Google: consent, then servers.
    "token has been expired or revoked": "Google ends a log-in after seven days while the app is "
    "in testing: publish it (Google Auth Platform, Audience), then log in again",
    "admin_policy_enforced": "the Workspace administrator must trust the client_id "
    "(Security, API controls)",
    "application-specific password": _USE_APP,
    "username and password not accepted": _USE_APP,
    "account is not enabled for imap": "switch IMAP on for this account; in Workspace the "
    "administrator does that (Apps, Gmail, End User Access)",
    # Exchange: servers.
    "smtpclientauthentication is disabled": "switch on Authenticated SMTP for this mailbox "
    "(Exchange admin center, Manage email apps), and in the tenant if it is off there",
    "authenticated but not connected": "switch on IMAP for this mailbox (Exchange admin center, "
    "Manage email apps); without a person the application also needs FullAccess to it",
    "basic authentication is disabled": "passwords are switched off there: use [oauth]",
    "sendasdenied": "the account may not send as the referee's address: let it (Send as), or use "
    "its own address",
    # Microsoft: tokens (AADSTS error codes).
    "aadsts700082": "the log-in was not used for 90 days",
    "aadsts50173": "the password of the account was changed since",
    "aadsts7000222": "client_secret has expired: make a new one in Entra (Certificates & secrets)",
    "aadsts7000215": "client_secret is wrong: give its value, not its id",
    "aadsts700016": "client_id is not known in this tenant: see client_id and tenant in [oauth]",
    "aadsts90002": "there is no such tenant: see tenant in [oauth]",
    "aadsts65001": "nobody has consented: in Entra, API permissions, grant admin consent",
    "aadsts7000218": "allow public client flows in Entra (Authentication), or give client_secret",
    "aadsts50126": "user name or password is wrong",
    "aadsts53003": "a Conditional Access policy forbids it: exempt the referee's account",
    "aadsts50076": "the tenant wants a second factor: log in again with referee auth",
}  # fmt: skip
"""Pieces of refusals in lower case, and the remedy for each; the first that occurs counts."""

_LIMITS: Final = (
    "daily user sending limit exceeded", "daily sending quota exceeded", "unusual rate",
    "submissionquotaexceeded", "thread limit exceeded", "server busy", "throttl",
    "reached your daily limit", "rate limit", "message rate", "sending rate", "sending limit",
    "too many login attempts", "too many messages", "too many mails", "too many emails",
    "too many connections", "too much mail", "try again later, closing connection",
)  # fmt: skip
"""Pieces of refusals of whoever sends too much, or too fast; they end by themselves."""

_RECIPIENT: Final = re.compile(r"[45]\.2\.[12]\b")
"""Enhanced status codes of one recipient's mailbox: disabled, or full (RFC 3463 section 3.3)."""

FULL: Final = re.compile(r"[45]\.2\.2\b")
"""The enhanced status code of a mailbox that is full, which may have room again."""

TOO_LARGE: Final = re.compile(
    r"5\.(?:3\.4|2\.3)\b|message size|message (?:is )?too (?:large|big)", re.IGNORECASE
)
"""Enhanced status codes of a mail that is too large, and words of servers that have none."""

_POLICY: Final = re.compile(r"4\.7\.\d")
"""Enhanced status codes of a policy that may let the mail pass later (RFC 3463 section 3.8)."""


def on_one_line(said: str, most: int) -> str:
    """Return a server's words on one line of at most so many characters, all of them printable."""
    plain = "".join(sign if sign.isprintable() else " " for sign in said)
    return " ".join(plain.split())[:most]


def is_limit(said: str) -> bool:
    """Whether a refusal concerns a limit on sending, not the mail."""
    text = said[:_LONGEST].lower()
    if _RECIPIENT.match(text):
        return False
    # Greylisting concerns one sender and recipient, and has the same code.
    policy = _POLICY.match(text) and "greylist" not in text
    return bool(policy) or any(piece in text for piece in _LIMITS)


def with_remedy(said: str, otherwise: str | None = None) -> str:
    """Return a refusal and its remedy, or the other one, if any."""
    text = said[:_LONGEST].lower()
    remedy = next((remedy for piece, remedy in _REMEDIES.items() if piece in text), otherwise)
    return f"{said}; {remedy}" if remedy else said
