"""Orders inside a sentence, or dressed so that one reading remains.

Only words that surely say nothing are taken off: a greeting, a please, a remark in brackets, a
smiley. Any other word makes the order part of a sentence, and its writer is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import takewhile
from typing import Final

from referee.desk.letters.words.keywords import (
    BARE,
    KEYWORDS,
    MEANT,
    read_command,
    seats_by_word,
)
from referee.games.game import AnyGame, Order, Seat, Unreadable
from referee.games.notation import OUR_DOTS, SPACE, UNKNOWN, unlisted, words_of
from referee.matches.standing_orders import ListedOrder, read_line, write_line
from referee.resources import class_words, pattern_for, phrase_pattern, words_for
from referee.value import Value

LONGEST_PHRASE: Final = 200
"""Characters of a line in which an order is looked for; longer ones are prose."""

MOST_ORDERS: Final = 12
"""Orders on one line that are told apart."""

MOST_LAYERS: Final = 8
"""Courtesies and remarks around each other that are taken off."""

MOST_WORDS_AROUND: Final = 14
"""Words of a line that may have been meant as an order in spite of the others."""

LONGEST_RUN: Final = 6
"""Words of an order that talk may name."""

MOST_BEFORE: Final = 4
"""Words of a clause before a move, its verb included: "put a stone on"."""

MOST_BEHIND: Final = 2
"""Words behind a move that is itself a verb: "as well"."""

SHORTEST_WORD: Final = 4
"""Letters of a move that is a word, inside a line; shorter ones say something else as well."""

_THEN: Final = re.compile(
    rf"\s*+(?:;|(?:[,.]\s*+)?(?:\b{pattern_for('and')}\s++)?\b{phrase_pattern('then')}\b)[,:]?\s*+",
    re.IGNORECASE,
)

_APART: Final = re.compile(r"\b([A-Za-z])\s?[-‐‑–. ]\s?([0-9]{1,2})\b")

_REMARK: Final = re.compile(r"(?:^|\s++)(?:\([^()]{0,120}\)|\[[^\[\]]{0,120}\])[.!\s]*+$")

_BRACKETS: Final = str.maketrans("()[]", "    ")


class Tongue(Value, dict=True):
    """A game's orders as they are written in a language; ``seat`` is their writer's, if known."""

    game: AnyGame
    language: str
    seat: Seat | None = None

    @cached_property
    def own_colour(self) -> re.Pattern[str]:
        """A pattern of how its writer speaks of their own seat: “White plays”, “Red:”."""
        named = seats_by_word(self.game) if self.seat else {}
        words = [word for word, seat in named.items() if seat == self.seat]
        colours = "|".join(re.escape(word).replace("ss", "(?:ss|ß)") for word in words)
        plays = rf"(?:\s*[:,–-])?\s+(?:{phrase_pattern('plays')}\s+)?(?=\S)"
        return re.compile(rf"^(?:{colours}){plays}" if words else r"(?!)", re.IGNORECASE)

    def write(self, entry: ListedOrder) -> str:
        """Return an order as a line that reads back to it."""
        return write_line(self.game, entry, self.language)

    def read(self, text: str) -> ListedOrder | None:
        """Return the order a piece of a line holds, if any; its space may be ``D 6`` or ``D-6``."""
        for spelled in dict.fromkeys((text, with_whole_spaces(text))):
            with suppress(Unreadable):
                given = read_line(self.game, spelled, self.language)
                if isinstance(given, ListedOrder):
                    return given
        return None

    def join(self, parts: Iterable[ListedOrder]) -> ListedOrder | None:
        """Return the one order of which others are the parts, if they are."""
        return self.read(" ".join(map(self.write, parts)))


def with_whole_spaces(text: str) -> str:
    """Return a line with its spaces in one word each: ``D6`` for ``D 6`` and ``D-6``."""
    return _APART.sub(r"\1\2", text)


def our_words(*commands: str) -> frozenset[str]:
    """Return the words by which commands are known, in all languages."""
    return frozenset(word for word, meant in KEYWORDS.items() if meant in commands)


# By these commands orders are not played now, wherever they stand.
DOUBTING: Final = (
    our_words("preview", "queue", "withdraw")
    | class_words("negation", "condition", "wish", "other_time", "coming", "alternative")
    | class_words("taking_back", "unreal", "reported")
)
"""Words around an order by which it may not be meant as it stands, some of our own included."""

_CHOOSING: Final = class_words("alternative")

_SPOKEN_OF: Final = DOUBTING - _CHOOSING
"""Words in a line by which the move that it begins with is only spoken of."""

TAKEN_BACK: Final = class_words("alternative", "negation", "taking_back") | words_for("no")
"""Words between two orders by which the second is meant instead."""

_OF_ORDERS: Final = class_words("handling", "order")
_MEANT: Final = DOUBTING | class_words("handling", "order", "pronoun", "correcting")

_MOST_NAMES: Final = 2
"""Words behind a greeting that say who is greeted."""

NAMED_SPACE: Final = re.compile(r"(?<!\w)(?:[A-Z][a-h]?x?)?([A-Za-z]{1,2}\d{1,2})(?!\w)")
"""The name of a space, if only behind that of a piece: ``Nc3``."""

_PIECE_ON_SPACE: Final = 3
"""The least words that say where a piece stands: “cannon on h2”."""

_ANY_SPACE: Final = re.compile(r"(?i)\b(?:[a-z]\d{1,2}|\d{1,2}[a-z])\b")
"""The name of a space, with its number before or behind its letter."""

_CLOSED: Final = re.compile(r"[.!?…:][)\]\"”’*\s]*$")

_OR: Final = re.compile(rf"\b(?:{'|'.join(map(re.escape, _CHOOSING))})\b", re.IGNORECASE)

_STOP: Final = re.compile(r"[?!,;:…]|\.(?:\s|$)")

_EYES: Final = r"(?:[:;=]|(?<!\S)8)[-o^']?[)(DPp/|*\]]+"
"""A smiley; behind a digit an 8 is none, for ``13/8*`` is a move."""

_PAUSE: Final = re.compile(rf"[?!.,;:…–—]$|^-+$|^{_EYES}$")

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")

_NEGATING: Final = frozenset("❌🚫👎✗✘☒☐⛔🙅🤔❓❔🛑⚠✖❎🗑🙈🤷")
"""Signs that may do so without a word."""

_SMILEY: Final = re.compile(rf"\s*{_EYES}\s*$")
_SMILING: Final = re.compile(rf"\s{_EYES}(?=\s)")

_JOINERS: Final = frozenset("\N{VARIATION SELECTOR-16}\N{ZERO WIDTH JOINER}")
"""Signs that belong to the smiley before them."""

_BEFORE: Final = re.compile(rf"{phrase_pattern('before')}(?:[\s,:.!–-]+|$)", re.IGNORECASE)

_GREETING: Final = re.compile(rf"{phrase_pattern('greeting')}\b", re.IGNORECASE)

GREETED: Final = re.compile(rf"{phrase_pattern('greeting')}\s+[^\W\d]+[\s,.!:)]*", re.IGNORECASE)
"""A greeting with a name, which may be the word or letter of an order: “Hi partner,”, “Hi E”."""

ADDRESS: Final = re.compile(
    rf"^{phrase_pattern('greeting')}\s+(?=[^\W\d]{{2,}}(?:\s+[^\W\d]{{2,}})?\s*,\s*$)",
    re.IGNORECASE,
)
"""The word by which somebody is addressed by name: “Lieber Tom,” prefers nothing."""

_MINE: Final = re.compile(rf"^{phrase_pattern('mine')}[\s:]+", re.IGNORECASE)

_POLITE: Final = BARE | {"cancel", "join", "rules", "set", "show", "watch"}

_MEANT_INSTEAD: Final = re.compile(rf"\b{phrase_pattern('means')}\b", re.IGNORECASE)

_SENTENCES: Final = re.compile(r"(?<=[.!])\s+")

_THANKS: Final = rf"{phrase_pattern('after')}|{phrase_pattern('cheer')}"

REFUSING: Final = re.compile(rf"\b{phrase_pattern('refusing')}\b", re.IGNORECASE)
"""Words that refuse an offer: beside an order they are courtesy, in an answer they are not."""

_PLEASE: Final = re.compile(rf"^(?:{phrase_pattern('after')}\b[\s,:]*)+", re.IGNORECASE)

CHEER: Final = re.compile(rf"\b{phrase_pattern('cheer')}\b", re.IGNORECASE)
"""What one wishes others, in whose words there is no doubt: “Viel Spaß!” is no joke."""


def _behind(phrases: str) -> re.Pattern[str]:
    """Return a pattern of phrases at the end of a line, and of what parts them from it."""
    joined = rf"(?:{pattern_for('and')}\s++)?(?:{phrases})"
    return re.compile(rf"(?<![\s,;.!–-])[\s,;.!–-]++{joined}[\s.,!]*+$", re.IGNORECASE)


_COURTEOUS: Final = _behind(_THANKS)
_AFTER: Final = _behind(rf"{_THANKS}|{phrase_pattern('refusing')}")


def words_in(text: str) -> list[str]:
    """Return the words of a text, casefolded; ``don't`` is two."""
    found: list[str] = []
    for word in _WORD.findall(text.casefold().replace("’", "'")):
        stem, negated, _ = word.partition("n't")
        found += [stem, "n't"] if negated else word.split("'")
    return found


