"""What report, receipt and invitation say."""

import re
from typing import Any

import pytest
from lxml import html
from support.moor import (
    LEGAL,
    PLACED,
    REFEREE,
    STROKE,
    TAKEN,
    Rest,
    framing,
    invitation,
    over,
    receipt,
    report,
    scene,
    table,
    wording,
)

from referee.games import registry
from referee.games.game import Card, Panel, Result, Secret, Sentence
from referee.render.answers import About, answer, answer_content
from referee.render.common import subject
from referee.render.content import Content
from referee.render.drawings.raster import DrawnPicture
from referee.render.grids import result_grid
from referee.render.invitations import invitation_content
from referee.render.layout import NO_BREAK
from referee.render.news import TurnNews
from referee.render.receipts import ReceiptLine, receipt_content
from referee.render.reports import Ending, report_content
from referee.render.words.wording import Wording
from referee.signs import frame_close, frame_of, frame_open
from referee.value import replace

pytestmark = pytest.mark.fast


def paragraphs(content: Content) -> list[str]:
    """Return the paragraphs between a mail's frames, each on one line."""
    told = [" ".join(paragraph.split()) for paragraph in content.text.split("\n\n")]
    return [paragraph for paragraph in told if frame_of(paragraph) is None]


def whole(*orders: str) -> str:
    """Return orders as a mail lists them: no program breaks a line within one."""
    return " ".join(f"· {order}".replace(" ", NO_BREAK) for order in orders)


def write_report(language: str = "en", **changes) -> Content:
    return report_content(wording(language), report(**changes), framing(language))


def write_receipt(language: str = "en", **changes) -> Content:
    return receipt_content(wording(language), receipt(**changes), framing(language))


@pytest.mark.parametrize(
    ("language", "subject", "first"),
    [
        (
            "en",
            "[moor-7] Moor with bob",
            (
                "It is your turn, red: until Sat 28 Nov, 18:00 (Europe/Berlin), "
                "2 days and 8 hours left."
            ),
        ),
        (
            "de",
            "[moor-7] Moor mit bob",
            (
                "Du bist am Zug, Rot: bis Sa., 28. November, 18:00 Uhr (Europe/Berlin), "
                "noch 2 Tage und 8 Stunden."
            ),
        ),
    ],
)
def test_a_report_begins_with_whose_turn_it_is(language: str, subject: str, first: str) -> None:
    """The most important sentence comes before all else, and the subject never changes."""
    content = write_report(language)
    assert (content.subject, paragraphs(content)[0]) == (subject, first)
    shown = " ".join(html.fromstring(content.html).find("body").text_content().split())
    shown = shown.partition(" · referee --- ")[2]
    assert shown.replace(":", "").startswith(first.replace(":", "")[:60])


def test_every_mail_to_a_seat_has_the_same_subject() -> None:
    """Mail programs thread by subject, so it never changes and holds no code."""
    words, frame = wording(), framing()
    about = About("moor-7", "red", names=report().names)
    subjects = {
        write_report().subject,
        write_report(to_act="blue").subject,
        report_content(words, over(), frame).subject,
        write_receipt().subject,
        invitation_content(words, invitation(names=report().names), frame).subject,
        answer_content(words, answer("help"), frame, about).subject,
    }
    assert subjects == {"[moor-7] Moor with bob"}


@pytest.mark.parametrize(
    ("language", "seat", "expected"),
    [
        ("en", "red", "[moor-7] Moor with a, b and 2 more"),
        ("en", None, "[moor-7] Moor: a, b and 3 more"),
        ("de", "red", "[moor-7] Moor mit a, b und 2 weiteren"),
        ("de", None, "[moor-7] Moor: a, b und 3 weitere"),
    ],
)
def test_a_subject_names_few_players(language: str, seat: str | None, expected: str) -> None:
    """The others are counted, in the case that stands there."""
    names = {"blue": "a", "green": "b", "white": "c", "black": "d", "red": "e"}
    assert subject("moor-7", seat, names, wording(language)) == expected


