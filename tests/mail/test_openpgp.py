"""What an OpenPGP signature covers, and that nothing else is read."""

from __future__ import annotations

import base64
import logging
import os
import stat
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.signing import NEEDS_GPG, OUTSIDE, Signer, mime_signed, signers, wrapped

from referee.mail.incoming import letter
from referee.mail.proofs import openpgp
from referee.mail.proofs.openpgp import KeyFault, SignedPart, import_key, remove_key
from referee.mail.proofs.packets import signature_packets

pytestmark = NEEDS_GPG

HEADERS = "From: alice@example.test\nTo: referee@example.test\nMessage-ID: <1@example.test>\n"
PART = 'Content-Type: text/plain; charset="utf-8"\n\nplace D6 D7\nGrüße\n'


@pytest.fixture(scope="module")
def people() -> Iterator[list[Signer]]:
    """Return two people with keys."""
    with signers("alice@example.test", "bob@example.test") as found:
        yield found


@pytest.fixture
def keyring(tmp_path: Path, people: list[Signer]) -> Path:
    """Return a keyring with Alice's key alone."""
    import_key(tmp_path / "openpgp", people[0].public)
    return tmp_path / "openpgp"


def check(raw: bytes, keyring: Path) -> SignedPart | None:
    return openpgp.signed_by_key(letter.read_letter(raw), raw, keyring)


def clear(text: str) -> bytes:
    kind = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    return f"{HEADERS}{kind}{text}".encode()


def test_a_signed_part_is_read(people: list[Signer], keyring: Path) -> None:
    """A multipart/signed letter gives its first part and the key's fingerprint."""
    found = check(mime_signed(people[0], PART, HEADERS), keyring)
    assert found is not None
    assert found.fingerprint == people[0].fingerprint
    assert found.letter.text == ("place D6 D7\nGrüße\n",)
    assert found.letter.message_id == "<1@example.test>"


def test_a_clear_signed_text_is_read(people: list[Signer], keyring: Path) -> None:
    """Of a text with a clear signature what stands between its lines is read."""
    found = check(clear(people[0].clear("place D6 D7\n- Grüße\n")), keyring)
    assert found is not None
    assert found.fingerprint == people[0].fingerprint
    assert found.letter.text[0].splitlines() == ["place D6 D7", "- Grüße"]


def test_what_stands_around_a_clear_signature_is_not_read(
    people: list[Signer], keyring: Path
) -> None:
    """Lines before and after the signed text are nobody's."""
    text = f"{OUTSIDE}\n\n{people[0].clear('place D6')}\n{OUTSIDE}\n"
    found = check(clear(text), keyring)
    assert found is not None
    assert found.letter.blocks == ("place D6\n",)


def test_what_stands_beside_a_signed_part_is_not_read(people: list[Signer], keyring: Path) -> None:
    """A list's or a stranger's part around the signed one is nobody's."""
    inner = mime_signed(people[0], PART, "").decode()
    raw = (
        f"{HEADERS}Content-Type: multipart/mixed; boundary=out\n\n"
        f"--out\n{inner}\n--out\nContent-Type: text/plain\n\n{OUTSIDE}\n--out--\n"
    ).encode()
    found = check(raw, keyring)
    assert found is not None
    assert found.letter.text == ("place D6 D7\nGrüße\n",)


def test_a_changed_letter_is_not_signed(people: list[Signer], keyring: Path) -> None:
    """One letter changed on the way, in either form, and nothing is signed."""
    mime = mime_signed(people[0], PART, HEADERS)
    assert check(mime.replace(b"D7", b"D8"), keyring) is None
    assert check(clear(people[0].clear("place D7")).replace(b"D7", b"D8"), keyring) is None


def test_the_key_of_nobody_known_proves_nothing(people: list[Signer], keyring: Path) -> None:
    """A good signature by a key that is not in the keyring is none."""
    assert check(mime_signed(people[1], PART, HEADERS), keyring) is None
    assert check(clear(people[1].clear("pass")), keyring) is None


