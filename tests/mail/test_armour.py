"""Letters signed or encrypted by OpenPGP or S/MIME: what of them is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.sealing import (
    ENCRYPTED,
    ENVELOPED,
    MIME_ENCRYPTED,
    SIGNATURE,
    clear_signed,
    mime_signed,
)

from referee.mail.incoming.decoding import without_signature
from referee.mail.incoming.letter import read_letter

pytestmark = pytest.mark.fast

HEADERS = "From: alice@example.test\nTo: referee@example.test\nMIME-Version: 1.0\n"
PLAIN = "Content-Type: text/plain; charset=utf-8\n\n"
SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"


def texts(part: str) -> tuple[str, ...]:
    """Return the texts read in a letter of one part, which begins with its headers."""
    return read_letter((HEADERS + part).encode()).text


@given(st.lists(st.text(st.sampled_from("-> aP:"), max_size=8), max_size=8))
def test_a_text_signed_inline_is_read_as_it_was_written(lines: list[str]) -> None:
    """Also its lines that begin with a dash, which signing marks with another."""
    written = "".join(f"{line}\n" for line in lines)
    assert without_signature(clear_signed(written)) == f"{written}\n"
    around = f"Hello\n{clear_signed(written)}--\nlist\n"
    assert without_signature(around) == f"Hello\n{written}\n--\nlist\n"


@pytest.mark.parametrize(
    "text",
    [
        "pass\n",
        f"{SIGNED}\nHash: SHA512\n\npass\n",
        f"{SIGNED}\npass\n{SIGNATURE}",
        f"pass\n{SIGNATURE}",
        clear_signed("pass\n").replace("-----END PGP SIGNATURE-----", ""),
        "".join(f"> {line}\n" for line in clear_signed("pass\n").splitlines()),
        ENCRYPTED,
    ],
)
def test_what_is_not_wholly_a_signed_text_stays_as_it_is(text: str) -> None:
    """Without its end, without the blank line above it, quoted, or encrypted."""
    assert without_signature(text) == text


def test_two_signed_texts_are_both_read() -> None:
    """A program may sign what somebody else has signed a part of."""
    assert without_signature(clear_signed("one\n") + clear_signed("two\n")) == "one\n\ntwo\n\n"


def test_a_signed_text_may_be_flowed() -> None:
    """The delimiter of the writer's signature stays a line of its own."""
    part = PLAIN.replace("utf-8", "utf-8; format=flowed")
    assert texts(part + clear_signed("place D6 \nD7\n-- \nAlice\n")) == (
        "place D6 D7\n-- \nAlice\n\n",
    )


def test_a_letter_signed_as_a_whole_is_read_like_any_other() -> None:
    """Its signature is a part of no text."""
    found = read_letter((HEADERS + mime_signed(f"{PLAIN}place D6 D7")).encode())
    assert (found.text, found.encrypted) == (("place D6 D7",), False)


@pytest.mark.parametrize(
    "part",
    [
        MIME_ENCRYPTED,
        # As a gateway leaves it behind that takes it apart.
        MIME_ENCRYPTED.replace("multipart/encrypted", "multipart/mixed"),
        PLAIN + ENCRYPTED,
        f"{PLAIN}Hello\n\n{ENCRYPTED}",
        f"Content-Type: text/html\n\n<pre>{ENCRYPTED}</pre>",
        ENVELOPED,
        ENVELOPED.replace("enveloped-data", "authEnveloped-data"),
    ],
)
def test_an_encrypted_letter_is_known(part: str) -> None:
    """By OpenPGP, as a part or within a text, and by S/MIME."""
    assert read_letter((HEADERS + part).encode()).encrypted


@pytest.mark.parametrize(
    "part",
    [
        f"{PLAIN}pass",
        PLAIN + clear_signed("pass\n"),
        PLAIN + "".join(f"> {line}\n" for line in ENCRYPTED.splitlines()),
        f"{PLAIN}it began with -----BEGIN PGP MESSAGE-----",
        ENVELOPED.replace("enveloped-data", "signed-data"),
    ],
)
def test_a_letter_that_quotes_or_signs_is_not_encrypted(part: str) -> None:
    """Nor one that only speaks of it."""
    assert not read_letter((HEADERS + part).encode()).encrypted
