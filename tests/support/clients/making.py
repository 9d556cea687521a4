"""How mail programs make a letter of an answer: as text, as HTML, marked, framed or bare."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from support.clients.letters import Answer, Sent, Transport, escaped
from support.clients.quoting import (
    Lead,
    apple_lead,
    block,
    body_html,
    gmail_lead,
    header_pairs,
    headers_html,
    lead_html,
    marked,
    mozilla_lead,
    outlook_html,
    unstyled,
    wrapped,
    wrapped_marked,
)
from support.clients.rendering import rendered

QP = Transport()
BASE64 = Transport(encoding="base64")
EIGHT = Transport(encoding="8bit")
FLOWED = Transport(encoding="8bit", parameters="; format=flowed")


def top(answer: Answer, lead: str, quote: str, *, gap: int = 1) -> str:
    """Return an answer above what is quoted."""
    body = "\n".join((*answer.above, *answer.lines))
    return _joined(body, "\n" * gap, lead, quote, *_last(answer))


def below(answer: Answer, lead: str, quote: str) -> str:
    """Return an answer below what is quoted."""
    return _joined(*answer.above, lead, quote, "", *answer.lines, *_last(answer))


def _last(answer: Answer) -> Sequence[str]:
    return ("", *answer.last) if answer.last else ()


def _joined(*pieces: str) -> str:
    return "\n".join(pieces) + "\n"


def textual(
    lead: Lead,
    quote: Callable[[str], str] = marked,
    transport: Transport = QP,
    *,
    place: Callable[[Answer, str, str], str] = top,
    threads: bool = True,
) -> Callable[[Answer], Sent]:
    """Return a program that sends plain text alone."""

    def make(answer: Answer) -> Sent:
        text = place(answer, lead(answer), quote(answer.original.text))
        return Sent(text, None, transport, threads)

    return make


Frame = Callable[[Answer, str], str]
"""Makes HTML of the attribution and the original's HTML."""


def rich(
    frame: Frame,
    text: Callable[[Answer], str] | None = None,
    *,
    shape: str = "div",
    transport: Transport = QP,
    head: str = "",
    threads: bool = True,
) -> Callable[[Answer], Sent]:
    """Return a program that sends HTML, with a text beside it if it makes one."""

    def make(answer: Answer) -> Sent:
        inner = body_html(answer.lines, shape) + "\n" + frame(answer, answer.original.html)
        warning = "<br>".join(map(escaped, answer.above))
        before = f'<div style="border:1px solid #c00">{warning}</div>'
        after = "<br>\n<p>" + "<br>\n".join(map(escaped, answer.last)) + "</p>"
        inner = (before if answer.above else "") + inner + (after if answer.last else "")
        html = f"<html><head>{head}</head><body>{inner}</body></html>"
        return Sent(text(answer) if text else None, html, transport, threads)

    return make


def text_of(lead: Lead, manner: str, columns: int | None, mark: str = "> ") -> Callable[..., str]:
    """Return how a program makes the text beside its HTML: the HTML rendered, then marked."""

    def make(answer: Answer) -> str:
        text = rendered(answer.original.html, manner)
        quote = wrapped_marked(text, columns, mark) if columns else marked(text, mark)
        first = lead(answer)
        return top(answer, wrapped(first, columns) if columns else first, quote)

    return make


def unmarked_of(lead: Lead, manner: str, columns: int | None = None) -> Callable[[Answer], str]:
    """Return how a program makes the text beside its HTML without marks."""

    def make(answer: Answer) -> str:
        text = rendered(answer.original.html, manner)
        return top(answer, lead(answer), wrapped(text, columns) if columns else text)

    return make


def div(attributes: str, lead: Lead, quote: str = "blockquote") -> Frame:
    def frame(answer: Answer, html: str) -> str:
        first = lead_html(lead(answer))
        end = quote.partition(" ")[0]
        return f"<br><div {attributes}>{first}<br><{quote}>{html}</{end}></div>"

    return frame


def gmail(answer: Answer, html: str) -> str:
    return (
        '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f'{lead_html(gmail_lead(answer))}<br></div><blockquote class="gmail_quote" '
        'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">'
        f"{html}</blockquote></div>"
    )


def outlook(answer: Answer, html: str) -> str:
    return (
        '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
        f'<p class="MsoNormal">{headers_html(answer)}<o:p></o:p></p></div></div>'
        f'<p class="MsoNormal"><o:p>&nbsp;</o:p></p>{outlook_html(html)}'
    )


def bordered(colour: str) -> Frame:
    def frame(answer: Answer, html: str) -> str:
        return (
            f'<div style="border:none;border-top:solid {colour} 1.0pt;padding:3.0pt 0 0 0">'
            f"<p>{headers_html(answer)}</p></div>{unstyled(html)}"
        )

    return frame


def owa(answer: Answer, html: str) -> str:
    return (
        '<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" '
        f'dir="ltr"><font face="Calibri" color="#000000">{headers_html(answer)}</font>'
        f'<div>&nbsp;</div></div><div class="BodyFragment">{unstyled(html)}</div>'
    )


def outlook_mobile(answer: Answer, html: str) -> str:
    return (
        '<div id="ms-outlook-mobile-signature"></div><hr style="display:inline-block;width:98%">'
        f'<div id="divRplyFwdMsg" dir="ltr">{headers_html(answer)}</div><div>{html}</div>'
    )


def apple(answer: Answer, html: str) -> str:
    return (
        f'<div><br><blockquote type="cite"><div>{lead_html(apple_lead(answer))}</div><br '
        f'class="Apple-interchange-newline"><div>{html}</div></blockquote></div>'
    )


