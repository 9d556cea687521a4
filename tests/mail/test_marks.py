"""Frames, boxes and codes, written by us and found again in what comes back."""

from __future__ import annotations

import html
import textwrap
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.thorough import examples

from referee.mail.codes import ALPHABET, format_code, new_code, parse_code
from referee.mail.composing import Outgoing, compose
from referee.mail.incoming.letter import read_letter
from referee.mail.incoming.lines import thread_of
from referee.mail.incoming.marks import Cut, box_lines, cut
from referee.signs import frame_close, frame_open

pytestmark = pytest.mark.fast

CODE = "K7PQM2XD"
HINT = "write your orders here, one per line"
NEWS = {"en": "It is your turn, red", "de": "Du bist am Zug, grün"}


def report(language: str = "en", inside: tuple[str, ...] = ()) -> list[str]:
    """Return the lines of a mail of ours; ``inside`` is written into its box."""
    head, hint, end = box_lines("moor-7", 14, "red", CODE, language, HINT)
    return [
        frame_open("moor-7", NEWS[language]),
        "It is your turn, red. You may play for example:",
        "· place D6 D7 · place D6",
        head,
        hint,
        *inside,
        end,
        "place and other words of ours below the box",
        frame_close("moor-7"),
    ]


def parts(found: Cut) -> tuple[tuple[str, ...], list[tuple[str, str, tuple[str, ...]]]]:
    """Return the person's own lines, and each box with what was written into it."""
    return found.free, [(box.match, box.code, box.lines) for box in found.boxes]


def texts(found: Cut, where: str) -> tuple[str, ...]:
    return tuple(line.text for line in found.lines if line.where == where)


def older(lines: list[str], language: str) -> list[str]:
    """Return the lines of a mail of ours with the frames of older mails."""
    last = {"en": "end of", "de": "ende von"}[language]
    return ["--- moor-7 · referee ---", *lines[1:-1], f"--- {last} moor-7 · referee ---"]


def quoted(lines: list[str], marks: str = "> ") -> list[str]:
    return [(marks + line).rstrip() for line in lines]


def test_a_code_is_eight_letters_nobody_mistakes():
    """A code has eight characters of the alphabet and shows as two groups of four."""
    code = new_code(b"key", "moor-7", "red", "12")
    assert len(code) == 8
    assert set(code) <= set(ALPHABET)
    assert format_code(code) == f"{code[:4]}-{code[4:]}"


def test_codes_differ_by_everything_they_bind():
    """Key, match, seat and history each change the code, and no two of them run together."""
    codes = [
        new_code(key, match, seat, history)
        for key in (b"a", b"b")
        for match in ("moor-7", "moor-71")
        for seat in ("red", "1red")
        for history in ("1", "11")
    ]
    assert len(set(codes)) == len(codes)
    assert new_code(b"a", "moor-7", "red", "1") == codes[0]


@pytest.mark.parametrize(
    "text", ["K7PQ-M2XD", "k7pq-m2xd", "K7PQM2XD", " K7PQ M2XD ", "K7PQ–M2XD", "k7pq - m2xd"]
)
def test_a_code_is_read_however_it_is_written(text: str):
    """Case, dash and spaces of a code do not matter."""
    assert parse_code(text) == CODE


def test_letters_that_look_like_digits_are_read_as_such():
    """O is read as 0, I and L as 1; U is in no code."""
    assert parse_code("OoIi-LlAB") == "001111AB"
    assert parse_code("UUUU-UUUU") is None


@given(st.text(alphabet=ALPHABET, min_size=8, max_size=8))
def test_codes_survive_being_written_and_read(code: str):
    """Every code reads back from what people see."""
    assert parse_code(format_code(code)) == code


@given(st.text(max_size=20))
def test_any_text_is_a_code_or_none(text: str):
    """Whatever stands there, the answer is a canonical code or None."""
    code = parse_code(text)
    assert code is None or (len(code) == 8 and set(code) <= set(ALPHABET))


def test_no_code_is_formatted_that_is_none():
    """Formatting something else than a code is our own mistake and raises."""
    with pytest.raises(ValueError, match="no reply code"):
        format_code("short")


@pytest.mark.parametrize("language", ["en", "de"])
def test_our_own_text_says_nothing(language: str):
    """A mail of ours comes back with an empty box and no line, one with older frames too."""
    for lines in (report(language), older(report(language), language)):
        assert parts(cut("\n".join(lines))) == ((), [("moor-7", CODE, ())])


