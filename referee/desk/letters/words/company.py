"""Company of orders: alone they are played, in company they wait, contradicted they are asked.

No list of phrases can know what people will write around an order, so its shape decides first.

1. *Alone*: at once. Outside a box, page or file nothing is said, or beside the lines of orders
   stands nothing but greeting, closing, signature, courtesy, or sentences without a word of the
   doubting classes. The text of a message, note or ``luck`` is none of it, unless the message is
   left open above orders.
2. *In company*: held for the time of talk. A sentence has such a word, in any language, asks with
   a word of any class, names a space that no order does, or follows an order with a word that may
   correct it ("sorry jack") or with a thought of its writer's; or it is in other letters than Latin
   ones; or a dozen words and more are in a language without classes, as hardly any is among the
   commonest words of those that have some.
3. *Contradicted*: held until a yes. The order is part of a sentence on its line; what leads in to
   it or goes on from it has a doubting word or another player's name, or asks (“What about”, and
   below it the order); the sentence beside it speaks of what is not meant, or is short and doubts
   with a pronoun or with nothing else, corrects, or ends with a no, or begins with "sorry" and
   names another space, or thinks about it ("let me think about it"), or is but a piece of another
   order ("16", "no, e", "make that 1R"); a clause has a negation or a taking back with a verb of
   handling, a noun or a pronoun for orders, or a word of theirs ("not JD"), or puts something in
   the place of one ("JH instead of JD"); a sentence makes one of these depend on a condition, is
   below the orders nothing but one ("If Bob agrees."), or announces it for later.
   Alternatives cannot be answered with a yes, so their writer is asked which: orders with an "or"
   or a "sorry" between them, or with talk between them if they cannot all be played.

One contradiction holds for everything that its place in the letter orders. The edges of a letter
(first lines of up to four words, last ones of up to five) are no company, unless they stand right
below an order, ask, or doubt the orders above, but may contradict. Below the mark of a signature
only what announces or takes back counts. A later letter of talk alone is read as if it stood below
the orders that are held. The classes are closed in every grammar; they stand in the catalogues
(``[classes]``).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, dropwhile, islice, pairwise
from typing import Final, Literal, TypeAlias

from referee.desk.letters.words.keywords import MEANT
from referee.desk.letters.words.phrases import (
    ADDRESS,
    CHEER,
    DOUBTING,
    NAMED_SPACE,
    Tongue,
    ends_sentence,
    greets,
    is_courtesy,
    orders_told,
    our_words,
    strip_courtesy,
    with_stop,
    with_stops,
    words_in,
)
from referee.desk.letters.words.places import ALONE, Company, ReadLine
from referee.games.notation import SPACE
from referee.mail.incoming.lines import WrittenLine
from referee.resources import class_words, phrase_pattern, words_for

MOST_OPENING: Final = 4
"""Words of a line at the beginning of a letter that is no company."""

MOST_CLOSING: Final = 5
"""Words of a line at its end that is none."""

SHORT: Final = 6
"""Words of a clause in which a pronoun means the order."""

CURT: Final = 4
"""Words of a clause that does nothing but take back."""

CURTEST: Final = 2
"""Words of a question that can only be about the order above it."""

_WIDEST: Final = 100
"""Characters of a line that a program may have wrapped; a longer one is a whole paragraph."""

LONG_TALK: Final = 12
"""Words from which on the language of talk can be told."""


def _meaning(command: str) -> frozenset[str]:
    """Return the words for a command, also those that people use in place of ours."""
    return our_words(command) | {word for word, meant in MEANT.items() if meant == command}


_NEGATION: Final = class_words("negation")
_CONDITION: Final = class_words("condition")
_TAKING_BACK: Final = class_words("taking_back") | _meaning("withdraw")
_HALTING: Final = class_words("halting")
_HANDLING: Final = class_words("handling")
_ORDER: Final = class_words("order")
_PRONOUN: Final = class_words("pronoun")
_ANNOUNCING: Final = class_words("announcing")
_COMING: Final = class_words("coming")
_CORRECTING: Final = class_words("correcting")
_BETTER: Final = class_words("preferring")
_CORRECTIONS: Final = _CORRECTING | _BETTER

_DRAW: Final = _meaning("draw")

_RESTRICTING: Final = class_words("restricting", "common")
"""Words before a condition: “but only if”."""

_GOVERNING: Final = class_words("condition", "unreal", "reported")
"""Words that govern a main clause from another one."""

_JOINING: Final = class_words("condition", "alternative", "negation")
"""Words by which a sentence goes on, whatever its first letter."""

_ANY: Final = DOUBTING | class_words("handling", "order", "pronoun", "announcing")
_CHANGING: Final = (
    _ANY | _CORRECTIONS | class_words("moving")
    | words_for("no") | words_for("polite") | words_for("me")
)  # fmt: skip
"""Words beside which a piece of an order, as in “no, e” or “make that 1R”, takes its place."""

_NOTHING_ELSE: Final = _ANY | _CORRECTIONS | class_words("common", "moving")

_INSTEAD: Final = class_words("alternative") | _BETTER
"""Words beside a word of an order by which something else is meant in its place."""

_NO_MORE: Final = _NOTHING_ELSE | words_for("filler")
"""Words of a sentence that is nothing but doubt: “dann doch nicht”."""

_EVERYDAY: Final = _NOTHING_ELSE | frozenset().union(
    *map(words_for, ("polite", "article", "me", "yes", "no", "beside"))
)
"""Words that stand in every sentence, and so in orders that are sentences."""

_SAYING_OF: Final = class_words("being", "wish")
"""Verbs whose subject may be the order on the line above."""

SENTENCE: Final = re.compile(r"(?<=[.!?…:])[\s)\]\"”’*]+|\n{2,}")

CLAUSE: Final = re.compile(
    r"[,;–—]|\s-+\s|\b(?:and|but|because|so|und|aber|weil|also)\b", re.IGNORECASE
)

_GOES_ON: Final = ("?", ",", "…", "..")

_PIECE: Final = re.compile(
    r"(?<![\w'’])(?:[b-hj-zB-HJ-Z]|[aA](?=\W*$)|[A-Za-z]{0,2}\d{1,2}[A-Za-z]{0,2})(?![\w'’])"
)
"""What may be a piece of an order: a number, the name of a space, a letter that is no word."""

_MEANS: Final = re.compile(rf"(?:.*\s)?{phrase_pattern('means')}\b", re.IGNORECASE)
"""Words by which one says what one means instead of what stands above."""


AskedOf: TypeAlias = Literal["seat", "orders", "end"]
"""The matter of a yes: a seat, orders that are held, or an end, such as a draw."""

AGREED: Final = re.compile(rf"\b{phrase_pattern('agreed')}\b")
"""Words that say yes together, in any language: “sounds good”."""

_DECLINED: Final = re.compile(rf"{phrase_pattern('refusing')}|{phrase_pattern('declining')}")
"""Those that say no together: “not now”."""

_SEATED: Final = re.compile(rf"\b(?:{phrase_pattern('agreed')}|{phrase_pattern('joining')})\b")
"""Those, and words that take a seat: “let's play” agrees to no draw."""