def with_stop(text: str) -> str:
    """Return a text with a stop for the smileys at its end: they end a sentence as well."""
    bare = text.rstrip()
    while bare and (_is_ornament(bare[-1]) or _SMILEY.search(bare)):
        bare = _SMILEY.sub("", bare) if _SMILEY.search(bare) else bare[:-1].rstrip()
    return text if bare == text.rstrip() else f"{bare}."


def with_stops(text: str) -> str:
    """Return a text with stops for all its smileys."""
    return with_stop(_SMILING.sub(".", text))


def ends_sentence(text: str) -> bool:
    """Return whether a text ends with the end of a sentence, if only a smiley."""
    return _CLOSED.search(with_stop(text)) is not None


def entries_in(text: str, tongue: Tongue | None) -> tuple[ListedOrder, ...]:
    """Return the orders of a line that has just one reading; nothing otherwise."""
    # A question is about an order, and gives none; whoever is greeted is none.
    asks = text.rstrip().endswith("?")
    if tongue is None or len(text) > LONGEST_PHRASE or asks or GREETED.fullmatch(text.strip()):
        return ()
    for bare in without_dress(text, tongue):
        pieces = [part for piece in _THEN.split(bare) if piece for part in tongue.game.parts(piece)]
        if 1 <= len(pieces) <= MOST_ORDERS:
            entries = [tongue.read(piece) for piece in pieces]
            # One piece that is no order may turn the others round.
            if all(entries):
                return tuple(entry for entry in entries if entry is not None)
    return ()


