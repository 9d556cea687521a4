"""The mails of a bare service: as many as ours, with the same parts, built by the email package."""

from __future__ import annotations

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

Texts = tuple[str, str, list[tuple[str, str, bytes]]]
"""What a mail is made of: text, HTML, and of each attachment its type, name and content."""


def texts_of(raw: bytes) -> Texts:
    """Return the texts and attachments of a mail of ours."""
    message = BytesParser(policy=policy.default).parsebytes(raw)
    bodies = [message.get_body((kind,)) for kind in ("plain", "html")]
    plain, html = ("" if each is None else each.get_content() for each in bodies)
    attached = [
        (part.get_content_type(), part.get_filename() or "", part.get_payload(decode=True) or b"")
        for part in message.iter_attachments()
    ]
    return plain, html, attached


def build(text: str, html: str, attached: list[tuple[str, str, bytes]]) -> bytes:
    """Return a mail of the same parts as bytes."""
    message = EmailMessage()
    message["From"], message["To"] = "referee@example.test", "alice@example.test"
    message["Subject"] = "your move"
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    for kind, name, data in attached:
        main, _, sub = kind.partition("/")
        message.add_attachment(data, maintype=main, subtype=sub, filename=name)
    return message.as_bytes(policy=policy.SMTP)
