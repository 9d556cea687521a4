"""A mail somebody answers, an answer to it, and the bytes that leave a program."""

from __future__ import annotations

import base64
import quopri
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from email.utils import format_datetime, parseaddr, parsedate_to_datetime
from html.parser import HTMLParser
from typing import Final

from msgspec import field
from support.clients.tongues import TONGUES, Tongue

from referee.value import Value, replace

_BODY: Final = re.compile(r"<body[^>]*>(.*?)</body>", re.DOTALL | re.IGNORECASE)


class Person(Value):
    """Somebody with a name and an address."""

    name: str
    address: str


class Original(Value):
    """A mail that is answered, as a program shows it; ``html`` is what stands in its body."""

    sender: Person
    to: Person
    moment: datetime
    subject: str
    message_id: str
    references: str
    text: str
    html: str


class Answer(Value):
    """What somebody writes to a mail, and where: above, below, or between what is quoted.

    ``between`` maps a line of the original's text to what is written below it. ``last`` are lines
    that programs or gateways add below everything, ``number`` makes the Message-ID.
    """

    original: Original
    writer: Person
    lines: tuple[str, ...]
    tongue: Tongue
    number: int = 0
    last: tuple[str, ...] = ()
    above: tuple[str, ...] = ()

    def filled(self, template: str) -> str:
        """Return a template with the original's sender and date put in."""
        sender = self.original.sender
        return self.tongue.filled(template, self.original.moment, sender.name, sender.address)


class Transport(Value):
    """How a text becomes bytes: its charset, and the encoding named and used."""

    charset: str = "utf-8"
    encoding: str = "quoted-printable"
    named: str = ""
    parameters: str = ""


class Sent(Value):
    """What a program makes of an answer: a text, an HTML part, or both."""

    text: str | None = None
    html: str | None = None
    transport: Transport = field(default=Transport())
    threads: bool = True


def original_of(raw: bytes, to: Person | None = None) -> Original:
    """Return a mail, given as bytes, as the one that is answered."""
    message = BytesParser(policy=default).parsebytes(raw)
    assert isinstance(message, EmailMessage)
    text, html = _content(message, "plain"), _content(message, "html")
    found = _BODY.search(html)
    name, address = parseaddr(str(message["From"]))
    to_name, to_address = parseaddr(str(message["To"]))
    return Original(
        Person(name or address, address),
        to or Person(to_name or to_address, to_address),
        parsedate_to_datetime(str(message["Date"])),
        str(message["Subject"]),
        str(message["Message-ID"]),
        " ".join(str(message["References"] or "").split()),
        text or bare(html),
        found[1] if found else html or simple_html(text),
    )


def _content(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""


def simple_html(text: str) -> str:
    """Return a plain text as HTML with a line break behind every line."""
    return "<br>\n".join(escaped(each) for each in text.split("\n"))


def escaped(text: str) -> str:
    """Return a text with what HTML reserves escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class _Bare(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, _: object) -> None:
        if tag in {"br", "p", "div", "tr", "h2", "table", "blockquote", "hr"}:
            self.found.append("\n")

    def handle_data(self, data: str) -> None:
        self.found.append(" ".join(data.split("\n")))


def bare(html: str) -> str:
    """Return the text of HTML, one line for each block."""
    parser = _Bare()
    parser.feed(html)
    return "\n".join(each.strip() for each in "".join(parser.found).split("\n")).strip()


def encoded(answer: Answer, sent: Sent) -> bytes:
    """Return the answer as bytes, with the headers a program gives it."""
    original = answer.original
    head = {
        "From": f"{answer.writer.name} <{answer.writer.address}>",
        "To": f"{original.sender.name} <{original.sender.address}>",
        "Subject": f"Re: {original.subject.removeprefix('Re: ')}",
        "Date": format_datetime(original.moment + timedelta(minutes=7)),
        "Message-ID": f"<{answer.number}.a7@mail.{answer.writer.address.partition('@')[2]}>",
        "MIME-Version": "1.0",
    }
    if original.sender.address == answer.writer.address:
        head["To"] = f"{original.to.name} <{original.to.address}>"
    if sent.threads:
        head["In-Reply-To"] = original.message_id
        head["References"] = f"{original.references} {original.message_id}".strip()
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    return lines.encode() + _body(sent)


def _body(sent: Sent) -> bytes:
    both = (("plain", sent.text), ("html", sent.html))
    parts = [_part(kind, each, sent.transport) for kind, each in both if each is not None]
    if len(parts) == 1:
        return parts[0]
    mark = b"--=_b7"
    inside = b"".join(mark + b"\r\n" + each + b"\r\n" for each in parts)
    return (
        b'Content-Type: multipart/alternative; boundary="=_b7"\r\n\r\n' + inside + mark + b"--\r\n"
    )


def _part(kind: str, text: str, transport: Transport) -> bytes:
    raw = text.encode(transport.charset, "replace")
    name = transport.named or transport.encoding
    more = transport.parameters if kind == "plain" else ""
    head = (
        f"Content-Type: text/{kind}; charset={transport.charset}{more}\r\n"
        f"Content-Transfer-Encoding: {name}\r\n\r\n"
    )
    if transport.encoding == "base64":
        content = base64.encodebytes(raw)
    elif transport.encoding == "quoted-printable":
        content = quopri.encodestring(raw)
    else:
        content = raw
    return head.encode() + content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def written(lines: Sequence[str], code: str, original: Original, writer: Person) -> Answer:
    """Return an answer in a language."""
    return Answer(original, writer, tuple(lines), TONGUES[code])


def later(answer: Answer, **changes: object) -> Answer:
    """Return an answer with something changed."""
    return replace(answer, **changes)  # type: ignore[arg-type]