def without_dress(text: str, tongue: Tongue) -> dict[str, None]:
    """Return the ways to read a line as one order, without courtesy, remarks and “My move:”."""
    # A sign at a word may belong to the order, so it is taken off only if that cannot be read; and
    # the verb of “I play” may be the order's own word.
    own = tongue.own_colour.sub("", strip_courtesy(text))
    mine = _MINE.sub("", strip_courtesy(_MINE.sub("", own)))
    # A remark may be a part of the order: “the queen (of spades)”, “6H (and knock)”.
    remark = _REMARK.search(text)
    spoken = remark is not None and _WORD.search(remark[0]) and not SPACE.search(remark[0])
    whole = text.translate(_BRACKETS) if spoken else text
    plain = (strip_courtesy(said, signs=True) for said in (whole, text))
    return dict.fromkeys((*plain, strip_courtesy(text), own, mine))


def order_in(
    text: str, tongue: Tongue | None, *, whole: bool = False, alone: bool = False
) -> ListedOrder | None:
    """Return the longest first order that a line tells, or that of all its words.

    Words beside it may say the contrary, so its writer is asked. ``whole``: of all of them alone.
    One that begins with a keyword is always told; of a bare move, such as ``Nf3``, talk may just
    name the space. ``alone``: where no other line is an order, a line that begins with a move and
    goes on about it without a doubt tells that one.
    """
    if tongue is None or len(text) > LONGEST_PHRASE or text.startswith(OUR_DOTS):
        return None
    greeted = GREETED.match(text.strip())
    if greeted and greeted.end() == len(text.strip()):
        return None
    # “Hi Bob, d”, where a letter would be too little anywhere else.
    behind = entries_in(text.strip()[greeted.end() :], tongue) if greeted else ()
    if len(behind) == 1:
        return behind[0]
    for bare in dict.fromkeys((strip_courtesy(text, signs=True), strip_courtesy(text))):
        words = bare.split()
        if len(words) > MOST_WORDS_AROUND:
            return None
        spoken_of = 0
        for at in range(1 if whole else len(words)):
            for end in range(len(words), len(words) - 1 if whole else max(at, spoken_of), -1):
                said = " ".join(words[at:end]).rstrip("?!.,:;… ")
                # “e4 (haha, no: d4)”
                said = said if "(" in said else said.rstrip(")")
                entry = tongue.read(said)
                if entry is None:
                    continue
                # “I do not knock”, “ich klopfe nicht”.
                leads = words[at - 1 : at] if at and not _PAUSE.search(words[at - 1]) else []
                closes = end + 1 == len(words) and not _PAUSE.search(words[end - 1])
                beside = [*leads, *(words[end:] if closes else [])]
                if not class_words("negation").isdisjoint(words_in(" ".join(beside))):
                    pauses = (n + 1 for n in range(at, end) if _PAUSE.search(words[n]))
                    spoken_of = max(spoken_of, next(pauses, end))
                    break
                # “The queen” begins with no verb.
                keyword = " " in said and " " in tongue.write(entry)
                # “The cannon on h2 swings to e2” is one to e2; a stone on h2 stays there.
                stone = SPACE.fullmatch(tongue.write(entry)) is not None
                if not keyword and not stone and _goes_on(words, at, end):
                    break
                keyword = keyword and words[at].casefold() not in words_for("article")
                if keyword or end - at == len(words) or _moves(text, words, at, end):
                    return _with_rest(entry, words[end:], tongue)
                # Talk may begin with a space's name, a number, or a word such as “pass”, or ask.
                last = said.rpartition(" ")[2]
                move = not (SPACE.fullmatch(said) or last.isdecimal() or _is_word(last))
                move = move and (end == len(words) or not words[end - 1].endswith("?"))
                if alone and at == 0 and move and _SPOKEN_OF.isdisjoint(words_in(text)):
                    return _with_rest(entry, words[end:], tongue)
                # Of “the queen of spades” nobody means “the queen”.
                spoken_of = end
                break
    return None


