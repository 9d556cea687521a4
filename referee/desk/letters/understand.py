"""The understanding of one place of a letter: orders, commands, faults and talk.

Its claim is known before; whether any of it may be done ``steps`` and ``orders`` ask later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import Final

from referee.desk.letters.words import keywords, phrases
from referee.desk.letters.words.advance import read_queue
from referee.desk.letters.words.keywords import KEYWORDS, MEANT, TEXTS, Command
from referee.desk.letters.words.phrases import DOUBTING, LONGEST_PHRASE, TAKEN_BACK, Tongue
from referee.desk.letters.words.places import (
    CUT,
    DRAW,
    MOST_LINES,
    PREVIEW,
    RESIGN,
    ReadLine,
    Said,
    SchemaFault,
    Understood,
    ordering_line,
    schema_faults,
)
from referee.desk.matches.standing_orders import Cancel
from referee.games.documents import order_from_json
from referee.games.game import Document, Order, Unreadable
from referee.games.notation import OUR_DOTS, SPACE, UNKNOWN
from referee.games.policies import Policy
from referee.mail.incoming.lines import WrittenLine
from referee.matches.standing_orders import read_line
from referee.resources import class_words, pattern_for, words_for
from referee.value import replace

_STOP: Final = re.compile(r"(?<![.!?])(?<!\b\w)[.!]\s+")
"""The end of a sentence; behind a single letter it is that of an initial, as in a signature."""

_SENTENCE: Final = re.compile(r"(?<=[!?…])\s+|(?<=\.)(?<!\d\.)(?<!\b\w\.)\s+")
"""The end of a sentence, but not of “28.12.” or “p.m.”."""

_CLAUSE: Final = re.compile(r"[,;.!?–—]+\s+|\s-+\s")

_GAP: Final = re.compile(rf"\s+(?:[–-]+\s+)?(?:{pattern_for('and')}\s+)?", re.IGNORECASE)
"""What stands between an order and an offer behind it."""

_ASKING: Final = frozenset({DRAW, RESIGN, Command("undo")})
"""Commands that may be a sentence among others."""

_INITIAL: Final = re.compile(r"(?P<closing>(?:.*\W)?)[A-ZÄÖÜ]\.?\s*")
"""A line that ends in a capital alone, perhaps its writer's initial."""

_CORRECTING: Final = class_words("correcting", "preferring") | TAKEN_BACK

_MOST_FAULTS: Final = 20
"""Faults of a JSON document named in one answer."""


def understand(said: Said, tongue: Tongue | None) -> Understood:
    """Read one place of a letter; without a game only commands are known."""
    if said.document is not None:
        return _understand_document(said, said.document, tongue)
    # In a box every line is meant as an order; elsewhere people also chat.
    strict = said.source == "box"
    own, doubtful = _own_lines(said, tongue)
    texts = [line.text for line in own]
    pieces, starts = keywords.read_commands(texts, phrases.without_mark)
    flow = [(piece, own[start].runs) for piece, start in zip(pieces, starts, strict=True)]
    lines: list[ReadLine] = []
    index = 0
    while index < len(pieces):
        piece, start = pieces[index], starts[index]
        text = texts[start].strip()
        index += 1
        # A game may have an order of that name.
        if piece == DRAW and tongue and not tongue.game.draws:
            read = _read_text(text, text, tongue, strict=False)
            read = read if any(line.order for line in read) else [ReadLine(text, command=DRAW)]
        elif piece == RESIGN and tongue and _yields(text, tongue):
            read = [_read_line(text, tongue, strict=strict)]
        elif isinstance(piece, str):
            read = _read_text(piece, text, tongue, strict=strict)
        elif piece.word == "queue":
            read, taken = read_queue(text, piece, flow[index:], tongue, strict=strict)
            index += taken
        elif piece.word in {"cancel", "withdraw"}:
            numbers = tuple(map(int, piece.arguments))
            read = [ReadLine(text, given=Cancel(numbers, piece.word == "withdraw"))]
        elif piece.word in TEXTS:
            below, places = pieces[index:], starts[index - 1 :]
            line, taken = _read_with_text(piece, below, places, own, doubtful, said, tongue)
            read, index = [line], index + taken
        else:
            read = [ReadLine(text, command=piece)]
        lines += [replace(read[0], gap=own[start].gap, runs=own[start].runs), *read[1:]]
    if tongue:
        lines = _wrapped(lines, tongue)
    if tongue and tongue.game.joins:
        lines = _join_parts(lines, tongue)
    if not strict:
        lines = _signed(lines)
    ordering = [at for at, line in enumerate(lines) if line.order or line.given or line.fault]
    # Below an order a no speaks of that, and answers no question.
    lines = [
        ReadLine(line.text, gap=line.gap, runs=line.runs)
        if ordering and at > ordering[0] and line.command == Command("decline")
        else line
        for at, line in enumerate(lines)
    ]
    # The open text above what is ordered may be about that, below it what may be none of the text.
    for at, line in enumerate(lines):
        if line.open_text and not (ordering and at < ordering[-1]):
            _, gap, rest = line.open_text.partition("\n\n")
            lines[at] = replace(line, open_text=f"{gap}{rest}" if ordering else "")
    orders = [line.order for line in lines if line.order is not None]
    lines = [part for line in lines for part in _in_sentence(line, tongue, orders)]
    # Lines copied from our lists still begin with our dot.
    doubtful += [replace(line, where="dot") for line in own if line.text.startswith(OUR_DOTS)]
    doubtful = [line for line in doubtful if line.where in {"below", "dot", "signed", "rest"}]
    return Understood(said, tuple(lines), doubtful=tuple(_ordering(doubtful, tongue)))


