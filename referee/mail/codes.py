"""Reply codes: made, read and written. Each binds an answer to a seat and a turn."""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import Final

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Base32 without the confusing letters I, L, O and U."""

_ALIKE: Final = str.maketrans("OIL", "011")
_CODE: Final = re.compile(r"([0-9A-Z]{4})[\s‐‑‒–—―−-]{0,3}([0-9A-Z]{4})")
_ANYWHERE: Final = re.compile(rf"(?<![0-9A-Z])(?=({_CODE.pattern})(?![0-9A-Z]))")


def new_code(key: bytes, match: str, seat: str, history: str) -> str:
    """Return the canonical code of a seat for one turn.

    ``history`` is the hash of all that came before the turn: where a match went on otherwise after
    a restore, its codes are others. The code is the first 40 bits of HMAC-SHA256 (RFC 2104), so it
    cannot be guessed without the key.
    """
    # NUL separates the parts, since it occurs in none of them; the first word keeps uses apart.
    message = f"reply-code\0{match}\0{seat}\0{history}".encode()
    bits = int.from_bytes(hmac.digest(key, message, hashlib.sha256)[:5], "big")
    return "".join(ALPHABET[bits >> shift & 31] for shift in range(35, -1, -5))


def parse_code(text: str) -> str | None:
    """Return the canonical eight characters of a code, or None for any other text.

    Case, spaces and the dash do not matter; O is read as 0, I and L as 1.
    """
    halves = _CODE.fullmatch(text.strip().upper())
    if halves is None:
        return None
    # People read O for 0 and l for 1 when they copy a code from paper.
    code = (halves[1] + halves[2]).translate(_ALIKE)
    return None if set(code) - set(ALPHABET) else code


def codes_in(text: str) -> tuple[str, ...]:
    """Return the words of a text that may be codes, canonical, each once; few of them are."""
    parsed = (parse_code(word[1]) for word in _ANYWHERE.finditer(text.upper()))
    return tuple(dict.fromkeys(code for code in parsed if code is not None))


def format_code(raw: str) -> str:
    """Return a code as people see it: ``K7PQ-M2XD``. Raises ValueError for any other text."""
    code = parse_code(raw)
    if code is None:
        raise ValueError(f"{raw!r} is no reply code")
    return f"{code[:4]}-{code[4:]}"