def _goes_on(words: Sequence[str], at: int, end: int) -> bool:
    """Return whether the words from ``at`` to ``end`` end where a piece stands that goes on.

    As “cannon on h2” does in “The cannon on h2 swings to e2”.
    """
    stands = words_for("beside") | words_for("from")
    if end - at < _PIECE_ON_SPACE or words[end - 2].casefold() not in stands:
        return False
    clause = takewhile(lambda n: not _PAUSE.search(words[n - 1]), range(end, len(words) - 1))
    leads = (n for n in clause if words[n].casefold() in words_for("onto"))
    return any(_ANY_SPACE.search(words[n + 1]) for n in leads)


def _with_rest(entry: ListedOrder, words: Sequence[str], tongue: Tongue) -> ListedOrder:
    """Return an order with the parts of it that are told behind it, if they make one together.

    As of a roll: “bar/23, and then I hit with 13/7*”. Where it is taken back, it is what stands
    behind that: “Re1, no sorry, Qxe2”.
    """
    rest = order_in(" ".join(words), tongue, alone=True) if words else None
    if rest is None:
        return entry
    if not TAKEN_BACK.isdisjoint(words_in(" ".join(words))):
        return rest
    return (tongue.game.joins and tongue.join((entry, rest))) or entry


def _is_word(said: str) -> bool:
    """Return whether a text is a word; two capitals, as of a card, are none."""
    return said.isalpha() and not (len(said) < SHORTEST_WORD and said.isupper())


