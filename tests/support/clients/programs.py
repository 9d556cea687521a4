"""The mail programs: what each makes of an answer, and in which languages it is used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from support.clients.letters import Answer, Sent, Transport, encoded
from support.clients.making import (
    BASE64,
    EIGHT,
    FLOWED,
    FULL,
    QP,
    UNDERSCORES,
    apple,
    below,
    bordered,
    boxed,
    bracketed,
    columns,
    div,
    gmail,
    gmx,
    headers,
    ios,
    line_above,
    loosely,
    mozilla,
    naked,
    notes,
    notes_bare,
    notes_column,
    orange_lead,
    orange_marked,
    outlook,
    outlook_mobile,
    owa,
    rich,
    rule,
    text_of,
    textual,
    unmarked,
    unmarked_of,
    yahoo,
    yahoo_cite,
)
from support.clients.quoting import (
    apple_lead,
    fixed,
    gmail_lead,
    header_pairs,
    headers_html,
    lead_html,
    marked,
    mozilla_lead,
)
from support.clients.tongues import TONGUES

EVERY = tuple(TONGUES)


@dataclass(frozen=True)
class Program:
    """A mail program: its name, how it answers, and the languages it is met in."""

    name: str
    make: Callable[[Answer], Sent]
    tongues: tuple[str, ...] = EVERY

    def reply(self, answer: Answer) -> bytes:
        """Return the answer as this program sends it."""
        return encoded(answer, self.make(answer))


PROGRAMS: tuple[Program, ...] = (
    Program("gmail-web", rich(gmail, text_of(gmail_lead, "gmail", 78), head="")),
    Program("gmail-android", rich(gmail, text_of(gmail_lead, "gmail", 78), shape="p",
                                  transport=BASE64)),
    Program("gmail-plain", textual(gmail_lead, columns(76))),
    Program("gmail-plain-below", textual(gmail_lead, columns(76), place=below)),
    Program("gmail-ios", rich(gmail, text_of(gmail_lead, "gmail", 78), shape="br")),
    Program("gmail-html-alone", rich(gmail)),
    Program("outlook-windows", rich(outlook, unmarked_of(headers(FULL), "outlook"),
                                    shape="outlook", transport=QP)),
    Program("outlook-windows-html", rich(outlook, shape="outlook")),
    Program("outlook-blue-border", rich(bordered("#B5C4DF"), shape="outlook")),
    Program("outlook-grey-border", rich(bordered("#CCCCCC"), shape="outlook")),
    Program("outlook-plain", textual(headers(FULL, "-----{original}-----"), unmarked)),
    Program("outlook-plain-no-rule", textual(headers(FULL), unmarked)),
    Program("outlook-plain-underscores", textual(headers(FULL, UNDERSCORES), unmarked)),
    Program("outlook-marks", textual(headers(FULL, "-----{original}-----"), loosely(72, "> "))),
    Program("outlook-marks-wide", textual(headers(FULL), loosely(66, ">"))),
    Program("outlook-name-marks", textual(headers(FULL), loosely(76, "Referee> "))),
    Program("outlook-bar-marks", textual(headers(FULL), loosely(76, "| "))),
    Program("outlook-indented", textual(headers(FULL, "-----{original}-----"),
                                        lambda text: marked(text, "    > "))),
    Program("outlook-2003", textual(headers(FULL, "-----{original}-----"), unmarked,
                                    Transport("utf-8", "8bit"), threads=False)),
    Program("outlook-2003-bracket", textual(
        headers("sender-bracket sent to-address subject", "-----{original}-----"), unmarked,
        threads=False)),
    Program("outlook-new", rich(owa, unmarked_of(headers(FULL, UNDERSCORES), "outlook"))),
    Program("owa", rich(owa)),
    Program("outlook-mobile", rich(outlook_mobile, unmarked_of(
        headers(FULL, UNDERSCORES), "outlook", 76))),
    Program("windows-mail", rich(bordered("#E1E1E1"), unmarked_of(
        headers("sender-name sent to-address subject"), "outlook"), shape="outlook")),
    Program("windows-live-mail", rich(rule(
        "", "sender-name sent to-address subject"))),
    Program("apple-mail", rich(apple, text_of(apple_lead, "plain", None))),
    Program("apple-mail-plain", textual(apple_lead, marked)),
    Program("ios-mail", rich(ios, text_of(apple_lead, "plain", None))),
    Program("ios-mail-html", rich(ios)),
    Program("thunderbird", rich(mozilla, text_of(mozilla_lead, "mozilla", 72))),
    Program("thunderbird-plain", textual(mozilla_lead, marked, FLOWED)),
    Program("thunderbird-below", textual(mozilla_lead, marked, FLOWED, place=below)),
    Program("k9", textual(fixed("On {d MMMM y} {HH:mm:ss} {name} <{address}> wrote:"),
                          lambda text: marked(text, ">"))),
    Program("k9-block", textual(headers("sender sent to subject",
                                         "-------- {original} --------"), unmarked)),
    Program("fairemail", rich(line_above(mozilla_lead, "blockquote type=cite"),
                              text_of(mozilla_lead, "plain", None))),
    Program("mutt", textual(fixed("On {EEE, MMM dd, y} at {hh:mm:ss a} +0000, {name} wrote:"),
                            marked, EIGHT)),
    Program("alpine", textual(fixed("On {EEE, d MMM y}, {name} wrote:\n"), marked, EIGHT)),
    Program("gnus", textual(fixed("{name} <{address}> writes:\n"), marked, EIGHT)),
    Program("gnus-supercite", textual(bracketed, lambda text: marked(text, "Referee> "), EIGHT)),
    Program("yahoo", rich(yahoo, text_of(gmail_lead, "plain", None))),
    Program("yahoo-unmarked", rich(yahoo, unmarked_of(gmail_lead, "plain"))),
    Program("yahoo-ios", rich(yahoo_cite)),
    Program("aol", rich(rule("-----{original}-----", "sender to-address sent subject"),
                        unmarked_of(headers("sender to-address sent subject",
                                              "-----{original}-----"), "plain"))),
    Program("gmx", rich(gmx), ("de", "en", "fr", "es")),
    Program("gmx-plain", textual(
        lambda answer: marked("\n".join(
            f"{name} {value}" for name, value in
            header_pairs(answer, "sent sender-quoted to-address subject"))), marked),
        ("de", "en")),
    Program("t-online", textual(headers("subject date sender-quoted to-quoted",
            "-----Original-Nachricht-----"), unmarked), ("de",)),
    Program("orange", textual(orange_lead, unmarked), ("fr",)),
    Program("orange-marked", orange_marked, ("fr",)),
    Program("orange-new", rich(rule("", "sent sender to-address subject")), ("fr",)),
    Program("free", textual(headers("sender-quoted to-address sent subject",
            "----- Mail original -----"), unmarked), ("fr",)),
    Program("laposte", textual(orange_lead, lambda text: marked(text, "> ")), ("fr",)),
    Program("sfr", rich(rule("========================================",
                              "sender to-address date subject")), ("fr",)),
    Program("libero", textual(headers("sender-quoted to-quoted date subject",
            "---------- Initial Header -----------"), unmarked), ("it",)),
    Program("libero-line", rich(line_above(
        fixed("Il {dd/MM/y HH:mm} CET {name} <{address}> ha scritto:"),
        'div style="border-left:2px solid #ccc"')), ("it",)),
    Program("onet", textual(fixed("W dniu {y-MM-dd HH:mm:ss} użytkownik {name} <{address}> "
                                  "napisał:"), unmarked), ("pl",)),
    Program("onet-html", rich(line_above(fixed(
        "W dniu {y-MM-dd HH:mm:ss} użytkownik {name} <{address}> napisał:"), "div")),
        ("pl",)),
    Program("wp", textual(fixed("Dnia {d MMMM y HH:mm} {name} <{address}> napisał(a):\n"),
                          marked), ("pl",)),
    Program("interia", rich(rule("", "sender-quoted to-quoted sent subject"), unmarked_of(
        headers("sender-quoted to-quoted sent subject"), "plain")), ("pl",)),
    Program("seznam", rich(rule("---------- {original} e-mailu ----------",
                                 "sender to-address date subject"), unmarked_of(
        headers("sender to-address date subject", "---------- Původní e-mail ----------"),
        "plain")), ("cs",)),
    Program("centrum", textual(headers("sender to date subject",
            "______________________________________________________________"),
            lambda text: marked(text, "> ")), ("cs", "sk")),
    Program("yandex", rich(line_above(fixed('{dd.MM.y, HH:mm}, "{name}" <{address}>:'),
                                       "blockquote"),
                           unmarked_of(fixed('{dd.MM.y, HH:mm}, "{name}" <{address}>:'),
                                        "plain")), ("ru", "uk", "en", "tr")),
    Program("yandex-bare", rich(line_above(fixed('{dd.MM.y, HH:mm}, "{name}" <{address}>:'),
                                            "div")), ("ru", "uk")),
    Program("mail-ru", rich(line_above(
        fixed("{EEEE, d MMMM y, HH:mm xxx} от {name} <{address}>:"),
        'div style="border-left:1px solid #0857A6"'), text_of(
        fixed("{EEEE, d MMMM y, HH:mm xxx} от {name} <{address}>:"), "plain", None)), ("ru",)),
    Program("mail-ru-unmarked", textual(
        fixed("{EEEE, d MMMM y, HH:mm xxx} от {name} <{address}>:\n"), unmarked), ("ru",)),
    Program("rambler", textual(fixed("{name} <{address}> писал(а) {EEE, d MMM y, HH:mm}:"),
                               unmarked), ("ru",)),
    Program("ukr-net", rich(boxed("--- {original} ---", "sender date to subject")), ("uk",)),
    Program("abv", textual(headers("sender-quoted subject to-address date",
                                    " >-------- {original} --------"),
                           lambda text: marked(text, " >")), ("bg",)),
    Program("qq", rich(boxed("------------------ {original} ------------------",
                              "sender-quoted sent to-quoted subject"), unmarked_of(
        headers("sender-quoted sent to-quoted subject",
                 "------------------ {original} ------------------"), "plain"),
        transport=BASE64), ("zh-CN", "zh-TW", "en")),
    Program("qq-html", rich(boxed("------------------ {original} ------------------",
                                   "sender-quoted sent to-quoted subject"),
                            transport=Transport("gb18030", "base64")), ("zh-CN",)),
    Program("netease-163", rich(div('style="position:relative"', fixed(
        'At {y-MM-dd HH:mm:ss}, "{name}" <{address}> wrote:'), "blockquote id=isReplyContent"),
        unmarked_of(fixed('在 {y-MM-dd HH:mm:ss}，"{name}" <{address}> 写道：\n'), "plain"),
        transport=Transport("gbk", "base64")), ("zh-CN",)),
    Program("sina", textual(headers("sender-quoted to-address subject date",
                                     "----- {original} -----"), unmarked), ("zh-CN",)),
    Program("foxmail", rich(bordered("#B5C4DF"), unmarked_of(headers(
        "sender sent to subject", " "), "plain")), ("zh-CN", "zh-TW", "en")),
    Program("naver", rich(rule("-----Original Message-----",
                                "sender-quoted to-quoted sent subject")), ("ko",)),
    Program("daum", rich(rule("--------- 원본 메일 ---------",
                               "sender-quoted to-quoted date subject"), unmarked_of(headers(
        "sender-quoted to-quoted date subject", "--------- 원본 메일 ---------"), "plain")),
        ("ko",)),
    Program("yahoo-japan", textual(headers("sender to date subject",
            "----- Original Message -----"), unmarked), ("ja",)),
    Program("docomo", textual(lambda _: "", unmarked, Transport("iso-2022-jp", "7bit"),
                              threads=False), ("ja",)),
    Program("au", textual(lambda answer: answer.filled("{y/MM/dd HH:mm} {name}:"), unmarked,
                          Transport("iso-2022-jp", "7bit")), ("ja",)),
    Program("becky", textual(fixed("On {EEE, d MMM y HH:mm:ss} +0900\n{name} <{address}> wrote:\n"),
                             marked, Transport("iso-2022-jp", "7bit")), ("ja",)),
    Program("notes", rich(notes, unmarked_of(headers(
        "sender-quoted to-quoted date subject", gap="\t"), "plain")), ("en", "de", "fr", "it")),
    Program("notes-cells", rich(notes_bare), ("en", "de")),
    Program("groupwise", textual(fixed(">>> {name} <{address}> {M/d/y h:mm a} >>>"), unmarked),
            ("en", "de")),
    Program("zimbra", rich(rule("-----{original}-----", "sender-quoted to-quoted sent subject"),
                           unmarked_of(headers("sender-quoted to-quoted sent subject",
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
    Program("snappymail", rich(line_above(fixed('{d. MMMM y HH:mm}, "{name}" <{address}> '
                                                 "schrieb:"), "blockquote")), ("de",)),
    Program("proton", rich(lambda answer, html: '<div class="protonmail_quote">'
        f'{lead_html(fixed("On {EEEE, MMMM d, y} at {h:mm a}, {name} <{address}> wrote:")(answer))}'
        f'<br><blockquote class="protonmail_quote" type="cite">{html}</blockquote></div>',
        text_of(fixed("On {EEEE, MMMM d, y} at {h:mm a}, {name} <{address}> wrote:"), "plain",
                 None)), ("en", "de", "fr", "pl")),
    Program("proton-mobile", textual(fixed("-------- Original Message --------\nOn {M/d/y HH:mm}, "
                                           "{name} wrote:\n\n"), lambda text: marked(text, " ")),
            ("en",)),
    Program("tutanota", rich(line_above(fixed("{d. MMM y, HH:mm} von {address}:"),
                                         'blockquote class="tutanota_quote"')), ("de",)),
    Program("tutanota-en", rich(line_above(fixed("{d MMM y, HH:mm} by {address}:"),
                                            'blockquote class="tutanota_quote"')), ("en",)),
    Program("fastmail", rich(line_above(fixed("On {EEE, d MMM y}, at {h:mm a}, {name} wrote:"),
                                         'blockquote type="cite" id="qt"'), text_of(
        fixed("On {EEE, d MMM y}, at {h:mm a}, {name} wrote:"), "plain", None)), ("en",)),
    Program("hey", rich(line_above(fixed("On {MMMM d, y}, {name} <{address}> wrote:"),
                                    "blockquote")), ("en",)),
    Program("spark", rich(div('name="messageReplySection"', fixed(
        "On {d MMM y, HH:mm} +0100, {name} <{address}>, wrote:"), "blockquote type=cite"),
        unmarked_of(fixed("On {d MMM y, HH:mm} +0100, {name} <{address}>, wrote:"), "plain")),
        ("en",)),
    Program("blackberry", textual(headers("sender date to-address subject",
                                           "-----Original Message-----"), unmarked), ("en", "de")),
    Program("blackberry-10", textual(headers("sender-name sent to-address subject",
                                              "  {original}  "), unmarked), ("en", "de", "fr")),
    Program("samsung", rich(rule("-------- {original} --------", "sender date to subject"),
                            unmarked_of(headers("sender date to subject",
                                                  "-------- {original} --------"), "plain"))),
    Program("zoho", rich(line_above(fixed(
        " ---- On {EEE, dd MMM y HH:mm:ss} +0000 {name} <{address}> wrote ---- "), "blockquote"),
        unmarked_of(fixed("---- On {EEE, dd MMM y HH:mm:ss} +0000 {name} <{address}> wrote ----"
                           "\n"), "plain")), ("en",)),
    Program("the-bat", textual(fixed("{EEEE, MMMM d, y, h:mm:ss a}, you wrote:\n"),
                               lambda text: marked(text, "R> "), EIGHT), ("en", "ru", "de")),
    Program("claws", textual(fixed("On {EEE, d MMM y HH:mm:ss} +0000\n{name} <{address}> wrote:\n"),
                             marked)),
    Program("evolution", textual(fixed("On {EEE, y-MM-dd} at {HH:mm} +0000, {name} wrote:"),
                                 marked)),
    Program("kmail", textual(fixed("Am {EEEE, d. MMMM y, HH:mm:ss} CET schrieb {name}:"), marked),
            ("de",)),
    Program("em-client", rich(rule("------ {original} ------",
                                    "sender-quoted to-quoted sent subject"), unmarked_of(
        headers("sender-quoted to-quoted sent subject", "------ {original} ------"), "plain"))),
    Program("em-client-no-colon", textual(
        lambda answer: headers(
            "sender-quoted to-address date subject", "------ {original} ------"
        )(answer).replace(": ", " ", 4), unmarked),
        ("en", "de")),
    Program("mailbird", rich(line_above(fixed("On {d/M/y HH:mm:ss}, {name} <{address}> wrote:"),
                                         'blockquote class="history_container" type="cite"')),
            ("en",)),
    Program("postbox", textual(fixed("{name} wrote on {M/d/y h:mm a}:"), marked, FLOWED), ("en",)),
    Program("pegasus", textual(fixed("On {d MMM y} at {HH:mm}, {name} wrote:\n"), marked), ("en",)),
    Program("eudora", textual(fixed("At {h:mm a} {M/d/y}, {name} wrote:"),
                              lambda text: marked(text, ">")), ("en",)),
    Program("colon-marks", textual(fixed("{name} <{address}> wrote:\n"),
                                   lambda text: marked(text, ": ")), ("en",)),
    Program("entity-marks", textual(gmail_lead, lambda text: marked(text, "&gt; ")), ("en", "de")),
    Program("notes-columns", textual(notes_column, unmarked)),
    Program("notes-inline", textual(
        lambda answer: answer.filled('"{name}" ---{dd/MM/y HH:mm:ss}---Your turn\n'), unmarked)),
    Program("rambler-no-colon", textual(fixed("{dd.MM.y, HH:mm}, {name} <{address}>\n"),
                                        unmarked), ("ru",)),
    Program("gmx-no-colon", textual(fixed("Am {dd.MM.yy} um {HH:mm} schrieb {name}\n"), marked),
            ("de",)),
    Program("gateway-bare", textual(lambda _: "", unmarked, threads=False), ("en",)),
    Program("gateway-bare-thread", textual(lambda _: "", unmarked), ("en",)),
    Program("gateway-html-bare", rich(naked), ("en",)),
    Program("gateway-html-bare-alone", rich(naked, threads=False), ("en",)),
    Program("gateway-block", textual(headers(FULL, "-----{original}-----"), unmarked, BASE64,
                                     threads=False)),
    Program("gateway-semicolon", textual(gmail_lead, marked,
            Transport(named="quoted-printable;"))),
    Program("gateway-spaced", textual(gmail_lead, marked, Transport(named="quoted printable"))),
    Program("gateway-quoted-name", textual(gmail_lead, marked,
            Transport(named='"quoted-printable"'))),
    Program("gateway-base64-comment", textual(gmail_lead, marked,
            Transport(encoding="base64", named="base64 (mime)"))),
    Program("gateway-windows-charset", textual(headers(FULL, "-----{original}-----"), unmarked,
            Transport("cp1252", "quoted-printable")), ("en", "de", "fr", "es")),
)  # fmt: skip

BY_NAME = {each.name: each for each in PROGRAMS}
assert len(BY_NAME) == len(PROGRAMS)
