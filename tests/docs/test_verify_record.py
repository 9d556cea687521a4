"""docs/verify_record.py, which shares no code with the referee, against the referee's own check."""

from __future__ import annotations

import ast
import gzip
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import tampering
from support.evidence import Evidence, played_by_mail, rewritten, written
from support.matches import ARRIVAL, GAME, SEED, exported, forged, played, terms
from support.mended import mended_record
from support.tampering import PROMISED, Tampered, nord_record, short_record, whole
from support.thorough import examples, one_of, some

from referee.games import registry
from referee.games.game import Result
from referee.matches.log import conclude
from referee.matches.record import verify_record

PROGRAM = Path(__file__).parents[2] / "docs" / "verify_record.py"
FOREIGN = exported(*played(terms()))[4].encode()

PLACES, ZERO, NONE = {"red": 1, "blue": 1}, {"red": 0, "blue": 1}, {"red": None, "blue": 1}

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module", params=some(["pebbles"], ["nord"]))
def evidence(request: pytest.FixtureRequest, tmp_path_factory: Any) -> Evidence:
    """Return what is left of a match played by mail."""
    return played_by_mail(tmp_path_factory.mktemp("club"), request.param)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Return a function that runs the program alone in an empty directory."""
    empty = tmp_path / "empty"
    empty.mkdir()

    def run_program(*paths: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-S", str(PROGRAM), *map(str, paths)]
        return subprocess.run(
            command, cwd=empty, env={}, capture_output=True, text=True, timeout=300, check=False
        )

    return run_program


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_record", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = _loaded()


def _fault(lines: Sequence[bytes]) -> str | None:
    """Return what the program finds wrong with a record."""
    try:
        CHECKER.check_record(whole(lines))
    except CHECKER.Wrong as wrong:
        return str(wrong)
    return None


def _differs(changed: Tampered) -> str | None:
    """Return a change that the program misses, or sees in another line than the referee does.

    What only the rules and the schema say of the header shows elsewhere: in the seed that does
    not fit, or in the chain.
    """
    fault, verdict = _fault(changed.lines), verify_record(changed.lines, registry.find_installed)
    assert not verdict.ok
    lines = {1, 2, len(changed.lines)} if changed.line == 1 else {verdict.line}
    if fault is not None and int(fault.removeprefix("line ").partition(":")[0]) in lines:
        return None
    return f"{changed.how}: {fault} – {verdict.message}"


def test_program_stands_on_the_standard_library_alone() -> None:
    """One file that imports nothing of ours."""
    source = PROGRAM.read_text()
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(str(node.module).partition(".")[0])
    assert imported <= set(sys.stdlib_module_names)


def test_record_and_all_mails_hold(evidence: Evidence, tmp_path: Path, run: Run) -> None:
    """A whole match with the mails of both players, English and German, is status 0."""
    path = tmp_path / "record.jsonl"
    path.write_bytes(evidence.record)
    mails = [raw for _, raw in evidence.mails + evidence.german]
    alone, ran = run(path), run(path, *written(tmp_path / "mails", mails))
    verdict = verify_record(evidence.lines, registry.find_installed)
    assert verdict.ok
    says = f"{verdict.match}: {verdict.orders + verdict.draws} events and {verdict.draws} draws "
    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout.startswith(says)
    assert "Without mails" in alone.stdout
    assert (ran.returncode, ran.stderr) == (0, "")
    telling = sum(kind != "answer" for kind, _ in evidence.mails + evidence.german)
    shown = 2 * telling - 2
    assert f"{telling} of {len(mails)} mails show {shown} heads and commitments" in ran.stdout


def test_record_of_a_match_that_was_moved_while_it_ran_holds() -> None:
    """Referees before this one could move a match; its log bears that, as a notice."""

    def move(documents: list[Any]) -> None:
        notice = next(document for document in documents if document["kind"] == "notice")
        notice["details"]["act"] = "move"

    lines = [line.encode() for line in forged([line.decode() for line in short_record()], move)]
    assert any(b'"act":"move"' in line for line in lines)
    assert verify_record(lines, registry.find_installed).ok
    assert _fault(lines) is None


def test_rewritten_record_holds_until_a_mail_is_compared(
    evidence: Evidence, tmp_path: Path, run: Run
) -> None:
    """Other orders, everything recomputed: status 0 alone, 1 with mails, the first one named."""
    first = next(n for n, each in enumerate(evidence.lines) if b'"kind":"order"' in each)
    other = rewritten(evidence.lines, first - 1)
    path, mails = tmp_path / "record.jsonl", evidence.kept(tmp_path / "mails")
    path.write_bytes(other)
    assert verify_record(tampering.split(other), registry.find_installed).ok
    assert run(path).returncode == 0
    known = {json.loads(each)["hash"] for each in tampering.split(other)[1:-1]}
    betrays = next(mail for mail in mails if _head(mail.read_bytes()) not in {None, *known})
    ran = run(path, *mails)
    assert ran.returncode == 1
    assert f"{betrays}: the head '{_head(betrays.read_bytes())}'" in ran.stdout


def _head(raw: bytes) -> str | None:
    lines = raw.decode().splitlines()
    name = "X-Referee-Head: "
    return next((each.removeprefix(name) for each in lines if each.startswith(name)), None)


def test_other_commitment_in_a_mail_is_found(evidence: Evidence, tmp_path: Path, run: Run) -> None:
    """An invitation with another commitment than the header's betrays a seed that was changed."""
    own, other = json.loads(evidence.lines[0])["commitment"], "0123456789abcdef" * 4
    path = tmp_path / "record.jsonl"
    path.write_bytes(evidence.record)
    raw = evidence.mails[0][1]
    right, wrong = written(tmp_path / "mails", [raw, raw.replace(own.encode(), other.encode())])
    assert run(path, right).returncode == 0
    ran = run(path, right, wrong)
    assert (ran.returncode, f"{wrong}: the commitment '{other}'" in ran.stdout) == (1, True)


