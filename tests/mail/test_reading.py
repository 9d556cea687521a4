"""What is read from letters, well-formed, broken and hostile."""

from __future__ import annotations

import base64
import json
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.thorough import examples

from referee.mail.incoming.letter import Letter, Limits, read_letter, senders_of
from referee.mail.incoming.marks import cut
from referee.mail.incoming.mime import read_headers

pytestmark = pytest.mark.fast


def with_headers(*lines: str, body: str = "place D6\n") -> Letter:
    return read_letter(
        ("\r\n".join(["From: Alice <alice@x.test>", *lines]) + "\r\n\r\n" + body).encode()
    )


def with_type(content_type: str, body: bytes, encoding: str = "8bit") -> Letter:
    head = f"From: a@x.test\nContent-Type: {content_type}\nContent-Transfer-Encoding: {encoding}\n"
    return read_letter(head.encode() + b"\n" + body)


@pytest.mark.parametrize("first", ["", "Received: by host.test\r\n"])
def test_a_bare_carriage_return_begins_no_header(first: str) -> None:
    """Other programs read on, so whoever hides a header there would be another sender to us."""
    head = f"{first}Subject: hi\rFrom: mallory@x.test\r\rplace E7\r\nFrom: alice@x.test\r\n"
    raw = f"{head}\r\nplace D6\rplace D7\r\n".encode()
    letter = read_letter(raw)
    assert letter.senders == senders_of(raw) == ("alice@x.test",)
    assert read_headers(raw).text("subject") == "hi From: mallory@x.test place E7"
    assert letter.text == ("place D6\nplace D7\n",)


def test_lines_that_all_end_by_a_carriage_return_are_lines() -> None:
    """As old Macintosh programs wrote them, headers too."""
    raw = b"From: alice@x.test\rSubject: hi\r\rplace D6\rplace D7\r"
    letter = read_letter(raw)
    assert (letter.sender, read_headers(raw).text("subject")) == ("alice@x.test", "hi")
    assert letter.text == ("place D6\nplace D7\n",)


def test_headers_of_use_are_read():
    """Sender, recipients, thread and subject are decoded and cleaned."""
    letter = with_headers(
        "To: Referee <Referee+K7PQM2XD@Host.test>, bob@y.test",
        "Cc: carol@z.test",
        "Delivered-To: referee+aaaa0000@host.test",
        "X-Original-To: referee@host.test",
        "Message-ID: <one@x.test>",
        "In-Reply-To: <turn@host.test> (your mail)",
        "References: <a@host.test>\r\n <turn@host.test>",
        "Subject: =?utf-8?q?Z=C3=BCge?= =?iso-8859-1?Q?_f=FCr?=\r\n =?utf-8?b?IGRpY2gbWzMxbQ==?=",
    )
    assert letter.sender == "alice@x.test"
    assert letter.recipients == (
        "referee+k7pqm2xd@host.test",
        "bob@y.test",
        "carol@z.test",
        "referee+aaaa0000@host.test",
        "referee@host.test",
    )
    assert letter.message_id == "<one@x.test>"
    assert letter.in_reply_to == "<turn@host.test>"
    assert letter.references == ("<a@host.test>", "<turn@host.test>")
    assert letter.thread.subject == "züge für dich [31m"


def test_the_last_fifty_references_are_kept():
    """Of a long thread the newest references are read."""
    ids = " ".join(f"<{number}@x.test>" for number in range(80))
    assert with_headers(f"References: {ids}").references[0] == "<30@x.test>"


def test_a_thread_is_known_by_few_addresses() -> None:
    """Each of its lines is searched for them; the sender's own is always among them."""
    many = ", ".join(f"a{number}@b.test" for number in range(300))
    letter = read_letter(f"To: {many}\nFrom: me@b.test\n\npass\n".encode())
    assert len(letter.recipients) == 100
    assert len(letter.thread.addresses) == 20
    assert "me@b.test" in letter.thread.addresses


