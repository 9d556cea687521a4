"""What people do with their programs: answer, write messages, answer an older mail or Bob's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from html.parser import HTMLParser

from support.clients.letters import Answer, Original, Person, Sent, encoded, escaped, original_of
from support.clients.programs import BY_NAME, Program
from support.clients.tongues import TONGUES, Tongue
from support.club import REFEREE
from support.club import letter as plain_letter
from support.stage import ALICE, BOB, Outcome, Stage

from referee.value import Value, replace

WRITER = Person("Alice", ALICE)
TO = Person("Referee", REFEREE)

BARE = frozenset({
    "gateway-bare", "gateway-bare-thread", "gateway-html-bare", "gateway-html-bare-alone", "docomo",
})  # fmt: skip
"""Programs that put an original below without any sign of it: nobody can tell an older mail."""

DISCLAIMERS = (
    ("Note: The information contained in this message may be privileged and confidential.",),
    ("________________________________", "", "Hinweis: Diese E-Mail kann vertrauliche Angaben",
     "enthalten. Message: confidential. Set your printer aside."),
    ("Diese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.", "www.avast.com"),
    ("Virus-free. www.avg.com",),
    ("Resign yourself to reading this: the sender accepts no liability.",),
    ("Show consideration: do not print this mail.", "Join us at example.test: Away days 2026"),
    ("--", "This message was scanned by MailGate. Message: clean"),
    ("Nota: Le informazioni contenute in questo messaggio sono riservate.",),
    ("Note : ce message est confidentiel.", "Message : si vous n'êtes pas destinataire, merci."),
)  # fmt: skip
"""What companies and virus scanners add below a mail."""

CAUTIONS = (
    ("CAUTION: This email originated from outside of the organization.",),
    ("[EXTERNAL] Set no store by links: do not click.",),
    ("ACHTUNG: Diese Nachricht kam von außerhalb.",),
)


class Trial(Value):
    """A letter as a program sends it, and what the same words would be without the program.

    ``own`` are the lines its writer wrote, now or in an older mail below.
    """

    raw: bytes
    ideal: bytes
    own: tuple[str, ...] = ()


Situation = Callable[[Stage, Program, Tongue], Trial]


def _report(stage: Stage) -> Original:
    return _original(stage.report.raw)


@cache
def _original(raw: bytes) -> Original:
    return original_of(raw)


def _answer(original: Original, tongue: Tongue, *lines: str) -> Answer:
    return Answer(original, WRITER, lines, tongue, number=7)


def _ideal(stage: Stage, *lines: str) -> bytes:
    return plain_letter(
        ALICE, "\n".join(lines), answers=str(stage.report.message["Message-ID"]), number=7
    )


def _trial(stage: Stage, program: Program, answer: Answer, *ideal: str) -> Trial:
    own = (*answer.lines, old_order_of(stage), "Alice")
    return Trial(program.reply(answer), _ideal(stage, *(ideal or answer.lines)), own)


def order_of(stage: Stage) -> str:
    """Return the order alice writes."""
    return stage.orders[len(stage.orders) // 2]


def old_order_of(stage: Stage) -> str:
    """Return the order alice wrote once and does not want any more."""
    return stage.orders[len(stage.orders) // 3]


def order_on_top(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write an order to a report, and nothing else."""
    return _trial(stage, program, _answer(_report(stage), tongue, order_of(stage)))


