"""People with OpenPGP keys of their own, made for the tests by the GnuPG of this machine."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import pytest

NEEDS_GPG = pytest.mark.skipif(which("gpg") is None, reason="GnuPG is not on this machine")

OUTSIDE = "pass"
"""What somebody adds around what is signed."""


@dataclass(frozen=True)
class Signer:
    """Somebody's GnuPG: signs and shows the public key."""

    home: Path
    address: str

    @property
    def public(self) -> bytes:
        """The public key, armoured."""
        return self.run("--armor", "--export", self.address)

    @property
    def secret(self) -> bytes:
        """The secret key, armoured."""
        return self.run("--armor", "--export-secret-keys", self.address)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the primary key."""
        listed = self.run("--with-colons", "--list-keys", self.address).decode().splitlines()
        return next(line.split(":")[9] for line in listed if line.startswith("fpr:"))

    def clear(self, text: str) -> str:
        """Return a text with a clear signature."""
        return self.run("--armor", "--clear-sign", data=text.encode()).decode()

    def detached(self, data: bytes, *options: str) -> bytes:
        """Return an armoured signature of data."""
        return self.run("--armor", *options, "--detach-sign", data=data)

    def inline(self, data: bytes) -> bytes:
        """Return a message that holds both the data and its signature, armoured as a signature."""
        message = self.run("--armor", "--sign", data=data)
        return message.replace(b"PGP MESSAGE", b"PGP SIGNATURE")

    def run(self, *arguments: str, data: bytes = b"") -> bytes:
        """Run gpg on this person's home and return what it prints."""
        command = ("gpg", "--homedir", str(self.home), "--batch", "--no-tty", "--quiet")
        return subprocess.run(
            (*command, "-u", self.address, *arguments), input=data, check=True, capture_output=True
        ).stdout


@contextmanager
def signers(*addresses: str, options: tuple[str, ...] = ()) -> Iterator[list[Signer]]:
    """Give people with fresh keys; what GnuPG keeps running for them is ended."""
    # A socket's path must be short, and a test's own folder is not.
    with TemporaryDirectory(prefix="gpg-", dir="/tmp") as home:
        Path(home).chmod(0o700)
        people = [Signer(Path(home), address) for address in addresses]
        try:
            for each in people:
                generate = ("--passphrase", "", "--quick-generate-key", each.address)
                each.run(*options, *generate, "ed25519", "sign", "never")
            yield people
        finally:
            end = ("gpgconf", "--homedir", home, "--kill", "all")
            subprocess.run(end, check=False, capture_output=True, env=dict(os.environ))


def mime_signed(signer: Signer, part: str, headers: str, *, boundary: str = "sig") -> bytes:
    """Return a multipart/signed letter (RFC 3156): its headers, the part, and the signature."""
    content = part.replace("\n", "\r\n").encode()
    return wrapped(content, signer.detached(content), headers, boundary=boundary)


def wrapped(content: bytes, signature: bytes, headers: str, *, boundary: str = "sig") -> bytes:
    """Return a multipart/signed letter of bytes and any signature."""
    kind = f'multipart/signed; protocol="application/pgp-signature"; boundary="{boundary}"'
    top = f"{headers}MIME-Version: 1.0\nContent-Type: {kind}\n\n".replace("\n", "\r\n").encode()
    line = f"\r\n--{boundary}".encode()
    opening = b"\r\nContent-Type: application/pgp-signature\r\n\r\n"
    body = line[2:] + b"\r\n" + content + line + opening + signature.replace(b"\n", b"\r\n")
    return top + body + line + b"--\r\n"