@pytest.mark.parametrize(
    "lines", [["From: bob@y.test"], ["From: bob@y.test, carol@y.test"], ["FROM : bob@y.test"]]
)
def test_two_senders_are_no_sender(lines: list[str]):
    """A letter with more than one From address has no sender."""
    letter = with_headers(*lines)
    assert letter.sender is None
    assert letter.senders[:2] == ("alice@x.test", "bob@y.test")


def test_no_sender_is_no_sender():
    """A letter without a From header has no sender and is read all the same."""
    letter = read_letter(b"Subject: x\n\nplace D6\n")
    assert (letter.sender, letter.text) == (None, ("place D6\n",))


@pytest.mark.parametrize(
    "line",
    [
        "Auto-Submitted: auto-replied (vacation)",
        "auto-submitted: AUTO-GENERATED",
        "Precedence: bulk",
        "Precedence: Junk",
        "Precedence: list",
        "List-Id: <news.x.test>",
        "X-Loop: referee@host.test",
        "X-Referee-Loop: referee@host.test",
        "X-Autoreply: yes",
        "X-Failed-Recipients: bob@y.test",
        "Return-Path: <>",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "From: Mail Delivery <MAILER-DAEMON@x.test>",
    ],
)
def test_robots_are_known(line: str):
    """Each sign of an automatic letter is enough, and the letter says which it was."""
    letter = read_letter(f"{line}\nTo: referee@host.test\n\nplace D6\n".encode())
    assert letter.automatic
    assert letter.reason


@pytest.mark.parametrize(
    "line",
    ["Auto-Submitted: no", "Precedence: normal", "Return-Path: <alice@x.test>", "X-Autoreply: no"],
)
def test_people_are_not_taken_for_robots(line: str):
    """What only looks like a sign of a robot is none."""
    letter = with_headers(line)
    assert (letter.automatic, letter.reason) == (False, None)


@pytest.mark.parametrize(
    ("charset", "raw"),
    [
        ("utf-8", "Züge ü".encode()),
        ("iso-8859-1", "Züge ü".encode("latin-1")),
        ("windows-1252", "Züge ü".encode("cp1252")),
        ("us-ascii", "Züge ü".encode()),
        ("utf-8", "Züge ü".encode("cp1252")),
        ("x-unknown", "Züge ü".encode("cp1252")),
        ("punycode", "Züge ü".encode()),
        ("unicode_escape", "Züge ü".encode()),
        ("base64", "Züge ü".encode()),
        ('"', "Züge ü".encode()),
        ("utf-8", b"Z\0\xc3\xbcge \xc3\xbc\0"),
        ("utf-8", b"\xef\xbb\xbfZ\xc3\xbcge \xc3\xbc"),
    ],
)
def test_text_is_read_as_declared_or_as_it_seems(charset: str, raw: bytes):
    """As declared, else UTF-8, else windows-1252; NULs and byte order marks are gone."""
    assert with_type(f"text/plain; charset={charset}", raw).text == ("Züge ü",)


@pytest.mark.parametrize(
    ("charset", "codec", "text"),
    [
        ("gb2312", "gb18030", "镕 €"),
        ("x-gbk", "gb18030", "国"),
        ("shift_jis", "cp932", "①"),
        ("x-sjis", "cp932", "①"),
        ("windows-31j", "cp932", "①"),
        ("euc-kr", "cp949", "똠"),
        ("ks_c_5601-1987", "cp949", "똠"),
        ("big5", "big5hkscs", "㗎"),
        ("iso-8859-8-i", "iso8859-8", "שלום"),
        ("windows-874", "cp874", "€ไทย"),
    ],
)
def test_a_charset_is_read_by_any_of_its_labels_and_as_the_widest_of_its_kind(
    charset: str, codec: str, text: str
):
    """Programs label texts by the name of the older and smaller charset."""
    raw = text.encode(codec)
    assert with_type(f"text/plain; charset={charset}", raw).text == (text,)