@pytest.mark.parametrize("told", [{"seed": SEED.hex()}, {"seed": "zz"}, {}])
def test_words_of_a_reopening_in_another_event_stand_for_no_seed(told: dict[str, str]) -> None:
    """The closing seed has to be the one that was promised, and no line raises anything else."""

    def forge(documents: list[Any]) -> None:
        note = next(document for document in documents if document.get("kind") == "notice")
        note["details"] |= {"kind": "reopen", **told}
        documents[-1]["seed"] = (b"other" * 7)[:32].hex()

    lines = forged([line.decode() for line in short_record()], forge)
    verdict = verify_record([line.encode() for line in lines], registry.find_installed)
    assert not verdict.ok
    assert "commitment" in verdict.message
    fault = _fault([line.encode() for line in lines])
    assert fault is not None
    assert "SHA-256 of the seed" in fault


def test_what_cannot_be_checked_is_status_2(tmp_path: Path, run: Run) -> None:
    """No record, a file that is not there, or mails about something else."""
    path, mail = tmp_path / "record.jsonl", tmp_path / "mail.eml"
    path.write_bytes(whole(short_record()))
    mail.write_bytes(b"Subject: hello\n\n--- other-7 \xc2\xb7 referee ---\nHead of the log: abc\n")
    for words in ((), (tmp_path / "gone",), (path, tmp_path / "gone"), (path, mail)):
        ran = run(*words)
        assert (ran.returncode, "Traceback" in ran.stderr, bool(ran.stderr)) == (2, False, True)


def test_help_tells_how_it_is_called(run: Run) -> None:
    """What it checks and what its exit status means."""
    ran = run("--help")
    assert (ran.returncode, "Exit status 0: all holds" in ran.stdout) == (0, True)


