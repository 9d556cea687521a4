"""The mail programs: what each makes of an answer, and in which languages it is used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from support.clients.letters import Answer, Sent, Transport, encoded, escaped
from support.clients.quoting import (
    Lead,
    apple_lead,
    block,
    body_html,
    fixed,
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
from support.clients.tongues import TONGUES

EVERY = tuple(TONGUES)

QP = Transport()
BASE64 = Transport(encoding="base64")
EIGHT = Transport(encoding="8bit")
FLOWED = Transport(encoding="8bit", parameters="; format=flowed")


@dataclass(frozen=True)
class Program:
    """A mail program: its name, how it answers, and the languages it is met in."""

    name: str
    make: Callable[[Answer], Sent]
    tongues: tuple[str, ...] = EVERY

    def reply(self, answer: Answer) -> bytes:
        """Return the answer as this program sends it."""
        return encoded(answer, self.make(answer))


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


def _text_of(lead: Lead, manner: str, columns: int | None, mark: str = "> ") -> Callable[..., str]:
    """Return how a program makes the text beside its HTML: the HTML rendered, then marked."""

    def make(answer: Answer) -> str:
        text = rendered(answer.original.html, manner)
        quote = wrapped_marked(text, columns, mark) if columns else marked(text, mark)
        first = lead(answer)
        return top(answer, wrapped(first, columns) if columns else first, quote)

    return make


def _unmarked_of(lead: Lead, manner: str, columns: int | None = None) -> Callable[[Answer], str]:
    """Return how a program makes the text beside its HTML without marks."""

    def make(answer: Answer) -> str:
        text = rendered(answer.original.html, manner)
        return top(answer, lead(answer), wrapped(text, columns) if columns else text)

    return make


def _div(attributes: str, lead: Lead, quote: str = "blockquote") -> Frame:
    def frame(answer: Answer, html: str) -> str:
        first = lead_html(lead(answer))
        end = quote.partition(" ")[0]
        return f"<br><div {attributes}>{first}<br><{quote}>{html}</{end}></div>"

    return frame


def _gmail(answer: Answer, html: str) -> str:
    return (
        '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f'{lead_html(gmail_lead(answer))}<br></div><blockquote class="gmail_quote" '
        'style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">'
        f"{html}</blockquote></div>"
    )


def _outlook(answer: Answer, html: str) -> str:
    return (
        '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
        f'<p class="MsoNormal">{headers_html(answer)}<o:p></o:p></p></div></div>'
        f'<p class="MsoNormal"><o:p>&nbsp;</o:p></p>{outlook_html(html)}'
    )


def _bordered(colour: str) -> Frame:
    def frame(answer: Answer, html: str) -> str:
        return (
            f'<div style="border:none;border-top:solid {colour} 1.0pt;padding:3.0pt 0 0 0">'
            f"<p>{headers_html(answer)}</p></div>{unstyled(html)}"
        )

    return frame


def _owa(answer: Answer, html: str) -> str:
    return (
        '<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" '
        f'dir="ltr"><font face="Calibri" color="#000000">{headers_html(answer)}</font>'
        f'<div>&nbsp;</div></div><div class="BodyFragment">{unstyled(html)}</div>'
    )


def _outlook_mobile(answer: Answer, html: str) -> str:
    return (
        '<div id="ms-outlook-mobile-signature"></div><hr style="display:inline-block;width:98%">'
        f'<div id="divRplyFwdMsg" dir="ltr">{headers_html(answer)}</div><div>{html}</div>'
    )


def _apple(answer: Answer, html: str) -> str:
    return (
        f'<div><br><blockquote type="cite"><div>{lead_html(apple_lead(answer))}</div><br '
        f'class="Apple-interchange-newline"><div>{html}</div></blockquote></div>'
    )


def _ios(answer: Answer, html: str) -> str:
    return (
        f'<div dir="ltr"><br><div dir="ltr">{escaped(answer.tongue.from_phone)}</div>'
        f'<div dir="ltr"><br><blockquote type="cite">{lead_html(apple_lead(answer))}<br><br>'
        f'</blockquote></div><blockquote type="cite"><div dir="ltr">{html}</div></blockquote></div>'
    )


def _mozilla(answer: Answer, html: str) -> str:
    return (
        f'<div class="moz-cite-prefix">{escaped(mozilla_lead(answer))}<br></div>'
        f'<blockquote type="cite" cite="mid:x@example.test">{html}</blockquote>'
    )


def _yahoo(answer: Answer, html: str) -> str:
    return (
        '<div id="yahoo_quoted_5" class="yahoo_quoted"><div style="font-size:13px">'
        f"<div>{lead_html(gmail_lead(answer))}</div><div><br></div><div>{html}</div></div></div>"
    )


def _yahoo_cite(answer: Answer, html: str) -> str:
    return (
        f'<div class="ydp-quoted">{lead_html(gmail_lead(answer))}<br><blockquote '
        f'class="iosymail"><div>{html}</div></blockquote></div>'
    )


def _gmx(answer: Answer, html: str) -> str:
    fields = headers_html(answer, "sent sender-quoted to-address subject")
    return (
        '<div name="quote" style="margin:10px 5px 5px 10px;padding:10px 0 10px 10px;'
        f'border-left:2px solid #C3D9E5"><div style="margin:0 0 10px 0">{fields}</div>'
        f'<div name="quoted-content">{html}</div></div>'
    )


def _rule(text: str, fields: str, *, dashes: str = "") -> Frame:
    """Return headers below a drawn line, as many web mails show them, and nothing around it."""

    def frame(answer: Answer, html: str) -> str:
        line = text.replace("{original}", answer.tongue.original)
        headers = headers_html(answer, fields, dashes).replace("<b>", "").replace("</b>", "")
        return f"<div>{escaped(line)}</div>\n<div>{headers}</div><br>\n{html}"

    return frame


def _boxed(text: str, fields: str) -> Frame:
    """Return headers in a grey box below a line, as QQ shows them; names not in bold."""

    def frame(answer: Answer, html: str) -> str:
        line = text.replace("{original}", answer.tongue.original)
        return (
            f'<div style="font-size:12px;padding:2px 0">{escaped(line)}</div><div style="'
            f'background:#efefef;padding:8px">{headers_html(answer, fields)}</div><div>{html}</div>'
        )

    return frame


def _line_above(lead: Lead, quote: str) -> Frame:
    """Return an attribution as a paragraph of its own, and a quote of some kind."""

    def frame(answer: Answer, html: str) -> str:
        end = quote.partition(" ")[0]
        return f"<div>{lead_html(lead(answer))}</div><{quote}>{html}</{end}>"

    return frame


def _notes(answer: Answer, html: str) -> str:
    rows = "".join(
        f"<tr><td>{escaped(name)}</td><td>{escaped(value)}</td></tr>"
        for name, value in header_pairs(answer, "sender-quoted to-quoted date subject")
    )
    return f"<br><table>{rows}</table><hr noshade><br>{html}"


def _notes_bare(answer: Answer, html: str) -> str:
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


def _bare(_: Answer, html: str) -> str:
    return f"<br><br>{html}"


def _headers(fields: str, rule: str = "", date: str = "", gap: str = " ") -> Lead:
    return block(fields, rule=rule, date=date, gap=gap)


def _same(text: str) -> str:
    return text


def _loosely(columns: int, mark: str) -> Callable[[str], str]:
    """Return how a careless program quotes: marks first, then lines broken without any mark."""
    return lambda text: wrapped(marked(text, mark), columns)


def _columns(width: int, mark: str = "> ") -> Callable[[str], str]:
    return lambda text: wrapped_marked(text, width, mark)


UNDERSCORES = "_" * 32
FULL = "sender sent to subject"


def _orange_lead(answer: Answer) -> str:
    lines = header_pairs(answer, "sender-quoted to-quoted subject")
    head = answer.filled("Message du : {dd/MM/y HH:mm}")
    return "\n".join([head, *(f"{name.strip()} {value}" for name, value in lines), ""])


def _orange_marked(answer: Answer) -> Sent:
    text = f"{_orange_lead(answer)}\n{answer.original.text}"
    return Sent(top(answer, "", marked(text)))


def _bracketed(answer: Answer) -> str:
    sender = answer.original.sender
    return f'>>>>> "{sender.name}" == {sender.name} <{sender.address}> writes:\n'


PROGRAMS: tuple[Program, ...] = (
    Program("gmail-web", rich(_gmail, _text_of(gmail_lead, "gmail", 78), head="")),
    Program("gmail-android", rich(_gmail, _text_of(gmail_lead, "gmail", 78), shape="p",
                                  transport=BASE64)),
    Program("gmail-plain", textual(gmail_lead, _columns(76))),
    Program("gmail-plain-below", textual(gmail_lead, _columns(76), place=below)),
    Program("gmail-ios", rich(_gmail, _text_of(gmail_lead, "gmail", 78), shape="br")),
    Program("gmail-html-alone", rich(_gmail)),
    Program("outlook-windows", rich(_outlook, _unmarked_of(_headers(FULL), "outlook"),
                                    shape="outlook", transport=QP)),
    Program("outlook-windows-html", rich(_outlook, shape="outlook")),
    Program("outlook-blue-border", rich(_bordered("#B5C4DF"), shape="outlook")),
    Program("outlook-grey-border", rich(_bordered("#CCCCCC"), shape="outlook")),
    Program("outlook-plain", textual(_headers(FULL, "-----{original}-----"), _same)),
    Program("outlook-plain-no-rule", textual(_headers(FULL), _same)),
    Program("outlook-plain-underscores", textual(_headers(FULL, UNDERSCORES), _same)),
    Program("outlook-marks", textual(_headers(FULL, "-----{original}-----"), _loosely(72, "> "))),
    Program("outlook-marks-wide", textual(_headers(FULL), _loosely(66, ">"))),
    Program("outlook-name-marks", textual(_headers(FULL), _loosely(76, "Referee> "))),
    Program("outlook-bar-marks", textual(_headers(FULL), _loosely(76, "| "))),
    Program("outlook-indented", textual(_headers(FULL, "-----{original}-----"),
                                        lambda text: marked(text, "    > "))),
    Program("outlook-2003", textual(_headers(FULL, "-----{original}-----"), _same,
                                    Transport("utf-8", "8bit"), threads=False)),
    Program("outlook-2003-bracket", textual(
        _headers("sender-bracket sent to-address subject", "-----{original}-----"), _same,
        threads=False)),
    Program("outlook-new", rich(_owa, _unmarked_of(_headers(FULL, UNDERSCORES), "outlook"))),
    Program("owa", rich(_owa)),
    Program("outlook-mobile", rich(_outlook_mobile, _unmarked_of(
        _headers(FULL, UNDERSCORES), "outlook", 76))),
    Program("windows-mail", rich(_bordered("#E1E1E1"), _unmarked_of(
        _headers("sender-name sent to-address subject"), "outlook"), shape="outlook")),
    Program("windows-live-mail", rich(_rule(
        "", "sender-name sent to-address subject"))),
    Program("apple-mail", rich(_apple, _text_of(apple_lead, "plain", None))),
    Program("apple-mail-plain", textual(apple_lead, marked)),
    Program("ios-mail", rich(_ios, _text_of(apple_lead, "plain", None))),
    Program("ios-mail-html", rich(_ios)),
    Program("thunderbird", rich(_mozilla, _text_of(mozilla_lead, "mozilla", 72))),
    Program("thunderbird-plain", textual(mozilla_lead, marked, FLOWED)),
    Program("thunderbird-below", textual(mozilla_lead, marked, FLOWED, place=below)),
    Program("k9", textual(fixed("On {d MMMM y} {HH:mm:ss} {name} <{address}> wrote:"),
                          lambda text: marked(text, ">"))),
    Program("k9-block", textual(_headers("sender sent to subject",
                                         "-------- {original} --------"), _same)),
    Program("fairemail", rich(_line_above(mozilla_lead, "blockquote type=cite"),
                              _text_of(mozilla_lead, "plain", None))),
    Program("mutt", textual(fixed("On {EEE, MMM dd, y} at {hh:mm:ss a} +0000, {name} wrote:"),
                            marked, EIGHT)),
    Program("alpine", textual(fixed("On {EEE, d MMM y}, {name} wrote:\n"), marked, EIGHT)),
    Program("gnus", textual(fixed("{name} <{address}> writes:\n"), marked, EIGHT)),
    Program("gnus-supercite", textual(_bracketed, lambda text: marked(text, "Referee> "), EIGHT)),
    Program("yahoo", rich(_yahoo, _text_of(gmail_lead, "plain", None))),
    Program("yahoo-unmarked", rich(_yahoo, _unmarked_of(gmail_lead, "plain"))),
    Program("yahoo-ios", rich(_yahoo_cite)),
    Program("aol", rich(_rule("-----{original}-----", "sender to-address sent subject"),
                        _unmarked_of(_headers("sender to-address sent subject",
                                              "-----{original}-----"), "plain"))),
    Program("gmx", rich(_gmx), ("de", "en", "fr", "es")),
    Program("gmx-plain", textual(
        lambda answer: marked("\n".join(
            f"{name} {value}" for name, value in
            header_pairs(answer, "sent sender-quoted to-address subject"))), marked),
        ("de", "en")),
    Program("t-online", textual(_headers("subject date sender-quoted to-quoted",
            "-----Original-Nachricht-----"), _same), ("de",)),
    Program("orange", textual(_orange_lead, _same), ("fr",)),
    Program("orange-marked", _orange_marked, ("fr",)),
    Program("orange-new", rich(_rule("", "sent sender to-address subject")), ("fr",)),
    Program("free", textual(_headers("sender-quoted to-address sent subject",
            "----- Mail original -----"), _same), ("fr",)),
    Program("laposte", textual(_orange_lead, lambda text: marked(text, "> ")), ("fr",)),
    Program("sfr", rich(_rule("========================================",
                              "sender to-address date subject")), ("fr",)),
    Program("libero", textual(_headers("sender-quoted to-quoted date subject",
            "---------- Initial Header -----------"), _same), ("it",)),
    Program("libero-line", rich(_line_above(
        fixed("Il {dd/MM/y HH:mm} CET {name} <{address}> ha scritto:"),
        'div style="border-left:2px solid #ccc"')), ("it",)),
    Program("onet", textual(fixed("W dniu {y-MM-dd HH:mm:ss} użytkownik {name} <{address}> "
                                  "napisał:"), _same), ("pl",)),
    Program("onet-html", rich(_line_above(fixed(
        "W dniu {y-MM-dd HH:mm:ss} użytkownik {name} <{address}> napisał:"), "div")),
        ("pl",)),
    Program("wp", textual(fixed("Dnia {d MMMM y HH:mm} {name} <{address}> napisał(a):\n"),
                          marked), ("pl",)),
    Program("interia", rich(_rule("", "sender-quoted to-quoted sent subject"), _unmarked_of(
        _headers("sender-quoted to-quoted sent subject"), "plain")), ("pl",)),
    Program("seznam", rich(_rule("---------- {original} e-mailu ----------",
                                 "sender to-address date subject"), _unmarked_of(
        _headers("sender to-address date subject", "---------- Původní e-mail ----------"),
        "plain")), ("cs",)),
    Program("centrum", textual(_headers("sender to date subject",
            "______________________________________________________________"),
            lambda text: marked(text, "> ")), ("cs", "sk")),
    Program("yandex", rich(_line_above(fixed('{dd.MM.y, HH:mm}, "{name}" <{address}>:'),
                                       "blockquote"),
                           _unmarked_of(fixed('{dd.MM.y, HH:mm}, "{name}" <{address}>:'),
                                        "plain")), ("ru", "uk", "en", "tr")),
    Program("yandex-bare", rich(_line_above(fixed('{dd.MM.y, HH:mm}, "{name}" <{address}>:'),
                                            "div")), ("ru", "uk")),
    Program("mail-ru", rich(_line_above(
        fixed("{EEEE, d MMMM y, HH:mm xxx} от {name} <{address}>:"),
        'div style="border-left:1px solid #0857A6"'), _text_of(
        fixed("{EEEE, d MMMM y, HH:mm xxx} от {name} <{address}>:"), "plain", None)), ("ru",)),
    Program("mail-ru-unmarked", textual(
        fixed("{EEEE, d MMMM y, HH:mm xxx} от {name} <{address}>:\n"), _same), ("ru",)),
    Program("rambler", textual(fixed("{name} <{address}> писал(а) {EEE, d MMM y, HH:mm}:"),
                               _same), ("ru",)),
    Program("ukr-net", rich(_boxed("--- {original} ---", "sender date to subject")), ("uk",)),
    Program("abv", textual(_headers("sender-quoted subject to-address date",
                                    " >-------- {original} --------"),
                           lambda text: marked(text, " >")), ("bg",)),
    Program("qq", rich(_boxed("------------------ {original} ------------------",
                              "sender-quoted sent to-quoted subject"), _unmarked_of(
        _headers("sender-quoted sent to-quoted subject",
                 "------------------ {original} ------------------"), "plain"),
        transport=BASE64), ("zh-CN", "zh-TW", "en")),
    Program("qq-html", rich(_boxed("------------------ {original} ------------------",
                                   "sender-quoted sent to-quoted subject"),
                            transport=Transport("gb18030", "base64")), ("zh-CN",)),
    Program("netease-163", rich(_div('style="position:relative"', fixed(
        'At {y-MM-dd HH:mm:ss}, "{name}" <{address}> wrote:'), "blockquote id=isReplyContent"),
        _unmarked_of(fixed('在 {y-MM-dd HH:mm:ss}，"{name}" <{address}> 写道：\n'), "plain"),
        transport=Transport("gbk", "base64")), ("zh-CN",)),
    Program("sina", textual(_headers("sender-quoted to-address subject date",
                                     "----- {original} -----"), _same), ("zh-CN",)),
    Program("foxmail", rich(_bordered("#B5C4DF"), _unmarked_of(_headers(
        "sender sent to subject", " "), "plain")), ("zh-CN", "zh-TW", "en")),
    Program("naver", rich(_rule("-----Original Message-----",
                                "sender-quoted to-quoted sent subject")), ("ko",)),
    Program("daum", rich(_rule("--------- 원본 메일 ---------",
                               "sender-quoted to-quoted date subject"), _unmarked_of(_headers(
        "sender-quoted to-quoted date subject", "--------- 원본 메일 ---------"), "plain")),
        ("ko",)),
    Program("yahoo-japan", textual(_headers("sender to date subject",
            "----- Original Message -----"), _same), ("ja",)),
    Program("docomo", textual(lambda _: "", _same, Transport("iso-2022-jp", "7bit"),
                              threads=False), ("ja",)),
    Program("au", textual(lambda answer: answer.filled("{y/MM/dd HH:mm} {name}:"), _same,
                          Transport("iso-2022-jp", "7bit")), ("ja",)),
    Program("becky", textual(fixed("On {EEE, d MMM y HH:mm:ss} +0900\n{name} <{address}> wrote:\n"),
                             marked, Transport("iso-2022-jp", "7bit")), ("ja",)),
    Program("notes", rich(_notes, _unmarked_of(_headers(
        "sender-quoted to-quoted date subject", gap="\t"), "plain")), ("en", "de", "fr", "it")),
    Program("notes-cells", rich(_notes_bare), ("en", "de")),
    Program("groupwise", textual(fixed(">>> {name} <{address}> {M/d/y h:mm a} >>>"), _same),
            ("en", "de")),
    Program("zimbra", rich(_rule("-----{original}-----", "sender-quoted to-quoted sent subject"),
                           _unmarked_of(_headers("sender-quoted to-quoted sent subject",
                                                 "----- {original} -----"), "plain"))),
    Program("zimbra-line", rich(lambda answer, html: '<hr id="zwchr" data-marker="__DIVIDER__">'
                                f"<div>{headers_html(answer, FULL)}</div><br><div>{html}</div>")),
    Program("roundcube", textual(fixed("On {y-MM-dd HH:mm}, {name} wrote:"), marked), ("en",)),
    Program("roundcube-german", textual(fixed("Am {y-MM-dd HH:mm}, schrieb {name}:"), marked),
            ("de",)),
    Program("squirrelmail", textual(fixed("On {EEE, MMMM d, y h:mm a}, {name} wrote:"),
                                    marked, EIGHT), ("en",)),
    Program("horde", textual(fixed("Quoting {name} <{address}>:\n"), marked), ("en",)),
    Program("horde-german", textual(fixed("Zitat von {name} <{address}>:\n"), marked), ("de",)),
    Program("snappymail", rich(_line_above(fixed('{d. MMMM y HH:mm}, "{name}" <{address}> '
                                                 "schrieb:"), "blockquote")), ("de",)),
    Program("proton", rich(lambda answer, html: '<div class="protonmail_quote">'
        f'{lead_html(fixed("On {EEEE, MMMM d, y} at {h:mm a}, {name} <{address}> wrote:")(answer))}'
        f'<br><blockquote class="protonmail_quote" type="cite">{html}</blockquote></div>',
        _text_of(fixed("On {EEEE, MMMM d, y} at {h:mm a}, {name} <{address}> wrote:"), "plain",
                 None)), ("en", "de", "fr", "pl")),
    Program("proton-mobile", textual(fixed("-------- Original Message --------\nOn {M/d/y HH:mm}, "
                                           "{name} wrote:\n\n"), lambda text: marked(text, " ")),
            ("en",)),
    Program("tutanota", rich(_line_above(fixed("{d. MMM y, HH:mm} von {address}:"),
                                         'blockquote class="tutanota_quote"')), ("de",)),
    Program("tutanota-en", rich(_line_above(fixed("{d MMM y, HH:mm} by {address}:"),
                                            'blockquote class="tutanota_quote"')), ("en",)),
    Program("fastmail", rich(_line_above(fixed("On {EEE, d MMM y}, at {h:mm a}, {name} wrote:"),
                                         'blockquote type="cite" id="qt"'), _text_of(
        fixed("On {EEE, d MMM y}, at {h:mm a}, {name} wrote:"), "plain", None)), ("en",)),
    Program("hey", rich(_line_above(fixed("On {MMMM d, y}, {name} <{address}> wrote:"),
                                    "blockquote")), ("en",)),
    Program("spark", rich(_div('name="messageReplySection"', fixed(
        "On {d MMM y, HH:mm} +0100, {name} <{address}>, wrote:"), "blockquote type=cite"),
        _unmarked_of(fixed("On {d MMM y, HH:mm} +0100, {name} <{address}>, wrote:"), "plain")),
        ("en",)),
    Program("blackberry", textual(_headers("sender date to-address subject",
                                           "-----Original Message-----"), _same), ("en", "de")),
    Program("blackberry-10", textual(_headers("sender-name sent to-address subject",
                                              "  {original}  "), _same), ("en", "de", "fr")),
    Program("samsung", rich(_rule("-------- {original} --------", "sender date to subject"),
                            _unmarked_of(_headers("sender date to subject",
                                                  "-------- {original} --------"), "plain"))),
    Program("zoho", rich(_line_above(fixed(
        " ---- On {EEE, dd MMM y HH:mm:ss} +0000 {name} <{address}> wrote ---- "), "blockquote"),
        _unmarked_of(fixed("---- On {EEE, dd MMM y HH:mm:ss} +0000 {name} <{address}> wrote ----"
                           "\n"), "plain")), ("en",)),
    Program("the-bat", textual(fixed("{EEEE, MMMM d, y, h:mm:ss a}, you wrote:\n"),
                               lambda text: marked(text, "R> "), EIGHT), ("en", "ru", "de")),
    Program("claws", textual(fixed("On {EEE, d MMM y HH:mm:ss} +0000\n{name} <{address}> wrote:\n"),
                             marked)),
    Program("evolution", textual(fixed("On {EEE, y-MM-dd} at {HH:mm} +0000, {name} wrote:"),
                                 marked)),
    Program("kmail", textual(fixed("Am {EEEE, d. MMMM y, HH:mm:ss} CET schrieb {name}:"), marked),
            ("de",)),
    Program("em-client", rich(_rule("------ {original} ------",
                                    "sender-quoted to-quoted sent subject"), _unmarked_of(
        _headers("sender-quoted to-quoted sent subject", "------ {original} ------"), "plain"))),
    Program("em-client-no-colon", textual(
        lambda answer: _headers("sender-quoted to-address date subject",
                                "------ {original} ------")(answer).replace(": ", " ", 4), _same),
        ("en", "de")),
    Program("mailbird", rich(_line_above(fixed("On {d/M/y HH:mm:ss}, {name} <{address}> wrote:"),
                                         'blockquote class="history_container" type="cite"')),
            ("en",)),
    Program("postbox", textual(fixed("{name} wrote on {M/d/y h:mm a}:"), marked, FLOWED), ("en",)),
    Program("pegasus", textual(fixed("On {d MMM y} at {HH:mm}, {name} wrote:\n"), marked), ("en",)),
    Program("eudora", textual(fixed("At {h:mm a} {M/d/y}, {name} wrote:"),
                              lambda text: marked(text, ">")), ("en",)),
    Program("colon-marks", textual(fixed("{name} <{address}> wrote:\n"),
                                   lambda text: marked(text, ": ")), ("en",)),
    Program("entity-marks", textual(gmail_lead, lambda text: marked(text, "&gt; ")), ("en", "de")),
    Program("gateway-bare", textual(lambda _: "", _same, threads=False), ("en",)),
    Program("gateway-bare-thread", textual(lambda _: "", _same), ("en",)),
    Program("gateway-html-bare", rich(_bare), ("en",)),
    Program("gateway-html-bare-alone", rich(_bare, threads=False), ("en",)),
    Program("gateway-block", textual(_headers(FULL, "-----{original}-----"), _same, BASE64,
                                     threads=False)),
    Program("gateway-semicolon", textual(gmail_lead, marked,
            Transport(named="quoted-printable;"))),
    Program("gateway-spaced", textual(gmail_lead, marked, Transport(named="quoted printable"))),
    Program("gateway-quoted-name", textual(gmail_lead, marked,
            Transport(named='"quoted-printable"'))),
    Program("gateway-base64-comment", textual(gmail_lead, marked,
            Transport(encoding="base64", named="base64 (mime)"))),
    Program("gateway-windows-charset", textual(_headers(FULL, "-----{original}-----"), _same,
            Transport("cp1252", "quoted-printable")), ("en", "de", "fr", "es")),
)  # fmt: skip

BY_NAME = {each.name: each for each in PROGRAMS}
assert len(BY_NAME) == len(PROGRAMS)
