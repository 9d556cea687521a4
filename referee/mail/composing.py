"""Outgoing mails written as bytes, which depend on the arguments alone.

The text comes first, its HTML twin beside it (RFC 2046 section 5.1.4) with the pictures it shows
(RFC 2387), attachments after them; every byte is ASCII and no line is longer than the 998
characters of RFC 5322.
"""

from __future__ import annotations

import base64
import hashlib
import re
from binascii import b2a_qp
from collections.abc import Iterator, Mapping
from datetime import datetime
from email import message_from_bytes, policy
from email.header import Header
from email.utils import format_datetime
from typing import Final, Literal
from urllib.parse import quote

from msgspec import field

from referee.mail.addressing import header_name, header_value, valid_address
from referee.value import Value

LOOP_HEADER: Final = "X-Referee-Loop"
"""Marks every mail of ours, so that referees never answer each other."""

SUPPRESSED: Final = "DR, RN, NRN, OOF, AutoReply"
"""Answers that Exchange keeps back: receipts and automatic replies (MS-OXCMAIL 2.2.3.2.14).

Not ``All``, which would keep back bounces too; they tell us of addresses that fail.
"""

_LONGEST_LINE: Final = 998
"""Characters of a line that may travel unencoded (RFC 5322 section 2.1.1)."""

_RESERVED: Final = frozenset({
    "auto-submitted", "bcc", "cc", "content-disposition", "content-transfer-encoding",
    "content-type", "date", "from", "in-reply-to", "message-id", "mime-version", "references",
    "reply-to", "sender", "subject", "to", LOOP_HEADER.lower(), "precedence", "return-path",
    "x-auto-response-suppress",
})  # fmt: skip

_SPECIAL: Final = re.compile(r'["(),.:;<>@\\]')
"""Signs for which a display name must be quoted (RFC 5322 section 3.2.3)."""


class Attachment(Value):
    """A file that goes with a mail.

    One with a ``content_id`` is a picture, which the HTML names as ``cid:`` and that (RFC 2392).
    """

    name: str
    content_type: str
    content: bytes
    content_id: str = ""


class Outgoing(Value):
    """All parts of one mail to one recipient.

    Pictures among the ``attachments`` go with the HTML alone. Message-IDs carry their angle
    brackets; ``date`` must know its zone. ``submitted`` says whether the mail answers one
    (``auto-replied``) or not (RFC 3834 section 5).
    """

    sender: str
    sender_name: str
    recipient: str
    subject: str
    text: str
    message_id: str
    date: datetime
    html: str | None = None
    in_reply_to: str | None = None
    references: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()
    reply_to: str | None = None
    submitted: Literal["auto-generated", "auto-replied"] = "auto-generated"


def compose(mail: Outgoing) -> bytes:
    """Return the mail as bytes with CRLF line ends, equal for equal input, ready for SMTP.

    Raises HeaderInjection when a header value holds a control character, ValueError when an address
    or the date cannot be used.
    """
    # Boundaries come from the Message-ID: a mail sent again is the same to the byte.
    seed = hashlib.sha256(mail.message_id.encode()).hexdigest()[:32]
    body = _text("plain", mail.text)
    pictures = [_file(file) for file in mail.attachments if file.content_id]
    files = [_file(file) for file in mail.attachments if not file.content_id]
    if mail.html is not None:
        # Characters beyond ASCII by their numbers: then nothing need be encoded.
        html = _text("html", mail.html.encode("ascii", "xmlcharrefreplace").decode("ascii"))
        if pictures:
            more = ' type="text/html";\r\n'
            html = _multipart("related", f"=_{seed}r", [html, *pictures], more)
        body = _multipart("alternative", f"=_{seed}a", [body, html])
    if files:
        body = _multipart("mixed", f"=_{seed}m", [body, *files])
    head = "".join(f"{name}: {value}\r\n" for name, value in _headers(mail))
    return head.encode("ascii") + body


def text_alone(raw: bytes, remark: str) -> bytes | None:
    """Return a mail of ours without pictures and attachments, a remark below its first line.

    Return None unless it has a text and something beside it.
    """
    mail = message_from_bytes(raw, policy=policy.default)
    part = mail.get_body(("plain",))
    if part is None or part is mail:
        return None
    first, _, rest = part.get_content().replace("\r\n", "\n").partition("\n\n")
    head, _, _ = raw.partition(b"Content-Type: multipart/")
    return head + _text("plain", f"{first}\n\n{remark}\n\n{rest}")