def test_one_picture_told_in_two_ways_is_one() -> None:
    """Two parts of a mail with one Content-ID would be a fault of the mail."""
    parts = tuple(
        ((), replace(write_report(), fields={"chart": DrawnPicture(b"png", alt)}))
        for alt in ("The board at turn 3.", "The board at turn 4.")
    )
    found = replace(write_report(), fields={}, parts=parts).pictures
    assert [picture.png for picture in found] == [b"png"]


def test_the_dashes_that_end_a_frame_stand_on_one_line() -> None:
    """A browser would break a line between them, or leave them alone on the next one."""
    html = report_content(wording(), report(), framing()).addressed(REFEREE).html
    for end in ("referee ---", "moor-7 ---"):
        assert f'<span style="white-space:nowrap">{end}</span></p>' in html


def test_frames_enclose_the_text_and_the_box_stands_within() -> None:
    """The head follows the first frame; the box keeps its lines one by one."""
    lines = write_report().text.splitlines()
    start = lines.index(framing().box[0])
    first = frame_open("moor-7", "It is your turn, red")
    assert (lines[0], lines[-1]) == (first, frame_close("moor-7"))
    assert " ".join(lines[1:5]).strip() == write_report().headline
    assert tuple(lines[start : start + 3]) == framing().box


def test_without_a_box_nothing_asks_for_an_answer() -> None:
    """Who is not to act is not told to write orders."""
    frame = replace(framing(), box=())
    text = report_content(wording(), report(to_act="blue"), frame).text
    assert "Answer this mail" not in text


def test_a_report_to_a_waiting_seat_names_who_acts() -> None:
    """Whose turn it is comes with name and deadline, and no orders are listed."""
    content = write_report(to_act="blue")
    assert paragraphs(content)[0].startswith("Blue (bob) is to act, until Sat 28 Nov, 18:00")
    assert "What you may do now" not in content.text


def test_cards_of_who_waits_are_named_alone() -> None:
    """The spaces that cards open are told whom they help: the player who is to act."""
    name = Sentence("stock", {"seat": "red", "stones": 3})
    hand = Secret("stock", (Card(name, spaces=("A1", "A2")), Card(name, count=2, spaces=())))
    view = replace(report().scene, secrets=(hand,))
    told = wording().sentence(name)
    acts, waits = (write_report(to_act=seat, scene=view) for seat in ("red", "blue"))
    assert f"{told}: A1 and A2." in " ".join(acts.text.split())
    for text in (" ".join(waits.text.split()), html.fromstring(waits.html).text_content()):
        assert "A1 and A2" not in text
        assert "no free space" not in text
    assert f"{told.rstrip('.')}, {told} (2 times)." in " ".join(waits.text.split())


def test_a_last_report_calls_no_hand_a_secret() -> None:
    """At the end everybody may know it; notes stay their writer's, and so does a hand before."""
    hand = Secret("stock", (Card(Sentence("stock", {"seat": "red", "stones": 3})),))
    view = replace(report().scene, secrets=(hand,))
    last = replace(over(), scene=view, standing=())
    for value, secret in (
        (last, False),
        (replace(last, remarks=("A fine match.",)), True),
        (report(to_act="blue", scene=view, standing=()), True),
    ):
        content = report_content(wording(), value, framing())
        assert ("Only you see this" in content.text) is secret
        assert ("Only you see this" in content.html) is secret


def test_a_turn_without_limit_names_no_deadline() -> None:
    """Without time control there is no date to read."""
    assert paragraphs(write_report(due=None))[0] == "It is your turn, red."


def test_a_reminder_says_that_it_is_one() -> None:
    """The second report of a turn is told from the first."""
    assert paragraphs(write_report(reminder=True))[0].startswith("Reminder: it is still your turn")


def test_orders_are_grouped_by_keyword_with_examples_over_all() -> None:
    text = write_report().text
    assert "30 with “set”, such as:\n" + whole("set A1 B1", "set A6 B6", "set A11 B11") in text
    assert "1 with “rest”:\n" + whole("rest") + "\n" in text


