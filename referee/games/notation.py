"""Orders as lines of text, with the common mistakes of their writers.

One table of forms serves every language in both directions, so that reading and writing agree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

from referee.games.game import Ambiguous, Order, Unreadable
from referee.games.grid import format_space, parse_space
from referee.resources import words_for
from referee.value import Value

LONGEST_LINE: Final = 998
"""Characters of a line of mail (RFC 5322, 2.1.1). A longer one is no order."""

LONGEST_WORD: Final = 40
"""Characters of an unknown word that are repeated to its writer."""

SHORTEST_GUESSED: Final = 4
"""The shortest keyword recognised despite a typing error.

Too many other words are near a shorter one.
"""

SEPARATORS: Final = str.maketrans(",;", "  ")

OUR_DOTS: Final = ("·", "・", "∙", "⋅", "‧")
"""The middle dot before every order in a mail of the referee.

Such a line is our own coming back, not an order; the variants are made by charsets without it.
"""

MOST_DRESSES: Final = 6
"""Marks and quotes around each other that are taken off. People write fewer."""

UNKNOWN: Final = "unknown-order"
"""The complaint about a line that begins with no keyword of its game."""

MOST_TRIED: Final = 4
"""Words of a line that begins with a keyword and is hardly talk."""

_MOST_BESIDE: Final = 1
"""Words beside its spaces in a line whose keyword is mistyped. With more it is hardly an order."""

SPACE: Final = re.compile(r"\b[A-Za-z]\d{1,2}\b")
"""A space of a grid, as orders name it."""

_UMLAUTS: Final = str.maketrans({"ü": "ue", "ö": "oe", "ä": "ae"})

_SENTENCE: Final = re.compile(r"[,!?;]|\.\s")

_TERSE: Final = 6
"""Words of a line that is short."""

_JOINED: Final = re.compile(r"(?<=[0-9])[-+/&](?=[a-z][0-9])")
"""A sign between two spaces: "D6+E6"."""

_LIST_MARK: Final = re.compile(r"(?:[=-]+>|[*+•‣◦▪●○–—→-]|\(?[0-9]{1,2}[.):]|[a-z]\))\s*+(?=\S)")
_QUOTES: Final = ("„“”\"«»‚‘’'‹›`*_", "“”\"»«‘’'›‹`*_")


class Form(Value):
    """The written form of one kind of order.

    ``keywords`` gives the keyword by language. ``read`` makes the order from the words after the
    keyword, casefolded, and raises Unreadable, with ``chatter`` set when they look unlike the
    order's arguments. ``write`` returns the arguments as text in a language. ``also`` are whole
    lines, of any language, by which people say the same. ``is_way``: the first two arguments are a
    start and a goal of one kind.
    """

    kind: type[Order]
    keywords: Mapping[str, str]
    read: Callable[[Sequence[str]], Order]
    write: Callable[[Order, str], str]
    also: Sequence[str] = ()
    is_way: bool = False


class Noun(Value):
    """How a field of an order is one word of a line.

    ``read`` makes its value from the word, casefolded, and raises Unreadable with ``chatter`` set;
    ``write`` returns the word for a value in a language.
    """

    read: Callable[[str], Any]
    write: Callable[[Any, str], str]


class Notation:
    """All forms of a game, to read and write its orders in every language.

    ``order_types`` gives the kind of order by its word in JSON. ``beside`` are words that people
    write beside the names of things and that say nothing, such as "worker"; ``toward`` are words
    before a goal. Raises ValueError when two forms share a keyword of one language, or one kind has
    two forms.
    """

    def __init__(
        self, forms: Sequence[Form], beside: Collection[str] = (), toward: Collection[str] = ()
    ) -> None:
        self._toward = frozenset(toward)
        self._beside = frozenset(beside) | words_for("article") | words_for("beside")
        self.order_types = {form.kind.word: form.kind for form in forms}
        self._by_kind: dict[type[Order], Form] = {}
        self._by_keyword: dict[str, dict[str, Form]] = {}
        self._by_line = {line: form for form in forms for line in form.also}
        for form in forms:
            if form.kind in self._by_kind:
                raise ValueError(f"two forms for {form.kind.__name__}")
            self._by_kind[form.kind] = form
            for language, keyword in form.keywords.items():
                known = self._by_keyword.setdefault(language, {})
                if known.setdefault(keyword.casefold(), form) is not form:
                    raise ValueError(f"two forms are called {keyword!r} in {language!r}")

    # Logs and lists hold the same lines again and again.
    @lru_cache(maxsize=8192)  # noqa: B019 - a notation lives as long as its game
    def parse(self, line: str, language: str) -> Order:
        """Return the order of a line, preferring the keywords of ``language``.

        Case, commas, no-break and invisible characters, list marks, quotation marks around the
        line, "and" between two things, articles, words such as "on", a colon behind the keyword, a
        trailing full stop and one typing error in a longer keyword do not matter. Raises
        Unreadable, or Ambiguous when a mistyped keyword could be two orders.
        """
        words = words_of(line)
        if not words:
            raise Unreadable(UNKNOWN, chatter=True, word="")
        if said := self._by_line.get(" ".join(words)):
            return said.read(())
        keyword, arguments = words[0], words[1:]
        # A lone keyword with a colon is left as it is: it announces something.
        if arguments:
            keyword = keyword.removesuffix(":")
        # People mix languages, and a German player may have learnt the English words.
        spoken = [self._by_keyword.get(tongue, {}) for tongue in (language, *self._by_keyword)]
        form = next((forms[keyword] for forms in spoken if keyword in forms), None)
        if form is None:
            return self._guess(keyword, arguments, language)
        try:
            return self._read(form, arguments)
        except Unreadable as error:
            raise surely_meant(error, line) from None

    @lru_cache(maxsize=8192)  # noqa: B019
    def format(self, order: Order, language: str) -> str:
        """Return an order as a line in a language, which parses back to the same order."""
        form = self._by_kind[type(order)]
        # A language in which nobody has worded the game yet reads its first one.
        spoken = language if language in form.keywords else next(iter(form.keywords))
        arguments = form.write(order, spoken)
        return f"{form.keywords[spoken]} {arguments}".rstrip()

    def _guess(self, keyword: str, arguments: Sequence[str], language: str) -> Order:
        """Return the order of the one form whose keyword was mistyped and whose words fit."""
        meanings: dict[Order, None] = {}
        refused: Unreadable | None = None
        near = self._near(keyword)
        for form in near:
            try:
                meanings[self._read(form, arguments)] = None
            except Unreadable as error:
                # The keyword was nearly right and the rest almost fits: this complaint helps most.
                if not error.chatter:
                    refused = refused or error
        if len(meanings) > 1:
            raise Ambiguous([self.format(order, language) for order in meanings])
        if meanings:
            return next(iter(meanings))
        if refused is not None:
            raise refused
        slip = False
        if near:
            plain = [word.rstrip(":.!") for word in arguments if word not in words_for("and")]
            beside = sum(SPACE.fullmatch(word) is None for word in plain)
            slip = beside <= _MOST_BESIDE and beside < len(plain)
        raise Unreadable(UNKNOWN, chatter=not slip, word=keyword[:LONGEST_WORD])

    def _read(self, form: Form, arguments: Sequence[str]) -> Order:
        """Return the order a form reads, if need be without what stands beside its things."""
        try:
            return form.read(arguments)
        except Unreadable as error:
            # Tried second, since "and" may be the name of something in a game.
            ends, joints = {0, len(arguments) - 1}, words_for("and")
            told = [word for n, word in enumerate(arguments) if n in ends or word not in joints]
            things: list[str] = []
            for n, word in enumerate(told):
                # A way that begins with its goal would be read the wrong way round.
                before_goal = word in self._toward and (not form.is_way or len(things) == 1)
                from_start = not n and word in words_for("from")
                if word not in self._beside and not before_goal and not from_start:
                    things += _JOINED.split(word)
            if error.chatter and things and things != [*arguments]:
                with suppress(Unreadable):
                    return form.read(things)
            if not error.chatter or len(told) == len(arguments):
                raise
        return form.read(told)

    # A line of talk is read from each of its words on, with each that may be the last.
    @lru_cache(maxsize=8192)  # noqa: B019
    def _near(self, word: str) -> list[Form]:
        """Return the forms whose keyword in any language is one typing error from the word."""
        near: dict[type[Order], Form] = {}
        for keywords in self._by_keyword.values():
            for keyword, form in keywords.items():
                if is_mistyped(word, keyword):
                    near[form.kind] = form
        return list(near.values())


def read_space(word: str) -> str:
    """Return a word as a space of a grid. Raises Unreadable."""
    try:
        return format_space(*parse_space(word))
    except ValueError:
        raise Unreadable("no-space", chatter=True, text=word[:LONGEST_WORD]) from None


A_SPACE: Final = Noun(read_space, lambda space, _: space)
"""The noun for a space of a grid."""


def one_of(code: str, names: Mapping[str, Sequence[str]]) -> Noun:
    """Return the noun for one of several things, all of them named in each language.

    The names in the first language are the values. ``code`` is the complaint about other words.
    """
    values = next(iter(names.values()))
    value_of: dict[str, str] = {}
    for named in names.values():
        value_of |= zip(map(str.casefold, named), values, strict=True)
    # Keyboards without umlauts write ue for ü.
    value_of |= {name.translate(_UMLAUTS): value for name, value in value_of.items()}

    def read(word: str) -> str:
        if word not in value_of:
            raise Unreadable(code, chatter=True, text=word[:LONGEST_WORD])
        return value_of[word]

    def write(value: str, language: str) -> str:
        # JSON may bring a value that is none of them; its refusal repeats it.
        return dict(zip(values, names.get(language, values), strict=True)).get(value, value)

    return Noun(read, write)


def form(
    kind: type[Order], keywords: Mapping[str, str], *nouns: Noun, also: Sequence[str] = ()
) -> Form:
    """Return the form of an order that only joins the words of its fields.

    There is a noun for each field, in their sequence. Raises ValueError for more or fewer.
    """
    if len(nouns) != len(kind.__struct_fields__):
        raise ValueError(f"{kind.__name__} has other fields than these nouns")

    def read(words: Sequence[str]) -> Order:
        # Words too many are read like the last one: the line was meant only if they look right.
        known = (*nouns, *nouns[-1:] * len(words))
        values = [noun.read(word) for noun, word in zip(known, words, strict=False)]
        if len(words) != len(nouns):
            raise Unreadable("wrong-count", chatter=not nouns, order=kind.word)
        return kind(*values)

    def write(order: Order, language: str) -> str:
        values = (getattr(order, name) for name in kind.__struct_fields__)
        pairs = zip(nouns, values, strict=True)
        return " ".join(noun.write(value, language) for noun, value in pairs)

    is_way = len(nouns) > 1 and nouns[0] is nouns[1]
    return Form(kind, keywords, read, write, also, is_way)


def is_terse(text: str) -> bool:
    """Return whether a line is short and unpunctuated, as orders are."""
    plain = text.strip().rstrip(".!")
    return len(plain.split()) <= _TERSE and not _SENTENCE.search(plain)


def surely_meant(fault: Unreadable, line: str) -> Unreadable:
    """Return the complaint about a line that begins with a keyword, as one about an order if it is.

    It is no talk if it is short and unpunctuated, or names a space: rather ask than play half. What
    is exclaimed without one is no order: “Play well!”
    """
    words = words_of(line)
    exclaimed = len(words) > 1 and line.rstrip().endswith("!")
    short = len(words) <= MOST_TRIED and is_terse(line) and not exclaimed
    if fault.chatter and (short or SPACE.search(line)):
        meant = Unreadable(fault.code)
        meant.fields = fault.fields
        return meant
    return fault


@lru_cache(maxsize=4096)
def words_of(line: str) -> tuple[str, ...]:
    """Return the words of a line, casefolded and without decoration.

    Compatibility characters become plain (NFKC), invisible ones go, commas and semicolons part
    words; what :func:`bare` takes off is gone.
    """
    # NFKC is slow, and nearly every order is plain ASCII.
    if line.isascii():
        plain = line.lower()
    else:
        plain = unicodedata.normalize("NFKC", line).casefold()
        plain = "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")
        # Once more: removing an invisible character can bring two together that compose.
        plain = unicodedata.normalize("NFKC", plain)
    return tuple(bare(plain).translate(SEPARATORS).split())


def bare(line: str) -> str:
    """Return a line without list mark, quotation marks and full stop.

    ``1. place D6``, ``* place D6``, ``**place D6**`` and ``„place D6.“`` are ``place D6``. The
    middle dot of the referee's own lines stays.
    """
    opening, closing = _QUOTES
    text = line.strip(" \t,;")
    for _ in range(MOST_DRESSES):
        before = text
        text = text.removesuffix(".").removesuffix("!").rstrip(" \t,;")
        if len(text) > 1 and text[0] in opening and text[-1] in closing:
            text = text[1:-1].strip()
        # List marks go last, once the quotation marks around the line are gone.
        if text == before:
            text = unlisted(text)
            if text == before:
                break
    return text


def unlisted(line: str) -> str:
    """Return a line without its first list mark: ``1.``, ``(2)``, ``a)``, ``-``."""
    mark = _LIST_MARK.match(line)
    return line[mark.end() :] if mark else line


def is_mistyped(word: str, keyword: str) -> bool:
    """Whether a word is a keyword with a typing error; short keywords are not guessed."""
    return len(keyword) >= SHORTEST_GUESSED and one_typing_error(word, keyword)


def one_typing_error(word: str, keyword: str) -> bool:
    """Whether one insertion, deletion, substitution or neighbouring swap parts the two."""
    if word == keyword or abs(len(word) - len(keyword)) > 1:
        return False
    differing = (n for n, (a, b) in enumerate(zip(word, keyword, strict=False)) if a != b)
    start = next(differing, min(len(word), len(keyword)))
    left, right = word[start:], keyword[start:]
    if len(left) == len(right):
        # Two neighbours exchanged count as one error, as fingers make it.
        swapped = left[1:2] + left[:1] + left[2:]
        return left[1:] == right[1:] or swapped == right
    return left[1:] == right or left == right[1:]
