"""Addresses, Message-IDs and header values: parsed, checked and made.

Addresses are read from headers as they arrived (RFC 5322 section 3.4), never from decoded text, so
a display name cannot pose as an address.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterator
from typing import Final

from referee.mail.codes import parse_code

MOST_ADDRESSES: Final = 100
"""Addresses read from one header."""

_LOCAL: Final = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_HEADER_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,70}")
_MESSAGE_ID: Final = re.compile(r"<(?![^<>]{0,400}=\?)[!-;=?A-~]{1,200}@[!-;=?A-~]{1,200}>")


class HeaderInjection(ValueError):
    """A header value contains a line break or another control character."""


def valid_address(text: str) -> str | None:
    """Return an address in lower case, or None if we could not mail to it.

    A domain beyond ASCII is written in its ASCII form (RFC 5891, mapped by UTS 46 without its
    transitional part: ``straße.de`` and ``strasse.de`` belong to different people). Quoted local
    parts and address literals are not used by people and not accepted.
    """
    # The last sign counts: a quoted local part, which we do not accept, may hold others.
    local, at, domain = text.strip().rpartition("@")
    if not at or len(local) > 64 or len(domain) > 253 or not _LOCAL.fullmatch(local.lower()):
        return None
    # Lower case throughout: hardly any provider tells people apart by case in the local part.
    domain = domain.lower().removesuffix(".")
    if not domain.isascii():
        # Its tables take a while to load, and few addresses need them.
        import idna  # noqa: PLC0415

        try:
            domain = idna.encode(domain, uts46=True, transitional=False).decode("ascii").lower()
        except idna.IDNAError:
            return None
    return f"{local.lower()}@{domain}" if all(map(_LABEL.fullmatch, domain.split("."))) else None


def same_address(text: str) -> str:
    """Return an address as it is kept; text that is none comes back in lower case."""
    return valid_address(text) or text.strip().lower()


def plus_address(address: str, detail: str) -> str:
    """Return an address that carries a detail, as a reply code: ``referee+K7PQM2XD@host``."""
    local, _, domain = address.rpartition("@")
    return f"{local}+{detail}@{domain}"


def detail_in(address: str, recipient: str) -> str:
    """Return the detail in a recipient (RFC 5233); empty unless it is our address."""
    local, _, domain = address.lower().rpartition("@")
    theirs, _, at = recipient.lower().rpartition("@")
    # Our own address may hold a plus sign. A code on another's is a stranger's plus-address.
    base, _, detail = theirs.rpartition("+")
    return detail if (base, at) == (local, domain) else ""


def plus_code(address: str, recipient: str) -> str | None:
    """Return the canonical code in a recipient, or None unless it is our address with one."""
    return parse_code(detail_in(address, recipient))


def new_message_id(domain: str) -> str:
    """Return a new Message-ID in angle brackets, made of 128 random bits."""
    return f"<{secrets.token_hex(16)}@{header_value(domain)}>"


def keyed_message_id(domain: str, key: bytes, about: str) -> str:
    """Return the Message-ID for a subject: always the same, and made again only with the key."""
    digest = hmac.digest(key, b"message-id\n" + about.encode("utf-8", "surrogatepass"), "sha256")
    return f"<{digest[:16].hex()}@{header_value(domain)}>"


def message_ids(value: str) -> tuple[str, ...]:
    """Return the Message-IDs in a header value, in order and with their angle brackets.

    They go into headers of ours as they are, so only printable ASCII counts (RFC 5322 section
    3.6.4), and nothing that reads as an encoded word (RFC 2047).
    """
    return tuple(_MESSAGE_ID.findall(value))


def header_value(text: str) -> str:
    """Return the text unchanged. Raises HeaderInjection if it could begin another header."""
    if _CONTROL.search(text):
        raise HeaderInjection(f"control character in header value {text[:60]!r}")
    return text


def header_name(text: str) -> str:
    """Return the name unchanged. Raises HeaderInjection if it is not a valid header name."""
    if not _HEADER_NAME.fullmatch(text):
        raise HeaderInjection(f"{text[:60]!r} is no name of a header")
    return text


def addresses(value: str) -> tuple[str, ...]:
    """Return the addresses of a From, To or Cc header as it arrived, in lower case.

    Display names, comments, groups and everything that cannot be an address are left out.
    """
    valid: list[str] = []
    for part in _parts(value):
        if len(valid) >= MOST_ADDRESSES:
            break
        valid += [address for text in _written(part) if (address := valid_address(text))]
    return tuple(dict.fromkeys(valid))


def count_addresses(value: str) -> int:
    """Count the addresses a header names, readable or not."""
    return sum("@" in text for part in _parts(value) for text in _written(part))


def _parts(value: str) -> Iterator[str]:
    """Split at commas and group marks outside quotes and comments; the comments go."""
    kept: list[str] = []
    quoted, depth, escaped = False, 0, False
    for sign in value:
        if escaped:
            escaped = False
        elif sign == "\\" and (quoted or depth):
            escaped = True
        elif sign == '"' and not depth:
            quoted = not quoted
        elif quoted:
            continue
        elif sign == "(":
            depth += 1
        elif sign == ")" and depth:
            depth -= 1
        elif sign in ",;:" and not depth:
            yield "".join(kept)
            kept = []
        elif not depth:
            kept.append(sign)
    yield "".join(kept)


def _written(part: str) -> list[str]:
    # With angle brackets the rest is a display name, whatever address it resembles.
    return [piece.partition(">")[0] for piece in part.split("<")[1:]] or [part]
