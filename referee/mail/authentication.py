"""Verdicts of our own mail server about a letter's sender (RFC 8601).

An Authentication-Results header is easily forged. Only the topmost one of the configured server
counts: a server writes its own above all that came with the letter. A verdict only states a fact
about the letter; how much it is trusted for is the desk's decision. The library that parses them is
optional, so it is imported where it is used.
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
    results = [result for result in own.results if hasattr(result, "method")]
    dmarc = [result for result in results if result.method == "dmarc"]
    # A failure counts above all, even beside a pass in the same header.
    if any(result.result == "fail" for result in dmarc):
        return False
    passed = [result for result in dmarc if result.result == "pass"]
    if passed:
        return all(_property(result, "from") == domain for result in passed)
    for result in results:
        if (result.method, result.result) == ("dkim", "pass"):
            # Some servers report the identity instead of the domain.
            signer = _property(result, "d") or _property(result, "i").rpartition("@")[2]
            # A signature of a top-level domain would vouch for everybody below it.
            if "." in signer and f".{domain}".endswith(f".{signer}"):
                return True
    return False


def _topmost(headers: Iterable[str], authserv_id: str) -> AuthenticationResultsHeader | None:
    """Return the topmost header of a server, None if it is unreadable.

    One that names the server but cannot be read ends the search: those below may be forged.
    """
    for value in headers:
        # Cheap, and it keeps headers by others from ever reaching the parser.
        if authserv_id not in value.lower():
            continue
        # The package is needed at one level of trust only, and then for every letter.
        import authres  # noqa: PLC0415

        # A control character may end the name for us, not for the server that removes forged ones.
        plain = value.isascii() and value.replace("\t", " ").isprintable()
        if len(value) > LONGEST or not plain:
            return None
        try:
            parsed = authres.AuthenticationResultsHeader.parse_value(" ".join(value.split()))
        # The parser fails on odd headers with each of these.
        except (authres.AuthResError, ValueError, LookupError, TypeError, AttributeError,
                RecursionError):  # fmt: skip
            return None
        if (parsed.authserv_id or "").lower() == authserv_id:
            return parsed
    return None


def _property(result: AuthenticationResult, name: str) -> str:
    """Return the value of ``header.name`` in lower case, empty unless there is exactly one."""
    values: Sequence[str] = [
        known.value or ""
        for known in result.properties
        if (known.type, known.name) == ("header", name)
    ]
    return values[0].lower() if len(values) == 1 else ""