@pytest.mark.parametrize("charset", ["gb2312", "shift_jis", "euc-kr", "big5", "euc-jp"])
def test_one_bad_byte_spoils_no_sign_of_two_bytes(charset: str):
    """All but what is no sign of the charset is read."""
    (text,) = with_type(f"text/plain; charset={charset}", "中".encode(charset) + b"\x81 place").text
    assert text == "中\ufffd place"


def test_one_bad_byte_does_not_spoil_the_other_lines():
    """A line that is no UTF-8 is read as windows-1252; the others stay UTF-8."""
    raw = "Züge\n".encode() + b"f\xfcr\n"
    assert with_type("text/plain; charset=utf-8", raw).text == ("Züge\nfür\n",)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_wide_charsets_are_read(encoding: str):
    """UTF-16 and UTF-32 in base64 are read, also when a byte is missing at the end."""
    raw = base64.encodebytes("place D6\n".encode(encoding)[:-1])
    (text,) = with_type(f"text/plain; charset={encoding}", raw, "base64").text
    assert text.startswith("place D6")


def test_damaged_base64_is_read_as_far_as_it_goes():
    """Missing padding and stray characters are passed over."""
    raw = base64.b64encode(b"place D6\nplay axe\n").rstrip(b"=")
    letter = with_type("text/plain", raw[:9] + b"!" + raw[9:], "base64")
    assert letter.text == ("place D6\nplay axe\n",)


@pytest.mark.parametrize(
    ("behind", "more"),
    [
        (b"\n-- \nA list and its footer\n", ""),
        (b"\nSent by the list\n", ""),
        (base64.encodebytes(b"\n-- \nA footer\n"), "\n-- \nA footer\n"),
        (b"==\n" + base64.encodebytes(b"\nplay axe"), "\nplay axe"),
    ],
)
def test_what_stands_behind_the_padding_of_base64_is_decoded_by_itself(behind: bytes, more: str):
    """Encoded words are read as well, others are dropped; neither spoils the last order."""
    letter = with_type("text/plain", base64.b64encode(b"place D6") + behind, "base64")
    assert letter.text == (f"place D6{more}",)


def test_text_declared_as_base64_is_read_as_text():
    """A body that is no base64 at all is taken as it stands."""
    body = "setze D6, spiele Axt: so; (bitte!)\n"
    letter = with_type("text/plain", body.encode(), "base64")
    assert letter.text == (body,)


def test_flowed_text_is_joined_again():
    """Soft line ends disappear, with and without DelSp; quotes and signatures stay apart."""
    flowed = "text/plain; format=flowed"
    body = b"attack C5 E8 \nvia D6\n> quoted \n> text\n From me\n-- \nBob\n"
    (text,) = with_type(flowed, body).text
    assert text == "attack C5 E8 via D6\n> quoted text\nFrom me\n-- \nBob\n"
    (text,) = with_type(flowed + "; delsp=yes", b"atta \nck C5 \n").text
    assert text == "attack C5"
    (text,) = with_type(flowed, b"attack C5 E8 \n-- \nplace D6\n").text
    assert text == "attack C5 E8 \n-- \nplace D6\n"


def test_text_stands_before_html_wherever_it_is():
    """Every text part is given, those of attached files last, and the HTML apart."""
    body = (
        b"--b\nContent-Type: text/html\n\n<p>html</p>\n"
        b"--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nfile\n"
        b"--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\ninner\n--c--\n--b--\n"
    )
    letter = with_type("multipart/mixed; boundary=b", body)
    assert letter.text == ("inner", "file")
    assert letter.html_text == ("html\n",)
    assert letter.blocks == ("inner", "file", "html\n")


@pytest.mark.parametrize("kind", ["message/rfc822", "message/partial", "message/global"])
def test_attached_messages_are_not_read(kind: str):
    """What an attached or returned message holds is nobody's order."""
    inner = b"From: bob@y.test\nContent-Type: text/plain\n\nplay gold\n"
    body = b"--b\n\nplace D6\n--b\nContent-Type: " + kind.encode() + b"\n\n" + inner + b"--b--\n"
    assert with_type("multipart/mixed; boundary=b", body).blocks == ("place D6",)