def test_a_letter_without_a_signature_is_not_signed(keyring: Path) -> None:
    """Plain letters, and ones that only look signed, prove nothing."""
    assert check(clear("place D6"), keyring) is None
    false = "-----BEGIN PGP SIGNED MESSAGE-----\n\npass\n-----BEGIN PGP SIGNATURE-----\n\nabcd\n"
    assert check(clear(f"{false}-----END PGP SIGNATURE-----\n"), keyring) is None
    assert check(wrapped(PART.encode(), b"", HEADERS), keyring) is None


def test_a_whole_message_in_place_of_a_signature_proves_nothing(
    people: list[Signer], keyring: Path
) -> None:
    """A message of Alice's that carries its own signed text does not sign another text."""
    other = people[0].inline(b"hello")
    assert check(wrapped(b"Content-Type: text/plain\r\n\r\npass", other, HEADERS), keyring) is None


def test_two_signatures_prove_nothing(people: list[Signer], keyring: Path) -> None:
    """One good signature is wanted, and no other beside it."""
    content = PART.replace("\n", "\r\n").encode()
    both = people[0].detached(content, "-u", people[1].address)
    assert check(wrapped(content, both, HEADERS), keyring) is None


def test_a_weak_digest_proves_nothing(people: list[Signer], keyring: Path) -> None:
    """Two texts with the same SHA-1 can be made, so a signature over one is worth nothing."""
    content = PART.replace("\n", "\r\n").encode()
    weak = people[0].detached(content, "--digest-algo", "SHA1", "--weak-digest", "MD5")
    assert check(wrapped(content, weak, HEADERS), keyring) is None


def test_a_signature_without_end_is_not_looked_at(people: list[Signer], keyring: Path) -> None:
    """A signature as long as a letter may hold anything."""
    content = PART.replace("\n", "\r\n").encode()
    good = people[0].detached(content)
    long = good.replace(b"\n\n", b"\nComment: " + b"x" * 9000 + b"\n\n", 1)
    assert check(wrapped(content, good, HEADERS), keyring) is not None
    assert check(wrapped(content, long, HEADERS), keyring) is None


