"""What is believed of Authentication-Results headers, genuine, odd and forged."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.authentication import LONGEST, is_vouched
from referee.mail.incoming import letter

US = "mx.example.org"
ALICE = "alice@example.net"
PASS = f"{US}; dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=example.net"
FAIL = f"{US}; dmarc=fail (p=NONE) header.from=example.net"

GMAIL = (
    f"{US};       dkim=pass header.i=@example.net header.s=key1 header.b=AbCd12;"
    "       arc=pass (i=1 spf=pass spfdomain=example.net);"
    "       spf=pass (google.com: domain of alice@example.net designates 192.0.2.1 as permitted"
    " sender) smtp.mailfrom=alice@example.net;"
    "       dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=example.net"
)
GMX = f"{US}; dkim=pass header.i=@example.net"
MICROSOFT = (
    "spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=example.net; dkim=pass (signature was"
    " verified) header.d=example.net;dmarc=pass action=none header.from=example.net;compauth=pass"
    " reason=100"
)


@pytest.mark.parametrize(
    "headers",
    [
        [PASS],
        [GMAIL],
        [GMX],
        [PASS.upper().replace("PASS", "pass")],
        [f"(added by us) {US} (really) 1 (version); dmarc = pass (ok) header.from = Example.NET"],
        [f"{US}; dmarc=none header.from=example.net; dkim=pass header.d=example.net"],
        [f"{US}; dkim=fail header.d=other.test; dkim=pass header.d=example.net"],
        ["elsewhere.test; dmarc=fail header.from=example.net", PASS],
        [f"elsewhere.test; spf=fail reason={US}", PASS],
        [MICROSOFT, PASS],
        [PASS, FAIL],
    ],
)
def test_what_our_server_found_counts(headers: list[str]) -> None:
    """DMARC, or an aligned DKIM signature, in the topmost header of our server."""
    assert is_vouched(headers, US, ALICE)


@pytest.mark.parametrize("sign", ["\v", "\f", "\x1c", "\x00", "\x7f"])
def test_a_control_character_behind_the_name_ends_the_search(sign: str) -> None:
    """Our server may not have known the name, and let a forged header stand."""
    forged = f"{US}{sign}; dmarc=pass header.from=example.net"
    assert not is_vouched([forged, PASS], US, ALICE)


def test_a_blank_before_the_colon_leaves_no_proof() -> None:
    """The same holds for the name of the header."""
    raw = f"From: {ALICE}\r\nAuthentication-Results{{}}: {PASS}\r\n\r\npass\r\n"
    assert letter.read_letter(raw.format("").encode()).authentication == (PASS,)
    assert letter.read_letter(raw.format(" ").encode()).authentication == ()


@pytest.mark.parametrize("odd", [b"\0%b", b"%b\0", b"%b\r\n \0", b"\xef\xbb\xbf%b"])
def test_a_sign_that_decoding_drops_leaves_no_proof(odd: bytes) -> None:
    """A name with a NUL or a byte order mark is not our server's, though it reads the same."""
    raw = f"From: {ALICE}\r\nAuthentication-Results: {PASS}\r\n\r\npass\r\n".encode()
    assert is_vouched(letter.read_letter(raw).authentication, US, ALICE)
    forged = raw.replace(US.encode(), odd % US.encode())
    assert not is_vouched(letter.read_letter(forged).authentication, US, ALICE)