def _yields(text: str, tongue: Tongue) -> bool:
    """Return whether a line of resigning, but for its keyword, may be an order of the game.

    Where one of its orders is called like giving up, sentences about that may mean no more.
    """
    words = [word for word, meant in MEANT.items() if meant == "resign" and word not in KEYWORDS]
    orders = (_read_line(word, tongue).order for word in words)
    return text.casefold().rstrip(" .!") not in KEYWORDS and any(orders)


def means_something(text: str, tongue: Tongue | None) -> bool:
    """Return whether a line that may be a program's says something to the referee."""
    read = _read_line(text, tongue)
    return not read.is_talk or read.hint is not None or keywords.read_command(text) is not None


def _own_lines(said: Said, tongue: Tongue | None) -> tuple[list[WrittenLine], list[WrittenLine]]:
    """Return the lines that are their writer's, and those that may not be meant.

    An attribution is one's own if it says something, or begins the text of a message; so is all
    that stands between the brackets of a hint if a line of it does. What goes on below the rest of
    a quoted line that orders something may stand in the quotation as well.
    """
    own: list[WrittenLine] = []
    doubtful: list[WrittenLine] = []
    last: WrittenLine | None = None
    quoted = broken = False
    hint = [line.text for line in said.lines if line.where == "hint"]
    hinted = any(means_something(text, tongue) for text in hint)
    for line in said.lines:
        close = bool(own) and own[-1] is last
        quoted = quoted and not line.gap
        if line.where == "own":
            mine = not quoted
        elif line.where == "lead":
            opened = close and not line.gap and keywords.opens_text(own[-1].text)
            mine = opened or phrases.hint_of(line.text, tongue) is not None
        elif line.where == "rest":
            quoted, mine = quoted or any(_ordering([line], tongue)), False
        elif line.where == "hint":
            mine = hinted
        else:
            mine = line.where == "aside" and means_something(line.text, tongue)
        broken = broken or line.broken
        last = line
        if mine:
            last = replace(line, gap=line.gap or (bool(own) and not close), broken=broken)
            own.append(last)
            broken = False
        else:
            doubtful.append(replace(line, where="rest") if quoted else line)
    return own, doubtful


