"""Orders as lines of text, and what people get wrong in writing them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.games.game import Ambiguous, Order, Unreadable
from referee.games.notation import LONGEST_LINE, Form, Notation, one_typing_error, words_of

pytestmark = pytest.mark.fast


class Place(Order):
    word: ClassVar[str] = "place"
    spaces: tuple[str, ...]


class Play(Order):
    word: ClassVar[str] = "play"
    symbol: str


class Done(Order):
    word: ClassVar[str] = "done"


class Add(Order):
    word: ClassVar[str] = "add"


def read_place(words: Sequence[str]) -> Order:
    if not words or not all(len(word) == 2 and word[1].isdigit() for word in words):
        raise Unreadable("no-space", chatter=True, word=" ".join(words))
    if any(word[1] == "0" for word in words):
        raise Unreadable("no-such-space", word=words[0])
    return Place(tuple(word.upper() for word in words))


def read_play(words: Sequence[str]) -> Order:
    if len(words) != 1 or words[0] not in ("axe", "gold", "a1"):
        raise Unreadable("no-symbol", chatter=True)
    return Play(words[0])


def alone(order: Order) -> Form:
    def read(words: Sequence[str]) -> Order:
        if words:
            raise Unreadable("stands-alone", chatter=True)
        return order

    keywords = {"done": {"en": "done", "de": "fertig"}, "add": {"en": "add", "de": "zu"}}
    return Form(type(order), keywords[order.word], read, lambda _, __: "")


NOTATION = Notation(
    [
        Form(
            Place,
            {"en": "place", "de": "setze"},
            read_place,
            lambda order, _: " ".join(order.spaces),
        ),
        Form(Play, {"en": "play", "de": "Spiele"}, read_play, lambda order, _: order.symbol),
        alone(Done()),
        alone(Add()),
    ]
)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("order", [Place(("D6", "D7")), Place(("A1",)), Play("axe"), Done(), Add()])
def test_an_order_reads_back_as_written(order: Order, language: str) -> None:
    line = NOTATION.format(order, language)
    assert [order, order] == [NOTATION.parse(line, each) for each in ("en", "de")]


@pytest.mark.parametrize(
    "line",
    [
        "place D6 D7",
        "PLACE d6 d7",
        "  Place\tD6   D7  ",
        "place D6, D7.",
        "place D6,D7",
        "place D6; D7 .",
        "place\u00a0D6\u00a0D7",
        "pl\u200bace D6\ufeff D7",
        "ｐｌａｃｅ Ｄ６ Ｄ７",
        "setze D6 D7",
        "plcae D6 D7",
        "lace D6 D7",
        "pplace D6 D7",
        "plaze D6 D7",
        "stze D6 D7",
        "1. place D6 D7",
        "2) Place D6, D7.",
        "(3) place D6 D7",
        "a) place D6 D7",
        "-> place D6 D7",
        "=> place D6 D7",
        "* place D6 D7",
        "-place D6 D7",
        "– place D6 D7",
        "•\u00a0place D6 D7",
        "*place D6 D7*",
        "**place D6 D7**.",
        "`place D6 D7`",
        "„place D6 D7“",
        "“Place D6, D7.”",
        "»setze D6 D7«",
        "1. “place D6 D7”,",
        "place D6 and D7",
        "setze D6 und D7",
        "Place: D6 + D7!",
        "place on D6 and D7",
        "place my D6 and the D7",
        "place D6+D7",
        "place D6/D7",
    ],
)
def test_what_is_meant_is_read(line: str) -> None:
    """Case, separators, invisible characters, languages and one typing error do not matter."""
    assert Place(("D6", "D7")) == NOTATION.parse(line, "en")


@pytest.mark.parametrize(
    ("line", "code", "chatter"),
    [
        ("", "unknown-order", True),
        (" . ", "unknown-order", True),
        ("hello bob", "unknown-order", True),
        ("plaaace D6", "unknown-order", True),
        ("place your bets", "no-space", False),
        ("place your bets!", "no-space", True),
        ("place your bets now please", "no-space", True),
        ("place your bets, all", "no-space", True),
        ("place it all right beside D6", "no-space", False),
        ("place D0", "no-such-space", False),
        ("plcae D0", "no-such-space", False),
        ("plcae it there", "unknown-order", True),
        ("adx", "unknown-order", True),
        ("done deal", "stands-alone", False),
        ("> place D6", "unknown-order", True),
        ("place D6 and then D7", "no-space", False),
        ("place D6 and", "no-space", False),
        ("place D6 to D8", "no-space", False),
        ("done and", "stands-alone", False),
    ],
)
def test_what_is_no_order_is_unreadable(line: str, code: str, chatter: bool) -> None:
    """What does not look like an order is chatter; what nearly is one says what is wrong.

    A short line with a keyword is no chatter unless it is exclaimed, nor is one that names a space.
    """
    with pytest.raises(Unreadable) as caught:
        NOTATION.parse(line, "en")
    assert (code, chatter) == (caught.value.code, caught.value.chatter)


def test_an_unknown_word_is_named() -> None:
    """The word that is no keyword is told, shortened if it is endless."""
    with pytest.raises(Unreadable) as caught:
        NOTATION.parse("Hello" + "o" * 100, "en")
    assert dict(caught.value.fields) == {"word": "hello" + "o" * 35}


def test_a_typing_error_near_two_orders_is_ambiguous() -> None:
    """A mistyped word that could be two orders is answered with both."""
    with pytest.raises(Ambiguous) as caught:
        NOTATION.parse("plac A1", "en")
    assert caught.value.meanings == ("place A1", "play a1")


def test_a_typing_error_is_settled_by_what_follows() -> None:
    """A mistyped word is the one order that takes the words behind it."""
    assert Play("axe") == NOTATION.parse("plac axe", "en")


def test_the_own_language_goes_first() -> None:
    """A word that two languages use differently is read in the language given."""
    both = Notation(
        [
            Form(Done, {"en": "halt", "de": "ende"}, lambda _: Done(), lambda _, __: ""),
            Form(Add, {"en": "plus", "de": "halt"}, lambda _: Add(), lambda _, __: ""),
        ]
    )
    assert [Done(), Add()] == [both.parse("halt", each) for each in ("en", "de")]


def test_two_forms_may_not_share_a_keyword() -> None:
    """A table in which a word has two meanings is refused at once."""
    form = Form(Done, {"en": "done"}, lambda _: Done(), lambda _, __: "")
    with pytest.raises(ValueError, match="done"):
        Notation([form, Form(Add, {"en": "done"}, lambda _: Add(), lambda _, __: "")])


def test_one_kind_may_not_have_two_forms() -> None:
    form = Form(Done, {"en": "done"}, lambda _: Done(), lambda _, __: "")
    with pytest.raises(ValueError, match="Done"):
        Notation([form, Form(Done, {"en": "ready"}, lambda _: Done(), lambda _, __: "")])


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("place", False),
        ("plac", True),
        ("lace", True),
        ("plaice", True),
        ("placed", True),
        ("glace", True),
        ("plcae", True),
        ("lpace", True),
        ("palec", False),
        ("pl", False),
        ("placing", False),
        ("", False),
    ],
)
def test_one_typing_error(word: str, near: bool) -> None:
    """One insertion, deletion, substitution or swap of neighbours counts, and no more."""
    assert near == one_typing_error(word, "place")


@given(st.text(max_size=LONGEST_LINE + 2))
def test_any_text_is_an_order_or_unreadable(text: str) -> None:
    """Nothing but Unreadable comes of any text; what is read can be written and read again."""
    try:
        order = NOTATION.parse(text, "de")
    except Unreadable as error:
        assert error.code  # noqa: PT017 - both outcomes are right
    else:
        assert order == NOTATION.parse(NOTATION.format(order, "de"), "de")


def test_the_longest_line_is_read_at_once() -> None:
    """A line of the greatest length takes no noticeable time, whatever it is made of."""
    started = time.process_time()
    for letter in ("a", " ", ",", "\u200b", "\ufdfa", "place "):
        words_of((letter * LONGEST_LINE)[:LONGEST_LINE])
    assert time.process_time() - started < 0.5
