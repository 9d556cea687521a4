"""Links of a mail: each opens an answer that does what its label says."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest
from support.club import ALICE, BOB, CAROL, Club, Mail, letter, opened
from support.origo_cases import owned, whole
from support.origo_midland import added, attacked

from referee.desk.plans.board import Fix
from referee.desk.plans.plan import apply_act
from referee.mail.incoming import marks
from referee.mail.incoming.html import read_page
from referee.render.links import MOST_LINKS

pytestmark = pytest.mark.fast


TABLE = "<caption"
"""Begins each table beside the board."""

SIGNATURES = (
    "\n\nSent from my iPhone\n",
    "\n\nVon meinem iPhone gesendet\n",
    "\n-- \nAlice\npass\n",
    "\n\n\nGet Outlook for Android<https://aka.ms/AAb9ysg>\n",
)


def begun(club: Club) -> Mail:
    """Begin a match of pebbles and return alice's first report; it is her turn."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}")
    club.work()
    club.mails(BOB)
    return club.last(ALICE, "report")


def test_a_match_begins_and_is_played_by_links_alone(club: Club) -> None:
    """Invitation, orders and a question are answered without a word typed."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    for each in (ALICE, BOB):
        club.click(club.last(each, "invitation").links["agree"], each)
    club.work()
    club.mails(BOB)
    club.click(club.last(ALICE, "report").links["pass"], ALICE)
    assert club.match("pebbles-1").to_act == "blue"
    club.click(club.last(ALICE, "receipt").links["undo"], ALICE)
    asked = next(each for each in club.mails(BOB) if "agree" in each.links)
    club.click(asked.links["agree"], BOB)
    assert club.match("pebbles-1").to_act == "red"


def test_who_answered_unclearly_says_it_by_a_click(club: Club) -> None:
    """Talk instead of a yes, and a yes among other words, bring the words to choose from."""
    club.new_match("pebbles", f"red={ALICE}", f"blue={BOB}", begins=False)
    club.answer(club.last(ALICE, "invitation"), "what is this about?", ALICE)
    assert {"agree", "decline"} <= club.last(ALICE).links.keys()
    club.answer(club.last(BOB, "invitation"), "yes, but tell me more", BOB)
    club.click(club.last(BOB).links["yes"], BOB)
    assert "You have agreed to play." in _joined(club.last(BOB))


@pytest.mark.parametrize("below", SIGNATURES)
def test_signatures_that_programs_add_do_no_harm(club: Club, below: str) -> None:
    """Phones put theirs below the box; its orders are played, and nothing else is."""
    club.click(begun(club).links["pass"], ALICE, below=below)
    text = club.last(ALICE, "receipt").text
    assert "· pass — accepted" in text
    assert "Not read as orders" not in text


def test_an_opened_answer_looks_like_one_typed_by_hand(club: Club) -> None:
    """The box stands in it whole, with its code, in lines ended as RFC 6068 wants it."""
    report = begun(club)
    to, subject, body = opened(report.links["pass"])
    assert (to, subject) == ("referee@example.test", "Re: [pebbles-1] Pebbles with bob")
    (box,) = marks.cut(body.replace("\r\n", "\n")).boxes
    code = str(report.turn_file["code"]).replace("-", "")
    seq = club.match("pebbles-1").seq
    assert (box.match, box.code, box.lines, box.seq) == ("pebbles-1", code, ("pass",), seq)
    assert body.count("\r\n") == body.count("\n") == 3


def test_a_link_clicked_twice_plays_once(club: Club) -> None:
    """The second letter brings the receipt anew."""
    link = begun(club).links["pass"]
    for told in ("carried out", "played before"):
        club.click(link, ALICE)
        assert told in club.last(ALICE, "receipt").text
    assert club.match("pebbles-1").turn == 2


def test_an_equal_order_of_one_turn_is_played_by_the_next_link(club: Club) -> None:
    """What the receipt offers anew is meant once more; each link plays but once."""
    attacked(club, ALICE, BOB)
    first = club.last(ALICE, "report").links["add people"]
    club.click(first, ALICE)
    assert added(club) == ["people"]
    second = club.last(ALICE, "receipt").links["add people"]
    club.click(first, ALICE)
    assert added(club) == ["people"]
    for link in (second, second, first):
        club.click(link, ALICE)
        assert added(club) == ["people", "people"]


def test_an_equal_order_of_one_turn_is_played_by_the_next_yes(club: Club) -> None:
    """Who wants to be asked first is asked again, and the second yes plays."""
    attacked(club, ALICE, BOB)
    report = club.last(ALICE, "report")
    club.answer(report, "set grace yes", ALICE)
    club.mails(ALICE)
    mail = report
    for played in (["people"], ["people", "people"]):
        club.click(mail.links["add people"], ALICE)
        yes = club.last(ALICE, "receipt").links["Play now"]
        club.click(yes, ALICE)
        assert added(club) == played
        mail = club.last(ALICE, "receipt")
        club.click(yes, ALICE)
        assert added(club) == played


def test_links_of_a_turn_that_goes_round_are_played_to_its_end(club: Club) -> None:
    """A round begins within a turn, and the same order is due in it again."""
    club.new_match("origo", f"red={BOB}", f"blue={CAROL}", f"black={ALICE}")
    club.work()
    shields = owned(red="A1 A2 B1", blue="D7 D8 D9", black="I5")
    path = {"red": 30, "blue": 20, "black": 5}
    ends = {"scorings_ordered": 1, "to_act": "black", "round": 3}
    before = whole(shields=shields, path=path, hands={"black": ["row:A", "row:B"]}, **ends)
    apply_act(club.desk, Fix("origo-1", before), "a test")
    club.work()
    club.click(club.last(ALICE, "report").links["pass"], ALICE)
    for order in ("start black", "pass"):
        assert club.match("origo-1").to_act == "black"
        club.click(club.last(ALICE, "receipt").links[order], ALICE)
    assert club.match("origo-1").to_act == "red"


def test_a_link_clicked_after_the_turn_says_so(club: Club) -> None:
    """Another order for a turn that is over changes nothing, and the answer says which is now."""
    report = begun(club)
    club.click(report.links["pass"], ALICE)
    club.mails(ALICE)
    order = next(each for each in report.links if each.startswith("put "))
    club.click(report.links[order], ALICE)
    assert "your mail answers turn 1, and now it is turn 2." in _joined(club.last(ALICE))


def test_the_empty_box_is_written_into(club: Club) -> None:
    """Its hint may stay; a preview plays nothing, and its own link plays what was tried."""
    report = begun(club)
    club.click(report.links["Try orders first"], ALICE, added="pass")
    preview = club.last(ALICE, "answer")
    assert club.match("pebbles-1").to_act == "red"
    club.click(preview.links["Play these orders"], ALICE)
    assert club.match("pebbles-1").to_act == "blue"


def test_the_box_nobody_wrote_into_is_answered(club: Club) -> None:
    """Who sends it as it opened is told how to write."""
    club.click(begun(club).links["Write your orders"], ALICE)
    assert "nothing in your mail looked like an order" in _joined(club.last(ALICE, "answer"))


def test_a_box_of_another_match_is_answered_with_the_names_of_both(club: Club) -> None:
    """The code says which match it is, and its holder may know."""
    report = begun(club)
    link = report.links["pass"].replace("pebbles-1", "pebbles-2")
    club.click(link, ALICE)
    answer = _joined(club.last(ALICE, "answer"))
    assert "names the match pebbles-2, but the reply code belongs to pebbles-1." in answer


def test_who_waits_orders_in_advance_by_a_link(club: Club) -> None:
    """The report of another's turn opens a queue to write into."""
    club.click(begun(club).links["pass"], ALICE)
    club.work()
    waiting = club.last(ALICE, "report")
    club.click(waiting.links["Order my next turn in advance"], ALICE, added="pass")
    receipt = club.last(ALICE, "receipt")
    assert "as soon as it is your turn, pass" in _joined(receipt)
    club.click(receipt.links["cancel"], ALICE)
    assert "You have no orders held or in advance now" in _joined(club.last(ALICE, "receipt"))