def _read_with_text(
    command: Command,
    below: Sequence[Command | str],
    starts: Sequence[int],
    own: Sequence[WrittenLine],
    doubtful: Sequence[WrittenLine],
    said: Said,
    tongue: Tongue | None,
) -> tuple[ReadLine, int]:
    """Return a message, note or ``luck`` with its whole text, and how many pieces below that takes.

    A message goes on to ``end`` or the first line that orders something, any other text only over
    lines of talk that a mail program wrapped. A message that text of ours interrupts is marked.
    ``starts`` are the ``own`` lines with which the command and what is ``below`` begin.
    """
    ends = (*starts[1:], len(own))
    start, end = starts[0], ends[0]
    first, block, is_message = own[start].text, own[start + 1 : end], command.word == "message"
    cut = is_message and any(line.broken for line in block)
    if is_message and block and not keywords.is_end(block[-1].text):
        # An ``end`` among lines that were left out shows that the message went on there.
        left_out = any(keywords.is_end(line.text) for line in doubtful)
        cut = cut or left_out or (own[end].broken if end < len(own) else said.broken)
    text, taken = command.text, 0
    if text in first.strip():
        for line, at in zip(below, starts[1:], strict=True):
            goes_on = (own[at].runs or is_message) and not own[at].broken
            if not goes_on or not isinstance(line, str):
                break
            if is_message and keywords.is_end(line):
                taken += 1
                break
            if line.strip() and not _read_text(line, line, tongue, strict=False)[0].is_talk:
                break
            text += (" " if own[at].runs else "\n") + line.strip()
            taken += 1
        text = text.strip()[: TEXTS[command.word]]
    # What a program broke off is missing from a text that goes to others.
    wrapped = taken < len(below) and own[starts[taken + 1]].runs and not phrases.ends_sentence(text)
    if cut or (is_message and wrapped):
        command = replace(command, arguments=(*command.arguments, CUT))
    # A message without its end may hold more than that, as may a text if the line below goes on
    # from it. Behind a blank line stands what may be none of it: where it begins on the line of its
    # keyword, the lines below the first gap. A box keeps no blank lines.
    open_text, end = command.text, ends[taken]
    if keywords.is_end(own[end - 1].text) if is_message else not (end < len(own) and own[end].runs):
        open_text = ""
    elif open_text in first:
        gaps = (at for at in range(start + 1, end) if said.source == "box" or own[at].gap)
        part = next(gaps, end)
        mine = "\n".join((open_text, *(line.text for line in own[start + 1 : part])))
        open_text = "\n\n".join((mine, *(line.text for line in own[part:end])))
    whole = replace(command, text=text)
    return ReadLine(first.strip(), command=whole, open_text=open_text), taken


def _wrapped(lines: Sequence[ReadLine], tongue: Tongue) -> list[ReadLine]:
    """Return lines with orders that go on below as one: “the queen”, “of spades”.

    A single letter may sign the mail.
    """
    whole: list[ReadLine] = []
    for line in lines:
        below = line.is_talk and not line.gap and len(line.text) > 1
        above = whole[-1] if whole and below else ReadLine("")
        text = f"{above.text} {line.text}"
        entry = tongue.read(text) if above.order is not None else None
        if entry is None:
            whole.append(line)
        else:
            whole[-1] = replace(above, text=text, order=entry.order, policy=entry.policy)
    return whole


def _join_parts(lines: Sequence[ReadLine], tongue: Tongue) -> list[ReadLine]:
    """Return lines with orders one below the other as one, where all of them are parts of it."""
    whole: list[ReadLine] = []
    for ordering, run in groupby(lines, lambda line: line.order is not None):
        parts = list(run)
        entries = [part.entry for part in parts if part.entry is not None]
        joins = ordering and 1 < len(entries) <= phrases.MOST_ORDERS
        both = tongue.join(entries) if joins else None
        if both is not None:
            text = " ".join(part.text for part in parts)
            parts = [replace(parts[0], text=text, order=both.order)]
        whole += parts
    return whole


def _signed(lines: Sequence[ReadLine]) -> list[ReadLine]:
    """Return lines of which a letter at the end is no order where it may sign the mail.

    Below an order it does: “Cheers, B”. Below talk that neither greets nor leads in to it, it may,
    so its writer is asked.
    """
    *above, last = lines or [ReadLine("")]
    signed = _INITIAL.fullmatch(last.text)
    if not signed or not above:
        return [*lines]
    said, courtesy = above[-1].text, phrases.is_courtesy(signed["closing"])
    if any(line.order is not None for line in above):
        # Orders above may be letters, too: “c”, “a”.
        numbered = any(sign.isdecimal() for sign in said)
        parted = signed["closing"] or last.gap or above[-1].order is None or numbered
        return above if courtesy and parted else [*lines]
    opens = len(above) == 1 and phrases.greets(said)
    if last.order is None or opens or said.rstrip().endswith(":"):
        return [*lines]
    return [*above, replace(last, spoken=f"{said} {last.text}")]