def _moves(text: str, words: Sequence[str], at: int, end: int) -> bool:
    """Return whether the words from ``at`` to ``end`` of a line are a move that it makes.

    The line speaks of a move. Or the clause, beside which nothing stands on one side, is nothing
    else; or it has only words for another choice: ``rather d4``; or it begins or ends with a verb
    of moving: ``I put a stone on D4``. A move that is a word needs its writer beside it: ``I pass
    as well``.
    """
    written = "".join(words[at:end]).rstrip("?!.,:;…")
    said, spoken, is_word = written.casefold(), words_in(text), _is_word(written)
    reasons = {n for n, word in enumerate(words) if word.casefold() in words_for("reason")}
    first = next((n for n in range(at, 0, -1) if _PAUSE.search(words[n - 1])), 0)
    pauses = (
        n
        for n in range(end, len(words))
        if _PAUSE.search(words[n - 1]) or words[n].startswith(("(", "[")) or n in reasons
    )
    last = next(pauses, len(words))
    # “It is too risky, so d4.”
    leads = _BEFORE.sub("", " ".join(words[first:at]), count=1) if first else " ".join(words[:at])
    before, behind = words_in(leads), words_in(" ".join(words[end:last]))
    # “pass? no: e2” asks itself, and “I won't play e4” says that it is none.
    asks = end < len(words) and words[end - 1].endswith("?")
    if asks or not class_words("negation").isdisjoint(before + behind[-1:]):
        return False
    # “I take back D4.”
    if not class_words("taking_back").isdisjoint(before[-1:] + behind[:1]):
        return False
    if not is_word and not _OF_ORDERS.isdisjoint(spoken):
        return True
    alone = not before and not behind and (at == 0 or end == len(words))
    if is_word:
        place = spoken.index(said) if said in spoken else 0
        mine = not words_for("me").isdisjoint(spoken[max(place - 1, 0) : place + 2])
        curt = not before and len(behind) <= MOST_BEHIND
        curt = curt and words_for("article").isdisjoint(behind)
        # Beside spaces it is only a part of what is told: “D6 und C3 sind tot, fertig”.
        told = len(said) >= SHORTEST_WORD and SPACE.search(text) is None
        return told and (alone or (mine and curt))
    if alone:
        return not said.isdecimal()
    if (before or behind) and _CHOOSING.issuperset(before + behind):
        return True
    verb = before[:1] if not behind else behind if len(behind) == 1 else []
    return (
        len(before) <= MOST_BEFORE
        and not class_words("moving").isdisjoint(verb)
        and words_for("article").isdisjoint(before[-1:])
    )


def orders_named(text: str, tongue: Tongue) -> list[Order]:
    """Return the orders that runs of a line's words say, as they stand there.

    A word is part of one at most, of the longest: “knight to f3” names no pawn's move to f3.
    Whether any of them is meant is another question.
    """
    words = text.split()
    if len(text) > LONGEST_PHRASE or len(words) > MOST_WORDS_AROUND:
        return []
    orders, taken = dict[int, Order](), set[int]()
    for length in range(min(LONGEST_RUN, len(words)), 0, -1):
        for at in range(len(words) - length + 1):
            run = range(at, at + length)
            said = " ".join(words[at : at + length]).strip('?!.,:;…()"“”„ ')
            if taken.isdisjoint(run) and (entry := tongue.read(said)):
                taken.update(run)
                orders[at] = entry.order
    return list(dict.fromkeys(orders[at] for at in sorted(orders)))


def orders_told(text: str, tongue: Tongue) -> list[Order]:
    """Return the orders that talk names, but no lone word, such as “pass”, and no day or score."""
    written = {order: tongue.write(ListedOrder(order)) for order in orders_named(text, tongue)}
    return [
        order
        for order, said in written.items()
        if not said.isalpha() and not said.replace("/", "").isdecimal()
    ]


def parts_told(text: str, tongue: Tongue) -> ListedOrder | None:
    """Return the one order of which a sentence tells several parts, as of a roll, if it does.

    A sentence that is nothing else tells it alone: “24/20 13/8. See you on 24/12!”; and where one
    says what is meant instead, that does.
    """
    if not tongue.game.joins:
        return None
    sentences = _SENTENCES.split(_MEANT_INSTEAD.split(text)[-1].strip())
    if whole := next(
        filter(None, map(tongue.read, (said.rstrip(".!") for said in sentences))), None
    ):
        return whole
    told = [named for said in sentences if (named := orders_named(said, tongue))]
    parts = told[0] if len(told) == 1 else []
    return tongue.join(map(ListedOrder, parts)) if len(parts) > 1 else None


