"""Reports as they leave: the picture of the board, and mails without one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.club import Club, Mail, letter

from referee.render.drawings import raster
from referee.render.drawings.raster import MOST_BYTES, NotDrawn

pytestmark = pytest.mark.fast

ALICE, BOB = "alice@example.test", "bob@example.test"
SEATS = (f"red={ALICE}", f"blue={BOB}")


def first_report(club: Club, wants: str = "") -> Mail:
    """Begin a match at a desk that draws pictures, and return alice's first report."""
    club.desk = replace(club.desk, pictures=True)
    club.new_match("pebbles", *SEATS)
    club.work()
    report = club.last(ALICE, "report")
    if not wants:
        return report
    club.put(letter(ALICE, f"set format {wants}", answers=report.message["Message-ID"]))
    club.answer(report, "pass", ALICE)
    club.work()
    return club.last(ALICE, "report")


def pictures(mail: Mail) -> list[bytes]:
    """Return the pictures a mail carries."""
    parts = [each for each in mail.message.walk() if each.get_content_maintype() == "image"]
    assert all(f"cid:{each['Content-ID'].strip('<>')}" in mail.html for each in parts)
    return [each.get_payload(decode=True) for each in parts]


def test_a_report_shows_the_board_as_a_picture(club: Club) -> None:
    """It is small, says in words what it shows, and the table stands at the end."""
    report = first_report(club)
    (picture,) = pictures(report)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < MOST_BYTES
    alt = report.html.partition(' alt="')[2].partition('"')[0]
    assert "pebbles-1" in alt
    assert "table" in alt
    assert report.html.index("<img") < report.html.index("The board as a table")
    assert report.html.count('<table role="table"') == 1


def test_the_bytes_of_a_picture_follow_from_what_it_shows(club: Club) -> None:
    """Who watches the same board is sent the same picture under the same name."""
    club.desk = replace(club.desk, pictures=True)
    club.new_match("pebbles", *SEATS)
    club.work()
    sent = [club.last(each, "report") for each in (ALICE, BOB)]
    assert pictures(sent[0]) == pictures(sent[1]) != []


def test_without_a_picture_the_table_stands_in_its_place(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture that cannot be drawn keeps no mail from leaving."""

    def fail(_: str, __: int) -> bytes:
        raise NotDrawn("no library")

    monkeypatch.setattr(raster, "png", fail)
    report = first_report(club)
    assert pictures(report) == []
    assert "<img" not in report.html
    assert report.html.count('<table role="table"') == 1
    assert "The board as a table" not in report.html


def test_who_reads_text_is_sent_no_picture(club: Club) -> None:
    """The board made of characters is all there is."""
    kinds = [each.get_content_type() for each in first_report(club, wants="text").message.walk()]
    assert not [each for each in kinds if each.startswith(("image/", "multipart/related"))]
