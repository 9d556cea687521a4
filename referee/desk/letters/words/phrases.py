"""Orders inside a sentence, or dressed so that one reading remains.

Only words that surely say nothing are taken off: a greeting, a please, a remark in brackets, a
smiley. Any other word may turn the meaning round, as *not* does, so the line is asked about
instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from referee.desk.letters.words.attempts import SPACE, order_keywords
from referee.desk.letters.words.keywords import ALONE, KEYWORDS, read_command
from referee.games.game import AnyGame, Unreadable
from referee.games.notation import OUR_DOTS, bare
from referee.matches.standing_orders import ListedOrder, read_line
from referee.resources import languages, pattern_for, sentences

LONGEST_PHRASE: Final = 200
"""Characters of a line in which an order is looked for; longer ones are prose."""

MOST_ORDERS: Final = 12
"""Orders on one line that are told apart."""

MOST_LAYERS: Final = 8
"""Courtesies and remarks around each other that are taken off."""

MOST_WORDS: Final = 14
"""Words of a line that may have been meant as an order in spite of the others."""


def _phrases(key: str) -> str:
    """Return the expression of phrases of all languages."""
    said = (sentences(each)["phrase"].get(key) for each in languages())
    preview = "|".join(each for each, word in KEYWORDS.items() if word == "preview")
    return "|".join(filter(None, said)).replace("{preview}", preview)


_THEN: Final = re.compile(
    rf"\s*+(?:;|(?:[,.]\s*+)?(?:\b{pattern_for('and')}\s++)?\b(?:{_phrases('then')})\b)[,:]?\s*+",
    re.IGNORECASE,
)

_APART: Final = re.compile(r"\b([A-Za-z])\s?[-‐‑–. ]\s?([0-9]{1,2})\b")

_REMARK: Final = re.compile(r"\s*+(?:\([^()]{0,120}\)|\[[^\[\]]{0,120}\])[.!\s]*+$")

_TURNING: Final = re.compile(rf"\?|\b(?:{_phrases('turning')})\b", re.IGNORECASE)
"""Words of a remark that may turn an order round."""

_NEGATING: Final = frozenset("❌🚫👎✗✘☒☐⛔🙅🤔❓❔🛑⚠✖❎🗑🙈🤷")
"""Signs that may do so without a word."""

_SMILEY: Final = re.compile(r"\s*[:;=8][-o^']?[)(DPp/|*\]]+\s*$")

_CLOSED: Final = re.compile(r"[.!?:;…][)\]\"'”’»]*$")

_TRYING: Final = re.compile(
    rf"(?!.*\b(?:{_phrases('meant')})\b)(?:{_phrases('previewing')})"
    rf"|(?:{_phrases('trying').replace('{acting}', _phrases('acting'))})",
    re.IGNORECASE,
)
"""Lines beside orders that keep them from being meant as they stand."""

_OTHERS: Final = re.compile(rf"\b(?:{_phrases('others')})\b", re.IGNORECASE)

_BEFORE: Final = re.compile(rf"(?:{_phrases('before')})(?:[\s,:.!–-]+|$)", re.IGNORECASE)

_POLITE: Final = ALONE | {"cancel", "join", "set", "show", "watch"}

_PLEASE: Final = re.compile(rf"^(?:(?:{_phrases('after')})\b[\s,:]*)+", re.IGNORECASE)

_AFTER: Final = re.compile(
    rf"(?<![\s,;.!–-])[\s,;.!–-]++(?:{_phrases('after')})[\s.!]*+$", re.IGNORECASE
)


def entries_in(text: str, game: AnyGame, language: str) -> tuple[ListedOrder, ...]:
    """Return the orders of a line that has just one reading; nothing otherwise."""
    # A question is about an order, and gives none.
    if len(text) > LONGEST_PHRASE or text.rstrip().endswith("?"):
        return ()
    bare = strip_courtesy(text)
    pieces = [each for each in _THEN.split(bare) if each]
    if not 1 <= len(pieces) <= MOST_ORDERS:
        return ()
    found = [_entry(each, game, language) for each in pieces]
    # One piece that is no order may turn the others round.
    return tuple(each for each in found if each is not None) if all(found) else ()


def may_turn(text: str) -> bool:
    """Return whether a word of a line may turn an order round."""
    return _TURNING.search(text) is not None


def order_in(text: str, game: AnyGame, language: str) -> str | None:
    """Return the first order inside a line, as it was written there.

    Words before it may say the contrary, so its writer is asked; one word is an order at the end of
    the line alone.
    """
    if len(text) > LONGEST_PHRASE:
        return None
    words = strip_courtesy(text).split()
    if len(words) > MOST_WORDS:
        return None
    for at in range(len(words)):
        if bare(words[at]).casefold() not in order_keywords():
            continue
        for end in range(len(words), at, -1):
            found = " ".join(words[at:end]).rstrip("?!.,:; ")
            whole = at == 0 and end == len(words)
            short = end == at + 1 < len(words)
            if not whole and not short and _entry(found, game, language) is not None:
                return found
    return None


def is_doubt(
    text: str, game: AnyGame | None, language: str, given: Collection[ListedOrder]
) -> bool:
    """Return whether talk may mean something else than the given orders.

    An order of several words in it may, if it is not what others do, or oneself in another turn.
    """
    if is_unsure(text) or game is None or text.startswith(OUR_DOTS):
        return is_unsure(text)
    found = order_in(text, game, language)
    if found is None or " " not in found or _OTHERS.search(text[: text.find(found.split()[0])]):
        return False
    return may_turn(text) or _entry(found, game, language) not in given


def _entry(text: str, game: AnyGame, language: str) -> ListedOrder | None:
    """Return the order a piece of a line holds, if any.

    The space may also be written ``D 6`` or ``D-6``.
    """
    for each in dict.fromkeys((text, _APART.sub(r"\1\2", text))):
        with suppress(Unreadable):
            given = read_line(game, each, language)
            if isinstance(given, ListedOrder):
                return given
    return None


def strip_courtesy(text: str) -> str:
    """Return a line without courtesy around it and remarks behind it; long ones as they are."""
    if len(text) > LONGEST_PHRASE:
        return text.strip()
    bare = "".join(each for each in text if not _is_ornament(each))
    for _ in range(MOST_LAYERS):
        before = bare
        bare = _AFTER.sub("", _SMILEY.sub("", _without_remark(bare.rstrip())))
        opening = _BEFORE.match(bare)
        bare = bare[opening.end() :] if opening else bare
        if before == bare:
            break
    return bare.strip()


def without_thanks(line: str) -> str:
    """Return a command without please or thanks; those with prose or a name as they are."""
    bare = _PLEASE.sub("", _AFTER.sub("", line.strip()))
    command = read_command(bare)
    if command is None or command.word not in _POLITE or command.arguments[:1] == ("name",):
        return line
    return bare


def is_unsure(line: str) -> bool:
    """Return whether talk asks about orders, or puts a condition."""
    short = len(line.split()) <= MOST_WORDS
    said = (strip_courtesy(line), line.strip().strip("()[]")) if short else ()
    return any(_TRYING.match(each) is not None for each in said if each)


def ends_sentence(line: str) -> bool:
    """Return whether a line ends a sentence, if only by a smiley."""
    text = line.rstrip(" \ufe0f\u200d")
    smiles = _SMILEY.search(text) is not None or any(map(_is_ornament, text[-1:]))
    return smiles or _CLOSED.search(text) is not None


def _is_ornament(character: str) -> bool:
    # Signs that may mean *not* are kept, and so are the lines of boxes.
    if character in _NEGATING or "\u2500" <= character <= "\u259f":
        return False
    return unicodedata.category(character) in {"So", "Sk", "Cs"}


def _without_remark(text: str) -> str:
    """Return a line without a harmless remark in brackets behind it."""
    remark = _REMARK.search(text)
    if remark is None or _TURNING.search(remark[0]) or SPACE.search(remark[0]):
        return text
    named = order_keywords().intersection(re.findall(r"\w+", remark[0].casefold()))
    return text if named else text[: remark.start()]