def _in_sentence(line: ReadLine, tongue: Tongue | None, orders: Sequence[Order]) -> list[ReadLine]:
    """Return a line of talk that holds an order with that order, as part of a sentence.

    One that leaves the choice between several becomes those, with itself between them. Beside
    ``orders`` that stand alone it only speaks of another one, unless it holds nothing else, such as
    a question of one's own order. So does what may be none of a message.
    """
    # Whoever takes back names what they would play then.
    if line.is_talk and keywords.takes_back_first(line.text):
        return [line]
    talk = [line.text] if line.is_talk else line.open_text.split("\n\n")[1:]
    entry = None
    if line.is_talk:
        entry = phrases.order_in(line.text, tongue, whole=bool(orders), alone=not orders)
        # “Run 24/20, cover 13/8” is one order in two parts.
        if entry is not None and tongue and TAKEN_BACK.isdisjoint(phrases.words_in(line.text)):
            entry = phrases.parts_told(line.text, tongue) or entry
    # “e4 or d4?” is no sentence that moves, but says nothing else.
    choosing = entry is not None or (line.is_talk and not orders)
    choices = phrases.choices_in(line.text, tongue) if tongue and choosing else ()
    spoken = ""
    if tongue and not choices and entry is not None:
        choices, spoken = phrases.moves_named(line.text, tongue), line.text
    if choices:
        told = [replace(line, order=one.order, policy=one.policy, spoken=spoken) for one in choices]
        return _parted(line.text, told)
    if entry is not None and tongue:
        # A yes that played the first of several would play half of what is meant.
        entries = phrases.orders_worded(line.text, tongue) or (entry,)
        return [
            replace(line, order=one.order, policy=one.policy, spoken=line.text) for one in entries
        ]
    for text in talk if orders else ():
        entry = phrases.order_in(text, tongue)
        if entry is not None and entry.order not in orders:
            # “Re1”, and below it “no wait, Qxe2” or “I mean Qxe2”, leave the choice.
            if line.is_talk and _may_correct(text):
                instead = replace(line, order=entry.order, policy=entry.policy)
                return [ReadLine(line.text), instead]
            return [replace(line, spoken=text)]
        # “Sorry Qxe2.”
        corrects = not _CORRECTING.isdisjoint(phrases.words_in(text))
        if entry is None and line.is_talk and tongue and corrects and _may_correct(text):
            others = [order for order in phrases.orders_told(text, tongue) if order not in orders]
            if len(others) == 1:
                return [ReadLine(line.text), replace(line, order=others[0], spoken=text)]
    return [line]


def _may_correct(text: str) -> bool:
    """Return whether a sentence with another order may be meant in place of the one above it."""
    words = phrases.words_in(text)
    mine = not words_for("me").isdisjoint(words)
    doubts = DOUBTING.intersection(words) - (class_words("reported") if mine else set())
    # A line of ours may come back with its dot spoilt.
    ours = any(dot in text for dot in OUR_DOTS)
    return not ours and not text.endswith("?") and doubts <= TAKEN_BACK