def test_a_digest_holds_messages():
    """Parts of a digest are messages unless they say otherwise, and are not read."""
    body = b"--b\n\nFrom: bob@y.test\n\nplay gold\n--b--\n"
    assert with_type("multipart/digest; boundary=b", body).blocks == ()


@pytest.mark.parametrize(
    "content_type",
    ["multipart/mixed", "multipart/mixed; boundary=", "multipart/mixed; boundary=other"],
)
def test_a_missing_boundary_is_guessed(content_type: str):
    """Without a usable boundary the first line that looks like one is taken."""
    letter = with_type(content_type, b"--=_x1\nContent-Type: text/plain\n\nplace D6\n--=_x1--\n")
    assert letter.text == ("place D6",)


def test_a_letter_that_only_says_multipart_is_read_as_text():
    letter = with_type("multipart/mixed; boundary=b", b"place D6\n")
    assert letter.text == ("place D6\n",)


def test_parts_without_an_end_are_read():
    """A letter cut off in the middle of its parts is read as far as it goes."""
    letter = with_type("multipart/mixed; boundary=b", b"--b\n\nplace D6\n--b\n\nplay a")
    assert letter.text == ("place D6", "play a")


def test_too_many_parts_are_left_out():
    """Beyond a hundred parts the rest is left out and the letter says so."""
    body = b"".join(b"--b\nContent-Type: application/x\n\n\n" for _ in range(150))
    letter = with_type("multipart/mixed; boundary=b", body + b"--b\n\nplace D6\n")
    assert letter.truncated
    assert letter.text == ()


def test_parts_nested_too_deeply_are_left_out():
    """Beyond ten levels nothing is read and the letter says so."""
    raw = b"From: a@x.test\n"
    for number in range(30):
        raw += b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (number, number)
    letter = read_letter(raw + b"\nplace D6\n")
    assert letter.truncated
    assert letter.text == ()


def test_long_texts_and_lines_are_cut():
    """Lines beyond 5,000 characters and text beyond its limit are cut, and the letter says so."""
    letter = with_type("text/plain", b"x" * 6000 + b"\n" + b"place D6\n" * 10_000)
    (text,) = letter.text
    assert letter.truncated
    assert len(text) <= Limits().text
    assert max(map(len, text.split("\n"))) == Limits().line


def test_texts_that_are_not_read_to_their_end_are_told():
    """A page beyond its bytes and texts beyond the twentieth are left out, and it is noted."""
    assert with_type("text/html", b"<!--" + b"x" * 1_000_001 + b"--><p>pass").truncated
    for count in (20, 21):
        body = b"--b\n\npass\n" * count + b"--b--\n"
        assert with_type("multipart/mixed; boundary=b", body).truncated == (count > 20)