@pytest.mark.parametrize("marks", ["", "> ", ">", ">> ", "> > "])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_filled_box_counts_quoted_or_not(marks: str, language: str):
    """What stands in the box is found, whether its lines bear quote marks or not."""
    lines = report(language, ("place D6 D7", "play axe"))
    expected = (), [("moor-7", CODE, ("place D6 D7", "play axe"))]
    for each in (lines, older(lines, language)):
        assert parts(cut("\n".join(quoted(each, marks)))) == expected


@pytest.mark.parametrize("dot", ["·", "Â·", "?", "=C2=B7", "&middot;"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_event_in_the_head_of_a_box_is_read(language: str, dot: str):
    """Whatever a program makes of the dots around it, and if it wraps or shouts."""
    head, _, end = box_lines("moor-7", 14, "red", CODE, language, HINT, 1057)
    head = head.replace("·", dot)
    for each in (head, head.replace("e1057", "E1057"), head.replace(f" {dot} e", f"\n{dot} e")):
        (box,) = cut(f"{each}\nplay axe\n{end}").boxes
        assert (box.match, box.code, box.lines, box.seq) == ("moor-7", CODE, ("play axe",), 1057)


def test_lines_written_between_quoted_ones_are_free():
    """An answer between the quoted lines of our text is the person's."""
    lines = quoted(report())
    text = "\n".join([*lines[:3], "", "place D6", "", *lines[3:]])
    assert cut(text).free == ("place D6",)


@pytest.mark.parametrize("end", list("\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"))
def test_what_an_odd_line_end_parts_from_a_quoted_line_is_quoted(end: str):
    """Only a line feed ends a quotation; in one's own text every end of a line is one."""
    assert cut(f"pass\n> quoted{end}place A1{end}place A2\nplace{end}D6").free == (
        "pass",
        "place",
        "D6",
    )


def test_lines_in_our_unquoted_text_are_not_free():
    """Where nothing tells our lines from the person's, none between the frames counts."""
    lines = report()
    text = "\n".join([*lines[:2], "play axe", *lines[2:], "pass"])
    assert cut(text).free == ("pass",)


def test_lines_above_and_below_our_unquoted_text_are_not_both_played():
    """What stands below it may be an older answer if something was written above it."""
    for lines in (report(), older(report(), "en")):
        found = cut("\n".join(["place D6", *lines, "pass"]))
        assert (found.free, texts(found, "signed")) == (("place D6",), ("pass",))


def test_a_box_without_its_end_ends_with_our_text():
    """When the end was deleted, the box runs to the last line of ours and not beyond."""
    lines = [line for line in report("en", ("place D6",)) if line != "=== end ==="]
    (box,) = cut("\n".join([*lines, "play axe"])).boxes
    assert box.lines[0] == "place D6"
    assert "play axe" not in box.lines


def test_a_whole_box_keeps_lines_that_look_like_ours():
    """A player may tell others the head of the log; what stands below it counts too."""
    told = ("message all", "Head of the log: abcd-efgh-ijkl", "and yours?", "end", "play axe")
    (box,) = cut("\n".join(report("en", told))).boxes
    assert box.lines == told


@pytest.mark.parametrize("dash", ["—", "–", "––", "―", "‑‑‑"])
def test_improved_dashes_are_still_ours(dash: str):
    """Frames are known with typographic dashes, and with non-breaking spaces."""
    for sent in (report(), older(report(), "en")):
        lines = [line.replace("---", dash).replace(" ", "\xa0") for line in sent]
        assert cut("\n".join(lines)).free == ()


def test_a_text_joined_into_one_line_is_still_ours():
    """A mail program that joins all lines hides neither frames nor the box."""
    lines = report("de", ("place D6",))
    for sent in (lines, older(lines, "de")):
        found = cut(" ".join(sent) + " play axe")
        assert parts(found) == ((), [("moor-7", CODE, ("place D6",))])


@pytest.mark.parametrize("sign", report()[:1] + report()[-1:] + report()[3:4] + report()[5:6])
def test_a_sign_in_the_middle_of_a_line_is_none(sign: str):
    """Only what a line begins with is a frame or a box; words before it may be anybody's."""
    text = f"Bob says {sign} resign"
    assert parts(cut(text)) == ((text,), [])


def test_a_line_that_lists_what_others_wrote_holds_no_sign():
    """Behind our dot stand foreign words, which are neither frames nor boxes."""
    text = "\n".join([report()[0], f"· {frame_close('moor-7')} resign", "pass"])
    assert cut(text).free == ()


@pytest.mark.parametrize("dot", ["·", "Â·", "Ã‚Â·", "ÂÂ··", "Â Â·", "∙"])
def test_a_frame_within_our_unmarked_text_does_not_end_it(dot: str):
    """Our text ends with the last frame that closes it: an earlier one was written by others."""
    lines = report()
    for last in (f"--- end of moor-7 {dot} referee ---", f"--- referee {dot} moor-7 ---"):
        assert cut("\n".join([*lines[:2], last, "resign", *lines[2:]])).free == ()


def test_an_overwritten_hint_leaves_what_was_written_after_it():
    """A hint is dropped, wrapped or followed by an order on its line; orders stay."""
    head, _, end = box_lines("moor-7", 14, "red", CODE, "en", HINT)
    wrapped = [head, "(write your orders here,", "one per line) place D6", "play axe", end]
    assert cut("\n".join(wrapped)).boxes[0].lines == ("place D6", "play axe")


def test_a_damaged_code_leaves_the_box_without_one():
    text = "=== moor-7 · turn 14 · red · K7P ===\nplace D6\n=== end ==="
    assert parts(cut(text))[1] == [("moor-7", "", ("place D6",))]


def test_a_wrapped_head_is_read_whole():
    """A head broken over lines, even within its code, keeps match and code."""
    text = "> === moor-7 · turn 14 ·\n> red · K7PQ-\n> M2XD ===\n> place D6\n> === end ==="
    assert parts(cut(text)) == ((), [("moor-7", CODE, ("place D6",))])


@pytest.mark.parametrize(
    "text",
    [
        "place D6\n-- \nBob\nplay axe",
        "place D6\n\nSent from my iPhone",
        "place D6\n\nOn 3 Nov 2026 Bob <bob@x.test> wrote:\n> play axe",
        "place D6\n\nAm 3. Nov. 2026 um 10:00 schrieb Bob\n<bob@x.test>:\n> play axe",
        "place D6\n________________________________\nFrom: B\nSent: Mon\nTo: A\n\nplay axe",
        "place D6\n\n---------- Forwarded message ---------\nplay axe",
        "place D6\n\nZorka <zorka@x.test> blups:\n\nplay axe",
        "place D6\n\n2026-11-20 10:00 zorka <zorka@x.test> blups\n> play axe",
        "place D6\n\n== Blups ==\nplay axe",
        "place D6\n\nOd: B <b@x.test>\nWie: pon\nDo: A\n\nplay axe",
        "place D6\n\n差出人： B <b@x.test>\n日時： 2026年11月20日\n宛先： A\n\nplay axe",
        "place D6\n\n2026-11-20, 10:00, Zorka <zorka@x.test>\n\nplay axe",
        "place D6\n\nZorka ---20.11.2026 10:00:00---play axe\n\nplay axe",
        "place D6\n\nZorka <zorka@x.test>\n20.11.2026 10:00\n\nFol\na@x.test\n\nplay axe",
        "place D6\n\nVon meiner Uhr gesendet",
        "place D6\n\nSent with Blups for Android\nhttps://x.test/blups",
        "place D6\n\nYahoo Mail: Blups, blups",
        "place D6\n\n<https://avast.test/x>\nVirus-free.www.avast.test\n<https://avast.test/x>\n<#AB12>",
        "place D6\n    > play axe\n\t> pass",
        "place D6\n| play axe\n: pass\n&gt; pass\nBob> pass\n│ pass",
        "place D6\n\nAm 23.11.2026 um 10:04 hat Bob Folgendes geschrieben:\n\nplay axe",
        "\ufeffplace\u00a0 D6\u200b\n\n***\n> play axe",
    ],
)
def test_what_programs_add_is_not_the_persons(text: str):
    """Signatures, footers, attributions, originals and drawn rules are cut away."""
    assert cut(text).free == ("place D6",)


@pytest.mark.parametrize("line", ["e2>e4", "A1>B2, C3>D4"])
def test_an_arrow_between_two_words_is_no_quote_mark(line: str):
    """The arrow behind initials has a blank, another mark or nothing behind it."""
    assert cut(f"{line}\nAl> pass\nAl>> pass\n> Al>| pass\nAl>").free == (line,)


@pytest.mark.parametrize(
    "text", ["Shall we attack Orange together?", "Von meiner Seite aus bleibt der Westen ruhig."]
)
def test_sentences_like_a_footer_are_the_persons(text: str):
    """Orange is a seat as well, and not all that is mine was sent from it."""
    assert cut(f"message blue\n{text}").free == ("message blue", text)


UNDATED = [
    "On some day, Referee wrote:",
    "Referee wrote:",
    "Referee schrieb:",
    "Am Tag schrieb Referee:",
    "Le Referee a écrit :",
    "Referee writes:",
]


@pytest.mark.parametrize("line", UNDATED)
@pytest.mark.parametrize("marks", ["", "> "])
@pytest.mark.parametrize("gap", [(), ("",)])
def test_what_stands_above_a_quote_and_says_who_wrote_may_be_an_attribution(
    line: str, marks: str, gap: tuple[str, ...]
):
    """Without date and address it is still there, as it could be a command, but marked."""
    found = cut("\n".join(["place D6", "", line, *gap, *quoted(report(), marks), "", "pass"]))
    assert (*found.free, *texts(found, "signed")) == ("place D6", line, "pass")
    assert texts(found, "lead") == (line,)


@pytest.mark.parametrize(
    "text",
    [
        "Referee wrote:\nplace D6\n> pass",
        "Referee wrote\n> pass",
        "wrote:\n> pass",
        "Referee:\n> pass",
        "what the referee wrote of my attack is not quite clear to me:\n> pass",
    ],
)
def test_what_does_not_introduce_a_quote_is_no_attribution(text: str):
    """Something else below, no colon, one word, or prose."""
    assert texts(cut(text), "lead") == ()


def test_a_long_sentence_with_ones_own_name_and_a_colon_introduces_no_original():
    """Without date and address, an attribution has eight words at most."""
    thread = thread_of((), "Alice <alice@example.org>", "", "")
    line = "Hello everybody, this is Alice, and these are my orders for this turn:"
    assert cut(f"{line}\nplace D6", thread).free == (line, "place D6")
    assert cut("Alice wrote:\nplace D6", thread).free == ()


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("Please change my address to alice2@example.org:", "signed"),
        ("Alice <alice2@example.org> wrote:", "older"),
        ("On 23 November 2026 alice2@example.org wrote:", "older"),
    ],
)
def test_a_sentence_with_an_address_and_a_colon_may_be_the_writers(line: str, where: str):
    """What stands below it is asked about, unless brackets or a date show a program's words."""
    found = cut(f"place D6\n{line}\nset address alice2@example.org")
    assert found.free == ("place D6",)
    assert texts(found, where) == ("set address alice2@example.org",)


