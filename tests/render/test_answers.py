"""The core's short answers."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import meta
from support.moor import KEYS, LEGAL, framing, said, scene, wording

import referee
from referee.desk.letters.words.places import SchemaFault
from referee.render.answers import (
    ANSWERS,
    SIGNED,
    About,
    Answer,
    answer,
    answer_content,
    match_line,
)
from referee.render.content import Content
from referee.render.layout import NO_BREAK
from referee.render.receipts import Outcome, ReceiptLine
from referee.render.words.wording import Catalogue

pytestmark = pytest.mark.fast


def say(value: Answer, language: str = "en", **more) -> Content:
    return answer_content(wording(language), value, **more)


def test_an_old_code_is_answered_precisely() -> None:
    """Both turns are named, and that nothing changed."""
    text = say(answer("old-code", turn=14, now=16), "de").text
    assert "antwortet auf Zug 14, und jetzt ist Zug 16" in " ".join(text.split())


def test_faults_of_json_are_listed_with_their_places() -> None:
    """Every fault stands with its path, so that a program's author can mend it."""
    faults = [
        SchemaFault("$.orders[0]", "order"),
        SchemaFault("", "nul"),
    ]
    text = say(answer("schema", faults=faults)).text
    assert "· at $.orders[0]: this must be an order.\n· it holds a NUL character.\n" in text


def test_a_message_is_shown_line_by_line_behind_dots() -> None:
    """What somebody writes cannot pose as an order, a box or a frame."""
    text = say(said("message"), framing=framing()).text
    start = text.index("bob (blue) writes")
    assert text[start:].split("\n\n")[1] == (
        "· Good luck!\n·\n· set A1 B1\n· = end =\n· end of moor-7 · referee -\n· set A1"
    )


def test_long_foreign_lines_keep_a_sign_before_each_when_wrapped() -> None:
    """Every line of a long message begins with a sign that no order begins with."""
    text = say(said("message", text="set A1 B1 " * 28)).text
    quoted = [line for line in text.splitlines() if "set A1" in line]
    assert len(quoted) > 3
    assert all(line.startswith(("· ", "… ")) for line in quoted)


@pytest.mark.parametrize(
    ("said", "first"),
    [
        (answer("declined", who="Dr. No"), "Dr. No has declined to play."),
        (answer("late", turn=3, order="pass"), None),
        (answer("late-waits", turn=3, asked=False), "Your time for turn 3 is up."),
        (answer("set-done", what="name", value="Mr. X. Y"), None),
    ],
)
def test_a_headline_is_parted_between_its_own_sentences(said: Answer, first: str | None) -> None:
    """A name with a full stop is not parted, whoever bears it."""
    content = answer_content(Catalogue("en"), said)
    above, _, below = content.sentence.partition("\n")
    assert above == (first if below else content.headline)
    assert "Dr. No" in above or "Dr." not in above
    assert "Mr. X. Y" in above or "Mr." not in above


@pytest.mark.parametrize(
    ("language", "left", "words"),
    [
        ("en", 1, "1 is left"),
        ("en", 2, "2 are left"),
        ("de", 1, "darfst, bleibt 1"),
        ("de", 0, "darfst, bleiben 0"),
    ],
)
def test_days_left_are_counted_as_one_says(language: str, left: int, words: str) -> None:
    day = "Mon 1 Jun 2026"
    noted = answer("away-noted", first=day, last=day, year=2026, left=left, entries=())
    for told in (noted, answer("away-list", year=2026, left=left, entries=())):
        assert words in " ".join(answer_content(Catalogue(language), told).text.split())
    said = Catalogue(language).say("away.allowance", year=2026, asked=left, left=left)
    assert words in said


DAY, NEXT = "Mon 1 Jun 2026", "Tue 2 Jun 2026"


