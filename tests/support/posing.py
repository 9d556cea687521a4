"""Words that pose as the referee's own lines, and the mails in which one player's reach another."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from support.clients.letters import Answer, Original, Person
from support.clients.programs import BY_NAME, Program
from support.clients.tongues import TONGUES
from support.club import Mail, letter
from support.stage import ALICE, BOB, Scene, Stage

from referee.desk.plans.match import Pause
from referee.desk.plans.plan import apply_act
from referee.desk.plans.seat import HandOver
from referee.desk.players import BadPlayer, add_player
from referee.desk.work import Refused
from referee.value import Value, replace

DOTS: Final = (
    "·", "Â·", "ÂÂ·", "ÂÂ··", "ÂÂÂ·", "Ã‚Â·", "ÃƒÂ‚Ã‚Â·", "Â·Â·", "&middot;", "&#183;",
    "&#xB7;", "&amp;middot;", "•", "∙", "⋅", "・", "･", "‧", "\u0387", "．", "·\u0301",
    "\u200b·", "·\ufe0f", "·\u034f", "*", "|", "-", ":", "=C2=B7", "?", "\ufffd", "··", "· ·",
    "Â", "\u202e·\u202c", "·\xad", "º·",
)  # fmt: skip
DASHES: Final = (
    "---", "--", "-", "- - -", "–", "—", "―", "−−−", "‐‐‐", "－－－", "⸺", "⸻", "﹘", "﹣﹣",
    "ーーー", "-\u200b-\u200b-", "-\u2060--", "&#45;--", "&mdash;", "\u00ad---", "─── ", "╌╌╌",
    "_--", "~--", "=2D--",
)  # fmt: skip
EQUALS: Final = (
    "===", "==", "= = =", "＝＝＝", "═══", "=\u200b=\u200b=", "꞊꞊꞊", "﹦﹦", "≡≡", "=3D=3D=3D",
    "&equals;==", "====",
)  # fmt: skip
WORDS: Final = (
    "",
    "end of ",
    "ende von ",
    "end ",
    "End Of ",
    "fin de ",
    "end\u00a0of\u00a0",
    "e\u200bnd of ",
)  # fmt: skip
GAPS: Final = (
    " ", "  ", "\u00a0", "\t", " \u2028", "\u2029", " \x85", "\x0b", "\r", "\u200b ", " \u202e",
    "<br>", "</p><p>", " &#10; ", " * ", " _", " > ", " \u3000", "&nbsp;", "",
)  # fmt: skip
SHAPES: Final = (
    "On Sat, Nov 21, 2026 at 12:00 PM Referee <referee@example.test> wrote:", "> ", "-- ", "--",
    "-----Original Message-----", "From: x", "________________________________", "</blockquote>",
    "</div>", "(write your orders here, one per line)", "[cut]", "· ", "… ", "</div></body></html>",
    "<!--", "<s>", "&lt;/blockquote&gt;",
)  # fmt: skip
TAILS: Final = (
    "resign", "kapituliere", "set address eve@evil.test", "message all: I give up", "note 7",
    "undo", "luck seven", "set language de", "set name Eve", "help",
    "away 2026-12-20 to 2027-01-03", "withdraw", "cancel all", "queue {order}", "{order}",
)  # fmt: skip

CLASSIC: Final = (
    "See you - end of {match} ÂÂ·· referee resign",
    "- end of {match} Ã‚Â· referee resign",
    "--- end of {match} · referee --- {order}",
    "end\u200b of -\u200b-\u200b- end of {match} · referee -\u200b-\u200b- resign",
    "- end of {match} &middot; referee - set address eve@evil.test",
    "- ende von {match} &amp;middot; referee kapituliere",
    "= = = {match} · turn 5 · Red · K7PQ-M2XD = = = {order} = = = end = = =",
    "＝＝＝ {match} · turn 5 · red · K7PQ-M2XD ＝＝＝ {order} ＝＝＝ end ＝＝＝",
    "- end of {match} · referee · referee resign",
    "- end of {match} - end of {match} · referee · referee resign",
    "－ end of {match} ． referee resign",
    "x\u2028--- end of {match} · referee ---\u2028resign",
    "--- {match} · It is your turn, Red · referee --- resign",
    "--- referee · {match} --- {order}",
    "— referee · Over · referee — resign",
    "- referee Â· referee - set address eve@evil.test",
    "- {match} &middot; Over &middot; referee - resign",
    "- referee ж {match} - resign",
    "x\u2028--- referee · {match} ---\u2028resign",
)  # fmt: skip
"""What was tried by hand and worked once, or nearly."""


def posed(rng: Random) -> str:
    """Return a line made of what the referee's lines are made of, with an order or command in."""
    pieces = []
    for _ in range(rng.randrange(1, 4)):
        pieces += [_piece(rng), rng.choice(GAPS)]
    tail = rng.choice(TAILS)
    return "".join([rng.choice(["", "See you ", rng.choice(SHAPES)]), *pieces, tail])


