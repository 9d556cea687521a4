"""Mails as we write them, read by the standard library and by our own reader."""

from __future__ import annotations

import email
import email.policy
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.thorough import examples

from referee.mail.addressing import HeaderInjection
from referee.mail.composing import Attachment, Outgoing, compose, text_alone
from referee.mail.incoming.letter import read_letter
from referee.mail.incoming.mime import read_headers
from referee.value import replace

pytestmark = pytest.mark.fast

MAIL = Outgoing(
    sender="referee@example.test",
    sender_name="The Referee",
    recipient="alice@example.test",
    subject="moor-7: turn 14",
    text="Hello\n",
    message_id="<abc@example.test>",
    date=datetime(2026, 11, 23, 10, 4, tzinfo=UTC),
)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]))


def parsed(mail: Outgoing) -> EmailMessage:
    message = email.message_from_bytes(compose(mail), policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def test_a_mail_says_who_it_is_from_and_what_it_answers():
    """Addresses, subject, thread, date and our own headers stand where they belong."""
    message = parsed(
        replace(
            MAIL,
            in_reply_to="<b@x>",
            references=("<a@x>", "<b@x>"),
            reply_to="referee+K7PQM2XD@example.test",
            headers={"X-Referee-Head": "abcd-efgh"},
        )
    )
    shown = {name: str(message[name]) for name in message if name != "Content-Type"}
    assert shown == {
        "From": "The Referee <referee@example.test>",
        "To": "alice@example.test",
        "Reply-To": "referee+k7pqm2xd@example.test",
        "Subject": "moor-7: turn 14",
        "Date": "Mon, 23 Nov 2026 10:04:00 +0000",
        "Message-ID": "<abc@example.test>",
        "In-Reply-To": "<b@x>",
        "References": "<a@x> <b@x>",
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply",
        "X-Referee-Loop": "referee@example.test",
        "X-Referee-Head": "abcd-efgh",
        "MIME-Version": "1.0",
        "Content-Transfer-Encoding": "7bit",
    }


def test_text_html_and_files_come_in_their_order():
    """Text stands before its HTML twin, and files after both."""
    files = (Attachment("turn.json", "application/json", b'{"a": 1}'),)
    message = parsed(replace(MAIL, html="<p>Grüße</p>", attachments=files))
    parts = [part for part in message.walk() if not part.is_multipart()]
    assert [part.get_content_type() for part in parts] == [
        "text/plain", "text/html", "application/json",
    ]  # fmt: skip
    assert message.get_content_type() == "multipart/mixed"
    assert parts[2].get_filename() == "turn.json"
    assert parts[2].get_payload(decode=True) == b'{"a": 1}'


def test_a_picture_goes_with_the_html_that_shows_it():
    """Text, HTML and its picture are alternatives; only files are attached (RFC 2387)."""
    picture = Attachment("board.png", "image/png", b"\x89PNG", "board-1@referee")
    files = (Attachment("turn.json", "application/json", b"{}"),)
    html = '<img src="cid:board-1@referee">'
    message = parsed(replace(MAIL, html=html, attachments=(picture, *files)))
    kinds = [part.get_content_type() for part in message.walk()]
    assert kinds == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "application/json",
    ]
    (shown,) = [part for part in message.walk() if part.get_content_type() == "image/png"]
    assert shown["Content-ID"] == "<board-1@referee>"
    assert shown.get_content_disposition() == "inline"
    assert shown.get_payload(decode=True) == b"\x89PNG"
    assert [part.get_filename() for part in message.iter_attachments()] == ["turn.json"]


def test_a_mail_of_text_alone_carries_no_picture():
    """What only the HTML shows goes with the HTML."""
    picture = Attachment("board.png", "image/png", b"\x89PNG", "board-1@referee")
    assert parsed(replace(MAIL, attachments=(picture,))).get_content_type() == "text/plain"


def test_a_mail_that_is_too_large_is_left_its_text():
    """Head and text stay, with a remark below the first line; a mail of text alone has no less."""
    picture = Attachment("board.png", "image/png", b"\x89PNG", "board-1@referee")
    files = (Attachment("turn.json", "application/json", b"{}"),)
    told = replace(MAIL, text="--- Grüße ---\n\nA board\n\n--- referee ---\n")
    rich = replace(told, html="<p>A board</p>", attachments=(picture, *files))
    text = "--- Grüße ---\n\nToo large, größer\n\nA board\n\n--- referee ---\n"
    assert text_alone(compose(rich), "Too large, größer") == compose(replace(MAIL, text=text))
    assert text_alone(compose(told), "Too large") is None


