"""OpenPGP signatures of letters: the text covered, and the key (RFC 3156, RFC 4880).

GnuPG runs on a keyring of our own that holds the players' keys and nothing else; it never fetches
keys or asks for anything.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from referee.errors import PackageMissing, RefereeError
from referee.mail.incoming import letter as incoming_letter
from referee.mail.incoming import mime
from referee.mail.incoming.letter import Letter, Limits
from referee.mail.proofs import packets
from referee.resources import advise_extra

if TYPE_CHECKING:
    from gnupg import GPG


LONGEST_SIGNATURE: Final = 8_000
"""Bytes read of a signature."""

LONGEST_KEY: Final = 200_000
"""Bytes of a key file. Photographs and signatures by others make keys long."""

_OPTIONS: Final = (
    "--no-options",
    "--no-autostart",
    "--disable-dirmngr",
    "--no-auto-key-retrieve",
    "--no-auto-check-trustdb",
    "--trust-model=always",
    "--weak-digest=SHA1",
)

_ARMOUR: Final = b"-----BEGIN PGP SIGNATURE-----"

_CLEAR: Final = b"-----BEGIN PGP SIGNED MESSAGE-----"

_END: Final = b"-----END PGP SIGNATURE-----"

_ENTITY: Final = b"Content-Type: text/plain; charset=utf-8\n\n"

_LIMITS: Final = Limits()

_BAD: Final = frozenset({"BADSIG", "ERRSIG", "EXPSIG", "EXPKEYSIG", "REVKEYSIG", "NODATA", "ERROR"})


class KeyFault(RefereeError):
    """A key cannot be used, or GnuPG is not there."""


@dataclass(frozen=True, slots=True)
class SignedPart:
    """A letter's signed part, and the primary key's fingerprint."""

    letter: Letter
    fingerprint: str


def check_gnupg() -> None:
    """Raise PackageMissing when signatures cannot be checked on this machine."""
    if find_spec("gnupg") is None:
        raise PackageMissing(f"python-gnupg is missing: {advise_extra('auth')}")
    if which("gpg") is None:
        raise PackageMissing("gpg is missing: install GnuPG (apt-get install gpg)")


def signed_by_key(letter: Letter, raw: bytes, keyring: Path) -> SignedPart | None:
    """Return the part signed by a key of the keyring. None if anything is odd.

    Either the letter is multipart/signed, or its first text with a clear signature counts. The
    headers stay the letter's: no signature covers them.
    """
    if not keyring.is_dir():
        return None
    found = _detached(raw, keyring) or _clear(raw, keyring)
    if found is None:
        return None
    content, fingerprint = found
    said = incoming_letter.read_letter(content, _LIMITS)
    covered = replace(letter, text=said.text, html_text=said.html_text, json=said.json)
    return SignedPart(covered, fingerprint)


def import_key(keyring: Path, data: bytes) -> str:
    """Put a public key into the keyring and return its fingerprint.

    Raises KeyFault, PackageMissing.

    The data must hold one key that can sign today, and no secret key.
    """
    check_gnupg()
    if len(data) > LONGEST_KEY:
        raise KeyFault(f"the key is longer than {LONGEST_KEY} bytes; export it with export-minimal")
    # Looked at in a keyring of its own first: ours must never hold a secret or a second key.
    with TemporaryDirectory(prefix="referee-key-") as scratch:
        fingerprint = _examined(_open(Path(scratch)), data)
    keyring.mkdir(mode=0o700, parents=True, exist_ok=True)
    keyring.chmod(0o700)
    with _trouble():
        done = _gpg(keyring).import_keys(data, extra_args=["--import-options", "import-minimal"])
    if fingerprint not in done.fingerprints:
        raise KeyFault("gpg did not take the key")
    return fingerprint


def remove_key(keyring: Path, fingerprint: str) -> None:
    """Take a key out of the keyring. Raises KeyFault, PackageMissing."""
    check_gnupg()
    if keyring.is_dir():
        with _trouble():
            _gpg(keyring).delete_keys(fingerprint)


def _examined(gpg: GPG, data: bytes) -> str:
    with _trouble():
        done = gpg.import_keys(data)
        listed: Sequence[Mapping[str, Any]] = gpg.list_keys()
    if b"PRIVATE KEY BLOCK" in data or done.sec_read:
        raise KeyFault("the file holds a secret key: export the public one alone, and keep that")
    if len(listed) != 1:
        raise KeyFault(f"the file holds {len(listed)} OpenPGP keys; one is wanted")
    key = listed[0]
    if key["trust"] in {"r", "e", "i", "d"} or "S" not in key["cap"]:
        raise KeyFault("the key is expired or revoked, or cannot sign")
    return str(key["fingerprint"])


def _detached(raw: bytes, keyring: Path) -> tuple[bytes, str] | None:
    parts = mime.signed_part(raw[: _LIMITS.bytes], header_bytes=_LIMITS.header_bytes)
    # A letter that was cut cannot verify, and must not count as tampered with.
    if parts is None or len(raw) > _LIMITS.bytes:
        return None
    content, armoured = parts
    if len(armoured) > LONGEST_SIGNATURE:
        return None
    signature = packets.signature_packets(armoured[max(armoured.find(_ARMOUR), 0) :])
    if signature is None:
        return None
    with NamedTemporaryFile(prefix="referee-", suffix=".sig") as file:
        file.write(signature)
        file.flush()
        # Signatures are made over CRLF (RFC 3156 section 5).
        result = _gpg(keyring).verify_data(file.name, content.replace(b"\n", b"\r\n"))
    fingerprint = _signer(result.stderr, plaintexts=0)
    return None if fingerprint is None else (content, fingerprint)


def _clear(raw: bytes, keyring: Path) -> tuple[bytes, str] | None:
    """Return the text of a clear signature as a part.

    It is the text that GnuPG gives out. The letter's headers about it are not signed, so it is read
    as UTF-8, if possible, and as not flowed.
    """
    tree = mime.parse_tree(
        raw[: _LIMITS.bytes],
        most_parts=_LIMITS.parts,
        deepest=_LIMITS.depth,
        header_bytes=_LIMITS.header_bytes,
    )
    texts = (each for each in tree.leaves if each.content_type == "text/plain")
    for part in texts:
        content, problems = part.content(_LIMITS.part_bytes)
        message = clear_signed(content)
        if not message:
            continue
        armoured = message[message.find(b"\n" + _ARMOUR) + 1 :]
        if (
            problems
            or len(armoured) > LONGEST_SIGNATURE
            or packets.signature_packets(armoured) is None
        ):
            return None
        # A clear-signed text may contain compressed packets that expand without limit.
        capped = ["--max-output", str(2 * _LIMITS.part_bytes)]
        result = _gpg(keyring).decrypt(message, extra_args=capped)
        fingerprint = _signer(result.stderr, plaintexts=1)
        return None if fingerprint is None else (_ENTITY + result.data, fingerprint)
    return None


def clear_signed(content: bytes) -> bytes:
    """Return the first clear-signed message of a text, first to last line."""
    text = b"\n" + content.replace(b"\r\n", b"\n")
    start = text.find(b"\n" + _CLEAR)
    signature = text.find(b"\n" + _ARMOUR, start + 1)
    end = text.find(b"\n" + _END, signature + 1)
    if min(start, signature, end) < 0:
        return b""
    return text[start + 1 : end + 1] + _END + b"\n"


def _signer(statuses: str, plaintexts: int) -> str | None:
    """Return the primary key's fingerprint if GnuPG found exactly one good signature."""
    lines = [each.split()[1:] for each in statuses.splitlines() if each.startswith("[GNUPG:] ")]
    words = [line[0] for line in lines if line]
    # Exactly one of each: a second signature or message could be another person's.
    once = all(words.count(word) == 1 for word in ("NEWSIG", "GOODSIG", "VALIDSIG"))
    if not once or words.count("PLAINTEXT") != plaintexts or _BAD & set(words):
        return None
    valid = next(line for line in lines if line[0] == "VALIDSIG")
    return valid[-1] if re.fullmatch(r"[0-9A-F]{40,64}", valid[-1]) else None


def _open(keyring: Path) -> GPG:
    # The package is needed at one level of trust only.
    import gnupg  # noqa: PLC0415

    logging.getLogger("gnupg").setLevel(logging.ERROR)
    return gnupg.GPG(gnupghome=str(keyring), options=list(_OPTIONS))


_gpg: Final = cache(_open)


@contextmanager
def _trouble() -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as fault:
        raise KeyFault(f"gpg failed: {fault}") from None