@dataclass(slots=True)
class _Sentence:
    """A sentence of talk on the lines ``first`` to ``last``, and how it stands to the orders.

    ``leads`` in to an order below, ``goes_on`` from one above; ``beside``: it is the nearest one to
    an order; ``below`` one, and ``close`` to it if nothing parts them. ``is_part``: the order is a
    part of it, whatever its words.
    """

    text: str
    first: int
    last: int
    edge: bool = False
    leads: bool = False
    goes_on: bool = False
    beside: bool = False
    below: bool = False
    close: bool = False
    is_part: bool = False
    words: frozenset[str] = field(default_factory=frozenset)

    @property
    def said(self) -> str:
        """The sentence without what one wishes others, or calls them; quoted it is as written."""
        return CHEER.sub("", ADDRESS.sub("", self.text))


def company_of(
    own: Sequence[ReadLine],
    letter: Sequence[ReadLine],
    tail: Iterable[str],
    others: Collection[str],
    habits: Collection[str] = (),
    tongue: Tongue | None = None,
    own_words: Collection[str] = (),
) -> Company:
    """Return the company of one place's orders.

    ``own`` are its lines, ``letter`` those written freely, the same for a place of free lines;
    ``tail`` stands below the mark of a signature, ``others`` are the words for the other players,
    ``own_words`` those for their writer and the match, ``habits`` the hashes of blocks that begin
    or end their writer's letters.
    """
    if in_sentence := next((line.spoken for line in own if line.spoken), ""):
        return Company("contradicted", in_sentence)
    # Words between two orders may make them alternatives.
    ordering = [at for at, line in enumerate(own) if line.order is not None]
    for line, below in pairwise(own[ordering[0] : ordering[-1] + 1] if ordering else ()):
        alternative = not class_words("alternative").isdisjoint(words_in(line.text))
        # A sentence that names another order stands above that one.
        names = below.order is not None and below.text == line.text
        # “3”, “sorry”, “4”.
        words = words_in(line.text)
        corrects = bool(words) and _CORRECTIONS.issuperset(words)
        if line.is_prose and (alternative or names or corrects or _prefers(line.text)):
            return Company("alternatives", line.text)
    begun = [at for at, line in enumerate(letter) if line.gap or at == 0]
    edges = {(begun[0], [*begun, len(letter)][1]), (begun[-1], len(letter))} if begun else ()
    # The first and the last block are no talk if their writer's letters have them.
    habitual = {
        at
        for first, end in edges
        if _habit("\n".join(line.text for line in letter[first:end])) in habits
        for at in range(first, end)
    }
    sentences = _sentences(letter, set(_edges(letter)))
    sentences = [
        sentence
        for sentence in sentences
        if sentence.first not in habitual
        and not is_courtesy(sentence.text)
        # A name may be a word of the classes: “Can”, “Don May”.
        and not (
            sentence.edge
            and sentence.words
            and sentence.words <= {*own_words}
            and not sentence.text.endswith(("?", "!"))
        )
    ]
    if own is not letter:
        sentences += _sentences(own, ())
    orders = [line.order for line in own if line.order is not None]
    told = _told_in(line.text for line in own if line.order is not None)
    for sentence in sentences:
        if _contradicts(sentence, others, told):
            return Company("contradicted", sentence.text)
    for text in chain.from_iterable(map(SENTENCE.split, tail)):
        takes_back = any(_takes_back(clause, told) for clause in CLAUSE.split(text))
        if _announces(words_in(text)) or takes_back:
            return Company("contradicted", text)
    talk = [sentence for sentence in sentences if not sentence.edge or sentence.close]
    doubting = [sentence for sentence in talk if sentence.words & DOUBTING]
    # Few words at the end may doubt the orders above; another time says goodbye.
    doubting += [
        sentence
        for sentence in sentences
        if sentence.beside
        and (sentence.below or own is not letter)
        and (
            sentence.words & (DOUBTING - _COMING - class_words("other_time"))
            or not (sentence.words.isdisjoint(_COMING) or sentence.words.isdisjoint(_PRONOUN))
        )
    ]
    # What asks with a word of any class is no greeting.
    doubting += [
        sentence
        for sentence in sentences
        if sentence.text.endswith("?") and not sentence.words.isdisjoint(_ANY)
    ]

    def names_another(text: str) -> bool:
        spaces = NAMED_SPACE.findall(text)
        return bool(told) and any(space.casefold() not in told for space in spaces)

    shapes = {_shape(piece) for piece in told if _PIECE.fullmatch(piece)}

    def has_another_piece(text: str) -> bool:
        pieces = [piece.casefold() for piece in _PIECE.findall(text)]
        return any(piece not in told and _shape(piece) in shapes for piece in pieces)

    # “Sorry, D8” and “no, e” correct, “sorry jack” may.
    for sentence in sentences:
        if not sentence.close:
            continue
        prefers = _prefers(sentence.said)
        # “16”, “e instead”; a letter alone may be a kiss.
        rest = {word for word in words_in(sentence.text) if not _PIECE.fullmatch(word)}
        rest -= told
        bare = sentence.text.strip(" .!")
        changes = rest <= _CHANGING if rest else not bare.isalpha() and _PIECE.fullmatch(bare)
        if (prefers and names_another(sentence.text)) or (
            changes and len(sentence.text.split()) <= CURT and has_another_piece(sentence.text)
        ):
            return Company("contradicted", sentence.text)
        # “4 is better”; “Let me think about it”.
        better = not sentence.words.isdisjoint(_BETTER) and has_another_piece(sentence.text)
        said = words_in(sentence.said)
        thinks = len(said) <= SHORT and not _ANNOUNCING.isdisjoint(said)
        asks = sentence.text.endswith("?")
        if thinks and not asks and not _PRONOUN.isdisjoint(said):
            return Company("contradicted", sentence.text)
        if prefers or better or (thinks and not words_for("me").isdisjoint(said)):
            doubting.append(sentence)
    if doubting:
        return Company("company", doubting[0].text)
    # What names another space than the orders, or another of them, may correct one, whatever its
    # words.
    for sentence in talk if told else ():
        named = orders_told(sentence.text, tongue) if tongue else []
        if names_another(sentence.text) or any(order not in orders for order in named):
            return Company("company", sentence.text)
    for sentence in talk:
        # All languages with classes are written in Latin letters.
        plain = unicodedata.normalize("NFKD", sentence.text)
        letters = [sign for sign in plain if unicodedata.category(sign) in {"Lu", "Ll", "Lo"}]
        if any("LATIN" not in unicodedata.name(letter, "LATIN") for letter in letters):
            return Company("company", sentence.text)
    words = [word for sentence in talk for word in words_in(sentence.text)]
    known = sum(word in class_words("common") for word in words)
    # Talk in a language without classes.
    if len(words) >= LONG_TALK and known * LONG_TALK <= len(words):
        return Company("company", talk[0].text)
    return ALONE


