"""The mails a demo leaves: pages that a browser shows whole."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from referee.demo.play import MailFolder


def test_a_page_holds_its_picture(tmp_path: Path) -> None:
    """A browser finds no other part of a mail, so the picture stands in the page."""
    message = EmailMessage()
    message.set_content("text")
    message.add_alternative('<img src="cid:board@example.test">', subtype="html")
    html = message.get_body(("html",))
    assert isinstance(html, EmailMessage)
    html.add_related(b"png", "image", "png", cid="<board@example.test>")
    MailFolder(tmp_path).keep("alice@example.test", message.as_bytes(policy=SMTP))
    (page,) = tmp_path.glob("*.html")
    assert page.read_text("utf-8").strip() == '<img src="data:image/png;base64,cG5n">'
