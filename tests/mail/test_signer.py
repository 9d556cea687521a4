"""Mails signed in the name of a domain, verified by the library as their receivers would."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import dkim
import pytest
from support.smtpd import SmtpServer

from referee.errors import PackageMissing
from referee.mail.composing import Attachment, Outgoing, compose
from referee.mail.proofs import signer as mail_signer
from referee.mail.proofs.signer import Signer, SignerFault, make_signer
from referee.mail.transport.postman import Postman


def made(folder: Path, *options: str, bits: int = 1024) -> bytes:
    """Return a private key that OpenSSL has made."""
    file = folder / "key.pem"
    command = ["openssl", "genrsa", *options, "-out", str(file), str(bits)]
    subprocess.run(command, check=True, capture_output=True)
    return file.read_bytes()


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a private key."""
    return made(tmp_path_factory.mktemp("key"))


@pytest.fixture
def signer(key: bytes) -> Signer:
    """Return the signer of example.test."""
    return make_signer("example.test", "club", key)


def published(signer: Signer) -> Callable[..., bytes | None]:
    """Return DNS as it is with the signer's record and no other."""
    place, record = f"{signer.place}.".encode(), signer.record.encode()
    return lambda name, timeout=5: record if name == place else None


def a_mail() -> bytes:
    """Return a mail as the referee sends it, with a text, its twin and a file."""
    return compose(
        Outgoing(
            sender="referee@example.test",
            sender_name="Referee",
            recipient="alice@example.test",
            subject="nord-1: your turn, and a subject that is long enough to be folded somewhere",
            text="Red has moved.\n.a line with a dot\nGrüße\n",
            html="<p>Red has moved.</p>",
            message_id="<1@example.test>",
            date=datetime(2026, 11, 22, tzinfo=UTC),
            attachments=(Attachment("turn.json", "application/json", b"{}"),),
        )
    )


@pytest.mark.parametrize("options", [(), ("-traditional",)])
def test_a_signed_mail_is_verified(tmp_path: Path, options: tuple[str, ...]) -> None:
    """By keys of either form OpenSSL writes; the mail stands behind the signature unchanged."""
    signer = make_signer("example.test", "club", made(tmp_path, *options))
    signed = signer.sign(a_mail())
    assert signed.startswith(b"DKIM-Signature: v=1; a=rsa-sha256;")
    assert signed.endswith(a_mail())
    assert b"d=example.test;" in signed
    assert dkim.verify(signed, dnsfunc=published(signer))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"Red has moved", b"Red has not moved"),
        (b"Subject: ", b"Subject: not "),
        (b"\r\nFrom: ", b"\r\nFrom: eve@example.net\r\nFrom: "),
        (b"To: <alice", b"To: <malice"),
    ],
)
def test_a_change_on_the_way_is_seen(signer: Signer, old: bytes, new: bytes) -> None:
    """What a reader sees cannot be replaced, nor a second sender put in."""
    signed = signer.sign(a_mail())
    assert old in signed
    assert not dkim.verify(signed.replace(old, new, 1), dnsfunc=published(signer))


def test_another_key_in_dns_is_no_proof(signer: Signer, tmp_path: Path) -> None:
    """The record must be the one of the key that signs."""
    other = make_signer("example.test", "club", made(tmp_path))
    assert not dkim.verify(signer.sign(a_mail()), dnsfunc=published(other))


def test_the_record_is_the_key_as_openssl_has_it(signer: Signer, key: bytes) -> None:
    """The public key in the record is byte for byte what OpenSSL would publish."""
    command = ["openssl", "rsa", "-pubout", "-outform", "PEM"]
    public = subprocess.run(command, input=key, check=True, capture_output=True).stdout.decode()
    assert signer.record == f"v=DKIM1; k=rsa; p={''.join(public.splitlines()[1:-1])}"
    assert signer.place == "club._domainkey.example.test"
    assert "PRIVATE" not in repr(signer)


def test_mails_leave_signed(signer: Signer, smtp_server: SmtpServer) -> None:
    """Over the wire, lines that begin with a dot included, the signature holds."""

    async def work() -> None:
        async with Postman(smtp_server.server(), signer=signer) as postman:
            await postman.send("alice@example.test", "referee@example.test", a_mail())

    asyncio.run(work())
    (mail,) = smtp_server.delivered
    assert dkim.verify(mail.raw, dnsfunc=published(signer))


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda key: key[:200] + b"\n-----END PRIVATE KEY-----\n",
        lambda key: b"-----BEGIN PRIVATE KEY-----\n?\n-----END PRIVATE KEY-----\n",
        lambda key: key.replace(b"M", b"N", 1),
        lambda _: b"-----BEGIN PRIVATE KEY-----",
    ],
)
def test_a_file_that_holds_no_key_is_named(key: bytes, spoilt: Callable[[bytes], bytes]) -> None:
    """One line names the setting and the command that makes a key."""
    with pytest.raises(SignerFault) as caught:
        make_signer("example.test", "club", spoilt(key))
    assert str(caught.value) == (
        "[mail] dkim_key_file: holds no RSA key in PEM form; "
        "make one: openssl genrsa -out dkim.pem 2048"
    )


def test_a_key_that_receivers_find_too_short_is_refused(tmp_path: Path) -> None:
    """A signature by it would count for nothing."""
    with pytest.raises(SignerFault, match="the key has 768 bits only; make one"):
        make_signer("example.test", "club", made(tmp_path, bits=768))


def test_without_the_library_the_extra_is_named(
    key: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line is a command to type; a restart would not mend it, which the status says."""
    monkeypatch.setattr(mail_signer, "find_spec", lambda _: None)
    with pytest.raises(PackageMissing) as caught:
        make_signer("example.test", "club", key)
    assert str(caught.value).endswith("dkimpy is missing: pip install 'referee-by-mail[auth]'")
    assert caught.value.status == 78