@pytest.mark.parametrize("cut", [0, 1, 40])
def test_compressed_records_hold_like_others(tmp_path: Path, run: Run, cut: int) -> None:
    """A record as mails carry it is checked; one that is cut off or damaged is status 1."""
    path, data = tmp_path / "record.jsonl.gz", gzip.compress(whole(short_record()))
    path.write_bytes(data[: len(data) - cut])
    ran = run(path)
    assert (ran.returncode, ran.stderr) == (1 if cut else 0, "")
    path.write_bytes(data[:50] + b"xxxx" + data[54:])
    ran = run(path)
    assert (ran.returncode, ran.stderr, bool(ran.stdout)) == (1, "", True)


def test_tampering_is_status_1_with_the_line_named(tmp_path: Path, run: Run) -> None:
    """As a program: changed bytes, and events swapped, dropped and inserted."""
    lines, path = nord_record(), tmp_path / "record.jsonl"
    size, rng = len(whole(lines)), Random(5)
    changes = [
        tampering.swapped(lines, 9, 14),
        tampering.dropped(lines, 20),
        tampering.doubled(lines, 21),
        tampering.inserted(lines, 22, FOREIGN),
        *(tampering.changed(lines, rng.randrange(900, size - 600), 0x41) for _ in range(4)),
    ]
    for changed in changes:
        path.write_bytes(whole(changed.lines))
        ran = run(path)
        assert (ran.returncode, ran.stderr) == (1, ""), changed.how
        assert ran.stdout.startswith(f"line {changed.line}: "), changed.how


@pytest.mark.parametrize("every", one_of(6))
def test_every_changed_byte_is_found_where_the_referee_finds_it(every: int) -> None:
    """Each byte of a short record but those of the result, which only the rules can tell."""
    lines, rng = short_record(), Random(2)
    data = whole(lines)
    result = data.rindex(b'"result":{')
    untold = range(result, data.index(b"}},", result))
    changes = [
        tampering.changed(lines, place, byte)
        for place in range(0, len(data) - 1, every)
        for byte in {data[place] ^ rng.randrange(1, 256), (data[place] + 1) % 256} - {10}
        if place not in untold
    ]
    assert [each for each in map(_differs, changes) if each] == []


def test_every_change_of_events_is_found_where_the_referee_finds_it() -> None:
    """Events dropped, doubled, swapped and inserted, each of them and everywhere."""
    changes = tampering.every_change_of_events(short_record(), FOREIGN)
    assert [each for each in map(_differs, changes) if each] == []


@pytest.mark.parametrize("every", one_of(5))
def test_every_changed_byte_of_what_mends_is_found_where_the_referee_finds_it(every: int) -> None:
    """Bytes all over an undo, a redo, a fix and a reopening."""
    lines, rng = mended_record(), Random(4)
    data = whole(lines)
    changes = [
        tampering.changed(lines, place, data[place] ^ rng.randrange(1, 256))
        for place in tampering.bytes_of(lines, tampering.MENDING, every=3 * every)
    ]
    assert [each for each in map(_differs, changes) if each] == []


@pytest.mark.parametrize("every", one_of(4))
def test_every_change_of_events_of_a_mended_match_is_found_where_the_referee_finds_it(
    every: int,
) -> None:
    """Events dropped, doubled, swapped and inserted, what mends among them."""
    changes = list(tampering.every_change_of_events(mended_record(), FOREIGN))[::every]
    assert [each for each in map(_differs, changes) if each] == []


@pytest.mark.parametrize("name", ["pebbles", "nord", "origo"])
def test_mended_matches_hold(name: str, tmp_path: Path, run: Run) -> None:
    """Draws are numbered anew after an undo, and come from the new seed after a reopening."""
    path = tmp_path / "record.jsonl"
    path.write_bytes(whole(mended_record(name)))
    ran = run(path)
    assert (ran.returncode, ran.stdout.startswith(f"{name}-5: ")) == (0, True)