def habits_of(lines: Iterable[WrittenLine]) -> set[str]:
    """Return the hashes of the first and the last block of lines that blank lines part.

    Of short ones there are none: they say something each time they are written.
    """
    blocks: list[list[str]] = []
    for line in lines:
        if line.gap or not blocks:
            blocks.append([])
        blocks[-1].append(line.text)
    return {*map(_habit, ["\n".join(block) for block in (*blocks[:1], *blocks[-1:])])} - {""}


def _habit(block: str) -> str:
    if len(words_in(block)) < LONG_TALK:
        return ""
    return hashlib.sha256(block.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _sentences(lines: Sequence[ReadLine], edge: Collection[int]) -> list[_Sentence]:
    """Return the sentences of a place's talk, each with its standing to the orders beside it."""
    hand = _Hand(lines, edge)
    found: list[_Sentence] = []
    for at, line in enumerate(lines):
        text = with_stop(line.text if line.is_prose else line.open_text)
        pieces = [piece for piece in SENTENCE.split(text) if piece.strip()]
        if pieces and found and found[-1].last == at - 1 and hand.flows(at):
            found[-1].text, found[-1].last = f"{found[-1].text} {pieces[0]}", at
            pieces = pieces[1:]
        found += [_Sentence(piece, at, at) for piece in pieces]
    for number, sentence in enumerate(found):
        sentence.words = frozenset(words_in(sentence.said))
        sentence.edge = sentence.first in edge and sentence.last in edge
        if number + 1 == len(found) or found[number + 1].first > sentence.last:
            hand.place_above(sentence)
        above = found[number - 1] if number else None
        if above is None or above.last < sentence.first:
            hand.place_below(sentence)
        elif above.text.endswith(":"):
            # “Better: 4”.
            sentence.below, sentence.close = above.below, above.close
    return found


def _edges(letter: Sequence[ReadLine]) -> Iterator[int]:
    """Yield the first lines of few words, and the last ones."""
    talk = [(at, line.text) for at, line in enumerate(letter) if line.is_prose]
    for most, lines in ((MOST_OPENING, talk), (MOST_CLOSING, talk[::-1])):
        for at, text in lines:
            if len(words_in(text)) > most:
                break
            yield at


class _Hand:
    """The hand of a writer: whether sentences begin large and end with a stop, line by line."""

    def __init__(self, lines: Sequence[ReadLine], edge: Collection[int]) -> None:
        self.lines = lines
        self.edge = edge
        self.talk = [at for at, line in enumerate(lines) if line.is_prose]
        begun = []
        for at in self.talk:
            line, above = lines[at], lines[at - 1] if at else None
            begins = above is None or line.gap or not above.is_prose or ends_sentence(above.text)
            if begins and line.text[:1].isalpha():
                begun.append(line.text)
        ended = [lines[at].text for at in self.talk if at not in edge]
        self.capitals = 2 * sum(text[:1].isupper() for text in begun) >= len(begun) > 0
        self.stops = 2 * sum(map(ends_sentence, ended)) >= len(ended) > 0

    def _is_small(self, at: int) -> bool:
        """Return whether a line goes on small, by a writer who begins sentences large."""
        return self.capitals and self.lines[at].text[:1].islower()

    def flows(self, at: int) -> bool:
        """Return whether a line of talk goes on the sentence of the one above."""
        line, above = self.lines[at], self.lines[at - 1]
        unfinished = above.is_prose and line.is_prose and not ends_sentence(above.text)
        return unfinished and not line.gap and (line.runs or self._is_small(at))

    def place_above(self, sentence: _Sentence) -> None:
        """Note how a sentence stands that ends its line, to the order below it.

        What is written into a box stands anywhere, so there the talk at either end is beside it.
        """
        below = self.lines[sentence.last + 1] if sentence.last + 1 < len(self.lines) else None
        if below is not None and below.is_prose:
            return
        sentence.beside = True
        colon = sentence.text.rstrip(" *_").endswith((":", "："))
        unfinished = below is not None and not ends_sentence(sentence.text)
        further = next((at for at in self.talk if at > sentence.last), None)
        # The talk below the orders goes on small.
        resumed = (
            further is not None
            and further not in self.edge
            and (self.lines[further].text.startswith(_GOES_ON) or self._is_small(further))
        )
        governed = bool(sentence.words & _CONDITION) or self.stops
        near = below is not None and not below.gap
        sentence.leads = colon or (unfinished and (near or resumed or governed))
        wrapped = len(self.lines[sentence.last].text) <= _WIDEST
        sentence.is_part = below is not None and below.runs and unfinished and wrapped

    def place_below(self, sentence: _Sentence) -> None:
        """Note how a sentence stands that begins its line, to the order above it."""
        at = sentence.first
        above = self.lines[at - 1] if at else None
        if above is not None and above.is_prose:
            return
        sentence.beside = True
        if above is None:
            return
        sentence.below = True
        sentence.close = not self.lines[at].gap
        first = next(iter(words_in(sentence.text)), "")
        # “Bc4”, and below it “is too risky”.
        said_of = sentence.close and sentence.text[:1].islower() and first in _SAYING_OF
        sentence.goes_on = sentence.text.startswith(_GOES_ON)
        sentence.is_part = said_of or sentence.text.startswith(("?", ","))
        before = next((n for n in reversed(self.talk) if n < at), None)
        # The talk above the orders leads in to them.
        led = (
            before is not None
            and at not in self.edge
            and before not in self.edge
            and not ends_sentence(self.lines[before].text.rstrip(":"))
        )
        near = not self.lines[at].gap or led
        # “No rush” is whole, “no e4” goes on.
        second = next(islice(words_in(sentence.text), 1, None), "")
        whole = first in words_for("no") and second and second not in _NOTHING_ELSE
        joined = first in _JOINING and not (self.capitals or whole)
        sentence.goes_on |= near and (joined or self._is_small(at))


def _contradicts(sentence: _Sentence, others: Collection[str], told: Collection[str]) -> bool:
    """Return whether a sentence of talk contradicts the orders beside it: the third rule above.

    ``told`` are the words of their lines.
    """
    if sentence.is_part:
        return True
    clauses = CLAUSE.split(sentence.said)
    if sentence.leads:
        # A condition governs what it leads in to from any clause, every other doubt from the last.
        last = next((said for clause in reversed(clauses) if (said := words_in(clause))), [])
        doubtful = sentence.words & _GOVERNING or not (DOUBTING | _CORRECTING).isdisjoint(last)
        named = _names(sentence.text, others) and not greets(sentence.text)
        # “What about”, and below it “e4”.
        asked = words_in(sentence.text)
        asks = not class_words("asking").isdisjoint((*asked[:1], *asked[-1:]))
        if doubtful or named or asks:
            return True
    if sentence.goes_on and (sentence.words & DOUBTING or _names(sentence.text, others)):
        return True
    words = words_in(sentence.said)
    if sentence.below and len(words) <= SHORT:
        asks = sentence.text.endswith("?")
        # “Legal?”; “actually no”; “the other knight”.
        corrects = not _CORRECTING.isdisjoint(words) or _MEANS.match(sentence.text)
        if (asks and len(words) <= CURTEST) or corrects:
            return True
        # “Then better not.”
        denies = not (words_for("no") | words_for("not")).isdisjoint(words[-1:])
        if len(words) <= CURT and not asks and denies:
            return True
    if sentence.beside and len(words) <= SHORT:
        doubts = DOUBTING.intersection(words)
        # A coming time alone is a goodbye: "Until tomorrow!"
        surely = bool(doubts - _COMING)
        if surely and (_NO_MORE.issuperset(words) or not _PRONOUN.isdisjoint(words)):
            return True
    if sentence.beside and not class_words("unreal").isdisjoint(words):
        return True
    if sentence.below and not sentence.edge:
        # Taken back with a verb: "the wait" and "a stop" are nouns.
        first = words_in(clauses[0])
        for before, word in zip(("", *first), first, strict=False):
            if word in _TAKING_BACK and before not in words_for("article"):
                return True
    # “If Bob agrees.” has no other clause than the order.
    heads = dropwhile(lambda word: word in _RESTRICTING, words)
    # “Once again.”
    head, then = next(heads, ""), next(heads, "")
    heads_condition = head in class_words("heading") and then not in words_for("again")
    heads_condition = heads_condition and len(words) <= LONG_TALK
    if sentence.below and heads_condition and "," not in sentence.text:
        return True
    conditional = not (_CONDITION.isdisjoint(words) or _HANDLING.isdisjoint(words))
    if conditional and not (_PRONOUN | _ORDER).isdisjoint(words):
        return True
    for clause in clauses:
        in_clause = set(words_in(clause))
        theirs = _names_theirs(clause, told)
        meant = theirs or not in_clause.isdisjoint(_HANDLING | _ORDER)
        # Of another turn it merely tells.
        negated = meant and not in_clause.isdisjoint(_NEGATION)
        # “JH instead of JD”
        negated = negated or (theirs and not in_clause.isdisjoint(_INSTEAD))
        if (negated and in_clause.isdisjoint(class_words("other_time"))) or _takes_back(
            clause, told
        ):
            return True
    return _announces(words)


def says_no(text: str) -> bool:
    """Return whether a text contradicts orders as what takes them back does, and nothing more."""
    doubts = DOUBTING.intersection(words_in(text))
    return bool(doubts) and doubts.isdisjoint(_GOVERNING | class_words("wish"))


def _prefers(text: str) -> bool:
    """Return whether a sentence begins to correct something: “sorry D8”, not “sorry for that”."""
    first, second, third, *_ = (*words_in(text), "", "", "")
    # “Make that e”, but “take that!”.
    changes = first in class_words("moving") and second in _PRONOUN and third
    return bool(changes or (first in _BETTER and second and second not in words_for("excuse")))


def _shape(piece: str) -> str:
    """Return a piece of an order with one sign for its letters and one for its numbers: “a9”."""
    return re.sub("[0-9]+", "9", re.sub("[a-z]+", "a", piece.casefold()))


def _names(text: str, others: Collection[str]) -> bool:
    """Return whether another player is named who is not merely addressed."""
    return any(
        len(words) > 1 and not words.isdisjoint(others)
        for words in map(set, map(words_in, text.split(",")))
    )


def _told_in(lines: Iterable[str]) -> frozenset[str]:
    """Return the words of lines in small letters, and the spaces in them: “Nf3” is on f3."""
    text = " ".join(lines).casefold()
    pieces = (r"\w+", r"(?=([a-z]{1,2}\d{1,2}))", r"[^\s,;.!?:()“”]{2,}")
    return frozenset(piece for pattern in pieces for piece in re.findall(pattern, text))


def _names_theirs(clause: str, told: Collection[str]) -> bool:
    """Return whether a clause names a space, or a word, that orders tell of: “not f3”, “not JD”."""
    theirs = [word for word in told if word[1:] and not word.isdecimal() and word not in _EVERYDAY]
    # “Nicht den Buben”
    return any(
        word == own or (own[3:] and word.startswith(own))
        for word in _told_in([clause])
        for own in theirs
    )


def _takes_back(clause: str, told: Collection[str]) -> bool:
    """Return whether a clause takes an order back, by name or as all that it says."""
    words = words_in(clause)
    # “Hold on”, “just a moment”, but “Halt die Ohren steif”.
    bare = words_in(strip_courtesy(clause))
    lead = words_for("article") | words_for("filler")
    first = next((word for word in bare if word not in lead), "")
    if len(bare) < CURT and first in _HALTING:
        return True
    if _TAKING_BACK.isdisjoint(words):
        return False
    named = not (_PRONOUN | _ORDER).isdisjoint(words) or _names_theirs(clause, told)
    return (named and len(words) <= SHORT) or (len(words) <= CURT and _NO_MORE.issuperset(words))


def _announces(words: Iterable[str]) -> bool:
    """Return whether words announce that something, or an order, follows later."""
    said = set(words)
    announced = class_words("announcing", "order", "handling")
    return not (said.isdisjoint(announced) or said.isdisjoint(_COMING))


def spoken_answer(
    lines: Sequence[ReadLine], to: AskedOf = "seat", *, draws: bool = True
) -> tuple[int, str, str] | None:
    """Return the line of a yes or no in a writer's own words, ``agree`` or ``decline``, and these.

    It is the first sentence, behind a greeting at most: short, with nothing behind its first comma
    but courtesy and the commonest words. One ``to`` a seat or held orders may speak of playing:
    "play it". One that speaks of a draw answers where that may be meant, which ``draws`` says.
    """
    agreed, plays = _SEATED if to == "seat" else AGREED, to != "end"
    # “I accept the draw” says no more than “I accept”.
    beside = words_for("polite") | class_words("common", "pronoun") | _DRAW
    beside |= _HANDLING if plays else frozenset()
    yes = words_for("yes") | our_words("agree")
    no = words_for("no") | our_words("decline")
    talk = [(at, line) for at, line in enumerate(lines) if line.is_talk or line.spoken]
    for at, line in talk[:2]:
        sentence = next(iter(SENTENCE.split(with_stops(line.text.replace("👍", "ok")))), "")
        told = words_in(sentence)
        strays = len(told) > LONG_TALK or not (draws or _DRAW.isdisjoint(told))
        # "Ok: what does held mean?" leads in to something else.
        if strays or sentence.endswith(("?", ":")) or SPACE.search(sentence.partition(",")[0]):
            return None
        # A greeting may be taken off; "ok" may be one, or the yes.
        for text in (sentence, strip_courtesy(sentence, answers=True)):
            said, _, more = text.partition(",")
            # “Sorry, yes.”
            excuse = words_for("polite") & class_words("preferring")
            if more and excuse.issuperset(words_in(said)):
                said, _, more = more.partition(",")
            spoken = words_in(said)
            # A single letter is a word only as all that is said: it may sign the letter.
            letter = len(spoken) == len(talk) == 1
            words = {word for word in spoken if len(word) > 1 or letter}
            meant = words - (beside - yes - no)
            behind = {word for word in words_in(agreed.sub("", _plain(more))) if len(word) > 1}
            others, phrases = agreed.subn("", _plain(said))
            rest = {word for word in words_in(others) if len(word) > 1}
            # "Play it" says yes without one of its words; "fine" does it alone, but "good play".
            plays_it = plays and not (
                _HANDLING.isdisjoint(spoken[:1]) or words.isdisjoint(_PRONOUN)
            )
            said_so = meant <= yes if meant else plays_it and words <= beside
            said_so = said_so or (phrases > 0 and rest <= yes | our_words("draw"))
            if said_so and behind <= beside | yes and not SPACE.search(more):
                return at, "agree", sentence
            # “Not now”: what waits for a yes goes on waiting, and an invitation stays open.
            if to == "end" and _DECLINED.fullmatch(_plain(said)):
                return at, "decline", sentence
            if meant & no and meant <= no | DOUBTING:
                # “No, play it” says neither, and a no said twice is one.
                further = {*dropwhile(no.__contains__, words_in(more))}
                agrees = not further.isdisjoint(yes | _HANDLING if plays else yes)
                agrees = agrees or agreed.search(_plain(more)) is not None
                unsure = agrees and further.isdisjoint(_NEGATION)
                return None if unsure else (at, "decline", sentence)
        if len(words_in(line.text)) > MOST_OPENING:
            return None
    return None


def _plain(text: str) -> str:
    """Return the words of a text and nothing else, as a phrase of several is looked for."""
    return " ".join(words_in(text))