def test_buttons_below_a_keyword_are_labelled_without_it() -> None:
    """An order that is its keyword alone keeps it, and the dot."""
    content = write_report().addressed("referee@example.test")
    labels = [str(link.text_content()) for link in html.fromstring(content.html).iter("a")]
    assert {"A1 B1", "·\xa0rest", "·\xa0set\xa0…"} <= set(labels)


def test_few_orders_are_simply_listed() -> None:
    """A dozen orders need no groups."""
    text = write_report(legal=LEGAL[-3:]).text
    assert "What you may do now:\n" + whole("set A29 B29", "set A30 B30", "rest") in text


def test_a_last_report_shows_places_and_ending() -> None:
    """The end of a match comes with the reader's place, how it ended and everybody's place."""
    content = report_content(wording(), over(), framing())
    text = content.text
    assert paragraphs(content)[0] == "Over: you have lost. The moor is full."
    places = text.partition("Result:\n")[2].splitlines()[:3]
    assert [line.split() for line in places] == [
        ["Player", "Points"],
        ["1.", "Blue", "(bob)", "30"],
        ["2.", "Red", "(alice)", "12"],
    ]


@pytest.mark.parametrize(
    ("game", "own", "said"),
    [("nord", "scored", "more treasure tiles in hand decide"), ("pebbles", "full", "is shared")],
)
def test_what_broke_a_tie_is_told_of_a_games_own_end(game: str, own: str, said: str) -> None:
    """Whoever resigned is last by that and by nothing else."""
    words = Wording(registry.find_installed(game, None), "en")
    names, points, places = {"red": "a", "blue": "b"}, {"red": 3, "blue": 3}, {"red": 1, "blue": 1}
    for ending, told in ((own, True), ("resigned", False), ("declared", False)):
        grid = result_grid(Result(ending, points, places), names, {}, {}, words)
        assert (said in " ".join(grid.lines("text"))) is told


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_report_with_the_record_says_how_to_check_it(language: str) -> None:
    """By a command that names the attached file, or by the program of a single file."""
    last = replace(over(), ending=Ending(files=("moor-7.record.jsonl.gz",)))
    content = report_content(wording(language), last, framing(language))
    for text in (content.text, content.html):
        assert "referee record verify moor-7.record.jsonl.gz" in text
        assert re.search(r"(or with|oder mit) verify_record\.py", text)
    assert "verify" not in report_content(wording(language), over(), framing(language)).text


@pytest.mark.parametrize(
    ("note", "expected"),
    [("alone", "the referee's alone"), ("words", "mixed into"), ("practice", "practice match")],
)
def test_the_first_and_the_last_report_say_where_the_seed_came_from(
    note: str, expected: str
) -> None:
    """Whether chance is beyond doubt is told once, and again at the end."""
    for told in (report(chance_note=note, first=True), replace(over(), chance_note=note)):
        text = report_content(wording(), told, framing()).text
        assert expected in " ".join(text.split())
    assert expected not in write_report(chance_note=note).text


def test_a_receipt_shows_each_line_with_what_became_of_it() -> None:
    """Accepted, refused with rule and what would be legal, unread, and chatter apart."""
    text = write_receipt().text
    assert "· set A4 — accepted\n" in text
    assert "· set A1 — refused: A1 is taken. (Moor 3; see “rules”)\n" in text
    assert "  You could write: " + whole("set A2", "set A3", "rest") + "\n" in text
    assert "· set Q77 — not understood: Q77 is no space.\n" in text
    assert "Not read as orders:\n· what a game\n" in text


def test_a_receipt_says_first_what_was_done() -> None:
    """Whether orders stand is the first thing to know; whose turn it is the second."""
    refused = ReceiptLine("set A1", "refused", refusal=TAKEN)
    nothing = write_receipt(nothing_happened=True, lines=(refused,))
    partly = write_receipt()
    done = write_receipt(lines=(ReceiptLine("rest", "accepted"),))
    firsts = [paragraphs(mail)[0] for mail in (nothing, partly, done)]
    known = [
        "Not played: none of your orders was carried out, the position is",
        "Part of your mail has been carried out; the rest is explained below. Blue (bob) is to",
        "Your mail has been carried out. Blue (bob) is to act, until",
    ]
    assert [one.startswith(other) for one, other in zip(firsts, known, strict=True)] == [True] * 3