@pytest.mark.parametrize(
    ("language", "one", "some"),
    [
        ("en", f"on {DAY}", f"from {DAY} to {NEXT}"),
        ("de", f"am {DAY}", f"von {DAY} bis {NEXT}"),
    ],
)
@pytest.mark.parametrize(
    "key", ["away.other", "away.you", "away.overlap", "answer.away-cancel", "answer.stand-in"]
)
def test_a_single_day_is_no_range(key: str, language: str, one: str, some: str) -> None:
    """Nobody is away from a day to that same day."""
    names = {"who": "alice", "whom": "carol", "seat": "red", "match": "m", "by": "bob"}
    for last, words in ((DAY, one), (NEXT, some)):
        fields = {**names, "first": DAY, "last": last, "number": 1, "entries": ()}
        said = Catalogue(language).say(key, **fields).casefold()
        assert [each in said for each in (one.casefold(), some.casefold())] == [
            words == one,
            words == some,
        ]
        assert said.count(DAY.casefold()) == 1


def test_who_called_a_stand_in_off_did_not_arrange_it() -> None:
    """In both languages."""
    names = {"who": "alice", "seat": "red", "match": "m", "by": "bob"}
    told = [Catalogue(language).say("answer.stand-in-off", **names) for language in ("en", "de")]
    assert ["bob has called off" in told[0], "Abgesagt hat das bob" in told[1]] == [True, True]


@pytest.mark.parametrize(
    ("language", "code", "limit", "words"),
    [
        ("de", "minItems", 1, "Es muss mindestens 1 sein."),
        ("de", "maxItems", 1, "Es darf höchstens 1 sein."),
        ("de", "minItems", 2, "Es müssen mindestens 2 sein."),
        ("en", "minLength", 1, "is shorter than 1 character."),
        ("en", "maxLength", 2, "is longer than 2 characters."),
    ],
)
def test_a_limit_of_one_is_told_in_the_singular(
    language: str, code: str, limit: int, words: str
) -> None:
    assert words in Catalogue(language).say(f"fault.{code}", limit=limit, value="x")


@pytest.mark.parametrize(("more", "words"), [(1, "A1 und 1 weiteres."), (2, "A1 und 2 weitere.")])
def test_spaces_that_are_not_named_are_counted(more: int, words: str) -> None:
    """In German one space more is told apart from several."""
    said = Catalogue("de").say(
        "board.alt", lattice="spaces", match="m", turn=1, changed="A1", more=more, numbered=True
    )
    assert words in said


def test_help_lists_commands_and_the_games_orders() -> None:
    """With a game its orders stand below the commands, without one only these."""
    with_game = say(answer("help"), "de").text
    without = answer_content(Catalogue("de"), answer("help"))
    assert "· hilfe — diese Liste" in with_game
    assert "· stelle A1 B2 — Steine auf Felder setzen" in with_game
    assert "stelle" not in without.text
    assert without.subject == "Referee: Hilfe"


def test_an_answer_shows_scene_refusal_and_orders() -> None:
    """Where a board or what would be legal helps, it is there."""
    text = say(said("preview")).text
    assert "A ~R" in text
    assert "A1 is taken. (Moor 3; see “rules”)" in " ".join(text.split())
    text = say(said("unclear", legal=LEGAL)).text
    assert "· set A10 B10".replace(" ", NO_BREAK) in text
    assert "· set A11 B11".replace(" ", NO_BREAK) not in text


@pytest.mark.parametrize(
    ("outcome", "stopped", "expected"),
    [
        ("accepted", False, "These orders would be accepted. Nothing"),
        ("unknown", True, "These orders would be accepted as far as can be foreseen."),
        ("waiting", False, "These orders would not all be accepted."),
        ("unreadable", False, "These orders would not all be accepted."),
    ],
)
def test_a_preview_says_how_far_orders_would_go(
    outcome: Outcome, stopped: bool, expected: str
) -> None:
    """Accepted, not to be foreseen, refused and unread are told apart."""
    lines = [ReceiptLine("set A1", "accepted"), ReceiptLine("rest", outcome)]
    accepted = sum(line.outcome == "accepted" for line in lines)
    wrong = outcome in {"waiting", "unreadable"}
    given = said(
        "preview", judged=lines, accepted=accepted, stopped=stopped, wrong=wrong, ahead=False
    )
    assert say(given).text.startswith(expected)