@pytest.mark.parametrize("sign", ["\u2705", "\u2764\ufe0f", "\u2714 \u2714", "?"])
def test_a_sign_alone_is_an_answer(sign: str):
    """A tick or a heart says something; drawn with, stars and lines say nothing."""
    assert cut(sign).free == (" ".join(sign.replace("\ufe0f", "").split()),)
    for rule in ("\u2605" * 9, "\u2702" + "-" * 20, "\u2500", "\u25cf", "\u25a0 \u25a0"):
        assert cut(rule).free == ()


LETTERS = st.characters(codec="utf-8", categories=["L", "Nd"])
WORDS = st.text(alphabet=LETTERS, min_size=3, max_size=9)
PARAGRAPHS = st.lists(WORDS, min_size=8, max_size=30).map(" ".join)
SENTENCES = st.lists(PARAGRAPHS, max_size=3).map(
    lambda paragraphs: [line for each in paragraphs for line in textwrap.wrap(each, 72)]
)
ORDERS = st.lists(st.sampled_from(["place D6 D7", "play axe", "pass", "setze D6"]), max_size=3)
LANGUAGES = st.sampled_from(["en", "de"])


def mail_of_ours(language: str, above: list[str], below: list[str], orders: list[str]) -> str:
    box = box_lines("moor-7", 14, "red", CODE, language, HINT)
    first = frame_open("moor-7", NEWS[language])
    lines = [first, *above, "· place D6 D7 · pass", *box[:2], *orders, box[2]]
    return "\n".join([*lines, *below, frame_close("moor-7")])


