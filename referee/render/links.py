"""Links of a mail that open its answer, finished (RFC 6068)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from referee.render.layout import DOT
from referee.render.words.wording import Catalogue
from referee.value import Value

MOST_LINKS: Final = 40
"""Links in one mail; more of them read as advertising, to people and to filters."""

MOST_LINK_ORDERS: Final = 24
"""Orders that get a link each, which leaves room for those of whole kinds, and for words."""


class Link(Value):
    """A button of the HTML part; ``main`` is the only filled one of its mail."""

    label: str
    href: str
    main: bool = False


class ReplyForm(Value):
    """An answer to a mail, complete but for its lines.

    ``address`` is ours, ``subject`` the mail's, ``box`` its empty order box: head, hint and end.
    """

    address: str
    subject: str
    box: tuple[str, ...]

    def link(self, *lines: str) -> str:
        """Return a link to the answer that says these lines."""
        body = _quoted("\r\n".join((self.box[0], *lines, self.box[-1], "")))
        subject = _quoted(f"Re: {self.subject}")
        return f"mailto:{quote(self.address, safe='@')}?subject={subject}&body={body}"

    def begin(self, *lines: str) -> str:
        """Return a link to an answer begun, with room to write."""
        return self.link(*lines, *self.box[1:-1], "")


def _quoted(text: str) -> str:
    """Return a text for a link, blanks as %20: a plus sign stands for itself there."""
    return quote(text, safe="")


def openings(form: ReplyForm, fields: Mapping[str, object], catalogue: Catalogue) -> list[Link]:
    """Return links to the answers a mail asks for; ``fields`` are those of its content.

    Its ``writer``, the seat whose message for its reader alone it is, comes before all others, and
    so does the order that ``ends`` a turn in which something was done.
    """
    say, keyword = catalogue.say, catalogue.keyword
    writer, ends = fields.get("writer"), fields.get("ends")
    message = Link(say("link.message"), form.begin(f"{keyword('message')} {keyword('all')}:"))
    match fields.get("asks"):
        case "orders":
            start = Link(say("link.orders"), form.begin(), main=True)
            tried = Link(say("link.preview"), form.begin(keyword("preview")))
            end = Link(f"{DOT}{say('link.ends', order=ends)}", form.link(str(ends)))
            return [end, start, tried] if ends and fields.get("begun") else [start, tried]
        case "queue":
            return [Link(say("link.queue"), form.begin(keyword("queue"))), message]
        case "message" if writer:
            to = form.begin(f"{keyword('message')} {str(writer).casefold()}:")
            return [Link(say("link.answer", seat=writer), to), message]
        case "message":
            return [message]
        case _:
            return []