def _read_text(piece: str, text: str, tongue: Tongue | None, *, strict: bool) -> list[ReadLine]:
    """Return a line that is no command as orders, talk or fault."""
    line = _read_line(piece, tongue, strict=strict)
    if not line.is_talk and line.fault is None:
        return [line]
    # An order may stand on the line of the draw that is offered with it: “Nf3 (=)”.
    # Or the offer stands before the order: “draw? and Nf3”.
    for gap in _GAP.finditer(text) if tongue and tongue.game.draws and _is_short(text) else ():
        parts = text[: gap.start()].rstrip(" ,;.–-"), text[gap.end() :]
        for order, offer in (parts, parts[::-1]):
            if DRAW in {keywords.read_command(offer), keywords.read_command(offer.strip("( ?!.)"))}:
                moved = _read_line(order, tongue)
                entries = phrases.entries_in(order, tongue)
                read = [moved] if moved.order else [ordering_line(order, one) for one in entries]
                if read:
                    drawn = ReadLine(offer, command=DRAW)
                    return [*read, drawn] if offer == parts[1] else [drawn, *read]
    if entries := phrases.entries_in(piece, tongue):
        return [ordering_line(text, entry) for entry in entries]
    # “Hi Bob, Bc4”; but “lieber stattdessen d4”, and a lone letter may be anything.
    greeted = phrases.GREETED.match(text) if _is_short(text) else None
    if greeted and phrases.is_sign_off(greeted[0]):
        behind = text[greeted.end() :]
        read = (
            _read_text(behind, behind, tongue, strict=strict)
            if len(behind.strip(" .!")) > 1
            else []
        )
        if any(line.order and not line.spoken for line in read):
            return read
    # Sentences behind an order are talk like that of another line: “Nf3. Sorry it took so long!”
    # Before one only courtesies are left out: others may be ours, of a line that comes back; and
    # one that introduces something may begin with what a player is called.
    split = _is_short(text) and not text.endswith(":")
    for stop in _STOP.finditer(text) if split else ():
        order, rest = text[: stop.start()], text[stop.end() :]
        # “Hello Bob! Nf3. Have a nice Sunday!”
        greets = phrases.is_courtesy(order) or (
            phrases.GREETED.fullmatch(order)
            and (phrases.is_sign_off(order) or phrases.is_harmless(order))
        )
        if greets and len(rest.strip(" .!")) > 1:
            read = _read_text(rest, rest, tongue, strict=strict)
            if any(line.order for line in read):
                return read
        if tongue and (entries := phrases.entries_in(order, tongue)):
            read = [ordering_line(order, entry) for entry in entries]
            # Two bare moves leave open which is meant: “e4. Nf3.”
            worded = all(" " in tongue.write(entry) for entry in entries)
            if worded and (more := phrases.entries_in(rest, tongue)):
                return [*read, *(ordering_line(rest, entry) for entry in more)]
            plain = (
                keywords.read_command(rest) is None
                and keywords.meant_command(rest, tongue.game) is None
            )
            if (
                plain
                and (
                    phrases.is_sign_off(rest)
                    or phrases.is_harmless(phrases.strip_courtesy(rest), apart=True)
                )
                and phrases.order_in(rest, tongue) is None
            ):
                return [*read, ReadLine(rest)]
            # “place D8. No, place E7” means the second, “place D8. Or place E7?” either.
            if line.fault is not None:
                told = phrases.order_in(rest, tongue)
                named = [told.order] if told else phrases.orders_told(rest, tongue)
                if len(named) != 1:
                    return [replace(entry, spoken=text) for entry in read]
                second = ReadLine(text, order=named[0], spoken=text)
                corrects = not _CORRECTING.isdisjoint(phrases.words_in(rest)[:2])
                return [second] if corrects else _parted(text, [*read, second])
            break
    # What goes on behind an order and a pause makes it part of a sentence, unless it orders more.
    for pause in _CLAUSE.finditer(text) if split and line.fault is not None else ():
        order, rest = text[: pause.start()], text[pause.end() :]
        if tongue is None or SPACE.search(rest) or phrases.order_in(rest, tongue) is not None:
            continue
        if entries := phrases.entries_in(order, tongue):
            return [replace(ordering_line(text, entry), spoken=text) for entry in entries]
    # “place D6 or D8”
    if tongue and line.fault is not None and (choices := phrases.choices_in(text, tongue)):
        return _parted(text, [ordering_line(text, entry) for entry in choices])
    # It has the keyword of an order, so it is hardly a command misspelt.
    if line.fault is not None and line.fault.code != UNKNOWN:
        return [line]
    # Orders may stand on the line of their ``preview``.
    word, _, rest = phrases.strip_courtesy(text).partition(" ")
    if tongue and rest and keywords.read_command(word.rstrip(",")) == PREVIEW:
        preview = ReadLine(word, command=PREVIEW)
        tried = _read_line(rest, tongue)
        if tried.order is not None:
            return [preview, tried]
        if entries := phrases.entries_in(rest, tongue):
            return [preview, *(ordering_line(rest, entry) for entry in entries)]
    if asked := _asked_among(text, tongue):
        return asked
    meant = keywords.nearly_command(text)
    if meant is None and tongue:
        meant = keywords.nearly_message(text, tongue.game)
    return [line if meant is None else ReadLine(text, command=meant)]


def _parted(text: str, choices: Sequence[ReadLine]) -> list[ReadLine]:
    """Return the choices of a line with its text between them, so that they are alternatives."""
    return [part for choice in choices for part in (ReadLine(text), choice)][1:]


def _is_short(text: str) -> bool:
    """Return whether a line may hold an order among other words; lines of ours do not."""
    return len(text) <= LONGEST_PHRASE and not text.startswith(OUR_DOTS)