def as_mail(text: str, page: str | None = None) -> bytes:
    return compose(
        Outgoing(
            sender="referee@example.test",
            sender_name="Referee",
            recipient="alice@example.test",
            subject="moor-7",
            text=text,
            html=page,
            message_id="<1@example.test>",
            date=datetime(2026, 11, 23, tzinfo=UTC),
        )
    )


def page_of(text: str, tag: str) -> str:
    if tag == "pre":
        return f"<pre>{html.escape(text)}</pre>"
    lines = [html.escape(line) for line in text.split("\n")]
    if tag == "br":
        return "<div>" + "<br>\n".join(lines) + "</div>"
    return "".join(f"<{tag}>{line}</{tag}>" for line in lines)


def said(raw: bytes) -> tuple[set[str], list[tuple[str, ...]]]:
    cuts = [cut(block) for block in read_letter(raw).blocks]
    return {line for each in cuts for line in each.free}, [
        box.lines for each in cuts for box in each.boxes
    ]


@settings(max_examples=examples(60), deadline=None)
@given(LANGUAGES, SENTENCES, SENTENCES, ORDERS, st.integers(60, 76), st.sampled_from([0, 1, 2, 3]))
def test_our_text_fed_back_says_only_what_stands_in_its_box(
    language: str,
    above: list[str],
    below: list[str],
    orders: list[str],
    width: int,
    depth: int,
):
    """Quoted or not, wrapped anywhere from 60 to 76 columns, our text yields no line of its own."""
    text = mail_of_ours(language, above, below, orders)
    marked = quoted(text.split("\n"), "> " * depth)
    wrapped = [piece for line in marked for piece in textwrap.wrap(line, width) or [""]]
    for lines in (marked, wrapped):
        assert said(as_mail("\n".join(lines))) == (set(), [tuple(orders)])