@pytest.mark.parametrize(
    ("kind", "changes", "says"),
    [
        ("undo", {"to": 99}, "99 is no event before it"),
        ("undo", {"to": True}, "True is no event before it"),
        ("redo", {}, "this is not as a record is"),
        ("reopen", {"commitment": "00"}, "SHA-256 of the seed"),
    ],
)
def test_forged_mending_is_named(kind: str, changes: dict[str, Any], says: str) -> None:
    """What mends, set wrong while all hashes are mended."""
    texts = [each.decode() for each in mended_record()]

    def change(documents: list[Any]) -> None:
        event = next(each for each in documents if each["kind"] == kind)
        event["details"] = {**event["details"], **changes} if changes else {}

    assert says in str(_fault([each.encode() for each in forged(texts, change)]))


@settings(max_examples=examples(50), deadline=None)
@given(st.data())
def test_changes_of_a_long_record_are_found_where_the_referee_finds_them(
    data: st.DataObject,
) -> None:
    """A byte or an event of a match of Nord."""
    lines = data.draw(st.sampled_from([nord_record(), mended_record("origo")]))
    index, other = data.draw(
        st.lists(st.integers(1, len(lines) - 2), min_size=2, max_size=2, unique=True)
    )
    place = len(whole(lines[:index])) + data.draw(st.integers(0, len(lines[index])))
    before = whole(lines)[place]
    byte = data.draw(st.integers(0, 255).filter(lambda each: each != before))
    changed = data.draw(
        st.sampled_from(
            [
                tampering.changed(lines, place, byte),
                tampering.dropped(lines, index),
                tampering.swapped(lines, index, other),
                tampering.inserted(lines, index, lines[other]),
            ]
        )
    )
    assert _differs(changed) is None


JUNK: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2**70) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)


@settings(max_examples=examples(100), deadline=None)
@given(st.data())
def test_forgery_with_mended_hashes_is_never_found_here_alone(data: st.DataObject) -> None:
    """Any value set anew and all hashes mended: what the program finds the referee finds too."""
    texts = [each.decode() for each in short_record()]
    index = data.draw(st.integers(0, len(texts) - 1))
    name = data.draw(st.sampled_from(sorted(json.loads(texts[index]))))
    junk = data.draw(JUNK)

    def change(documents: list[Any]) -> None:
        documents[index][name] = junk

    try:
        lines = [each.encode() for each in forged(texts, change)]
    except UnicodeEncodeError:
        return
    fault, verdict = _fault(lines), verify_record(lines, registry.find_installed)
    assert fault is None or not verdict.ok, fault


@pytest.mark.parametrize(
    ("kind", "changes", "says"),
    [
        ("order", {"seat": "red", "turn": 2}, "an order of red, who is not to act"),
        ("chance", {"forced": True}, "only orders are forced"),
        ("notice", {"forced": True}, "only orders are forced"),
        ("order", {"forced": 1}, "only orders are forced"),
        ("order", {"arrival": None}, "not as a record is"),
        ("order", {"arrival": "2026-13-01T00:00:00Z"}, "no moment in UTC"),
        ("order", {"arrival": "9999-11-01T00:00:00Z"}, "no moment in UTC"),
        ("order", {"arrival": "2026-11-01T00:00:00+01:00"}, "no moment in UTC"),
        ("chance", {"arrival": ARRIVAL}, "arrival is"),
        ("order", {"order": None}, "have a text, and only they"),
        ("notice", {"order": "pass"}, "have a text, and only they"),
        ("notice", {"seat": "pink"}, "'pink', who does not play"),
        ("notice", {"digest": "0" * 64}, "a digest stands where"),
        ("order", {"digest": "x"}, "digest is no SHA-256"),
        ("order", {"details": {"a": 1}}, "details is"),
        ("chance", {"details": {"a": 1}}, "details is"),
        ("notice", {"details": {"by": "nobody", "why": "ab" * 32}}, "by and why tell"),
        ("notice", {"details": {"by": "organiser", "why": "because"}}, "by and why tell"),
        ("notice", {"details": {"by": "organiser"}}, "not as a record is"),
        ("close", {"result": {"ending": 1, "places": PLACES, "points": PLACES}}, "no word"),
        ("close", {"result": {"ending": "x", "places": PLACES, "points": NONE}}, "are no points"),
        ("close", {"result": {"ending": "x", "places": ZERO, "points": PLACES}}, "are no places"),
    ],
)
def test_forged_form_of_an_event_is_named(kind: str, changes: dict[str, Any], says: str) -> None:
    """What needs no rules is seen in its line, by the referee too, with all hashes mended."""
    texts = [each.decode() for each in short_record()]
    places = [n for n, each in enumerate(texts) if json.loads(each)["kind"] == kind]

    def change(documents: list[Any]) -> None:
        documents[places[-1]].update(changes)

    lines = [each.encode() for each in forged(texts, change)]
    fault, verdict = str(_fault(lines)), verify_record(lines, registry.find_installed)
    assert (verdict.ok, verdict.line) == (False, places[-1] + 1)
    assert says in fault
    assert fault.startswith(f"line {places[-1] + 1}: ")