def test_where_a_yes_is_asked_nothing_offers_to_end_the_turn() -> None:
    """The orders that wait for it end the turn or not; a button would send others."""
    open_turn = replace(scene(), ends=Rest(), begun=True)
    asked, held, done = (
        write_receipt(scene=open_turn, to_act="red", held=until)
        for until in ("", "Sat 21 Nov, 15:20", None)
    )
    assert ["ends your turn" in mail.html for mail in (asked, held, done)] == [False, False, True]
    assert ["ends your turn" in mail.text for mail in (asked, held, done)] == [False, False, True]


@pytest.mark.parametrize(
    ("language", "key", "alt"),
    [
        ("en", "Gold frame: changed. ", "Changed: A1, B2, C3."),
        ("de", "Goldrahmen: verändert. ", "Geändert: A1, B2, C3."),
    ],
)
def test_beside_a_receipts_picture_no_number_is_spoken_of(
    language: str, key: str, alt: str
) -> None:
    """Its changes are those of the letter, and only rows of a report are numbered."""
    receipts = write_receipt(language, pictured=True).html
    assert key in receipts
    assert alt in receipts
    reports = write_report(language, pictured=True).html
    assert key not in reports
    assert alt not in reports


def test_orders_that_wait_are_told_from_orders_not_played() -> None:
    """After a refusal the lines behind it do not wait for anything."""
    waiting = ReceiptLine("rest", "waiting")
    alone = write_receipt(lines=(waiting,), nothing_happened=True)
    assert "· rest — waits until its moment comes" in alone.text
    assert "· rest — not played, because another line" in write_receipt().text
    assert "· set A4 — not played" in write_receipt(nothing_happened=True).text


def test_an_invitation_says_what_it_is_and_how_to_answer() -> None:
    """Who invites to what comes first, then the game; answers and time follow, chance is last."""
    found = paragraphs(invitation_content(wording(), invitation(), framing()))
    assert found[0].startswith(
        "The Heath Club invites you to a match of Moor, played by email: moor-7."
    )
    assert found[1].startswith("The heath: You set stones on the heath")
    assert any("The organiser is carol@example.test" in paragraph for paragraph in found[2:4])
    assert "· agree · decline" in found
    assert "Who plays: · Red: alice · Blue: still free" in found
    assert "Variants: · size: 4 · wild: yes · shape: round" in found
    assert any("3 days for each turn" in paragraph for paragraph in found)
    rule = found.index("· · ·")
    assert rule > found.index("Who plays: · Red: alice · Blue: still free")
    assert "secret seed" in found[rule + 1]
    assert found[rule + 1].endswith("· luck some words you think of")
    assert found[rule + 2 :] == [
        "0123456789abcdef" * 4,
        "Answer with one word: “help” brings every command, “rules” the rules.",
    ]


def test_words_for_chance_are_a_link_that_agrees_too() -> None:
    """The answer it opens holds the command behind which the words go, and the yes below it."""
    content = invitation_content(wording(), invitation(), framing()).addressed(REFEREE)
    [link] = re.findall(r'href="([^"]+)"[^>]*>Words of your own', content.html)
    assert "%0D%0Aluck%20%0D%0Aagree%0D%0A" in link
    practice = invitation_content(wording(), invitation(practice=True), framing())
    assert "Words of your own" not in practice.addressed(REFEREE).html


def test_an_invitation_to_practice_promises_no_fair_chance() -> None:
    """Words for the seed would change nothing there, so nobody is asked for any."""
    text = invitation_content(wording(), invitation(practice=True), framing()).text
    assert "practice match" in text
    assert "luck" not in text


def test_names_cannot_pose_as_lines_of_ours() -> None:
    """A name with line breaks and marks stays a short name on its line."""
    name = "x\n=== end ===\r\n--- end of moor-7 · referee ---\nset A1 B1"
    text = write_report(names={"red": name, "blue": name}, to_act="blue").text
    assert [line for line in text.splitlines() if "===" in line] == [
        framing().box[0],
        framing().box[2],
    ]
    assert text.count(frame_close("moor-7")) == 1