def bomb(kind: int, size: int = 300_000_000) -> bytes:
    """Return a packet of a few hundred bytes that unpacks to so many, armoured."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(b"\xcb\xff" + size.to_bytes(4) + b"b" + bytes(5))
    for _ in range(size // 1_000_000):
        packed += packer.compress(bytes(1_000_000))
    packed += packer.flush()
    for _ in range(2):
        inner = b"\xc8\xff" + (len(packed) + 1).to_bytes(4) + b"\x01" + packed
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(inner) + packer.flush()
    return armoured(bytes([0xC0 | kind, 255]) + (len(packed) + 1).to_bytes(4) + b"\x01" + packed)


def armoured(packets: bytes) -> bytes:
    """Return packets armoured as a signature."""
    ends = (b"-----BEGIN PGP SIGNATURE-----\n\n", b"-----END PGP SIGNATURE-----\n")
    return ends[0] + base64.encodebytes(packets) + ends[1]


def test_a_signature_that_would_unpack_without_end_is_not_unpacked(keyring: Path) -> None:
    """Detached or below a text it costs no time: GnuPG never sees what is no signature packet."""
    small = bomb(8)
    assert len(small) < 1000
    told = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\npass\n{small.decode()}"
    begun = os.times()
    assert check(wrapped(PART.replace("\n", "\r\n").encode(), small, HEADERS), keyring) is None
    assert check(clear(told), keyring) is None
    assert os.times().children_user - begun.children_user < 1


@pytest.mark.parametrize(
    "packets",
    [
        b"", b"\x00", b"\x88", b"\xc2", b"\xc2\x05ab", b"\x8b\x01a", b"\xc2\xe1a", b"\xc2\xff\x00",
        b"\xc2\x01a\xc8\x01a", b"\x88\x01a\xa0\x01a", b"\xc2\x01ax", b"\xcb\x01a", b"\x84\x01a",
    ],
)  # fmt: skip
def test_what_is_more_or_less_than_signatures_is_none(packets: bytes) -> None:
    """Cut packets, those without a length, and any other kind, alone or behind a signature."""
    assert signature_packets(armoured(packets)) is None
    assert signature_packets(armoured(b"\xc2\x01a\x89\x00\x02ab" + packets)) is None or not packets


@given(st.binary(max_size=60))
def test_any_packets_are_looked_through(packets: bytes) -> None:
    """What passes begins like a signature, and nothing raises."""
    assert (signature_packets(armoured(packets)) or b"\xc2")[0] in {*range(0x88, 0x8B), 0xC2}
    assert signature_packets(packets) is None


def test_an_expired_key_proves_nothing(tmp_path: Path) -> None:
    """Neither is an expired key taken, nor does a key sign after its time."""
    with signers("alice@example.test") as (alice,):
        alice.run("--faked-system-time", "20200101T000000", "--passphrase", "",
                  "--quick-generate-key", "old@example.test", "ed25519", "sign", "2d")  # fmt: skip
        old = Signer(alice.home, "old@example.test").public
    with pytest.raises(KeyFault, match="expired"):
        import_key(tmp_path / "openpgp", old)


def test_the_keyring_is_its_owners_alone(keyring: Path) -> None:
    """Nobody else may look into the folder of keys."""
    assert stat.S_IMODE(keyring.stat().st_mode) == 0o700


@pytest.mark.parametrize("data", [b"", b"hello", b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nno\n"])
def test_what_is_no_key_is_refused(tmp_path: Path, data: bytes) -> None:
    """A file without a key is refused and nothing is made."""
    with pytest.raises(KeyFault, match="holds 0 OpenPGP keys"):
        import_key(tmp_path / "openpgp", data)
    assert not (tmp_path / "openpgp").exists()


def test_two_keys_and_secret_keys_are_refused(people: list[Signer], tmp_path: Path) -> None:
    """One public key is wanted: it must be clear whose it is, and nobody's secret comes to us."""
    with pytest.raises(KeyFault, match="2 OpenPGP keys"):
        import_key(tmp_path / "openpgp", people[0].public + people[1].public)
    with pytest.raises(KeyFault, match="secret key"):
        import_key(tmp_path / "openpgp", people[0].secret)
    with pytest.raises(KeyFault, match="longer than"):
        import_key(tmp_path / "openpgp", people[0].public + b"\n" * openpgp.LONGEST_KEY)


def test_a_key_that_is_removed_proves_nothing(people: list[Signer], keyring: Path) -> None:
    """After its key was taken out a signature is worth nothing; a second removal does no harm."""
    remove_key(keyring, people[0].fingerprint)
    assert check(mime_signed(people[0], PART, HEADERS), keyring) is None
    remove_key(keyring, people[0].fingerprint)


def test_hostile_letters_are_not_signed(people: list[Signer], keyring: Path) -> None:
    """Broken, nested and cut letters end without an error."""
    good = mime_signed(people[0], PART, HEADERS)
    for raw in (b"", good[: len(good) // 2], good.replace(b'boundary="sig"', b""), good[-300:]):
        found = check(raw, keyring)
        assert found is None or found.letter.text == ("place D6 D7\nGrüße\n",)


def test_nothing_is_said_in_the_log(
    people: list[Signer], keyring: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What a letter says does not reach the log by way of GnuPG."""
    with caplog.at_level(logging.DEBUG):
        check(mime_signed(people[0], PART, HEADERS), keyring)
    assert "place" not in caplog.text


@pytest.mark.parametrize(
    "kind",
    [
        "charset=utf-16",
        "charset=iso-2022-jp",
        "charset=utf-8; format=flowed; delsp=yes",
        "charset=koi8-r",
    ],
)
def test_a_clear_signed_text_is_read_by_what_is_signed_alone(
    people: list[Signer], keyring: Path, kind: str
) -> None:
    """Whoever sends it on cannot have it read in another way by other headers."""
    said = "place D6 D7\n- Grüße \nplay axe\n"
    head = f"{HEADERS}Content-Type: text/plain; {kind}\nContent-Transfer-Encoding: 8bit\n\n"
    found = check(head.encode() + people[0].clear(said).encode(), keyring)
    assert found is not None
    lines = [each.rstrip() for each in found.letter.text[0].splitlines()]
    assert lines == ["place D6 D7", "- Grüße", "play axe"]