@pytest.mark.parametrize("record", some([short_record], [nord_record]))
def test_cut_record_with_a_made_up_result_is_found(
    record: Callable[[], tuple[bytes, ...]],
) -> None:
    """Cut within a turn both say so; cut where a turn ended only the rules tell, as it says."""
    texts = [each.decode() for each in record()]
    seen = {True: 0, False: 0}
    for kept in range(1, len(texts) - 1):
        last = next(e for e in reversed([*map(json.loads, texts[:kept])]) if e["kind"] != "notice")
        cut = [*texts[:kept], texts[-1]]
        lines = [each.encode() for each in forged(cut, _counted)]
        verdict, within = verify_record(lines, registry.find_installed), last.get("digest") is None
        assert not verdict.ok
        assert (_fault(lines) is None) != within
        seen[within] += 1
    assert all(seen.values())


def _counted(documents: list[Any]) -> None:
    documents[-1]["events"] = len(documents) - 2


def test_order_after_the_end_is_found() -> None:
    """Resigned, and played on: nothing but notes follows an end."""
    match, log = played(terms())
    texts = exported(match, log)
    last = next(n for n, each in enumerate(texts) if '"kind":"order"' in each)
    result = json.loads(texts[-1])["result"]

    def change(documents: list[Any]) -> None:
        more = {"kind": "end", "order": None, "draw": None, "details": result}
        documents[last].update(more, digest="0" * 64)

    lines = [each.encode() for each in forged(texts, change)]
    assert "the match is over" in str(_fault(lines))
    assert not verify_record(lines, registry.find_installed).ok


@pytest.mark.parametrize("record", [short_record, nord_record])
def test_luckier_draw_is_found_in_its_line(record: Callable[[], tuple[bytes, ...]]) -> None:
    """Another outcome than the seed gives, with all hashes mended, is found at every draw."""
    texts = [each.decode() for each in record()]
    draws = [n for n, each in enumerate(texts) if '"kind":"chance"' in each]
    for index in draws:

        def luckier(documents: list[Any], index: int = index) -> None:
            event = documents[index]
            others = [text for text, _ in event["draw"]["outcomes"] if text != event["order"]]
            event["order"] = others[0] if others else "nothing"

        fault = _fault([each.encode() for each in forged(texts, luckier)])
        assert str(fault).startswith(f"line {index + 1}: event {index}: draw ")