def moves_named(text: str, tongue: Tongue) -> tuple[ListedOrder, ...]:
    """Return the bare moves that a sentence names, if it is open which of several is meant.

    Of “after your e4 I play c6” it is c6, of “I wanted to play e4, but d4 is better” d4, which no
    words tell. Where the first is taken back the last is meant; parts of one order are no choice.
    """
    words = words_in(text)
    # “Instead of e4 I play d4”, but “Re1, no sorry, Qxe2”.
    told = TAKEN_BACK.isdisjoint(words) or not TAKEN_BACK.isdisjoint(words[:1])
    if tongue.game.joins or not told:
        return ()
    entries = tuple(map(ListedOrder, orders_named(_REMARK.sub("", text), tongue)))
    bare = all(" " not in tongue.write(entry) for entry in entries)
    return entries if bare and len(entries) > 1 else ()


def orders_worded(text: str, tongue: Tongue) -> tuple[ListedOrder, ...]:
    """Return the orders with keywords that a sentence tells one after the other, if several.

    As of “I play the axe and place D8”. Of one that doubts nothing is sure but that it has orders.
    """
    entries = tuple(map(ListedOrder, orders_named(text, tongue)))
    worded = len(entries) > 1 and all(" " in tongue.write(entry) for entry in entries)
    # “First play the axe, then place D8.”
    doubted = _SPOKEN_OF - words_for("first")
    return entries if worded and doubted.isdisjoint(words_in(text)) else ()


def choices_in(text: str, tongue: Tongue) -> tuple[ListedOrder, ...]:
    """Return the orders between which a line leaves the choice; nothing if it does not.

    Behind the first one may stand only the words that differ: ``place D6 or D8?``.
    """
    found: list[ListedOrder] = []
    for piece in _OR.split(text) if len(text) <= LONGEST_PHRASE else ():
        told = _STOP.split(piece)[0]
        words = words_of(told)
        if found and words:
            begun = words_of(tongue.write(found[0]))
            whole = [*begun[: -len(words)], *words]
            # “Bb5” is a bishop's move, and “bb5” a pawn's.
            ways = (told.strip(" ,.;:!?"), " ".join(words), " ".join(whole))
            entry = next(filter(None, map(tongue.read, ways)), None)
            if entry is None:
                return ()
            found.append(entry)
        elif entry := order_in(piece, tongue):
            found.append(entry)
        # “If possible e4, otherwise d4”.
        elif len(named := orders_told(piece, tongue)) == 1:
            found.append(ListedOrder(named[0]))
    choices = tuple(dict.fromkeys(found))
    return choices if len(choices) > 1 else ()


def hint_of(text: str, tongue: Tongue | None) -> str | None:
    """Return the keyword of a command, or of an order of the game, that talk begins with, if any.

    Lines that begin with our dot are copied from our mails.
    """
    words = words_of(text)
    if not words or words[0].startswith(OUR_DOTS):
        return None
    word = words[0].rstrip(":.!")
    if word in KEYWORDS and not (KEYWORDS[word] == "draw" and tongue and not tongue.game.draws):
        return word
    try:
        return word if tongue and read_line(tongue.game, text, tongue.language) else None
    except Unreadable as fault:
        return None if fault.code == UNKNOWN else word


def strip_courtesy(text: str, *, signs: bool = False, answers: bool = False) -> str:
    """Return a line without courtesy around it and remarks behind it; long ones as they are.

    ``signs``: of the signs that are no letters only those apart from words are taken off.
    ``answers``: words that refuse stay, as the line may answer something.
    """
    if len(text) > LONGEST_PHRASE:
        return text.strip()
    if signs:
        bare = " ".join(word for word in text.split() if not all(map(_is_ornament, word)))
    else:
        bare = "".join(sign for sign in text if not _is_ornament(sign))
    for _ in range(MOST_LAYERS):
        before, bare = bare, bare.rstrip()
        remark = _REMARK.search(bare)
        if remark and is_harmless(remark[0]):
            bare = bare[: remark.start()]
        bare = (_COURTEOUS if answers else _AFTER).sub("", _SMILEY.sub("", bare))
        opening = _BEFORE.match(bare)
        bare = bare[opening.end() :] if opening else bare
        if before == bare:
            break
    return bare.strip()


