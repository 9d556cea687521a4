"""Armour that OpenPGP puts around a text (RFC 9580 sections 6 and 7).

No signature is checked. A text that is signed inline is read like any other, without the lines that
signing adds, so that they are no part of a message to others. One that is encrypted stays as it is.
"""

from __future__ import annotations

import re
from typing import Final

_END_OF_LINE: Final = r"[ \t]*\n"

_SIGNED: Final = re.compile(
    rf"^-----BEGIN PGP SIGNED MESSAGE-----{_END_OF_LINE}"
    rf"(?:[A-Za-z]{{1,30}}: [^\n]*\n)*+{_END_OF_LINE}"
    # Signing puts a dash before every line that begins with one, so no such line is of the text.
    r"(?P<text>(?:(?!-----(?:BEGIN|END) PGP )[^\n]*\n)*+)"
    rf"-----BEGIN PGP SIGNATURE-----{_END_OF_LINE}"
    r"(?:(?!-----)[^\n]*\n)*+"
    r"-----END PGP SIGNATURE-----[ \t]*$",
    re.MULTILINE,
)

_DASHED: Final = re.compile(r"^- ", re.MULTILINE)

_ENCRYPTED: Final = re.compile(r"^-----BEGIN PGP MESSAGE-----[ \t]*$", re.MULTILINE)


def without_signature(text: str) -> str:
    """Return a text as it was before it was signed inline; lines end in line feeds alone."""
    return _SIGNED.sub(lambda signed: _DASHED.sub("", signed["text"]), text)


def holds_encrypted(text: str) -> bool:
    """Return whether an encrypted message stands in a text, unquoted."""
    return _ENCRYPTED.search(text) is not None