@pytest.mark.parametrize(
    ("index", "changes", "says"),
    [
        (1, {"salt": "0" * 32}, "event 1: salt"),
        (1, {"turn": 2}, "event 1: turn 2"),
        (5, {"turn": 1}, "event 5: turn 1"),
        (3, {"kind": "dance"}, "event 3: this program knows no kind"),
        (3, {"seat": "chance"}, "event 3: draws are"),
        (3, {"seat": "pink"}, "event 3: an order of 'pink'"),
        (1, {"draw": {"number": 2, "outcomes": [["a", 1]]}}, "event 1: the draw"),
        (1, {"draw": {"number": 1, "outcomes": [["b", 1], ["a", 1]]}}, "event 1: the outcomes"),
        (1, {"draw": {"number": 1, "outcomes": [["a", 0]]}}, "event 1: these weights"),
        (1, {"draw": {"number": 1, "outcomes": [["a", -1], ["b", 2]]}}, "event 1: these weights"),
        (1, {"draw": {"number": 1, "outcomes": [["a", 2**256 + 1]]}}, "event 1: these weights"),
        (1, {"draw": {"number": 1, "outcomes": []}}, "this is not as a record is"),
        (1, {"draw": "x"}, "this is not as a record is"),
        (1, {"draw": {"number": 1, "outcomes": [["a", True]]}}, "event 1: these weights"),
        (1, {"turn": True}, "event 1: turn True"),
        (0, {"words": {"red": "other"}}, "event 1: salt"),
        (0, {"words": {"green": "x"}}, "somebody who does not play"),
        (0, {"match": "pebbles-8"}, "event 1: draw 1"),
        (0, {"match": "x\ny"}, "no name of a match"),
        (0, {"referee": 2}, "format is 2, expected 1"),
        (0, {"commitment": "0" * 64}, "SHA-256 of the seed"),
        (-1, {"seed": "00" * 32}, "SHA-256 of the seed"),
        (-1, {"seed": SEED.hex().upper()}, "seed is"),
        (-1, {"seed": "zz"}, "this is not as a record is"),
        (-1, {"events": 4}, "events is 4, expected 5"),
        (-1, {"result": {"ending": "x", "points": {}, "places": {}}}, "seats with points"),
        (-1, {"note": 1}, "a line of this kind holds"),
    ],
)
def test_forged_value_is_named(index: int, changes: dict[str, Any], says: str) -> None:
    """Each thing the program checks, set wrong while all hashes are mended."""
    texts = [each.decode() for each in short_record()]
    fault = _fault(
        [each.encode() for each in forged(texts, lambda found: found[index].update(changes))]
    )
    assert says in str(fault)


def test_record_with_promised_words_holds(run: Run) -> None:
    """Both programs read it, and this one says whose words are not in the seed."""
    assert verify_record(PROMISED.read_bytes().splitlines(), registry.find_installed).ok
    ran = run(PROMISED)
    assert ran.returncode == 0
    assert "Promised words were not told in time, and are not mixed in: ['blue']" in ran.stdout


@pytest.mark.parametrize(
    ("promised", "referee_says", "program_says"),
    [
        ({"red": "0" * 64}, "words of red are not those promised", "SHA-256 of words of red"),
        ({"pink": "0" * 64}, "promised: words of luck", "'pink' promised no words"),
        ({"blue": "0"}, "promised", "'blue' promised no words"),
        ({"blue": 7}, "promised", "this is not as a record is"),
    ],
)
def test_other_words_than_those_promised_are_found(
    promised: dict[str, Any], referee_says: str, program_says: str
) -> None:
    """By both programs, in the header, although every hash behind it is mended."""

    def change(documents: list[Any]) -> None:
        documents[0]["promised"].update(promised)

    texts = forged(PROMISED.read_text("utf-8").splitlines(), change)
    lines = [each.encode() for each in texts]
    verdict = verify_record(lines, registry.find_installed)
    assert (verdict.line, referee_says in verdict.message) == (1, True)
    assert str(_fault(lines)).startswith(f"line 1: {program_says}")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("practice", "x"), ("practice", 0), ("edition", []), ("edition", True), ("edition", 0),
        ("given", None), ("game", 7), ("board", []), ("options", "none"), ("options", {"a": []}),
        ("seats", "red"), ("seats", []), ("seats", [1, 2]), ("seats", ["red", "red"]),
        ("started", 5), ("started", "today"), ("started", "2026-13-01T00:00:00Z"),
        ("words", []), ("words", {"red": 1}), ("match", 7), ("match", []), ("commitment", None),
    ],
)  # fmt: skip
def test_a_header_of_wrong_types_is_found(name: str, value: Any) -> None:
    """Each is named by the program, although every hash behind it is mended."""
    lines = _with_header(PROMISED.read_text("utf-8").splitlines(), name, value)
    assert str(_fault(lines)).startswith(f"line 1: {name}")
    assert verify_record(lines, registry.find_installed).line == 1


