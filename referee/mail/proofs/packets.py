"""Packets of armoured OpenPGP signatures (RFC 9580 sections 4 and 6).

A compressed packet of a few hundred bytes can hold terabytes, and GnuPG unpacks it on its way to a
signature. So every signature is inspected before GnuPG sees it, and must contain signature packets
alone.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from typing import Final

SIGNATURE: Final = 2
"""The packet type of signatures."""

_ARMOURED: Final = re.compile(
    rb"-----BEGIN PGP SIGNATURE-----[ \t\r]*\n(?:[A-Za-z]{1,30}: [^\n]*\n)*[ \t\r]*\n"
    rb"([A-Za-z0-9+/=\r\n]{1,12000}?)(?:\n=[A-Za-z0-9+/]{4}\r?)?\n-----END PGP SIGNATURE-----"
)


def signature_packets(armoured: bytes) -> bytes | None:
    """Return the signature packets that an armoured text begins with.

    None if it is not armoured, or holds packets of another kind or of unstated length.
    """
    found = _ARMOURED.match(armoured)
    if found is None:
        return None
    try:
        packets = a2b_base64(b"".join(found[1].split()), strict_mode=True)
    except Error:
        return None
    return packets if packets and _only_signatures(packets) else None


def _only_signatures(packets: bytes) -> bool:
    at = 0
    while at < len(packets):
        kind, start, length = _packet(packets, at)
        if kind != SIGNATURE or length is None:
            return False
        at = start + length
    return at == len(packets)


def _packet(packets: bytes, at: int) -> tuple[int, int, int | None]:
    """Return a packet's kind, where its content begins, and its length. None if unstated."""
    head, after = packets[at], packets[at + 1 : at + 6]
    if not head & 0x80 or not after:
        return 0, at, None
    if not head & 0x40:
        size = 1 << (head & 3)
        told = size < 8 and len(after) >= size
        return (head >> 2) & 15, at + 1 + size, int.from_bytes(after[:size]) if told else None
    kind, first = head & 63, after[0]
    if first < 192:
        return kind, at + 2, first
    if first < 224 and len(after) > 1:
        return kind, at + 3, ((first - 192) << 8) + after[1] + 192
    if first == 255 and len(after) > 4:
        return kind, at + 6, int.from_bytes(after[1:5])
    return kind, at, None
