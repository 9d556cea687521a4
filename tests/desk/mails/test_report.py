"""Reports as they leave: the picture of the board, and mails without one."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from support.club import ALICE, BOB, CAROL, SEATS, Club, Mail, letter
from support.origo_club import begin_at, round_ends

from referee.desk.plans.match import End, Resend
from referee.desk.plans.plan import apply_act
from referee.render.drawings import raster
from referee.render.drawings.raster import MOST_BYTES, NotDrawn

pytestmark = pytest.mark.fast


def first_report(club: Club, wants: str = "") -> Mail:
    """Begin a match at a desk that draws pictures, and return alice's first report."""
    club.settle(pictures=True)
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
    """It is small, says in words what it shows, keeps its distance; the table is at the end."""
    report = first_report(club)
    (picture,) = pictures(report)
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < MOST_BYTES
    alt = report.html.partition(' alt="')[2].partition('"')[0]
    assert "pebbles-1" in alt
    assert "table" in alt
    assert report.html.index("<img") < report.html.index("The board as a table")
    # What follows does not touch it, not even a button where there is no key.
    assert "margin:0 0 8px" in report.html.partition("<img")[2].partition(">")[0]
    assert report.html.count('<table role="table"') == 1


def test_the_bytes_of_a_picture_follow_from_what_it_shows(club: Club) -> None:
    """Who watches the same board is sent the same picture under the same name."""
    club.settle(pictures=True)
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


@pytest.mark.parametrize(
    ("wants", "told"),
    [
        ("spoken", ("Neutral, jarl on C12, D5, F13 and H4", "Green, jarl on D8", "H4; H7; J10.")),
        ("phone", ("Also there: D8 G1; H7 R1; J10 B1",)),
    ],
)
@pytest.mark.parametrize("watches", [False, True])
def test_who_waits_is_first_told_all_pieces(
    club: Club, wants: str, told: tuple[str, ...], *, watches: bool
) -> None:
    """Tables that would tell of the settlements are left out of that report, so the board does."""
    seats = (*zip(("red", "green", "blue"), (ALICE, BOB, "dora@example.test"), strict=True),)
    name = club.new_match("nord", *(f"{seat}={who}" for seat, who in seats)).name
    if watches:
        club.new_match("pebbles", "red=carol@example.test", f"blue={ALICE}")
    reader = "carol@example.test" if watches else BOB
    club.put(letter(reader, f"set format {wants}"))
    club.answer(club.last(reader, "answer"), "yes", reader)
    if watches:
        club.put(letter(reader, f"watch {name}"))
        club.answer(club.last(reader, "answer"), "yes", reader)
    club.work()
    (text,) = [each.text for each in club.mails(reader) if f"match {name}, turn 1." in each.text]
    words = " ".join(text.split())
    assert all(each in words for each in told), words


def test_a_telling_subject_says_whose_turn_it_is(club: Club) -> None:
    """Whatever was done before it; the last one says that the match is over."""
    dora = "dora@example.test"
    name = club.new_match("nord", f"red={ALICE}", f"green={BOB}", f"blue={dora}").name
    club.work()
    club.answer(club.last(ALICE, "report"), "place G7 G8 H8", ALICE)
    club.work()
    subject = club.last(dora, "report").message["Subject"]
    assert subject.startswith(f"[{name}] Green (bob) is to act, until ")
    apply_act(club.desk, End(name, None), "nobody plays")
    club.work()
    assert "over" in club.last(dora, "report").message["Subject"]


def test_points_gained_stand_behind_everybodys_points(club: Club) -> None:
    """Since the report before; both parts say so, and the next one no more."""
    ends = round_ends({"red": 30, "blue": 20, "black": 5}, {"black": ["row:A", "row:B"]})
    begin_at(club, ends)
    club.answer(club.last(CAROL, "report"), "pass\nstart red", CAROL)
    club.answer(club.last(CAROL), "start red", CAROL)
    club.work()
    report = club.last(ALICE, "report")
    assert re.search(r"^Red +40 \(\+10\) ", report.text, re.MULTILINE)
    assert "40 (+10)" in report.html
    club.answer(report, "pass", ALICE)
    club.work()
    assert "40 (+10)" not in club.last(ALICE, "report").text


