"""Text and HTML of every mail: equal in what they say, safe for mail programs, and harmless."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html
from support.moor import every_mail, framing, receipt, report, scene, wording
from support.thorough import examples

from referee.desk.letters.words.keywords import read_command
from referee.mail.incoming import marks
from referee.mail.incoming.html import read_page
from referee.render import content, summaries
from referee.render.answers import answer, answer_content
from referee.render.content import NO_FRAMING, Content
from referee.render.layout import WIDTH
from referee.render.receipts import ReceiptLine, receipt_content
from referee.render.reports import report_content
from referee.render.words.wording import Catalogue
from referee.resources import path
from referee.signs import frame_close, frame_open
from referee.text import width

FORBIDDEN = re.compile(
    r"<(script|svg|link|img|iframe|form|object|ul|ol|li)\b|data:|javascript:|url\(|@import"
    r"|display:\s*(grid|flex)|position:|float:| on\w+=",
    re.IGNORECASE,
)
TAGS = set(
    "html head meta title style body div span small p a b s br h1 h2 table caption tr th td".split()  # noqa: SIM905
)
LARGEST = 60_000
NEWS = "It is your turn, red"
LEGEND = {"signs", "zeichen", "player", "spieler"}


@pytest.fixture(scope="module", params=["en", "de"])
def language(request) -> str:
    """Return each language in turn."""
    return request.param


@pytest.fixture(scope="module")
def written(language: str) -> list[Content]:
    """Return a mail of every kind."""
    return every_mail(language)


@pytest.mark.parametrize(("form", "columns"), [("text", WIDTH), ("phone", 38), ("spoken", WIDTH)])
def test_no_line_is_wider_than_its_reader_wants(written, form, columns) -> None:
    """Every line of text fits, in both languages."""
    lines = [line for mail in written for line in mail.text_for(form).splitlines()]
    assert [line for line in lines if width(line) > columns] == []


def test_what_is_heard_holds_no_picture_of_characters(written) -> None:
    """No row of a board or of columns; the board is told in sentences."""
    rows = re.compile(r"\S {2,}\S")
    for mail in written:
        assert [line for line in mail.text_for("spoken").splitlines() if rows.search(line)] == []
    said = report_content(wording(), report(), framing()).text_for("spoken")
    assert said.index("Since your last mail:") < said.index("The board:") < said.index("· Changed:")


def test_all_forms_say_the_same(written) -> None:
    """Every sentence of the text stands in what is heard; a phone leaves out only help."""
    for mail in written:
        words = {word for word in mail.text.lower().split() if word.isalpha() and len(word) > 3}
        heard, read = (set(mail.text_for(form).lower().split()) for form in ("spoken", "phone"))
        assert words - heard - LEGEND == set()
        if mail.body not in {"report", "digest"}:
            assert words - read == set()


def test_the_twin_holds_every_word_of_the_text(written) -> None:
    """Whoever reads only HTML misses nothing but the drawing made of characters, and dots."""
    drawn = re.compile(r"^([A-Z]? +[\d~hRTB! ]+|[A-Z] [~hRTB! ]+)$", re.MULTILINE)
    for mail in written:
        words = drawn.sub("", mail.text).replace(":\n", "\n").split()
        shown = " ".join(html.fromstring(mail.html).itertext()).split()
        plain = {word.strip("():,") for word in shown}
        assert {word.strip("():,") for word in words} - plain <= {"·"}


def test_the_twin_uses_only_what_mail_programs_know(written) -> None:
    """Inline styles and tables, no scripts, lists or addresses of others; dark colours aside."""
    for mail in written:
        assert FORBIDDEN.search(mail.html) is None
        assert '<meta name="color-scheme" content="light dark">' in mail.html


def test_the_twin_is_one_well_formed_document(written, language) -> None:
    """A strict parser finds nothing to repair, and the language is declared."""
    parser = html.HTMLParser(recover=False)
    for mail in written:
        root = html.document_fromstring(mail.html, parser=parser)
        assert (root.get("lang"), root.findtext("head/title")) == (language, mail.subject)


def test_frame_and_box_are_lines_of_the_twin() -> None:
    """An answer written in HTML still carries the box, line by line."""
    page = html.fromstring(report_content(wording(), report(), framing()).html)
    for line_break in page.iter("br"):
        line_break.tail = "\n" + (line_break.tail or "").strip()
    lines = [line.strip() for p in page.iter("p") for line in p.text_content().split("\n")]
    start = lines.index(framing().box[0])
    assert tuple(lines[start : start + 3]) == framing().box
    # Nothing stands above the frame.
    assert (lines[0], lines[-1]) == (frame_open("moor-7", NEWS), frame_close("moor-7"))


def test_mails_that_come_back_hold_no_order(written) -> None:
    """Our own text, unquoted, is cut away whole: nothing is left to be read as an order."""
    for mail in written:
        for form in ("text", "phone", "spoken"):
            if mail.framing.match:
                cut = marks.cut(mail.text_for(form))
                assert (cut.free, [box.lines for box in cut.boxes if box.lines]) == ((), [])


def test_twins_that_come_back_hold_no_order(written) -> None:
    """The same for who answers in HTML alone."""
    for mail in written:
        if mail.framing.match:
            cut = marks.cut(read_page(mail.html, 500_000).text)
            assert (cut.free, [box.lines for box in cut.boxes if box.lines]) == ((), [])


def test_orders_written_into_the_box_are_found(language) -> None:
    """In text as in HTML the box holds what was written below its hint, and the code."""
    content = report_content(wording(language), report(), framing(language))
    hint = framing(language).box[1]
    texts = [
        *(
            content.text_for(form).replace(hint, f"{hint}\nset A1 B1")
            for form in ("text", "phone", "spoken")
        ),
        read_page(content.html.replace(hint, f"{hint}<br>set A1 B1"), 500_000).text,
    ]
    boxes = [box for text in texts for box in marks.cut(text).boxes]
    said = [(box.match, box.code, box.lines) for box in boxes]
    assert said == [("moor-7", "K7PQM2XD", ("set A1 B1",))] * 4


def test_even_without_frames_no_line_is_an_order_or_command(written) -> None:
    """If a mail program lost the frames, examples would still not stand at a line's start."""
    keywords = re.compile(r"(set|rest|stelle|raste|agree|decline|luck|einverstanden|ablehnen)\b")
    for text in [mail.text_for(form) for mail in written for form in ("text", "spoken")]:
        assert [line for line in text.splitlines() if keywords.match(line.lower())] == []
    # Narrow lines begin with any word, but go on as no command does.
    orders = re.compile(r"(set|rest|stelle|raste)\b")
    for line in (line for mail in written for line in mail.text_for("phone").splitlines()):
        assert not orders.match(line.lower())
        assert read_command(line) is None