@pytest.mark.parametrize(
    ("signs", "text"),
    [
        ('e4 <span style="font-family:Wingdings">J</span>', "e4 :)"),
        ("e2 <span style='color:red; font-family: \"Wingdings 2\",serif'>à</span> e4", "e2 → e4"),
        ("e4 <font face=Wingdings>L</font>", "e4 :("),
        ("<p style='font-family:Wingdings'>§ <b>K</b><i style='font-family:Arial'>J", ":|J"),
        ("<p style='mso-ascii-font-family:Wingdings;font-family:Arial'>JKL", "JKL"),
    ],
)
def test_letters_in_a_font_of_signs_are_those_signs(signs: str, text: str):
    """Outlook makes them of smileys and arrows while they are typed; bullets say nothing."""
    assert with_type("text/html; charset=utf-8", signs.encode()).html_text == (f"{text}\n",)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>a<p>b<br>c", "a\nb\nc"),
        ("<div>a &amp; b</div><div>&nbsp;c</div>", "a & b\n\xa0c"),
        ("a<script>evil()</script><style>x</style>b<!-- c -->", "ab"),
        ("<table><tr><td>a<td>b</tr><tr><td>c</table>", "a b\nc"),
        ("<pre>a\n  b</pre>", "a\nb"),
        ("<blockquote><pre>a&#13;b&#13;\nc</pre></blockquote>", "> a\n> b\n> c"),
        ("<div style='display: none'>a</div>b", "b"),
        ("x<blockquote>a<blockquote>b</blockquote></blockquote>c", "x\n> a\n> > b\nc"),
        ("<div class=gmail_quote>a</div>b", "> a\nb"),
        ("<div class=gmail_quote><blockquote>a</blockquote>b</div>", "> a\nb"),
        (
            "<div class=gmail_quote>a<blockquote class=gmail_quote>b</blockquote>c",
            "a\n> b\nc",
        ),
        (
            "a<div class=gmail_quote><p class=gmail_attr>b<p>c<blockquote>d</blockquote>e",
            "a\n> > b\n> c\n> > d\n> e",
        ),
        ("a<div class=x_x_gmail_quote>b</div>", "a\n> b"),
        ("a<div id=appendonsend></div><p>b</p><p>c</p>", "a\n----- original -----\nb\nc"),
        ("a<hr id=zwchr><p>b", "a\n----- original -----\nb"),
        ("a<hr><p>b", "a\n__________\nb"),
        ("a <s>b</s><del>c</del><span style='text-decoration:line-through'>d</span>", "a"),
        ("", ""),
        ("<", "<"),
        ("<?xml version='1.0' encoding='latin-1'?><p>ü</p>", "ü"),
    ],
)
def test_html_becomes_lines(page: str, text: str):
    """Blocks and breaks end lines, quotes get their mark, what is not shown is dropped."""
    (found,) = with_type("text/html; charset=utf-8", page.encode()).html_text
    assert "\n".join(line for line in found.split("\n") if line) == text


def test_json_files_are_read():
    """JSON attachments are parsed by type or by name; other files are not."""
    body = (
        b'--b\nContent-Type: application/json; name="a.json"\n\n{"a": 1}\n'
        b"--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment; "
        b'filename="b.json"\nContent-Transfer-Encoding: base64\n\n'
        + base64.b64encode(b'[1, "x"]')
        + b"\n--b\nContent-Type: application/pdf\n\n{}\n--b--\n"
    )
    letter = with_type("multipart/mixed; boundary=b", body)
    assert [(each.source, each.value) for each in letter.json] == [
        ("a.json", {"a": 1}),
        ("b.json", [1, "x"]),
    ]


def test_turn_files_that_come_back_crowd_out_no_submission():
    """A digest has one for each match, and a program sends them along."""
    message = EmailMessage()
    message.set_content("see there")
    for name in (*(f"nord-{number}.turn.json" for number in range(8)), "mine.json"):
        kind = "turn" if "turn" in name else "orders"
        content = json.dumps({"kind": kind}).encode()
        message.add_attachment(content, maintype="application", subtype="json", filename=name)
    read = read_letter(message.as_bytes()).json
    assert len(read) == 5
    assert read[0].value == {"kind": "orders"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": NaN}', "number"),
        ('{"a": 1.0}', "number"),
        ('{"a": 1e3}', "number"),
        ('{"a": }', "syntax"),
        ("", "syntax"),
        ('{"a": "\\ud800"}', "range"),
        ('{"a": "\\u0000"}', "nul"),
        ('{"a": ' + "9" * 5000 + "}", "range"),
        ("[" * 100_000, "deep"),
        ('{"a":' * 50 + "1" + "}" * 50, "deep"),
    ],
)
def test_faults_of_json_are_named(text: str, fault: str):
    """A document that cannot be used has no value but says why."""
    (document,) = with_type("application/json", text.encode()).json
    assert document.value is None
    assert document.fault is not None
    assert document.fault.code == fault