@pytest.mark.parametrize("who", [ALICE, BOB])
def test_whose_pictures_are_blocked_reads_the_board_all_the_same(club: Club, who: str) -> None:
    """Also who waits: the same board stands as a table at the end of the HTML part."""
    club.settle(pictures=True)
    club.new_match("nord", *SEATS, f"green={CAROL}")
    club.work()
    report = club.last(who, "report")
    assert pictures(report)
    shown = report.html[report.html.index("The board as a table") :]
    assert all(f">{column}<" in shown for column in range(1, 16))
    assert "The same board stands as a table at the end of this mail." in report.html
    assert len(report.html.encode()) < 60_000


def test_every_report_tells_the_banks(club: Club) -> None:
    bank, increment = timedelta(days=5), timedelta(hours=12)
    club.new_match("pebbles", *SEATS, per_turn=None, bank=bank, increment=increment)
    club.work()
    club.later(days=2)
    report = club.last(ALICE, "report")
    assert "Time in the banks: red 5 days and 12 hours, blue 5 days." in report.text
    assert "5 days and 12 hours left" in report.flat
    club.later(days=2)
    club.answer(report, report.turn_file["legal"][0], ALICE)
    club.work()
    said = club.last(BOB, "report").flat
    assert "Time in the banks: red 3 days and 12 hours, blue 5 days and 12 hours." in said


def test_a_turn_that_others_wait_for_begins_with_the_last_deed_as_a_sentence(club: Club) -> None:
    """The game's own verb is the only one: nobody "played: placed"."""
    club.new_match("nord", f"red={ALICE}", f"green={BOB}", f"blue={CAROL}")
    club.work()
    club.answer(club.last(ALICE, "report"), "place G7", ALICE)
    club.work()
    told = club.last(CAROL, "report").told
    assert told.startswith("Red (alice) placed a worker on G7. Green (bob) is to act")


def opened(club: Club) -> Mail:
    """Let black of a match of Origo play one order of a turn; return the receipt."""
    hands = {"red": ["row:A"], "blue": ["row:B"], "black": ["people", "row:C", "ship", "col:7"]}
    begin_at(club, round_ends({"red": 5, "blue": 8, "black": 2}, hands))
    club.answer(club.last(CAROL, "report"), "expand I6 with people", CAROL)
    return club.last(CAROL, "receipt")


def test_an_open_turn_is_told_with_what_ends_it(club: Club) -> None:
    """Frame, headline and first button of a mail after an order say it; the button does it."""
    receipt = opened(club)
    assert "Carried out. Your turn is still open, Black" in receipt.text
    assert "Your turn is still open, Black; “done” ends it: until" in receipt.flat
    club.click(receipt.links["done (ends your turn)"], CAROL)
    assert "Black ended the turn." in club.last(CAROL, "receipt").text


@pytest.mark.parametrize("kind", ["report", "answer"])
def test_later_mails_of_an_open_turn_say_so_too(club: Club, kind: str) -> None:
    """The report sent once more does, and so does the answer to `show`."""
    receipt = opened(club)
    if kind == "answer":
        club.answer(receipt, "show", CAROL)
    else:
        apply_act(club.desk, Resend("origo-1", "black"), "lost")
    mail = club.last(CAROL, kind)
    assert "Your turn is still open, Black; “done” ends it" in mail.flat
    assert "done (ends your turn)" in mail.links


def test_every_mail_of_a_turn_that_has_to_be_ended_says_how(club: Club) -> None:
    """Before anything is done the box does; where a turn ends by itself nothing is said."""
    begin_at(club, round_ends({"red": 5, "blue": 8, "black": 2}, {"black": ["people"]}))
    report = club.last(CAROL, "report")
    assert "“done” ends your turn." in report.flat
    assert "It is your turn, Black: until" in report.flat
    assert "done (ends your turn)" not in report.links
    club.new_match("nord", f"red={ALICE}", f"green={BOB}")
    club.work()
    assert "ends your turn" not in club.last(ALICE, "report").text
