"""Plus-addresses are used as configured, or else as they were seen to work."""

from __future__ import annotations

import pytest
from support.club import ALICE, REFEREE, SEATS, Club, Mail, letter

from referee.desk.mails import post
from referee.value import replace

pytestmark = pytest.mark.fast


def first_report(club: Club, *, arrives: bool | None) -> Mail:
    """Note what was seen of plus-addresses, begin a match, and return alice's first report."""
    if arrives is not None:
        with club.desk.writing() as change:
            post.note_plus(change, arrives=arrives)
    club.new_match("pebbles", *SEATS)
    club.work()
    return club.last(ALICE, "report")


@pytest.mark.parametrize("arrives", [None, False])
def test_without_having_been_seen_they_are_not_used(club: Club, arrives: bool | None) -> None:
    """As long as no letter to a plus-address arrived, answers come to the plain address."""
    assert first_report(club, arrives=arrives).message["Reply-To"] is None


def test_what_the_configuration_says_wins(club: Club) -> None:
    """Plus-addresses that were seen to work are not used if the organiser says no."""
    club.settle(plus_addressing=False)
    assert first_report(club, arrives=True).message["Reply-To"] is None


def test_what_was_seen_of_another_address_does_not_count(club: Club) -> None:
    """After the referee's address has changed nothing is known of the new one."""
    with club.desk.writing() as change:
        old = replace(club.desk, settings=replace(club.desk.settings, address="old@example.test"))
        post.note_plus(replace(change, desk=old), arrives=True)
        assert not post.uses_plus(change)


def test_an_answer_to_the_plus_address_needs_nothing_else(club: Club) -> None:
    """The code in the address binds an order that quotes nothing and leads back to no mail."""
    report = first_report(club, arrives=True)
    code = report.turn_file["code"].replace("-", "").lower()
    wanted = REFEREE.replace("@", f"+{code}@")
    assert report.message["Reply-To"] == wanted
    plain = letter(ALICE, "pass").replace(f"To: {REFEREE}".encode(), f"To: {wanted}".encode())
    club.put(plain)
    assert club.match("pebbles-1").to_act == "blue"


def test_an_address_that_would_be_too_long_is_left_out(club: Club) -> None:
    """An address has at most 64 characters before its @ (RFC 5321 section 4.5.3.1.1)."""
    club.settle(address=f"{'r' * 60}@example.test", plus_addressing=True)
    with club.desk.reading() as change:
        assert post.reply_to(change, "K7PQM2XD") is None
