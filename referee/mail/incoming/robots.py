"""Automatic letters, which are never answered (RFC 3834).

Unmarked ones are known by how their subjects begin: a person's answer to one begins with Re: or its
like. Headers that only ask others not to answer (X-Auto-Response-Suppress), or that servers add to
all they pass on, do not tell who wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from referee.mail.addressing import addresses
from referee.mail.composing import LOOP_HEADER
from referee.mail.incoming.mime import Headers, Part

_MARKS: Final = frozenset({
    "x-failed-recipients", "x-ms-exchange-inbox-rules-loop", "x-ms-exchange-message-is-ndr",
    "x-ms-exchange-generated-message-source", "x-boxtrapper", "x-rt-loop-prevention",
    "x-otrs-loop", "x-servicenow-generated", "x-jira-fingerprint", "x-redmine-host",
    "x-fc-machinegenerated", "x-cron-env", "x-github-reason",
})  # fmt: skip
"""Headers that only programs write: mail systems, ticket systems, challenges."""

_MARK: Final = re.compile(
    r"x-(?:[a-z0-9]{1,20}-){0,3}"
    r"(?:auto-?(?:repl(?:y|ied)|respond(?:er)?|response|generated)|vacation|out-?of-?office|oof)"
    r"(?:-(?!suppress)[a-z]{1,20}){0,2}"
)
"""Such headers of a program of any maker, ``X-Mail-Autoreply`` or ``X-Vacation-Message``."""

_DENIED: Final = frozenset({"", "no", "none", "false", "0"})

_LISTS: Final = ("list-id", "list-post", "mailing-list", "x-mailing-list")

_PRECEDENCE: Final = re.compile(r"(?:x-(?:[a-z0-9]{1,20}-)?)?(?:precedence|preference)")

_BULK: Final = frozenset({"bulk", "list", "junk", "auto_reply", "auto-reply", "autoreply"})

_REPORTS: Final = frozenset({
    "message/delivery-status", "message/disposition-notification", "message/feedback-report",
    "message/global-delivery-status", "message/global-disposition-notification",
})  # fmt: skip

_ANSWERED: Final = frozenset({"reply", "counter", "refresh", "declinecounter"})
"""Methods of calendars by which a program answers an appointment (RFC 5546)."""

_METHOD: Final = re.compile(r"^METHOD:(\w{1,20})\s*$", re.MULTILINE | re.IGNORECASE)

_CALENDAR_BYTES: Final = 65_536
"""Bytes of a calendar in which its method is looked for; it stands near the top."""

_DAEMONS: Final = frozenset({
    "mailer-daemon", "mail-daemon", "noreply", "no-reply", "no.reply", "donotreply",
    "do-not-reply", "autoreply", "auto-reply", "autoresponder",
})  # fmt: skip

_PROGRAMS: Final = re.compile(r"\b(?:vacation|auto-?respond\w{0,4}|auto-?reply)\b", re.IGNORECASE)

_TAGS: Final = re.compile(r"\A(?:\s*\[[^\]]{0,40}\])*\s*")

_SUBJECTS: Final = re.compile(
    r"""
    auto\s*: | \[auto(?:matic|mated)?[\s-]?(?:generated|reply|response)?\]
    | auto[\s-]?(?:reply|response|responder|generated)\b | automat(?:ic|ed)\ (?:reply|response)\b
    | out\ of\ (?:the\ )?office\b | (?:vacation|away)\ (?:reply|response|notice|message)\b
    | away\ from\ my\ (?:mail|desk)\b | [^:]{1,60}\bis\ (?:currently\ )?out\ of\ (?:the\ )?office
        (?=\s*(?:$|[-–.:;(\[]|(?:from|until|till|returning|and\ (?:will|returns))\b))
    | automatische\ (?:antwort|rückantwort)\b | autom\.\ antwort\b | urlaubsbenachrichtigung\b
    | abwesenheits-?(?:notiz|nachricht|meldung|assistent|benachrichtigung|info)
    | réponse\ automatique\b | (?:message|notification|avis)\ d['’]absence\b
    | absen(?:t|te|ce)\ du\ bureau\b
    | risposta\ automatica\b | fuori\ (?:sede|ufficio)\b | messaggio\ di\ assenza\b
    | respuesta\ automática\b | fuera\ de\ (?:la\ )?oficina\b
    | resposta\ autom[áà]tica\b | fora\ do\ escritório\b
    | automatisch\ antwoord\b | a[fb]wezig\s*: | afwezigheids\w | niet\ aanwezig\s*:
    | autosvar\b | automatiskt?\ svar\b | frånvar(?:ande|o)\w*\s*: | fraværsmelding\b
    | ikke\ til\ stede\s*: | automaattinen\ vastaus\b | poissaoloilmoitus\b
    | automatyczna\ odpowiedź\b | odpowiedź\ automatyczna\b | autoodpowiedź\b
    | automatick[áé]\ odpov[eě]ď | automatikus\ válasz\b
    | răspuns\ automat\b | samodejni\ odgovor\b | automatski\ odgovor\b | otomatik\ (?:yanıt|cevap)
    | automaatvastus\b | automātisk[aā]\ atbilde\b | automatinis\ atsakymas\b
    | автоматическ(?:ий|ое)\ (?:ответ|уведомление)\b | автоответ | автоматична\ відповідь\b
    | автоматичен\ отговор\b | αυτόματη\ απάντηση\b
    | 自動応答 | 自動返信 | 不在通知 | 自动回复 | 自动答复 | 自動回覆 | 자동\ ?(?:회신|응답)
    | رد\ تلقائي | תשובה\ אוטומטית | מענה\ אוטומטי | trả\ lời\ tự\ động | balasan\ otomatis\b
    | ตอบกลับอัตโนมัติ | پاسخ\ خودکار | स्वचालित\ उत्तर | স্বয়ংক্রিয়\ উত্তর | ავტომატური\ პასუხი\b
    | erantzun\ automatiko | sjálfvirkt\ svar\b | jawapan\ automatik\b | respuesta\ de\ ausencia\b
    | automatische\ abwesenheits | (?:poza\ biurem|mimo\ kancelář|irodán\ kívül|вне\ офиса)\s*[:：]
    | undeliver(?:ed\ mail|able)\b | unzustellbar\b | returned\ mail\b | failure\ notice$
    | mail\ delivery\ (?:failed|failure|system)\b | delivery\ status\ notification\b
    | delivery\ (?:failure|has\ failed|delayed)\b
    | your\ (?:e-?mail|message)\ requires\ verification\b
    | please\ confirm\ (?:your\ message|that\ you\ are\ (?:a\ )?human)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Beginnings of the subjects that otherwise unmarked programs write, by language."""


def robot_reason(headers: Headers, leaves: Sequence[Part]) -> str | None:
    """Return in a few words why a letter counts as automatic, or None if a person wrote it."""
    # First and by our own header: two referees that answer each other would never end.
    if headers.all(LOOP_HEADER.lower()):
        return "a mail of a referee"
    if headers.all("x-loop"):
        return "X-Loop"
    submitted = headers.get("auto-submitted").partition(";")[0].strip().lower()
    # RFC 3834 section 5: any other value means an automatic mail, also one defined later.
    if submitted and submitted != "no":
        return f"Auto-Submitted: {submitted[:40]}"
    # An answer would go to everybody on the list, reply code included.
    if any(headers.all(name) for name in _LISTS):
        return "a mailing list"
    for name, value in headers.fields:
        said = value.strip().lower()
        # Other values are set by programs on letters of persons, so only these count.
        if said in _BULK and _PRECEDENCE.fullmatch(name):
            return f"{name.title()}: {said}"
        # Some programs set their header without any value.
        bare = name in _MARKS and not said
        if bare or (said not in _DENIED and (name in _MARKS or _MARK.fullmatch(name))):
            return name
    if headers.get("x-apple-action").strip().lower().startswith("vacation"):
        return "X-Apple-Action: vacation"
    if "autoresponder" in headers.get("x-post-messageclass").lower():
        return "X-POST-MessageClass"
    if any(_PROGRAMS.search(headers.get(name)[:200]) for name in ("x-mailer", "user-agent")):
        return "sent by an autoresponder"
    kind = headers.get("content-type").partition(";")[0].strip().lower()
    # A person may attach a report to complain about it; that letter is theirs.
    own = {leaf.content_type for leaf in leaves if not leaf.attached}
    if kind in {"multipart/report", *_REPORTS} or _REPORTS & own:
        return "a delivery report"
    # Calendars answer appointments by themselves; a person may send one along with a letter.
    for leaf in leaves:
        if leaf.content_type == "text/calendar":
            method = leaf.parameters.get("method", "")
            if not method and (line := _METHOD.search(leaf.text(_CALENDAR_BYTES)[0])):
                method = line[1]
            if method.strip().lower() in _ANSWERED:
                return "an answer of a calendar"
    for value in headers.all("return-path"):
        path = value.strip().lower()
        # The null sender: an answer to it would bounce to nowhere (RFC 5321 section 4.5.5).
        if path == "<>" or path.lstrip("<").startswith("mailer-daemon"):
            return "an empty Return-Path"
    if any(value.strip().lower() == "autoresponder" for value in headers.all("delivered-to")):
        return "Delivered-To: Autoresponder"
    for sender in addresses(headers.get("from")):
        if (local := sender.partition("@")[0]) in _DAEMONS:
            return local.upper()
    if headers.get("from").strip().lower().startswith("mailer-daemon"):
        return "MAILER-DAEMON"
    subject = headers.text("subject")[:200]
    # Ticket systems and lists put tags like [EXT] before the words of the program.
    for words in (subject, _TAGS.sub("", subject, count=1)):
        if beginning := _SUBJECTS.match(words):
            return f"its subject begins with “{beginning[0][:40]}”"
    return None
