"""Verdicts of our own mail server about a letter's sender (RFC 8601).

An Authentication-Results header is easily forged. Only the topmost one of the configured server
counts: a server writes its own above all that came with the letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from authres import AuthenticationResult, AuthenticationResultsHeader


LONGEST: Final = 8000
"""Characters of a header that are parsed. A longer one is no result."""


def is_vouched(headers: Iterable[str], authserv_id: str, sender: str) -> bool:
    """Whether our server vouches for the domain of a sender's address.

    ``headers`` are the values of Authentication-Results, unfolded, top first. Wanted is dmarc=pass
    for the domain of From (RFC 7489), or, where DMARC said neither yes nor no, a DKIM signature
    that passed and is of that domain or one above it (RFC 6376).
    """
    domain = sender.rpartition("@")[2].lower()
    own = _topmost(headers, authserv_id.lower())
    if own is None or not domain:
        return False
    results = [each for each in own.results if hasattr(each, "method")]
    dmarc = [each for each in results if each.method == "dmarc"]
    # A failure counts above all, even beside a pass in the same header.
    if any(each.result == "fail" for each in dmarc):
        return False
    passed = [each for each in dmarc if each.result == "pass"]
    if passed:
        return all(_property(each, "from") == domain for each in passed)
    return any(_signed_by(each, domain) for each in results)


def _topmost(headers: Iterable[str], authserv_id: str) -> AuthenticationResultsHeader | None:
    """Return the topmost header of a server, None if it is unreadable.

    One that names the server but cannot be read ends the search: those below may be forged.
    """
    for value in headers:
        # Cheap, and it keeps headers by others from ever reaching the parser.
        if authserv_id not in value.lower():
            continue
        parsed = _parse(value)
        if parsed is None:
            return None
        if (parsed.authserv_id or "").lower() == authserv_id:
            return parsed
    return None


def _parse(value: str) -> AuthenticationResultsHeader | None:
    # The package is needed at one level of trust only, and then for every letter.
    import authres  # noqa: PLC0415

    # A control character may end the name for us and not for the server that removes forged ones.
    if len(value) > LONGEST or not value.isascii() or not value.replace("\t", " ").isprintable():
        return None
    try:
        return authres.AuthenticationResultsHeader.parse_value(" ".join(value.split()))
    except (authres.AuthResError, ValueError, LookupError, TypeError, AttributeError):
        return None
    except RecursionError:
        return None


def _signed_by(result: AuthenticationResult, domain: str) -> bool:
    if (result.method, result.result) != ("dkim", "pass"):
        return False
    # Some servers report the identity instead of the domain.
    signer = _property(result, "d") or _property(result, "i").rpartition("@")[2]
    # A signature of a top-level domain would vouch for everybody below it.
    return "." in signer and (domain == signer or domain.endswith(f".{signer}"))


def _property(result: AuthenticationResult, name: str) -> str:
    """Return the value of ``header.name``, in lower case. Empty unless there is exactly one."""
    found: Sequence[str] = [
        each.value or "" for each in result.properties if (each.type, each.name) == ("header", name)
    ]
    return found[0].lower() if len(found) == 1 else ""