@settings(max_examples=examples(40), deadline=None)
@given(
    LANGUAGES,
    SENTENCES,
    SENTENCES,
    ORDERS,
    st.sampled_from(["div", "p", "br", "pre", "li"]),
    st.booleans(),
)
def test_our_html_fed_back_says_only_what_stands_in_its_box(
    language: str,
    above: list[str],
    below: list[str],
    orders: list[str],
    tag: str,
    wrapped: bool,
):
    """In HTML, with or without a quote around it, our text yields no line of its own."""
    page = page_of(mail_of_ours(language, above, below, orders), tag)
    if wrapped:
        page = f"<blockquote type='cite'>{page}</blockquote>"
    assert said(as_mail("", page)) == (set(), [tuple(orders)])


@settings(max_examples=examples(60), deadline=None)
@given(LANGUAGES, ORDERS, st.booleans())
def test_what_a_person_writes_around_our_text_is_kept(
    language: str, orders: list[str], below: bool
):
    """Lines above or below our whole text are the person's, quoted text or not."""
    ours = mail_of_ours(language, [], [], [])
    for text in (ours, "\n".join(quoted(ours.split("\n")))):
        parts = [text, *orders] if below else [*orders, text]
        assert cut("\n".join(parts)).free == tuple(orders)


@pytest.mark.parametrize("dot", ["·", "Â·", "?", "=C2=B7", "=b7", "&middot;", "&#183;", "\\xb7"])
def test_a_frame_is_known_whatever_became_of_its_dot(dot: str) -> None:
    """A gateway that decodes nothing, or escapes, leaves a spelling of the dot there."""
    box = box_lines("moor-7", 3, "Red", CODE, "en", HINT)
    sent = [report()[0], "set name Eve", *box, frame_close("moor-7")]
    for lines in (sent, older(sent, "en")):
        found = cut("\n".join(("place D6 D7", "", *lines)).replace("·", dot))
        assert found.free == ("place D6 D7",)
        assert [(each.match, each.code) for each in found.boxes] == [("moor-7", CODE)]


@pytest.mark.parametrize(
    "line",
    [
        "- moor-7 and referee",
        "- referee",
        "-- moor-7",
        "--- moor-7 · place D6, it is my turn",
        "--- moor-7: sorry, referee --- this is my move",
        "- moor-7 · ask the referee -",
        "--- moor-7 · It is your turn",
        "It is your turn, Red · referee ---",
        "- referee, moor-7 is mine -",
        "-- referee · thanks for moor-7",
    ],
)
def test_a_sentence_with_a_dash_is_no_frame(line: str) -> None:
    """The match and the referee may be named in one breath; a frame has both its ends."""
    assert line in cut(f"{line}\nplace D6 D7").free


@pytest.mark.parametrize("mark", ["> ", ">"])
def test_an_original_may_have_both_headers_and_marks(mark: str) -> None:
    """The box is the one the person filled in, below other words too; a deeper one is not."""
    headers = [
        "----- Original Message -----",
        'From: "Referee" <referee@example.test>',
        "To: a@x.test",
        "Sent: Saturday, November 21, 2026 12:00 PM",
        "Subject: [moor-7] Moor",
    ]
    for marks, filled in ((mark, ("place D6",)), (f">{mark}", ())):
        mail = quoted(report(inside=("place D6",)), marks)
        text = "\n".join(["Hi all,", "", *headers, "", f"{mark}Hello", *mail])
        assert parts(cut(text))[1] == [("moor-7", CODE, filled)]