def test_a_domain_may_be_signed_for_by_one_above_it() -> None:
    """The owner of example.net speaks for club.example.net, and not the other way round."""
    signed = f"{US}; dkim=pass header.d="
    assert is_vouched([f"{signed}example.net"], US, "alice@club.example.net")
    assert not is_vouched([f"{signed}club.example.net"], US, ALICE)


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [FAIL, PASS],
        [MICROSOFT],
        ["elsewhere.test; dmarc=pass header.from=example.net"],
        [f"elsewhere.test ({PASS})"],
        [f'elsewhere.test; x=pass reason="{PASS}"'],
        [f"{US}.elsewhere.test; dmarc=pass header.from=example.net"],
        [f"not-{PASS}"],
        [f"{US}; none"],
        [f"{US}; dmarc=pass header.from=elsewhere.test"],
        [f"{US}; dmarc=pass"],
        [f"{US}; dmarc=pass header.from=elsewhere.test header.from=example.net"],
        [f"{PASS}; dmarc=fail header.from=example.net"],
        [f"{PASS}; dmarc=pass header.from=elsewhere.test"],
        [f"{FAIL}; dkim=pass header.d=example.net"],
        [f"{US}; dkim=pass header.d=elsewhere.test"],
        [f"{US}; dkim=pass header.d=net"],
        [f"{US}; dkim=pass header.d=ample.net"],
        [f"{US}; dkim=pass"],
        [f"{US}; spf=pass smtp.mailfrom=alice@example.net"],
        [f"{US}; spf=fail (x) smtp.mailfrom=a; (dmarc=pass header.from=example.net)"],
        [f'{US}; spf=fail smtp.mailfrom="a; dmarc=pass header.from=example.net"'],
        [f"{US}; =broken", PASS],
        [f"{US}; " + "(" * 2000, PASS],
        [f"{PASS}; x=pass ({'y' * LONGEST})"],
        [f"{PASS} \u0430"],
    ],
)
def test_what_anybody_could_have_written_does_not_count(headers: list[str]) -> None:
    """Other servers, other domains, comments, quotes, contradictions and broken headers."""
    assert not is_vouched(headers, US, ALICE)


def test_a_folded_header_is_read_as_one() -> None:
    """Headers come over several lines; what is folded into a comment stays a comment."""
    folded = f"Authentication-Results: {US};\r\n dkim=none;\r\n\tdmarc=pass\r\n header.from="
    raw = f"{folded}example.net\r\nFrom: {ALICE}\r\n\r\npass\r\n".encode()
    assert is_vouched(letter.read_letter(raw).authentication, US, ALICE)
    hidden = raw.replace(b"\tdmarc", b"\t(dmarc").replace(b"example.net\r\nFrom", b"x)\r\nFrom")
    assert not is_vouched(letter.read_letter(hidden).authentication, US, ALICE)


@given(st.text(alphabet=st.sampled_from('ab.;=()"\\ \t-@/1é'), max_size=200))
def test_any_header_is_read_without_an_error(text: str) -> None:
    """Whatever stands in a header, nobody is vouched for by it, and nothing fails."""
    assert not is_vouched([f"{US}; {text}", text], US, ALICE)


WORDS = (
    US, "not-" + US, f"{US}.test", "elsewhere.test", ";", ";", ";", " ", " ", "=", "(", ")", '"',
    "\\", "\t", "dmarc", "dkim", "spf", "pass", "fail", "none", "header.from", "header.d",
    "header.i", "smtp.mailfrom", "policy", "reason", ALICE, "example.test", "net", "1", "/", ".",
    "dmarc=pass", "header.from=elsewhere.test", "dkim=pass", "header.d=elsewhere.test",
    "(dmarc=pass header.from=example.net)", '"dmarc=pass header.from=example.net"',
)  # fmt: skip
"""What headers are made of; nowhere but in comments and quotes does a result name our domain."""


@pytest.mark.parametrize("seed", range(6))
def test_no_header_from_a_grammar_vouches_for_anybody(seed: int) -> None:
    """Five thousand each: whatever stands in our server's own, its words prove nothing of Alice."""
    rng = Random(seed)
    for _ in range(5_000):
        text = "".join(rng.choices(WORDS, k=rng.randint(1, 14)))
        own = rng.choice((f"{US}; ", f"{US} 1; ", f"(x) {US};", ""))
        assert not is_vouched([own + text], US, ALICE), own + text