def ios(answer: Answer, html: str) -> str:
    return (
        f'<div dir="ltr"><br><div dir="ltr">{escaped(answer.tongue.from_phone)}</div>'
        f'<div dir="ltr"><br><blockquote type="cite">{lead_html(apple_lead(answer))}<br><br>'
        f'</blockquote></div><blockquote type="cite"><div dir="ltr">{html}</div></blockquote></div>'
    )


def mozilla(answer: Answer, html: str) -> str:
    return (
        f'<div class="moz-cite-prefix">{escaped(mozilla_lead(answer))}<br></div>'
        f'<blockquote type="cite" cite="mid:x@example.test">{html}</blockquote>'
    )


def yahoo(answer: Answer, html: str) -> str:
    return (
        '<div id="yahoo_quoted_5" class="yahoo_quoted"><div style="font-size:13px">'
        f"<div>{lead_html(gmail_lead(answer))}</div><div><br></div><div>{html}</div></div></div>"
    )


def yahoo_cite(answer: Answer, html: str) -> str:
    return (
        f'<div class="ydp-quoted">{lead_html(gmail_lead(answer))}<br><blockquote '
        f'class="iosymail"><div>{html}</div></blockquote></div>'
    )


def gmx(answer: Answer, html: str) -> str:
    fields = headers_html(answer, "sent sender-quoted to-address subject")
    return (
        '<div name="quote" style="margin:10px 5px 5px 10px;padding:10px 0 10px 10px;'
        f'border-left:2px solid #C3D9E5"><div style="margin:0 0 10px 0">{fields}</div>'
        f'<div name="quoted-content">{html}</div></div>'
    )


def rule(text: str, fields: str, *, dashes: str = "") -> Frame:
    """Return headers below a drawn line, as many web mails show them, and nothing around it."""

    def frame(answer: Answer, html: str) -> str:
        line = text.replace("{original}", answer.tongue.original)
        headers = headers_html(answer, fields, dashes).replace("<b>", "").replace("</b>", "")
        return f"<div>{escaped(line)}</div>\n<div>{headers}</div><br>\n{html}"

    return frame


def boxed(text: str, fields: str) -> Frame:
    """Return headers in a grey box below a line, as QQ shows them; names not in bold."""

    def frame(answer: Answer, html: str) -> str:
        line = text.replace("{original}", answer.tongue.original)
        return (
            f'<div style="font-size:12px;padding:2px 0">{escaped(line)}</div><div style="'
            f'background:#efefef;padding:8px">{headers_html(answer, fields)}</div><div>{html}</div>'
        )

    return frame


def line_above(lead: Lead, quote: str) -> Frame:
    """Return an attribution as a paragraph of its own, and a quote of some kind."""

    def frame(answer: Answer, html: str) -> str:
        end = quote.partition(" ")[0]
        return f"<div>{lead_html(lead(answer))}</div><{quote}>{html}</{end}>"

    return frame


def notes(answer: Answer, html: str) -> str:
    rows = "".join(
        f"<tr><td>{escaped(name)}</td><td>{escaped(value)}</td></tr>"
        for name, value in header_pairs(answer, "sender-quoted to-quoted date subject")
    )
    return f"<br><table>{rows}</table><hr noshade><br>{html}"


def notes_bare(answer: Answer, html: str) -> str:
    """Return Notes' older block: values in cells, the names without any colon."""
    original = answer.original
    date = answer.filled("{dd.MM.y HH:mm}")
    to, subject = answer.tongue.to, answer.tongue.subject
    return (
        f"<br><table><tr><td>{escaped(original.sender.name)} "
        f"&lt;{original.sender.address}&gt;<br>{date}</td><td><table><tr><td>{to}</td><td>"
        f"{original.to.address}</td></tr><tr><td>{subject}</td><td>{escaped(original.subject)}"
        f"</td></tr></table></td></tr></table><br>{html}"
    )


def notes_column(answer: Answer) -> str:
    """Return the same block as text: every name and every value on a line of its own."""
    original, tongue = answer.original, answer.tongue
    date = answer.filled("{dd.MM.y HH:mm}")
    return "\n".join((
        f"{original.sender.name} <{original.sender.address}>", date, "", tongue.to,
        original.to.address, "", tongue.subject, original.subject, "",
    ))  # fmt: skip


def naked(_: Answer, html: str) -> str:
    return f"<br><br>{html}"


def headers(fields: str, rule: str = "", date: str = "", gap: str = " ") -> Lead:
    return block(fields, rule=rule, date=date, gap=gap)


def unmarked(text: str) -> str:
    return text


def loosely(columns: int, mark: str) -> Callable[[str], str]:
    """Return how a careless program quotes: marks first, then lines broken without any mark."""
    return lambda text: wrapped(marked(text, mark), columns)


def columns(width: int, mark: str = "> ") -> Callable[[str], str]:
    return lambda text: wrapped_marked(text, width, mark)


UNDERSCORES = "_" * 32
FULL = "sender sent to subject"


def orange_lead(answer: Answer) -> str:
    lines = header_pairs(answer, "sender-quoted to-quoted subject")
    head = answer.filled("Message du : {dd/MM/y HH:mm}")
    return "\n".join([head, *(f"{name.strip()} {value}" for name, value in lines), ""])


def orange_marked(answer: Answer) -> Sent:
    text = f"{orange_lead(answer)}\n{answer.original.text}"
    return Sent(top(answer, "", marked(text)))


def bracketed(answer: Answer) -> str:
    sender = answer.original.sender
    return f'>>>>> "{sender.name}" == {sender.name} <{sender.address}> writes:\n'
