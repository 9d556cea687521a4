"""Frames: they bear the news of every mail, and are read back in every width, bare or marked."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.moor import (
    NOW,
    digest,
    every_mail,
    framing,
    invitation,
    over,
    receipt,
    report,
    wording,
)
from support.thorough import examples

from referee.games.game import Sentence
from referee.mail.incoming import marks
from referee.mail.incoming.html import read_page
from referee.render.content import Content, Framing, several
from referee.render.invitations import invitation_content
from referee.render.layout import Format, clean
from referee.render.receipts import receipt_content
from referee.render.reports import report_content
from referee.render.summaries import digest_content, stranger_answer, summary_content
from referee.signs import (
    LONGEST_NEWS,
    MOST_WRAPPED,
    Frame,
    frame_close,
    frame_of,
    frame_open,
)
from referee.value import replace

TEXTS: Final[Sequence[Format]] = ("text", "phone", "spoken")

LANGUAGES: Final = ("en", "de")

BARE: Final = Framing("referee")

ALL_OF_SIXTY: Final = "Reminder: it is still for you to answer, North by Northwest."
"""News as long as they may be."""

FOREIGN: Final = frozenset({"alice", "bob", "carol", "Good", "luck", "geese"})
"""Words in names and texts of players."""


def every_content(language: str) -> list[Content]:
    """Return a mail of every kind, and of every news that reports and receipts bear."""
    asked = replace(report().scene, asked=Sentence("stock", {"seat": "red", "stones": 3}))
    reports = [
        report(),
        report(due=None),
        report(reminder=True),
        report(scene=asked),
        report(scene=asked, reminder=True),
        report(to_act="blue"),
        report(to_act="blue", now=NOW),
        report(to_act="blue", scene=asked),
        report(to_act="blue", due=None, turns=()),
        report(to_act=None, due=None),
        report(seat=None),
        over(),
        replace(over(), seat=None),
    ]
    lines, words = receipt().lines, wording(language)
    receipts = [
        receipt(lines=lines[:1]),
        receipt(),
        receipt(nothing_happened=True),
        receipt(nothing_happened=True, lines=lines[2:3]),
        receipt(nothing_happened=True, lines=lines[-1:]),
        receipt(nothing_happened=True, lines=lines[-1:], standing=()),
        receipt(held="Sat 21 Nov 2026, 13:00 (America/Argentina/ComodRivadavia)"),
        receipt(held="Sat 21 Nov 2026, 13:00", lines=lines[:1]),
    ]
    stages = [invitation(), invitation(starts_at_once=True), invitation(stage="joining")]
    frame, told = framing(language), digest(language)
    own = told["turns"]
    digests = [
        {**told, "turns": turns, "rest": rest}
        for turns, rest in (((), False), ((), True), (own, False), ([*own] * 2, False))
    ]
    bare = [
        summary_content(words.catalogue, {"alarms": [{"text": "carol"}]}, BARE),
        stranger_answer(words.catalogue, BARE, []),
        *(digest_content(words.catalogue, BARE, **each) for each in digests),
    ]
    answers = [each for each in every_mail(language) if each.framing.match]
    answers.append(several(answers[-2:], BARE))
    assert {each.body for each in answers} >= {"answer", "invitation", "letter"}
    return [
        *(report_content(words, each, frame) for each in reports),
        *(receipt_content(words, each, frame) for each in receipts),
        *(invitation_content(words, each, frame) for each in stages),
        *bare,
        *answers,
    ]


@pytest.fixture(scope="module", params=LANGUAGES)
def contents(request: pytest.FixtureRequest) -> list[Content]:
    return every_content(str(request.param))


def first_line(content: Content) -> str:
    """Return the first paragraph of a mail's text in one line."""
    return " ".join(content.text.partition("\n\n")[0].split())


def news_of(content: Content) -> str:
    """Return the news in a mail's frame."""
    found = re.fullmatch(r"--- (?:moor-7|referee) · (.+) · referee ---", first_line(content))
    assert found is not None, first_line(content)
    return found[1]


def test_every_mail_begins_with_its_news(contents: list[Content]) -> None:
    """It is the first that text and page show, is short, and holds nothing of a player's."""
    for content in contents:
        news = news_of(content)
        assert 0 < len(news) <= LONGEST_NEWS
        assert not {*re.findall(r"\w+", news)} & FOREIGN, news
        assert not news.endswith("…")
        assert read_page(content.html, 500_000).text.split("\n")[0] == first_line(content)
        last = content.text.rstrip("\n").split("\n")[-1]
        assert last == frame_close(content.framing.match)


