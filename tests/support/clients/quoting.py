"""What programs put around the original: attributions, header blocks, marks, containers of HTML."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence

from support.clients.letters import Answer, escaped

Lead = Callable[[Answer], str]
"""Makes what stands above the quoted text, in lines."""

_WIDTHS = re.compile(r" style=\"[^\"]*\"")


def gmail_lead(answer: Answer) -> str:
    """Return the attribution of Gmail."""
    return answer.filled(answer.tongue.gmail)


def apple_lead(answer: Answer) -> str:
    """Return the attribution of Apple's programs."""
    return answer.filled(answer.tongue.apple)


def mozilla_lead(answer: Answer) -> str:
    """Return the attribution of Thunderbird."""
    return answer.filled(answer.tongue.thunderbird)


def fixed(template: str) -> Lead:
    """Return an attribution that is the same in every language."""
    return lambda answer: answer.filled(template)


def header_lines(
    answer: Answer, fields: str = "sender sent to subject", date: str = "", gap: str = " "
) -> list[str]:
    """Return a block of headers in the writer's language, one line each."""
    return [f"{name}{gap}{value}" for name, value in header_pairs(answer, fields, date)]


def header_pairs(answer: Answer, fields: str, date: str = "") -> list[tuple[str, str]]:
    """Return names, with their colons, and values of a block of headers."""
    tongue, original = answer.tongue, answer.original
    moment = answer.filled(date or "{EEEE, d MMMM y HH:mm}")
    sender, to = original.sender, original.to
    values = {
        "sender": f"{sender.name} <{sender.address}>",
        "sender-quoted": f'"{sender.name}" <{sender.address}>',
        "sender-name": sender.name,
        "sender-bracket": f"{sender.name} [mailto:{sender.address}]",
        "sent": moment,
        "date": moment,
        "to": f"{to.name} <{to.address}>",
        "to-address": to.address,
        "to-quoted": f'"{to.name}" <{to.address}>',
        "to-name": to.name,
        "subject": original.subject,
    }
    return [(getattr(tongue, each.partition("-")[0]) + tongue.colon, values[each])
            for each in fields.split()]  # fmt: skip


def block(
    fields: str = "sender sent to subject", *, rule: str = "", date: str = "", gap: str = " "
) -> Lead:
    """Return a header block below a rule, as text; ``rule`` may hold ``{original}``."""

    def lead(answer: Answer) -> str:
        lines = header_lines(answer, fields, date, gap)
        above = [rule.replace("{original}", answer.tongue.original)] if rule else []
        return "\n".join([*above, *lines]) + "\n"

    return lead


def marked(text: str, mark: str = "> ", *, blank: str | None = None) -> str:
    """Return a text with a mark before each line."""
    empty = mark.rstrip() if blank is None else blank
    return "\n".join(mark + line if line.strip() else empty for line in text.split("\n"))


def wrapped(text: str, columns: int) -> str:
    """Return a text with long lines broken, whatever marks they begin with."""
    return "\n".join(piece for line in text.split("\n") for piece in broken(line, columns))


def broken(line: str, columns: int) -> list[str]:
    """Return a line in pieces of at most so many columns."""
    return textwrap.wrap(
        line, columns, break_long_words=False, break_on_hyphens=False, drop_whitespace=True
    ) or [line]


def wrapped_marked(text: str, columns: int, mark: str = "> ") -> str:
    """Return a text broken into lines, then marked, as a careful program does."""
    return marked(wrapped(text, columns - len(mark)), mark)


def body_html(lines: Sequence[str], shape: str = "div") -> str:
    """Return what somebody wrote as HTML, one element for each line."""
    if shape == "br":
        return "<br>\n".join(map(escaped, lines))
    if shape == "outlook":
        return "\n".join(
            f'<p class="MsoNormal"><span lang="EN-US">{escaped(each) or "&nbsp;"}'
            "<o:p></o:p></span></p>"
            for each in [*lines, ""]
        )
    tag = "p" if shape == "p" else "div"
    return "".join(f'<{tag} dir="auto">{escaped(each) or "<br>"}</{tag}>' for each in lines)


def outlook_html(html: str) -> str:
    """Return HTML as Word writes it again: its own classes for every style."""
    plain = _WIDTHS.sub("", html).replace("<p>", '<p class="MsoNormal">')
    return plain.replace("</p>", "<o:p></o:p></p>")


def unstyled(html: str) -> str:
    """Return HTML without any style."""
    return _WIDTHS.sub("", html)


def headers_html(answer: Answer, fields: str = "sender sent to subject", date: str = "") -> str:
    """Return a block of headers as HTML, names in bold and lines broken."""
    pairs = header_pairs(answer, fields, date)
    return "<br>\n".join(f"<b>{escaped(name)}</b> {escaped(value)}" for name, value in pairs)


def lead_html(lead: str) -> str:
    """Return an attribution as HTML, its address as a link."""
    return re.sub(r"&lt;([^&;]+@[^&;]+)&gt;", r'&lt;<a href="mailto:\1">\1</a>&gt;', escaped(lead))