def _piece(rng: Random) -> str:
    dash, dot, gap = rng.choice(DASHES), rng.choice(DOTS), rng.choice(GAPS[:4])
    match = rng.choice(
        ("{match}", "{match}", "{match}", "referee", "request-3", "{wide}", "{dashed}")
    )
    close = rng.choice(("", gap + dash))
    chosen = rng.random()
    if chosen < 0.2:
        return f"{dash}{gap}{match}{gap}{dot}{gap}Over{gap}{dot}{gap}referee{gap}{dash}"
    if chosen < 0.4:
        return f"{dash}{gap}referee{gap}{dot}{gap}{match}{gap}{dash}"
    if chosen < 0.6:
        end = rng.choice(WORDS)
        return f"{dash}{gap}{end}{match}{gap}{dot}{gap}referee{close}"
    sign = rng.choice(EQUALS)
    head = f"{sign} {match} {dot} turn 5 {dot} Red {dot} K7PQ-M2XD {sign}"
    return rng.choice((head, f"{sign} end {sign}", f"{head}{gap}{{order}}{gap}{sign} end {sign}"))


def filled(words: str, match: str, order: str) -> str:
    """Return words with the names of a real match and a legal order put in."""
    wide = "".join(chr(ord(each) + 0xFEE0) if each.isalnum() else each for each in match)
    found = words.replace("{match}", match).replace("{order}", order).replace("{wide}", wide)
    return found.replace("{dashed}", match.replace("-", " – "))


def _answering(stage: Stage, who: str) -> str:
    mail = stage.report if who == ALICE else stage.others["report"]
    return str(mail.message["Message-ID"])


def by_message(stage: Stage, scene: Scene, words: str) -> Mail | None:
    """Return the mail with a message of bob's, the words on the line of the command."""
    text = f"message {stage.mine}: {words}"
    return scene.put(letter(BOB, text, answers=_answering(stage, BOB), number=1))


def by_long_message(stage: Stage, scene: Scene, words: str) -> Mail | None:
    """Return the mail with a message of bob's whose second line the words are."""
    text = f"message {stage.mine}\nHello\n{words}\nend"
    return scene.put(letter(BOB, text, answers=_answering(stage, BOB), number=2))


def by_name(stage: Stage, scene: Scene, words: str) -> Mail | None:
    """Return alice's receipt that names who is next: bob, who has taken the words for his name."""
    text = f"set name {words[:40]}"
    scene.put(letter(BOB, text, answers=_answering(stage, BOB), number=3))
    kind = stage.orders[0].split()[0]
    order = [each for each in stage.orders if each.split()[0] == kind][-1]
    scene.club.put(letter(ALICE, order, answers=_answering(stage, ALICE), number=4))
    return scene.mail(ALICE)


def by_forged_talk(stage: Stage, scene: Scene, words: str) -> Mail | None:
    """Return the answer to a letter that somebody sent in alice's name."""
    return scene.put(letter(ALICE, f"Hi there, {words}", answers=None, number=5))


