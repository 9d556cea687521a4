"""The signer of outgoing mails, so that receivers know the domain (DKIM, RFC 6376)."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final

from referee.errors import UNFIT, PackageMissing, RefereeError
from referee.resources import advise_extra

LEAST_BITS: Final = 1024
"""Receivers take no shorter key (RFC 8301 section 3.2)."""

_SIGNED: Final = (
    b"from", b"to", b"subject", b"date", b"message-id", b"in-reply-to", b"references", b"reply-to",
    b"mime-version", b"content-type", b"content-transfer-encoding", b"auto-submitted",
)  # fmt: skip
"""Headers whose change on the way would make a mail another one."""

_NAME: Final = re.compile(rb"^([!-9;-~]+):", re.MULTILINE)

_RSA: Final = bytes.fromhex("300d06092a864886f70d0101010500")
"""The algorithm identifier of an RSA key (RFC 3279 section 2.3.1), in DER."""

_PLACE: Final = "[mail] dkim_key_file"


class SignerFault(RefereeError):
    """A key cannot sign mails. Says what to do."""

    status = UNFIT


@dataclass(frozen=True, slots=True)
class Signer:
    """A private key of a domain; ``place`` is where DNS has the public one, ``record`` that."""

    domain: str
    selector: str
    record: str
    key: bytes = field(repr=False)

    @property
    def place(self) -> str:
        return f"{self.selector}._domainkey.{self.domain}"

    def sign(self, raw: bytes) -> bytes:
        """Return a mail with a signature over its body and main headers. Raises SignerFault."""
        there = {each.lower() for each in _NAME.findall(raw.partition(b"\r\n\r\n")[0])}
        try:
            # Whoever never signs need not load it.
            import dkim  # noqa: PLC0415

            signature: bytes = dkim.sign(
                raw,
                self.selector.encode(),
                self.domain.encode("idna"),
                self.key,
                # Servers on the way fold headers anew and drop blanks at line ends.
                canonicalize=(b"relaxed", b"relaxed"),
                # A second From, which some programs would show, breaks the signature.
                include_headers=[each for each in _SIGNED if each in there] + [b"from"],
            )
        # Its faults are of many kinds, and not all of its own making.
        except Exception as fault:
            raise SignerFault(
                f"{_PLACE}: a mail of {self.domain} cannot be signed ({type(fault).__name__})"
            ) from fault
        return signature + raw


def make_signer(domain: str, selector: str, key: bytes) -> Signer:
    """Return the signer for a private key in PEM form. Raises SignerFault, PackageMissing."""
    if find_spec("dkim") is None:
        raise PackageMissing(f"{_PLACE}: dkimpy is missing: {advise_extra('auth')}")
    from dkim import crypto  # noqa: PLC0415

    key = key.replace(b"\r\n", b"\n")
    make = "make one: openssl genrsa -out dkim.pem 2048"
    try:
        numbers = crypto.parse_pem_private_key(key)
    # Its reader of DER is a plain one: what is cut off or no key ends it in several ways.
    except (crypto.UnparsableKeyError, ValueError, LookupError, TypeError, AssertionError):
        raise SignerFault(f"{_PLACE}: holds no RSA key in PEM form; {make}") from None
    modulus = numbers["modulus"]
    if modulus.bit_length() < LEAST_BITS:
        raise SignerFault(f"{_PLACE}: the key has {modulus.bit_length()} bits only; {make}")
    public = base64.b64encode(_public_key(modulus, numbers["publicExponent"])).decode()
    return Signer(domain, selector, f"v=DKIM1; k=rsa; p={public}", key)


def _public_key(modulus: int, exponent: int) -> bytes:
    """Return an RSA key as DNS has it: SubjectPublicKeyInfo in DER (RFC 5280, RFC 8017)."""
    pair = _der(0x30, _integer(modulus) + _integer(exponent))
    return _der(0x30, _RSA + _der(0x03, b"\0" + pair))


def _integer(number: int) -> bytes:
    return _der(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def _der(tag: int, content: bytes) -> bytes:
    """Return a value with its tag and length (X.690 section 8.1)."""
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(length)]) + length + content