def _headers(mail: Outgoing) -> Iterator[tuple[str, str]]:
    if mail.date.tzinfo is None:
        raise ValueError("the date of a mail needs a time zone")
    sender = f"<{_address(mail.sender)}>"
    if mail.sender_name:
        name = header_value(mail.sender_name)
        if name.isascii() and _SPECIAL.search(name):
            escaped = name.replace("\\", "\\\\").replace('"', '\\"')
            sender = f'"{escaped}" {sender}'
        else:
            sender = f"{_words(name, 'From')} {sender}"
    yield "From", sender
    yield "To", f"<{_address(mail.recipient)}>"
    if mail.reply_to is not None:
        yield "Reply-To", f"<{_address(mail.reply_to)}>"
    yield "Subject", _words(mail.subject, "Subject")
    yield "Date", format_datetime(mail.date)
    yield "Message-ID", _token(mail.message_id)
    if mail.in_reply_to:
        yield "In-Reply-To", _token(mail.in_reply_to)
    if mail.references:
        yield "References", "\r\n ".join(_token(message_id) for message_id in mail.references)
    yield "Auto-Submitted", mail.submitted
    yield "X-Auto-Response-Suppress", SUPPRESSED
    yield LOOP_HEADER, _address(mail.sender)
    for name, value in mail.headers.items():
        # A game or a match may add headers, but never replace those that route and date a mail.
        if header_name(name).lower() in _RESERVED:
            raise ValueError(f"the header {name} is not free to choose")
        yield name, _words(value, name)
    yield "MIME-Version", "1.0"


def _address(text: str) -> str:
    address = valid_address(header_value(text))
    if address is None:
        raise ValueError(f"{text!r} is no address")
    return address


def _words(text: str, name: str) -> str:
    """Return header text, encoded only if it is not plain ASCII and short (RFC 2047)."""
    value = header_value(text)
    # Text that looks like an encoded word would be decoded by the reader's program.
    if value.isascii() and len(value) < 900 and "=?" not in value:
        return value
    return Header(value, "utf-8", header_name=name).encode(linesep="\r\n")


def _token(text: str) -> str:
    if not header_value(text).isascii() or len(text) > 900:
        raise ValueError(f"{text[:60]!r} is no Message-ID")
    return text


def _multipart(subtype: str, boundary: str, parts: list[bytes], more: str = "") -> bytes:
    mark = f"--{boundary}".encode()
    head = (f'Content-Type: multipart/{subtype};\r\n{more} boundary="{boundary}"\r\n\r\n').encode()
    inner = b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts)
    return head + inner + mark + b"--\r\n"


def _text(subtype: str, text: str) -> bytes:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    if not lines.endswith("\n"):
        lines += "\n"
    raw = lines.encode("utf-8", "replace")
    # 7bit where possible, because the source of a mail is then readable.
    plain = lines.isascii() and all(len(line) <= _LONGEST_LINE for line in lines.split("\n"))
    encoding = "7bit" if plain else "quoted-printable"
    content = raw if plain else b2a_qp(raw, istext=True)
    head = (
        f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}"
        "\r\n\r\n"
    )
    return head.encode() + content.replace(b"\n", b"\r\n")


def _file(file: Attachment) -> bytes:
    # Of a page base64 would make a third more; its line ends are encoded, so no byte is lost.
    encoded = {
        "base64": base64.encodebytes(file.content),
        "quoted-printable": b2a_qp(file.content, istext=False),
    }
    encoding = min(encoded, key=lambda name: len(encoded[name]))
    name = header_value(file.name)
    # RFC 2231 for the rest; older programs understand the plain form only.
    plain = name.isascii() and not set(name) & set('"\\')
    named = f'filename="{name}"' if plain else f"filename*=utf-8''{quote(name, safe='')}"
    shown = f"Content-ID: {_token(f'<{file.content_id}>')}\r\n" if file.content_id else ""
    head = (
        f"Content-Type: {header_value(file.content_type)}\r\n"
        f"{shown}Content-Disposition: {'inline' if shown else 'attachment'};\r\n {named}\r\n"
        f"Content-Transfer-Encoding: {encoding}\r\n\r\n"
    )
    # Of a file whose lines end in CRLF the soft line breaks do so already.
    content = encoded[encoding].replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return head.encode("ascii") + content