def test_other_mails_bear_other_news() -> None:
    """What a list of mails shows tells them apart."""
    words, frame = wording(), framing()
    assert news_of(report_content(words, report(), frame)) == "It is your turn, red"
    waits = report_content(words, report(to_act="blue", seat="red"), frame)
    assert news_of(waits) == "Blue has played. Blue is to act"
    assert news_of(report_content(words, over(), frame)) == "Over: you have lost"
    done = receipt_content(words, receipt(lines=receipt().lines[:1]), frame)
    assert news_of(done) == "Carried out. Blue is to act"
    held = receipt(held="Sat 21 Nov, 15:20 (UTC)", lines=receipt().lines[:1])
    assert news_of(receipt_content(words, held, frame)) == "Held until Sat 21 Nov, 15:20"


def test_news_that_are_too_long_are_told_in_fewer_words() -> None:
    """Else they end at a word, so that the frame is read back from a telephone too."""
    content = report_content(wording(), report(), framing())
    long = "Nothing was played at all, because nobody could make out what was meant by it"
    for news, told in (
        ([long, "Not played"], "Not played"),
        ([long], "Nothing was played at all, because nobody could make out…"),
        (["x" * 80], "x" * 59 + "…"),
        (["皿" * 60], None),
        (["one-two — three == four"], "one two three four"),
    ):
        changed = replace(content, news=news)
        assert told is None or news_of(changed) == told
        for each in TEXTS:
            frame = changed.text_for(each).partition("\n\n")[0]
            assert len(frame.split("\n")) <= MOST_WRAPPED
            assert marks.cut(f"rest\n\n{changed.text_for(each)}").free == ("rest",)


def test_a_mail_that_comes_back_unmarked_says_nothing(contents: list[Content]) -> None:
    """All between the frames is ours, in text as in HTML, and the answer above it counts."""
    for content in contents:
        texts = [content.text_for(each) for each in TEXTS]
        for back in (*texts, read_page(content.html, 500_000).text):
            assert marks.cut(f"rest\n\n{back}").free == ("rest",)


def copies(frame: str) -> Iterator[str]:
    """Yield a frame as programs bring it back, in every width and with dots of every kind."""
    for dot in ("·", "Â·", "Ã‚Â·", "Â Â·", "?", "∙", "=C2=B7", "&middot;", "\\xb7"):
        garbled = frame.replace("·", dot)
        for columns in range(38, 100, 4):
            lines = textwrap.wrap(garbled, columns, break_on_hyphens=False)
            if len(lines) <= MOST_WRAPPED:
                yield "\n".join(lines)
        yield re.sub("-{2,}", "—", garbled)
        yield garbled.replace(" ", "\xa0")
        yield f"*{garbled}*"


@pytest.mark.parametrize("place", ["moor-7", "referee"])
def test_a_frame_is_read_back_in_every_width(place: str) -> None:
    """With what stands between its ends, marked as quoted or not, or only its first line."""
    last = frame_close(place)
    for news in ("It is your turn, Red", "Zurückgehalten bis Sa., 21. Nov., 15:20", ALL_OF_SIXTY):
        for first in copies(frame_open(place, news)):
            assert frame_of(" ".join(first.split())) == "opens"
            for marked in (first, "> " + first.replace("\n", "\n> "), f"> {first}"):
                back = f"{marked}\nresign\n{last}"
                assert "resign" not in marks.cut(f"rest\n\n{first}\nresign\n{last}").free
                assert first.split()[0] not in marks.cut(f"rest\n\n{back}").free
    for each in copies(last):
        assert frame_of(" ".join(each.split())) == "closes"
        back = f"{frame_open(place, 'Over')}\nresign\n{each}\npass"
        assert marks.cut(back).free == ("pass",)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("--- moor-7 · referee ---", "opens"),
        ("--- referee ---", "opens"),
        ("— moor-7 · referee", "opens"),
        ("--- end of moor-7 · referee ---", "closes"),
        ("--- ende von referee ---", "closes"),
    ],
)
def test_the_frames_of_older_mails_are_read(line: str, kind: Frame) -> None:
    """Answers to them arrive for as long as their matches run."""
    assert frame_of(line) is kind