def test_a_large_board_makes_a_small_mail() -> None:
    """A board of 26 by 22 stays well below what mail programs clip."""
    for crowded, most in ((False, LARGEST), (True, 140_000)):
        value = report(scene=scene(26, 22, crowded))
        content = report_content(wording("de"), value, framing("de"))
        assert len(content.html.encode()) < most


def test_all_templates_are_used() -> None:
    """No template lies about that no mail is made from."""
    english, empty = Catalogue("en"), dict.fromkeys(summaries.SECTIONS, ())
    stranger = summaries.stranger_answer(english, NO_FRAMING, [])
    summary = summaries.summary_content(english, empty, NO_FRAMING)
    drawn = [(mail.text, mail.html) for mail in (*every_mail(), stranger, summary)]
    assert all(text and html for text, html in drawn)
    used = {
        name
        for kind in ("text", "html")
        for _, name in content._environment(kind).cache  # type: ignore[union-attr]
    }
    assert {file.name for file in path("templates").glob("*.j2")} == used


NAMES = st.text(st.sampled_from("ab A1·-=—<&>\"'\n\r\t\x00\u202e漢😀referee"), max_size=80)


@settings(max_examples=examples(40), deadline=None)
@given(NAMES, NAMES)
def test_hostile_names_and_lines_stay_inside(name: str, line: str) -> None:
    """Whatever players write, lines fit, HTML stays whole, and what comes back is empty."""
    words, names = wording(), {"red": name, "blue": name}
    lines = (ReceiptLine(line, "refused"), ReceiptLine(line, "ignored"))
    written = [
        report_content(words, report(names=names, to_act="blue"), framing()),
        receipt_content(words, receipt(names=names, lines=lines), framing()),
        answer_content(
            words,
            answer("message", sender=name, seat="red", text=line, to_all=False),
            framing(),
        ),
    ]
    for mail in written:
        assert max(map(width, mail.text.splitlines())) <= WIDTH
        assert marks.cut(mail.text).free == ()
        assert {tag.tag for tag in html.fromstring(mail.html).iter()} <= TAGS
