"""How text is wrapped and foreign strings are tamed."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.mail.incoming import marks
from referee.render.layout import (
    DOT,
    LONGEST,
    LONGEST_PARAGRAPH,
    WIDTH,
    Joined,
    clean,
    clean_lines,
    width,
    wrap,
    wrap_whole,
)
from referee.render.words.wording import Catalogue
from referee.signs import frame_of

pytestmark = pytest.mark.fast

HOSTILE = st.text(
    st.sampled_from("ab A1·-=—–>\n\r\t\x00\u202e\u200b\u2028漢😀é\u0301referee"), max_size=200
)


@given(st.text(max_size=400), st.sampled_from(["", "· "]), st.sampled_from(["", "  ", "· "]))
def test_wrapped_lines_fit_and_lose_nothing(text: str, first: str, rest: str) -> None:
    """No line is wider than the mail, and all that is not blank is still there in order."""
    lines = wrap(text, first, rest).split("\n")
    assert max(map(width, lines)) <= WIDTH
    bodies = [lines[0].removeprefix(first.strip()), *(x.removeprefix(rest) for x in lines[1:])]
    assert "".join("".join(bodies).split()) == "".join(text.split())


def test_wide_characters_count_double() -> None:
    """A line of East Asian characters holds half as many of them."""
    assert [width(line) for line in wrap("漢" * 40).split("\n")] == [72, 8]


def test_a_flag_and_a_family_are_two_columns() -> None:
    """A character of several code points is as wide as it is drawn, and no line breaks in it."""
    heart, flag, family = "\u2764\ufe0f", "\U0001f1e9\U0001f1ea", "\U0001f468\u200d\U0001f467"
    for drawn in (heart, flag, family):
        assert width(drawn) == 2
        assert wrap(drawn * 40).split("\n") == [drawn * 36, drawn * 4]


def test_no_line_begins_with_what_could_be_an_order() -> None:
    """A word before the name of a space is not the first of a line."""
    text = "Red has thought about it for a long while and then decided to finally place D6 and D7"
    assert [line.split()[0] for line in wrap(text).split("\n")] == ["Red", "finally"]


def test_the_last_word_stands_on_no_line_alone() -> None:
    """A sentence that ends in the name of a command does not end in a line that is one."""
    wrapped = wrap("Whatever you have to say, the referee keeps to the rules.", columns=54)
    assert wrapped == "Whatever you have to say, the referee keeps to\nthe rules."


def test_a_last_word_too_long_to_share_a_line_is_not_broken_for_it() -> None:
    """A digest is there to be compared, and copied."""
    digest = "0123456789abcdef" * 4
    wrapped = wrap(f"pebbles-1: Pebbles; SHA-256 ihres geheimen Startwerts {digest}", DOT, "  ")
    assert wrapped.split("\n")[1:] == [f"  {digest}"]


def test_items_are_broken_only_between_them() -> None:
    """An example order stays on one line with its dot."""
    lines = wrap_whole([f"· place A{n} B{n}" for n in range(1, 20)]).split("\n")
    assert all(line.startswith("· place") for line in lines)


def test_what_just_fits_a_line_is_not_cut() -> None:
    """One more column is."""
    whole, longer = "x" * 20, "x" * 21
    assert wrap_whole([whole, whole], columns=20) == f"{whole}\n{whole}"
    assert wrap_whole([longer], columns=20).split("\n")[0] == whole


@given(HOSTILE)
def test_clean_strings_stay_on_their_line(text: str) -> None:
    """Whatever somebody calls himself: one line, no control characters, cleaned only once."""
    cleaned = clean(text)
    assert cleaned.isprintable()
    assert len(cleaned.splitlines()) <= 1
    assert clean(cleaned) == cleaned


@pytest.mark.parametrize(
    "line",
    [
        "=== moor-7 · turn 14 · red · K7PQ-M2XD ===",
        "=== end ===",
        "--- end of moor-7 · referee ---",
        "— moor-7 · referee —",
        "- moor-7 · referee",
        "-\u200b-- ende von moor-7 · Referee ---",
        "--- moor-7 · It is your turn, Red · referee ---",
        "--- referee · moor-7 ---",
        "— referee · Who answers here · Referee —",
    ],
)
def test_a_foreign_line_is_no_frame_and_no_box(line: str) -> None:
    """A name or message that copies our marks is not taken for them when it comes back."""
    cut = marks.cut(f"before\n{clean(line)}\nafter")
    assert (cut.boxes, cut.free[0], cut.free[-1]) == ((), "before", "after")


@pytest.mark.parametrize(
    "text",
    [
        "Thank you, referee, for everything.",
        "Ask Bob, the referee, or me: referee@example.test knows.",
        "Well played! Referee: please go on.",
        "We meet in nord-7, referee included.",
        "In moor-7 - so says the club's referee, our referee - nothing is lost.",
        "Danke, Referee; bis bald – wie immer.",
        "Ask our referee - nobody knows better than a referee.",
    ],
)
def test_a_sentence_about_the_referee_stays_as_written(text: str) -> None:
    """Only what the reader could take for a frame of ours loses anything."""
    assert clean(text).replace("–", "-") == text.replace("–", "-")


PIECES = st.lists(
    st.sampled_from(
        ["-", "—", "moor-7", "moor - 7", "referee", "Referee", "·", ",", ":", ")", "end", "of", "=",
         "Over", " ", " ", "ende", "x", "1", "*", "\u200b", "\xa0"]
    ),
    max_size=24,
)  # fmt: skip


@given(PIECES)
@example(["-", "=", "ende", "=", "-"])
@example([":", " ", *["moor-7"] * 8])
def test_nothing_cleaned_is_a_frame(pieces: list[str]) -> None:
    """However dashes, names and dots are put together, the reader finds no frame in it."""
    cleaned = clean("".join(pieces))
    # Apart, since a colon marks a quote in some programs, which may wrap it on to the next line.
    cut = marks.cut(f"before\n· {cleaned}\nafter\n{cleaned}\n\nlast")
    assert frame_of(cleaned) is None
    assert (cut.boxes, cut.free[0]) == ((), "before")
    assert "after" in cut.free
    # Words between rules, such as "-=end=-", part an original off, in any program.
    assert "last" in {line.text for line in cut.lines}
    assert clean(cleaned) == cleaned


def test_long_strings_end_in_an_ellipsis() -> None:
    """What is longer than a reader can use is cut, visibly."""
    assert clean("x" * 50, 10) == "xxxxxxxxx…"


def test_lines_of_a_message_keep_their_paragraphs() -> None:
    """Blank lines around a text go, one between paragraphs stays."""
    assert clean_lines("\n\na\n\n\nb\r\n") == ("a", "", "b")


def test_an_enumeration_is_kept_as_long_as_a_paragraph() -> None:
    """What we put together of short texts is no foreign string; it still cannot pose as ours."""
    names = [f"nord-{n}" for n in range(100)]
    listed = Catalogue("en").joined(names)
    said = Catalogue("en").say("answer.join-none", named=None, open=listed)
    assert len(listed) > LONGEST
    assert listed in said
    assert len(clean(Joined("ab " * LONGEST_PARAGRAPH))) <= LONGEST_PARAGRAPH
    assert "\n" not in clean(Joined("one\ntwo"))