def by_forged_note(stage: Stage, scene: Scene, words: str) -> Mail | None:
    """Return the answer to a note and words that somebody sent in alice's name, code and all."""
    text = f"note {words}\nAnd by the way, {words}"
    return scene.put(letter(ALICE, text, answers=_answering(stage, ALICE), number=6))


def by_forged_name(stage: Stage, scene: Scene, words: str) -> Mail | None:
    """Return the question whether alice wants the words for her name, as somebody wished."""
    return scene.put(letter(ALICE, f"set name {words[:300]}", answers=None, number=8))


def by_reason(stage: Stage, scene: Scene, words: str) -> Mail | None:
    """Return the notice of a pause for the words as reason, unless they give a code away."""
    try:
        apply_act(scene.club.desk, Pause(stage.name), words)
    except Refused:
        return None
    scene.club.work()
    return scene.mail(ALICE)


def by_newcomer(stage: Stage, scene: Scene, words: str) -> Mail | None:
    """Return the notice that somebody of that name took over bob's seat, if one may go by it."""
    try:
        with scene.club.desk.writing() as change:
            add_player(
                change, "carol@example.test", name=words[:40], language="en",
                zone="UTC", format="html",
            )  # fmt: skip
    except BadPlayer:
        return None
    act = HandOver(stage.name, stage.other, "carol@example.test")
    apply_act(scene.club.desk, act, "as agreed")
    scene.club.work()
    return scene.mail(ALICE)


CARRIERS: Final[Mapping[str, Callable[[Stage, Scene, str], Mail | None]]] = {
    each.__name__.replace("_", "-"): each
    for each in (
        by_message, by_long_message, by_name, by_forged_talk, by_forged_note, by_forged_name,
        by_reason, by_newcomer,
    )
}  # fmt: skip


def _twice(text: str) -> str:
    return _misread(_misread(text))


def _misread(text: str) -> str:
    """Return a text whose UTF-8 was taken for windows-1252."""
    return text.encode().decode("cp1252", "replace")


def _same(text: str) -> str:
    return text


def _questioned(text: str) -> str:
    return text.encode("ascii", "replace").decode()


def _without_quoting(text: str) -> str:
    """Return a text whose soft breaks nobody undid."""
    return text.replace("·", "=C2=B7")


SPOILT: Final[Mapping[str, Callable[[str], str]]] = {
    "as it is": _same,
    "misread": _misread,
    "misread twice": _twice,
    "composed": lambda text: unicodedata.normalize("NFKC", text),
    "in ASCII": _questioned,
    "unescaped": html.unescape,
    "encoded": _without_quoting,
    "escaped": lambda text: text.replace("·", "&middot;"),
    "upper dots": lambda text: text.replace("·", "•"),
}
"""What happens to a text on its way through programs that get charsets and entities wrong."""

QUOTING: Final = (
    "gmail-plain", "thunderbird-plain", "outlook-plain", "outlook-plain-no-rule", "outlook-2003",
    "gateway-bare-thread", "outlook-marks", "outlook-bar-marks", "gmail-html-alone",
    "outlook-windows-html", "gateway-html-bare", "owa", "windows-live-mail", "ios-mail-html",
    "qq-html", "groupwise",
)  # fmt: skip
"""Programs that put the original below marked, unmarked or bare, as text or HTML."""


def programs() -> tuple[Program, ...]:
    """Return those programs."""
    return tuple(BY_NAME[name] for name in QUOTING)


class Posed(Value):
    """A mail to alice that holds another's words, as the one she answers."""

    original: Original

    def reply(self, program: Program, *lines: str, spoilt: str = "as it is") -> bytes:
        """Return what alice's program sends when she writes some lines above that mail."""
        spoil = SPOILT[spoilt]
        shown = replace(
            self.original, text=spoil(self.original.text), html=spoil(self.original.html)
        )
        return program.reply(Answer(shown, Person("Alice", ALICE), lines, TONGUES["en"], number=9))

    def bare(self, *lines: str) -> bytes:
        """Return the same lines with nothing below them."""
        return letter(ALICE, "\n".join(lines), answers=self.original.message_id, number=9)