@pytest.mark.parametrize(
    "body",
    [
        'Hello\n```json\n{"orders": ["place D6"]}\n```\nBye\n',
        'Hello\n{"orders":\n  ["place D6"]\n}\nBye\n',
        '{ "orders": ["place D6"] }',
        '```\n{\n"orders": ["place D6"]\n}\n```\n\n> {"orders": ["quoted"]}\n',
    ],
)
def test_json_in_the_text_is_read(body: str):
    """An object written into the text, fenced or bare, is read; a quoted one is not."""
    letter = with_headers(body=body)
    assert [each.value for each in letter.json] == [{"orders": ["place D6"]}]


def test_orders_are_not_taken_for_json():
    """Text that is no object yields no document."""
    assert with_headers(body="place D6\n{hm}\n[1]\n").json == ()


PIECES = st.sampled_from(
    [
        b"From: a@x.test\n", b"Subject: =?utf-8?b?", b"Content-Type: multipart/mixed; boundary=b\n",
        b"Content-Type: text/html; charset=utf-7\n", b"Content-Transfer-Encoding: base64\n",
        b"Content-Type: text/plain; charset*0*=''%ff; format=flowed\n", b"\n", b"\r", b"\r\n\r\n",
        b"--b\n", b"--b--\n", b"> ", b"{", b'"', b"=", b"<div>", b"<!--", b"&#xD800;",
        b"\0", b"\xff", b"--- moor-7 \xc2\xb7 referee ---\n",
        b"=== moor-7 \xc2\xb7 turn 1 \xc2\xb7 K7PQ-M2XD ===\n",
        b"Content-Type: application/json\n", b"On 3 Nov X wrote:\n", b"-- \n", b"place D6\n",
    ]
)  # fmt: skip


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(PIECES | st.binary(max_size=40), max_size=30).map(b"".join))
def test_any_bytes_are_a_letter(raw: bytes):
    """Reading never raises, and what it gives can be stored as UTF-8 without NULs."""
    letter = read_letter(raw)
    texts = [read_headers(raw).text("subject"), *letter.blocks, *letter.senders, *letter.recipients]
    texts += [line for block in letter.blocks for line in cut(block).free]
    assert all("\0" not in text and text.encode("utf-8") is not None for text in texts)


@settings(max_examples=examples(100), deadline=None)
@given(st.binary(max_size=600))
def test_small_limits_hold_for_any_bytes(raw: bytes):
    """With small limits nothing longer than they allow comes out."""
    limits = Limits(bytes=200, parts=3, depth=1, part_bytes=50, text=30, lines=4, line=10)
    for block in read_letter(raw, limits).blocks:
        assert len(block) <= 30
        assert all(len(line) <= 10 for line in block.split("\n"))


@pytest.mark.parametrize(
    "headers",
    [
        "From: alice@example.org\nFrom: alice@example.org\n",
        "From: alice@example.org\nSubject: x\nFrom: nobody\n",
        "From: alice@example.org\nFrom:\n",
        "From: alice@example.org\nFrom : bob@example.org\n",
        "From: alice@example.org, bob@example.org\n",
        "From: alice@example.org, bob@@example..org\n",
        'From: alice@example.org, "x y"@example.test\n',
        "From: <alice@example.org> <bob@[192.0.2.1]>\n",
    ],
)
def test_several_senders_are_never_one(headers: str) -> None:
    """However they are named, and even if all but one cannot be read or both are the same."""
    raw = f"{headers}Message-ID: <1@example.org>\n\npass\n".encode()
    assert read_letter(raw).sender is None
    assert len(senders_of(raw)) != 1


@pytest.mark.parametrize(
    "value",
    [
        "Miller, Alice <alice@example.org>",
        '"alice@example.org" <alice@example.org>',
        "alice@example.org (or bob@example.org)",
        "Friends: alice@example.org;",
        "Alice at work <alice@example.org>,",
    ],
)
def test_a_name_with_odd_marks_is_one_sender(value: str) -> None:
    """Commas, addresses and comments beside the one address name nobody else."""
    assert read_letter(f"From: {value}\n\npass\n".encode()).sender == "alice@example.org"