def _with_header(texts: Sequence[str], name: str, value: Any) -> list[bytes]:
    """Return a record with another value in its header, and every hash mended."""
    texts = forged(texts, lambda documents: documents[0].update({name: value}))
    return [each.encode() for each in texts]


def _first(documents: list[Any], kind: str) -> Any:
    return next(each for each in documents if each["kind"] == kind)


def _unmarked(documents: list[Any]) -> None:
    """Take the mark off every order that was forced."""
    for event in documents[1:-1]:
        event["forced"] = False


UNKNOWABLE: dict[str, Callable[[list[Any]], None]] = {
    "started": lambda documents: documents[0].update(started="2026-01-01T00:00:00Z"),
    "practice": lambda documents: documents[0].update(practice=not documents[0]["practice"]),
    "given": lambda documents: documents[0].update(given=True),
    "arrival": lambda documents: _first(documents, "undo").update(arrival="2026-01-01T00:00:00Z"),
    "forced": _unmarked,
    "by": lambda documents: _first(documents, "undo")["details"].update(by="referee"),
    "why": lambda documents: _first(documents, "undo")["details"].update(why="0" * 64),
}
"""Lies by the field they stand in."""


def test_what_no_program_can_check_is_what_the_page_lists() -> None:
    """A lie in each field of that list passes both programs; one elsewhere in a header does not."""
    page = PROGRAM.with_name("fair-chance.md").read_text("utf-8")
    section = page.partition("### What no program can check\n")[2].partition("\n## ")[0]
    heads = (each.partition(":")[0] for each in section.split("\n- ")[1:])
    listed = {name for head in heads for name in re.findall("`([a-z]+)`", head)}
    assert listed == UNKNOWABLE.keys()
    texts = [each.decode() for each in mended_record("nord")]
    for name, lie in UNKNOWABLE.items():
        lines = [each.encode() for each in forged(texts, lie)]
        assert lines != [each.encode() for each in texts], name
        assert verify_record(lines, registry.find_installed).ok, name
        assert _fault(lines) is None, name
    header = json.loads(texts[0])
    others: dict[str, Any] = {
        "board": {}, "commitment": "0" * 64, "edition": 99, "game": "origo", "kind": "event",
        "match": "nord-99", "options": {}, "referee": 2, "seats": header["seats"][::-1],
        "words": {header["seats"][0]: "seven ravens"},
    }  # fmt: skip
    assert others.keys() == header.keys() - listed
    for name, value in others.items():
        lines = _with_header(texts, name, value)
        assert not verify_record(lines, registry.find_installed).ok, name


@pytest.mark.parametrize("index", range(len(short_record())))
def test_line_in_another_form_is_found(index: int) -> None:
    """Spaces, keys in another sequence or twice: the same JSON, but not the same bytes."""
    lines, text = list(short_record()), short_record()[index]
    document = json.loads(text)
    turned = dict(reversed(document.items()))
    forms = [
        json.dumps(document, sort_keys=True, ensure_ascii=False).encode(),
        json.dumps(turned, separators=(",", ":"), ensure_ascii=False).encode(),
        text[:-1] + b',"kind":' + json.dumps(document["kind"]).encode() + b"}",
        text + b"\r",
    ]
    for form in forms:
        lines[index] = form
        changed = Tampered(tuple(lines), f"{form!r}", index + 1)
        assert _differs(changed) is None
        assert "canonical form" in str(_fault(lines))


@pytest.mark.parametrize("line", [b'{"a":1.5}', b'{"a":NaN}', b'{"a":-0}', b"[" * 100_000])
def test_what_is_no_canonical_json_is_no_line(line: bytes) -> None:
    """Fractions and other numbers without one form, and nesting without end."""
    with pytest.raises((CHECKER.Wrong, ValueError, RecursionError)):
        CHECKER.document(line, {"a"})
    assert str(_fault([line, b"{}"])).startswith("line 1: ")