@pytest.mark.parametrize("write", [write_report, write_receipt])
def test_orders_in_advance_are_shown_so_that_they_cannot_play_themselves(write: Any) -> None:
    """What waits has a number, what came of others is told, and every line begins with a sign."""
    given = "3: as soon as it is your turn, " + "set A1 B1; " * 12
    content = write(standing=(given,), ended=("Skipped: set A1 A2.",))
    text = content.text.partition("What you ordered in advance:\n")[2].partition("\n\n")[0]
    assert text.startswith("· 3: as soon as it is your turn, set A1 B1;")
    assert len(text.splitlines()) > 2
    assert all(line.startswith("… ") for line in text.splitlines()[1:])
    assert "What came of your orders that waited:\n· Skipped: set A1 A2.\n" in content.text
    assert "What you ordered in advance" in content.html
    assert "“cancel” takes back all of it" in " ".join(content.text.split())


@pytest.mark.parametrize("write", [write_report, write_receipt])
def test_without_orders_in_advance_nothing_is_said_of_them(write: Any) -> None:
    text = write(standing=(), ended=()).text
    assert "in advance" not in text.replace("To order something in advance", "")
    assert "orders that waited" in write().text


def test_a_letter_for_later_is_not_told_that_nothing_was_done() -> None:
    """Lines noted for later are done, although nothing happened on the board."""
    lines = (ReceiptLine("queue rest", "noted"), ReceiptLine("cancel 7", "nothing"))
    found = paragraphs(write_receipt(lines=lines, facts=(), nothing_happened=True))
    assert found[0].startswith("Your orders in advance are as you see below")
    text = "· queue rest — noted for later · cancel 7 — there is nothing like that to take back"
    assert f"Your lines: {text}" in found


def test_a_text_board_lists_what_changed() -> None:
    """Spaces that facts speak of stand below the board, in the sequence of the board."""
    assert "\n! changed: A1, A2, B2, C3\n" in write_report().text
    assert "! changed: A1, A2, B2, C3" in write_report().html
    assert "changed" not in write_report(turns=()).text


def test_of_a_table_for_cards_nothing_is_pointed_out_and_a_bare_one_is_left_out() -> None:
    """Whatever lies there is new; before the first card there is nothing to look at."""
    laid, bare = (write_report(scene=table(*seats), pictured=True) for seats in (("blue",), ()))
    assert "The table:\n red –   blue Q♠\n" in laid.text
    assert "changed" not in laid.text
    assert "The table:" not in bare.text
    assert len(laid.pictures) == len(bare.pictures) + 1


@pytest.mark.parametrize(("told", "times"), [(True, 0), (False, 1)])
def test_points_stand_once_in_a_report(told: bool, times: int) -> None:
    """Where the game tells everybody's points beside the board the report does not repeat them."""
    value = report()
    points = {"red": 12, "blue": 1 if told else 2}
    sentences = tuple(
        Sentence("stock", {"seat": seat, "stones": 3, "points": points[seat]}) for seat in points
    )
    told_scene = replace(value.scene, panels=(Panel("stock", sentences),))
    content = report_content(wording(), replace(value, scene=told_scene), framing())
    assert content.text.count("\nPoints:\n") == times


def test_a_note_holds_no_sign_of_ours() -> None:
    """A note may have been written in its reader's name: nothing in it poses as our text."""
    note = "--- end of moor-7 · referee --- === moor-7 · turn 1 · red · K7PQ-M2XD === rest </div>"
    text = write_report(remarks=(note,)).text
    assert "· , end of moor-7 · referee - = moor-7" in text.replace("· end", "· , end")
    assert "</div>" not in text


def test_what_the_rules_forced_is_told_beside_its_order() -> None:
    """Not behind what others did, or chance, before the next turn."""
    turn = TurnNews("blue", (PLACED, STROKE), forced=(PLACED,))
    told = " ".join(write_report(turns=(turn,)).text.split())
    forced = "The referee played for blue: it was the only legal move."
    assert f"which are heath. {forced} Chance put a tower on A2." in told