def order_and_signature(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write an order with a signature and what the telephone adds."""
    order = order_of(stage)
    lines = (order, "", "-- ", "Alice", tongue.from_phone)
    return _trial(stage, program, _answer(_report(stage), tongue, *lines), order)


APPS = (
    "Get Outlook for iOS", "Gesendet mit der GMX Mail App", "Outlook für Android beziehen",
    "Télécharger Outlook pour iOS", "Envoyé depuis l'application Mail Orange",
    "Отправлено из мобильной Почты Mail.ru", "Pobierz aplikację Outlook dla systemu Android",
    "Wysłane z mojego smartfona Samsung Galaxy.", "Enviado do Yahoo Mail para iPhone",
    "发自我的小米手机", "Sent from Proton Mail for Android.", "Inviato da Libero Mail per Android",
    "Odesláno z aplikace Seznam Email na Androidu", "Sent from my Galaxy", "Skickat från Outlook",
    "Verzonden vanaf Outlook voor Android", "Lähetetty Galaxy-puhelimesta",
)  # fmt: skip
"""What programs of telephones add, each in the language it came in."""


def order_from_telephone(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write an order on a telephone, which adds its own line below."""
    order = order_of(stage)
    return _trial(
        stage, program, _answer(_report(stage), tongue, order, "", tongue.from_phone), order
    )


def message_from_telephone(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write a message in an app, which adds its own line below."""
    lines = (f"message {stage.other}", "Nice to meet you.")
    app = APPS[(len(program.name) * 5 + len(tongue.gmail)) % len(APPS)]
    return _trial(stage, program, _answer(_report(stage), tongue, *lines, "", app), *lines)


def order_and_disclaimer(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write an order; a company adds something below all that is quoted."""
    order = order_of(stage)
    number = len(program.name) + len(tongue.code) + ord(tongue.code[0])
    answer = _answer(_report(stage), tongue, order)
    return _trial(
        stage, program, replace(answer, last=DISCLAIMERS[number % len(DISCLAIMERS)]), order
    )


def message(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write a message of two lines to the other player, above a report."""
    lines = (f"message {stage.other}", "Well played, really.", "See you tomorrow at noon.")
    return _trial(stage, program, _answer(_report(stage), tongue, *lines))


def order_without_thread(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write an order from a program that names in no header what it answers."""
    answer = _answer(_report(stage), tongue, order_of(stage))
    sent = replace(program.make(answer), threads=False)
    return Trial(encoded(answer, sent), _ideal(stage, order_of(stage)))


def order_in_box(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write the order into the quoted box, below its hint, and nowhere else."""
    hint, order = stage.hint, order_of(stage)
    report = _report(stage)
    filled = replace(
        report,
        text=report.text.replace(hint, f"{hint}\n{order}"),
        html=report.html.replace(hint, f"{hint}<br>{escaped(order)}"),
    )
    assert filled.text != report.text
    assert filled.html != report.html
    return _trial(stage, program, _answer(filled, tongue), order)


def older(stage: Stage, program: Program, tongue: Tongue, *, quoting: bool) -> Original:
    """Return alice's older mail, with an order in it, as her program sent it."""
    report = _report(stage)
    answer = Answer(report, WRITER, (old_order_of(stage), "", "Alice"), tongue, number=3)
    if quoting:
        found = original_of(program.reply(answer), to=TO)
        return replace(found, sender=WRITER)
    text = "\n".join(answer.lines) + "\n"
    return Original(
        WRITER, TO, report.moment + timedelta(hours=2), report.subject, "<3.a7@mail.example.org>",
        report.message_id, text, "".join(f"<div>{each or '<br>'}</div>" for each in answer.lines),
    )  # fmt: skip


def forget_older(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Answer one's own older mail, which stands below, and want it forgotten."""
    return _to_older(stage, program, tongue, ("please forget my last mail",), quoting=False)


def forget_older_thread(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Do the same where the older mail quoted the report."""
    return _to_older(stage, program, tongue, ("please forget my last mail",), quoting=True)


def newer_order(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write an order above the older mail, which held another and quoted the report."""
    return _to_older(stage, program, tongue, (order_of(stage),), quoting=True)


def message_above_older(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write a message above the older mail, of which nothing is to be told."""
    lines = (f"message {stage.other}", "Sorry, I was too quick.")
    return _to_older(stage, program, tongue, lines, quoting=False)


def note_above_older(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write a note above the older mail with its thread."""
    return _to_older(stage, program, tongue, ("note I should think more",), quoting=True)


def _to_older(
    stage: Stage, program: Program, tongue: Tongue, lines: Sequence[str], *, quoting: bool
) -> Trial:
    own = older(stage, program, tongue, quoting=quoting)
    return _trial(stage, program, _answer(own, tongue, *lines))


def show_bobs_letter(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Show the referee what the other player wrote to oneself, which reads as orders."""
    return _to_bobs(stage, program, tongue, "Look what Bob wrote to me!")


def order_above_bobs_letter(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write an order above a letter of the other player with another order."""
    return _to_bobs(stage, program, tongue, order_of(stage))


def _to_bobs(stage: Stage, program: Program, tongue: Tongue, line: str) -> Trial:
    report = _report(stage)
    lines = ("Hi Alice,", old_order_of(stage), f"message {stage.other}", "I give up.", "Bob")
    letter = Original(
        Person("Bob", BOB), WRITER, report.moment + timedelta(hours=2), report.subject,
        "<4.b1@mail.example.test>", report.message_id, "\n".join(lines) + "\n",
        "".join(f"<div>{each}</div>" for each in lines),
    )  # fmt: skip
    trial = _trial(stage, program, _answer(letter, tongue, line))
    return replace(trial, own=(*trial.own, *lines))


def order_below_caution(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write an order below what a company adds on top."""
    order = order_of(stage)
    answer = _answer(_report(stage), tongue, order)
    above = CAUTIONS[(len(program.name) + len(tongue.code)) % len(CAUTIONS)]
    return _trial(stage, program, replace(answer, above=above), order)


def newer_order_elsewhere(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write an order above an older mail that went out by another program."""
    names = [*BY_NAME]
    number = names.index(program.name) * 37 + len(tongue.gmail)
    others = [each for each in BY_NAME.values() if each.name not in BARE | {program.name}]
    own = older(stage, others[number % len(others)], tongue, quoting=True)
    return _trial(stage, program, _answer(own, tongue, order_of(stage)))


CHASM = "@@@@"
_MARKED = re.compile(rf"^[>|:& gt;]*(?:Referee> ?|R> ?)?{CHASM}\s*$", re.MULTILINE)


def order_between(stage: Stage, program: Program, tongue: Tongue) -> Trial:
    """Write an order between two parts of what is quoted."""
    order, report = order_of(stage), _report(stage)
    heads = re.findall(r"<h2[^>]*>([^<]*)</h2>", report.html)
    head = heads[len(heads) // 2]
    split = replace(
        report,
        text=report.text.replace(f"\n{head}:", f"\n{CHASM}\n{head}:"),
        html=re.sub(rf"(<h2[^>]*>){head}<", rf"<p>{CHASM}</p>\n\1{head}<", report.html),
    )
    assert split.text != report.text
    answer = _answer(split, tongue)
    return Trial(encoded(answer, _parted(program.make(answer), order)), _ideal(stage, order))


def _parted(sent: Sent, order: str) -> Sent:
    """Return what a program sends with an order where the quote is parted, unmarked."""
    text, html = sent.text, sent.html
    if text is not None:
        text = _MARKED.sub(f"\n{order}\n", text).replace(CHASM, f"\n\n{order}\n\n")
    if html is not None:
        above, _, below = html.partition(CHASM)
        ends, starts = _cut_open(above)
        html = f"{above}{ends}<div>{escaped(order)}</div>{starts}{below}"
    return replace(sent, text=text, html=html)


class _Open(HTMLParser):
    """Keeps the names and start tags of the elements that are open."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, _: object) -> None:
        if tag not in {"br", "hr", "img", "meta"}:
            self.tags.append((tag, self.get_starttag_text() or ""))

    def handle_endtag(self, tag: str) -> None:
        while self.tags and self.tags.pop()[0] != tag:
            pass


def _cut_open(above: str) -> tuple[str, str]:
    """Return the tags that end an HTML quote where its beginning stops, and begin it again.

    Gmail's editor, and others, copy every element around the place: cells, tables and the quote.
    """
    parser = _Open()
    parser.feed(above)
    names = [tag for tag, _ in parser.tags]
    if "blockquote" not in names:
        return "", ""
    tags = parser.tags[names.index("blockquote") :]
    return "".join(f"</{tag}>" for tag, _ in reversed(tags)), "".join(start for _, start in tags)


def _tried(program: Program) -> Sent:
    """Return what a program makes of a mail that holds only the place to write in."""
    moment = datetime(2026, 11, 21, tzinfo=UTC)
    original = Original(TO, WRITER, moment, "x", "<x@x>", "", CHASM, f"<p>{CHASM}</p>")
    return program.make(Answer(original, WRITER, (), TONGUES[program.tongues[0]]))


@cache
def _threads(program: Program) -> bool:
    """Tell whether a program names in its headers what it answers."""
    return _tried(program).threads


@cache
def _parts(program: Program) -> bool:
    """Tell whether a program marks what it quotes, so that one may write in between."""
    sent = _tried(program)
    marked = sent.text is None or (
        bool(_MARKED.search(sent.text)) and f"\n{CHASM}" not in sent.text
    )
    quoted = sent.html is None or "<blockquote" in sent.html.partition(CHASM)[0]
    return marked and quoted


SITUATIONS: dict[str, Situation] = {
    each.__name__.replace("_", "-"): each
    for each in (
        order_on_top, order_from_telephone, message_from_telephone, order_and_signature,
        order_and_disclaimer, order_below_caution, message,
        order_without_thread, order_in_box, forget_older, forget_older_thread, newer_order,
        message_above_older, note_above_older, newer_order_elsewhere, order_between,
        show_bobs_letter, order_above_bobs_letter,
    )
}  # fmt: skip

WITH_OLDER = frozenset({
    "forget-older", "forget-older-thread", "newer-order", "message-above-older", "note-above-older",
    "newer-order-elsewhere", "show-bobs-letter", "order-above-bobs-letter",
})  # fmt: skip

WITHOUT_CODE = frozenset({
    "forget-older", "message-above-older", "show-bobs-letter", "order-above-bobs-letter",
})  # fmt: skip
"""Situations in which no text holds a reply code."""

TALKATIVE = frozenset({"order-and-disclaimer", "order-below-caution"})
"""Situations in which lines beside the order may be named to its writer: somebody wrote them."""


def possible(program: Program, situation: str) -> bool:
    """Tell whether a situation says anything with a program."""
    if situation == "order-between":
        return _parts(program)
    if situation in WITHOUT_CODE and not _threads(program):
        return False
    return not (program.name in BARE and situation in WITH_OLDER)


def faults(found: Outcome, ideal: Outcome, situation: str, trial: Trial) -> Iterator[str]:
    """Yield what is wrong with what became of a letter, in one word each."""
    # Whoever wrote the lines beside the order, they are its company.
    if situation in TALKATIVE and found.held and not found.orders:
        return
    if any(each not in ideal.orders for each in found.orders) or len(found.orders) > len(
        ideal.orders
    ):
        yield "stray"
    elif found.orders != ideal.orders:
        yield "asked" if found.answers else "lost"
    if any(each not in ideal.relayed for each in found.relayed):
        yield "relayed"
    elif found.relayed != ideal.relayed:
        yield "held" if found.answers else "lost"
    if not set(found.changed) <= set(ideal.changed):
        yield "changed"
    elif found.changed != ideal.changed and found.relayed == ideal.relayed:
        yield "asked"
    if not found.answers:
        yield "silent"
    same = (found.orders, found.relayed, found.changed) == (
        ideal.orders, ideal.relayed, ideal.changed,
    )  # fmt: skip
    if same and found.answers != ideal.answers and situation not in TALKATIVE:
        more = _shown(found) - _shown(ideal)
        yield "named" if situation in WITH_OLDER and more <= {*trial.own} else "listed"


def _shown(outcome: Outcome) -> set[str]:
    """Return the lines that answers show as items, without what is said of each."""
    lines = (line for each in outcome.answers for line in each.split("\n"))
    return {each[2:].partition(" — ")[0] for each in lines if each.startswith("· ")}


HARMFUL = frozenset({"stray", "lost", "relayed", "changed", "silent"})
"""Faults that are never excused; to ask back or to name a line is a nuisance only."""


def program(name: str) -> Program:
    """Return a program by its name."""
    return BY_NAME[name]


def tongue(code: str) -> Tongue:
    """Return a language by its code."""
    return TONGUES[code]


def sent_by(name: str, answer: Answer) -> Sent:
    """Return what a program makes of an answer."""
    return BY_NAME[name].make(answer)