def test_result_of_a_match_ended_by_hand_is_that_of_its_end() -> None:
    """Where an event tells the result, the closing line is held against it."""
    match, log = played(terms(), most=2)
    result = Result("stopped", dict(GAME.points(match.position)), {"red": 1, "blue": 1})
    match, last = conclude(match, result, ARRIVAL)
    texts = exported(match, [*log, last])
    assert _fault([each.encode() for each in texts]) is None
    other = {"ending": "stopped", "points": dict(result.points), "places": {"red": 1, "blue": 2}}
    changed = forged(texts, lambda found: found[-1].update(result=other))
    assert f"line {len(texts)}: result is" in str(_fault([each.encode() for each in changed]))


def test_what_players_wrote_is_not_taken_for_a_head() -> None:
    """Only lines of ours count, whole, within a frame of this match; quoted they count too."""
    short, digits = "abcd-efgh-2345", "0123456789abcdef" * 4
    lines = [
        f"Head of the log: {short}",
        digits,
        "--- pebbles-7 · referee ---",
        f"· Head of the log: {short}",
        f"  Head of the log: {short}",
        f"Red wrote: Head of the log: {short}",
        f"· {digits}",
        "--- ende von pebbles-7 · referee ---",
        f"Head of the log: {short}",
        "--- pebbles-8 · referee ---",
        f"> > Kopf des Protokolls: {short}",
        f"> {digits}",
    ]
    raw = "\n".join(["Content-Type: text/plain; charset=utf-8", "", *lines]).encode()
    assert CHECKER.shown_in(raw, "pebbles-7") == []
    assert CHECKER.shown_in(raw, "pebbles-8") == [("head", short), ("commitment", digits)]


def test_frames_with_news_are_read() -> None:
    """Wrapped and quoted too; the last line of ours ends what counts."""
    short = "abcd-efgh-2345"
    for first in (
        ["--- pebbles-7 · It is your turn, Red · referee ---"],
        ["> --- pebbles-7 · It is your turn, Red", "> · referee ---"],
        ["--- pebbles-7 · Reminder: it is still", "your turn, Red ·", "referee ---"],
        ["— pebbles-7 · Over · referee —"],
    ):
        lines = [*first, f"Head of the log: {short}", "--- referee · pebbles-7 ---"]
        raw = "\n".join(["Content-Type: text/plain; charset=utf-8", "", *lines]).encode()
        assert CHECKER.shown_in(raw, "pebbles-7") == [("head", short)]
        assert CHECKER.shown_in(raw, "pebbles-8") == []
        late = "\n".join([*lines[:-2], lines[-1], lines[-2]])
        raw = f"Content-Type: text/plain; charset=utf-8\n\n{late}".encode()
        assert CHECKER.shown_in(raw, "pebbles-7") == []


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.binary(max_size=60) | st.sampled_from(short_record()), max_size=6))
def test_junk_is_no_record_and_no_exception(lines: list[bytes]) -> None:
    """Whatever the file holds, the answer is what is wrong with it."""
    if tuple(lines) != short_record():
        assert _fault(lines) is not None


@settings(max_examples=examples(200), deadline=None)
@given(st.binary(max_size=400), st.integers(0, 3000), st.integers(0, 3000))
def test_any_bytes_are_a_mail(junk: bytes, start: int, end: int) -> None:
    """A mail that is none, or damaged, shows something or nothing, without an exception."""
    text = (
        b"X-Referee-Match: pebbles-7\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
        + b"LS0tIHBlYmJsZXMtNyC3IHJlZmVyZWUgLS0tCg=="
        * 20
    )
    for raw in (junk, text[:start] + junk + text[end:]):
        assert isinstance(CHECKER.shown_in(raw, "pebbles-7"), list)
