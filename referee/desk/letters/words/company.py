"""Company of orders: alone they are played, in company they wait, contradicted they are asked.

No list of phrases can know what people will write around an order, so its shape decides first.

1. *Alone*: at once. Outside a box, page or file nothing is said, or beside the lines of orders
   stands nothing but greeting, closing, signature, courtesy, or sentences without a word of the
   doubting classes. The text of a message, note or ``luck`` is none of it, unless the message is
   left open above orders.
2. *In company*: held for the time of talk. A sentence has such a word, in any language; or a dozen
   words and more are in a language without classes, as hardly any is among the commonest words of
   those that have some.
3. *Contradicted*: held until a yes. The order is part of a sentence on its line; what leads in to
   it or goes on from it has a doubting word or another player's name; a clause has a negation or a
   taking back with a verb of handling or a noun for orders, or is short and has a pronoun for them;
   a sentence announces what follows later; a short one is nothing but such words. Alternatives to
   choose from cannot be answered with a yes, so their writer is asked which.

One contradiction holds for everything that its place in the letter orders. The edges of a letter
(first lines of up to four words, last ones of up to five) are no company, but may contradict. Below
the mark of a signature only what announces or takes back counts. The classes are closed in every
grammar; they stand in the catalogues (``[classes]``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from referee.desk.letters.words.lines import ALONE, Company, ReadLine
from referee.desk.letters.words.phrases import DOUBTING, words_in
from referee.resources import class_words

MOST_OPENING: Final = 4
"""Words of a line at the beginning of a letter that is no company."""

MOST_CLOSING: Final = 5
"""Words of a line at its end that is none."""

SHORT: Final = 5
"""Words of a clause in which a pronoun means the order."""

LONG_TALK: Final = 12
"""Words from which on the language of talk can be told."""

_HANDLING: Final = class_words("handling") | class_words("order")

_TURNING: Final = class_words("negation") | class_words("taking_back")

_PAST: Final = frozenset({"yesterday", "last", "earlier", "gestern", "letzte", "letzten", "vorher"})

_COMING: Final = (class_words("time") | class_words("alternative")) - _PAST

_GOVERNING: Final = class_words("condition") | class_words("unreal")

_JOINING: Final = class_words("condition") | class_words("alternative") | class_words("negation")

_NOTHING_ELSE: Final = (
    DOUBTING | _HANDLING | class_words("pronoun") | class_words("announcing")
) | class_words("common")

_SENTENCE: Final = re.compile(r"(?<=[.!?…:])[\s)\]\"”’*]+")

_CLAUSE: Final = re.compile(r"[,;–—]|\s-+\s|\b(?:but|aber)\b", re.IGNORECASE)

_CLOSED: Final = re.compile(r"[.!?…:][)\]\"”’*\s]*$")

_CARRIES_ON: Final = ("?", ",", "…", "..")


@dataclass(slots=True)
class _Sentence:
    """A sentence of talk, the lines it stands on, and how it stands to the orders beside it."""

    text: str
    first: int
    last: int
    edge: bool = False
    leads: bool = False
    carries_on: bool = False
    words: frozenset[str] = field(default_factory=frozenset)


def company_of(
    own: Sequence[ReadLine],
    letter: Sequence[ReadLine],
    tail: Iterable[str],
    others: Collection[str],
) -> Company:
    """Return the company of one place's orders.

    ``own`` are its lines, ``letter`` those written freely, the same for a place of free lines;
    ``tail`` stands below the mark of a signature, ``others`` are the words for the other players.
    """
    in_sentence = next((line.text for line in own if line.spoken), "")
    if in_sentence:
        return Company("contradicted", in_sentence)
    if between := _alternatives(own):
        return Company("alternatives", between)
    sentences = [*_sentences(letter, edges=True)]
    if own is not letter:
        sentences += _sentences(own, edges=False)
    for sentence in sentences:
        if _contradicts(sentence, others):
            return Company("contradicted", sentence.text)
    for text in tail:
        if _announces(words_in(text)) or _takes_back(text):
            return Company("contradicted", text)
    beside = [sentence for sentence in sentences if not sentence.edge]
    doubting = (sentence.text for sentence in beside if sentence.words & DOUBTING)
    if (words := next(doubting, "")) or (words := _foreign(beside)):
        return Company("company", words)
    return ALONE


def _sentences(lines: Sequence[ReadLine], *, edges: bool) -> Iterator[_Sentence]:
    talk = [at for at, line in enumerate(lines) if line.is_talk]
    begins_large = [lines[at].text[:1].isupper() for at in talk if lines[at].text[:1].isalpha()]
    capitals = sum(begins_large) * 2 >= len(begins_large) > 0
    found: list[_Sentence] = []
    for at, line in enumerate(lines):
        if not line.is_talk:
            found += [_Sentence(text, at, at) for text in _SENTENCE.split(line.open_text) if text]
            continue
        pieces = [text for text in _SENTENCE.split(line.text) if text]
        above = found[-1] if found else None
        unfinished = above is not None and above.last == at - 1 and not _CLOSED.search(above.text)
        small = capitals and line.text[:1].islower()
        if above is not None and unfinished and not line.gap and (line.runs or small):
            above.text, above.last = f"{above.text} {pieces[0]}", at
            pieces = pieces[1:]
        found += [_Sentence(text, at, at) for text in pieces]
    edge = set(_edges([(at, lines[at].text) for at in talk])) if edges else set()
    for number, sentence in enumerate(found):
        sentence.words = frozenset(words_in(sentence.text))
        sentence.edge = {sentence.first, sentence.last} <= edge
        last_of_line = number + 1 == len(found) or found[number + 1].first > sentence.last
        first_of_line = number == 0 or found[number - 1].last < sentence.first
        sentence.leads = last_of_line and _leads(sentence, lines)
        sentence.carries_on = first_of_line and _carries_on(sentence, lines, capitals=capitals)
    yield from found


def _edges(talk: Sequence[tuple[int, str]]) -> Iterator[int]:
    for most, lines in ((MOST_OPENING, talk), (MOST_CLOSING, talk[::-1])):
        for at, text in lines:
            if len(words_in(text)) > most:
                break
            yield at


def _leads(sentence: _Sentence, lines: Sequence[ReadLine]) -> bool:
    """Return whether a sentence leads in to an order: by a colon, or by running into its line."""
    below = lines[sentence.last + 1] if sentence.last + 1 < len(lines) else None
    if below is not None and below.is_talk:
        return False
    if sentence.text.rstrip(" *_").endswith((":", "：")):
        return True
    return below is not None and not below.gap and not _CLOSED.search(sentence.text)


def _carries_on(sentence: _Sentence, lines: Sequence[ReadLine], *, capitals: bool) -> bool:
    """Return whether a sentence goes on from the order above it."""
    if sentence.first == 0 or lines[sentence.first - 1].is_talk:
        return False
    if sentence.text.startswith(_CARRIES_ON):
        return True
    first = next(iter(words_in(sentence.text)), "")
    joined = first in _JOINING or (capitals and sentence.text[:1].islower())
    return joined and not lines[sentence.first].gap


def _contradicts(sentence: _Sentence, others: Collection[str]) -> bool:
    if sentence.leads and (_leads_doubtfully(sentence) or _names(sentence.text, others)):
        return True
    if sentence.carries_on and (
        sentence.words & DOUBTING
        or sentence.text.startswith(("?", ","))
        or _names(sentence.text, others)
    ):
        return True
    words = words_in(sentence.text)
    nothing_else = len(words) <= SHORT and _NOTHING_ELSE.issuperset(words)
    if nothing_else and not DOUBTING.isdisjoint(words):
        return True
    return _announces(words) or any(map(_turns, _CLAUSE.split(sentence.text)))


def _leads_doubtfully(sentence: _Sentence) -> bool:
    """Return whether a doubt governs what a sentence leads in to.

    A condition does from any of its clauses, everything else from the last one.
    """
    *_, last = _CLAUSE.split(sentence.text)
    return bool(sentence.words & _GOVERNING) or not DOUBTING.isdisjoint(words_in(last))


def _names(text: str, others: Collection[str]) -> bool:
    """Return whether another player is named who is not merely addressed."""
    return any(
        len(words) > 1 and not words.isdisjoint(others)
        for words in map(set, map(words_in, text.split(",")))
    )


def _turns(clause: str) -> bool:
    """Return whether a clause negates or takes back an order."""
    words = set(words_in(clause))
    if words.isdisjoint(_TURNING):
        return False
    if not words.isdisjoint(_HANDLING):
        return words.isdisjoint(_PAST) or not words.isdisjoint(class_words("taking_back"))
    return _takes_back(clause) or (
        len(words) <= SHORT and not words.isdisjoint(class_words("pronoun"))
    )


def _takes_back(text: str) -> bool:
    """Return whether a short clause takes an order back."""
    words = set(words_in(text))
    meant = class_words("pronoun") | _HANDLING
    return (
        len(words) <= SHORT
        and not words.isdisjoint(class_words("taking_back"))
        and not words.isdisjoint(meant)
    )


def _announces(words: Iterable[str]) -> bool:
    """Return whether words announce that something follows later."""
    said = set(words)
    return not said.isdisjoint(class_words("announcing")) and not said.isdisjoint(_COMING)


def _alternatives(lines: Sequence[ReadLine]) -> str:
    """Return the words between two orders that make them alternatives; empty if none do."""
    orders = [at for at, line in enumerate(lines) if line.order is not None]
    for above, below in pairwise(orders):
        for line in lines[above + 1 : below]:
            if line.is_talk and not class_words("alternative").isdisjoint(words_in(line.text)):
                return line.text
    return ""


def _foreign(sentences: Sequence[_Sentence]) -> str:
    """Return the first sentence of talk in a language without classes; empty for others."""
    words = [word for sentence in sentences for word in words_in(sentence.text)]
    known = sum(word in class_words("common") for word in words)
    return sentences[0].text if len(words) >= LONG_TALK and known * LONG_TALK <= len(words) else ""