@pytest.mark.parametrize(
    "line",
    [
        "- nord-1 isn't fair, I asked the man (the referee - a friend - says so)",
        '- nord-1 "x" and so on and/or the referee -',
        "- referee : nord-1 - tout va bien",
        "- referee, nord-1 - all is well",
    ],
)
def test_a_sentence_behind_a_dash_is_no_frame(line: str) -> None:
    """It takes nothing that is written below along."""
    assert frame_of(line) is None
    assert marks.cut(f"{line}\npass\nresign").free == (line, "pass", "resign")


@pytest.mark.fast
@pytest.mark.parametrize("columns", [50, 60, 76])
def test_a_frame_flowed_behind_an_attribution_is_read(columns: int) -> None:
    """Some programs put what they quote on the line above it, and wrap that."""
    lead = "On Sat, 21 Nov 2026 at 12:00, Referee <referee@example.test> wrote:"
    first = f"{lead} {frame_open('moor-7', 'It is your turn, Red')}"
    wrapped = first.replace(" It is ", "\nIt is ") if columns == 50 else (
        first.replace(" Red", "\nRed") if columns == 60 else first
    )  # fmt: skip
    assert marks.cut(f"pass\n\n{wrapped}\nresign\n{frame_close('moor-7')}").free[:1] == ("pass",)
    assert "resign" not in marks.cut(f"pass\n\n{wrapped}\nresign\n{frame_close('moor-7')}").free


def test_a_sentence_above_the_frame_of_an_older_mail_is_talk() -> None:
    """It stood there in mails that have been sent; brought back bare, it orders nothing."""
    head = "It is your turn, Red: until Sat 28 Nov, 12:00 (UTC), 7 days left."
    back = f"{head}\n\n--- moor-7 · referee ---\nresign\n--- end of moor-7 · referee ---"
    cut = marks.cut(f"rest\n\n{back}")
    assert cut.free == ("rest", head)


@pytest.mark.parametrize("order", ["attack D6", "resign", "place D6 E7 F8"])
@pytest.mark.parametrize("talk", ["It is your turn, you wrote, so I do this:", "Over and out"])
def test_what_stands_right_above_a_frame_is_the_writers(talk: str, order: str) -> None:
    """No sentence of ours is looked for there, however it begins."""
    for first in (frame_open("moor-7", "It is your turn, Red"), "--- moor-7 · referee ---"):
        assert marks.cut(f"{talk}\n{order}\n{first}").free == (talk, order)


WORDS = st.lists(
    st.sampled_from(
        ["-", "—", "---", "–", "moor-7", "moor - 7", "nord-12", "referee", "Referee", "·", "Â·",
         "?", "&middot;", "=C2=B7", "It is your turn,", "Red", "end of", "(", ":", "*", "\u200b",
         "\xa0", " ", "ж", "…"]
    ),
    max_size=16,
).map(" ".join)  # fmt: skip


@settings(max_examples=examples(300), deadline=None)
@given(WORDS, st.sampled_from(["·", "Â·", "?", "=C2=B7", "&middot;"]), st.integers(20, 80))
def test_no_text_of_a_player_makes_a_frame(text: str, dot: str, columns: int) -> None:
    """With news or without, whatever programs make of its dots and lines."""
    cleaned = clean(text)
    garbled = re.sub(r"[·ж…]", lambda _: dot, cleaned)
    assert frame_of(cleaned) is None
    assert frame_of(" ".join(garbled.split())) is None
    lines = textwrap.wrap(garbled, columns)
    for at in range(len(lines)):
        assert frame_of(" ".join(" ".join(lines[at : at + MOST_WRAPPED]).split())) is None
    assert "last" in [line.text for line in marks.cut(f"{cleaned}\n\nlast").lines]


@pytest.mark.parametrize(
    "frame",
    [
        frame_open("moor-7", "It is your turn, Red"),
        frame_open("referee", "Who answers here"),
        frame_close("moor-7"),
        frame_close("referee"),
        "— moor-7 · Over · referee —",
        "- moor-7 ? Over ? referee -",
        "--- referee ж Over ж referee ---",
    ],
)
def test_a_frame_in_a_players_text_loses_its_sign(frame: str) -> None:
    """It stays readable otherwise."""
    cleaned = clean(frame)
    assert frame_of(cleaned) is None
    assert frame_of(cleaned.replace("ж", "?")) is None
    assert re.findall(r"\w+", cleaned) == re.findall(r"\w+", frame)
