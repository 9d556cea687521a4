"""Addresses, plus-addresses, Message-IDs, and what may not stand in a header."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.addressing import (
    HeaderInjection,
    addresses,
    header_name,
    header_value,
    message_ids,
    new_message_id,
    plus_address,
    plus_code,
    same_address,
    valid_address,
)

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Alice@Example.Org", "alice@example.org"),
        (" a.b+c@x.test ", "a.b+c@x.test"),
        ("bob@münchen.example", "bob@xn--mnchen-3ya.example"),
        ("alice@straße.example", "alice@xn--strae-oqa.example"),
        ("alice@STRASSE.example", "alice@strasse.example"),
        ("alice@Straße。Example", "alice@xn--strae-oqa.example"),
        ("alice@βόλος.example", "alice@xn--nxasmm1c.example"),
        ("alice@नी\u200dx.example", None),
        ("alice@☃.example", None),
        ("alice@\u200b.example", None),
        (f"alice@{'ß' * 64}.example", None),
        ("root@localhost", "root@localhost"),
        ("o'brien@x.test", "o'brien@x.test"),
        ("alice", None),
        ("@x.test", None),
        ("a@b@x.test", None),
        ("a..b@x.test", None),
        ("alice@x..test", None),
        ("alice@-x.test", None),
        ("a b@x.test", None),
        ('"a b"@x.test', None),
        ("a@x.test\r\nBcc: b@x.test", None),
        ("<a@x.test>", None),
        ("a" * 65 + "@x.test", None),
        ("a@" + "x" * 64 + ".test", None),
        ("ä@x.test", None),
    ],
)
def test_addresses_are_normalised_or_refused(text: str, address: str | None):
    """An address we could mail to is returned in lower case, anything else is None."""
    assert valid_address(text) == address


@given(st.text(max_size=300))
def test_any_text_is_an_address_or_none(text: str):
    """A normalised address stays as it is, and holds neither spaces nor control characters."""
    address = valid_address(text)
    assert address is None or (valid_address(address) == address and address.isascii())


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("Alice <alice@x.test>", ["alice@x.test"]),
        ('"bob@y.test" <alice@x.test>', ["alice@x.test"]),
        ("bob@y.test <alice@x.test>", ["alice@x.test"]),
        ("=?utf-8?q?bob=40y.test?= <alice@x.test>", ["alice@x.test"]),
        ("alice@x.test (bob@y.test)", ["alice@x.test"]),
        ("alice@x.test, Bob <bob@y.test>", ["alice@x.test", "bob@y.test"]),
        ("<alice@x.test> <bob@y.test>", ["alice@x.test", "bob@y.test"]),
        ("Friends: alice@x.test, bob@y.test;", ["alice@x.test", "bob@y.test"]),
        ('"Smith, Al" <alice@x.test>', ["alice@x.test"]),
        ('"A \\" <bob@y.test>, " <alice@x.test>', ["alice@x.test"]),
        ("undisclosed-recipients:;", []),
        ("(" * 5000 + "alice@x.test", []),
        ("", []),
    ],
)
def test_addresses_come_from_where_they_stand(value: str, found: list[str]):
    """Display names, comments and encoded words never pass for addresses."""
    assert list(addresses(value)) == found


def test_a_code_travels_in_the_address():
    """The code in a plus-address is found again, in any case, and only for our own address."""
    address = plus_address("referee@host.test", "K7PQM2XD")
    assert address == "referee+K7PQM2XD@host.test"
    assert plus_code("referee@host.test", address.lower()) == "K7PQM2XD"
    assert plus_code("referee@host.test", "referee@host.test") is None
    assert plus_code("referee@host.test", "referee+news@host.test") is None
    assert plus_code("referee@host.test", "other+K7PQM2XD@host.test") is None
    ours = "club+moor@host.test"
    assert plus_code(ours, plus_address(ours, "K7PQM2XD")) == "K7PQM2XD"


def test_message_ids_are_long_and_never_repeat():
    """A Message-ID bears 128 random bits, and is found again in a header."""
    made = {new_message_id("host.test") for _ in range(100)}
    assert len(made) == 100
    one = made.pop()
    assert len(one) == len("<@host.test>") + 32
    assert message_ids(f"{one}\n (a comment) {one}") == (one, one)


@pytest.mark.parametrize(
    "value",
    ["<ä@x.test>", "<a\x01b@x.test>", "<a\x7f@x.test>", "<=?utf-8?b?AA?=@x>", "<a@b@c>", "<a>"],
)
def test_ids_that_may_not_stand_in_our_headers_are_none(value: str):
    """A Message-ID with anything but printable ASCII in it is passed over."""
    assert message_ids(f"{value} <good@x.test>") == ("<good@x.test>",)


@pytest.mark.parametrize(
    "bad", ["a\r\nBcc: b", "a\nb", "a\rb", "a\0b", "a\x7f", "a\x85b", "a\u2028b"]
)
def test_nothing_that_could_begin_another_header_is_written(bad: str):
    """A control character in a header value is refused before anything is written."""
    with pytest.raises(HeaderInjection):
        header_value(bad)


@pytest.mark.parametrize("bad", ["", "X Y", "X:Y", "X\r\nY", "-x", "ü"])
def test_names_of_headers_are_checked(bad: str):
    """Something that is no header's name is refused."""
    with pytest.raises(HeaderInjection):
        header_name(bad)


def test_people_of_domains_that_look_alike_are_different_people():
    """ß and ss, or final and other sigma, are different domains (RFC 5892, RFC 5894)."""
    assert same_address(" Bob@Straße.example ") == "bob@xn--strae-oqa.example"
    assert same_address("bob@strasse.example") == "bob@strasse.example"
    assert same_address("bob@βόλος.example") != same_address("bob@βόλοσ.example")
    assert same_address("no address") == "no address"