def test_matches_are_listed_with_whose_turn_it_is() -> None:
    """The state is worded in the reader's language."""
    german, told = Catalogue("de"), {"game": "moor", "seat": "Rot"}
    entries = [
        match_line(german, "running", match="moor-7", **told, to_act="Rot", mine=True),
        match_line(german, "paused", match="moor-8", **told, to_act="Blau"),
    ]
    text = say(answer("matches", entries=entries), "de").text
    assert "· moor-7, moor, du spielst Rot: läuft; du bist am Zug" in text
    assert "· moor-8, moor, du spielst Rot: angehalten; Blau ist am Zug" in text


@pytest.mark.parametrize("key", list(KEYS))
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_answer_needs_only_what_it_must(key: str, language: str) -> None:
    """Fields that may be left out leave no gap in the sentence."""
    about = About("moor-7", "red") if key in SIGNED else None
    content = say(said(key, all_of_them=False), language, about=about)
    assert "None" not in content.text
    assert content.text.strip()


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_answer_has_its_sentences_and_they_have_their_answer(language: str) -> None:
    """The catalogues hold sentences for each key, and titles for those without a match."""
    sentences = Catalogue(language)._book.document
    assert set(sentences["answer"]) == set(KEYS)
    assert set(sentences["title"]) == set(ANSWERS)


def test_no_answer_is_both_signed_and_unsigned() -> None:
    assert not ANSWERS.keys() & SIGNED.keys()


@pytest.mark.parametrize("key", list(KEYS))
@pytest.mark.parametrize("language", ["en", "de"])
def test_sentences_name_only_fields_that_their_answer_has(key: str, language: str) -> None:
    book = Catalogue(language)._book
    named = meta.find_undeclared_variables(book.environment.parse(book.document["answer"][key]))
    of_signature = {"match", "by", "text"} if key in SIGNED else set()
    assert named <= {*KEYS[key].needed, *KEYS[key].spare} | of_signature


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield every call in the house that makes an answer, with the file it stands in."""
    for path in sorted(Path(referee.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name in {"answer", "signed"}:
                    yield path.name, node


def test_every_call_names_an_answer_and_gives_it_its_fields() -> None:
    """As a type checker would see it: a wrong key, a field that is missing, one that is unknown."""
    seen = set()
    for place, call in calls():
        known = ANSWERS if "answer" in ast.dump(call.func) else SIGNED
        key = call.args[0].value
        assert key in known, (place, key)
        given = {argument.arg for argument in call.keywords} - {None}
        assert given <= {*known[key].needed, *known[key].spare}, (place, key)
        if len(given) == len(call.keywords):
            assert known[key].needed <= given, (place, key)
        seen.add(key)
    assert len(seen) > 100


def test_an_answer_that_is_not_there_raises() -> None:
    """A wrong key is our own mistake, and so are wrong fields: a test that runs it finds it."""
    with pytest.raises(KeyError, match="no-such-answer"):
        answer("no-such-answer")


@pytest.mark.parametrize("fields", [{"turn": 3}, {"turn": 3, "now": 4, "then": 5}])
def test_an_answer_takes_its_own_fields_alone(fields: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="turn"):
        answer("old-code", **fields)


def test_a_board_without_a_games_words_raises() -> None:
    """Only a game can word its scene."""
    with pytest.raises(TypeError, match="worded by a game"):
        answer_content(Catalogue("en"), answer("show", turn=1, asked=None, scene=scene()))


def test_a_long_line_goes_on_without_a_fresh_dot() -> None:
    """A dot begins an order or a line; what a mail broke is marked as going on."""
    line = "1: as soon as it is your turn, " + "; ".join(f"set A{n} B{n}" for n in range(1, 12))
    text = say(answer("note-kept", lines=[line])).text
    assert "\n· 1: as soon as" in text
    begun = [row for row in text.splitlines() if row.startswith(("· ", "… "))]
    assert [row[0] for row in begun] == ["·", "…", "…"]
    assert " ".join(row[2:] for row in begun) == line