def _asked_among(text: str, tongue: Tongue | None) -> list[ReadLine]:
    """Return a line one sentence of which offers a draw, takes back or resigns, as that and talk.

    The others order nothing, and must be harmless beside what would be asked of others. A
    resignation may also be a part of a sentence, like an order: then its writer is asked.
    """
    if not _is_short(text):
        return []

    def parted(pattern: re.Pattern[str]) -> tuple[list[tuple[str, Command]], list[str]]:
        parts = [
            (said, keywords.read_command(said)) for said in pattern.split(phrases.with_stops(text))
        ]
        asking = [(said, command) for said, command in parts if command in _ASKING]
        return asking, [said for said, command in parts if command not in _ASKING]

    asking, others = parted(_SENTENCE)
    spoken = ""
    if not asking:
        (asking, others), spoken = parted(_CLAUSE), text
    if len(asking) != 1 or not others:
        return []
    said, command = asking[0]
    if command == RESIGN:
        fits = tongue is None or not _yields(said, tongue)
    else:
        fits = not spoken and (command != DRAW or (tongue is not None and tongue.game.draws))
        fits = fits and all(
            phrases.is_harmless(other.replace("?", "."), apart=True) for other in others
        )
    if not fits or any(
        keywords.read_command(other) is not None or phrases.order_in(other, tongue) is not None
        for other in others
    ):
        return []
    if spoken:
        return [ReadLine(text, command=command, spoken=spoken)]
    return [ReadLine(said, command=command), *map(ReadLine, others)]


def _ordering(lines: Sequence[WrittenLine], tongue: Tongue | None) -> Iterator[WrittenLine]:
    """Yield the doubtful lines that would order or command something.

    A message whose text does not stand below it in the same place would say nothing: it is the
    title of an older mail.
    """
    for line, below in zip_longest(lines, lines[1:]):
        text = line.text
        text = next((text[len(dot) :].strip() for dot in OUR_DOTS if text.startswith(dot)), text)
        if keywords.opens_text(text) and (below is None or below.where != line.where):
            continue
        if keywords.read_command(phrases.without_thanks(text)) is not None or any(
            read.order or read.given for read in _read_text(text, text, tongue, strict=True)
        ):
            yield line


def _read_line(line: str, tongue: Tongue | None, *, strict: bool = False) -> ReadLine:
    """Return the meaning of a line to the game of its match. In a box it is never talk."""
    text = line.strip()
    if tongue is None:
        return ReadLine(text, hint=phrases.hint_of(text, None))
    try:
        given = read_line(tongue.game, text, tongue.language)
    except Unreadable as fault:
        if fault.chatter and not strict:
            return ReadLine(text, hint=phrases.hint_of(text, tongue))
        # It may have been meant as an order in advance.
        ahead = False
        try:
            tongue.game.parse_policy(text, tongue.language)
        except Unreadable as misread:
            ahead = not misread.chatter
        return ReadLine(text, fault=fault, ahead=ahead)
    if isinstance(given, Policy):
        return ReadLine(text, given=given)
    return ReadLine(text, order=given.order, policy=given.policy)


def _understand_document(said: Said, document: Document, tongue: Tongue | None) -> Understood:
    faults = schema_faults(None, document)
    orders = document.get("orders")
    items = orders if isinstance(orders, list) else []
    if tongue is None:
        return Understood(said, (), tuple(faults[:_MOST_FAULTS]))
    if len(items) > MOST_LINES:
        faults.append(SchemaFault("$.orders", "maxItems", {"limit": MOST_LINES}))
    lines: list[ReadLine] = []
    for index, item in enumerate(items[:MOST_LINES]):
        path, line = f"$.orders[{index}]", ReadLine("")
        # JSON may give an order as its line of text.
        if isinstance(item, str):
            line = _read_line(item, tongue, strict=True)
        elif not isinstance(item, dict):
            faults.append(SchemaFault(path, "order"))
        else:
            line = ReadLine(json.dumps(item, ensure_ascii=False))
            word = item.get("order")
            if not isinstance(word, str) or word not in tongue.game.order_types:
                faults.append(SchemaFault(f"{path}.order", "unknown"))
            elif wrong := schema_faults(tongue.game, item, path):
                faults += wrong
            else:
                try:
                    line = replace(line, order=order_from_json(tongue.game.order_types, item))
                except Unreadable as fault:
                    line = replace(line, fault=fault)
        lines.append(line)
    return Understood(said, tuple(lines), tuple(faults[:_MOST_FAULTS]))