def greets(text: str) -> bool:
    """Return whether a line greets, if only by a name: “Hi Tom,”, “Tom,”, but not “Cheers,”."""
    opening = _GREETING.match(text)
    if opening is None:
        return len(words_in(text)) == 1 and not is_courtesy(text)
    return len(words_in(text[opening.end() :])) <= _MOST_NAMES


def is_courtesy(text: str) -> bool:
    """Return whether a sentence is but courtesy, such as stands before or behind an order."""
    # “First” alone leads in to what is meant for later.
    lone = words_in(text)[1:] == [] and not DOUBTING.isdisjoint(words_in(text))
    return not lone and not (strip_courtesy(text) and strip_courtesy(f" {text}"))


def is_polite(text: str, above: str) -> bool:
    """Return whether a line only opens or closes a letter, given the one above it.

    Such as “Hi Tom,”, “Kind regards”, and a name below that.
    """
    # “Hi Bob, draw?” asks, and “Cheers”, “Quit Match” may mean something.
    if "?" in text or any(map(str.isdigit, text)):
        return False
    if is_courtesy(text):
        return True
    opening = _GREETING.match(text)
    rest = text[opening.end() :] if opening else text
    if not {*KEYWORDS, *MEANT}.isdisjoint(words_in(rest)):
        return False
    if opening:
        # “Hi, timeout” names nobody.
        parted = rest.startswith(",") and not rest.lstrip(" ,")[:1].isupper()
        return (
            not parted and len(words_in(rest)) <= _MOST_NAMES and _MEANT.isdisjoint(words_in(rest))
        )
    return bool(above) and is_courtesy(above) and _is_name(text)


def is_sign_off(text: str) -> bool:
    """Return whether a line is but courtesy, greets or thanks by name, or signs with one."""
    return is_courtesy(text) or all(
        is_courtesy(part) or _is_name(part) for part in text.split(",") if part.strip()
    )


def _is_name(text: str) -> bool:
    """Return whether a few words, perhaps behind a greeting, may name somebody."""
    greeted = _GREETING.match(text)
    named = text[greeted.end() :] if greeted else text
    known = _MEANT | class_words("announcing", "common") | words_for("yes") | words_for("no")
    large = all(word[:1].isupper() for word in named.split())
    return large and 0 < len(words_in(named)) <= _MOST_NAMES and known.isdisjoint(words_in(named))


def is_harmless(remark: str, *, apart: bool = False) -> bool:
    """Return whether a remark neither asks nor doubts, nor speaks of an order or a space.

    ``apart``: it is a sentence of its own, where a pronoun may stand for anything.
    """
    asks = "?" in remark or NAMED_SPACE.search(remark) is not None
    meant = DOUBTING | _OF_ORDERS if apart else _MEANT
    return not asks and meant.isdisjoint(words_in(CHEER.sub("", remark)))


def without_thanks(line: str) -> str:
    """Return a command without please or thanks; those with prose or a name as they are."""
    bare = _PLEASE.sub("", _COURTEOUS.sub("", line.strip()))
    command = read_command(bare)
    if command is None or command.word not in _POLITE or command.arguments[:1] == ("name",):
        return line
    return bare


def without_mark(line: str) -> str:
    """Return a command without its list mark; other lines as they are.

    ``preview`` and ``queue`` decide whether the lines below are played at once, so they may be
    dressed in courtesy and signs. A please or thanks may stand around many commands.
    """
    marked = unlisted(line.strip())
    plain = without_thanks(marked)
    word = _without_signs(strip_courtesy(_without_signs(plain))).casefold()
    if KEYWORDS.get(word) in {"preview", "queue"}:
        return word
    as_it_stands = read_command(line) is not None and plain == marked
    return line if as_it_stands or read_command(plain) is None else plain


def _without_signs(text: str) -> str:
    """Return a text without the signs around its first and last letter or digit."""
    said = [at for at, sign in enumerate(text) if sign.isalnum()]
    return text[said[0] : said[-1] + 1] if said else ""


def _is_ornament(character: str) -> bool:
    # Signs that may mean *not* are kept, and so are the lines of boxes.
    if character in _NEGATING or "\u2500" <= character <= "\u259f":
        return False
    return character in _JOINERS or unicodedata.category(character) in {"So", "Sk", "Cs"}