def test_german_links_speak_german(club: Club) -> None:
    """Words and orders in the answer are those of the player's language."""
    club.answer(begun(club), "set language de", ALICE)
    club.answer(club.last(ALICE), "zeige", ALICE)
    club.click(club.last(ALICE).links["Befehle erst versuchen"], ALICE, added="passe")
    preview = club.last(ALICE, "answer")
    _, _, body = opened(preview.links["Diese Befehle spielen"])
    assert body.splitlines()[1:] == ["passe", "=== ende ==="]
    club.click(preview.links["Diese Befehle spielen"], ALICE)
    assert club.match("pebbles-1").to_act == "blue"


@pytest.mark.parametrize("game", ["nord", "origo", "pebbles"])
def test_links_are_few_and_no_label_plays_itself(club: Club, game: str) -> None:
    """A mail has forty at most, and its HTML quoted back without marks orders nothing."""
    club.new_match(game, f"red={ALICE}", f"blue={BOB}")
    club.work()
    reports = club.last(ALICE, "report"), club.last(BOB, "report")
    report = max(reports, key=lambda each: len(each.links))
    hrefs = re.findall(r'<a [^>]*?href="([^"]*)"', report.html)
    assert 2 < len(hrefs) <= MOST_LINKS
    assert max(map(len, hrefs)) < 480
    cut = marks.cut(read_page(report.html, 500_000).text)
    assert (cut.free, [each.lines for each in cut.boxes if each.lines]) == ((), [])