def test_equal_mails_are_equal_bytes():
    """The same mail written twice is the same bytes, and another Message-ID changes them."""
    mail = replace(MAIL, html="<p>x</p>")
    assert compose(mail) == compose(mail)
    assert compose(mail) != compose(replace(mail, message_id="<other@example.test>"))


def test_an_answer_says_so():
    """A mail that answers a letter is marked auto-replied; none has a Precedence."""
    message = parsed(replace(MAIL, submitted="auto-replied"))
    assert message["Auto-Submitted"] == "auto-replied"
    assert "Precedence" not in message


def test_our_own_mails_are_known_as_automatic():
    """A mail of ours that comes back is never answered."""
    assert read_letter(compose(MAIL)).automatic


@pytest.mark.parametrize("name", ['Müller, "Ä" <x>', 'Al "Bo" Smith', "a@b.test", "J. Doe", ""])
def test_names_are_kept_and_never_become_addresses(name: str):
    """Whatever the display name holds, it is shown as it is and the address stays ours."""
    (address,) = parsed(replace(MAIL, sender_name=name))["From"].addresses
    assert (address.display_name, address.addr_spec) == (name, "referee@example.test")


@settings(max_examples=examples(80), deadline=None)
@given(TEXT, TEXT, st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=3000))
def test_any_text_arrives_as_it_was_written(subject: str, name: str, text: str):
    """Subject, name and text survive, in ASCII lines that end with CRLF and fit into RFC 5322."""
    raw = compose(replace(MAIL, subject=subject, sender_name=name, text=text))
    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert max(map(len, raw.split(b"\r\n"))) <= 998
    message = email.message_from_bytes(raw, policy=email.policy.default)
    content = message.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert content.decode().replace("\r\n", "\n").removesuffix("\n") == text.removesuffix("\n")
    assert read_headers(raw).text("subject") == " ".join(subject.split())


@pytest.mark.parametrize(
    "change",
    [
        {"subject": "hi\r\nBcc: bob@example.test"},
        {"sender_name": "x\ny"},
        {"recipient": "alice@example.test\r\nBcc: bob@example.test"},
        {"message_id": "<a@x>\r\nX: y"},
        {"in_reply_to": "<a@x>\nX: y"},
        {"references": ("<a@x>\rX: y",)},
        {"headers": {"X-Referee-A": "b\nc"}},
        {"headers": {"X-Referee-A: b\nc": "d"}},
        {"attachments": (Attachment("a\nb", "text/plain", b""),)},
        {"attachments": (Attachment("a", "text/plain\r\nX: y", b""),)},
    ],
)
def test_no_value_begins_another_header(change: dict[str, object]):
    """A line break in anything that goes into a header is refused."""
    with pytest.raises(HeaderInjection):
        compose(replace(MAIL, **change))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change",
    [
        {"recipient": "alice"},
        {"sender": "referee"},
        {"headers": {"Subject": "x"}},
        {"headers": {"precedence": "bulk"}},
        {"message_id": "<ä@x>"},
        {"date": datetime(2026, 11, 23)},  # noqa: DTZ001 - on purpose
    ],
)
def test_what_no_mail_can_be_made_of_is_refused(change: dict[str, object]):
    """Addresses, dates and headers that cannot be used are our own mistake and raise."""
    with pytest.raises(ValueError, match=r"."):
        compose(replace(MAIL, **change))  # type: ignore[arg-type]


def test_a_file_name_beyond_ascii_survives():
    """A file's name with umlauts is read back as it was."""
    files = (Attachment("Grüße.txt", "text/plain", b"x"),)
    message = parsed(replace(MAIL, attachments=files))
    assert [part.get_filename() for part in message.iter_attachments()] == ["Grüße.txt"]


@pytest.mark.parametrize(
    "content",
    [
        b"<p>A line of a page, as programs and people write it.</p>\n" * 90,
        b"a \n.\nFrom \r\n\r\xff",
        bytes(range(256)) * 9,
        b"<p>A line that ends as those of Windows do, " + b"and a long one at that " * 9 + b"\r\n",
    ],
)
def test_a_file_is_encoded_as_it_is_shortest_and_arrives_to_the_byte(content: bytes) -> None:
    """A page is no third longer for it, and its line ends stay as they are."""
    mail = replace(MAIL, attachments=(Attachment("turn.html", "text/html", content),))
    assert b"\r\r" not in compose(mail)
    (part,) = parsed(mail).iter_attachments()
    assert part.get_payload(decode=True) == content
    assert len(compose(mail)) - len(compose(MAIL)) < 1.4 * len(content) + 700
    if content.startswith(b"<p>"):
        assert len(compose(mail)) - len(compose(MAIL)) < 1.25 * len(content) + 700
