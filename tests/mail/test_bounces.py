"""Whose bounce it is, and whether it is for good."""

from __future__ import annotations

import time

import pytest
from flufl.bounce._detectors.simplematch import PATTERNS
from hypothesis import given
from hypothesis import strategies as st
from support.bounced import UNMARKED, WARNED, old_style, report

from referee.mail.addressing import valid_address
from referee.mail.codes import parse_code
from referee.mail.incoming.bounces import Bounce, bounce_address, bounced_mail, read_bounce

pytestmark = pytest.mark.fast

KEY, OTHER = b"k" * 32, b"o" * 32
REFEREE = "referee@example.test"


@given(st.integers(1, 10**12))
def test_an_envelope_sender_leads_back_to_its_mail(number: int) -> None:
    """In any case of its letters, and it is an address that can be mailed to."""
    address = bounce_address(REFEREE, KEY, number)
    assert valid_address(address) == address
    assert bounced_mail(REFEREE, KEY, address.upper()) == number


def test_nobody_else_can_make_one() -> None:
    """Another key, another number, another host or no key lead nowhere."""
    address = bounce_address(REFEREE, KEY, 12)
    key = address.partition("@")[0].rpartition("-")[2]
    assert bounced_mail(REFEREE, OTHER, address) is None
    for wrong in (
        f"referee+b-13-{key}@example.test",
        f"referee+b-12-{key}@example.org",
        f"umpire+b-12-{key}@example.test",
        f"referee+b-12-{key[:-1]}@example.test",
        "referee+b-12-@example.test",
        "referee+b-12@example.test",
        "referee+K7PQM2XD@example.test",
        REFEREE,
    ):
        assert bounced_mail(REFEREE, KEY, wrong) is None


def test_it_is_no_reply_code() -> None:
    """What stands behind the plus cannot be taken for a code of a seat."""
    detail = bounce_address(REFEREE, KEY, 12).partition("+")[2].partition("@")[0]
    assert parse_code(detail) is None


def test_an_address_without_room_stays_plain() -> None:
    """A local part has at most 64 characters."""
    long = f"{'r' * 50}@example.test"
    assert bounce_address(long, KEY, 1) == long


@pytest.mark.parametrize(
    ("raw", "bounce"),
    [
        (
            report("x@example.test"),
            Bounce(hard=True, reason="5.1.1 smtp; 550 no such user and nothing more"),
        ),
        (
            report("x@example.test", status="5.2.2", said="552 full"),
            Bounce(hard=True, reason="5.2.2 smtp; 552 full and nothing more"),
        ),
        (
            report("x@example.test", action="delayed", status="4.4.1", said="timed out"),
            Bounce(hard=False, reason="4.4.1 smtp; timed out and nothing more"),
        ),
        (
            report("x@example.test", action="failed", status="4.4.7", said="too old"),
            Bounce(hard=True, reason="4.4.7 smtp; too old and nothing more"),
        ),
        (report("x@example.test", action="delivered", status="2.1.5", said="fine"), None),
        (report("x@example.test", action="expanded", status="5.0.0", said="a list"), None),
        (
            old_style("x@example.test", "<a@b.test>: 550 No such user\nat all"),
            Bounce(hard=True, reason="<a@b.test>: 550 No such user"),
        ),
        (
            old_style("x@example.test", "after 210 tries\nRemote host said: 5.1.1 unknown"),
            Bounce(hard=True, reason="Remote host said: 5.1.1 unknown"),
        ),
        (
            old_style("x@example.test", "It is delayed: 451 4.7.1 greylisted"),
            Bounce(hard=False, reason="It is delayed: 451 4.7.1 greylisted"),
        ),
        (
            old_style("x@example.test", "Software (Exim 4.98.1) says:\n550 No such user"),
            Bounce(hard=True, reason="550 No such user"),
        ),
        (
            old_style("x@example.test", "Call tel 450 123.\nSee 4.2.1\n550 5.1.1 unknown"),
            Bounce(hard=True, reason="550 5.1.1 unknown"),
        ),
        (
            old_style("x@example.test", "Call tel 450 123.\n550 No such user"),
            Bounce(hard=True, reason="550 No such user"),
        ),
        (
            old_style("x@example.test", "550 No such user\n\nReceived: by mx\n\nv4.2.1 is out"),
            Bounce(hard=True, reason="550 No such user"),
        ),
        (old_style("x@example.test", "Something happened at 10.5.1.1"), None),
        (old_style("x@example.test", "550 no such user", "alice@example.test"), None),
    ],
)
def test_what_a_bounce_says(raw: bytes, bounce: Bounce | None) -> None:
    """Failures are for good, delays are not; only mail systems are believed without a report."""
    assert read_bounce(raw) == bounce


@pytest.mark.parametrize("system", UNMARKED)
def test_a_bounce_without_a_status_is_recognised(system: str) -> None:
    """The words of known mail systems tell a failure, and the address that failed."""
    bounce = read_bounce(UNMARKED[system].encode())
    assert bounce is not None
    assert bounce.hard
    assert bounce.reason.endswith(": alice@example.test")


def test_a_delay_without_a_status_is_not_for_good() -> None:
    """A warning in the words of a known mail system is a delay."""
    assert read_bounce(WARNED.encode()) == Bounce(hard=False, reason="delayed: alice@example.test")


def test_an_absence_is_no_bounce() -> None:
    """An automatic reply that quotes our mail and names addresses is none."""
    said = "I am away until Monday. Write to bob@example.test.\n\n> Your move, <alice@example.test>"
    assert read_bounce(old_style("x@example.test", said)) is None


@pytest.mark.parametrize(
    "filler", ["a", " ", "<", "<a", "> ", 'a;b="', "rcpt to: ", "\n", "--b\n\n", "user@"]
)
def test_the_longest_letter_is_read_fast(filler: str) -> None:
    """A letter of the largest size that opens every pattern costs less than a second."""
    starts = "\n".join(
        opening.pattern.strip("^").replace("\\s*$", "").replace("\\", "")
        for opening, *_ in PATTERNS
    )
    lines = filler * (26 * 1024 * 1024 // len(filler))
    head = "From: MAILER-DAEMON@mx.example.test\nX-Mailer: <SMTP32 v>\nSubject: failure\n\n"
    raw = f"{head}{starts}\n{lines}".encode()
    begun = time.process_time()
    read_bounce(raw)
    assert time.process_time() - begun < 1


def test_a_detector_that_fails_is_no_bounce(caplog: pytest.LogCaptureFixture) -> None:
    """Parts nested deeper than Python's stack are no bounce and leave no traceback."""
    nested = "".join(f"Content-Type: multipart/mixed; boundary={n}\n\n--{n}\n" for n in range(199))
    assert read_bounce(f"From: MAILER-DAEMON@mx.example.test\n{nested}".encode()) is None
    assert not caplog.records


def test_a_reason_is_one_short_line() -> None:
    """Whatever a foreign server says, it cannot fill the organiser's screen."""
    bounce = read_bounce(report("x@example.test", said="550 \x1b[31m" + "very " * 200))
    assert bounce is not None
    assert bounce.reason.isprintable()
    assert len(bounce.reason) <= 200


@given(st.binary(max_size=400))
def test_anything_may_come(junk: bytes) -> None:
    """No bytes whatever make reading fail."""
    read_bounce(junk)
    head = b"From: mailer-daemon@b.test\nContent-Type: message/delivery-status\n\n"
    found = read_bounce(head + junk)
    assert found is None or found.reason.isprintable()