def test_orders_and_commands_bear_the_dot_wherever_they_label(club: Club) -> None:
    """Even without frames no button begins a line as an order would."""
    report = begun(club)
    labels = re.findall(r"<a [^>]*>([^<]*)</a>", report.html)
    bare = [each for each in labels if re.match(r"(pass|put|take|agree|undo|show)\b", each)]
    assert bare == []


def _joined(mail: Mail) -> str:
    return mail.flat


@pytest.mark.parametrize("dot", ["Â·", "?", "&middot;", "=C2=B7", "•"])
def test_a_dot_that_a_program_spoils_does_no_harm(club: Club, dot: str) -> None:
    """Programs that read the link's UTF-8 as something else send a box that is still one."""
    body = opened(begun(club).links["pass"])[2].replace("·", dot)
    club.put(letter(ALICE, body))
    assert club.match("pebbles-1").to_act == "blue"


@pytest.mark.parametrize("line", ["<div>{}</div>", "{}<br>\n", "<p class=MsoNormal>{}</p>"])
def test_programs_that_write_html_send_the_box_as_well(club: Club, line: str) -> None:
    """A letter of HTML alone, with the phone's signature below, plays what the link said."""
    body = opened(begun(club).links["pass"])[2]
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = ALICE, club.desk.settings.address, "Re: x"
    message["Message-ID"] = "<html@example.test>"
    lines = [*body.splitlines(), "", "Von meinem iPhone gesendet"]
    message.set_content("".join(map(line.format, lines)), subtype="html")
    club.put(message.as_bytes())
    assert club.match("pebbles-1").to_act == "blue"


def test_what_one_most_likely_does_stands_below_the_board(club: Club) -> None:
    """Before all tables: room to write in report and receipt, the answers where one is asked."""
    attacked(club, BOB, ALICE)
    report, receipt = club.last(BOB, "report"), club.last(ALICE)
    assert receipt.html.count("Write your orders") <= 1
    for label in ("add people", "yield", "Write your orders"):
        place = report.html.index(f"{label}</a>")
        assert report.html.index(">The board<") < place < report.html.index(TABLE)
    club.answer(report, "add people", BOB)
    told = club.last(BOB, "receipt").html
    assert told.index(">The board<") < told.index("Write your orders</a>") < told.index(TABLE)
    assert told.count("Write your orders</a>") == 1
